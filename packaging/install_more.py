"""Writes the manual's pages, and copies the licences of libraries that are in the program: install_more.py
PROGRAM MANDIR DOCDIR. Meson names the place in MESON_INSTALL_DESTDIR_PREFIX."""
import os
import pathlib
import shutil
import subprocess
import sys

program, manuals, documents = sys.argv[1:]
prefix = pathlib.Path(os.environ["MESON_INSTALL_DESTDIR_PREFIX"])


def said(*words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


folder = prefix / manuals / "man1"
folder.mkdir(parents=True, exist_ok=True)
(folder / "parallax.1").write_text(said("--man"), encoding="utf-8")
for line in said("--complete", "").splitlines():
    name = line.split("\t")[0]
    if not name.startswith("-"):
        (folder / f"parallax-{name}.1").write_text(said("--man", name), encoding="utf-8")

# Debian's own words on each library whose text or archive is in the program.
licenses = prefix / documents / "licenses"
for package in """libboost1.74-dev libdtl-dev libfmt-dev libmd4c-dev libmuparser-dev libxxhash-dev libyaml-cpp-dev
        libzstd-dev nlohmann-json3-dev opencl-clhpp-headers opencl-c-headers libtomlplusplus-dev libjs-chart.js
        libjs-highlight.js ocl-icd-libopencl1 libgomp1 libstdc++6""".split():
    file = pathlib.Path("/usr/share/doc") / package / "copyright"
    if file.exists():
        licenses.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, licenses / f"{package}.txt")
