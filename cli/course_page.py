# Renews docs/course.md, or with --check says whether it is what `parallax lesson` makes of the
# lessons and of the committed walk on one GPU: course_page.py PARALLAX ROOT [--check]
import pathlib
import subprocess
import sys

program, root, *mode = sys.argv[1:]
root = pathlib.Path(root)
page = root / "docs" / "course.md"
words = [str(pathlib.Path(program).resolve()), "lesson", "all", "--format", "md"]
words += ["--from", "results/nvidia-h100-80gb-hbm3/walk.json"]
done = subprocess.run(words, capture_output=True, cwd=root)
if done.returncode:
    sys.exit(done.stderr.decode())
if not mode:
    page.write_bytes(done.stdout)
elif not page.exists() or page.read_bytes() != done.stdout:
    sys.exit("docs/course.md is stale: 'meson compile -C build course-page' refreshes it.")
