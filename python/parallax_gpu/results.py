"""What the calls return: lines of result files, verdicts, and how both are shown."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, TypeVar, Union, overload

from .records import Explanation, Line, Pair, Record, Tuned

if TYPE_CHECKING:
    import pandas

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Results(Sequence[Line]):
    """Lines of result files in their order: records, pairs, explanations, and others."""

    lines: Sequence[Line]
    path: Optional[Path] = None  # the file or folder that holds them
    exit_code: int = 0  # of the program that made them
    report: str = field(default="", repr=False)  # what it printed
    messages: str = field(default="", repr=False)  # what it printed on standard error
    page: str = field(default="", repr=False)  # the same as HTML, where the program makes a page of it

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Line]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Line, Sequence[Line]]:
        return self.lines[index]

    def __len__(self) -> int:
        return len(self.lines)

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The lines of a class of `parallax_gpu.records`."""
        return [line for line in self.lines if isinstance(line, kind)]

    @property
    def records(self) -> list[Record]:
        """The cases; those that measure the device's peak rates are of the suite `ceiling`."""
        return self.of(Record)

    @property
    def pairs(self) -> list[Pair]:
        return self.of(Pair)

    @property
    def explanations(self) -> list[Explanation]:
        return self.of(Explanation)

    @property
    def ok(self) -> bool:
        """Whether at least one case ran and all that ran are right, none of them `doubtful`."""
        states = {record.status for record in self.records}
        return bool(states & {"ok", "checked"}) and not states & {"wrong", "failed", "doubtful"}

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each record; members of parts are columns such as `timing.median`."""
        import pandas

        rows = [row_of(asdict(record)) for record in self.records]
        frame: pandas.DataFrame = pandas.json_normalize(rows, max_level=1)
        return frame

    def summary(self) -> str:
        """A line for each case, and the answer of each explanation."""
        rows = [f"{title_of(record)} on {record.device}: {said_of(record)}" for record in self.shown()]
        return in_lines(rows + [f"{one.title}: {one.answer}" for one in self.explanations]) or "no record"

    def shown(self) -> list[Record]:
        return [one for one in self.records if one.suite != "ceiling"] or self.records

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        return brief(f"<Results: {len(self)} line(s){f' in {self.path}' if self.path else ''}>", self)

    def _repr_html_(self) -> str:
        if self.page:
            return framed(self.page)
        head = ["case", "device", "status", "median", "interval", "GB/s"]
        return table(head, [cells_of(record) for record in self.shown()])


@dataclass(frozen=True)
class Verdict:
    """A case of a comparison: docs/reference/reports.md describes `data`, the program's own words."""

    title: str
    suite: str
    variant: str
    verdict: str  # SAME, FASTER, SLOWER, ...
    reason: str
    ratio: Optional[float]  # B's time divided by A's; None: there is none
    low: Optional[float]
    high: Optional[float]
    seconds_a: Optional[float]
    seconds_b: Optional[float]
    doubts: Sequence[str]  # why an answer that passed the checks needs a human look, of both sides
    data: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Comparison(Sequence[Verdict]):
    """The verdicts of a comparison, case by case."""

    cases: Sequence[Verdict]
    results: Results  # the records and pairs that it rests on
    data: Mapping[str, Any] = field(repr=False)  # the whole report: docs/reference/reports.md

    @overload
    def __getitem__(self, index: int) -> Verdict: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Verdict]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Verdict, Sequence[Verdict]]:
        return self.cases[index]

    def __len__(self) -> int:
        return len(self.cases)

    @property
    def path(self) -> Optional[Path]:
        return self.results.path

    @property
    def exit_code(self) -> int:
        return self.results.exit_code

    @property
    def a(self) -> str:
        return str(self.data["a"]["name"])

    @property
    def b(self) -> str:
        return str(self.data["b"]["name"])

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each case."""
        import pandas

        names = [name for name in Verdict.__dataclass_fields__ if name != "data"]
        frame: pandas.DataFrame = pandas.DataFrame(
            [[getattr(case, name) for name in names] for case in self.cases], columns=names
        )
        return frame

    def __str__(self) -> str:
        return in_lines(f"{case.title}: {case.verdict}. {case.reason}" for case in self.cases) or "no case"

    def __repr__(self) -> str:
        return brief(f"<Comparison of {self.a} and {self.b}: {len(self)} case(s)>", self)

    def _repr_html_(self) -> str:
        return framed(self.results.page)


@dataclass(frozen=True)
class Tuning:
    """What a search found."""

    found: Sequence[Tuned]  # per device, where a file was named that keeps it
    results: Results
    data: Mapping[str, Any] = field(repr=False)  # the report: docs/reference/reports.md

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.data["devices"])

    @property
    def best(self) -> dict[str, str]:
        """For each device the constants that are kept, `TILE=32 PAD=1`."""
        return {one["device"]: one["best"] for one in self}

    def to_pandas(self) -> pandas.DataFrame:
        return self.results.to_pandas()

    def __str__(self) -> str:
        return in_lines(sentence for one in self for sentence in one["sentences"])

    def __repr__(self) -> str:
        return brief(f"<Tuning: {self.best}>", self)

    def _repr_html_(self) -> str:
        rows = [[one["device"], one["best"], one["own"], f"{one['gain'] or 1:.2f}x"] for one in self]
        return table(["device", "best", "default", "gain"], rows)


def comparison_from(report: str, results: Results) -> Comparison:
    data = json.loads(report)
    cases = []
    for case in data["cases"]:
        ratio = case["ratio"] or {}
        cases.append(
            Verdict(
                title=case["title"],
                suite=case["suite"],
                variant=case["variant"],
                verdict=case["verdict"],
                reason=case["reason"],
                ratio=ratio.get("value"),
                low=ratio.get("low"),
                high=ratio.get("high"),
                seconds_a=case["a"].get("seconds"),
                seconds_b=case["b"].get("seconds"),
                doubts=[one["sentence"] for side in "ab" for one in case[side].get("doubts", [])],
                data=case,
            )
        )
    return Comparison(cases, results, data)


def in_lines(rows: Iterable[str]) -> str:
    """A line for each; what would control a terminal or break a line is written as its code."""
    return "\n".join("".join(c if c.isprintable() else ascii(c)[1:-1] for c in row) for row in rows)


def brief(head: str, said: object, most: int = 20) -> str:
    """What a prompt shows: a line on what it is, and the first lines of what it says."""
    rows = str(said).split("\n")
    more = [f"... {len(rows) - most} more: print() shows all"] if len(rows) > most else []
    return "\n".join([in_lines([head]), *rows[:most], *more])


def title_of(record: Record) -> str:
    constants = [f"{name}={value}" for name, value in record.constants.items()]
    shape = "x".join(map(str, record.shape))
    return " ".join([f"{record.suite}/{record.variant}", record.type, shape, *constants])


def said_of(record: Record) -> str:
    why = " ".join(one.sentence[:1].upper() + one.sentence[1:] for one in record.doubts or [])
    if record.timing is None:
        return f"{record.status}. {why or record.reason or ''} {first_error(record.log or '')}".strip()
    said = f"{record.status}, {seconds(record.timing.median)}"
    said += f", {record.rate.gigabytes_per_second:.3g} GB/s" if record.rate else ""
    return f"{said}. {why}" if why else said


def first_error(log: str) -> str:
    """The line of a compiler's log that says its first error, with file and line."""
    return next((line.strip() for line in log.splitlines() if re.search(r"\berror\s*:", line)), "")


def cells_of(record: Record) -> list[str]:
    timing, rate = record.timing, record.rate
    return [
        title_of(record),
        record.device,
        record.status,
        seconds(timing.median) if timing else record.reason or "",
        f"{seconds(timing.low)} to {seconds(timing.high)}" if timing else "",
        f"{rate.gigabytes_per_second:.3g}" if rate else "",
    ]


def seconds(value: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def row_of(record: dict[str, Any]) -> dict[str, Any]:
    """Lists and objects of the case become texts, which can be grouped by."""
    shape = "x".join(map(str, record["shape"]))
    constants = " ".join(f"{name}={value}" for name, value in record["constants"].items())
    return {**record, "shape": shape, "constants": constants}


def framed(page: str) -> str:
    """The first screen of a page of the program, which is one file without links to others."""
    return f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:640px;border:1px solid #ccc"></iframe>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def row(tag: str, cells: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(in_lines([cell]))}</{tag}>" for cell in cells) + "</tr>"

    return "<table>" + row("th", head) + "".join(row("td", one) for one in rows) + "</table>"
