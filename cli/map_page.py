# Renews docs/map.md, or with --check says whether it is what `parallax map` makes:
# map_page.py PARALLAX ROOT [--check]
import pathlib
import subprocess
import sys

program, root, *mode = sys.argv[1:]
page = pathlib.Path(root) / "docs" / "map.md"
done = subprocess.run([program, "map", "--format", "md"], capture_output=True)
if done.returncode:
    sys.exit(done.stderr.decode())
if not mode:
    page.write_bytes(done.stdout)
elif not page.exists() or page.read_bytes() != done.stdout:
    sys.exit("docs/map.md is stale: 'meson compile -C build map-page' refreshes it.")
