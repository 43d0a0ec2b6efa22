"""Reads result files: lines of JSON become the classes of `records`."""

from __future__ import annotations

import json
import os
import stat
import struct
import typing
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import Any

from .errors import BadFile
from .program import PathLike
from .records import SCHEMAS, Line


def read_lines(path: PathLike) -> list[Line]:
    """The lines of a file, or of all files NAME.jsonl in a folder and below it. Lines of other schemas
    are left out; a last line that a killed run cut off is reported as a warning."""
    place = Path(path)
    if os.path.isdir(place):
        return [line for file in sorted(place.rglob("*.jsonl")) for line in lines_of(file)]
    return list(lines_of(place))


def read_text(file: Path) -> str:
    """A file's content, where it is a regular file: others may have no end, or never begin."""
    with open(file, encoding="utf-8", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise ValueError("it is no regular file")
        return stream.read()


def lines_of(file: Path) -> Iterator[Line]:
    try:
        text = read_text(file)
    except (OSError, ValueError) as error:
        raise BadFile(f"Cannot read {str(file)!r}: {error}.") from error
    rows = text.split("\n")
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        try:
            value = json.loads(row)
        except (ValueError, RecursionError) as error:
            if number == len(rows):  # without its end
                warnings.warn(f"{file}:{number}: the line is cut off and left out.", stacklevel=3)
                continue
            raise BadFile(f"{file}:{number}: this is no JSON: {error}.") from error
        if not isinstance(value, dict) or str(value.get("schema")) not in SCHEMAS:
            continue
        kind, version = SCHEMAS[value["schema"]]
        if value.get("version") != version:
            raise BadFile(
                f"{file}:{number}: {value['schema']} has version {value.get('version')}, and this "
                f"package reads version {version}. Install the version of parallax-gpu that wrote it."
            )
        try:
            yield part_from(kind, value)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
            raise BadFile(f"{file}:{number}: {value['schema']}: {error}") from error


@cache
def hints_of(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def part_from(kind: Any, value: Mapping[str, Any]) -> Any:
    """A dataclass from a JSON object; members that it does not know are left out."""
    hints = hints_of(kind)
    made = {}
    for field in fields(kind):
        found = value.get(field.name.rstrip("_"))
        if found is None or (found == "unknown" and field.default is None):
            if field.default is MISSING:
                raise KeyError(f"{field.name} is missing")
            continue
        made[field.name] = value_from(hints[field.name], found)
    return kind(**made)


def value_from(hint: Any, value: Any) -> Any:
    origin, of = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union:  # Optional
        return value_from(of[0], value)
    if origin is list:
        return [value_from(of[0], one) for one in value]
    if origin is dict:
        return {name: value_from(of[1], one) for name, one in value.items()}
    if hint is float:
        return number_from(value)
    if hint in (int, str, bool):
        if type(value) is not hint:
            raise TypeError(f"{value!r} is not of the type {hint.__name__}")
        return value
    return part_from(hint, value)


def number_from(value: Any) -> float:
    """A number, or one that JSON cannot hold from its bits."""
    if isinstance(value, str) and value.startswith("0x"):
        return float(struct.unpack(">d", int(value, 16).to_bytes(8, "big"))[0])
    return float(value)
