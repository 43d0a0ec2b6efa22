# Renews the tables and sentences of figures that README.md and pages under docs/ quote of committed results, or
# with --check says whether they are what the files hold: tables.py PARALLAX ROOT [--check]
# Such a place begins with <!-- made: WORD FILE ... --> and ends with <!-- end -->; WORD is a function below. One
# within a sentence does not begin a line: Markdown would take the line for HTML. FILE is one of the H100's folder, or
# begins with another folder of results/.
import json
import math
import pathlib
import re
import subprocess
import sys

import figures

program, root, *mode = sys.argv[1:]
program, root = pathlib.Path(program).resolve(), pathlib.Path(root)
FOLDER = root / "results" / "nvidia-h100-80gb-hbm3"
PAGES = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
API = {"opencl": "OpenCL", "cuda": "CUDA"}


def path_of(file):
    """Of the H100's folder, unless the name begins with another one."""
    return root / "results" / file if "/" in file else FOLDER / file


def asked(command, file):
    words = [program, command, path_of(file), "--format", "json"]
    done = subprocess.run(words, capture_output=True, text=True)
    if not done.stdout:
        sys.exit(f"{path_of(file)}: {done.stderr}")
    return json.loads(done.stdout)


def api(device):
    return API[device.split(":")[0]]


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n" + "".join("| " + " | ".join(line) + " |\n" for line in lines)


def size(shape):
    if len(shape) == 1 and shape[0] & (shape[0] - 1) == 0:
        return f"2^{shape[0].bit_length() - 1}"
    return f"{shape[0]}^3" if len(shape) == 3 and len(set(shape)) == 1 else " x ".join(map(str, shape))


def case(title):
    """Without type and size: the words that tell it from others."""
    name, _, _, *constants = title.split()
    return ", ".join([name, *constants])


def times(ratio):
    factor = max(ratio, 1 / ratio)
    return f"{factor:.3f}x" if factor < 1.1 else f"{factor:.2f}x"


def interval(ratio):
    return f"{ratio['value']:.3f} ({ratio['low']:.3f}-{ratio['high']:.3f})"


def figure(side):
    if side["status"] != "ok":
        return side["status"]
    operations = side["share_of"] == "fma"
    rate = side["gigaoperations_per_second" if operations else "gigabytes_per_second"]
    return f"{rate:{'.0f' if rate >= 100 else '.3g'}} {'GFLOP/s' if operations else 'GB/s'}"


def verdict(one, a, b):
    """A verdict that names the slower side."""
    if one["verdict"] not in ("FASTER", "SLOWER"):
        return one["verdict"]
    return f"{b if one['verdict'] == 'SLOWER' else a} {times(one['ratio']['value'])} slower"


def diff(file, *suites):
    """A row for each case of these suites, or of all."""
    found = asked("diff", file)
    a, b = api(found["a"]["name"]), api(found["b"]["name"])
    rows = [
        [case(one["title"]), size(one["shape"]), figure(one["a"]), figure(one["b"]),
         interval(one["ratio"]) if one.get("ratio") else "", verdict(one, a, b)]
        for one in found["cases"] if not suites or one["suite"] in suites
    ]
    return table(["case", "size", a, b, "ratio", "verdict"], rows)


def where(file):
    facts = asked("diff", file)
    a, b = facts["a"]["facts"], facts["b"]["facts"]
    return f"{a['device']}, driver {a['driver']}, {b['api']}"


def gaps(file):
    """A row for each case in which one side is slower, the largest gap first."""
    found = asked("diff", file)
    a, b = api(found["a"]["name"]), api(found["b"]["name"])
    slower = [one for one in found["cases"] if one["verdict"] in ("FASTER", "SLOWER")]
    slower.sort(key=lambda one: -abs(math.log(one["ratio"]["value"])))
    return table(["case", "size", "ratio", "verdict"],
                 [[case(one["title"]), size(one["shape"]), interval(one["ratio"]), verdict(one, a, b)] for one in slower])


def counts(file):
    found = asked("diff", file)
    a, b = api(found["a"]["name"]), api(found["b"]["name"])
    by = found["summary"]["counts"]
    return (f"{found['summary']['measured']} cases were measured: {by['SAME']} are SAME, {b} is slower in {by['SLOWER']}, "
            f"{a} is slower in {by['FASTER']}, and {by['UNDECIDED']} are UNDECIDED")


def identical(file):
    compared = [one["answer"]["identical"] is True for one in asked("diff", file)["cases"] if one.get("ratio")]
    return f"{sum(compared)} of {len(compared)}"


def measuring(file):
    return f"{asked('diff', file)['measuring_seconds']:.0f} s"


def peaks(file):
    one = next(one for one in asked("diff", file)["cases"] if one.get("ratio"))
    rows = [[name, *(f"{one[side][key]:.0f} {unit}" for side in "ab")]
            for name, key, unit in (("copy bandwidth", "copy_gigabytes_per_second", "GB/s"),
                                    ("fused multiply-adds", "fma_gigaoperations_per_second", "GFLOP/s"))]
    return table(["peak rate", "OpenCL", "CUDA"], rows)


def rates(file, *rows):
    """Of a text with lines `SUITE/VARIANT [TYPE] SIZE API RATE UNIT`: the last rates of each CASE@SIZE[@WORD...]. Of
    beside=CASE, the rate through CUDA, or else OpenCL, and the share of it that the row reaches. Of lines=A-B, only these
    lines count: one measurement of several that the text has."""
    text = path_of(file).read_text()
    for first, last in (row[6:].split("-") for row in rows if row.startswith("lines=")):
        text = "\n".join(text.splitlines()[int(first) - 1:int(last)])
    lines = re.findall(r"^(\w+/\w+) +(?:(\w+) +)?([\dx]+) +(opencl|cuda) +([\d.]+) ([GT]\S+)(.*)$", text, re.M)
    peers = [row.split("=", 1)[1] for row in rows if row.startswith("beside=")]

    def rate(name, extents, through, words=()):
        found = [line for line in lines if (line[0], line[2], line[3]) == (name, extents, through)
                 and all(word in [line[1], *line[6].split()] for word in words)]
        return (float(found[-1][4]), found[-1][5]) if found else None

    def shown(value):
        return f"{value[0]:.{'0' if value[0] >= 100 else '1'}f} {value[1]}" if value else ""

    cells = []
    for row in rows:
        if row.startswith(("beside=", "lines=")):
            continue
        name, extents, *words = row.split("@")
        both = [rate(name, extents, through, words) for through in API]
        if not any(both):
            sys.exit(f"{file} has no {row}")
        cells.append([f"`{name}`" + "".join(f", {word}" for word in words), size([int(one) for one in extents.split("x")]),
                      *map(shown, both)])
        for peer in peers:
            reference = rate(peer, extents, "cuda", words) or rate(peer, extents, "opencl", words)
            shares = " / ".join(f"{one[0] / reference[0]:.2f}" for one in both if one) if reference else ""
            cells[-1] += [shown(reference), shares]
    return table(["case", "size", "OpenCL", "CUDA", *(cell for peer in peers for cell in (f"`{peer}`", "share of it"))], cells)


def explain(file):
    def gap(one):
        if not one["conclusion"]["has_gap"]:
            return f"{one['verdict']}, {one['gap']['value']:.3f}"
        slower = one["a" if one["verdict"] == "FASTER" else "b"]
        return f"{api(slower['device'])} {times(one['gap']['value'])} slower"

    def arises(one):
        shares = {step["name"]: step.get("share") or 0 for step in one["origin"]}
        words = {"front end": "in the front end", "run-time and back end": "after the front end"}
        return ", ".join(f"{100 * shares[name]:.0f} % {word}" for name, word in words.items()
                         if shares.get(name, 0) >= 0.05)

    def closes(one):
        if not one["conclusion"]["by"]:
            return "nothing that was tried" if one["conclusion"]["has_gap"] else ""
        best = one["trials"][one["conclusion"]["by"][0]]
        side = {"A": "on " + api(one["a"]["device"]), "B": "on " + api(one["b"]["device"])}
        return (f"{best['setting']} {side.get(best['side'], 'on both sides')}: {100 * best['closes']:.0f} % of it, "
                f"then {interval(best['ratio'])}")

    def name(one):
        words = one["run"]["command"]
        defined = [after for word, after in zip(words, words[1:]) if word == "--define"]
        return f"`{one['suite']}/{one['variant']}`, " + ", ".join([size(one["shape"]), *defined])

    return table(["case", "gap", "where it arises", "what closes it"],
                 [[name(one), gap(one), arises(one), closes(one)] for one in asked("explain", file)])


def program_title(title):
    """A captured program's name and workload, of a section's title without what it was captured with."""
    title = re.sub(r", `(?:capture|diff) .*", "", title)
    calls = re.match(r"a client that calls (.*?) of (.*?)( on .*)", title)
    if calls:
        return calls[2], calls[1] + calls[3]
    name, workload = re.match(r"(?:a client of )?(.*?)(?: of Debian)?(?:[,:] (.*))?$", title).groups()
    return name, workload or "no options"


def programs(file):
    """Captured programs as a whole: a row for each sentence of a report, without this project's own."""
    rows = []
    for section in re.split("^== ", path_of(file).read_text(encoding="utf-8"), flags=re.M)[1:]:
        title, body = section.split("\n", 1)
        if title.startswith("this project"):
            continue
        # A section of several programs has a table of them in the order of the sentences.
        names = re.findall(r"^(\S.*?), (\S.*?) {2,}\d+ +\d+ +\d+ %", body, re.M) or [program_title(title)]
        left_out = re.search(r"(\d+) of (\d+) cases were left out", body)
        found = re.findall(r"\w+: kernels take ([\d.]+) s of ([\d.]+) s; .*?would take ([\d.]+ \([\d.-]+\)) of that; the "
                           r"program at best ([\d.]+ \([\d.-]+\))(?:; \d+ of \d+ kernels \(([\d.]+) % of their time)?",
                           re.sub(r"\n +", " ", body))
        for (name, workload), (kernels, whole, ratio, best, missing) in zip(names, found, strict=True):
            judged = f"{100 - float(missing or 0):.3g} %"
            if left_out:
                judged += f", {int(left_out[2]) - int(left_out[1])} of {left_out[2]} cases"
            rows.append([name, workload, f"{100 * float(kernels) / float(whole):.2g} %", judged, ratio, best])
    return table(["program", "workload", "kernels' share of its time", "judged of the kernels' time",
                  "kernels' time, CUDA over OpenCL", "whole program at best"], rows)


def planted(file):
    ends = re.findall(r" s  (\w+)$", path_of(file).read_text(), re.M)
    return f"{ends.count('found')} of {len(ends)}"


def selftest(what, file):
    text = path_of(file).read_text()
    wrong, itself = map(sum, zip(*(map(int, two) for two in re.findall(r": (\d+) of (\d+) lied\.", text))))
    found, slowed = map(sum, zip(*(map(int, two) for two in re.findall(r"found (?:SLOWER|slower) in (\d+) of (\d+) \(", text))))
    rows = re.findall(r"^  \S.*?  +([\d.]+) (us|ms) +(\d+) +(\d+) +\d+  ", text, re.M)
    long_ones = [(int(trials), int(same)) for time, unit, trials, same in rows if unit == "ms" or float(time) >= 100]
    trials, same = map(sum, zip(*long_ones))
    missed = sum(int(one) for one in re.findall(r"(\d+) of \d+ intervals of 95 % missed 1", text))
    return {"wrong": f"{wrong} of {itself}", "missed": f"{missed} of {itself}", "same": f"{same} of {trials}",
            "slowed": f"{found} of {slowed}"}[what]


def harness(file):
    text = path_of(file).read_text()
    within, outside, undecided = map(int, re.search(r"(\d+) of the kernels .*?, (\d+) outside, (\d+) undecided", text).groups())
    return f"{within} within 1 %, {undecided} undecided, {outside} outside"


def part(file, first, last):
    """Lines of a file that are Markdown."""
    lines = path_of(file).read_text(encoding="utf-8").splitlines()[int(first) - 1:int(last)]
    return "\n" + "\n".join(line.rstrip() for line in lines) + "\n"


def text(file, first, last):
    """Lines of a file as they are."""
    return f"\n```text{part(file, first, last)}```\n"


def quote(like, *source):
    """A number as lessons quote it (docs/reference/lessons.md), with as many digits behind the point as `like`."""
    return figures.value(" ".join(source), like, root)


def made(match):
    word, *of = match[1].split()
    return f"<!-- made: {match[1]} -->{globals()[word](*of)}<!-- end -->"


stale, places = [], 0
for page in PAGES:
    page_text = page.read_text(encoding="utf-8")
    now, count = re.subn(r"<!-- made: (.+?) -->.*?<!-- end -->", made, page_text, flags=re.S)
    places += count
    if not mode:
        page.write_text(now, encoding="utf-8")
    elif now != page_text:
        stale.append(f"{page.relative_to(root)} is stale: 'meson compile -C build tables' refreshes it.")
if places < 20:
    stale.append(f"only {places} places were found")
sys.exit("\n".join(stale) if stale else 0)
