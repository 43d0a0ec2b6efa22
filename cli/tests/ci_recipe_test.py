# Runs the CI recipe of docs/guides/ci.md with the built program: ci_recipe_test.py PROGRAM ROOT
#
# The step's commands are taken from the page as they are. They run in a folder with kernels of the examples, as a
# runner does it in a container: with sh -e, and a file for the summary. A kernel that is wrong has to fail the job.
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import xml.etree.ElementTree as ET

program, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
page = (root / "docs/guides/ci.md").read_text(encoding="utf-8")
job = page[page.index("Verify both versions"):]
step = re.search(r"^( +)run: \|\n((?:\1  .*\n|\n)+)", job, re.M)
script = textwrap.dedent(step[2])
assert "my-kernels/*.json" in script and "GITHUB_STEP_SUMMARY" in script, script


def follow(folder):
    """@returns the exit code, all tests by name, and the summary"""
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    if not (tools / "parallax").exists():
        (tools / "parallax").symlink_to(program)
    summary = folder / "step.md"
    given = {"PATH": f"{tools}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(summary)}
    done = subprocess.run(["sh", "-e", "-c", script], cwd=folder, env={**os.environ, **given}, text=True,
                          capture_output=True, check=False)
    tests = {}
    for file in sorted(folder.glob("junit/*.xml")):
        for case in ET.parse(file).getroot().iter("testcase"):
            tests[f"{file.name}: {case.get('name')}"] = case
    return done, tests, summary.read_text(encoding="utf-8") if summary.exists() else ""


with tempfile.TemporaryDirectory(prefix=f"parallax-{os.getpid()}-") as place:
    folder = pathlib.Path(place)
    shutil.copytree(root / "docs/examples/histogram", folder / "my-kernels")
    done, tests, summary = follow(folder)
    assert done.returncode == 0, done.stderr
    assert sorted({name.split(":")[0] for name in tests}) == ["histogram-diff.xml", "histogram-run.xml"], tests.keys()
    assert all(len(case) == 0 for case in tests.values()), "a passing case says nothing"
    assert any("host:0" in name for name in tests) and "histogram" in summary, summary

    # A kernel that is wrong.
    kernel = folder / "my-kernels/histogram.cl"
    text = kernel.read_text(encoding="utf-8")
    kernel.write_text(text.replace("atomic_inc(&bins[values[i]])", "atomic_add(&bins[values[i]], 2)"), encoding="utf-8")
    done, tests, summary = follow(folder)
    assert done.returncode == 1, (done.returncode, done.stderr)
    failures = [case.find("failure") for case in tests.values() if case.find("failure") is not None]
    assert failures and all(one.get("type") == "wrong" for one in failures), tests.keys()
    assert "WRONG" in summary, summary

    # The last kernel does not hide what an earlier one did, and a manifest that cannot be read is a test.
    broken = json.loads((folder / "my-kernels/histogram.json").read_text(encoding="utf-8"))
    (folder / "my-kernels/z.json").write_text(json.dumps({**broken, "name": "z", "source": "z.cl"}), encoding="utf-8")
    (folder / "my-kernels/z.cl").write_text(text.replace("atomic_inc(", "atomic_ink("), encoding="utf-8")
    done, tests, summary = follow(folder)
    assert done.returncode == 1, (done.returncode, done.stderr)
    (folder / "my-kernels/y.json").write_text("{", encoding="utf-8")
    done, tests, summary = follow(folder)
    assert done.returncode == 2, (done.returncode, done.stderr)
    errors = [case.find("error") for name, case in tests.items() if name.startswith("y-")]
    assert [one.get("type") for one in errors] == ["unusable"] * 2, tests.keys()
    assert "y.json" in summary, summary
