#!/usr/bin/env python3
"""Both versions of programs, recorded and side by side: python3 benchmarks/two_programs.py LIST OUT [SECONDS]

LIST has a line for each program, `NAME|COMMAND|COMMAND|SOURCES`: the OpenCL version, which is run in the folder NAME/cl
beside LIST, the CUDA version, in NAME/cuda, and the options that name CUDA's sources there, `--source x.cu -I .`; the
last may be missing. For each it prints what `capture` kept, whether output and exit code are the program's own, and
what recording costs; then what `diff` says, what `explain` says of the kernel with the largest share of a difference,
and what the CUDA version's kernels would take through OpenCL. OUT gets each report as text and JSON. After SECONDS no
program is begun. An output that differs only in numbers, as times do, counts as the same.
"""

import json
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent.parent
parallax = os.environ.get("PARALLAX", str(here / "build" / "parallax"))
if len(sys.argv) < 3:
    sys.exit(__doc__)
listed, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
end = time.monotonic() + float(sys.argv[3] if len(sys.argv) > 3 else 1e9)
folder = pathlib.Path(tempfile.mkdtemp())
out.mkdir(parents=True, exist_ok=True)


def run(words, where):
    start = time.monotonic()
    done = subprocess.run(words, cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=300)
    return done, time.monotonic() - start


def shape(text):
    return re.sub(r"\s+", " ", re.sub(r"[-+]?\d[\d.e+-]*", "0", re.sub(r"time:.*", "", text)))


def record(name, side, command):
    where = listed.parent / name / side
    words = ["bash", "-c", command]
    run(words, where)
    plain, seconds = run(words, where)
    kept, kept_seconds = run([parallax, "capture", "-o", folder / name / side, "--", *words], where)
    line, line_seconds = run([parallax, "capture", "-o", folder / name / f"{side}-timeline", "--timeline", "--", *words], where)
    same = "same" if plain.stdout == kept.stdout == line.stdout else "same but for numbers"
    if len({shape(one.stdout) for one in (plain, kept, line)}) > 1:
        same = "OTHER"
    codes = sorted({one.returncode for one in (plain, kept, line)})
    told = json.loads((folder / name / side / "capture.json").read_text())
    launches = sum(kernel["launches"] for kernel in told["kernels"])
    cases = sum(bool(kind.get("case")) for kernel in told["kernels"] for kind in kernel["kinds"])
    print(f"  {side:4} {launches:6} launches, {cases:3} kept; output {same}, exit code {codes}; "
          f"{seconds:.2f} s alone, {line_seconds:.2f} with --timeline, {kept_seconds:.2f} recorded", flush=True)


def explained(name, kernels, sources, seconds):
    """The kernel in which most of a difference is, if that is a hundredth of the program's time, as explain sees it."""
    def lost(one):
        ratio = one["ratio"]
        return abs(math.log(ratio["value"])) * max(one["seconds"].values()) if ratio else 0
    worst = max(kernels, key=lost, default=None)
    if not worst or lost(worst) < 0.01 * seconds:
        return
    words = [f"{side}/{worst['kernel'][end]}" for end, side in (("a", "cl"), ("b", "cuda"))]
    done, seconds = run([parallax, "explain", *words, *sources, "--quiet", "--data", folder / name / "explain.jsonl"],
                        folder / name)
    (out / f"{name}-explain.txt").write_text(done.stdout + done.stderr)
    answer = (done.stdout.split("\n\n")[0].split("\n", 1)[1:] or [done.stderr])[0]
    print(f"  explain {' '.join(words)}: exit code {done.returncode}, {seconds:.1f} s")
    print(f"    {' '.join(answer.split())}", flush=True)


def through_opencl(name, sources):
    """What the CUDA version's kernels would take as OpenCL."""
    done, seconds = run([parallax, "diff", "-s", "cuda/", *sources, "--budget", "8", "--quiet",
                         "--data", folder / name / "sources.jsonl", "-v", "-o", out / f"{name}-sources.txt"], folder / name)
    said = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    print(f"  its sources: exit code {done.returncode}, {seconds:.1f} s; {' '.join(said[:3])}", flush=True)


def both(values, form):
    return f"{form(values['a'])} / {form(values['b'])}"


for row in listed.read_text().splitlines():
    name, *commands = row.split("|")
    sources = [word if not os.path.exists(listed.parent / name / "cuda" / word) else str(listed.parent / name / "cuda" / word)
               for word in shlex.split(commands[2] if len(commands) > 2 else "")]
    print(name, flush=True)
    if time.monotonic() > end:
        print("  not reached")
        continue
    for side, command in zip(("cl", "cuda"), commands):
        record(name, side, command)
    done, seconds = run([parallax, "diff", "cl", "cuda", "--budget", "20", "--quiet", "--data", folder / name / "data.jsonl",
                         "-v", "-o", out / f"{name}.json", "-o", out / f"{name}.txt"], folder / name)
    report = out / f"{name}.json"
    if not report.exists():
        print(f"  diff: exit code {done.returncode}: {done.stderr.strip()}")
        continue
    pair = json.loads(report.read_text())["two_programs"]
    share = both(pair["paired_by_data"], lambda one: f"{100 * one:.0f} %")
    print(f"  diff: exit code {done.returncode}, {seconds:.1f} s; kernel time paired by data {share}")
    print(f"  {pair['sentence']}")
    for one in pair["kernels"]:
        ratio = one["ratio"]
        said = f"{ratio['value']:.3f} ({ratio['low']:.3f}-{ratio['high']:.3f})" if ratio else one["why_no_ratio"] or "no ratio"
        times = both(one["seconds"], lambda one: f"{1e3 * one:.3g} ms")
        print(f"    {both(one['kernel'], str)}: {one['paired_by']}, {one['left']}{': ' + one['why'] if one['why'] else ''}; {times}; {said}")
    for one in pair["alone"]:
        print(f"    {one['kernel']} ({one['side']}): alone, {one['launches']} launches, {1e3 * one['seconds']:.3g} ms", flush=True)
    explained(name, pair["kernels"], sources, max(pair["seconds"].values()))
    if sources:
        through_opencl(name, sources)
