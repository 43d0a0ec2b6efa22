# Reads the table of modules in CONTRIBUTING.md and every include, and says which is against the table:
# modules_test.py ROOT
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
row = re.compile(r"^\| `(\w+)/` \| (.+?) \| ?(.*?) ?\|$", re.M)
modules = {
    name: None if "everything" in may else set(re.findall(r"`(\w+)/`", may))
    for name, _, may in row.findall((root / "CONTRIBUTING.md").read_text(encoding="utf-8"))
}
wrong = []


def sources():
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "*.cpp", "*.hpp"],
            cwd=root, capture_output=True, text=True, check=True,
        ).stdout.split()
        return [root / name for name in listed if (root / name).exists()]
    except (OSError, subprocess.CalledProcessError):  # no checkout: an archive
        return [p for e in ("cpp", "hpp") for name in modules for p in (root / name).rglob("*." + e)]


# Headers of the APIs, of JSON and of command lines, and who may read them.
libraries = {
    r"CL/": ("backends/opencl/", "capture/", "benchmarks/", "docs/examples/"),
    r"(cuda|nvrtc|cupti)[\w/]*\.h": ("backends/cuda/", "capture/cuda/", "benchmarks/", "docs/examples/",
                                     "mapping/tests/"),
    r"nlohmann/": ("records/", "report/", "suites/manifest/", "benchmarks/",
                   "capture/", "mapping/from_cuda/"),
    r"boost/program_options": ("cli/", "benchmarks/"),
    r"boost/context": ("backends/host/",),
}
# A temporary folder or file that does not carry its process in its name stays when that is ended.
unswept = r"\b(?:mkdtemp|mko?stemps?|tmp(?:file|nam)|temp_directory_path|TempDir)\("
makers = ("common/process/process_folders.cpp", "common/text/temporary_folder.hpp",
          "backends/opencl/platforms.cpp",  # named in the same way
          "capture/tests/captured_program.cpp")  # a program that is captured
seen = 0
for path in sources():
    name = path.relative_to(root).as_posix()
    module = name.split("/")[0]
    if module not in modules:
        wrong.append(f"{name}: CONTRIBUTING.md knows no module {module}/")
        continue
    is_test = "/tests/" in "/" + name
    text = path.read_text(encoding="utf-8")
    if name not in makers and re.search(unswept, text):
        wrong.append(f"{name} makes a temporary folder or file that is not a TemporaryFolder")
    for header in re.findall(r'^#\s*include\s*<([^>]+)>', text, re.M):
        for pattern, homes in libraries.items():
            if re.match(pattern, header) and not name.startswith(homes) and not is_test:
                wrong.append(f"{name} includes <{header}>, which is for {', '.join(homes)}")
    if is_test or modules[module] is None:
        continue  # tests use what they need
    for header in re.findall(r'^#\s*include\s*"([^"]+)"', text, re.M):
        other = header.split("/")[0]
        seen += 1
        if "/" in header and other in modules and other != module and other not in modules[module]:
            wrong.append(f"{name} includes {header}: {module}/ may include {sorted(modules[module])}")
        if name.startswith("mapping/analyze/") and header.startswith("mapping/preprocess/"):
            wrong.append(f"{name} includes {header}: the preprocessor uses the lexer, and not the other way round")
for folder in sorted(p.name for p in root.iterdir() if p.is_dir()):
    if folder not in modules and not folder.startswith((".", "build", "__")):
        wrong.append(f"CONTRIBUTING.md does not say what {folder}/ is for")
# The way of a command from its words to a launch: each name is in the file beside it.
page = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
way = re.findall(r"^\d+\. `([\w:]+)` \(`([\w/.]+)`\)", page, re.M)
for name, file in way:
    path = root / file
    if not path.exists() or not re.search(r"\b" + name.split("::")[-1] + r"\(", path.read_text(encoding="utf-8")):
        wrong.append(f"CONTRIBUTING.md: there is no {name} in {file}")
if not 5 <= len(way) <= 15:
    wrong.append(f"CONTRIBUTING.md shows {len(way)} steps from the command line to a launch")
if len(modules) < 10 or seen < 500:
    wrong.append(f"only {len(modules)} modules and {seen} includes were found: is the table there?")
sys.exit("\n".join(wrong) if wrong else 0)
