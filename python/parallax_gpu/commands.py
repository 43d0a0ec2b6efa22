"""The program's commands as functions. Keyword arguments are its options: `max_slowdown="5%"` is
`--max-slowdown 5%`, `full=True` is `--full`, a list gives the option again and again."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Optional, Union

from . import errors
from .lines import read_lines
from .program import PathLike, last_paragraph, progress_bar, run_program
from .records import Tuned
from .results import Comparison, Results, Tuning, comparison_from, in_lines, said_of, title_of

Word = Union[str, "os.PathLike[str]", Results, Comparison]
Option = Union[None, bool, int, float, str, "os.PathLike[str]", Iterable[Any], Mapping[str, Any]]
Words = Union[None, Word, Sequence[Word]]


@dataclass(frozen=True)
class Device:
    """A device, as `parallax devices` lists it; `data` has all that it says."""

    device: str  # what other calls take: `opencl:0`
    name: str
    same_device_as: list[str]
    vendor: str
    platform: str
    api: str
    driver: str
    compiler: str
    compute_units: int
    memory_bytes: int
    only_checks: bool
    features: list[str]
    data: Mapping[str, Any] = field(repr=False)

    def __str__(self) -> str:
        return f"{self.device}  {self.name}"


@dataclass(frozen=True)
class Capture:
    """A folder of launches that a program made; `run` and `diff` take it like a suite."""

    folder: Path
    exit_code: int  # of the program that was captured
    messages: str = field(repr=False)

    def __fspath__(self) -> str:
        return str(self.folder)


def devices() -> list[Device]:
    """The devices of this machine, through every API."""
    done = run_program(["devices", "--format", "json"])
    if done.exit_code not in (0, 5):
        raise_for(done.exit_code, done.messages, None)
    names = [one.name for one in fields(Device) if one.name != "data"]
    return [Device(**{name: one[name] for name in names}, data=one) for one in json.loads(done.out)["devices"]]


def run(
    *suites: Word,
    device: Words = None,
    output: Optional[PathLike] = None,
    progress: Optional[bool] = None,
    errors: str = "raise",
    **options: Option,
) -> Results:
    """Verifies and times suites on devices: `run("transpose", device="opencl:0")`.

    :param suites: SUITE, SUITE/VARIANT, manifests, captures; none: the most important cases of all
    :param device: `BACKEND`, `BACKEND:INDEX`, `BACKEND:NAME`, or several; None: all
    :param output: the file that the records are appended to; None: a new one in `results/`
    :param errors: `raise`: wrong answers and failed cases are exceptions, whose `results` has the
        records; `return`: look at `exit_code`
    """
    file = kept_in("run", output)
    words = ["run", *given_as("-s", suites), *given_as("-d", device), "-o", str(file)]
    return finished(words + words_of(options), file, progress, errors)


def diff(
    *sides: Word,
    suite: Words = None,
    device: Words = None,
    output: Optional[PathLike] = None,
    progress: Optional[bool] = None,
    errors: str = "raise",
    **options: Option,
) -> Comparison:
    """Compares two devices, two kernels, or two results, case by case:
    `diff("opencl:0", "cuda:0", suite="transpose")`, `diff("mine.json/a", "mine.json/b")`, `diff(old, new)`.

    :param output: the file that a live comparison's records and pairs are appended to
    """
    is_live = not any(isinstance(side, (Results, Comparison)) or str(side).endswith(".jsonl") for side in sides)
    file = kept_in("diff", output) if is_live else None
    words = ["diff", *map(word_of, sides), *given_as("-s", suite), *given_as("-d", device)]
    words += ["--data", str(file)] if file else []
    words += ["--format", "json", *words_of(options)]
    found = finished(words, file, progress, errors, page=True)
    return comparison_from(found.report, found)


def explain(
    *words: Word,
    output: Optional[PathLike] = None,
    progress: Optional[bool] = None,
    errors: str = "raise",
    **options: Option,
) -> Results:
    """Looks for the cause of a gap: `explain("multiply/blocked", "opencl:0", "cuda:0")`. What it found
    is in `explanations`."""
    file = kept_in("explain", output)
    return finished(
        ["explain", *map(word_of, words), "--data", str(file), *words_of(options)], file, progress, errors, page=True
    )


def tune(
    case: Word,
    *,
    device: Words = None,
    output: Optional[PathLike] = None,
    keep: Optional[PathLike] = None,
    progress: Optional[bool] = None,
    errors: str = "raise",
    **options: Option,
) -> Tuning:
    """Searches the fastest constants of a case: `tune("transpose/tiled", device="opencl:0", trials=20)`.

    :param keep: the file that the best is kept in; None: the user's, and `found` is empty
    """
    file = kept_in("tune", output)
    words = ["tune", word_of(case), *given_as("-d", device), "-o", str(file), "--format", "json"]
    words += ["--keep", os.fspath(keep)] if keep is not None else []
    found = finished(words + words_of(options), file, progress, errors)
    tuned = [line for line in read_lines(keep) if isinstance(line, Tuned)] if keep is not None else []
    return Tuning(tuned, found, json.loads(found.report))


def sweep(
    case: Word,
    *,
    over: Words,
    device: Words = None,
    output: Optional[PathLike] = None,
    progress: Optional[bool] = None,
    errors: str = "raise",
    **options: Option,
) -> Results:
    """Times a case at each value of a constant or an extent: `sweep("transpose/tiled", over="ALIGN=4,8,16")`."""
    file = kept_in("sweep", output)
    words = ["sweep", word_of(case), *given_as("--over", over), *given_as("-d", device), "-o", str(file)]
    return finished(words + words_of(options), file, progress, errors)


def capture(command: Sequence[PathLike], *, folder: Optional[PathLike] = None, **options: Option) -> Capture:
    """Runs an OpenCL program and keeps its launches: `capture(["./app", "input"], folder="launches")`."""
    if isinstance(command, (str, bytes, os.PathLike)):
        raise errors.BadArgument(f"The command is a list: capture([{os.fspath(command)!r}]).")
    made = Path(folder) if folder is not None else Path(f"capture-{stamp()}")
    words = ["capture", "-o", str(made), *words_of(options), "--", *(os.fspath(word) for word in command)]
    done = run_program(words)
    if not (made / "capture.json").exists():
        raise_for(done.exit_code or 5, done.messages, None)
    return Capture(made, done.exit_code, done.messages)


def read(path: PathLike) -> Results:
    """The lines of a result file, or of all in a folder: `read("results/")`."""
    return Results(read_lines(path), Path(path))


def finished(
    words: Sequence[str], file: Optional[Path], progress: Optional[bool], on_error: str, page: bool = False
) -> Results:
    """Runs a command that measures, and takes what it kept."""
    if on_error not in ("raise", "return"):
        raise ValueError(f"errors is {on_error!r}: 'raise' or 'return'")
    with tempfile.TemporaryDirectory() as folder, progress_bar(progress) as report:
        html = Path(folder) / "page.html"
        try:
            done = run_program([*words, *(["-o", str(html)] if page else [])], on_progress=report)
        except errors.Interrupted as interrupted:
            interrupted.results = results_of(file)
            if file and file.exists():
                interrupted.sentence += f" What was measured is in {file}."
                interrupted.args = (interrupted.sentence,)
            raise
        made = results_of(file, done.exit_code, done.out, done.messages, text_of(html))
    if done.exit_code and (on_error == "raise" or done.exit_code in (2, 5, 130) or done.exit_code < 0):
        raise_for(done.exit_code, done.messages, made)
    return made


def results_of(
    file: Optional[Path], exit_code: int = 0, report: str = "", messages: str = "", page: str = ""
) -> Results:
    lines = read_lines(file) if file and file.is_file() else []
    return Results(lines, file, exit_code, report, messages, page)


def raise_for(exit_code: int, messages: str, results: Optional[Results]) -> None:
    """Raises what an exit code other than 0 means."""
    bad = [one for one in (results.records if results is not None else []) if one.status in ("wrong", "failed")]
    if exit_code < 0:
        sentence = f"The program was killed by signal {-exit_code}. {last_paragraph(messages)}"
    elif exit_code in (1, 6) and bad:
        sentence = in_lines(f"{title_of(one)} on {one.device}: {said_of(one)}" for one in bad)
    elif exit_code in (3, 4, 5) and results is not None and results.report.startswith("{"):
        cases = json.loads(results.report).get("cases", [])
        if exit_code != 5:
            cases = [one for one in cases if one["decision"] in ("fail", "undecided")]
        sentence = in_lines(f"{one['title']}: {one['verdict']}. {one['reason']}" for one in cases)
    elif exit_code == 5 and results is not None and results.records:
        sentence = results.summary()
    else:
        sentence = last_paragraph(messages)
    kind = errors.BY_EXIT_CODE.get(exit_code, errors.ParallaxError)
    raise kind(sentence or last_paragraph(messages) or f"The program ended with {exit_code}.", exit_code, results)


def word_of(word: Word) -> str:
    """A word of the command line; results are the file that holds them."""
    if isinstance(word, (Results, Comparison)):
        if word.path is None:
            raise errors.BadArgument("These results are in no file. Read them from one: px.read(FILE).")
        return str(word.path)
    return os.fspath(word)


def given_as(option: str, words: Words) -> list[str]:
    if words is None:
        return []
    if isinstance(words, (str, os.PathLike, Results, Comparison)):
        words = [words]
    return [part for word in words for part in (option, word_of(word))]


SHORT = {"size": "-n"}


def words_of(options: Mapping[str, Option]) -> list[str]:
    """Keyword arguments as options."""
    words: list[str] = []
    for name, value in options.items():
        option = SHORT.get(name) or "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):  # define={"TILE": 32}
            words += [word for key, one in value.items() for word in (option, f"{key}={one}")]
        elif name == "size" and isinstance(value, (list, tuple)):  # (1000, 777)
            words += [option, "x".join(map(str, value))]
        elif isinstance(value, Iterable) and not isinstance(value, (str, os.PathLike)):
            words += [word for one in value for word in (option, str(one))]
        else:
            words += [option, str(value)]
    return words


def kept_in(command: str, output: Optional[PathLike]) -> Path:
    """The file that a command appends its lines to."""
    file = Path(output) if output is not None else Path("results") / f"{command}-{stamp()}.jsonl"
    if file.is_dir():
        raise errors.BadArgument(f"{file} is a folder. Name a file in it.")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise errors.BadArgument(f"There cannot be a file {file}: {error.strerror}.") from error
    return file


def stamp() -> str:
    moment = time.time()
    return f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime(moment))}.{int(moment % 1 * 1e6):06d}Z"


def text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""
