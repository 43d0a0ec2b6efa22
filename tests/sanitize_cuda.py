# Looks at every kernel of the CUDA side by compute-sanitizer's four tools, while the gate checks it in small:
# sanitize_cuda.py PARALLAX [--device cuda:0] [--tools memcheck ...] [--suites NAME ...] [--jobs 4] [--minutes M] [--log FILE]
#
# Prints a row for each variant and what the tools found, and writes what they said into the log. A suite is looked at
# as a whole, and each of its variants again where something was found. Exit codes: 0 nothing, 1 something was found or
# not looked at, 2 it cannot be done.
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
SUMMARY = re.compile(r"=+ (?:ERROR SUMMARY: (\d+) errors?|RACECHECK SUMMARY: (\d+) hazards? displayed)")

words = argparse.ArgumentParser()
words.add_argument("parallax")
words.add_argument("--device", default="cuda:0")
words.add_argument("--tools", nargs="+", choices=TOOLS, default=TOOLS)
words.add_argument("--suites", nargs="+")
words.add_argument("--kernels", help="a folder of kernel files to use instead")
words.add_argument("--jobs", type=int, default=4)
words.add_argument("--minutes", type=float, default=60)
words.add_argument("--log")
words = words.parse_args()

checker = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
if not checker:
    print("sanitize_cuda: There is no compute-sanitizer: it comes with the CUDA toolkit.", file=sys.stderr)
    sys.exit(2)
parallax = str(pathlib.Path(words.parallax).resolve())
end = time.monotonic() + 60 * words.minutes
backend = words.device.split(":")[0]
folder = pathlib.Path(tempfile.mkdtemp(prefix="sanitize-"))
Run = collections.namedtuple("Run", "found statuses said why")


def look(tool, suite, variants, size):
    """One run of the program below a tool."""
    if time.monotonic() > end:
        return Run(None, {}, "", "no time")
    with tempfile.TemporaryDirectory(dir=folder) as place:
        kept = pathlib.Path(place) / "kept.jsonl"
        command = [checker, "--tool", tool, "--target-processes", "all", "--print-limit", "20"]
        if tool == "memcheck":
            # So that a read far behind an end does not land in the next buffer.
            command += ["--padding", "65536"]
        command += [parallax, "run", "--check", "-d", words.device, "-n", size, "--seed", "1", "--quiet"]
        command += ["--watchdog", "0", "--budget", "100000", "-o", str(kept)]
        if words.kernels:
            command += ["--kernels", words.kernels]
        for variant in variants:
            command += ["-s", f"{suite}/{variant}"]
        # Zones around buffers would hide a read just behind an end from memcheck.
        environment = {**os.environ, "XDG_CACHE_HOME": place, "CUDA_CACHE_DISABLE": "1", "PARALLAX_GUARDS": "none"}
        try:
            ended = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment,
                                   timeout=max(1, end - time.monotonic()))
            said, why = ended.stdout + ended.stderr, f"exit {ended.returncode}"
        except subprocess.TimeoutExpired:
            return Run(None, {}, "", "no time")
        statuses = collections.defaultdict(set)
        if kept.exists():
            for line in kept.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                if "variant" in record and "status" in record:
                    statuses[record["variant"]].add(record["status"])
        counts = [int(a or b) for a, b in SUMMARY.findall(said)]
        return Run(sum(counts) if counts else None, statuses, said, why)


def cell_of(variant, run):
    statuses = run.statuses.get(variant, set())
    if run.found is None or not statuses:
        return run.why
    wrong = statuses - {"checked", "unsupported", "skipped"}
    if wrong:
        return f"{run.found}, {'/'.join(sorted(wrong))}"
    return str(run.found) if "checked" in statuses else "/".join(sorted(statuses))


def cells_of(tool, suite, variants, size):
    """What a tool found of each of these variants, and the log."""
    whole = look(tool, suite, variants, size)
    runs = {variant: whole for variant in variants}
    if len(variants) > 1 and (whole.found or any(cell_of(v, whole) not in ("0", "unsupported") for v in variants)):
        runs = {variant: look(tool, suite, [variant], size) for variant in variants}
    log = ""
    for variant, run in runs.items():
        if cell_of(variant, run) not in ("0", "unsupported"):
            log += f"==== {tool} {suite}/{variant}: {run.why}\n{run.said[-6000:]}\n"
    return {(suite, variant, tool): cell_of(variant, run) for variant, run in runs.items()}, log


listed = json.loads(subprocess.check_output([parallax, "list", "--format", "json"], text=True))
groups = collections.defaultdict(list)
for suite in listed:
    if words.suites and suite["suite"] not in words.suites:
        continue
    for variant in suite["variants"]:
        if not variant["native"] or backend in variant["native"].replace(",", " ").split():
            groups[suite["suite"], variant["shapes"][0]].append(variant["name"])
rows = [(suite, variant) for (suite, _), variants in groups.items() for variant in variants]
work = [(tool, suite, variants, size) for (suite, size), variants in groups.items() for tool in words.tools]
cells, logs = {}, []
with concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
    for some, log in pool.map(lambda one: cells_of(*one), work):
        cells.update(some)
        logs.append(log)

version = subprocess.check_output([checker, "--version"], text=True).strip().splitlines()[-1]
print(f"{version}; {words.device}; what each tool found, and why it did not look\n")
width = max(len(f"{suite}/{variant}") for suite, variant in rows)
print(f"{'variant':<{width}}", *(f"{tool:>12}" for tool in words.tools))
for suite, variant in rows:
    print(f"{suite + '/' + variant:<{width}}", *(f"{cells[suite, variant, tool]:>12}" for tool in words.tools))
looked = sum(cell.isdigit() for cell in cells.values())
found = sum(not cell.isdigit() or int(cell) > 0 for cell in cells.values() if cell != "unsupported")
print(f"\n{looked} of {len(cells)} were looked at, {found} with a finding or for another reason open.")
if words.log:
    pathlib.Path(words.log).write_text("".join(logs), encoding="utf-8")
shutil.rmtree(folder, ignore_errors=True)
sys.exit(1 if found else 0)
