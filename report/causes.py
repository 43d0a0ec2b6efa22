# Renews docs/causes.md of the committed explanations, or with --check says whether it is what
# `parallax explain` makes of them: causes.py PARALLAX ROOT [--check]
import fnmatch
import pathlib
import subprocess
import sys

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
words = [str(pathlib.Path(program).resolve()), "explain", *files, "--format", "causes"]
done = subprocess.run(words, capture_output=True, cwd=root)
if done.returncode:
    sys.exit(done.stderr.decode())
if not mode:
    page.write_bytes(done.stdout)
elif not page.exists() or page.read_bytes() != done.stdout:
    sys.exit("docs/causes.md is stale: 'meson compile -C build causes' refreshes it.")
