# Renews docs/published.md of the committed records, or with --check says whether it is what
# `parallax published` makes of them: published_page.py PARALLAX ROOT [--check]
import fnmatch
import pathlib
import subprocess
import sys
import tempfile

program, root, *mode = sys.argv[1:]
root = pathlib.Path(root)
page = root / "docs" / "published.md"
with tempfile.TemporaryDirectory() as folder:
    # What commands keep by themselves, WORD-TIME.jsonl, is nobody's to commit.
    for path in sorted(root.glob("results/*/*.jsonl")):
        if fnmatch.fnmatch(path.name, "*-[0-9]*T[0-9]*Z.jsonl"):
            continue
        link = pathlib.Path(folder) / path.relative_to(root)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(path.resolve())
    words = [str(pathlib.Path(program).resolve())]
    words += ["published", "--format", "md", "--results", "results"]
    done = subprocess.run(words, capture_output=True, cwd=folder)
if done.returncode:
    sys.exit(done.stderr.decode())
if not mode:
    page.write_bytes(done.stdout)
elif not page.exists() or page.read_bytes() != done.stdout:
    sys.exit("docs/published.md is stale: 'meson compile -C build published-page' refreshes it.")
