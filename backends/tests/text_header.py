# Turns a file into a header with its text as a constant: text_header.py INPUT OUTPUT NAME
import pathlib
import sys

source, target, name = sys.argv[1:]
text = pathlib.Path(source).read_text(encoding="utf-8")
pathlib.Path(target).write_text(
    f'#pragma once\nnamespace parallax {{\ninline constexpr char {name}[] = R"text({text})text";\n}}\n',
    encoding="utf-8",
)
