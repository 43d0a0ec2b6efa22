# Installs the program, moves the tree, and uses it from an empty folder with an environment that knows nothing of
# the sources: install_test.py BUILD
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import real_shells

build = pathlib.Path(sys.argv[1]).resolve()


def expect(condition, what):
    if not condition:
        sys.exit(f"install_test: {what}")


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--destdir", work / "first"],
                   check=True, capture_output=True)
    program = next((work / "first").rglob("bin/parallax"))
    (work / "moved to").mkdir()
    tree = program.parent.parent.rename(work / "moved to" / "tree")
    empty = work / "empty"
    empty.mkdir()

    def run(*words):
        return subprocess.run([tree / "bin/parallax", *words], cwd=empty, capture_output=True, text=True,
                              env={"HOME": str(work), "PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(work)})

    done = run("diff", "results/nvidia-h100-80gb-hbm3/diff.jsonl", "--json")
    expect(done.returncode == 0 and '"zero_copy"' in done.stdout, f"no installed results: {done.stderr}")
    done = run("lesson", "transpose", "--from", "results/nvidia-h100-80gb-hbm3")
    expect(done.returncode == 0 and "cuda:0" in done.stdout, f"no lesson of them: {done.stderr}")
    done = run("published", "transpose")
    expect("H100" in done.stdout, f"no published row of them: {done.stdout}")
    if next(tree.rglob("libparallax_capture.so"), None):
        # Something that calls no OpenCL: the layer was found all the same.
        done = run("capture", "-o", "app", "--", "true")
        expect("nothing was captured" in done.stderr, f"no layer: {done.stderr}")
    names = {line.split("\t")[0] for line in run("--complete", "").stdout.splitlines()}
    commands = {name for name in names if not name.startswith("-")}
    expect(len(commands) > 10, f"commands: {commands}")
    manuals = {page.stem for page in (tree / "share/man/man1").iterdir()}
    expect(manuals == {"parallax", *(f"parallax-{name}" for name in commands)}, f"manuals: {manuals}")
    for file in ("share/bash-completion/completions/parallax", "share/zsh/site-functions/_parallax",
                 "share/fish/vendor_completions.d/parallax.fish", "share/parallax/lessons/transpose.yaml",
                 "share/doc/parallax-gpu/docs/start/install.md", "share/doc/parallax-gpu/licenses.md"):
        expect((tree / file).stat().st_size > 0, file)
    # A folder of the build in the program would lead nowhere, and differ from build to build, as a time does.
    # Sanitizers and counters have the names of all sources, which they tell.
    options = {one["name"]: one["value"] for one in json.loads(
        subprocess.check_output(["meson", "introspect", "--buildoptions", build]))}
    tells_sources = options["b_sanitize"] != "none" or options["b_coverage"]
    if tells_sources:
        print("install_test: with sanitizers or counters the program names its sources: the folder is not searched for")
    for file in (tree / "bin/parallax", *tree.rglob("*.so")):
        expect(tells_sources or str(build).encode() not in file.read_bytes(), f"{file.name} names {build}")
        times = set(re.findall(rb"[A-Z][a-z]{2} [ \d]\d \d{4} \d\d:\d\d:\d\d", file.read_bytes()))
        expect(times <= {b"Jan  1 2000 00:00:00"}, f"{file.name} names times: {times}")
    home = work / "home"
    home.mkdir()
    wrong, missing = real_shells.complaints(tree, home)
    expect(not wrong, "\n".join(wrong))
    for name in missing:
        print(f"install_test: {name} is not here: its completion was not tried. Debian: apt-get install {name}")
