"""The examples of the documentation run."""

import doctest
import json
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "docs" / "examples"


def test_manifests_are_cases_of_pytest(opencl, tmp_path):
    for file in ("saxpy.cl", "saxpy.json"):
        shutil.copy(EXAMPLES / "saxpy" / file, tmp_path)
    shutil.copy(EXAMPLES / "python" / "conftest.py", tmp_path)
    (tmp_path / "settings.json").write_text("{}")  # no manifest
    right = json.loads((tmp_path / "saxpy.json").read_text())
    right["variants"][0]["kernel"] = "nothing"
    (tmp_path / "wrong.json").write_text(json.dumps(right))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "nothing" in done.stdout


def test_notebook(opencl, tmp_path):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    for needed in ("ipykernel", "matplotlib", "pandas"):
        pytest.importorskip(needed)
    notebook = nbformat.read(EXAMPLES / "python" / "gap.ipynb", as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()  # but the cell with the tag skip-execution, which installs the package
    kinds = {kind for cell in notebook.cells for output in cell.get("outputs", []) for kind in output.get("data", {})}
    assert {"image/png", "text/html"} <= kinds


def test_the_guide_shows_what_its_lines_print(opencl):
    page = (ROOT / "docs" / "guides" / "python.md").read_text(encoding="utf-8")
    blocks = "".join(re.findall(r"```python\n(>>> .*?)```", page, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(blocks, {}, "python.md", None, None)
    assert len(test.examples) >= 6
    said = []
    assert doctest.DocTestRunner(verbose=False).run(test, out=said.append).failed == 0, "".join(said)


def test_smoothed_image(opencl, tmp_path):
    def run(name, data, *words):
        (tmp_path / name).write_bytes(data)
        return subprocess.run([sys.executable, EXAMPLES / "smooth/smooth.py", tmp_path / name, *words], capture_output=True,
                              text=True, check=False)  # fmt: skip

    done = run("in.pgm", b"P5 # grey\n3 2\n255\n" + bytes([0, 9, 0, 18, 0, 255]), tmp_path / "out.pam", opencl)
    assert done.returncode == 0, done.stdout + done.stderr
    assert opencl in done.stdout
    head, pixels = (tmp_path / "out.pam").read_bytes().split(b"ENDHDR\n")
    assert b"WIDTH 3\nHEIGHT 2\nDEPTH 1\nMAXVAL 255\n" in head
    assert list(pixels) == [7, 47, 66, 7, 47, 66]  # means of 4, 6 and 4 values
    for name, data, said in (("text.ppm", b"P3 1 1 255 1 2 3", "binary"), ("short.ppm", b"P6 2 2 255\n123", "3 bytes"),
                             ("above.pgm", b"P5 1 1 99\n\xc8", "above"), ("none.pgm", b"P5 0 1 9\n", "at least 1")):  # fmt: skip
        done = run(name, data, tmp_path / "none.pam")
        assert done.returncode == 1 and said in done.stderr, done.stderr
    assert not (tmp_path / "none.pam").exists()
