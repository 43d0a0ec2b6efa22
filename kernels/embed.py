# Turns files into a C++ source that holds their texts, by their paths from a folder:
# embed.py OUTPUT FUNCTION FOLDER INPUT...
import pathlib
import sys

function = sys.argv[2]
output, folder, *inputs = map(pathlib.Path, [sys.argv[1], *sys.argv[3:]])
lines = [
    '#include "kernels/embedded.hpp"',
    "namespace parallax {",
    f"std::span<const EmbeddedFile> {function}();",
    "static constexpr EmbeddedFile files[] = {",
]
for name, path in sorted((p.resolve().relative_to(folder.resolve()).as_posix(), p) for p in inputs):
    text = path.read_text(encoding="utf-8")
    if ')text"' in text:
        sys.exit(f"{path}: contains )text\" and cannot be embedded")
    lines.append(f'{{"{name}", R"text({text})text"}},')
lines += ["};", f"std::span<const EmbeddedFile> {function}() {{ return files; }}", "}"]
output.write_text("\n".join(lines) + "\n", encoding="utf-8")
