# Renews docs/published.md of the committed records, or with --check says whether it is what
# `parallax published all` makes of them: published_page.py PARALLAX ROOT [--check]
import fnmatch
import pathlib
import sys
import tempfile

from kept_page import keep

program, root, *mode = sys.argv[1:]
root = pathlib.Path(root)
with tempfile.TemporaryDirectory() as folder:
    # What commands keep by themselves, WORD-TIME.jsonl, is nobody's to commit.
    for path in sorted(root.glob("results/*/*.jsonl")):
        if fnmatch.fnmatch(path.name, "*-[0-9]*T[0-9]*Z.jsonl"):
            continue
        link = pathlib.Path(folder) / path.relative_to(root)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(path.resolve())
    words = [program, "published", "all", "--format", "md", "--results", "results"]
    keep(root / "docs" / "published.md", "published-page", words, folder, mode)
