#!/usr/bin/env python3
"""Record files of a fleet with faults planted, made of the records of one real device.

    fleet_files.py OUT [--nodes 125] [--gpus 4] [--runs 20] [--records FILE] [--seed 1]

writes OUT/records/NODE-GPU-RUN.jsonl, OUT/expect.txt and OUT/planted.json. To see what the report
costs: /usr/bin/time -v parallax fleet OUT/records --expect OUT/expect.txt
"""
import argparse
import hashlib
import json
import os
import pathlib
import random

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFAULT = ROOT / "results/nvidia-h100-80gb-hbm3/run.jsonl"
CASES = {("ceiling", "copy"), ("ceiling", "fma"), ("transpose", "padded"),
         ("multiply", "blocked"), ("reduction", "vector"), ("stencil1d", "several")}
COMPUTE = {("ceiling", "fma"), ("multiply", "blocked")}
# From device to device, and from run to run of one.
MEMORY_SPREAD, COMPUTE_SPREAD, RUN_SPREAD = 0.004, 0.012, 0.0015
# What is planted, where there are so many nodes and GPUs.
PLANTED = {(17, 2): "memory 3 % slow", (42, 1): "compute 12 % slow", (99, 3): "wrong",
           (110, 0): "missing"}
SLOW_NODE, OTHER_DRIVER = 77, (5, 6)


def first_cases(path):
    """One record of each case and backend."""
    seen = {}
    for line in open(path):
        record = json.loads(line)
        key = record.get("suite"), record.get("variant")
        if record["schema"] == "parallax.record" and record["status"] == "ok" and key in CASES:
            seen.setdefault(key + (record["where"]["backend"],), record)
    return list(seen.values())


def scaled(record, factor):
    """The same record of a device that takes `factor` times as long."""
    timing = dict(record["timing"])
    for name in ("median", "low", "high"):
        timing[name] *= factor
    for name in ("samples", "host_samples"):
        timing[name] = [factor * one for one in timing[name]]
    rate = {name: one / factor for name, one in record["rate"].items()}
    return dict(record, timing=timing, rate=rate)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--nodes", type=int, default=125)
    parser.add_argument("--gpus", type=int, default=4)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--records", default=DEFAULT)
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    rng = random.Random(o.seed)
    base = first_cases(o.records)
    folder = o.out / "records"
    os.makedirs(folder, exist_ok=True)
    planted = {}
    for node in range(1, o.nodes + 1):
        host = f"nid{node:06d}"
        for gpu in range(o.gpus):
            name = f"{host} gpu {gpu}"
            memory, compute = rng.gauss(0, MEMORY_SPREAD), rng.gauss(0, COMPUTE_SPREAD)
            fault = PLANTED.get((node, gpu))
            if fault:
                planted[name] = fault
            if fault == "missing":
                continue
            memory += {"memory 3 % slow": 0.03}.get(fault, 0)
            compute += {"compute 12 % slow": 0.12}.get(fault, 0)
            if node == SLOW_NODE:
                memory, compute, planted[name] = memory + 0.02, compute + 0.02, "node 2 % slow"
            driver = base[0]["where"]["driver"]
            if node in OTHER_DRIVER:
                driver, planted[name] = "570.86.15", "driver"
            where = {"uuid": hashlib.md5(name.encode()).hexdigest(), "pci": f"0000:{gpu + 6:02x}:00.0",
                     "driver": driver, "slot": gpu, "mig": "off", "mps": False, "persistence": True,
                     "ecc": True, "power_limit_watts": 700.0}
            for run in range(o.runs):
                day = f"2026-11-{run % 28 + 1:02d}"
                info = {"id": f"{host}-{gpu}-{run}", "started": f"{day}T00:00:00Z", "host": host,
                        "job": str(1000 + run), "task": (node - 1) * o.gpus + gpu}
                with open(folder / f"{host}-{gpu}-{run}.jsonl", "w") as out:
                    for record in base:
                        key = record["suite"], record["variant"]
                        factor = 1 + (compute if key in COMPUTE else memory)
                        made = scaled(record, factor + rng.gauss(0, RUN_SPREAD))
                        if fault == "wrong" and key[0] == "transpose" and run % 3 == 1:
                            made.update(status="wrong", reason="Element 4711 is 1.5 and should be 2.")
                            for gone in ("timing", "work", "rate", "ceiling", "state"):
                                made.pop(gone, None)
                        made["where"] = dict(record["where"], **where)
                        made["run"] = dict(record["run"], **info)
                        out.write(json.dumps(made, separators=(",", ":")) + "\n")
    (o.out / "expect.txt").write_text(
        "".join(f"nid{node:06d} {o.gpus}\n" for node in range(1, o.nodes + 1)))
    (o.out / "planted.json").write_text(json.dumps(planted, indent=1) + "\n")


main()
