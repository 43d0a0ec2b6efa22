# Pages that the program prints: one that is committed names its commands, `<!-- generated: WORDS -->`, and the book has
# what they print in its place. book.py makes the book, generated_test.py tests what is printed.
import fnmatch
import os
import pathlib
import re
import subprocess
import tempfile

MARK = re.compile(r"<!-- generated: (.+?) -->")


def words_of(page):
    """The words of the page's commands; None: it is written by hand."""
    mark = MARK.search(page.read_text(encoding="utf-8"))
    return mark[1].split() if mark else None


def committed(root, folder):
    """A view of results/ without the files that commands name after the time (run-TIME.jsonl): links in the folder."""
    for path in sorted(root.glob("results/*/*.jsonl")):
        if fnmatch.fnmatch(path.name, "*-[0-9]*T[0-9]*Z.jsonl"):
            continue
        link = folder / path.relative_to(root)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(path.resolve())


def printed(words, programs, root, columns=88, any_end=False):
    """What a command prints, run beside the committed results. `programs`: its first word -> file. With `any_end` it may
    end with any code, if it prints a report."""
    environment = {**os.environ, "COLUMNS": str(columns), "NO_COLOR": "1"}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        committed(pathlib.Path(root).resolve(), folder)
        program, *words = words
        words = [word for one in words for word in
                 (sorted(str(path.relative_to(folder)) for path in folder.glob(one)) if "*" in one else [one])]
        done = subprocess.run([pathlib.Path(programs[program]).resolve(), *words], cwd=folder, env=environment,
                              capture_output=True, text=True)
    if done.returncode and not (any_end and done.stdout):
        raise SystemExit(f"{' '.join([program, *words])}: {done.stderr}")
    return done.stdout


def commands(programs, root):
    listed = printed(["parallax", "--complete", ""], programs, root).splitlines()
    return [line.split("\t")[0] for line in listed if not line.startswith("-")]


def made(page, programs, root):
    """The page as the book has it: what each of its commands prints."""
    words = words_of(page)
    title = page.read_text(encoding="utf-8").splitlines()[0]
    if "COMMAND" in words:  # one section for the program and for each of its commands
        def section(name, words):
            return f"## {name}\n\n```text\n{printed(words, programs, root)}```\n"

        sections = [section("parallax", ["parallax", "--help"])]
        for name in commands(programs, root):
            sections.append(section(f"parallax {name}", [name if word == "COMMAND" else word for word in words]))
        return "\n".join([title + "\n", *sections])
    text = printed(words, programs, root)
    if words[0] == "record_members":  # a table for each part of a line
        text = title + "\n\n" + re.sub(r"<!-- members: (\w+) -->\n", r"\n## \1\n\n", text)
    return text
