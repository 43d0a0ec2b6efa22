# Makes a corpus for commandline_fuzz: command_seeds.py FOLDER writes the words of every command that the
# pages name, and some of them with a project's file.
import pathlib
import re
import shlex
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
root = pathlib.Path(__file__).resolve().parents[2]

known = set()
for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
    text = page.read_text(encoding="utf-8")
    for line in re.findall(r"(?:build/|\b)parallax ([a-z]+ [^\n`#|>]*)", text):
        try:
            known.add("\n".join(shlex.split(line)))
        except ValueError:
            continue
project = '\n\ndevices = ["opencl", "cuda"]\nmargin = "2%"\n[run]\ncheck = true\nsize = ["2^20"]\nbudget = 10.5\n'
for number, words in enumerate(sorted(known)):
    (folder / f"words-{number}").write_text(words + (project if number % 4 == 0 else ""), encoding="utf-8")
print(f"{len(known)} seeds in {folder}")
