# Rewrites the committed CUDA texts: cuda_texts.py TOOL FOLDER CONSTANT,CONSTANT... KERNEL.cl...
import pathlib
import subprocess
import sys

tool, folder, constants, *kernels = sys.argv[1:]
for kernel in map(pathlib.Path, kernels):
    done = subprocess.run([tool, kernel, "float", *constants.split(",")], capture_output=True)
    if done.returncode:
        sys.exit(done.stderr.decode())
    opening = (
        f"// Generated from kernels/{kernel.name} for T = float; "
        "`meson compile cuda-texts` refreshes it.\n"
    )
    target = pathlib.Path(folder) / f"{kernel.stem}.cu"
    target.write_bytes(opening.encode() + done.stdout)
