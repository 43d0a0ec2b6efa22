"""Speaks to `parallax mcp` as an agent does, a line of JSON a message: mcp_test.py PROGRAM ROOT VENV

Where python3 lacks the packages `mcp` and `numpy`, pip is asked for them in the folder VENV. The test ends with 77, which
means skipped, where pip has none."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

program, root, venv = (pathlib.Path(word).absolute() for word in sys.argv[1:])
TOOLS = ["check_kernel", "compare_kernels", "devices", "explain", "map", "translate"]
# The server finds the package of the sources and this program, and python3 first in VENV.
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(root / "python"), "PATH": f"{venv / 'bin'}:{os.environ['PATH']}"}


class Agent:
    """A client with one server."""

    def __init__(self, folder, *words):
        self.server = subprocess.Popen([program, "mcp", folder, *words], env=ENVIRONMENT, text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.asked = 0
        client = {"name": "test", "version": "1"}
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        self.send(method="notifications/initialized")

    def send(self, **message):
        self.server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.server.stdin.flush()

    def ask(self, method, **params):
        self.asked += 1
        self.send(id=self.asked, method=method, params=params)
        for line in self.server.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.asked:
                return answer["result"]
        raise AssertionError(f"the server ended at {method}")

    def call(self, tool, **arguments):
        """The structured answer."""
        said = self.ask("tools/call", name=tool, arguments=arguments)
        assert not said.get("isError"), said
        assert list(said["structuredContent"])[0] == "sentence", said
        return said["structuredContent"]

    def refused(self, tool, **arguments):
        """The error's sentence."""
        said = self.ask("tools/call", name=tool, arguments=arguments)
        assert said.get("isError"), said
        return said["content"][0]["text"]

    def end(self):
        self.server.stdin.close()
        return self.server.wait(60)


def bring_package():
    """Whether the server starts."""
    with_input_at_its_end = {"env": ENVIRONMENT, "stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    done = subprocess.run([program, "mcp"], **with_input_at_its_end)
    if done.returncode == 5:
        assert "pip install 'parallax-gpu[mcp]'" in done.stderr, done.stderr
        for words in ([sys.executable, "-m", "venv", venv], [venv / "bin/pip", "install", "-q", "mcp>=2,<3", "numpy"]):
            if subprocess.run(words, capture_output=True).returncode != 0:
                print(f"skipped: pip does not bring it here. {done.stderr.strip()}")
                return False
        done = subprocess.run([program, "mcp"], **with_input_at_its_end)
    assert done.returncode == 0, done.stderr
    return True


if not bring_package():
    sys.exit(77)

with tempfile.TemporaryDirectory(prefix=f"parallax-{os.getpid()}-") as place:
    folder, outside = pathlib.Path(place, "served"), pathlib.Path(place, "secret")
    shutil.copytree(root / "docs/examples/histogram", folder)
    manifest = json.loads((folder / "histogram.json").read_text())
    source = (folder / "histogram.cl").read_text()
    (folder / "wrong.cl").write_text(source.replace("atomic_inc(&bins[values[i]])", "atomic_add(&bins[values[i]], 2)"))
    commands = {**manifest, "reference": {"command": ["touch", str(folder / "it-ran")]}}
    reaches = {**manifest, "source": "../secret/histogram.cl"}
    wrong = {**manifest, "source": "wrong.cl"}
    agreeing = {key: value for key, value in manifest.items() if key != "reference"}
    translated = subprocess.run([program, "port", folder / "histogram.cl", "-DBINS=256"], text=True, capture_output=True)
    (folder / "histogram.cu").write_text(translated.stdout)
    cuda = {key: value for key, value in manifest.items() if key not in ("source", "reference")}
    cuda |= {"cuda": "histogram.cu", "variants": manifest["variants"][:1]}
    asked = {**manifest, "variants": manifest["variants"][:1], "check": ["Is it so?"]}
    for name, one in {"asked": asked, "wrong": wrong, "reaches": reaches, "commands": commands, "cuda": cuda, "agreeing": agreeing}.items():
        (folder / f"{name}.json").write_text(json.dumps({**one, "name": name}))
    shutil.copytree(root / "docs/examples/histogram", outside)
    (folder / "link.json").symlink_to(outside / "histogram.json")
    before = sorted(folder.iterdir())

    agent = Agent(folder, "--budget", "60", "--memory", "4")
    assert sorted(tool["name"] for tool in agent.ask("tools/list")["tools"]) == TOOLS
    devices = agent.call("devices")
    device = devices["devices"][0]["device"]
    assert device in devices["sentence"], devices

    right = agent.call("check_kernel", kernel="histogram.json/global", devices=[device])
    assert right["exit_code"] == 0 and right["sentence"] == f"All 1 cases are right on {device}.", right
    asked = agent.call("check_kernel", kernel="asked.json", devices=[device])
    said = f"1 of 1 cases passed the checks and are doubtful. asked/global uint 1048576 on {device} is doubtful: "
    assert asked["exit_code"] == 0 and said in asked["sentence"] and "list 'check'" in asked["sentence"], asked
    assert asked["cases"][0]["doubts"][0]["kind"] == "open questions" and "delete" in asked["hint"], asked
    agreeing = agent.call("check_kernel", kernel="agreeing.json/global", devices=[device])
    assert agreeing["sentence"] == f"All 1 cases ran on {device}; 1 of them agree, without a reference.", agreeing
    alone = agent.call("check_kernel", kernel="cuda.json", devices=[device])
    assert alone["exit_code"] == 5 and alone["sentence"].startswith("No case ran. cuda/global"), alone
    if any(one["device"] == "host:0" for one in devices["devices"]):  # where there is a C++ compiler
        both = agent.call("check_kernel", kernel="cuda.json", devices=[device, "host:0"])
        said = "All 1 cases ran on host:0; 1 of them agree, without a reference. 1 more are unsupported."
        assert both["sentence"] == said, both
        compared = agent.call("compare_kernels", kernel="cuda.json", devices=[device, "host:0"])
        assert "NOT COMPARABLE" in compared["sentence"] and "no OpenCL C source" in compared["sentence"], compared
    wrong = agent.call("check_kernel", kernel="wrong.json", devices=[device])
    assert wrong["exit_code"] == 1 and "1 of 2 cases are not right. wrong/global" in wrong["sentence"], wrong
    assert wrong["cases"][0]["status"] == "wrong" and "256 element(s) wrong" in wrong["cases"][0]["reason"], wrong

    made = agent.call("translate", source="kernel void f(global float* a) { a[get_global_id(0)] = 1; }")
    assert "__global__ void f" in made["source"] and made["sentence"].startswith("Translated"), made
    refused = agent.call("translate", source="kernel void f(global float* a) { a[0] = atomic_ink(a); }")
    assert refused["sentence"].startswith("Rejected: the kernel cannot be translated:"), refused
    assert refused["exit_code"] == 1 and "kernel.cl:1" in refused["sentence"] and not refused["source"], refused
    made = agent.call("translate", file="histogram.cl", defines={"BINS": "256"})
    assert "void local_atomics" in made["source"], made
    rows = agent.call("map", words="clFinish")
    assert rows["rows"][0]["cuda"] == "cudaStreamSynchronize" and "clFinish is" in rows["sentence"], rows

    rows = agent.call("map", words="malloc in a kernel")
    assert rows["sentence"].startswith("Nothing in OpenCL is malloc in a kernel (none)."), rows

    # Nothing outside of the folder, no option, no command, no device that is a word of another kind.
    for kernel in ("../secret/histogram.json", str(outside / "histogram.json"), "link.json", "--allow-command", "-h",
                   "nothing.json", "histogram.json/../x"):
        assert "below" in agent.refused("check_kernel", kernel=kernel), kernel
    assert "no device" in agent.refused("check_kernel", kernel="transpose/naive", devices=["--full"])
    assert "below" in agent.refused("translate", file="../secret/histogram.cl")
    assert "folder" in agent.refused("check_kernel", kernel="reaches.json", devices=[device])
    assert "--allow-command" in agent.refused("check_kernel", kernel="commands.json", devices=[device])
    assert "There is no suite" in agent.refused("explain", kernel="nothing/naive")
    assert "source" in agent.refused("translate")
    assert sorted(folder.iterdir()) == before, "a call wrote into the folder"
    assert agent.end() == 0

    # A kernel that never ends does not keep the agent waiting.
    (folder / "histogram.cl").write_text(source.replace("i += stride", "i += 0"))
    agent = Agent(folder, "--budget", "5")
    endless = agent.ask("tools/call", name="check_kernel",
                        arguments={"kernel": "histogram.json/global", "devices": [device]})["content"][0]["text"]
    # The second on a machine that is too busy for the first.
    assert "had not ended" in endless or "A call may take 5 s here" in endless, endless
    assert agent.end() == 0
