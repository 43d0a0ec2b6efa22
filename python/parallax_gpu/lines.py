"""Reads result files: lines of JSON become the classes of `records`."""

from __future__ import annotations

import json
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
    if place.is_dir():
        return [line for file in sorted(place.rglob("*.jsonl")) for line in lines_of(file)]
    return list(lines_of(place))


def lines_of(file: Path) -> Iterator[Line]:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"Cannot read {file}: {error}.") from error
    rows = text.split("\n")
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        try:
            value = json.loads(row)
        except ValueError as error:
            if number == len(rows):  # without its end
                warnings.warn(f"{file}:{number}: the line is cut off and left out.", stacklevel=3)
                continue
            raise BadFile(f"{file}:{number}: this is no JSON: {error}.") from error
        if not isinstance(value, dict) or value.get("schema") not in SCHEMAS:
            continue
        kind, version = SCHEMAS[value["schema"]]
        if value.get("version") != version:
            raise BadFile(
                f"{file}:{number}: {value['schema']} has version {value.get('version')}, and this "
                f"package reads version {version}. Install the version of parallax-gpu that wrote it."
            )
        try:
            yield part_from(kind, value)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
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
