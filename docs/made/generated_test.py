# Each generated page has all that it is about: generated_test.py PARALLAX RECORD_MEMBERS ROOT
import json
import pathlib
import re
import sys

import generated

parallax, record_members, root = sys.argv[1:]
root = pathlib.Path(root)
programs = {"parallax": parallax, "record_members": record_members}
pages = {page.stem: generated.made(page, programs, root)
         for page in sorted((root / "docs").rglob("*.md")) if generated.words_of(page)}
wrong = []


def expect(page, parts, least):
    """The page has these parts, and there are so many at least."""
    parts = list(parts)
    wrong.extend(f"{page}: no {part!r}" for part in parts if part not in pages[page])
    if len(parts) < least:
        wrong.append(f"{page}: only {len(parts)} parts were asked for")


def data(*words):
    return json.loads(generated.printed(["parallax", *words, "--format", "json"], programs, root))


def cells(text):
    return len([line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| ---")])


expect("course", [f'<a id="{one["name"]}"></a>' for one in data("lesson")], 12)
if "This walk did not" in pages["course"]:
    wrong.append("course: the committed walk lacks a step")
expect("published", [f"## {one['title']}" for one in data("published", "all")["rows"]], 12)
rows = data("map")
topics = {("kernel language: " if row["kernel_language"] else "") + row["topic"] for row in rows}
expect("map", [f"## {topic}\n" for topic in topics], 10)
if cells(pages["map"]) != len(rows) + len(topics):
    wrong.append(f"map: {cells(pages['map'])} lines of tables for {len(rows)} rows of {len(topics)} topics")
expect("command-line", [f"## parallax {name}" for name in generated.commands(programs, root)], 15)
expect("record-members", ["## record", "## pair", "## explanation", "## time_spent", "## tuned", "| `suite` |"], 6)
files = sorted(str(path.relative_to(root)) for path in root.glob("results/nvidia-*/explain.jsonl"))
found = [one for file in files for one in data("explain", file)]
expect("causes", {one["suite"] + "/" + one["variant"] for one in found if one["conclusion"]["by"]}, 3)
for name, text in pages.items():
    if not re.match(r"# ", text):
        wrong.append(f"{name}: it has no title")
if set(pages) != {"course", "published", "map", "command-line", "record-members", "causes"}:
    wrong.append(f"generated pages: {sorted(pages)}")
sys.exit("\n".join(wrong) if wrong else 0)
