"""The server of `parallax mcp`: tools by which an agent checks, compares, explains and translates kernels.

A call reads files below one folder only, no command of a manifest runs, nothing is written there, and each call is
bounded in time and memory. Results are short, with the sentence to be told first; an error says what to do."""
from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from .errors import ParallaxError
from .program import VERSION, Done, last_paragraph, run_program

Answer = dict[str, Any]

SUITE = re.compile(r"[A-Za-z]\w*(/\w+)?")
MANIFEST = re.compile(r"([^-\s].*\.json)(/\w+)?")
DEVICE = re.compile(r"(opencl|cuda|host)(:[\w.() -]+)?")
# A model reads it all: beyond these it learns nothing more.
MOST_CASES, MOST_ROWS, MOST_TEXT = 40, 20, 20000
# Of a call's seconds, those for measuring; the others are for compilers and the start.
SHARE_OF_MEASURING = 0.7

INSTRUCTIONS = """Parallax runs one GPU kernel through OpenCL and through CUDA and says whether both are right and which
is faster. A kernel is SUITE/VARIANT of the program's own, or MANIFEST.json[/VARIANT] below the served folder. Call
devices first; check_kernel before compare_kernels. Without a GPU, opencl:0 and host:0 run both versions on the CPU."""


class Service:
    """The tools, for one folder and with its limits."""

    def __init__(self, folder: Path, seconds: float, gib: float) -> None:
        self.folder, self.seconds, self.gib = folder.resolve(), seconds, gib
        self.one_at_a_time = Lock()  # measurements would disturb each other

    # ---- what a call may name

    def file(self, name: str) -> Path:
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder) or not path.is_file():
            raise ToolError(f"There is no file '{name}' below {self.folder}. Other folders are not read.")
        return path

    def kernel(self, name: str) -> str:
        if SUITE.fullmatch(name):
            return name
        found = MANIFEST.fullmatch(name)
        if not found:
            raise ToolError(
                f"'{name}' is no kernel. Give SUITE/VARIANT (multiply/blocked) or a manifest below {self.folder} "
                "(mine.json, mine.json/variant)."
            )
        return str(self.file(found[1])) + (found[2] or "")

    def devices_named(self, names: Sequence[str]) -> list[str]:
        for name in names:
            if not DEVICE.fullmatch(name):
                raise ToolError(f"'{name}' is no device. The tool devices lists them: opencl:0, cuda:0, host:0.")
        return list(names)

    # ---- the program, bounded

    def run(self, *words: str, measures: bool = False, text: str | None = None) -> Done:
        """What the program says. It works in a folder of its own, which is gone afterwards.

        :param text: the content of kernel.cl or kernel.cu there, the last word"""
        bounds = ["--budget", f"{self.seconds * SHARE_OF_MEASURING:g}", "--memory", f"{self.gib:g}", "--quiet"]
        with self.one_at_a_time, tempfile.TemporaryDirectory(prefix="parallax-mcp-") as place:
            if text is not None:
                Path(place, words[-1]).write_text(text, encoding="utf-8")
            try:
                done = run_program([*words, *(bounds if measures else [])], cwd=place, seconds=self.seconds)
            except ParallaxError as error:
                raise ToolError(error.sentence) from error
        # With 5 a report says of each case why it did not run.
        fatal = (2, 130) if measures and done.out else (2, 5, 130)
        if done.exit_code in fatal or done.exit_code < 0 or (measures and not done.out):
            said = last_paragraph(done.messages) or f"The program ended with {done.exit_code}."
            ended = f" A call may take {self.seconds:g} s here." if done.exit_code in (130, -9) else ""
            raise ToolError(said + ended)
        return done

    # ---- the tools

    def devices(self) -> Answer:
        """Lists the devices of this machine, through OpenCL, CUDA and the CPU; and what is missing, with the remedy."""
        with_names = ("device", "name", "platform", "api", "memory_bytes", "only_checks", "same_device_as")
        data = json.loads(self.run("devices", "--format", "json").out)
        found = [{name: one[name] for name in with_names} for one in data["devices"]]
        listed = ", ".join(f"{one['device']} ({one['name']})" for one in found)
        return {"sentence": f"{len(found)} devices: {listed}.", "devices": found, "missing": data["problems"]}

    def check_kernel(self, kernel: str, devices: list[str] | None = None) -> Answer:
        """Builds a kernel and checks its answers on devices (all where none is named), without timing it."""
        words = [word for one in self.devices_named(devices or []) for word in ("-d", one)]
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

    def compare_kernels(self, kernel: str, other: str = "", devices: list[str] | None = None) -> Answer:
        """Compares a kernel on two devices (through OpenCL and through CUDA), or with another kernel on one device:
        is it the same answer, and which is faster. A ratio is the second side's time divided by the first's."""
        named = self.devices_named(devices or [])
        if other:
            words = [self.kernel(kernel), self.kernel(other), *(word for one in named for word in ("-d", one))]
        else:
            words = [*named, "-s", self.kernel(kernel)]
        done = self.run("diff", *words, "--format", "json", measures=True)
        cases = [verdict_of(case) for case in json.loads(done.out)["cases"]]
        counts = ", ".join(f"{count} {verdict}" for verdict, count in Counter(c["verdict"] for c in cases).items())
        doubtful = [one for one in cases if one["doubts"]]
        counts += f"; {len(doubtful)} of them doubtful" if doubtful else ""
        sentence = cases[0]["sentence"] if len(cases) == 1 else f"{len(cases)} cases: {counts}."
        return {"sentence": sentence, "exit_code": done.exit_code, **hint_of(doubtful), "cases": cases[:MOST_CASES]}

    def explain(self, kernel: str, devices: list[str] | None = None) -> Answer:
        """Finds by experiments why one side of a kernel is slower than the other, and which change closes the gap."""
        words = [self.kernel(kernel), *self.devices_named(devices or [])]
        done = self.run("explain", *words, "--format", "json", measures=True)
        said = json.loads(done.out)
        one = said[0] if isinstance(said, list) else said
        tried = [{name: trial[name] for name in ("setting", "side", "closes", "closed", "consequences")}
                 for trial in one["trials"] if trial["status"] == "measured"]
        return {"sentence": one["answer"], "exit_code": done.exit_code, "verdict": one["verdict"],
                "conclusion": one["conclusion"], "trials": tried[:MOST_ROWS]}

    def translate(
        self, file: str = "", source: str = "", language: str = "opencl", defines: dict[str, str] | None = None
    ) -> Answer:
        """Translates kernels as `parallax port` does: OpenCL C, or CUDA C++ where the file ends with .cu or language is
        cuda. Give a file below the served folder, or the source itself, and the macros that it needs as defines. What
        has no translation or does not compile is rejected with its line and advice."""
        if bool(file) == bool(source) or language not in ("opencl", "cuda"):
            raise ToolError("Give either a file or a source, and as language opencl or cuda.")
        name = str(self.file(file)) if file else {"opencl": "kernel.cl", "cuda": "kernel.cu"}[language]
        macros = [f"-D{macro}={value}" for macro, value in (defines or {}).items()]
        if not all(re.fullmatch(r"-D[A-Za-z_]\w*=.*", macro) for macro in macros):
            raise ToolError("The names of defines are those of macros: BLOCK_SIZE.")
        done = self.run("port", *macros, name, text=source or None)
        if done.exit_code != 0:
            return {"sentence": f"Rejected: {short(last_paragraph(done.messages))}", "exit_code": done.exit_code,
                    "source": ""}
        remark = f" {short(done.messages)}" if done.messages else ""
        return {"sentence": f"Translated to {len(done.out.splitlines())} lines.{remark}", "exit_code": 0,
                "source": short(done.out)}

    def map(self, words: str) -> Answer:
        """Looks up what a word, a phrase or a line of code of one API is in the other, how far they mean the same, and
        the trap."""
        done = self.run("map", "--format", "json", "--", words)
        names = ("opencl", "cuda", "equivalence", "because")
        rows = [{name: row[name] for name in names} for row in json.loads(done.out)]
        first = rows[0] if rows else None
        sentence = (f"{first['opencl'] or 'Nothing in OpenCL'} is {first['cuda'] or 'nothing in CUDA'} "
                    f"({first['equivalence']}). {first['because']}" if first else f"The map has no row for '{words}'.")
        return {"sentence": sentence, "rows": rows[:MOST_ROWS]}


def short(text: str) -> str:
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "\n[cut]"


def hint_of(doubtful: list[Answer]) -> Answer:
    hints = [doubt["hint"] for one in doubtful for doubt in one["doubts"] if "hint" in doubt]
    return {"hint": hints[0]} if hints else {}


def case_of(record: Answer) -> Answer:
    doubts = record.get("doubts", [])
    log = {"log": short(record["log"])} if record.get("log") else {}
    shape = "x".join(map(str, record["shape"]))
    return {"case": f"{record['suite']}/{record['variant']} {record['type']} {shape}", "device": record["device"],
            "status": record["status"], "doubts": doubts,
            "reason": " ".join(one["sentence"] for one in doubts) or record.get("reason", ""),
            "checked_against": record.get("check", {}).get("checked_against", ""), **log}


def verdict_of(case: Answer) -> Answer:
    ratio = case["ratio"] or {}
    times = (f" The second side takes {ratio['value']:.3f} times as long as the first ({ratio['low']:.3f} to "
             f"{ratio['high']:.3f}).") if ratio else ""
    doubts = [one for side in "ab" for one in case[side].get("doubts", []) if case["doubtful"]]
    word = case["verdict"] + (", doubtful" if doubts else "")
    return {"sentence": f"{case['title']}: {word}.{times} {case['reason']}", "case": case["title"], "doubts": doubts,
            "verdict": case["verdict"], "ratio": ratio.get("value"), "low": ratio.get("low"), "high": ratio.get("high"),
            "same_kernel": case["kernel"]["same"], "right": [case["answer"]["right_a"], case["answer"]["right_b"]],
            "only_agree": case["answer"]["only_agree"],
            "identical": case["answer"]["identical"], "seconds": [case["a"].get("seconds"), case["b"].get("seconds")]}


def server_for(folder: str, seconds: float, gib: float) -> MCPServer[Any]:
    service = Service(Path(folder), seconds, gib)
    server: MCPServer[Any] = MCPServer("parallax", version=VERSION, instructions=INSTRUCTIONS, log_level="WARNING")
    for tool in (service.devices, service.check_kernel, service.compare_kernels, service.explain, service.translate,
                 service.map):
        server.tool()(tool)
    return server


def main(folder: str = ".", seconds: str = "60", gib: str = "4") -> int:
    """Serves on standard input and output until the input ends."""
    server_for(folder, float(seconds), float(gib)).run("stdio")
    return 0
