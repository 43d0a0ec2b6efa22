#!/usr/bin/env python3
"""What `explain` says of many cases, and whether it harms: python3 benchmarks/explain_table.py LIST OUT [SECONDS]

LIST has a line for each case, `NAME|ARGUMENTS`: the words behind `parallax explain`, which runs in the folder of LIST.
For each it prints the seconds that the command took, its exit code, the faults that NVIDIA's driver reported meanwhile
(NVML's Xid events of all devices), and the answer. OUT gets each whole report. After SECONDS no case is begun.
"""

import ctypes
import os
import pathlib
import shlex
import subprocess
import sys
import textwrap
import threading
import time

here = pathlib.Path(__file__).resolve().parent.parent
parallax = os.environ.get("PARALLAX", str(here / "build" / "parallax"))


class Event(ctypes.Structure):  # nvmlEventData_t
    _fields_ = [("device", ctypes.c_void_p), ("type", ctypes.c_ulonglong), ("data", ctypes.c_ulonglong),
                ("gpu_instance", ctypes.c_uint), ("compute_instance", ctypes.c_uint)]


class Faults:
    """The numbers of Xid events so far; None where NVML has none."""

    def __init__(self):
        self.seen = []
        try:
            self.nvml = ctypes.CDLL("libnvidia-ml.so.1")
        except OSError:
            self.nvml = None
        self.events = ctypes.c_void_p()
        self.is_watching = bool(self.nvml) and self.begin()
        if self.is_watching:
            threading.Thread(target=self.watch, daemon=True).start()

    def begin(self):
        count, ended_well = ctypes.c_uint(), 0
        xid_critical_error = ctypes.c_ulonglong(8)
        if self.nvml.nvmlInit_v2() or self.nvml.nvmlEventSetCreate(ctypes.byref(self.events)):
            return False
        self.nvml.nvmlDeviceGetCount_v2(ctypes.byref(count))
        for i in range(count.value):
            device = ctypes.c_void_p()
            if self.nvml.nvmlDeviceGetHandleByIndex_v2(i, ctypes.byref(device)):
                continue
            ended_well += self.nvml.nvmlDeviceRegisterEvents(device, xid_critical_error, self.events) == 0
        return ended_well > 0

    def watch(self):
        event = Event()
        while True:
            if self.nvml.nvmlEventSetWait_v2(self.events, ctypes.byref(event), ctypes.c_uint(200)) == 0:
                self.seen.append(event.data)

    def since(self, before):
        time.sleep(0.3)  # the last ones arrive late
        return self.seen[before:] if self.is_watching else None


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    listed, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    end = time.monotonic() + float(sys.argv[3] if len(sys.argv) > 3 else 1e9)
    out.mkdir(parents=True, exist_ok=True)
    faults, total = Faults(), 0
    for row in listed.read_text().splitlines():
        name, words = row.split("|", 1)
        if time.monotonic() > end:
            print(f"== {name}: not reached", flush=True)
            continue
        before, start = len(faults.seen), time.monotonic()
        done = subprocess.run([parallax, "explain", *shlex.split(words), "--quiet", "--data", out / "explain.jsonl"],
                              cwd=listed.parent, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        seconds, new = time.monotonic() - start, faults.since(before)
        said = "faults unknown" if new is None else f"{len(new)} faults" + (f" (Xid {sorted(set(new))})" if new else "")
        total += len(new or [])
        (out / f"{name}.txt").write_text(done.stdout + done.stderr)
        print(f"== {name}: {seconds:.1f} s, exit code {done.returncode}, {said}")
        answer = []
        for line in (done.stdout or done.stderr).splitlines()[1:]:
            if not line.strip():
                break
            answer.append(line.strip())
        print(textwrap.fill(" ".join(answer), 116, initial_indent="  ", subsequent_indent="  "), flush=True)
    print(f"{total} faults in all" if faults.is_watching else "NVML reports no faults here")


main()
