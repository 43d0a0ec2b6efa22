"""A fleet of four nodes with two fake GPUs each under a real Slurm: `fleet.sbatch` and the ReFrame check run the real
program on PoCL, one node dies, three GPUs have planted faults. Usage: fleet_slurm_test.py PARALLAX [REFRAME_VENV]

On the nodes answers are checked and nothing is timed: one run is measured before, and its times are replaced by a
script's, so that nothing here depends on how fast the machine is."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import small_slurm

HERE = pathlib.Path(__file__).resolve().parent
FLEET = HERE.parent
SKIPPED = 77  # what Meson takes for a skipped test
REFRAME = "ReFrame-HPC==4.10.4"
NODES, GPUS = 4, 2
# Slurm is told of a node that dies. In a thorough run it finds out by itself, and asks its nodes seldom enough to take
# half a minute; nor may the machine be so busy then that a node does not answer.
IS_THOROUGH = "PARALLAX_THOROUGH" in os.environ

# Stands for the program on the nodes: has the real one check the case there, and then writes of the records that were
# measured once those of this node and GPU, with the script's times and the faults.
STAND_IN = r'''#!PYTHON
import json, os, pathlib, signal, subprocess, sys
words = sys.argv[1:]
real = os.environ["REAL_PARALLAX"]
if words[0] != "run":
    os.execv(real, [real, *words])
gpu = os.environ["SLURMD_NODENAME"] + " " + os.environ["SLURM_LOCALID"]
file = pathlib.Path(words[words.index("-o") + 1])
# A cache of its own would have each of them compile the same kernel.
built = {**os.environ, "POCL_CACHE_DIR": os.environ["BUILT"]}
code = subprocess.run([real, *words, "--check"], env=built).returncode
checked = json.loads(file.read_text())
made = []
for line in pathlib.Path(os.environ["MEASURED"]).read_text().splitlines():
    record = json.loads(line)
    record.update({name: checked[name] for name in ("where", "run")})
    if gpu == "node1 1":
        record["where"]["driver"] = "another driver"
    if record["schema"] == "parallax.record" and record["status"] == "ok":
        seconds = 1e-3 * (1.1 if gpu == "node3 1" else 1)
        timing = record["timing"]
        for name in ("median", "low", "high"):
            timing[name] = seconds
        for name in ("samples", "host_samples"):
            timing[name] = [seconds] * len(timing[name])
        record.setdefault("ceiling", {}).update(launch_seconds=1e-6)
        if gpu == "node2 0" and record["suite"] == "transpose":
            record.update(status="wrong", reason="Element 7 is 1.5 and should be 2.")
            for name in ("timing", "work", "rate", "ceiling", "state"):
                record.pop(name, None)
            code = 1
    made.append(json.dumps(record, separators=(",", ":")))
if os.environ.get("DYING_NODE") == os.environ["SLURMD_NODENAME"]:
    # Its records are lost with its node, and it is still at work when that happens.
    file.unlink()
    pathlib.Path(os.environ["WORKS"], gpu).touch()
    signal.pause()
file.write_text("\n".join(made) + "\n")
sys.exit(code)
'''.replace("PYTHON", sys.executable)


def words_of_run():
    """Without a budget that could end, and a watchdog, which takes what a busy machine leaves waiting for hung."""
    return ["run", "-s", "transpose/padded", "-d", "opencl:0", "-n", "64x64", "--budget", "100000", "--watchdog", "0"]


class Fleet(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="fleet-test."))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.stand_in = cls.folder / "parallax"
        cls.stand_in.write_text(STAND_IN)
        cls.stand_in.chmod(0o755)
        pocl = {"POCL_DEVICES": "pthread", "POCL_MAX_PTHREAD_COUNT": "1"}
        built, measured = cls.folder / "built", cls.folder / "measured.jsonl"
        subprocess.run([PARALLAX, *words_of_run(), "-o", measured], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, **pocl, "POCL_CACHE_DIR": str(built)})
        cls.slurm = small_slurm.SmallSlurm(NODES, GPUS, 5 if IS_THOROUGH else 300)
        cls.slurm.env.update(pocl, REAL_PARALLAX=PARALLAX, PARALLAX=str(cls.stand_in), BUILT=str(built),
                             MEASURED=str(measured))
        cls.slurm.__enter__()
        cls.addClassCleanup(cls.slurm.stop)

    def setUp(self):
        self.slurm.wait_until("idle nodes", self.slurm.idle)
        # A test that fails leaves no job that keeps nodes from the next one.
        self.addCleanup(self.slurm.run, "scancel", "--user=root", check=False)

    def submit(self, out, **variables):
        """@returns the job's number"""
        env = {"OUT": str(out), **variables}
        return self.slurm.run(
            "sbatch", "--parsable", f"-N{NODES}", f"--gpus-per-node={GPUS}", f"--output={out}.log",
            "--export=ALL", str(FLEET / "fleet.sbatch"), *words_of_run(), env=env.items()).strip()

    def exit_of(self, job):
        """Waits for the job's end. @returns its exit code"""
        ended = {}

        def has_ended():
            shown = self.slurm.run("scontrol", "-o", "show", "job", job)
            fields = dict(one.split("=", 1) for one in shown.split() if "=" in one)
            ended.update(fields)
            return fields["JobState"] not in ("PENDING", "CONFIGURING", "RUNNING", "COMPLETING")

        self.slurm.wait_until("end of the job", has_ended)
        return int(ended["ExitCode"].split(":")[0])

    def report(self, out):
        return json.loads((out / "fleet.json").read_text())

    def names(self, report, numbers):
        return [report["devices"][i]["place"] for i in numbers]

    def check_faults(self, report):
        wrong = {report["devices"][one["device"]]["place"] for one in report["wrong"]}
        self.assertEqual(wrong, {"node2 gpu 0"}, report["wrong"])
        slow = {device["place"] for device in report["devices"]
                for figure in device["figures"] if figure["outlier"] and figure["deviation"] < 0}
        self.assertEqual(slow, {"node3 gpu 1"})
        drivers = [one for one in report["differences"] if one["fact"] == "driver"]
        self.assertEqual(len(drivers), 1)
        self.assertEqual(drivers[0]["values"][1]["value"], "another driver")
        self.assertEqual(self.names(report, drivers[0]["values"][1]["devices"]), ["node1 gpu 1"])

    def test_a_script_of_slurm_finds_what_is_planted(self):
        out = self.folder / "all"
        self.assertEqual(self.exit_of(self.submit(out)), 1, out.with_suffix(".log").read_text())
        self.assertEqual(len(list(out.glob("*.jsonl"))), NODES * GPUS)
        report = self.report(out)
        self.assertEqual(sorted(device["place"] for device in report["devices"]),
                         [f"node{n} gpu {g}" for n in range(1, NODES + 1) for g in range(GPUS)])
        self.assertTrue(report["expected"])
        self.assertEqual(report["missing"], [])
        self.check_faults(report)
        codes = {path.name.split("-", 1)[1]: path.read_text().strip() for path in out.glob("*.exit")}
        self.assertEqual(codes.pop("node2-0.exit"), "1")
        self.assertEqual(set(codes.values()), {"0"})
        record = json.loads((next(out.glob("*-node4-1.jsonl"))).read_text().splitlines()[0])
        self.assertEqual(record["run"]["host"], "node4")
        self.assertEqual(record["run"]["task"], 7)
        self.assertEqual(record["where"]["slot"], 1)

    def test_a_node_that_dies_is_missed_and_takes_nobody_along(self):
        out, works = self.folder / "dying", self.folder / "works"
        works.mkdir()
        job = self.submit(out, DYING_NODE="node4", WORKS=str(works))
        self.slurm.wait_until("work on node4", lambda: len(list(works.iterdir())) == GPUS)
        self.slurm.kill_node("node4")
        self.addCleanup(self.slurm.start_node, "node4")
        if not IS_THOROUGH:
            self.slurm.run("scontrol", "update", "NodeName=node4", "State=DOWN", "Reason=it died")
        self.assertEqual(self.exit_of(job), 1, pathlib.Path(f"{out}.log").read_text())
        report = self.report(out)
        self.assertEqual(len(report["devices"]), (NODES - 1) * GPUS)
        self.assertEqual([(one["host"], one["found"], one["expected"]) for one in report["missing"]],
                         [("node4", 0, GPUS)])
        self.check_faults(report)
        text = subprocess.run([PARALLAX, "fleet", str(out)], capture_output=True, text=True).stdout
        self.assertIn("MISSING: 2 devices", text)

    def test_reframe_finds_the_wrong_one_and_keeps_the_records(self):
        reframe = find_reframe()
        if not reframe:
            self.skipTest(f"ReFrame is not here, and pip did not bring {REFRAME}")
        work = self.folder / "reframe"
        work.mkdir()
        env = {"FLEET_PARTITIONS": f"fake:{GPUS}", "RFM_PREFIX": str(work)}
        words = " ".join(words_of_run()[1:])
        done = subprocess.run(
            [reframe, "-C", str(FLEET / "site.py"), "-c", str(FLEET / "parallax_check.py"), "-n", "ParallaxNode",
             "--distribute=all", "-r", "-S", f"program={self.stand_in}", "-S", f"words={words}",
             "--keep-stage-files"],
            env={**self.slurm.env, **env}, cwd=work, capture_output=True, text=True)
        said = done.stdout + done.stderr
        self.assertIn(f"Ran {NODES}/{NODES} test case(s)", said)
        self.assertIn("1 failure(s)", said)
        self.assertRegex(said, r"wrong: transpose_padded_opencl on node2 0 .*: wrong: Element 7")
        report = subprocess.run([PARALLAX, "fleet", str(work / "stage"), "--format", "json"],
                                capture_output=True, text=True)
        self.assertEqual(report.returncode, 1, report.stderr)
        report = json.loads(report.stdout)
        self.assertEqual(len(report["devices"]), NODES * GPUS)
        self.check_faults(report)


def find_reframe():
    """The program; empty: it is not here and cannot be brought."""
    if shutil.which("reframe"):
        return shutil.which("reframe")
    program = VENV / "bin/reframe"
    if not program.exists():
        steps = ([sys.executable, "-m", "venv", VENV], [VENV / "bin/pip", "install", "-q", REFRAME])
        for words in steps:
            if subprocess.run(words, capture_output=True).returncode != 0:
                return ""
    return str(program)


def has_pocl():
    listed = subprocess.run([PARALLAX, "devices", "--format", "json"], capture_output=True, text=True).stdout
    return any("Portable Computing Language" in one["platform"] for one in json.loads(listed)["devices"])


PARALLAX = os.path.abspath(sys.argv[1])
VENV = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.gettempdir() + "/parallax-reframe").absolute()

if __name__ == "__main__":
    why = small_slurm.what_is_missing() or ("" if has_pocl() else "PoCL is not here, the device of the fake GPUs")
    if why:
        print(f"SKIPPED: no Slurm for a test: {why}")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], "-v"])
