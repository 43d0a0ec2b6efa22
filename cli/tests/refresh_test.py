# Tries results/refresh with a program that stands for parallax, and its commands with the real one:
# refresh_test.py PARALLAX ROOT
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

PARALLAX, ROOT = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()

# Says which devices there are; otherwise notes its words, waits to be interrupted or ends as a file says, and
# makes the files that it was told to.
STUB = """#!PYTHON -IES
import os, sys
here, words = os.path.dirname(os.path.realpath(__file__)), sys.argv[1:]
if words == ["--version"]:
    sys.exit(print("parallax 9.9"))
if words[0] == "devices":
    import json
    pocl = {"device": "opencl:0", "name": "Some CPU", "platform": "Portable Computing Language", "uuid": "",
            "same_device_as": []}
    gpu = {"name": "Some  GPU (1)", "platform": "Fast", "uuid": "ab12"}
    both = [{**gpu, "device": "opencl:1", "same_device_as": ["cuda:0"]},
            {**gpu, "device": "cuda:0", "same_device_as": ["opencl:1"]}]
    sys.exit(print(json.dumps({"devices": [pocl] + both * os.path.exists(here + "/gpu")})))
with open(here + "/asked", "a") as asked:
    asked.write(" ".join(words) + "\\n")
end = "0"
if os.path.exists(here + "/ends"):
    import json
    end = str(json.load(open(here + "/ends")).get(words[0], 0))
print("printed by", words[0])
for word, after in zip(words, words[1:]):
    if word in ("-o", "--data"):
        with open(after, "a") as file:
            file.write('{"status":"skipped"}\\n' if words[0] == "sweep" else "{}\\n")
if end == "wait":
    import signal
    try:
        open(here + "/waits", "w").close()  # a pipe: the test goes on when this is reached
        while True:
            signal.pause()
    except KeyboardInterrupt:
        open(here + "/interrupted", "w").close()
        sys.exit(130)
sys.exit(int(end))
""".replace("PYTHON", sys.executable)


class RefreshTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.here = pathlib.Path(place.name)
        # A bare machine: the script and a program, no sources.
        (self.here / "results").mkdir()
        script = (ROOT / "results/refresh").read_text(encoding="utf-8")
        (self.here / "results/refresh").write_text(script, encoding="utf-8")
        self.program = self.here / "parallax"
        self.program.write_text(STUB, encoding="utf-8")
        self.program.chmod(0o755)

    def words(self, *words):
        return [sys.executable, self.here / "results/refresh", "--parallax", self.program, *words]

    def refresh(self, *words):
        (self.here / "asked").unlink(missing_ok=True)
        done = subprocess.run(self.words(*words), capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        asked = self.here / "asked"
        return done.returncode, done.stdout, asked.read_text().splitlines() if asked.exists() else []

    def ends(self, **codes):
        (self.here / "ends").write_text(json.dumps(codes))

    def test_all_of_a_gpu_is_made_once(self):
        (self.here / "gpu").touch()
        code, out, asked = self.refresh()
        self.assertEqual(code, 0, out)
        folder = self.here / "results/some-gpu-1"
        self.assertTrue(any(line.startswith("diff opencl:1 cuda:0 ") for line in asked), asked)
        self.assertTrue(any(line.startswith("run -d opencl:1 -d cuda:0 ") for line in asked), asked)
        for file in ("overview.jsonl", "diff.jsonl", "diff.html", "explain.jsonl", "selftest.jsonl.xz"):
            self.assertTrue((folder / file).exists(), file)
        self.assertIn("$ parallax selftest -d opencl:1", (folder / "selftest.txt").read_text())
        self.assertIn("printed by occupancy", (folder / "occupancy.txt").read_text())
        self.assertFalse((folder / ".refresh").exists())
        self.assertIn("1 cases were not reached", out)
        self.assertIn("examples: needs docs/examples", out)
        self.assertIn("harness: needs ", out)
        kept = json.loads((folder / "refresh.json").read_text())["diff"]
        self.assertEqual((kept["program"], kept["exit_codes"], kept["uuid"]), ("parallax 9.9", [0], "ab12"))
        self.assertEqual(self.refresh()[2], [], "what is made is not made again")
        (folder / "walk.jsonl").unlink()
        self.assertEqual([line.split()[0] for line in self.refresh()[2]], ["lesson"])
        self.program.write_text(STUB + "# another program\n")
        self.assertEqual(len(self.refresh("--only", "diff", "overview")[2]), 2)
        self.assertEqual(len(self.refresh("--only", "diff", "--again")[2]), 1)

    def test_one_device_makes_what_needs_one(self):
        code, out, asked = self.refresh()
        self.assertEqual(code, 0, out)
        self.assertIn("diff: needs two entries of one device", out)
        self.assertIn("inventory: needs a GPU", out)
        self.assertEqual({line.split()[0] for line in asked}, {"run", "lesson", "selftest", "sweep"})
        self.assertTrue((self.here / "results/some-cpu/overview.jsonl").exists())

    def test_a_failed_step_leaves_the_others_and_its_old_file(self):
        self.refresh("--only", "overview")
        folder = self.here / "results/some-cpu"
        (folder / "overview.jsonl").write_text("old\n")
        self.ends(run=5, lesson=1)
        code, out, _ = self.refresh("--only", "overview", "walk", "sweep", "--again")
        self.assertEqual(code, 1)
        self.assertIn("Failed: overview.", out)
        self.assertIn("ended with 5", out)
        self.assertEqual((folder / "overview.jsonl").read_text(), "old\n")
        self.assertTrue((folder / "sweep.jsonl").exists())
        self.assertEqual(json.loads((folder / "refresh.json").read_text())["walk"]["exit_codes"], [1])
        self.assertIn("look at them", out)
        self.assertEqual(list((folder / ".refresh").rglob("*.jsonl")), [], "an incomplete file is no result")
        self.ends()
        self.assertEqual(self.refresh("--only", "walk", "run")[0], 0)

    def test_an_interrupt_loses_only_the_step_under_way(self):
        self.ends(lesson="wait")
        os.mkfifo(self.here / "waits")
        started = subprocess.Popen(self.words("--only", "overview", "walk"), stdout=subprocess.PIPE, text=True)
        open(self.here / "waits").close()
        started.send_signal(signal.SIGTERM)
        out, _ = started.communicate()
        self.assertEqual(started.returncode, 130, out)
        self.assertTrue((self.here / "interrupted").exists(), "the program is told, and may end as it likes to")
        folder = self.here / "results/some-cpu"
        self.assertEqual(sorted(os.listdir(folder)), ["overview.jsonl", "refresh.json"])
        self.ends()
        self.assertEqual([line.split()[0] for line in self.refresh("--only", "overview", "walk")[2]], ["lesson"])

    def test_what_no_time_is_left_for_is_left(self):
        code, out, asked = self.refresh("--budget", "2.8")
        self.assertEqual(code, 1)
        self.assertIn("No time was left for: selftest. ", out)
        self.assertEqual({line.split()[0] for line in asked}, {"run", "lesson", "sweep"})

    def test_the_list_measures_nothing(self):
        code, out, asked = self.refresh("--list")
        self.assertEqual((code, asked), (0, []))
        self.assertIn("overview.jsonl: missing", out)
        *steps, all_of_it = re.split(r"^(?=\w)", out, flags=re.M)[1:]
        self.assertLessEqual(int(all_of_it.split()[0]), 25 * 60)
        for step in steps:
            given = int(step.split()[1])
            self.assertLessEqual(sum(map(int, re.findall(r"--budget (\d+)", step))), given, step)
        self.assertFalse((self.here / "results/some-cpu").exists())

    def test_devices_that_are_not_one_are_refused(self):
        (self.here / "gpu").touch()
        for words in ("opencl:0,cuda:0", "opencl:7"):
            done = subprocess.run(self.words("--device", words), capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("device", done.stderr)

    def test_the_real_program_knows_every_word(self):
        """Words that mean nothing are refused before devices are looked for, and no device is called x:4711."""
        (self.here / "gpu").touch()
        # Without OpenCL's devices and the host's compiler: to look for them takes longer than all else.
        nothing = {**os.environ, "OCL_ICD_VENDORS": str(self.here), "PATH": str(self.here)}
        for line in self.refresh("--list")[1].splitlines():
            if not line.startswith("    ") or "harness_adds" in line:
                continue
            words = line.replace("opencl:1", "opencl:4711").replace("cuda:0", "cuda:4711").split()
            done = subprocess.run([PARALLAX, *words], capture_output=True, text=True, cwd=ROOT,
                                  env=nothing)
            self.assertIn("4711", done.stderr, f"{line}: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    unittest.main()
