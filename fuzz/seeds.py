# Makes a corpus for results_fuzz: seeds.py FOLDER FILE.jsonl... writes each distinct kind of line.
import json
import math
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def pair_of(record):
    """A pair as docs/reference/records.md describes it, of a record's case."""
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


def explanation_of(record):
    """An explanation as docs/reference/records.md describes it, of a record's case."""
    shared = ("run", "suite", "variant", "type", "shape", "constants")
    gap = {"value": 0.61, "low": 0.6, "high": 0.62, "confidence": 0.95, "log_error": 0.001,
           "degrees_of_freedom": 4.0, "units_a": 5, "units_b": 5, "basis": "paired rounds"}
    kernel = {"kernel": "k", "options": ["-DT=float"], "resources": {"registers": 96, "spill_bytes": "unknown"},
              "occupancy": {"groups": 2, "warps": 16, "most_warps": 64, "limited_by": "registers"},
              "why_no_occupancy": "", "ptx": {"barriers": 2}, "machine": None, "ptx_text": "bar.sync 0;",
              "machine_text": "", "machine_source": "There is no disassembler."}
    side = {"name": "a device", "planted": "", "seconds": 1e-3}
    trial = {"knobs": ["align"], "setting": "ALIGN=16", "side": "A", "status": "measured", "reason": "",
             "ratio": gap, "closes": 1.0, "closes_low": 0.9, "closes_high": 1.1, "own_change": 0.61,
             "closed": True, "consequences": ["registers 96 -> 128"]}
    return {
        "schema": "parallax.explanation", "version": 1, **{name: record[name] for name in shared},
        "title": "a case", "a": {"device": "opencl:1", **side, "kernels": [kernel]},
        "b": {"device": "cuda:0", **side, "kernels": []}, "gap": gap, "verdict": "FASTER", "launching": False,
        "stages": [{"name": "launch", "scope": "From a to b.", "a": 1e-6, "b": None, "in_whole": True, "note": ""}],
        "origin": [{"name": "back end", "what": "Both.", "ratio": gap, "reason": "", "share": 0.97}],
        "why_no_origin": "",
        "trials": [trial, {**trial, "status": "no effect", "reason": "The same code.", "ratio": None,
                            "closed": False}],
        "conclusion": {"has_gap": True, "explained": True, "by": [0], "cause": "It is.", "remedy": "Do.",
                       "ruled_out": [], "not_tried": []},
        "took_seconds": 12.5, "answer": "A is slower.",
    }


seen = set()
for path in sys.argv[2:]:
    for line in open(path, encoding="utf-8"):
        record = json.loads(line)
        if record["schema"] != "parallax.record":
            continue
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
        for name, value in (("record", record), ("pair", pair_of(record)),
                            ("explanation", explanation_of(record))):
            text = json.dumps(value, separators=(",", ":"))
            (folder / f"{name}-{len(seen)}").write_text(text, encoding="utf-8")
print(f"{3 * len(seen)} seeds in {folder}")
