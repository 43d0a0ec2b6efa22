# Turns files into a C++ source that holds their texts: embed.py OUTPUT INPUT...
import pathlib
import sys

output, *inputs = map(pathlib.Path, sys.argv[1:])
lines = [
    '#include "kernels/embedded.hpp"',
    "namespace parallax {",
    "static constexpr EmbeddedFile files[] = {",
]
for path in sorted(inputs, key=lambda p: p.name):
    text = path.read_text(encoding="utf-8")
    if ')text"' in text:
        sys.exit(f"{path}: contains )text\" and cannot be embedded")
    lines.append(f'{{"{path.name}", R"text({text})text"}},')
lines += ["};", "std::span<const EmbeddedFile> embedded_kernels() { return files; }", "}"]
output.write_text("\n".join(lines) + "\n", encoding="utf-8")
