# Makes a corpus for results_fuzz: seeds.py FOLDER FILE.jsonl... keeps each distinct kind of line.
import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
seen = set()
for path in sys.argv[2:]:
    for line in open(path, encoding="utf-8"):
        record = json.loads(line)
        kind = (record["schema"], record.get("suite"), record.get("status"), record.get("type"), "notes" in record,
                "ceiling" in record, record.get("stopped_by"), record.get("verdict"))
        if kind in seen:
            continue
        seen.add(kind)
        # Short seeds are mutated faster: a few samples and lines say as much as ninety.
        if "timing" in record:
            timing = record["timing"]
            timing["median"] = sorted(timing["samples"][:3])[1]
            timing["low"], timing["high"] = min(timing["samples"][:3]), max(timing["samples"][:3])
            for name in ("samples", "host_samples", "round"):
                timing[name] = timing[name][:3]
        if record["schema"] == "parallax.pair":
            record["rounds"] = record["rounds"][:3]
        for side in ("a", "b"):
            for kernel in record[side]["kernels"] if record["schema"] == "parallax.explanation" else []:
                kernel["ptx_text"], kernel["machine_text"] = kernel["ptx_text"][:200], kernel["machine_text"][:200]
        (folder / f"seed-{len(seen)}").write_text(json.dumps(record, separators=(",", ":")), encoding="utf-8")
print(f"{len(seen)} seeds in {folder}")
