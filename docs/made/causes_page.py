# Renews docs/causes.md of the committed explanations, or with --check says whether it is what
# `parallax explain` makes of them: causes_page.py PARALLAX ROOT [--check]
import fnmatch
import pathlib
import sys

from kept_page import keep

program, root, *mode = sys.argv[1:]
root = pathlib.Path(root)
page = root / "docs" / "causes.md"
# Names relative to the root and in one order, so that the page is the same on every machine. What
# `parallax explain` keeps by itself, explain-TIME.jsonl, is nobody's to commit.
files = sorted(
    path.relative_to(root).as_posix()
    for path in root.glob("results/*/explain*.jsonl")
    if not fnmatch.fnmatch(path.name, "explain-[0-9]*T[0-9]*Z.jsonl")
)
if not files:
    if page.exists():
        sys.exit("docs/causes.md is there, but no results/*/explain*.jsonl that it could be made of.")
    if not mode:
        sys.exit("There is no results/*/explain*.jsonl to make docs/causes.md of.")
    sys.exit(0)
keep(page, "causes", [program, "explain", *files, "--format", "causes"], root, mode)
