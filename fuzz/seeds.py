# Makes a corpus for results_fuzz: seeds.py FOLDER FILE.jsonl... writes each distinct kind of line.
import json
import math
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def pair_of(record):
    """A pair as docs/record.md describes it, of a record's case."""
    a, b = [1e-3, 1.1e-3, 1e-3, 1.2e-3], [1.01e-3, 1.1e-3, 1.3e-3, 1e-3]
    quads = [(math.log(b[i]) + math.log(b[i + 1]) - math.log(a[i]) - math.log(a[i + 1])) / 2 for i in (0, 2)]
    shared = ("run", "suite", "variant", "type", "shape", "constants")
    return {
        "schema": "parallax.pair", "version": 1, **{name: record[name] for name in shared},
        "a": "opencl:1", "b": "cuda:0", "self": False, "error": 0.05, "looks": [5, 10], "look": 1,
        "rounds": [{"repeats": [3, 4], "order": "ABBA", "a": a, "b": b, "log_ratio": sum(quads) / 2},
                   {"repeats": [1, 1], "order": "BAAB", "a": a[:2], "b": b[:2], "log_ratio": quads[0],
                    "disturbed": "the clock fell"}],
        "stopped_by": "decided", "launch_seconds": [1e-6, 0], "measuring_seconds": 1.5,
        "answer": {"identical": False, "elements": 10, "differing": 1, "largest_ulp": 2.0, "median_ulp": 2.0,
                   "first": 3, "first_a": "1.5", "first_b": "0x7ff8000000000000"},
    }


seen = set()
for path in sys.argv[2:]:
    for line in open(path, encoding="utf-8"):
        record = json.loads(line)
        kind = (record["suite"], record["status"], record["type"], "notes" in record, "ceiling" in record)
        if kind in seen:
            continue
        seen.add(kind)
        # Short seeds are mutated faster: a few samples say as much as ninety.
        if "timing" in record and len(seen) % 2:
            timing = record["timing"]
            timing["median"] = sorted(timing["samples"][:3])[1]
            timing["low"], timing["high"] = min(timing["samples"][:3]), max(timing["samples"][:3])
            for name in ("samples", "host_samples", "round"):
                timing[name] = timing[name][:3]
        for name, value in (("record", record), ("pair", pair_of(record))):
            text = json.dumps(value, separators=(",", ":"))
            (folder / f"{name}-{len(seen)}").write_text(text, encoding="utf-8")
print(f"{2 * len(seen)} seeds in {folder}")
