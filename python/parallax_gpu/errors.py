"""What can go wrong: exceptions with the program's own sentence and exit code."""

from __future__ import annotations

from typing import Any, Optional


class ParallaxError(Exception):
    """What the program, or this package before it, says of an error.

    `exit_code` is the program's (docs/reference/exit-codes.md), None where no program ran. `results`
    holds what was measured before, None where nothing was.
    """

    def __init__(self, sentence: str, exit_code: Optional[int] = None, results: Any = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.exit_code = exit_code
        self.results = results


class ProgramMissing(ParallaxError):
    """The program `parallax` is not there, or cannot be started."""


class VersionMismatch(ParallaxError):
    """The program is of another version than this package."""


class BadArgument(ParallaxError, ValueError):
    """An argument of a kernel or its reference does not fit; nothing ran."""


class BadFile(ParallaxError, ValueError):
    """A result file cannot be read."""


class UsageError(ParallaxError):
    """The program rejects its command line, or cannot read or write a file (2)."""


class WrongAnswer(ParallaxError):
    """An answer is wrong (1)."""


class CaseFailed(ParallaxError):
    """A case could not be built or run (6)."""


class TooSlow(ParallaxError):
    """Slower than `max_slowdown` allows (3)."""


class Undecided(ParallaxError):
    """`max_slowdown` asked for a decision, and there is none (4)."""


class NothingRan(ParallaxError):
    """Nothing could run, or there is nothing to compare (5)."""


class Interrupted(ParallaxError, KeyboardInterrupt):
    """Ctrl-C. No process is left; what was measured before is in `results`."""


BY_EXIT_CODE: dict[int, type[ParallaxError]] = {
    1: WrongAnswer,
    2: UsageError,
    3: TooSlow,
    4: Undecided,
    5: NothingRan,
    6: CaseFailed,
    130: Interrupted,
}
