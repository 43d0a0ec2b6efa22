"""One GPU kernel from OpenCL and from CUDA: same answer, same speed, and if not, why?

This package calls the program `parallax` and reads what it measured:

    import parallax_gpu as px
    px.run("transpose", device="opencl:0")
    px.diff("opencl:0", "cuda:0", suite="transpose")
"""

from .commands import Capture, Device, capture, devices, diff, explain, read, run, sweep, tune
from .errors import (
    BadArgument,
    BadFile,
    CaseFailed,
    Interrupted,
    NothingRan,
    ParallaxError,
    ProgramMissing,
    TooSlow,
    Undecided,
    UsageError,
    VersionMismatch,
    WrongAnswer,
)
from .kernel import InOut, Kernel, Local, Out
from .magics import load_ipython_extension
from .program import VERSION as __version__
from .program import Done, find_program, run_program
from .records import Explanation, Pair, Record, TimeSpent, Tuned
from .results import Comparison, Results, Tuning, Verdict

__all__ = [
    "BadArgument", "BadFile", "Capture", "CaseFailed", "Comparison", "Device", "Done", "Explanation", "InOut",
    "Interrupted", "Kernel", "Local", "NothingRan", "Out", "Pair", "ParallaxError", "ProgramMissing", "Record",
    "Results", "TimeSpent", "TooSlow", "Tuned", "Tuning", "Undecided", "UsageError", "Verdict",
    "VersionMismatch", "WrongAnswer", "__version__", "capture", "devices", "diff", "explain", "find_program",
    "load_ipython_extension", "read", "run", "run_program", "sweep", "tune",
]  # fmt: skip
