# Renews docs/map.md, or with --check says whether it is what `parallax map` makes:
# map_page.py PARALLAX ROOT [--check]
import pathlib
import sys

from kept_page import keep

program, root, *mode = sys.argv[1:]
root = pathlib.Path(root)
keep(root / "docs" / "map.md", "map-page", [program, "map", "--format", "md"], root, mode)
