# Holds the pages against rules: links, headings, the words of the glossary, lengths, how a page opens, and paths that an
# installed program has; and the comments in C++ against the words: pages_test.py ROOT
import hashlib
import pathlib
import re
import sys

import generated

root = pathlib.Path(sys.argv[1]).resolve()
docs = root / "docs"
pages = sorted(docs.rglob("*.md"))
by_hand = [page for page in pages if not generated.words_of(page)]
others = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "results/README.md")]
wrong = []

# Words that pages and comments in C++ do not use, with what they say instead. A word is looked for in prose: not in code,
# links or a page's own comments.
WORDS = {
    r"\b(?:kernel|opencl|cuda|source|both|two|right|left)(?:'s)? texts?\b|\btexts\b|\btext of (?:a|the) kernel\b": "source",
    r"(?<!work-)\bitems?\b": "work-item, thread, element",
    r"(?<!work-)(?<!sub-)(?<!process )\bgroups?\b": "work-group, block",
    r"\bgeometr(?:y|ies)\b": "launch configuration",
    r"\bfigures?\b": "result, number",
    r"\bgate\b": "verification, checks",
    r"\brungs?\b": "step, variant",
    r"(?<!wall-)(?<!vector )\bclock\b(?! frequenc| tick)": "timer, clock frequency",
    r"\bby turns\b|\bin turns?\b|\btakes? turns\b": "alternately",
    r"\ba look\b|\blooks\b": "interim analysis, run",
    r"\boperations a byte\b": "arithmetic intensity",
    r"\bto the bit\b": "bitwise identical",
    r"\bcopy(?:'s)? speed\b|\bspeed of (?:a|the) copy\b": "copy bandwidth",
    r"\b(?:lies|lie|stands?(?!-in)|beside|anew|mended|at times)\b|\bbehind the end\b":
        "is, next to, again, fixed, sometimes, past the end",
    r"\b(?:who|whom|whoever|nobody|nobody's|somebody|somebody's|everybody|everybody's)\b": "the process, the user, none",
    r"\bas many as\b|\bso many\b": "a number",
    r"\b(?:crew|seats?|workshop|witness(?:es)?|answerer|contest|keeper|shelf|hostile|strangers?)\b":
        "the words of the glossary",
}
COMMENT = re.compile(r"(?:^|\s)//[/!]?<?(.*)$")
# What the search has to find, and what it may not find.
BAD = ["Both texts of a kernel", "Items are fibers", "a group of 64", "the gate found", "who needs it", "taken by turns",
       "the last rung", "its figure", "one clock for both", "it lies behind the end", "the same to the bit", "a look at it"]
GOOD = ["work-items of a work-group", "text, Markdown and HTML", "the GPU's clock frequency", "a sub-group", "standard error",
        "clocks are recorded", "understand", "look at the report", "its process group", "wall-clock time", "a stand-in",
        "a vector clock"]


def prose(text):
    """Without code, comments and the targets of links; lines keep their numbers."""
    def blank(match):
        return "\n" * match[0].count("\n")

    text = re.sub(r"<!-- made: .*?<!-- end -->|<!-- .*? -->", blank, text, flags=re.S)
    text = re.sub(r"^ *```.*?^ *```", blank, text, flags=re.M | re.S)
    text = re.sub(r"^ {4}.*$", "", text, flags=re.M)
    text = re.sub(r"`[^`]*`", lambda match: "x" + blank(match), text)
    text = re.sub(r"\[[^\]\n]*/[^\]\n]*\]\(", "](", text)  # a link that is called like its file
    return re.sub(r"\]\([^)]*\)|<[^>\n]+>", "]", text)


def comments(text):
    """Comments without code and the names of parameters; lines keep their numbers."""
    found = (COMMENT.search(line) if "//" in line else None for line in text.splitlines())
    return re.sub(r"`[^`\n]*`|@param +\w+", "x", "\n".join(match[1] if match else "" for match in found))


def found_words(text):
    found = [(match.span(), better) for pattern, better in WORDS.items() for match in re.finditer(pattern, text.lower())]
    return [(at, text[at:end], better) for (at, end), better in found if not text[at:end].isupper()]  # GROUP is a constant


def check_words(name, plain):
    wrong.extend(f"{name}:{plain.count(chr(10), 0, at) + 1}: '{word}': write {better}"
                 for at, word, better in found_words(plain))


for text in BAD:
    if not found_words(text):
        wrong.append(f"the search for words overlooks '{text}'")
for text in GOOD:
    wrong += [f"the search for words finds '{word}' in '{text}'" for _, word, _ in found_words(text)]

folders = [one for one in root.glob("[!.]*/") if one.is_dir() and not (one / "build.ninja").exists()]
for path in sorted(path for folder in folders for path in folder.rglob("*.[ch]pp")):
    check_words(path.relative_to(root), comments(path.read_text(encoding="utf-8")))
lines = {"prose": 0}
for page in by_hand + others[:1]:
    name, text = page.relative_to(root), page.read_text(encoding="utf-8")
    plain = prose(text)
    check_words(name, plain)
    for word in re.findall(r"/work/|/tmp/w\d|/home/|\bpypi\.org|@example\.org|\bissue \d+", text):
        wrong.append(f"{name} names '{word}'")
    for number, line in enumerate(plain.splitlines(), 1):
        if len(line) > 120 and not line.startswith("|"):
            wrong.append(f"{name}:{number} has {len(line)} columns, more than 120")
    count = text.count("\n")
    folder = name.parts[1] if len(name.parts) > 2 else ""
    if folder not in ("reference", "results"):
        lines["prose"] += count
    limit = 80 if page.name == "README.md" else 200
    if count > limit and folder != "reference":
        wrong.append(f"{name} has {count} lines, more than {limit}")
    if page in by_hand:
        opening = re.sub(r"\s+", " ", plain.split("\n\n")[1] if "\n\n" in plain else "")
        starts = {"start": "At the end of this page", "guides": "At the end of this page"}.get(folder, "This page")
        if not opening.strip().startswith(starts) and page.name != "index.md":
            wrong.append(f"{name} does not open with '{starts} ...'")
    # A path of the sources that an installed tree has elsewhere, or has not.
    if page in by_hand and re.search(r"(?:^|[\s`(])docs/examples/", text) and "share/doc/parallax-gpu" not in text:
        wrong.append(f"{name} names docs/examples and not where an installed tree has it (share/doc/parallax-gpu)")
    sources = r"(?:^|[\s`])(?:fleet/|benchmarks/|tests/|packaging/|\.ci/|results/nvidia-h200|results/refresh)"
    if page in by_hand and re.search(sources, text, re.M) and "source tree" not in text:
        wrong.append(f"{name} names a path of the source tree without saying so")
if (count := (root / "CONTRIBUTING.md").read_text(encoding="utf-8").count("\n")) > 250:
    wrong.append(f"CONTRIBUTING.md has {count} lines, more than 250")
# CI runs these two, and finds them by their beginning.
readme = (root / "README.md").read_text(encoding="utf-8")
if (count := len(re.findall(r"^    \./setup\.sh && ", readme, re.M))) != 2:
    wrong.append(f"README.md has {count} commands that begin with ./setup.sh, not two")
if lines["prose"] > 3500:
    wrong.append(f"pages without reference and results have {lines['prose']} lines, more than 3500")


def headings(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in re.findall(r"^#+ +(.+?) *$", text, flags=re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        found.add(re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-"))
    return found


seen = 0
for page in others + pages:
    text = re.sub(r"^```.*?^```|^ {4}.*?$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)|src(?:set)?=\"([^\"]+)\"", text):
        link = link[0] or link[1]
        if re.match(r"[a-z]+:", link):
            continue
        seen += 1
        file, _, heading = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists():
            wrong.append(f"{page.relative_to(root)}: there is no {link}")
        elif heading and target.suffix == ".md" and target not in pages + others:
            wrong.append(f"{page.relative_to(root)}: {link} is no page")
        elif heading and target.suffix == ".md" and not generated.words_of(target) and heading not in headings(target):
            wrong.append(f"{page.relative_to(root)}: {file} has no heading for #{heading}")
page = root / "results/nvidia-h100-80gb-hbm3/diff.html"
if (docs / "pictures/page.sha256").read_text().strip() != hashlib.sha256(page.read_bytes()).hexdigest():
    wrong.append(f"docs/pictures are older than {page.relative_to(root)}: 'meson compile -C build pictures' renews them")
book = (root / "mkdocs.yml").read_text(encoding="utf-8")
for page in pages:
    if not re.search(rf"\s{re.escape(str(page.relative_to(docs)))}$", book, re.M):
        wrong.append(f"mkdocs.yml lacks {page.relative_to(docs)}")
if seen < 100 or len(by_hand) < 20:
    wrong.append(f"only {seen} links and {len(by_hand)} pages were found")
sys.exit("\n".join(wrong) if wrong else 0)
