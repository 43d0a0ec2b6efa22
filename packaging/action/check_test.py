"""Runs the action's step as GitHub's runner would, on kernels that are right, wrong and do not compile: check_test.py
PROGRAM ROOT"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

program, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
inputs = re.findall(r"^  (\S+):$", (root / "packaging/action/action.yml").read_text().split("outputs:")[0], re.M)
example = root / "docs/examples/histogram"
manifest = json.loads((example / "histogram.json").read_text())
manifest["variants"] = manifest["variants"][:1]
source = (example / "histogram.cl").read_text()
KERNELS = {"right": source,
           "wrong": source.replace("atomic_inc(&bins[values[i]])", "atomic_add(&bins[values[i]], 2)", 1),
           "broken": source.replace("atomic_inc(", "atomic_ink(", 1)}


def line_of(words):
    return 1 + source[:source.index(words)].count("\n")


def step(folder, manifests, **more):
    """@returns what ended, and what the runner's files hold"""
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    if not (tools / "parallax").exists():
        (tools / "parallax").symlink_to(program)
    files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("")
    given = {f"INPUT_{name.upper().replace('-', '_')}": "" for name in inputs}
    given |= {"INPUT_MANIFESTS": manifests, "RUNNER_TEMP": str(folder), "PATH": f"{tools}:{os.environ['PATH']}", **more}
    given |= {name: str(file) for name, file in files.items()}
    done = subprocess.run([sys.executable, root / "packaging/action/check"], cwd=folder, env={**os.environ, **given},
                          text=True, capture_output=True, check=False)
    outputs = dict(line.split("=") for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    assert int(outputs["exit-code"]) == done.returncode, (outputs, done.stderr)
    return done, outputs["verdict"], files["GITHUB_STEP_SUMMARY"].read_text()


def errors(done):
    return [line for line in done.stdout.splitlines() if line.startswith("::error")]


with tempfile.TemporaryDirectory(prefix=f"parallax-{os.getpid()}-") as place:
    folder = pathlib.Path(place)
    (folder / "kernels").mkdir()
    for name, text in KERNELS.items():
        assert name == "right" or text != source, name
        (folder / f"kernels/{name}.cl").write_text(text)
        (folder / f"kernels/{name}.json").write_text(json.dumps({**manifest, "name": name, "source": f"{name}.cl"}))

    done, verdict, summary = step(folder, "kernels/right.json", INPUT_DEVICES="opencl:0 host:0")
    assert (done.returncode, verdict, errors(done)) == (0, "passed", []), (done.stdout, done.stderr)
    report = folder / "parallax-report"
    assert "Parallax: passed" in summary and "right" in summary, summary
    assert (report / "kernels-right.html").stat().st_size > 0 and (report / "kernels-right-diff.jsonl").exists()
    assert {file.name for file in (report / "junit").iterdir()} == {"kernels-right-run.xml", "kernels-right-diff.xml"}

    done, verdict, summary = step(folder, "kernels/wrong.json kernels/broken.json", INPUT_DEVICES="opencl:0")
    assert (done.returncode, verdict) == (1, "wrong"), (done.stdout, done.stderr)
    wrong, broken = sorted(errors(done), key=lambda line: "broken" in line)
    assert wrong.startswith(f"::error file=kernels/wrong.cl,line={line_of('void global_atomics')},"
                            "title=wrong::wrong/global "), wrong
    assert " on opencl:0: wrong: 1 of 256 element(s) wrong" in wrong, wrong
    assert re.search(r"To repeat: parallax run kernels/wrong.json --check --strict -d opencl:0 --seed \d+$", wrong), wrong
    place = f"::error file=kernels/broken.cl,line={line_of('atomic_inc')},title=failed::broken/global"
    assert broken.startswith(place) and "'atomic_ink'" in broken, broken
    assert "&#47;broken&#46;cl" in summary and "atomic_ink" not in summary, summary
    assert "To repeat&#58; parallax run kernels&#47;broken&#46;json" in summary, summary
    failures = ET.parse(report / "junit/kernels-broken-run.xml").getroot()
    assert any(case.find("failure") is not None for case in failures.iter("testcase"))

    # A comparison that was measured before stands for `diff`: how fast this machine is decides nothing.
    stored = (root / "results/nvidia-h100-80gb-hbm3/examples.jsonl").read_text().splitlines()
    stored = [line for line in stored if '"variant":"tiled"' in line]
    (folder / "stored.jsonl").write_text("\n".join(stored).replace('"name":"tiled"', '"name":"global_atomics"')
                                         .replace("convolution", "right").replace("tiled", "global"))
    (folder / "tools/parallax").unlink()
    (folder / "tools/parallax").write_text(f"""#!{sys.executable}
import os, sys
words = sys.argv[1:]
if words[0] == "diff":
    data = words.index("--data")
    words = ["diff", "stored.jsonl", *words[3:data], *words[data + 2:]]
os.execv("{program}", ["parallax", *words])
""")
    (folder / "tools/parallax").chmod(0o755)
    done, verdict, summary = step(folder, "kernels/right.json", INPUT_DEVICES="opencl:0 opencl:0",
                                  INPUT_MAX_SLOWDOWN="0.1%")
    (folder / "tools/parallax").unlink()
    assert (done.returncode, verdict) == (3, "slower"), (verdict, done.stdout, done.stderr)
    place = f"::error file=kernels/right.cl,line={line_of('void global_atomics')},title=slower::right/global"
    assert errors(done)[0].startswith(place) and "slower" in errors(done)[0], errors(done)

    # A kernel that is newer than the baseline is not held against the other device instead.
    done, verdict, summary = step(folder, "kernels/right.json", INPUT_DEVICES="opencl:0 host:0",
                                  INPUT_MAX_SLOWDOWN="5%", INPUT_BASELINE="parallax")
    assert (verdict, errors(done)) == ("passed", []), (verdict, done.stdout)
    assert "::notice file=kernels/right.json::The baseline lacks" in done.stdout, done.stdout

    (folder / "kernels/odd.json").write_text('{"parallax": "manifest"}')
    done, verdict, summary = step(folder, "kernels/odd.json", INPUT_DEVICES="opencl:0")
    assert (done.returncode, verdict) == (2, "unusable"), (done.stdout, done.stderr)
    assert errors(done)[0].startswith("::error file=kernels/odd.json,line=1,title=unusable::"), done.stdout

    # Whatever files and kernels are called and print, reports are apart, and neither the runner nor Markdown obeys it.
    outside = folder / "outside"
    for name in ("outside", "kernels/a"):
        (folder / name).mkdir()
    subprocess.run(["rm", "-r", report], check=True)
    report.symlink_to(outside)
    broken = source + '\n#error ![x](http://evil/p.png) <img src=x> `|`\n'
    prints = '(get_global_id(0) == 0 ? printf("\\n::stop-commands::x\\n") : 0), atomic_inc(&bins'
    texts = {"kernels/a/m": KERNELS["wrong"], "kernels/a-m": source, "--output=victim": source, "kernels/broken": broken,
             "kernels/a::add-mask::o": source.replace("atomic_inc(&bins", prints, 1)}
    for number, (name, text) in enumerate(texts.items()):
        file = folder / f"{name}.json"
        (file.parent / f"s{number}.cl").write_text(text)
        file.write_text(json.dumps({**manifest, "name": f"m{number}", "source": f"s{number}.cl"}))
    (folder / "kernels/odd.json").unlink()
    done, verdict, summary = step(folder, "kernels/a*.json kernels/a/*.json kernels/broken.json *.json",
                                  INPUT_DEVICES="opencl:0")
    assert verdict == "wrong" and not list(outside.iterdir()), (verdict, done.stdout)
    assert [line.split(",")[0] for line in errors(done)] == ["::error file=kernels/a/s0.cl", "::error file=kernels/s3.cl"], errors(done)
    rows = dict(re.findall(r"^\| (.+) \| opencl:0 \| (.*) \|$", summary, re.M))
    assert sorted(rows.values()) == ["0 of 1", "0 of 1", "1 of 1", "1 of 1", "1 of 1"], summary
    assert len({file.name for file in report.glob("*.jsonl")}) == 5
    assert not re.search(r"<img|!\[|evil/|^::", summary, re.M), summary
    word = None  # that the runner waits for
    for line in done.stdout.splitlines():
        if word:
            word = None if line == f"::{word}::" else word
        elif line.startswith("::stop-commands::"):
            word = line.rpartition(":")[2]
            assert re.fullmatch("[0-9a-f]{32}", word), line
        else:
            assert not line.startswith("::") or re.match("::(group|endgroup|error|notice)", line), line
    assert not word and not any(line.startswith("::") for line in done.stderr.splitlines()), done.stderr

    (folder / "kernels/a\n::add-mask::p.json").write_text(json.dumps({**manifest, "source": "s0.cl"}))
    done, verdict, summary = step(folder, "kernels/*mask*p.json", INPUT_DEVICES="opencl:0")
    assert (done.returncode, verdict) == (2, "unusable") and "has a line feed" in errors(done)[0], done.stdout
    assert "\n::add-mask" not in done.stdout, done.stdout

    done, verdict, summary = step(folder, "elsewhere/*.json", INPUT_DEVICES="opencl:0")
    assert (done.returncode, verdict) == (2, "unusable") and "elsewhere" in errors(done)[0], done.stdout
