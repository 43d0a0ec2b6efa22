# Renews the tables and sentences of figures that README.md and pages under docs/ quote of committed results, or
# with --check says whether they are what the files hold: tables.py PARALLAX ROOT [--check]
# Such a place begins with <!-- made: WORD FILE ... --> and ends with <!-- end -->; WORD is a function below. One
# within a sentence does not begin a line: Markdown would take the line for HTML.
import json
import pathlib
import re
import subprocess
import sys

import figures

program, root, *mode = sys.argv[1:]
program, root = pathlib.Path(program).resolve(), pathlib.Path(root)
FOLDER = root / "results" / "nvidia-h100-80gb-hbm3"
PAGES = ["README.md", *(f"docs/{page}.md" for page in ("explain", "judge", "learn", "methods", "port-examples"))]
API = {"opencl": "OpenCL", "cuda": "CUDA"}


def asked(command, file):
    words = [program, command, FOLDER / file, "--format", "json"]
    done = subprocess.run(words, capture_output=True, text=True)
    if not done.stdout:
        sys.exit(f"{FOLDER / file}: {done.stderr}")
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


def verdict(one):
    if one["verdict"] not in ("FASTER", "SLOWER"):
        return one["verdict"]
    return f"{times(one['ratio']['value'])} {one['verdict'].lower()}"


def diff(file, *suites):
    """A row for each case of these suites, or of all."""
    found = asked("diff", file)
    rows = [
        [case(one["title"]), size(one["shape"]), figure(one["a"]), figure(one["b"]),
         interval(one["ratio"]) if one.get("ratio") else "", verdict(one)]
        for one in found["cases"] if not suites or one["suite"] in suites
    ]
    return table(["case", "size", api(found["a"]["name"]), api(found["b"]["name"]), "ratio", ""], rows)


def where(file):
    facts = asked("diff", file)
    a, b = facts["a"]["facts"], facts["b"]["facts"]
    return f"{a['device']}, driver {a['driver']}, {b['api']}"


def decided(file):
    found = asked("diff", file)
    compared = [one["answer"]["identical"] is True for one in found["cases"] if one.get("ratio")]
    one = next(one for one in found["cases"] if one.get("ratio"))
    ceilings = [f"{one['a'][name]:.0f} and {one['b'][name]:.0f}"
                for name in ("copy_gigabytes_per_second", "fma_gigaoperations_per_second")]
    return (f"\nOf {found['summary']['measured']} comparable cases of {len({c['suite'] for c in found['cases']})} suites "
            f"{found['summary']['decided']} were decided, the answers of both sides\nare the same to the bit in "
            f"{sum(compared)} of them, and timed batches took {found['measuring_seconds']:.1f} s. The device's own "
            f"ceilings:\ncopy {ceilings[0]} GB/s, fused multiply-adds {ceilings[1]} GFLOP/s.\n")


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


def planted(file):
    ends = re.findall(r" s  (\w+)$", (FOLDER / file).read_text(), re.M)
    return f"of {len(ends)} such gaps the cause was named first in {ends.count('found')}"


def selftest(file):
    text = (FOLDER / file).read_text()
    lies, all_itself = map(sum, zip(*(map(int, two) for two in re.findall(r": (\d+) of (\d+) lied\.", text))))
    found, all_planted = map(sum, zip(*(map(int, two) for two in re.findall(r"SLOWER in (\d+) of (\d+) \(", text))))
    rows = re.findall(r"^  \S.*?  +([\d.]+) (us|ms) +(\d+) +(\d+) +\d+  ", text, re.M)
    long_ones = [(int(trials), int(same)) for time, unit, trials, same in rows if unit == "ms" or float(time) >= 100]
    trials, same = map(sum, zip(*long_ones))
    missed = [int(one) for one in re.findall(r"(\d+) of \d+ intervals of 95 % missed 1", text)]
    held = f"\n  and {sum(missed)} of their intervals missed 1" if missed else ""
    return (f"of {all_itself} comparisons of a kernel\n  with itself {lies} were called FASTER or SLOWER{held}; of {trials} "
            f"with kernels of 100 us and more, {same} were called SAME;\n  and 105 runs counted as 100 were found "
            f"SLOWER in {found} of {all_planted}")


def harness():
    said = []
    for folder, name in (("nvidia-h100-80gb-hbm3", "H100"), ("nvidia-h200", "H200")):
        text = (root / "results" / folder / "harness.txt").read_text()
        counts = re.search(r"(\d+) of the kernels .*?, (\d+) outside, (\d+) undecided", text).groups()
        within, outside, undecided = map(int, counts)
        short = [float(one) for one in re.findall(r" ([\d.]+)  [\d.]+ \.\. [\d.]+  too short to judge", text)]
        said.append(f"of {within + outside + undecided} kernels of 100 us and more {within} are within 1 % "
                    f"on the {name}, {undecided} undecided and {outside} outside;\n  shorter ones, too short to judge, take "
                    f"{min(short):.2f} to {max(short):.2f} times as long through this program")
    return ";\n  ".join(said)


def quote(like, *source):
    """A number as lessons quote it (docs/lessons.md), with as many digits behind the point as `like`."""
    return figures.value(" ".join(source), like, root)


def made(match):
    word, *of = match[1].split()
    return f"<!-- made: {match[1]} -->{globals()[word](*of)}<!-- end -->"


for name in PAGES:
    text = (root / name).read_text(encoding="utf-8")
    now = re.sub(r"<!-- made: (.+?) -->.*?<!-- end -->", made, text, flags=re.S)
    if not mode:
        (root / name).write_text(now, encoding="utf-8")
    elif now != text:
        sys.exit(f"{name} is stale: 'meson compile -C build tables' refreshes it.")
