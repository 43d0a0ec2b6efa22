"""A real Slurm on this machine's loopback for a test: munged, slurmctld and some slurmd with GPUs that are links to
/dev/null. Needs root, no systemd and nothing in /etc. Its daemons are children of this process and die with it."""

import ctypes
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PR_SET_PDEATHSIG = 1
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
NEEDED = ("munged", "slurmctld", "slurmd", "srun", "sbatch", "sinfo", "scontrol", "unshare")


def what_is_missing():
    """Why it cannot be started here, as a sentence; empty: it can."""
    missing = [name for name in NEEDED if not shutil.which(name, path=PATH)]
    if missing:
        return f"not installed: {', '.join(missing)} (Debian: apt-get install slurm-wlm munge)"
    if os.geteuid() != 0:
        return "Slurm's daemons are started by root here, and this is another user"
    own = ["unshare", "--uts", "--pid", "--fork", "--mount-proc", "hostname", "x"]
    if subprocess.run(own, capture_output=True).returncode != 0:
        return "no namespace can be made here (unshare), and each node needs a name of its own"
    return ""


def with_parent():
    os.setsid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def free_ports(count):
    """The first of so many free ports in a row."""
    for first in range(20000, 60000, 64):
        taken = []
        try:
            for port in range(first, first + count):
                taken.append(socket.socket())
                taken[-1].bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for one in taken:
                one.close()
    raise RuntimeError("no free ports")


class SmallSlurm:
    """with SmallSlurm(4, 2, 300) as slurm: nodes node1 to node4, each with two GPUs of type fake. One that does not
    answer for so many seconds is taken for dead."""

    def __init__(self, nodes, gpus, patience):
        self.patience = patience
        self.nodes = [f"node{i}" for i in range(1, nodes + 1)]
        self.gpus = gpus
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="small-slurm."))
        self.daemons = {}
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "SBATCH", "SRUN"))}
        self.env.update(SLURM_CONF=str(self.home / "slurm.conf"), PATH=PATH)

    def configure(self):
        home = self.home
        home.chmod(0o711)  # munged wants its socket to be in reach
        for name in ("state", "log", "run", "dev", "spool"):
            (home / name).mkdir()
        (home / "munge").mkdir(mode=0o700)
        key = home / "munge/key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(64))
        for i in range(self.gpus):  # slurmd wants character devices
            (home / f"dev/nvidia{i}").symlink_to("/dev/null")
        first = free_ports(len(self.nodes) + 1)
        settings = {
            "ClusterName": "small",
            "SlurmctldHost": f"{os.uname().nodename}(127.0.0.1)",
            "SlurmctldPort": first,
            "SlurmUser": "root",
            "SlurmdUser": "root",
            "AuthType": "auth/munge",
            "AuthInfo": f"socket={home}/run/munge.socket",
            "CommunicationParameters": "NoCtldInAddrAny,NoInAddrAny",
            "StateSaveLocation": home / "state",
            "SlurmdSpoolDir": f"{home}/spool/%n",
            "SlurmctldPidFile": home / "run/slurmctld.pid",
            "SlurmdPidFile": f"{home}/run/%n.pid",
            "ProctrackType": "proctrack/linuxproc",
            "TaskPlugin": "task/none",
            "AccountingStorageType": "accounting_storage/none",
            "SwitchType": "switch/none",
            "MpiDefault": "none",
            "SelectType": "select/cons_tres",
            "SelectTypeParameters": "CR_CPU",
            "SchedulerParameters": "sched_interval=1,batch_sched_delay=0",
            "GresTypes": "gpu",
            "SlurmdParameters": "config_overrides",
            "ReturnToService": 2,
            "SlurmdTimeout": self.patience,
            "KillWait": 1,
            "MinJobAge": 600,
        }
        lines = [f"{name}={value}" for name, value in settings.items()]
        for i, node in enumerate(self.nodes):
            lines.append(
                f"NodeName={node} NodeHostname={node} NodeAddr=127.0.0.1 Port={first + 1 + i} CPUs=8 "
                f"RealMemory=500 Gres=gpu:fake:{self.gpus} State=UNKNOWN"
            )
        lines.append(f"PartitionName=fake Nodes={','.join(self.nodes)} Default=YES MaxTime=60 State=UP")
        (home / "slurm.conf").write_text("\n".join(lines) + "\n")
        numbers = f"[0-{self.gpus - 1}]" if self.gpus > 1 else "0"
        (home / "gres.conf").write_text(
            f"AutoDetect=off\nNodeName={','.join(self.nodes)} Name=gpu Type=fake File={home}/dev/nvidia{numbers}\n"
        )
        (home / "hosts").write_text("".join(
            f"127.0.0.1 {name}\n" for name in ["localhost", os.uname().nodename, *self.nodes]))

    def start(self, name, words):
        with open(self.home / f"log/{name}.log", "ab") as log:
            self.daemons[name] = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.home, env=self.env,
                preexec_fn=with_parent)

    def start_node(self, node):
        (self.home / "spool" / node).mkdir(exist_ok=True)
        script = f"mount --bind {self.home}/hosts /etc/hosts && hostname {node} && exec slurmd -D -N {node}"
        self.start(node, ["unshare", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc", "--mount",
                          "sh", "-c", script])

    def wait_until(self, what, happened):
        """Waits for it, however long it takes; a daemon that ends meanwhile is an error."""
        while not happened():
            for name, daemon in self.daemons.items():
                if daemon.poll() is not None:
                    raise RuntimeError(f"no {what}: {name} ended: {(self.home / f'log/{name}.log').read_text()[-2000:]}")
            time.sleep(0.05)

    def run(self, *words, env=(), check=True):
        """@returns what a command printed"""
        done = subprocess.run(words, env={**self.env, **dict(env)}, capture_output=True, text=True)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: {done.returncode}: {done.stderr}")
        return done.stdout

    def idle(self):
        states = self.run("sinfo", "-h", "-N", "-o", "%T", check=False).split()
        return states.count("idle") == len(self.nodes)

    def kill_node(self, node):
        """As if its power went: the slurmd and all that runs on the node."""
        daemon = self.daemons.pop(node)
        daemon.kill()  # --kill-child ends the namespace's first process, and that all others
        daemon.wait()

    def __enter__(self):
        try:
            self.configure()
            munge = self.home / "munge"
            self.start("munged", ["munged", "--foreground", f"--key-file={munge}/key",
                                  f"--socket={self.home}/run/munge.socket", f"--pid-file={munge}/pid",
                                  f"--log-file={munge}/log", f"--seed-file={munge}/seed"])
            self.wait_until("munged", (self.home / "run/munge.socket").exists)
            self.start("slurmctld", ["slurmctld", "-D", "-c"])
            for node in self.nodes:
                self.start_node(node)
            self.wait_until("idle nodes", self.idle)
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self):
        for daemon in self.daemons.values():
            daemon.kill()
        for daemon in self.daemons.values():
            daemon.wait()
        self.daemons.clear()
        shutil.rmtree(self.home, ignore_errors=True)

    def __exit__(self, *_):
        self.stop()
