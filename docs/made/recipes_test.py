# Holds recipes against their rows of CONTRIBUTING's table "Where things go": what a recipe touches (tests/recipes: lists of
# files, and patches that .ci/thorough follows) are files that are there, and that the row names: recipes_test.py ROOT
import fnmatch
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
PLACEHOLDERS = {"x": "*", "x_y": "*", "NAME": "*"}
wrong = []


def rows(page):
    table = page.partition("## Where things go")[2].partition("\n## ")[0]
    cells = (re.split(r"(?<!\\) \| ", line.strip("| ")) for line in table.splitlines() if line.startswith("| "))
    return {what: where for what, where in cells}


def pattern(word):
    """`suites/planted/NAME.cpp` with a star for the name."""
    return "/".join(".".join(PLACEHOLDERS.get(part, part) for part in name.split(".")) for name in word.split("/"))


def is_named(path, where):
    for word in re.findall(r"`([^`]+)`|\]\(([^)#]+)", where):
        word = pattern(word[0] or word[1])
        in_folder = "/" in word and fnmatch.fnmatch(path, word.rstrip("/") + "/*")
        if in_folder or fnmatch.fnmatch(path, word) or ("/" not in word and path.rpartition("/")[2] == word):
            return True
    return "/tests/" in path or (path == "meson.build" and "the root's `meson.build`" in where)


SAMPLE = "`suites/planted/x.cpp`, `records/doubt.hpp` and `doubt.cpp`; the place in `measure/`; [page](docs/a.md#b)"
for path, expected in {"suites/planted/new.cpp": True, "suites/new.cpp": False, "records/doubt.cpp": True,
                       "measure/run_case.cpp": True, "records/record.hpp": False, "docs/a.md": True,
                       "cli/tests/new_test.cpp": True, "meson.build": False}.items():
    if is_named(path, SAMPLE) != expected:
        wrong.append(f"the search takes {path} for {'no ' * expected}part of the sample")

table = rows((root / "CONTRIBUTING.md").read_text(encoding="utf-8"))
touched = {}
for line in (root / "tests/recipes/files").read_text(encoding="utf-8").splitlines()[1:]:
    row, _, paths = line.rpartition(": ")
    touched[row] = paths.split()
    wrong += [f"'{row}': there is no {path}" for path in paths.split() if not (root / path).is_file()]
for file in sorted((root / "tests/recipes").glob("*.patch")):
    text = file.read_text(encoding="utf-8")
    head = text.partition("\n\n")[0].splitlines()
    touched[head[0].removeprefix("Recipe: ")] = re.findall(r"^\+\+\+ b/(.+)$", text, re.M)
    if not any(line.startswith("Try: ") for line in head):
        wrong.append(f"{file.name} says nothing to try")
if len(touched) < 14:
    wrong.append(f"only {len(touched)} recipes are tried")
for row, paths in touched.items():
    if row not in table:
        wrong.append(f"CONTRIBUTING has no recipe for '{row}'")
        continue
    wrong += [f"'{row}' touches {path}, which its row does not name" for path in paths if not is_named(path, table[row])]
sys.exit("\n".join(wrong) if wrong else 0)
