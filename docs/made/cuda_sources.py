# Rewrites the committed CUDA sources: cuda_sources.py PARALLAX FOLDER SUITE|TEXT=SUITE/VARIANT...
import pathlib
import re
import subprocess
import sys

program, folder, *texts = sys.argv[1:]
for text in texts:
    name, _, variant = text.partition("=")
    words = [program, "show", variant or name, "--language", "cuda"]
    done = subprocess.run(words, capture_output=True)
    if done.returncode:
        sys.exit(done.stderr.decode())
    source = (pathlib.Path(folder).parent / f"{name}.cl").read_text(encoding="utf-8")
    with_type = " for T = float" if re.search(r"\bT[24]?\b", source) else ""
    opening = (
        f"// Generated from kernels/{name}.cl{with_type}; "
        "`meson compile -C build cuda-sources` refreshes it.\n"
    )
    (pathlib.Path(folder) / f"{name}.cu").write_bytes(opening.encode() + done.stdout)
