# Rewrites the committed CUDA texts: cuda_texts.py PARALLAX FOLDER SUITE...
import pathlib
import re
import subprocess
import sys

program, folder, *suites = sys.argv[1:]
for suite in suites:
    words = [program, "show", suite, "--language", "cuda"]
    done = subprocess.run(words, capture_output=True)
    if done.returncode:
        sys.exit(done.stderr.decode())
    source = (pathlib.Path(folder).parent / f"{suite}.cl").read_text(encoding="utf-8")
    with_type = " for T = float" if re.search(r"\bT[24]?\b", source) else ""
    opening = (
        f"// Generated from kernels/{suite}.cl{with_type}; "
        "`meson compile cuda-texts` refreshes it.\n"
    )
    (pathlib.Path(folder) / f"{suite}.cu").write_bytes(opening.encode() + done.stdout)
