# Renews what pages show of commands, or with --check says which blocks are stale: outputs.py PARALLAX ROOT [--check]
#
# Such a block begins with <!-- output: parallax WORDS --> and ends with <!-- end -->. The command runs beside the
# committed results. After the words may stand `| lines 1-8,12` (only these lines; `...` stands in place of others).
import pathlib
import re
import shlex
import sys

import generated

BLOCK = re.compile(r"<!-- output: (.+?)(?: \| lines ([\d,-]+))? -->\n.*?<!-- end -->", re.S)


def cut(text, ranges):
    lines, kept, shown = text.splitlines(), [], 0
    if not ranges:
        return lines
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        first, last = int(first), min(int(last or first), len(lines))
        if first > shown + 1:
            kept.append("...")
        kept += lines[first - 1:last]
        shown = last
    return kept + (["..."] if shown < len(lines) else [])


def main():
    program, root, *mode = sys.argv[1:]
    root, wrong, blocks = pathlib.Path(root), [], 0
    # What a command reads beside the results lies where it lies in the sources.
    programs = {"parallax": program}

    def made(match):
        words = shlex.split(match[1])
        words = [str((root / word).resolve()) if word.startswith("docs/examples") else word for word in words]
        text = generated.printed(words, programs, root, any_end=True).replace(str(root.resolve()) + "/", "")
        ending = f" | lines {match[2]}" if match[2] else ""
        lines = "\n".join(line.rstrip() for line in cut(text, match[2]))
        return f"<!-- output: {match[1]}{ending} -->\n```console\n$ {match[1]}\n{lines}\n```\n<!-- end -->"

    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        blocks += len(BLOCK.findall(text))
        now = BLOCK.sub(made, text)
        if not mode:
            page.write_text(now, encoding="utf-8")
        elif now != text:
            wrong.append(f"{page.relative_to(root)} is stale: 'meson compile -C build outputs' refreshes it.")
    if blocks < 10:
        wrong.append(f"only {blocks} blocks were found")
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()
