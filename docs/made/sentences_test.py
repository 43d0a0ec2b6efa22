# Looks for sentences that no record holds: in the lessons, in the texts of suites and of the rows of published systems,
# and in pages of results a measured number that is no quote (figures.py) and is not made (tables.py), and words that only
# a verdict may say: sentences_test.py ROOT
# (What docs/published.yaml says of a claim is in our words what a document states, which it names.)
import pathlib
import re
import sys

from figures import QUOTE

UNITS = (r"(?:%|per cent|(?<=\d)x\b(?! ?\d)|times\b|[nmu]s\b|(?:nano|micro|milli)?seconds?\b"
         r"|[KMGT]B/s|[GT](?:FL)?OPS?/s|ULP\b|cycles\b)")
NUMBERS = r"(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|a hundred|a dozen|(?<![\w^.])\d[\d.,]*)"
PARTS = (r"(?:half|(?:a |an |one |two |three |four )"
         r"(?:third|quarter|fifth|sixth|seventh|eighth|ninth|tenth|hundredth|\d+th)s?)")
SPEED = r"(?:time|speed|bandwidth|gap|as (?:fast|long|slow)|faster|slower|longer|again|gain|copy speed)"
FIGURES = [
    rf"{NUMBERS}(?: (?:to|or|and) {NUMBERS})? ?{UNITS}",  # 3 %, 1.5 to 1.6 times, nine times
    r"\btwice (?:as|the)\b",
    rf"\b{PARTS}(?: of)?(?: the| its| that| their)?(?: \w+)? {SPEED}\b",  # half of the copy speed, a quarter faster
    r"(?<![\w.^])(?<!OpenCL )(?<!CUDA )(?<!capability )(?<!capability\* )(?<!since )\d+\.\d+(?![\w.])",  # 1.8 after 2.0
]
# Only a verdict of a record may say this.
VERDICTS = [
    r"\bgap (?:is|was) (?:gone|closed)\b", r"\bclose[sd] the gap\b", r"\bnothing is lost\b", r"\b(?:is|are|for) free\b",
    r"\b(?:costs?|loses?|for) (?:next to |almost )?nothing\b", r"(?<!\bat )\bthe same (?:time|speed)\b",
    r"\bboth are equal\b", r"\bno (?:slower|faster)\b",
]
# What the search has to find: sentences that the lessons and suites once had.
EXAMPLES = [
    "Nearly twice as fast on an H100", "Three per cent on an H100", "A quarter faster", "it took 1.3 times as long",
    "An H100 gained 1.8 after 2.0", "came within 6 % of the copy speed", "half of its copy speed",
    "a hundredth of the time",
    "is read at 50 GB/s", "takes 3 to 4 us", "some 250 ULP wrong", "nine times as long", "4.5x as fast",
    "With groups of 256 the gap is gone", "One attribute closed the gap", "powers of two are free", "nothing is lost",
    "both APIs take the same time", "costs next to nothing", "no slower than a shift",
]
# What is no measurement. File: a part of a sentence, and where its number is from.
ALLOWED = {
    "copies.yaml": {
        "share may well be above 100 %": "what a share of a ceiling is",
        "a share above 100 %": "what a share of a ceiling is",
        "So everything moves two times": "one half of each sector is used at a time",
    },
    "host.yaml": {"break its index arithmetic three times": "the steps of the lesson"},
    "instructions.yaml": {"In both languages 0.9 is a double": "the kernel"},
    "ladder.yaml": {
        "Half of the loads are not half of the time": "that loads are no times",
        "local memory are four times as frequent": "the count of loads",
        "of local memory it reads two words for each, twice as many": "the count of loads",
    },
    "matvec.yaml": {
        "multiply-adds that wait for nothing": "what the ceiling's kernel is",
        "eight times their share": "the volume of the cube",
    },
    "occupancy.yaml": {
        "local memory is used 8 times": "the count of uses",
        "that was loaded is used 8 times": "the count of uses",
    },
    "reduction.yaml": {
        "it now serves twice as many numbers": "the count of numbers",
        "One tree for 64 times as many numbers": "the count of numbers",
    },
    "smoothing.yaml": {
        "5312 bytes, 83 times 64": "the product",
        "5312 is 83 times that": "the product",
        "640 is ten times that": "the product",
    },
    "stencil.yaml": {
        "every word is wanted seven times": "the count of neighbours",
        "data are used more often than seven times": "the count of neighbours",
        "belong to four times as much work": "the count of outputs",
        "It costs four times the local memory, and four times fewer groups": "the count of outputs",
        "or the cache 65 times for each output": "the count of neighbours",
    },
    "transpose.yaml": {
        "break the kernel twice the way": "the steps of the lesson",
        "carries eight times the requests": "the count of sectors",
        "two times 16 turns for 256 bytes": "the count of turns",
    },
    "ceiling.cpp": {"multiply-adds that wait for nothing": "what the kernel is"},
    "accuracy.md": {
        "slowdown of 5 %": "what was injected",
        "slowdowns of 5 %": "what was injected",
        "kernels of 100 us or more": "which kernels are counted",
        "Kernels of 100 us or more": "which kernels are counted",
        "kernels below 20 us": "which rows of the table",
        "differ by 0.4 % in memory and 1.2 % in arithmetic": "how clusters are simulated",
        "5 % are intended": "what was intended",
        "if it is 3 % slower in memory or 8 % slower in arithmetic": "which cells of the table",
        "it must be 5 % in memory": "which cells of the table",
        "if it is 2 % slower": "which cells of the table",
    },
    "h100.md": {"95 % confidence": "what was intended", "PoCL 3.1": "a version"},
    "tuning.md": {
        "so 1 % has no meaning": "how results are read",
        "four times as many blocks": "the count of blocks",
        "was no faster": "no case is shown",
    },
    "conversions.cpp": {"x * 0.9:": "the kernel"},
}


def lesson(text):
    """What people read of a lesson, with a mark in place of each quote."""
    kept, skipped = [], None
    for line in QUOTE.sub("#", text).splitlines():
        indent = len(line) - len(line.lstrip())
        key = re.match(r" *(?:- )?([a-z_]+):(?: |$)", line)
        if skipped is not None and line.strip() and indent <= skipped:
            skipped = None
        if key and key[1] in ("choices", "replace", "from"):
            skipped = indent
        elif key and key[1] not in ("title", "teaches", "introduction", "on_cpu", "idea", "ask", "then", "then_cpu",
                                    "task", "solution", "hints"):
            continue
        if skipped is None:
            kept.append(re.sub(r"^ *(- )?[a-z_]+: *\|?", "", line) if key else line)
    return "\n".join(kept)


def literals(text):
    """The sentences among the string literals of a C++ source."""
    text = re.sub(r'"\s*\n\s*"', "", re.sub(r"//.*", "", text))
    return "\n\n".join(one for one in re.findall(r'"((?:[^"\\]|\\.)*)"', text) if " " in one)


def prose(text):
    return " ".join(re.sub(r"```.*?```|`[^`]*`", "`", text, flags=re.S).split())


def finds(plain):
    return [found for pattern in FIGURES + VERDICTS for found in re.finditer(pattern, plain, flags=re.I)]


def main():
    root = pathlib.Path(sys.argv[1])
    texts = {path: lesson(path.read_text(encoding="utf-8"))
             for path in sorted((root / "docs" / "course").glob("*.yaml"))}
    for path in sorted((root / "suites").glob("*.cpp")):
        texts[path] = literals(path.read_text(encoding="utf-8"))
    published = root / "docs" / "published.yaml"
    texts[published] = "\n\n".join(
        re.findall(r"^    (?:title|shows|note): (.*(?:\n {6}.*)*)", published.read_text(encoding="utf-8"), re.M))
    for page in [root / "docs" / "guides" / "teach.md", *sorted((root / "docs" / "results").glob("*.md"))]:
        texts[page] = re.sub(r"<!-- (?:made|output): .*?<!-- end -->", "#", page.read_text(encoding="utf-8"), flags=re.S)
    wrong = [f"the search overlooks '{one}'" for one in EXAMPLES if not finds(one)]
    unused, seen = {(file, part) for file, parts in ALLOWED.items() for part in parts}, 0
    for path, text in texts.items():
        for paragraph in re.split(r"\n\s*\n", text):
            plain = prose(paragraph)
            seen += len(plain.split(". "))
            allowed = [part for part in ALLOWED.get(path.name, {}) if part in plain]
            unused -= {(path.name, part) for part in allowed}
            for part in allowed:
                plain = plain.replace(part, "")
            for found in finds(plain):
                around = plain[max(0, found.start() - 60):found.end() + 30]
                wrong.append(f"{path.relative_to(root)}: '{found[0]}' in: {around}")
    wrong += [f"ALLOWED has '{part}', which {file} does not say" for file, part in sorted(unused)]
    if seen < 500:
        wrong.append(f"only {seen} sentences were found")
    sys.exit("\n".join(wrong) + "\nQuote the number of a record, or leave it out (docs/reference/lessons.md)." if wrong else 0)


if __name__ == "__main__":
    main()
