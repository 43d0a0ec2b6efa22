# Makes a corpus for lesson_fuzz, map_fuzz and exchange_fuzz: word_seeds.py FOLDER FILE...
# cuts each file up as its kind asks for: .yaml a lesson, .json a walk, .hpp rows of the map, .ptx.
import json
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
seeds = 0


def keep(text):
    global seeds
    (folder / f"seed-{seeds}").write_text(text, encoding="utf-8")
    seeds += 1


def lesson(text):
    """The head with one step or exercise, which is mutated faster than a course."""
    keep(text)
    head, steps = text.split("\nsteps:\n", 1)
    head = re.sub(r": \|\n(  .*\n|\n)+", ": Text.\n", head + "\n")
    steps, *exercises = steps.split("\nexercises:\n", 1)
    first, *others = re.split(r"\n(?=  - )", steps)
    keep(f"{head}steps:\n{first}\n")
    for step in others:
        keep(f"{head}steps:\n{first}\n{step}\n")
    for exercise in re.split(r"\n(?=  - )", exercises[0]) if exercises else []:
        keep(f"{head}steps:\n{first}\nexercises:\n{exercise}\n")


def walk(text):
    """One step of one lesson with one record, whose samples are few."""
    whole = json.loads(text)
    for one in whole["lessons"]:
        for kind in "steps", "exercises":
            for step in one[kind][:3] + [step for step in one[kind] if "broken" in step or "output" in step]:
                step["output"] = step.get("output", "")[:200]
                step["points"] = step.get("points", [])[:2]
                for point in step["points"]:
                    point["records"] = point["records"][:2]
                    for record in point["records"]:
                        if timing := record.get("timing"):
                            for name in "samples", "host_samples", "round":
                                timing[name] = timing[name][:3]
                            timing["median"] = sorted(timing["samples"])[1]
                            timing["low"], timing["high"] = min(timing["samples"]), max(timing["samples"])
                short = {"name": one["name"], "steps": [], "exercises": [], kind: [step]}
                keep(json.dumps({**whole, "lessons": [short]}, separators=(",", ":")))


def rows(text):
    for words in sorted(set(re.findall(r'"((?:[^"\\]|\\.)+)"', text))):
        keep(words)


kinds = {".yaml": lesson, ".json": walk, ".hpp": rows, ".ptx": keep}
for name in sys.argv[2:]:
    path = pathlib.Path(name)
    kinds[path.suffix](path.read_text(encoding="utf-8"))
print(f"{seeds} seeds in {folder}")
