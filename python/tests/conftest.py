"""What the tests share: the built program, and a folder of their own to work in."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Tests write where nothing of others is, and use the program of the build."""
    monkeypatch.chdir(tmp_path)
    if "PARALLAX" not in os.environ:
        monkeypatch.setenv("PARALLAX", str(ROOT / "build" / "cli" / "parallax"))
    return tmp_path


@pytest.fixture
def script(tmp_path, monkeypatch):
    """Makes a shell script the program: `script("echo hello")`. It is of this package's version."""

    def make(body, version="parallax 1.0.0"):
        file = tmp_path / "program"
        file.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo "{version}"; exit; fi\n{body}\n')
        file.chmod(0o755)
        monkeypatch.setenv("PARALLAX", str(file))
        return file

    return make


@pytest.fixture
def opencl():
    """The OpenCL device of tests; they are skipped where there is none."""
    import parallax_gpu as px

    if not any(device.device == "opencl:0" for device in px.devices()):
        pytest.skip("no OpenCL device")
    return "opencl:0"


@pytest.fixture
def nothing_on_path(monkeypatch):
    monkeypatch.delenv("PARALLAX")
    monkeypatch.setenv("PATH", str(Path(shutil.which("sh")).parent / "none"))
