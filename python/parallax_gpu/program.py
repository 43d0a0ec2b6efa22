"""Finds the program, starts it, and takes what it prints."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import IO, Any, Callable, Optional, Union

from . import errors

VERSION = "1.0.0"
PathLike = Union[str, "os.PathLike[str]"]
Report = Callable[[dict[str, Any]], None]

# The program has 1 s for its measuring process and 20 s for a report of what was measured.
SECONDS_TO_END = 25.0
# Of a call's own limit, the part after which the program is asked to end.
SHARE_UNTIL_INTERRUPT = 0.9


@dataclass(frozen=True)
class Done:
    """A program that ended."""

    exit_code: int
    out: str
    messages: str
    in_time: bool = True  # False: its time had run out


def find_program() -> Path:
    """The program: that of the wheel which brought this package, then $PARALLAX, then on the PATH."""
    named = os.environ.get("PARALLAX")
    found = program_of_wheel() or shutil.which(named or "parallax")
    if found:
        return checked_version(Path(found))
    if named:
        raise errors.ProgramMissing(
            f"$PARALLAX is '{named}', and there is no such program. Set it to the file of the program, or unset it."
        )
    raise errors.ProgramMissing(
        "The program 'parallax' is not there. 'pip install --force-reinstall --find-links FOLDER parallax-gpu', with "
        "the folder of the wheel, brings it; or set $PARALLAX to its file."
    )


def program_of_wheel() -> Optional[str]:
    """The file that was installed together with this package; None: this is no installed package."""
    try:
        files = distribution("parallax-gpu").files or []
    except PackageNotFoundError:
        return None
    here = Path(__file__).resolve()
    if not any(file.name == here.name and Path(str(file.locate())).resolve() == here for file in files):
        return None
    programs = [file for file in files if file.name == "parallax" and file.parent.name == "bin"]
    return shutil.which(str(programs[0].locate())) if programs else None


def checked_version(program: Path) -> Path:
    """The program, if it is of this package's version."""
    found = version_of(program, program.stat().st_mtime_ns)
    if found.split(".")[:2] != VERSION.split(".")[:2]:
        raise errors.VersionMismatch(
            f"{program} is version {found}, and this package is for version {VERSION}. Install both of one "
            f"version (pip install --find-links FOLDER parallax-gpu=={VERSION}), or set $PARALLAX to another program."
        )
    return program


@cache
def version_of(program: Path, _modified: int) -> str:
    try:
        said = subprocess.run(
            [str(program), "--version"], capture_output=True, text=True, timeout=60, check=True
        ).stdout.split()
    except (OSError, subprocess.SubprocessError) as error:
        raise errors.ProgramMissing(f"{program} does not start: {error}") from error
    if len(said) != 2 or said[0] != "parallax":
        raise errors.VersionMismatch(
            f"{program} is another program: it calls itself '{' '.join(said)[:60]}'. Set $PARALLAX to "
            "the file of Parallax."
        )
    return said[1]


def run_program(
    words: Sequence[str],
    *,
    cwd: Optional[PathLike] = None,
    on_progress: Optional[Report] = None,
    seconds: Optional[float] = None,
    variables: Optional[Mapping[str, str]] = None,
) -> Done:
    """Runs the program to its end. On Ctrl-C it gets a SIGINT, and time to keep what it measured; then
    no process of it is left, and Interrupted is raised, whose exit code is 130.

    :param on_progress: gets `what`, `done`, `total`, `elapsed_seconds`, `left_seconds`
    :param seconds: after these no process of it is left; in the last tenth it is ended as by Ctrl-C; None: no limit
    :param variables: of the environment, in addition
    """
    environment = {**os.environ, **(variables or {}), "PARALLAX_PROGRESS": "json", "NO_COLOR": "1"}
    command = [str(find_program()), *words]
    interrupted, in_time = False, True
    with held_interrupts() as release:
        child = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # Ctrl-C in a terminal shall not reach it twice
        )
        out: list[str] = []
        messages: list[str] = []
        readers = [
            threading.Thread(target=take_text, args=(child.stdout, out), daemon=True),
            threading.Thread(target=take_messages, args=(child.stderr, messages, on_progress), daemon=True),
        ]
        try:
            release()
            for reader in readers:
                reader.start()
            child.wait(None if seconds is None else seconds * SHARE_UNTIL_INTERRUPT)
        except KeyboardInterrupt:
            interrupted = True
            end_group(child, SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            in_time = False
            end_group(child, (seconds or 0) * (1 - SHARE_UNTIL_INTERRUPT))
        finally:
            kill_session(child)
    for reader in readers:
        if reader.is_alive():  # an interrupt may have come before it started
            reader.join(5)
    said = "".join(messages).strip()
    if interrupted:
        raise errors.Interrupted(last_paragraph(said) or "Interrupted.", 130)
    return Done(child.returncode, "".join(out), said, in_time)


@contextmanager
def held_interrupts() -> Iterator[Callable[[], None]]:
    """Holds Ctrl-C back until the function that it gives is called: while a process starts, it would be
    left behind."""
    before = signal.getsignal(signal.SIGINT)
    came: list[Any] = []

    def release() -> None:
        if holds:
            signal.signal(signal.SIGINT, before)
        if came and callable(before):
            before(*came.pop())

    holds = callable(before) and threading.current_thread() is threading.main_thread()
    if holds:
        signal.signal(signal.SIGINT, lambda *given: came.append(given))
    try:
        yield release
    finally:
        release()


def end_group(child: subprocess.Popen[str], seconds: float) -> None:
    """Interrupts the process and all that it started, and waits. A second Ctrl-C waits no longer."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGINT)  # the group's number is the first process's
    with suppress(KeyboardInterrupt, subprocess.TimeoutExpired):
        child.wait(seconds)


def kill_session(child: subprocess.Popen[str]) -> None:
    """Leaves no process behind, however the program ended: compilers have groups of their own."""
    kill_sessions(child.pid)
    child.kill()
    child.wait()


def kill_sessions(first: Optional[int] = None) -> None:
    """Kills all processes of a session; None: of the sessions that children of this process have begun."""
    end = time.monotonic() + SECONDS_TO_END
    while time.monotonic() < end:
        live = live_processes()
        begun = {first} if first else {one for one, parent, of in live if parent == os.getpid() and of == one}
        left = [one for one, _, of in live if of in begun]
        if not left:
            return
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.01)


def live_processes() -> list[tuple[int, int, int]]:
    """Of each its number, its parent's and its session's; none where the system does not list them."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent, _, session = file.read_text(errors="replace").rpartition(")")[2].split()[:4]
            if state not in "ZX":
                found.append((int(file.parent.name), int(parent), int(session)))
    return found


def take_text(stream: IO[str], into: list[str]) -> None:
    into.extend(stream)


def take_messages(stream: IO[str], into: list[str], on_progress: Optional[Report]) -> None:
    """Keeps the lines of standard error, but those that are progress."""
    for line in stream:
        progress = progress_of(line)
        if progress is None:
            into.append(line)
        elif on_progress:
            on_progress(progress)


def progress_of(line: str) -> Optional[dict[str, Any]]:
    if not line.startswith('{"progress":'):
        return None
    try:
        progress = json.loads(line)["progress"]
    except ValueError:
        return None
    return progress if isinstance(progress, dict) else None


def last_paragraph(messages: str) -> str:
    """The program's own sentence: its last one that is said as an error, else all. One that ends with a
    colon goes on in the lines after it."""
    lines = messages.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("parallax: ")]
    if not starts:
        return messages
    said = lines[starts[-1]][len("parallax: ") :]
    return "\n".join([said, *lines[starts[-1] + 1 :]]) if said.endswith(":") else said


def is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    return ipython is not None and type(ipython.get_ipython()).__name__ == "ZMQInteractiveShell"


@contextmanager
def progress_bar(wanted: Optional[bool]) -> Iterator[Optional[Report]]:
    """A bar of tqdm where it is installed and a person waits: on a terminal, or in a notebook.

    :param wanted: None: where a person waits
    """
    if wanted is None:
        wanted = sys.stderr.isatty() or is_notebook()
    try:
        from tqdm.auto import tqdm
    except ImportError:
        wanted = False
    if not wanted:
        yield None
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without ipywidgets the bar is of characters
        bar = tqdm(unit="case", leave=False)

    def report(progress: dict[str, Any]) -> None:
        bar.total = progress.get("total") or None
        bar.n = progress.get("done", 0)
        bar.set_description(str(progress.get("what", "")))

    try:
        yield report
    finally:
        bar.close()
