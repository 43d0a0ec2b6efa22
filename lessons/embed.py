# Turns a folder of lessons into a C++ source that holds their texts: embed.py OUTPUT DEPFILE FOLDER
import pathlib
import sys

output, depfile, folder = map(pathlib.Path, sys.argv[1:])
files = sorted(folder.glob("*.yaml"))
lines = [
    '#include "lessons/lesson.hpp"',
    "namespace parallax {",
    "static constexpr std::pair<std::string_view, std::string_view> files[] = {",
]
for path in files:
    text = path.read_text(encoding="utf-8")
    if ')text"' in text:
        sys.exit(f"{path}: contains )text\" and cannot be embedded")
    lines.append(f'{{"{path.stem}", R"text({text})text"}},')
lines += [
    "};",
    "std::span<const std::pair<std::string_view, std::string_view>> lesson_texts() { return files; }",
    "}",
]
output.write_text("\n".join(lines) + "\n", encoding="utf-8")
# The folder too: a file that is added or removed changes it.
inputs = [folder, *files]
depfile.write_text(f"{output}: {' '.join(str(path).replace(' ', chr(92) + ' ') for path in inputs)}\n")
