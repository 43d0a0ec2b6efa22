"""Parallax under ReFrame. ParallaxNode: one exclusive job a node, one process a GPU, for fleets (--distribute).
ParallaxCase: one job a suite and backend, for a few nodes. Both keep their records; `parallax fleet` reads them:

    reframe -C site.py -c parallax_check.py -n ParallaxNode --distribute -r
    parallax fleet output --expect nodes.txt
"""

import json
import os

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import parameter, run_before, sanity_function, variable

# The slowest rate that a model may have, by case: {"NVIDIA H100 80GB HBM3": {"transpose_padded_cuda": 2700}}
REFERENCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "references.json")

# A process of its own cache, and of a file named by its node and its task.
TASK = (
    'cache=$(mktemp -d) && trap "rm -rf $cache" EXIT && '
    "export CUDA_CACHE_PATH=$cache/cuda POCL_CACHE_DIR=$cache/pocl XDG_CACHE_HOME=$cache && "
    "{command} -o records/${{SLURMD_NODENAME:-$(hostname)}}-${{SLURM_LOCALID:-0}}.jsonl"
)


def records_in(folder):
    """Whole records; a line that a killed run left is passed over."""
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        with open(os.path.join(folder, name)) as lines:
            for line in lines:
                if line.startswith('{"schema":"parallax.record"') and line.endswith("}\n"):
                    yield json.loads(line)


def device_of(record):
    """A name that PoCL's devices have as well: host, slot, UUID."""
    where = record["where"]
    return record["run"]["host"], where["slot"], where["uuid"]


def case_of(record):
    return "_".join([record["suite"], record["variant"], record["where"]["backend"]])


def rate_of(record):
    """The figure that says most of the case, with its unit."""
    rate, ceiling = record["rate"], record.get("ceiling", {}).get("of")
    if ceiling == "fma" or rate["gigabytes_per_second"] == 0:
        return rate["gigaoperations_per_second"], "Gop/s"
    return rate["gigabytes_per_second"], "GB/s"


def is_busy(record):
    """Whether others used the device meanwhile: then its time is no figure of it."""
    use = record["state"]["after"].get("others_use")
    return isinstance(use, (int, float)) and use > 0.02


class ParallaxCheck(rfm.RunOnlyRegressionTest):
    valid_systems = ["+gpu"]
    valid_prog_environs = ["builtin"]
    sourcesdir = None
    exclusive_access = True
    time_limit = "30m"
    keep_files = ["records"]
    tags = {"parallax", "gpu"}
    program = variable(str, value="parallax")  # -S program=/path/to/parallax
    words = variable(str, value="")  # of `run`: -S words='-s transpose --budget 30'
    tolerance = variable(float, value=0.05)  # below the reference

    @run_before("run")
    def prepare(self):
        devices = self.current_partition.select_devices("gpu")
        self.gpus = devices[0].num_devices if self.on_all else 1
        self.num_tasks = self.num_tasks_per_node = self.gpus
        self.extra_resources = {"gpu": {"num_gpus_per_node": self.gpus}}
        self.prerun_cmds = ["mkdir -p records"]
        if self.current_partition.scheduler.registered_name in ("slurm", "squeue"):
            self.job.launcher.options = ["--gpus-per-task=1", "--kill-on-bad-exit=0"]
        command = " ".join([self.program, "run", self.words, self.choice()])
        self.executable = "bash"
        self.executable_opts = ["-c", "'" + TASK.format(command=command) + "'"]

    @sanity_function
    def answers(self):
        records = list(records_in(os.path.join(self.stagedir, "records")))
        devices = {device_of(r) for r in records}
        wrong = [
            f"{case_of(r)} on {' '.join(map(str, device_of(r)))}: {r['status']}: {r['reason']}"
            for r in records
            if r["status"] in ("wrong", "failed")
        ]
        return sn.all([
            sn.assert_eq(len(devices), self.gpus, f"{len(devices)} of {self.gpus} GPUs have records"),
            sn.assert_false(wrong, f"{len(wrong)} wrong: " + "; ".join(wrong[:3])),
        ])

    @run_before("performance")
    def slowest(self):
        """The slowest GPU of each case, and what its model should do."""
        rates, models = {}, set()
        for record in records_in(os.path.join(self.stagedir, "records")):
            if record["status"] != "ok" or record["variant"] == "launch" or is_busy(record):
                continue
            rate, unit = rate_of(record)
            models.add(record["where"]["name"])
            rates[case_of(record)] = min(rates.get(case_of(record), (rate, unit)), (rate, unit))
        known = json.load(open(REFERENCES)) if os.path.exists(REFERENCES) else {}
        wanted = known.get(models.pop(), {}) if len(models) == 1 else {}
        self.perf_variables = {
            case: sn.make_performance_function(sn.defer(rate), unit) for case, (rate, unit) in rates.items()
        }
        self.reference = {
            self.current_partition.fullname: {
                case: (wanted[case], -self.tolerance, None, unit) if case in wanted else (0, None, None, unit)
                for case, (_, unit) in rates.items()
            }
        }


@rfm.simple_test
class ParallaxNode(ParallaxCheck):
    on_all = True

    def choice(self):
        return ""


@rfm.simple_test
class ParallaxCase(ParallaxCheck):
    on_all = False
    suite = parameter(["transpose", "multiply"])
    backend = parameter(["opencl", "cuda"])

    def choice(self):
        return f"-s {self.suite} -d {self.backend}"
