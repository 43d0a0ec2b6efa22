"""The package is typed and tidy, as far as the tools are installed."""

import subprocess
import sys

import pytest
from conftest import ROOT


@pytest.mark.parametrize("tool, words", [("mypy", ["--strict", "parallax_gpu"]), ("ruff", ["check", "."])])
def test_tool(tool, words):
    pytest.importorskip(tool)
    done = subprocess.run(
        [sys.executable, "-m", tool, *words], cwd=ROOT / "python", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
