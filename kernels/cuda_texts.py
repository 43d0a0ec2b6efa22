# Rewrites the committed CUDA texts: cuda_texts.py PARALLAX FOLDER SUITE...
import pathlib
import subprocess
import sys

program, folder, *suites = sys.argv[1:]
for suite in suites:
    words = [program, "show", suite, "--language", "cuda", "--type", "float"]
    done = subprocess.run(words, capture_output=True)
    if done.returncode:
        sys.exit(done.stderr.decode())
    opening = (
        f"// Generated from kernels/{suite}.cl for T = float; "
        "`meson compile cuda-texts` refreshes it.\n"
    )
    (pathlib.Path(folder) / f"{suite}.cu").write_bytes(opening.encode() + done.stdout)
