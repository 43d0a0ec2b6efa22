# Turns the page's parts into a C++ source that holds them: embed.py OUTPUT NAME=FILE[,FILE...]...
import pathlib
import sys

output, *parts = sys.argv[1:]
texts, choices = [], []
for index, part in enumerate(parts):
    name, _, files = part.partition("=")
    text = "\n".join(pathlib.Path(file).read_text(encoding="utf-8") for file in files.split(","))
    if name.endswith(".js"):
        # What would end a script element, or change how its end is found: the same to JavaScript,
        # where it can stand in strings, patterns and comments only.
        text = text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    if ')page"' in text:
        sys.exit(f"{files}: contains )page\" and cannot be embedded")
    # Arrays, because a compiler would count the letters of a literal one by one.
    texts.append(f'constexpr char part_{index}[] = R"page({text})page";')
    choices.append(f'if (name == "{name}") return {{part_{index}, sizeof part_{index} - 1}};')
lines = [
    '#include "report/page/parts.hpp"',
    "#ifdef __clang__",
    '#pragma clang diagnostic ignored "-Woverlength-strings"',
    "#endif",
    "namespace parallax {",
    "namespace {",
    *texts,
    "}",
    "std::string_view page_part(std::string_view name) {",
    *choices,
    "return {};",
    "}",
    "}",
]
pathlib.Path(output).write_text("\n".join(lines) + "\n", encoding="utf-8")
