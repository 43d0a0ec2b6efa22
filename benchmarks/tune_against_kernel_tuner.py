# Compares the search of `parallax tune` with those of Kernel Tuner on one space that was recorded once, at the same
# number of trials. Nothing is measured here: both read what `parallax tune CASE --strategy all -o RECORDS` has kept.
#   pip install kernel_tuner
#   tune_against_kernel_tuner.py PARALLAX RECORDS CASE [--trials N] [--seeds N] [-- --over NAME=LIST ...]
import argparse
import contextlib
import io
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import warnings

import constraint
import kernel_tuner
import numpy

parser = argparse.ArgumentParser()
parser.add_argument("parallax")
parser.add_argument("records")
parser.add_argument("case")
parser.add_argument("--trials", type=int, default=30)
parser.add_argument("--seeds", type=int, default=50)
parser.add_argument("--strategies", default="random_sample,greedy_ils,greedy_mls,mls,basinhopping,simulated_annealing,"
                    "genetic_algorithm,diff_evo")
split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
given = parser.parse_args(sys.argv[1:split])
words_of_the_space = sys.argv[split + 1:]


def parallax(*words):
    """What a search among the records finds: the device's part of the JSON."""
    out = subprocess.run([given.parallax, "tune", given.case, "--from", given.records, "--json", "--quiet",
                          *words_of_the_space, *words], capture_output=True, text=True, check=True).stdout
    return json.loads(out)["devices"][0]


def seconds_of(found):
    """The lowest time of all that was tried."""
    points = found["search"]["devices"][0]["points"]
    return min(point["seconds"]["median"] for point in points if "seconds" in point)


whole = parallax("--strategy", "all")
axes = {axis["name"]: axis["values"] for axis in whole["search"]["over"]}
space = {}  # of each candidate its time in milliseconds; None: it does not run
for point, cell in zip(whole["search"]["points"], whole["search"]["devices"][0]["points"]):
    space[tuple(point["values"])] = 1e3 * cell["seconds"]["median"] if "seconds" in cell else None
best = min(time for time in space.values() if time)


def write_cache(path):
    """The space as a cache file of Kernel Tuner, whose simulation takes it for a device."""
    cache = {}
    for values, time in space.items():
        own = time or "RuntimeFailedConfig"
        cache[",".join(map(str, values))] = {**dict(zip(axes, values)), "time": own, "times": [time] if time else [],
                                             "compile_time": 0, "verification_time": 0, "benchmark_time": 0,
                                             "strategy_time": 0, "framework_time": 0, "timestamp": ""}
    path.write_text(json.dumps({"device_name": "recorded", "kernel_name": "kernel", "problem_size": 1,
                                "tune_params_keys": list(axes), "tune_params": axes, "objective": "time",
                                "cache": cache}))


def kernel_tuner_finds(strategy, seed, path):
    """Milliseconds of the best that it finds, and how many candidates it tried."""
    random.seed(seed)
    numpy.random.seed(seed)
    with contextlib.redirect_stdout(io.StringIO()):
        results, _ = kernel_tuner.tune_kernel(
            "kernel", "__kernel void kernel() {}", 1, [], axes, lang="C", strategy=strategy,
            restrictions=[constraint.FunctionConstraint(lambda *values: values in space)],
            strategy_options={"max_fevals": given.trials}, cache=str(path), simulation_mode=True, verbose=False,
            quiet=True)
    times = [result["time"] for result in results if isinstance(result["time"], (int, float))]
    return (min(times) if times else None), len({tuple(result[name] for name in axes) for result in results})


def row(name, shares, trials):
    hits = sum(share > 0.9999 for share in shares)
    print(f"| {name} | {statistics.median(shares):.3f} | {statistics.mean(shares):.3f} | {min(shares):.3f} | "
          f"{hits} of {len(shares)} | {statistics.mean(trials):.1f} |", flush=True)


print(f"{given.case}: {len(space)} candidates, {sum(time is None for time in space.values())} of which do not run; "
      f"{given.trials} trials, {given.seeds} seeds\n")
print("| search | median share of the best | mean | least | found the best | trials |\n| --- | --- | --- | --- | --- | --- |")
for strategy in ("basin", "random"):
    found = [parallax("--strategy", strategy, "--trials", str(given.trials), "--seed", str(seed))
             for seed in range(given.seeds)]
    row(f"parallax tune, {strategy}", [best / (1e3 * seconds_of(one)) for one in found], [one["tried"] for one in found])
with tempfile.TemporaryDirectory() as folder:
    for strategy in given.strategies.split(","):
        shares, trials = [], []
        for seed in range(given.seeds):
            path = pathlib.Path(folder) / f"{strategy}-{seed}.json"
            write_cache(path)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                time, count = kernel_tuner_finds(strategy, seed, path)
            shares.append(best / time if time else 0)
            trials.append(count)
        row(f"Kernel Tuner {kernel_tuner.__version__ if hasattr(kernel_tuner, '__version__') else ''}, {strategy}".replace(" ,", ","), shares, trials)
