# Follows every link of the Markdown pages that stays in the repository, to its file and its heading, and asks
# that every page of docs/ is in the book: links_test.py ROOT
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
pages = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "results/README.md")]
pages += sorted((root / "docs").glob("*.md"))
wrong, seen = [], 0


def plain(page):
    return re.sub(r"^```.*?^```|^ {4}.*?$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def headings(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in re.findall(r"^#+ +(.+?) *$", text, flags=re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        found.add(re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-"))
    return found


for page in pages:
    for link in re.findall(r"\]\(([^)\s]+)\)|src(?:set)?=\"([^\"]+)\"", plain(page)):
        link = link[0] or link[1]
        if re.match(r"[a-z]+:", link):
            continue
        seen += 1
        file, _, heading = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists():
            wrong.append(f"{page.relative_to(root)}: there is no {link}")
        elif heading and target.suffix == ".md" and heading not in headings(target):
            wrong.append(f"{page.relative_to(root)}: {file} has no heading for #{heading}")
book = (root / "mkdocs.yml").read_text(encoding="utf-8")
for page in (root / "docs").glob("*.md"):
    if not re.search(rf"\s{re.escape(page.name)}$", book, re.M):
        wrong.append(f"mkdocs.yml lacks {page.name}")
if len((root / "README.md").read_text(encoding="utf-8").splitlines()) > 120:
    wrong.append("README.md has more than 120 lines: its pages are under docs/")
if seen < 100:
    wrong.append(f"only {seen} links were found")
sys.exit("\n".join(wrong) if wrong else 0)
