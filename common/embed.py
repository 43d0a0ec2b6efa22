# Turns files into a C++ source that holds their texts, by name:
# embed.py OUTPUT FUNCTION FOLDER [--all PATTERN --depfile FILE] [INPUT...]
# An INPUT is a file, whose name is its path from FOLDER, or NAME=FILE[,FILE...], one behind the
# other. --all takes every file of FOLDER that the pattern fits.
import argparse
import base64
import hashlib
import pathlib
import sys

parser = argparse.ArgumentParser()
parser.add_argument("output", type=pathlib.Path)
parser.add_argument("function")
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("inputs", nargs="*")
parser.add_argument("--all", metavar="PATTERN")
parser.add_argument("--depfile", type=pathlib.Path)
given = parser.parse_args()


def named(word):
    name, joined, files = word.rpartition("=")
    if joined:
        return name, [pathlib.Path(file) for file in files.split(",")]
    path = pathlib.Path(word)
    return path.resolve().relative_to(given.folder.resolve()).as_posix(), [path]


def text_of(name, paths):
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    if name.endswith(".js"):
        # What would end a script element, or change how its end is found: the same to JavaScript,
        # where it can stand in strings, patterns and comments only.
        text = text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
        # Likewise what a terminal would obey.
        text = text.replace("\x7f", "\\x7f")
    if ')text"' in text:
        sys.exit(f"{name}: contains )text\" and cannot be embedded")
    return text


def hash_of(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


matching = sorted(given.folder.glob(given.all)) if given.all else []
files = sorted(named(word) for word in [*given.inputs, *map(str, matching)])
contents = [text_of(name, paths) for name, paths in files]
# Arrays, because a compiler would count the letters of a literal one by one.
texts = [
    f'constexpr char {given.function}_{index}[] = R"text({text})text";'
    for index, text in enumerate(contents)
]
entries = [
    f'{{"{name}", {{{given.function}_{index}, sizeof {given.function}_{index} - 1}}, '
    f'"{hash_of(contents[index])}"}},'
    for index, (name, _) in enumerate(files)
]
lines = [
    '#include "common/text/embedded_file.hpp"',
    "#ifdef __clang__",
    '#pragma clang diagnostic ignored "-Woverlength-strings"',
    "#endif",
    "namespace parallax {",
    f"std::span<const EmbeddedFile> {given.function}();",
    "namespace {",
    *texts,
    f"constexpr EmbeddedFile {given.function}_files[] = {{",
    *entries,
    "};",
    "}",
    f"std::span<const EmbeddedFile> {given.function}() {{ return {given.function}_files; }}",
    "}",
]
given.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
if given.depfile:
    # The folder too: a file that is added or removed changes it.
    inputs = [given.folder, *(path for _, paths in files for path in paths)]
    words = " ".join(str(path).replace(" ", "\\ ") for path in inputs)
    given.depfile.write_text(f"{given.output}: {words}\n")
