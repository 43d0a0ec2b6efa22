"""Each Parallax manifest next to this file is a case of pytest."""
import json

import parallax_gpu as px
import pytest


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".json" and json.loads(file_path.read_text()).get("parallax") == "manifest":
        return Manifest.from_parent(parent, path=file_path)


class Manifest(pytest.File):
    def collect(self):
        yield Check.from_parent(self, name="check")


class Check(pytest.Item):
    def runtest(self):
        # Without a reference, two devices are compared with each other.
        px.run(self.path, device=["opencl:0", "host:0"], check=True, strict=True)

    def repr_failure(self, excinfo):
        return str(excinfo.value)
