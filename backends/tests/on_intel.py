"""Runs a test program on Intel's OpenCL for CPUs, where it is: `on_intel.py BUILD PROGRAM ARGUMENTS`."""

import os
import pathlib
import subprocess
import sys
import tempfile

build, program, *arguments = sys.argv[1:]
folders = [pathlib.Path(build) / "intel/lib", pathlib.Path(sys.prefix) / "lib", pathlib.Path.home() / ".local/lib"]
found = [folder / "libintelocl.so" for folder in folders if (folder / "libintelocl.so").exists()]
if not found:
    print(f"Intel's OpenCL is not here. python3 -m venv {build}/intel && {build}/intel/bin/pip install intel-opencl-rt "
          "(225 MB) installs it.")
    sys.exit(77)
with tempfile.TemporaryDirectory() as vendors:
    (pathlib.Path(vendors) / "intel.icd").write_text(f"{found[0].resolve()}\n")
    sys.exit(subprocess.run([program, *arguments], env=os.environ | {"OCL_ICD_VENDORS": vendors}).returncode)
