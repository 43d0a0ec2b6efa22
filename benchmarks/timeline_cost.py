#!/usr/bin/env python3
"""What `parallax capture --timeline` adds to a program's time: python3 benchmarks/timeline_cost.py PROGRAM ARGS...

The program runs by turns with and without the layer (A B B A), 20 times each. Of each quad the
ratio of the two sides is one sample; their median is what counts, with an interval that holds it in
95 % (by ranks). The fastest runs are held against each other as well. A quiet machine is needed: what else runs makes the interval wide.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
program = sys.argv[1:] or sys.exit(__doc__)
parallax = os.environ.get("PARALLAX", os.path.join(here, "build", "parallax"))
folder = tempfile.mkdtemp()


def seconds(command):
    """Of the wall's clock, and of the processors."""
    shutil.rmtree(folder, ignore_errors=True)
    start, before = time.monotonic(), os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, os.times()
    return wall, sum(after[2:4]) - sum(before[2:4])


# What starts the layer is in both: `parallax capture` itself takes some milliseconds.
alone = [parallax, "capture", "-o", folder, "--timeline", "--", "env", "-u", "OPENCL_LAYERS", *program]
layered = [parallax, "capture", "-o", folder, "--timeline", "--", "env", *program]
# The first runs fill caches. A program that makes no call of OpenCL is said to have ended with 5.
run = lambda command: seconds(["sh", "-c", '"$@" || test $? = 5', "sh", *command])
run(alone), run(layered)
quads = [(run(alone), run(layered), run(layered), run(alone)) for _ in range(10)]
for which, name in enumerate(("wall", "processors")):
    ratios = sorted(100 * (b[which] + c[which]) / (a[which] + d[which]) - 100 for a, b, c, d in quads)
    middle = (ratios[4] + ratios[5]) / 2
    least = min(min(b[which], c[which]) for _, b, c, _ in quads) / min(
        min(a[which], d[which]) for a, _, _, d in quads
    )
    print(
        f"{name}: {middle:+.1f} % ({ratios[1]:+.1f} to {ratios[8]:+.1f} %), "
        f"the fastest of each {100 * least - 100:+.1f} %"
    )
shutil.rmtree(folder, ignore_errors=True)
