"""The examples of the documentation run."""

import json
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
