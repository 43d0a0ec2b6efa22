# Runs the package's tests in a Python that has numpy and pytest: run.py PARALLAX TESTS...  77: there is none.
import os
import subprocess
import sys

parallax, *tests = sys.argv[1:]
parallax = os.path.abspath(parallax)
probe = "import sys, numpy, pytest; sys.exit(sys.version_info < (3, 9))"
pythons = [os.environ.get("PARALLAX_TEST_PYTHON"), sys.executable, "/usr/bin/python3"]
for python in filter(None, pythons):
    if os.path.exists(python) and subprocess.run([python, "-c", probe], stderr=subprocess.DEVNULL).returncode == 0:
        break
else:
    print("No Python here has numpy and pytest. apt-get install python3-numpy python3-pytest")
    sys.exit(77)
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
environment = {**os.environ, "PARALLAX": parallax, "PYTHONPATH": root, "PYTHONDONTWRITEBYTECODE": "1"}
words = ["-m", "pytest", "-q", "-ra", "-p", "no:cacheprovider", "-c", os.path.join(root, "pyproject.toml"), *tests]
sys.exit(subprocess.run([python, *words], env=environment, cwd=root).returncode)
