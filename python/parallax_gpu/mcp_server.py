"""The server of `parallax mcp`: tools by which an agent checks, compares, explains and translates kernels.

A call reads files below one folder only, no command of a manifest runs, one tool alone adds files there, and each call
is bounded in time and memory. Results are short, with the sentence to be told first; an error says what to do in the
words of the tools."""
from __future__ import annotations

import io
import json
import os
import re
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Annotated, Any, Literal, Optional, Union

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError, ToolAnnotations, jsonrpc_message_adapter
from pydantic import Field, ValidationError

from .errors import ParallaxError
from .program import VERSION, Done, kill_sessions, last_paragraph, run_program

Answer = dict[str, Any]

SUITE = re.compile(r"[A-Za-z]\w*(/\w+)?")
MANIFEST = re.compile(r"([^-\s].*\.json)(/\w+)?")
# A model reads it all: beyond these it learns nothing more.
MOST_CASES, MOST_ROWS, MOST_TEXT = 40, 20, 20000
# Of a call's seconds, those for measuring; the others are for compilers and the start.
SHARE_OF_MEASURING = 0.7

INSTRUCTIONS = """Parallax runs one GPU kernel through OpenCL and through CUDA and says whether both are right and which
is faster. A kernel is SUITE/VARIANT of the program's own, or MANIFEST.json[/VARIANT] below the served folder. For a
kernel of your own call write_manifest first. Call devices first; check_kernel before compare_kernels. Without a GPU,
opencl:0 and host:0 run both versions on the CPU."""

# ---- arguments, as models read of them

NO_NUL = r"^[^\x00]*$"
Text = Annotated[str, Field(max_length=1000, pattern=NO_NUL)]
Device = Annotated[str, Field(max_length=200, pattern=r"^(opencl|cuda|host)(:[\w.() -]+)?$")]
Macro = Annotated[str, Field(max_length=200, pattern=r"^[A-Za-z_]\w*$")]

Kernel = Annotated[Text, Field(description=(
    "SUITE/VARIANT of the program, such as multiply/blocked, or a manifest below the served folder, such as mine.json "
    "or mine.json/variant"))]
Other = Annotated[Text, Field(description="a second kernel, such as mine.json/candidate: both run on one device")]
Devices = Annotated[Optional[Annotated[list[Device], Field(max_length=8)]], Field(description=(
    'a list of devices as the tool devices names them, such as ["opencl:0", "cuda:0"]; without it all that fit'))]
File = Annotated[Text, Field(description="a kernel file below the served folder, such as mine.cl; or give source")]
Source = Annotated[str, Field(max_length=1_000_000, pattern=NO_NUL, description="a kernel's text; or give file")]
Language = Annotated[Optional[Literal["opencl", "cuda"]], Field(description=(
    "the language that the source is in, and not the one that is wanted; without it a file's ending says it (.cu is "
    "CUDA C++), and a source is OpenCL C"))]
Defines = Annotated[Optional[Annotated[dict[Macro, Union[Text, int, float]], Field(max_length=100)]], Field(
    description='the macros that the source needs with their values, such as {"TILE": "16"}')]
Kernels = Annotated[Optional[Annotated[list[Text], Field(max_length=20)]], Field(description=(
    'a list of names of kernels in the source, such as ["scale"], or ["scale<float>"] of a CUDA template; several are '
    "launched in a row"))]
Name = Annotated[str, Field(pattern=r"^([A-Za-z]\w{0,60})?$", description=(
    "what the manifest is called, without folder and ending, such as mine; without it, like the file"))]
Words = Annotated[Text, Field(description="a word, a phrase or a line of code, such as clFinish")]

# What a model reads in place of the options that have a place in the tools. Other clauses with options are left out.
IN_TOOLS = [(re.compile(option), word) for option, word in (
    (r"--kernel( NAME)?(?![\w-])", "the argument kernels"),
    (r"(-D ?|--define )NAME=VALUE|--define(?![\w-])", "the argument defines"),
    (r"-d DEVICE|-d A -d B|(?<!\S)-d(?![\w-])", "the argument devices"),
    (r"'parallax (doctor|devices)'", "The tool devices"),
    (r"'parallax port [^']*--init[^']*'", "The tool write_manifest"),
    (r"which is done with --allow-command only; read it before", "which no tool does: leave its command out"),
    (r" \(--expand\)|, and --check asks for no more", ""),
)]
AN_OPTION = re.compile(r"(?<![\w-])(--[a-z]+(-[a-z]+)*|-[nosDI])(?![\w-])|'(parallax|run|diff|port) [a-z-]")
READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)


class Service:
    """The tools, for one folder and with its limits."""

    def __init__(self, folder: Path, seconds: float, gib: float, prefix: str = "parallax-mcp-") -> None:
        self.prefix = prefix
        self.folder, self.seconds, self.gib = folder.resolve(), seconds, gib
        self.one_at_a_time = RLock()  # measurements would disturb each other
        self.has_ended = False

    def end(self) -> None:
        """Ends the call that runs, and waits until nothing is left of it."""
        self.has_ended = True
        while not self.one_at_a_time.acquire(timeout=0.1):
            kill_sessions()

    # ---- what a call may name

    def file(self, name: str) -> Path:
        with suppress(OSError, RuntimeError):  # a name too long, a circle of links
            path = (self.folder / name).resolve()
            if path.is_relative_to(self.folder) and path.is_file():
                return path
        raise ToolError(f"There is no file '{short(name, 60)}' below {self.folder}. Other folders are not read.")

    def kernel(self, name: str) -> str:
        if SUITE.fullmatch(name):
            return name
        found = MANIFEST.fullmatch(name)
        if not found:
            raise ToolError(
                f"'{short(name, 60)}' is no kernel. Give SUITE/VARIANT (multiply/blocked) or a manifest below "
                f"{self.folder} (mine.json, mine.json/variant); write_manifest makes one.")
        return str(self.file(found[1])) + (found[2] or "")

    # ---- the program, bounded

    def run(self, *words: str, measures: bool = False, text: str | None = None) -> Done:
        """What the program says. It works in a folder of its own, which is gone afterwards.

        :param text: the content of kernel.cl or kernel.cu there, the last word"""
        bounds = ["--budget", f"{self.seconds * SHARE_OF_MEASURING:g}", "--memory", f"{self.gib:g}", "--quiet"]
        with self.one_at_a_time, tempfile.TemporaryDirectory(
            prefix=self.prefix, ignore_cleanup_errors=True
        ) as place:
            # Also where this server is killed, the program ends; and its own folders are in this one.
            variables = {"PARALLAX_PARENT": str(os.getpid()), "TMPDIR": place}
            try:
                if self.has_ended:
                    raise ToolError("The server ends.")
                if text is not None:
                    Path(place, words[-1]).write_text(text, encoding="utf-8")
                done = run_program([*words, *(bounds if measures else [])], cwd=place, seconds=self.seconds,
                                   variables=variables)
            except ParallaxError as error:
                raise ToolError(error.sentence) from error
        said = in_tool_words(last_paragraph(done.messages))
        if not done.in_time:
            raise ToolError(f"It was ended after {self.seconds:g} s, the limit of a call here: ask for less (one "
                            f"variant, one device), or the person who runs the server for more. {said}".strip())
        # With 5 a report says of each case why it did not run.
        fatal = (2, 130) if measures and done.out else (2, 5, 130)
        if done.exit_code in fatal or done.exit_code < 0 or (measures and not done.out):
            raise ToolError(said or f"The program ended with {done.exit_code}.")
        return done

    # ---- the tools

    def devices(self) -> Answer:
        """Lists the devices of this machine, through OpenCL, CUDA and the CPU; and what is missing, with the remedy."""
        with_names = ("device", "name", "platform", "api", "memory_bytes", "only_checks", "same_device_as")
        data = json.loads(self.run("devices", "--format", "json").out)
        found = [{name: one[name] for name in with_names} for one in data["devices"]]
        listed = ", ".join(f"{one['device']} ({one['name']})" for one in found)
        missing = [in_tool_words(one) for one in data["problems"]]
        return {"sentence": f"{len(found)} devices: {listed}.", "devices": found, "missing": missing}

    def check_kernel(self, kernel: Kernel, devices: Devices = None) -> Answer:
        """Builds a kernel and checks its answers on devices (all where none is named), without timing it."""
        words = [word for one in devices or [] for word in ("-d", one)]
        done = self.run("run", "-s", self.kernel(kernel), "--check", *words, "--format", "json", measures=True)
        cases = [case_of(record) for record in map(json.loads, done.out.splitlines()) if "status" in record]
        right = [one for one in cases if one["status"] in ("checked", "ok")]
        doubtful = [one for one in cases if one["status"] == "doubtful"]
        unsupported = [one for one in cases if one["status"] == "unsupported"]
        bad = [one for one in cases if one not in right + doubtful + unsupported]
        others = f" {len(unsupported)} more are unsupported." if unsupported else ""
        first = (bad or doubtful or unsupported or right)[0]
        said = f"{first['case']} on {first['device']} is {first['status']}: {first['reason']}"
        if bad:
            sentence = f"{len(bad)} of {len(bad) + len(doubtful) + len(right)} cases are not right. {said}"
        elif doubtful:
            count = f"{len(doubtful)} of {len(doubtful) + len(right)}"
            sentence = f"{count} cases passed the checks and are doubtful. {said}"
        elif right:
            only_agree = [one for one in right if not one["checked_against"].startswith(("reference", "expected"))]
            others = f"; {len(only_agree)} of them agree, without a reference.{others}" if only_agree else f".{others}"
            word = "ran" if only_agree else "are right"
            sentence = f"All {len(right)} cases {word} on {', '.join(sorted({one['device'] for one in right}))}"
        else:
            sentence, others = f"No case ran. {said}", ""
        return {"sentence": sentence + others, "exit_code": done.exit_code, **hint_of([] if bad else doubtful),
                "cases": [*bad, *doubtful, *right, *unsupported][:MOST_CASES]}

    def compare_kernels(self, kernel: Kernel, other: Other = "", devices: Devices = None) -> Answer:
        """Compares a kernel on two devices (through OpenCL and through CUDA), or with another kernel on one device:
        is it the same answer, and which is faster. A ratio is the second side's time divided by the first's."""
        if other:
            words = [self.kernel(kernel), self.kernel(other), *(word for one in devices or [] for word in ("-d", one))]
        else:
            words = [*(devices or []), "-s", self.kernel(kernel)]
        done = self.run("diff", *words, "--format", "json", measures=True)
        cases = [verdict_of(case) for case in json.loads(done.out)["cases"]]
        counts = ", ".join(f"{count} {verdict}" for verdict, count in Counter(c["verdict"] for c in cases).items())
        doubtful = [one for one in cases if one["doubts"]]
        counts += f"; {len(doubtful)} of them doubtful" if doubtful else ""
        sentence = cases[0]["sentence"] if len(cases) == 1 else f"{len(cases)} cases: {counts}."
        return {"sentence": sentence, "exit_code": done.exit_code, **hint_of(doubtful), "cases": cases[:MOST_CASES]}

    def explain(self, kernel: Kernel, devices: Devices = None) -> Answer:
        """Finds by experiments why one side of a kernel is slower than the other, and which change closes the gap."""
        words = [self.kernel(kernel), *(devices or [])]
        done = self.run("explain", *words, "--format", "json", measures=True)
        said = json.loads(done.out)
        one = said[0] if isinstance(said, list) else said
        tried = [{name: trial[name] for name in ("setting", "side", "closes", "closed", "consequences")}
                 for trial in one["trials"] if trial["status"] == "measured"]
        return {"sentence": in_tool_words(one["answer"]), "exit_code": done.exit_code, "verdict": one["verdict"],
                "conclusion": one["conclusion"], "trials": tried[:MOST_ROWS]}

    def translate(self, file: File = "", source: Source = "", language: Language = None, kernels: Kernels = None,
                  defines: Defines = None) -> Answer:
        """Translates kernels from OpenCL C to CUDA C++, or from CUDA C++ to OpenCL C. Give a file below the served
        folder, or the source itself. What has no translation or does not compile is rejected with its line and
        advice."""
        name = self.source_named(file, source, "kernel", language)
        done = self.run("port", *port_words(language, kernels, defines), name, text=source or None)
        said = short(in_tool_words(done.messages.replace("parallax: ", "")))
        if done.exit_code != 0:
            return {"sentence": f"Rejected: {said}", "exit_code": done.exit_code, "source": ""}
        return {"sentence": f"Translated to {len(done.out.splitlines())} lines. {said}".strip(), "exit_code": 0,
                "source": short(done.out)}

    def write_manifest(self, name: Name = "", file: File = "", source: Source = "", language: Language = None,
                       kernels: Kernels = None, defines: Defines = None) -> Answer:
        """Writes a first manifest for a kernel, which the other tools take as their kernel: NAME.json beside the file,
        or with a source in the served folder, beside the source. Replaces no file. Arguments, launch and sizes in it
        are inferred from the kernel: its list 'check' says what to look over."""
        if source and not name:
            raise ToolError("Give a source a name, such as mine: it becomes mine.cl and mine.json.")
        kernel = Path(self.source_named(file, source, str(self.folder / name), language))
        manifest = kernel.with_name(f"{name or kernel.stem}.json")
        with self.one_at_a_time:
            # A CUDA source gets its translation beside it.
            written = {manifest} | ({kernel} if source else set())
            if kernel.suffix != ".cl":
                written.add(manifest.with_suffix(".cl"))
            new = [one for one in written if not os.path.lexists(one)]
            for one in sorted(written.difference(new)):
                raise ToolError(f"There is a {one.name} already, and no file is replaced: give another name.")
            try:
                if source:
                    kernel.write_text(source, encoding="utf-8")
                words = port_words(language, kernels, defines)
                done = self.run("port", *words, str(kernel), "--init", "-o", str(manifest))
            finally:
                if not manifest.is_file():
                    for one in new:
                        one.unlink(missing_ok=True)
            told = [in_tool_words(one) for one in re.findall("^parallax: (.*)", done.messages, re.MULTILINE)]
            if done.exit_code != 0:
                raise ToolError("\n".join(told))
            text = manifest.read_text(encoding="utf-8")
        own = str(manifest.relative_to(self.folder))
        told += json.loads(text).get("check", [])
        return {"sentence": " ".join([f"Wrote {own}, for the tools that take a kernel.", *told]), "kernel": own,
                "manifest": short(text)}

    def source_named(self, file: str, source: str, stem: str, language: str | None) -> str:
        """The file that is to be read."""
        if bool(file) == bool(source):
            raise ToolError("Give either a file or a source, and not both.")
        return str(self.file(file)) if file else f"{stem}.{'cu' if language == 'cuda' else 'cl'}"

    def map(self, words: Words) -> Answer:
        """Looks up what a word, a phrase or a line of code of one API is in the other, how far they mean the same, and
        the trap."""
        done = self.run("map", "--format", "json", "--", words)
        names = ("opencl", "cuda", "equivalence", "because")
        rows = [{name: row[name] for name in names} for row in json.loads(done.out)]
        first = rows[0] if rows else None
        sentence = (f"{first['opencl'] or 'Nothing in OpenCL'} is {first['cuda'] or 'nothing in CUDA'} "
                    f"({first['equivalence']}). {first['because']}" if first else f"The map has no row for '{words}'.")
        return {"sentence": sentence, "rows": rows[:MOST_ROWS]}


def port_words(language: str | None, kernels: list[str] | None, defines: dict[str, Any] | None) -> list[str]:
    """The options of `port`."""
    return [*([f"--language={language}"] if language else []), *(f"--kernel={one}" for one in kernels or []),
            *(f"-D{macro}={value}" for macro, value in (defines or {}).items())]


def in_tool_words(text: str) -> str:
    """What the program says, without what only a command line can be given."""
    for option, word in IN_TOOLS:
        text = option.sub(word, text)
    clauses = re.findall(r".+?(?:[.;!?](?=\s)|$)\s*", text, re.DOTALL)
    return "".join(one for one in clauses if not AN_OPTION.search(one)).strip().removesuffix(";") or text


def short(text: str, most: int = MOST_TEXT) -> str:
    return text if len(text) <= most else text[:most] + "\n[cut]"


def hint_of(doubtful: list[Answer]) -> Answer:
    hints = [doubt["hint"] for one in doubtful for doubt in one["doubts"] if "hint" in doubt]
    return {"hint": hints[0]} if hints else {}


def case_of(record: Answer) -> Answer:
    doubts = record.get("doubts", [])
    log = {"log": short(record["log"])} if record.get("log") else {}
    shape = "x".join(map(str, record["shape"]))
    return {"case": f"{record['suite']}/{record['variant']} {record['type']} {shape}", "device": record["device"],
            "status": record["status"], "doubts": doubts,
            "reason": in_tool_words(" ".join(one["sentence"] for one in doubts) or record.get("reason", "")),
            "checked_against": record.get("check", {}).get("checked_against", ""), **log}


def verdict_of(case: Answer) -> Answer:
    ratio = case["ratio"] or {}
    times = (f" The second side takes {ratio['value']:.3f} times as long as the first ({ratio['low']:.3f} to "
             f"{ratio['high']:.3f}).") if ratio else ""
    doubts = [one for side in "ab" for one in case[side].get("doubts", []) if case["doubtful"]]
    reason = in_tool_words(case["reason"])
    return {"sentence": f"{case['title']}: {case['said']}.{times} {reason}", "case": case["title"], "doubts": doubts,
            "verdict": case["verdict"], "ratio": ratio.get("value"), "low": ratio.get("low"), "high": ratio.get("high"),
            "same_kernel": case["kernel"]["same"], "right": [case["answer"]["right_a"], case["answer"]["right_b"]],
            "only_agree": case["answer"]["only_agree"],
            "identical": case["answer"]["identical"], "seconds": [case["a"].get("seconds"), case["b"].get("seconds")]}


class Server(MCPServer[Any]):
    """Refuses arguments in words that a model can act on."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        tools = {tool.name: tool.input_schema["properties"] for tool in await self.list_tools()}
        if name not in tools:
            raise ToolError(f"There is no tool '{short(name, 60)}'. There are: {', '.join(tools)}.")
        takes = tools[name]
        wrong = {one: "is no argument of it" for one in arguments if one not in takes}
        try:
            if not wrong:
                return await super().call_tool(name, arguments, context)
        except UnexpectedToolError as error:
            cause = error.__cause__
            raise UnexpectedToolError(short(f"{name} failed: {type(cause).__name__}: {cause}", 300)) from cause
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise ToolError(str(error.__cause__)) from None  # without the tool's name
            for one in error.__cause__.errors(include_url=False, include_input=False):
                argument = str(one["loc"][0])
                wrong.setdefault(argument, f"is wrong: {one['msg']}. It is {takes[argument]['description']}")
        said = "; ".join(f"{short(one, 60)} {why}" for one, why in list(wrong.items())[:MOST_ROWS])
        raise ToolError(f"{said}. {name} takes: {', '.join(takes) or 'no argument'}.")


async def lines_of(service: Service, answers: list[Any]) -> AsyncIterator[str]:
    """Standard input by lines. What is no message, which the library passes over, is answered here."""
    async for line in anyio.wrap_file(io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")):
        if "\\ud" in line.lower():  # one half of a character, as JSON can write it, is none
            with suppress(ValueError, RecursionError):
                line = re.sub("[\ud800-\udfff]", "\ufffd", json.dumps(json.loads(line), ensure_ascii=False))
        try:
            jsonrpc_message_adapter.validate_json(line, by_name=False)
            yield line
        except ValidationError:
            number = re.search(r'"id"\s*:\s*(\d{1,15})\b', line)
            error = ErrorData(code=-32600, message="This line is no JSON-RPC 2.0 message, or nested too deeply.")
            answer = JSONRPCError(jsonrpc="2.0", id=int(number[1]) if number else None, error=error)
            await answers[0].send(SessionMessage(answer))
    service.end()  # no client is left to read an answer


async def serve(server: Server, service: Service) -> None:
    answers: list[Any] = []
    lines: Any = lines_of(service, answers)
    async with stdio_server(stdin=lines) as (received, sent):
        answers.append(sent)
        inner = server._lowlevel_server
        await inner.run(received, sent, inner.create_initialization_options())


def server_for(service: Service) -> Server:
    server = Server("parallax", version=VERSION, instructions=INSTRUCTIONS, log_level="WARNING")
    for tool in (service.devices, service.check_kernel, service.compare_kernels, service.explain, service.translate,
                 service.map, service.write_manifest):
        server.tool(annotations=ADDS if tool == service.write_manifest else READS)(tool)
    return server


def main(folder: str = ".", seconds: str = "60", gib: str = "4", prefix: str = "parallax-mcp-") -> int:
    """Serves on standard input and output until the input ends.

    :param prefix: of its folders' names, by which the program knows those that a killed server left"""
    service = Service(Path(folder), float(seconds), float(gib), prefix)

    def leave(number: int, _: Any) -> None:
        service.end()
        os._exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, leave)
    anyio.run(serve, server_for(service), service)
    return 0
