# Renews the tables of docs/record.md, or with --check says whether they are what the member lists of
# records/ make: record_page.py RECORD_MEMBERS ROOT [--check]
import pathlib
import re
import subprocess
import sys

program, root, *mode = sys.argv[1:]
page = pathlib.Path(root) / "docs" / "record.md"
made = subprocess.run([program], capture_output=True, text=True, check=True).stdout
tables = dict(re.findall(r"<!-- members: (\w+) -->\n(.*?)\n(?=<!-- members|\Z)", made + "\n", re.S))
text = page.read_text(encoding="utf-8")
used = re.findall(r"<!-- members: (\w+) -->", text)
if set(used) != set(tables) or len(used) != len(set(used)):
    sys.exit(f"docs/record.md needs each part of a line once: {sorted(set(used) ^ set(tables))}")


def table(match):
    return f"<!-- members: {match[1]} -->\n{tables[match[1]].strip()}\n<!-- end -->"


now = re.sub(r"<!-- members: (\w+) -->\n.*?<!-- end -->", table, text, flags=re.S)
if not mode:
    page.write_text(now, encoding="utf-8")
elif now != text:
    sys.exit("docs/record.md is stale: 'meson compile -C build record-page' refreshes it.")
