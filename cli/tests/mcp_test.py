"""Speaks to `parallax mcp` as an agent does, a line of JSON a message: mcp_test.py PROGRAM ROOT PACKAGES

The packages `mcp` and `numpy` are python3's, or those that `pip install --target PACKAGES` brought. The test ends with
77, which means skipped, where there are none."""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

program, root, packages = (pathlib.Path(word).absolute() for word in sys.argv[1:])
TOOLS = ["check_kernel", "compare_kernels", "devices", "explain", "map", "translate", "write_manifest"]
MARK = f"PARALLAX_TEST={os.getpid()}"
# The server finds the package of the sources, this program, and a folder for temporary files of its own.
scratch = tempfile.TemporaryDirectory(prefix=f"parallax-{os.getpid()}-")
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{root / 'python'}:{packages}", "TMPDIR": scratch.name,
               **dict([MARK.split("=")])}
AN_OPTION = re.compile(r"(?<![\w'-])--[a-z]{3,}(?![\w])|'parallax [a-z]")


def left_over(agent):
    """Processes that descend from the server, and its temporary files."""
    found = os.listdir(scratch.name)
    for file in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if MARK.encode() in file.read_bytes() and int(file.parent.name) != agent.server.pid:
                found.append((file.parent / "cmdline").read_bytes())
        except OSError:  # it has ended, or is another user's
            pass
    return found


class Agent:
    """A client with one server."""

    def __init__(self, folder, *words):
        self.server = subprocess.Popen([program, "mcp", folder, *words], env=ENVIRONMENT, text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.asked = 0
        client = {"name": "test", "version": "1"}
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        self.send(method="notifications/initialized")

    def write(self, line):
        self.server.stdin.write(line + "\n")
        self.server.stdin.flush()

    def send(self, **message):
        self.write(json.dumps({"jsonrpc": "2.0", **message}))

    def answer(self, number):
        for line in self.server.stdout:
            answer = json.loads(line)
            if answer.get("id") == number:
                assert answer["jsonrpc"] == "2.0" and ("result" in answer) != ("error" in answer), answer
                return answer
        raise AssertionError("the server ended")

    def ask(self, method, **params):
        self.asked += 1
        self.send(id=self.asked, method=method, params=params)
        return self.answer(self.asked)["result"]

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
        return self.checked(said["content"][0]["text"])

    @staticmethod
    def checked(sentence):
        """One that a model can act on."""
        assert 0 < len(sentence) < 25000 and not AN_OPTION.search(sentence), sentence
        assert not re.search(r"Traceback|Error executing| failed: \w+:", sentence), sentence
        return sentence

    def end(self):
        self.server.stdin.close()
        return self.server.wait(60)


def bad_requests(schemas):
    """Tools with arguments of which few are right."""
    deep = []
    for _ in range(60):
        deep = [deep]
    values = [None, True, -1.5, 2**70, "", "x", "\ud800", "\0", "\u202e", "y" * 200000, "../..", "/etc/passwd", "--help",
              "x.json/../y", '["x"]', [], ["x"], [1, None], ["--full"], ["z" * 2000], ["x"] * 50, {}, deep,
              {"a": {"b": []}}, {"A B": "1"}, {"A": "\0"}]
    for tool, takes in schemas.items():
        yield tool, {"no such argument": 1}
        yield from ((tool, {name: value}) for name in takes for value in values)
    draw = random.Random(1)
    for _ in range(2000 if os.environ.get("PARALLAX_THOROUGH") else 100):
        tool = draw.choice(list(schemas))
        yield tool, {name: draw.choice(values) for name in schemas[tool] if draw.random() < 0.7}


def try_bad_requests(agent, folder, before):
    listed = agent.ask("tools/list")["tools"]
    schemas = {tool["name"]: tool["inputSchema"].get("properties", {}) for tool in listed}
    assert sorted(schemas) == TOOLS, schemas
    for tool in listed:
        hints = tool["annotations"]
        assert hints["readOnlyHint"] == (tool["name"] != "write_manifest") and not hints["destructiveHint"], tool
        for name, argument in schemas[tool["name"]].items():
            assert len(argument.get("description", "")) > 10, (tool["name"], name)
    assert "in, and not the one" in schemas["translate"]["language"]["description"]
    for tool, arguments in bad_requests(schemas):
        said = agent.ask("tools/call", name=tool, arguments=arguments)
        if said.get("isError"):
            agent.checked(said["content"][0]["text"])
        else:
            assert tool in ("devices", "map", "translate"), (tool, str(arguments)[:200], said)
        assert not left_over(agent) and sorted(folder.iterdir()) == before, (tool, str(arguments)[:200])
    call = '{"jsonrpc": "2.0", "id": 9999, "method": "tools/call"%s}'
    for line, number in (("no JSON", None), ("[]", None), ("{}", None), ('"\\ud800"', None), ("\x00", None),
                         (call % "", 9999), (call % ', "params": 3', 9999), (call % ', "params": {"name": [1]}', 9999),
                         (call % (', "params": ' + "[" * 100000 + "]" * 100000), 9999),
                         (call % ', "params": {"name": "map", "arguments": "text"}', 9999),
                         ('{"jsonrpc": "2.0", "id": 9999, "method": "nothing"}', 9999)):
        agent.write(line)
        error = agent.answer(number)["error"]
        assert error["code"] < 0 and error["message"], error
    assert "devices is wrong" in agent.refused("check_kernel", kernel="transpose/naive", devices="opencl:0")
    assert "kernel is wrong" in agent.refused("check_kernel", devices=["opencl:0"])
    assert "device is no argument" in agent.refused("check_kernel", kernel="transpose/naive", device="opencl:0")
    assert "There are: devices, check_kernel" in agent.refused("check")


with_input_at_its_end = {"env": ENVIRONMENT, "stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
done = subprocess.run([program, "mcp"], **with_input_at_its_end)
if done.returncode == 5:
    assert "pip install 'parallax-gpu[mcp]'" in done.stderr, done.stderr
    print(f"skipped: ./setup.sh brings its packages where the network is there. {done.stderr.strip()}")
    sys.exit(77)
assert done.returncode == 0, done.stderr

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
    try_bad_requests(agent, folder, before)
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
    assert "devices is wrong" in agent.refused("check_kernel", kernel="transpose/naive", devices=["--full"])
    assert "below" in agent.refused("translate", file="../secret/histogram.cl")
    assert "folder" in agent.refused("check_kernel", kernel="reaches.json", devices=[device])
    assert "no tool does" in agent.refused("check_kernel", kernel="commands.json", devices=[device])
    assert "There is no suite" in agent.refused("explain", kernel="nothing/naive")
    assert "source" in agent.refused("translate")
    assert sorted(folder.iterdir()) == before, "a call wrote into the folder"

    # From a kernel in the agent's hands to a verdict.
    twice = "%s { int i = %s; if (i < n) a[i] *= 2; }"
    opencl = twice % ("kernel void twice(global float* a, int n)", "get_global_id(0)")
    cuda = twice % ('extern "C" __global__ void twice(float* a, int n)', "blockIdx.x * blockDim.x + threadIdx.x")
    written = agent.call("write_manifest", source=opencl, name="mine")
    assert written["kernel"] == "mine.json" and json.loads(written["manifest"])["kernel"] == "twice", written
    assert "delete 'check'" in written["sentence"], written
    ran = agent.call("check_kernel", kernel="mine.json", devices=[device])
    assert ran["cases"][0]["case"].startswith("twice/twice"), ran
    assert "give another name" in agent.refused("write_manifest", source=opencl, name="mine")
    assert "2 kernels" in agent.refused("write_manifest", source=opencl + opencl.replace("twice", "two"), name="pair")
    assert "cannot be translated" in agent.refused("write_manifest", source="kernel void a( {", name="broken")
    assert "give another name" in agent.refused("write_manifest", file="histogram.cl")
    (folder / "linked.cu").write_text('extern "C" __global__ void f(float* a) { a[threadIdx.x] = 1; }')
    (folder / "linked.cl").symlink_to("nowhere")
    assert "There is a linked.cl already" in agent.refused("write_manifest", file="linked.cu")
    assert (folder / "linked.cl").is_symlink() and not (folder / "linked.json").exists()
    for name in ("linked.cl", "linked.cu"):
        (folder / name).unlink()
    for name in ("../secret/mine", "a/b", ".hidden", "-o"):
        assert "name is wrong" in agent.refused("write_manifest", source=opencl, name=name), name
    assert {file.name for file in folder.iterdir()} - {file.name for file in before} == {"mine.cl", "mine.json"}
    assert sorted(file.name for file in outside.iterdir()) == sorted(
        file.name for file in (root / "docs/examples/histogram").iterdir())
    assert agent.end() == 0

    # What never ends does not keep the agent waiting, and leaves nothing: a kernel, clang, and the host's compiler.
    (folder / "histogram.cl").write_text(source.replace("i += stride", "i += 0"))
    slow = ["template <int N> constexpr int f() { int s = N; for (int i = 0; i < 100000; ++i) s ^= i; return s; }",
            cuda[:-1], *(f'static_assert(f<{i}>() != -1, "");' for i in range(1, 5000)), "}"]
    (folder / "slow.cu").write_text("\n".join(slow))
    manifest = {**json.loads((folder / "mine.json").read_text()), "name": "slow", "cuda": "slow.cu"}
    (folder / "slow.json").write_text(json.dumps({key: manifest[key] for key in manifest if key != "source"}))
    before = sorted(folder.iterdir())
    agent = Agent(folder, "--budget", "5")
    calls = [("check_kernel", {"kernel": "histogram.json/global", "devices": [device]})]
    if any(one["device"] == "host:0" for one in devices["devices"]):
        calls.append(("check_kernel", {"kernel": "slow.json", "devices": ["host:0"]}))
    if shutil.which("clang"):
        calls.append(("translate", {"file": "slow.cu"}))
        calls.append(("write_manifest", {"source": "\n".join(slow), "name": "new", "language": "cuda"}))
    for tool, arguments in calls:
        endless = agent.ask("tools/call", name=tool, arguments=arguments)["content"][0]["text"]
        # The second is of the kernel alone, on a machine that is quick enough for it.
        assert "ended after 5 s, the limit of a call" in endless or "had not ended" in endless, endless
        assert not left_over(agent) and sorted(folder.iterdir()) == before, (tool, left_over(agent))
    assert agent.end() == 0

    # Nor does the end of the server during a call; of one that is killed the next start removes the folder.
    last, reads = calls[-1], calls[min(1, len(calls) - 1)]
    for end, (tool, arguments) in ((lambda server: server.terminate(), last), (lambda server: server.stdin.close(), last),
                                   (lambda server: server.kill(), reads)):
        agent = Agent(folder, "--budget", "3600")
        agent.send(id=0, method="tools/call", params={"name": tool, "arguments": arguments})
        while len(left_over(agent)) < 2:
            time.sleep(0.01)
        end(agent.server)
        if agent.server.wait() == -signal.SIGKILL:
            until = time.monotonic() + 60
            while len(left_over(agent)) > 1 and time.monotonic() < until:
                time.sleep(0.1)
            subprocess.run([program, "mcp"], **with_input_at_its_end, check=True)
        assert not left_over(agent) and sorted(folder.iterdir()) == before, left_over(agent)
