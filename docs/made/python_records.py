# python/parallax_gpu/records.py is what the program's member lists make of it:
# python_records.py RECORD_MEMBERS ROOT [--check]
import json
import keyword
import pathlib
import re
import subprocess
import sys

record_members, root, *mode = sys.argv[1:]
file = pathlib.Path(root) / "python" / "parallax_gpu" / "records.py"
parts = json.loads(subprocess.run([record_members, "--json"], check=True, capture_output=True, text=True).stdout)
scalars = {"text": "str", "whole": "int", "number": "float", "truth": "bool"}


def class_of(part):
    return "".join(word.capitalize() for word in part.split("_"))


def annotation(type_word):
    if type_word.endswith("[]"):
        return f"list[{annotation(type_word[:-2])}]"
    if type_word.endswith("{}"):
        return f"dict[str, {annotation(type_word[:-2])}]"
    return scalars.get(type_word) or class_of(type_word)


def said(what):
    """A member's description without links to the page's tables."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", what)


def member(one):
    name = one["name"] + ("_" if keyword.iskeyword(one["name"]) else "")
    kind = annotation(one["type"])
    line = f"    {name}: {kind}" if one["always"] else f"    {name}: Optional[{kind}] = None"
    return f"{line}  # {said(one['what'])}" if one["what"] else line


lines = ['"""The lines of result files and their parts, made by docs/made/python_records.py.',
         'A member that is None is not there, or unknown."""',
         "# ruff: noqa: E501",
         "from __future__ import annotations", "",
         "from dataclasses import dataclass",
         "from typing import Optional, Union", ""]
for part in parts:
    lines += ["", "@dataclass(frozen=True)", f"class {class_of(part['name'])}:"]
    # Members with a value come first, as dataclasses want it.
    lines += [member(one) for one in sorted(part["members"], key=lambda one: not one["always"])] + [""]
whole = [part for part in parts if "line" in part]
lines += ["", f"Line = Union[{', '.join(class_of(part['name']) for part in whole)}]", "",
          "# The class of each schema, and the version that it reads.",
          "SCHEMAS: dict[str, tuple[type[Line], int]] = {"]
lines += [f'    "{part["line"]["schema"]}": ({class_of(part["name"])}, {part["line"]["version"]}),' for part in whole]
made = "\n".join([*lines, "}", ""])
if not mode:
    file.write_text(made, encoding="utf-8")
elif made != file.read_text(encoding="utf-8"):
    sys.exit(f"{file} is stale: 'meson compile -C build python-records' refreshes it.")
