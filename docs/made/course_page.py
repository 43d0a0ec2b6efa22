# Renews docs/course.md, or with --check says whether it is what `parallax lesson` makes of the
# lessons and of the committed walk on one GPU: course_page.py PARALLAX ROOT [--check]
import pathlib
import sys

from kept_page import keep

program, root, *mode = sys.argv[1:]
root = pathlib.Path(root)
words = [program, "lesson", "all", "--format", "md"]
words += ["--from", "results/nvidia-h100-80gb-hbm3/walk.jsonl"]
keep(root / "docs" / "course.md", "course-page", words, root, mode)
