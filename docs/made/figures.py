# Renews the numbers and verdicts that the lessons quote of committed results, or with --check says which are stale:
# figures.py PARALLAX ROOT [--check]
#
# A quote is [[TEXT | SOURCE]] (docs/reference/lessons.md has its sources). `value` makes TEXT of SOURCE; tables.py uses it for
# the pages, and sentences_test.py asks that no number of a lesson stands outside of one.
import ast
import functools
import json
import operator
import pathlib
import re
import sys

import generated

QUOTE = re.compile(r"\[\[([^\]|]+?)\s*\|\s*([^\]]+?)\s*\]\]")
SIZE = re.compile(r"[\d^]+(x\d+)*$")
CARD = "nvidia-h100-80gb-hbm3"
MARGIN = 1.02
API = ("opencl", "cuda")
TYPES = ("float", "int", "ushort", "double", "half", "long")  # in this order where the source names none


class Wrong(Exception):
    pass


@functools.cache
def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def steps_of(text):
    """The cases of a lesson's steps: name -> words, as a source has them."""
    steps = {}
    for block in re.split(r"^  - (?=name: |title: )", text, flags=re.M)[1:]:
        member = dict(re.findall(r"^(?:    )?(\w+): *(.*?)\n", block, flags=re.M))
        if "run" in member and "name" in member:
            constants = re.findall(r"(\w+): (\w+)", member.get("define", ""))
            steps[member["name"]] = [member["run"], *(f"{name}={value}" for name, value in constants)]
            steps[member["name"]] += [member[key] for key in ("type", "size") if key in member]
    return steps


class Source:
    """The words of a source, with the records that they stand for."""

    def __init__(self, words, root, steps, lesson):
        self.root, self.file, self.apis, self.cases, self.lesson = root, "walk.jsonl", list(API), [], lesson
        self.per = 1
        words = iter(words)
        for word in words:
            if word in API:
                self.apis = [word]
            elif word == "in":
                self.file, self.lesson = next(words), ""
            elif word == "per":
                self.per = int(next(words))
            elif word in steps:
                self.cases.append(list(steps[word]))
            elif "/" in word:
                self.cases.append([word])
            elif self.cases:
                name = word.split("=")[0] + "="
                self.cases[-1] = [one for one in self.cases[-1] if "=" not in word or not one.startswith(name)]
                self.cases[-1].append(word)
            else:
                raise Wrong(f"'{word}' is no step of the lesson and no SUITE/VARIANT")

    def path(self):
        return self.root / "results" / CARD / self.file

    def of(self, case, api):
        """The newest record of a case on one API; None: it has no time there."""
        suite, variant = case[0].split("/")
        constants = dict(word.split("=") for word in case[1:] if "=" in word)
        shapes = [[int(one) for one in re.sub(r"2\^(\d+)", lambda m: str(2 ** int(m[1])), word).split("x")]
                  for word in case[1:] if SIZE.match(word)]
        types = [word for word in case[1:] if word in TYPES]
        found = []
        for record in lines_of(self.path()):
            if record["schema"] != "parallax.record" or record["where"]["backend"] != api:
                continue
            if (record["suite"], record["variant"]) != (suite, variant) or record["program"]["edits"]:
                continue
            if self.lesson and not record["run"]["id"].endswith("-" + self.lesson):
                continue
            if any(str(record["constants"].get(name)) != value for name, value in constants.items()):
                continue
            if record["shape"] in shapes or not shapes:
                found.append(record)
        types = types or [one for one in TYPES if any(record["type"] == one for record in found)][:1]
        found = [record for record in found if record["type"] in types]
        keys = {json.dumps([record["shape"], record["constants"]]) for record in found}
        if len(keys) != 1:
            raise Wrong(f"{' '.join(case)} through {api}: {len(keys)} cases of {self.file} are that")
        newest = max(found, key=lambda record: record["run"]["started"])
        return newest if newest["status"] == "ok" else None

    def each(self, what):
        """what(*records) through each API that has them all."""
        values = []
        for api in self.apis:
            records = [self.of(case, api) for case in self.cases]
            if all(records):
                values.append(what(*records))
        return values

    def ratio(self, what):
        return [what(*(self.of(self.cases[0], api)["timing"]["median"] for api in API))]

    def share(self, record):
        def rate(of, name):
            return of["rate"][f"giga{name}_per_second"]

        ceilings = {}
        for one in lines_of(self.path()):
            same = one.get("suite") == "ceiling" and one["run"]["id"] == record["run"]["id"]
            if same and one["device"] == record["device"] and one["status"] == "ok":
                ceilings[one["variant"], one["type"]] = one
        kind = "double" if record["type"] == "double" else "float"
        return 100 * max(
            rate(record, "bytes") / rate(ceilings["copy", "float"], "bytes"),
            rate(record, "operations") / rate(ceilings["fma", kind], "operations")
            if ("fma", kind) in ceilings else 0)


def seconds(record):
    return record["timing"]["median"]


def operations(record):
    return record["rate"]["gigaoperations_per_second"]


MEASURES = {
    "us": lambda s: s.each(lambda a: 1e6 * seconds(a) / s.per),
    "ms": lambda s: s.each(lambda a: 1e3 * seconds(a)),
    "gb": lambda s: s.each(lambda a: a["rate"]["gigabytes_per_second"]),
    "share": lambda s: s.each(s.share),
    "ulp": lambda s: s.each(lambda a: a["check"]["worst_ulp"]),
    "longer": lambda s: s.each(lambda a, b: seconds(a) / seconds(b)),
    "faster": lambda s: s.each(lambda a, b: seconds(b) / seconds(a)),
    "rate": lambda s: s.each(lambda a, b: operations(a) / operations(b)),
    "hidden": lambda s: s.each(lambda a, b, best: 100 * (seconds(a) - seconds(b)) / (seconds(a) - seconds(best))),
    "apart": lambda s: s.each(lambda *all: 100 * (max(map(seconds, all)) / min(map(seconds, all)) - 1)),
    "more": lambda s: s.each(lambda a, b: 100 * (seconds(a) / seconds(b) - 1)),
    "opencl/cuda": lambda s: s.ratio(operator.truediv),
    "cuda/opencl": lambda s: s.ratio(lambda a, b: b / a),
}


def spoken(values, like):
    """Of one or several values, with as many digits behind the point as `like` has."""
    number = re.search(r"\d[\d,]*(?:\.(\d+))?", like)
    digits = len(number[1] or "") if number else 0
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"


OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
             ast.Pow: operator.pow, ast.USub: operator.neg}


def calculated(text):
    def of(node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](of(node.left), of(node.right))
        return OPERATORS[type(node.op)](of(node.operand))

    return of(ast.parse(text, mode="eval").body)


def explained(words, root):
    """The explanation and, after `with`, its trial: FILE SUITE/VARIANT [NAME=VALUE ...] [with SETTING on SIDE]."""
    before, _, after = " ".join(words).partition(" with ")
    file, case, *constants = before.split()
    setting, _, side = after.rpartition(" on ")
    for one in lines_of(root / "results" / CARD / file):
        if one["schema"] != "parallax.explanation" or f"{one['suite']}/{one['variant']}" != case:
            continue
        if any(str(one["constants"].get(name)) != value for name, value in (word.split("=") for word in constants)):
            continue
        if not after:
            return one, None
        for trial in one["trials"]:
            if (trial["setting"], trial["side"]) == (setting, side) and trial["ratio"]:
                return one, trial
    raise Wrong(f"{file} has no such explanation")


def ratio_of(words, root):
    """CUDA's time over OpenCL's, of an explanation or after a change."""
    one, trial = explained(words, root)
    return trial["ratio"] if trial else one["gap"]


def verdict(words, root):
    ratio = ratio_of(words, root)
    low, high = ratio["low"], ratio["high"]
    if 1 / MARGIN <= low and high <= MARGIN:
        return "both APIs take the same time"
    if low > MARGIN:
        return f"CUDA takes {ratio['value']:.2f} times as long as OpenCL"
    if high < 1 / MARGIN:
        return f"OpenCL takes {1 / ratio['value']:.2f} times as long as CUDA"
    return "it stays open which API is faster"


@functools.cache
def published(root):
    """The lines of `parallax published all` without what is measured now."""
    lines, kept = [], 0
    words = ["parallax", "published", "all", "--format", "md", "--results", "results"]
    for line in generated.printed(words, {"parallax": sys.argv[1]}, root).splitlines():
        cells = line.replace("`", "").split(" | ")
        if line.startswith("| claim |"):
            kept = sum(not cell.startswith("now: ") for cell in cells) - 1
        lines.append(" ".join(" ".join(cells[:kept] if line.startswith("|") else cells).split()))
    return lines


def value(source, like, root, steps=None, lesson=""):
    """The text that a source stands for now; `like`: the one that stands there."""
    measure, *words = source.split()
    if measure == "=":
        return spoken([calculated(" ".join(words))], like)
    if measure == "published":
        # NUMBER... of a line of `parallax published all`: what a document states is not computed.
        lines = [line for line in published(root) if " ".join(words) in line]
        numbers = re.findall(r"\d+(?:\.\d+)?", like)
        if any(all(re.search(rf"(?<![\d.]){re.escape(n)}(?![\d])", line) for n in numbers) for line in lines):
            return like
        raise Wrong(f"`parallax published all` has no line with '{' '.join(words)}' and {' and '.join(numbers)}")
    if measure == "says":
        if words:
            return like  # the rest names who says so
        raise Wrong("'says' names a source")
    if measure == "verdict":
        return verdict(words, root)
    if measure == "gap":
        gap = ratio_of(words, root)["value"]
        return spoken([max(gap, 1 / gap)], like)
    if measure == "closes":
        return spoken([100 * explained(words, root)[1]["closes"]], like)
    if measure == "origin":
        one, _ = explained(words[1:], root)
        return spoken([100 * next(s["share"] for s in one["origin"] if s["name"] == words[0].replace("-", " "))], like)
    if measure not in MEASURES:
        others = ("gap", "closes", "origin", "verdict", "published", "says", "=")
        raise Wrong(f"'{measure}' is none of {', '.join([*MEASURES, *others])}")
    values = MEASURES[measure](Source(words, root, steps or {}, lesson))
    if not values:
        raise Wrong("no API has a time of it")
    return spoken(values, like)


def renewed(text, root, lesson, wrong):
    steps = steps_of(text)

    def now(match):
        try:
            made = value(match[2], " ".join(match[1].split()), root, steps, lesson)
        except (Wrong, KeyError, ValueError, IndexError, FileNotFoundError, StopIteration, TypeError) as error:
            wrong.append(f"{lesson}.yaml: [[{match[1]} | {match[2]}]]: {error}")
            return match[0]
        return match[0] if made == " ".join(match[1].split()) else match[0].replace(match[1], made, 1)

    return QUOTE.sub(now, text)


def main():
    _, root, *mode = sys.argv[1:]
    root, wrong = pathlib.Path(root), []
    for page in sorted((root / "docs" / "course").glob("*.yaml")):
        text = page.read_text(encoding="utf-8")
        now = renewed(text, root, page.stem, wrong)
        if not mode:
            page.write_text(now, encoding="utf-8")
        elif now != text:
            was, new = next((a, b) for a, b in zip(QUOTE.findall(text), QUOTE.findall(now)) if a != b)
            wrong.append(f"{page.stem}.yaml says '{was[0]}' ({was[1]}), and the results say '{new[0]}': "
                         "'meson compile -C build figures' refreshes it.")
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()
