"""The lines of result files and their parts, made by docs/made/python_records.py.
A member that is None is not there, or unknown."""
# ruff: noqa: E501
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Union


@dataclass(frozen=True)
class Record:
    suite: str  # as `parallax list` shows it
    variant: str  # as `parallax list` shows it
    type: str  # what `T` stood for: `float`, `double`, `int`; of a manifest the scalar of its first output, which may be any of OpenCL C
    shape: list[int]  # extents from 1 on, in the order of the suite's dimensions
    constants: dict[str, int]  # all of the suite's constants with their values, whole numbers of 64 bits
    device: str  # `backend:index` in that run
    status: str  # `ok`, `doubtful` (right, with `doubts`; older programs said `ok` or `checked`), `wrong`, `unsupported`, `refused` (the source has no translation), `failed` (it could not be built or run), `skipped` or, of `run --check`, `checked`
    launches: list[Launch]  # each launch of the plan
    program: Program  # the kernel's source
    where: Where  # the device
    run: Run  # the run that made the line
    side: Optional[str] = None  # `a` or `b`: the side of the comparison
    reason: Optional[str] = None  # why, in full sentences
    log: Optional[str] = None  # the compiler's own words
    check: Optional[Check] = None  # the verification
    timing: Optional[Timing] = None  # the measured times
    work: Optional[Work] = None  # `bytes` and `operations` of one run of the plan, by the suite's own model
    rate: Optional[Rate] = None  # work over median: `gigabytes_per_second`, `gigaoperations_per_second`
    ceiling: Optional[Ceiling] = None  # peak rates of the device, measured in the same run, or earlier as the ceiling's own line states
    state: Optional[States] = None  # the device's state `before` and `after` the measurement
    notes: Optional[list[str]] = None  # remarks on the number, and conclusions from the answers
    doubts: Optional[list[Doubt]] = None  # why a right answer needs a human look; older programs kept them among `notes`, behind `Suspicious: `
    measured: Optional[str] = None  # when the run began that measured it, in UTC: all but the device's index and `run` is of that run
    untuned: Optional[dict[str, int]] = None  # the default constants of the case; `constants` has those that `parallax tune` kept
    compared_with: Optional[str] = None  # the variant of side `a`, where side `b` is another kernel
    compared_constants: Optional[dict[str, int]] = None  # the constants of that variant's case


@dataclass(frozen=True)
class Doubt:
    kind: str  # `open questions` (the manifest still has its list `check`), `unwritten output`, `same for others` (an output is the same for other inputs), `wide tolerance`, `not a number`, `race`, `skipped work` (it leaves out what is done already), `consumed inputs` (it finds less to do the second time), `empty launch` (it takes less time than a launch that does nothing), `beyond ceiling`, `wrong on host:1` (races and bounds are checked there), or `unnamed`, of an older program
    sentence: str  # what is doubtful
    hint: Optional[str] = None  # what to do about it


@dataclass(frozen=True)
class Launch:
    name: str  # the kernel's name
    groups: list[int]  # in each dimension
    items: list[int]  # work-items per work-group, in each dimension
    local_bytes: Optional[int] = None  # dynamic local memory of a work-group
    values_hash: Optional[str] = None  # of the types and bits of the arguments that are passed by value
    resources: Optional[Resources] = None  # what the compiler reports


@dataclass(frozen=True)
class Resources:
    registers: Optional[int] = None  # of a work-item
    spill_bytes: Optional[int] = None  # spill stores and spill loads
    private_bytes: Optional[int] = None  # stack of a work-item
    local_bytes: Optional[int] = None  # static local memory of a work-group
    constant_bytes: Optional[int] = None  # constant memory
    max_group_items: Optional[int] = None  # work-items that a work-group of this kernel can have
    preferred_multiple: Optional[int] = None  # work-group sizes should be a multiple of it
    barriers: Optional[int] = None  # barriers that the kernel uses
    groups_per_unit: Optional[int] = None  # work-groups that a compute unit can hold, as reported by the API


@dataclass(frozen=True)
class Program:
    file: str  # the kernel file
    language: str  # `portable` or `native`
    source_hash: str  # of the source as written
    edits: list[str]  # names of changes that were made to it on purpose
    floats: Floats  # float rules
    build_seconds: list[float]  # all kernels of the case, each time that they were built
    separate: Optional[bool] = None  # `true`: CUDA of the user's own, in place of a translation of the OpenCL C
    given_hash: Optional[str] = None  # of the source that the compiler received
    options: Optional[list[str]] = None  # of the compiler
    ptx_hash: Optional[str] = None  # of the PTX


@dataclass(frozen=True)
class Floats:
    contract: Optional[bool] = None  # a product and a sum may be one
    exact_division: Optional[bool] = None  # division and square root are rounded correctly
    flush_denormals: Optional[bool] = None  # denormal numbers may be zero
    relaxed: Optional[bool] = None  # results need not be those of IEEE 754


@dataclass(frozen=True)
class Where:
    name: str  # the device's name
    backend: str  # `opencl` or `cuda`
    memory_bytes: int  # of the device
    platform: Optional[str] = None  # OpenCL's platform, CUDA's runtime
    vendor: Optional[str] = None  # the maker
    uuid: Optional[str] = None  # 32 hex digits
    pci: Optional[str] = None  # `0000:9b:00.0`
    api: Optional[str] = None  # version of the API
    driver: Optional[str] = None  # its version
    compiler: Optional[str] = None  # version of the run-time compiler
    compute_capability: Optional[str] = None  # `9.0`
    compute_units: Optional[int] = None  # compute units, multiprocessors
    cache_bytes: Optional[int] = None  # of the last level
    timer_tick_seconds: Optional[float] = None  # resolution of the device's timer
    slot: Optional[int] = None  # the node's own number of the device: N of NVIDIA's `/dev/nvidiaN`, elsewhere the task's number on its node
    mig: Optional[str] = None  # `off`, `on`, or of an instance its profile: `1g.10gb`
    mps: Optional[bool] = None  # work goes through a daemon of NVIDIA's Multi-Process Service
    persistence: Optional[bool] = None  # the driver stays loaded while the device is unused
    ecc: Optional[bool] = None  # errors in memory are corrected
    power_limit_watts: Optional[float] = None  # allowed, when the run first asked


@dataclass(frozen=True)
class Run:
    id: str  # the same in all lines of the run
    started: str  # in UTC: `2026-11-21T14:00:00Z`
    seed: int  # of the inputs
    command: list[str]  # the words of the command line
    program_version: str  # of the program
    host: Optional[str] = None  # the node, as its scheduler or it calls itself
    job: Optional[str] = None  # of the scheduler
    task: Optional[int] = None  # of the job, over all of its nodes
    environment: Optional[dict[str, str]] = None  # variables that change times, code or devices (which), by name


@dataclass(frozen=True)
class Check:
    trials: int  # launches that were checked
    shapes: list[list[int]]  # that were tried
    fillings: list[str]  # kinds of inputs that were tried
    worst_share_of_bound: float  # the largest error as a share of what is allowed
    worst_ulp: float  # the largest error in units in the last place
    checked_against: Optional[str] = None  # `reference`; of manifests also `reference kernel`, `reference command`, `expected data`, and where there is no reference the id of another device or `itself`
    rms_ulp: Optional[float] = None  # the root of the mean square of the errors of random inputs, in the same units
    output_hash: Optional[str] = None  # of the outputs on the case's own random inputs; of a `checked` case on all that was tried
    repeatable: Optional[bool] = None  # launches with equal inputs gave the same bits
    failure: Optional[Failure] = None  # the first launch that was not right
    unchecked: Optional[list[str]] = None  # what these checks could not see, a sentence each


@dataclass(frozen=True)
class Failure:
    what: str  # one sentence
    shape: Optional[list[int]] = None  # of the launch
    filling: Optional[str] = None  # the kind of inputs
    seed: Optional[int] = None  # of the inputs


@dataclass(frozen=True)
class Timing:
    scope: str  # what is between the two timestamps
    unit: str  # of all times: seconds of one run of the plan (all its launches)
    median: float  # of the samples; readers work it and the next four out again
    low: float  # of the median's distribution-free interval (order statistics)
    high: float  # of the same interval
    confidence: float  # of the same interval
    spread: float  # median absolute deviation as a share of the median
    stopped_by: str  # `narrow` (the interval was narrow enough), `most_samples`, or `time`; in a live diff what ended the pair
    least_batch_seconds: float  # a batch lasts at least 1000 ticks of the coarsest timer in the run
    repeats: list[int]  # runs in a batch, from 1 on, for each round
    in_cache: bool  # the last-level cache holds more than half of the buffers; false where they cross the link to the host
    round: list[int]  # of each sample, from 0 on; each round has new buffers and kernels at other addresses
    samples: list[float]  # every batch that was measured, as time over runs, above 0; none is thrown away
    host_samples: list[float]  # the same batches by the host's timer


@dataclass(frozen=True)
class Work:
    bytes: float  # moved by one run of the plan, by the suite's own model
    operations: float  # done by one run of the plan; a fused multiply-add is two


@dataclass(frozen=True)
class Rate:
    gigabytes_per_second: float  # work over median
    gigaoperations_per_second: float  # work over median


@dataclass(frozen=True)
class Ceiling:
    copy_gigabytes_per_second: Optional[float] = None  # the device's own copy, read + written; 0: not measured
    fma_gigaoperations_per_second: Optional[float] = None  # fused multiply-adds of the case's type, two operations each; 0: not measured
    launch_seconds: Optional[float] = None  # a launch that does next to nothing
    others_use: Optional[float] = None  # share of the device that others had while it was measured; 0: not known
    share: Optional[float] = None  # the case's share of the ceiling that it is nearer to
    of: Optional[str] = None  # which that is: `copy` or `fma`


@dataclass(frozen=True)
class States:
    before: State  # what NVML said before the measurement
    after: State  # the same after it


@dataclass(frozen=True)
class State:
    sm_clock_mhz: Optional[int] = None  # clock frequency of the multiprocessors
    memory_clock_mhz: Optional[int] = None  # clock frequency of the memory
    max_sm_clock_mhz: Optional[int] = None  # the highest there is
    temperature_celsius: Optional[int] = None  # of the chip
    power_watts: Optional[float] = None  # drawn
    power_limit_watts: Optional[float] = None  # allowed
    ecc: Optional[bool] = None  # errors in memory are corrected
    throttle_reasons: Optional[int] = None  # NVML's bits; 0: none
    other_processes: Optional[int] = None  # other than this one that use the device
    others_use: Optional[float] = None  # share of the device's time that others had during the measurement, 0 to 1


@dataclass(frozen=True)
class Pair:
    suite: str  # as `parallax list` shows it
    variant: str  # as `parallax list` shows it
    type: str  # what `T` stood for: `float`, `double`, `int`; of a manifest the scalar of its first output, which may be any of OpenCL C
    shape: list[int]  # extents from 1 on, in the order of the suite's dimensions
    constants: dict[str, int]  # all of the suite's constants with their values, whole numbers of 64 bits
    a: str  # the device of side A, `backend:index` in that run
    b: str  # the device of side B
    self: bool  # a side against itself: two device objects with buffers and builds of their own
    run: Run  # the run that made the line
    error: float  # of the whole comparison, over all interim analyses: 0.05 for an interval of 95 %
    looks: list[int]  # counts of rounds of the interim analyses, ascending
    look: int  # index of the last one that was made, from 0 on
    rounds: list[Round]  # a list; each round has new buffers and kernels at other addresses
    stopped_by: str  # `decided`, `looks` (the last one was taken), `time` or `disturbed`
    launch_seconds: list[float]  # time of a launch that does next to nothing, on A and on B; 0: not measured
    measuring_seconds: float  # spent in timed batches
    planted: Optional[float] = None  # the factor by which B was slowed on purpose, as 1.05 for 105 runs counted as 100
    launches: Optional[int] = None  # commands of one run; a queue costs each of them its part
    answer: Optional[Answer] = None  # how far the outputs are apart


@dataclass(frozen=True)
class Round:
    repeats: list[int]  # runs in a batch of A and of B
    order: str  # of its first quad, `ABBA` or `BAAB`; the quads of a round alternate
    a: list[float]  # seconds of one run of A, batch by batch in the order in which they ran; two a quad
    b: list[float]  # the same of B
    log_ratio: float  # median of its quads' values, which readers work out again
    disturbed: Optional[str] = None  # why the round does not count


@dataclass(frozen=True)
class Answer:
    identical: bool  # bit by bit
    elements: int  # that were compared
    differing: int  # how many of them differ
    largest_ulp: float  # the largest distance in units in the last place
    median_ulp: float  # the median over those that differ
    first: Optional[int] = None  # index of the first that differs
    first_a: Optional[str] = None  # its value on A
    first_b: Optional[str] = None  # its value on B


@dataclass(frozen=True)
class Explanation:
    suite: str  # as `parallax list` shows it
    variant: str  # as `parallax list` shows it
    type: str  # what `T` stood for: `float`, `double`, `int`; of a manifest the scalar of its first output, which may be any of OpenCL C
    shape: list[int]  # extents from 1 on, in the order of the suite's dimensions
    constants: dict[str, int]  # all of the suite's constants with their values, whole numbers of 64 bits
    title: str  # `transpose/tiled float 4096x4096`
    run: Run  # the run that made the line
    answer: str  # the answer in words, at most 60
    a: Side  # one side
    b: Side  # the other
    gap: Ratio  # time of B over time of A
    verdict: str  # `SAME`, `FASTER`, `SLOWER`, `UNDECIDED`, `WRONG` or `NOT COMPARABLE`
    launching: bool  # shorter than twice an empty launch
    stages: list[Stage]  # where the time of one use goes
    origin: list[Origin]  # the steps from one side to the other, a list
    why_no_origin: str  # why code could not be exchanged; empty: it could
    trials: list[Trial]  # what was tried, a list
    conclusion: Conclusion  # what follows
    took_seconds: float  # all of it, by the host's timer
    needed_seconds: Optional[float] = None  # about the budget in which no trial would have been skipped; 0: none was


@dataclass(frozen=True)
class Ratio:
    value: float  # time of B over time of A
    low: float  # of its interval
    high: float  # of its interval
    confidence: float  # that the interval has
    log_error: float  # standard error of the logarithm
    degrees_of_freedom: float  # of Student's t
    units_a: int  # independent units of A
    units_b: int  # independent units of B
    basis: str  # what a unit is: `paired rounds`, `runs`, `rounds of one run`


@dataclass(frozen=True)
class Side:
    device: str  # `backend:index` in that run
    name: str  # the device's name
    planted: str  # what was put in on purpose; empty: nothing
    seconds: float  # of one run of the plan (the median); 0: not measured
    kernels: list[Kernel]  # what is known of each
    kernel: Optional[str] = None  # the variant on this side


@dataclass(frozen=True)
class Kernel:
    kernel: str  # its name
    options: list[str]  # of the compiler
    resources: KernelResources  # what the compiler reports
    why_no_occupancy: str  # why it is not known; empty: it is
    ptx_text: str  # normalised, a line an instruction; empty: there is none
    machine_text: str  # the same of the machine code
    machine_source: str  # how the machine code was come by, or why it was not
    occupancy: Optional[Occupancy] = None  # calculated
    ptx: Optional[dict[str, int]] = None  # instructions in the PTX by class, from 1 on (a class that is not there has none)
    machine: Optional[dict[str, int]] = None  # the same of the machine code


@dataclass(frozen=True)
class KernelResources:
    registers: Optional[int] = None  # of a work-item
    spill_bytes: Optional[int] = None  # spill stores and spill loads
    private_bytes: Optional[int] = None  # stack of a work-item
    local_bytes: Optional[int] = None  # static local memory of a work-group
    constant_bytes: Optional[int] = None  # constant memory
    max_group_items: Optional[int] = None  # work-items that a work-group of this kernel can have
    preferred_multiple: Optional[int] = None  # work-group sizes should be a multiple of it
    barriers: Optional[int] = None  # barriers that the kernel uses


@dataclass(frozen=True)
class Occupancy:
    groups: int  # work-groups per compute unit
    warps: int  # warps per compute unit
    most_warps: int  # that a compute unit can hold
    limited_by: str  # `registers`, `local memory`, `warps`, `groups`, with ` and ` between


@dataclass(frozen=True)
class Stage:
    name: str  # `build, cold`, `launch`, ...
    scope: str  # from where to where, in one sentence
    in_whole: bool  # those with true add up to one use from scratch
    note: str  # caches by their names, why something is missing
    a: Optional[float] = None  # seconds on A
    b: Optional[float] = None  # seconds on B


@dataclass(frozen=True)
class Origin:
    name: str  # `front end`, `back end`, ...
    what: str  # the two that were compared
    reason: str  # why there is none
    ratio: Optional[Ratio] = None  # a ratio
    share: Optional[float] = None  # of the gap's logarithm


@dataclass(frozen=True)
class Trial:
    knobs: list[str]  # what was changed: one name, or several for a combination
    setting: str  # what was changed to what: `ALIGN=16`
    side: str  # `A`, `B` or `both`
    status: str  # `measured`, `no effect` (the compilers made the same code), `wrong`, `unsupported`, `failed` or `skipped`
    reason: str  # of any status but `measured`; never empty then
    closes: float  # the share of the gap's logarithm that it takes away
    closes_low: float  # of the interval of `closes`
    closes_high: float  # of the interval of `closes`
    closed: bool  # with it the two are SAME
    consequences: list[str]  # what changed in resources and instructions of that side: `registers 96 -> 128`
    ratio: Optional[Ratio] = None  # time of B over time of A with it
    own_change: Optional[float] = None  # time of the changed side (of the slower one for both) over that without the change


@dataclass(frozen=True)
class Conclusion:
    has_gap: bool  # the sides are not SAME
    explained: bool  # the cause was found
    by: list[int]  # places in `trials`, from 0 on, of those that explain it, each measured; the first is the cause that is named
    cause: str  # in a sentence; empty: none was found
    remedy: str  # what to do; empty: there is none
    ruled_out: list[str]  # knobs that did nothing
    not_tried: list[str]  # what was not tried, and why
    where: Optional[str] = None  # where no cause was found: what makes the faster side as slow, or how the two PTX differ, and at which line of the source
    gains: Optional[list[int]] = None  # places in `trials` of changes that make one side faster and are not the cause


@dataclass(frozen=True)
class TimeSpent:
    run: Run  # the run that made the line
    wall_seconds: float  # from the command's start to its report
    phases: list[Phase]  # a list


@dataclass(frozen=True)
class Phase:
    phase: str  # `building`, `timing`, ...
    detail: str  # the backend, where it is a backend's
    beside: bool  # other threads spent it while the command did something else: it is no part of the wall time
    seconds: float  # in all
    count: int  # how often


@dataclass(frozen=True)
class Tuned:
    suite: str  # as `parallax list` shows it
    variant: str  # as `parallax list` shows it
    type: str  # what `T` stood for: `float`, `double`, `int`; of a manifest the scalar of its first output, which may be any of OpenCL C
    shape: list[int]  # extents from 1 on, in the order of the suite's dimensions
    constants: dict[str, int]  # all of the suite's constants with their values, whole numbers of 64 bits
    device: str  # the device's model, as it calls itself
    backend: str  # its API: `opencl`, `cuda`
    driver: str  # its driver then
    source_hash: str  # of the kernel's source as written; the line is not used with another source
    seconds: float  # median time of a run with these constants
    low: float  # its interval's lower end
    high: float  # its interval's upper end
    own_seconds: float  # median time of a run with the variant's own constants; 0: they did not run
    tried: int  # candidates that were tried
    candidates: int  # that there were
    run: Run  # the run that found it


Line = Union[Record, Pair, Explanation, TimeSpent, Tuned]

# The class of each schema, and the version that it reads.
SCHEMAS: dict[str, tuple[type[Line], int]] = {
    "parallax.record": (Record, 1),
    "parallax.pair": (Pair, 1),
    "parallax.explanation": (Explanation, 1),
    "parallax.time_spent": (TimeSpent, 1),
    "parallax.tuned": (Tuned, 1),
}
