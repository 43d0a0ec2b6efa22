"""Searches for a way to a file outside of a kernel's folder: outside_search.py PROGRAM ROOT PACKAGES [TRIES [SEED]]

Each try writes one source, or a manifest, that asks for the file in one of many spellings, and gives it to one entry
point. It does so twice, with the file and without it: nothing of the file may be in what is printed, in records, caches
and temporary folders, and neither the exit code nor a text that is printed may tell whether it is there.
PARALLAX_THOROUGH takes 2000 tries, else it is a fixed part. Python and MCP take part where this Python has numpy, and
the folder PACKAGES mcp. Each entry point is tried first with a source that asks for nothing, and must accept it."""
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

program, root, packages = (pathlib.Path(word).absolute() for word in sys.argv[1:4])
tries = int(sys.argv[4]) if len(sys.argv) > 4 else 2000 if os.environ.get("PARALLAX_THOROUGH") else 16
seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
WORD = "CANARY" + "1793"
LINE = "__kernel void naive(__global const T* in, __global T* out, const ulong width, const ulong height) {"  # of kernels/transpose.cl
# What the file holds: a word that a compiler would quote, code that would compile, a body, bytes.
CONTENTS = [f"{WORD} is here;\n", f"#define SEEN 1\n/* {WORD} */\n", f"int {WORD};\n", f"'{WORD}',\n", WORD]

SPELLINGS = {
    "quoted": '#include "{p}"',
    "angled": "#include <{p}>",
    "blanks": ' \t# \t include\t"{p}"',
    "digraph": '%:include "{p}"',
    "digraph angled": "%: include <{p}>",
    "trigraph": '??=include "{p}"',
    "continued": '#inc\\\nlude "{p}"',
    "continued after": '#include \\\n"{p}"',
    "continued hash": '#\\\ninclude "{p}"',
    "continued name": '#include "{p0}\\\n{p1}"',
    "continued with blanks": '#inc\\ \nlude "{p}"',
    "trigraph continued": '#inc??/\nlude "{p}"',
    "comment": '#/**/include/**/"{p}"',
    "comment before": '/* a */ #include "{p}"',
    "comment of lines": '#include /* a\nb */ "{p}"',
    "comment continued": '/\\\n* a *\\\n/ #include "{p}"',
    "import": '#import "{p}"',
    "include_next": '#include_next "{p}"',
    "include_next angled": "#include_next <{p}>",
    "by a macro": '#define F "{p}"\n#include F',
    "by an angled macro": "#define F <{p}>\n#include F",
    "by a text of a macro": "#define TEXT(x) #x\n#define AS(x) TEXT(x)\n#include AS({p})",
    "by a function": '#define F() "{p}"\n#include F()',
    "embed": "constant char seen[] = {{\n#embed \"{p}\"\n}};",
    "in a list": 'constant char seen[] = {{\n#include "{p}"\n0}};',
    "has_include": '#if __has_include("{p}")\n#error seen\n#endif',
    "has_include angled": "#if __has_include(<{p}>)\n#error seen\n#endif",
    "has_include by a macro": '#define ASK(x) __has_include(x)\n#if ASK("{p}")\n#error seen\n#endif',
    "has_include pasted": '#define PUT(a, b) a##b\n#if PUT(__has, _include)("{p}")\n#error seen\n#endif',
    "has_include_next": '#if __has_include_next("{p}")\n#error seen\n#endif',
    "has_embed": '#if __has_embed("{p}")\n#error seen\n#endif',
    "has_include then": '#if __has_include("{p}")\n#include "{p}"\n#endif',
    "condition": '#if 0\n#include "{p}"\n#endif',
    "condition that holds": '#if 1\n%:include "{p}"\n#endif',
    "used afterwards": '%:include "{p}"\n#ifdef SEEN\n#error seen\n#endif',
    "dependency": '#pragma GCC dependency "{p}"',
    "dependency as operator": '_Pragma("GCC dependency \\"{p}\\"")',
    "alias": '#pragma include_alias("x.h", "{p}")\n#include "x.h"',
    "module map": '#pragma clang module load "{p}"\n@import canary;',
    "precompiled": '#pragma GCC pch_preprocess "{p}"',
    "library": '#pragma comment(lib, "{p}")',
    "line": '#line 1 "{p}"\n#error wrong',
    "line marker": '# 1 "{p}" 1\n#error wrong',
    "line and error": '#line 1 "{p}"\nint wrong = ;',
    "incbin": '__asm__(".incbin \\"{p}\\"");',
    "assembler's include": 'asm(".include \\"{p}\\"");',
    "section of the file": 'asm(".section .rodata\\n.globl seen\\nseen: .incbin \\"{p}\\"\\n.text");',
    "form feed": '\f#include "{p}"',
    "vertical tab": '#\v include "{p}"',
    "carriage return": 'int a;\r#include "{p}"\r',
    "both line ends": '#include "{p}"\r\n',
    "raw string": 'constant char* a = R"x("\n)x";\n#include "{p}"',
    "open literal": "#if 0\n' \"\n#endif\n#include \"{p}\"",
    "header": '#include "own.h"',
    "header in a condition": '#if 1\n#include "own.h"\n#endif',
    "warning": '#warning a\n%:include "{p}"',
    "assertion": '#ident "{p}"\n#assert a(b)\n#import <{p}>',
    "universal name": '#\\u0069nclude "{p}"',
    "mark": '\ufeff#include "{p}"',
}
PATHS = ["{out}/canary.h", "../secret/canary.h", "link.h", "below/canary.h", "/proc/self/root{out}/canary.h",
         "/{out}/canary.h", "{own}/../secret/canary.h", "./../secret/./canary.h", "../secret/../secret/canary.h"]
# What a manifest asks for beside its source.
KEYS = [
    {"include": ["../secret"]}, {"include": ["{out}"]}, {"include": ["."]}, {"expand": True},
    {"options": "-I ../secret"}, {"options": "-I{out}"}, {"options": "-include {out}/canary.h"},
    {"options": '-DF="{out}/canary.h"'}, {"defines": {"F": '"{out}/canary.h"'}},
    {"defines": {"F": '1\n#include "{out}/canary.h"'}}, {"defines": {"F": "1\\"}},
    {"cuda.defines": {"F": '1\n#include "{out}/canary.h"'}}, {"cuda.defines": {"F": '"{out}/canary.h"'}},
    {"cuda.options": "-I{out}"}, {"cuda.options": "--include-path={out}"}, {"cuda.options": "-DF=<{out}/canary.h>"},
    {"cuda.options": "--pre-include={out}/canary.h"}, {"cuda.options": "@{out}/canary.h"},
    {"cuda.options": '"-DF=1\n#include \\"{out}/canary.h\\""'}, {"options": "-Wp,-include,{out}/canary.h"},
    {"source": "../secret/canary.h"}, {"source": "link.cl"}, {"source": "-include"}, {"source": 'a"\n#b.cl'},
    {"cuda": "../secret/canary.cu"}, {"cuda": {"ptx": "../secret/canary.h"}}, {"cuda": 'a"\n#include "b.cu'},
    {"arguments.fill": {"file": "../secret/canary.bin"}},
]
CL = "{top}\nkernel void scale(global float* x, float a, int n) {{\n{middle}\n    int i = get_global_id(0);\n" \
     "    if (i < n) x[i] = a * x[i];\n}}\n"
CU = "{top}\nextern \"C\" __global__ void scale(float* x, float a, int n) {{\n{middle}\n" \
     "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) x[i] = a * x[i];\n}}\n"
PTX = ".version 7.0\n.target sm_75\n.address_size 64\n{top}\n.visible .entry scale(.param .u64 a) {{\n{middle}\nret;\n}}\n"
IN_PTX = ['.include "{p}"', '#include "{p}"', '.file 1 "{p}"\n.loc 1 1 1', '@@DWARF .file "{p}"', '#line 1 "{p}"\nwrong']


def manifest_of(place, keys):
    """A manifest for both sources, with these keys."""
    made = {"parallax": "manifest", "version": 1, "name": "scale", "source": "scale.cl", "cuda": {"source": "scale.cu"},
            "kernel": "scale", "sizes": {"names": ["n"], "timed": [[1000]], "checked": [[7]]},
            "arguments": [{"name": "x", "type": "float", "elements": "n", "fill": {"random": [0, 9]}, "use": "in_out"},
                          {"name": "a", "type": "float", "value": "2"}, {"name": "n", "type": "int", "value": "n"}],
            "items": [64], "groups": ["ceil(n / 64)"], "work": {"bytes": "8 * n", "operations": "n"}}
    for key, value in json.loads(json.dumps(keys).replace("{out}", str(place / "secret"))).items():
        if key == "arguments.fill":
            made["arguments"][0]["fill"] = value
        elif "." in key and isinstance(made["cuda"], dict):
            made["cuda"][key.split(".")[1]] = value
        else:
            made[key] = value
    return made


class Try:
    """One source, one entry point."""

    def __init__(self, number):
        draw = random.Random(f"{seed} {number}")
        entries, spellings = list(ENTRIES), list(SPELLINGS)
        self.number, self.entry = number, entries[number % len(entries)]
        if self.entry in ("explain", "lesson") and number // len(entries) % 8 != 3:  # they take many seconds
            self.entry = "run, host"
        self.spelling = spellings[number % len(spellings)] if number < 2 * len(spellings) else draw.choice(spellings)
        self.spellings = [self.spelling, *draw.sample(spellings, draw.choice([0, 0, 0, 1, 2]))]
        self.path, self.content = draw.choice(PATHS), draw.choice(CONTENTS)
        self.is_in_middle, self.keys = draw.random() < 0.2, draw.choice([{}, draw.choice(KEYS)])
        self.left_out = draw.choice(["", "source", "cuda"])  # of the manifest's two sources
        self.in_ptx = draw.choice(IN_PTX)

    @classmethod
    def harmless(cls, entry):
        """One that asks for nothing, which the entry point must accept."""
        one = cls(0)
        one.entry, one.spellings, one.keys, one.left_out, one.in_ptx = entry, ["nothing"], {}, "", ""
        return one

    def __str__(self):
        return f"try {self.number}: {self.entry}; {', '.join(self.spellings)}; {self.path}; {json.dumps(self.keys)}; " \
            f"without {self.left_out or 'nothing'}"

    def write(self, place, has_file):
        own, out = place / "own", place / "secret"
        (own / "folder").mkdir(parents=True)
        out.mkdir()
        if has_file:
            for name in ("canary.h", "canary.cu", "canary.bin"):
                (out / name).write_text(self.content)
        (own / "link.h").symlink_to(out / "canary.h")
        (own / "link.cl").symlink_to(out / "canary.h")
        (own / "below").symlink_to(out)
        path = self.path.format(out=out, own=own)
        halves = {"p": path, "p0": path[:3], "p1": path[3:]}
        asked = "\n".join(SPELLINGS.get(one, "").format(**halves) for one in self.spellings)
        parts = {"top": "" if self.is_in_middle else asked, "middle": asked if self.is_in_middle else ""}
        (own / "own.h").write_text(f'%:include "{path}"\n#inc\\\nlude "{path}"\n')
        (own / "scale.cl").write_text(CL.format(**parts))
        (own / "scale.cu").write_text(CU.format(**parts).replace("constant char", "__constant__ char"))
        ptx = self.in_ptx.format(p=path)
        (own / "scale.ptx").write_text(PTX.format(top=ptx, middle=ptx))
        keys = {**self.keys, "cuda": {"ptx": "scale.ptx"}} if self.number % 7 == 6 else self.keys
        manifest = manifest_of(place, keys)
        if self.left_out not in self.keys:
            manifest.pop(self.left_out, None)
        (own / "m.json").write_text(json.dumps(manifest))
        captured = {key: value for key, value in manifest.items() if key != "cuda"}
        captured["arguments"][0].update(fill={"file": "x.bin"}, after="x.bin")
        captured.update(sizes={"names": ["n"], "timed": [[7]]}, source=manifest.get("source", "scale.cl").replace("scale", "same"))
        (own / "folder/scale.json").write_text(json.dumps(captured))
        (own / "folder/same.cl").write_text(CL.format(**parts))
        (own / "folder/x.bin").write_bytes(bytes(28))
        (own / "folder/capture.json").write_text('{"parallax": "capture", "version": 1}')
        (own / "mine.yaml").write_text(lesson_of(asked))

    def run(self, place, has_file):
        """The exit code, all that was said, and whether a text of it must not differ."""
        self.write(place, has_file)
        told = []
        variables = {**os.environ, "HOME": str(place / "home"), "TMPDIR": str(place / "tmp"),
                     "XDG_CACHE_HOME": str(place / "home/.cache"), "POCL_CACHE_DIR": str(place / "home/pocl"),
                     "PYTHONPATH": f"{root / 'python'}:{packages}", "PARALLAX": str(program)}
        for folder in ("home/.cache", "home/pocl", "tmp", "made"):
            (place / folder).mkdir(parents=True)
        for words in ENTRIES[self.entry]:
            given = None
            if words[0] == "python":
                words = [sys.executable, "-c", PYTHON[words[1]]]
            else:
                words = [str(program), *words]
            words = [word.replace("{made}", str(place / "made")) for word in words]
            done = subprocess.run(words, cwd=place / "own", env=variables, capture_output=True, timeout=600,
                                  stdin=subprocess.DEVNULL)
            told.append((done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")))
        return told


def lesson_of(asked):
    """A lesson whose broken step asks for the file."""
    return ("order: 20\ntitle: A\nteaches: A\nintroduction: A\non_cpu: A\nsteps:\n  - name: naive\n    title: A\n    idea: A\n"
            "    run: transpose/naive\n    predict:\n      ask: A\n      of: share\n      bounds: [0.1, 0.5]\n    then: A\n  - name: broken\n    title: A\n    idea: A\n    break: naive\n"
            "    replace:\n      - find: " + json.dumps(LINE) + "\n        by: " + json.dumps(asked + "\n" + LINE) + "\n"
            "    predict:\n      ask: A\n      choices: [A, B]\n      right: 1\n    then: A\n")


PYTHON = {
    "kernel": """
import numpy, os, parallax_gpu, pathlib
for source in ({"opencl": pathlib.Path("scale.cl")}, {"cuda": pathlib.Path("scale.cu").read_text()}):
    try:
        x = numpy.zeros(64, numpy.float32)
        k = parallax_gpu.Kernel(name="scale", args=[parallax_gpu.InOut(x), numpy.float32(2), numpy.int32(64)], grid=1,
                                block=64, reference=lambda x, a, n: a * x, **source)
        print(k.check("host:0"))
    except parallax_gpu.ParallaxError as error:
        print(type(error).__name__, error)
""",
    "magic": """
import numpy, parallax_gpu, pathlib
from parallax_gpu.magics import keep_source
for language, file in (("opencl", "scale.cl"), ("cuda", "scale.cu")):
    keep_source(language)("scale", pathlib.Path(file).read_text())
try:
    x = numpy.zeros(64, numpy.float32)
    k = parallax_gpu.Kernel(name="scale", args=[parallax_gpu.InOut(x), numpy.float32(2), numpy.int32(64)], grid=1,
                            block=64, reference=lambda x, a, n: a * x)
    print(k.check("opencl"))
except parallax_gpu.ParallaxError as error:
    print(type(error).__name__, error)
""",
    "mcp": """
import pathlib
from parallax_gpu.mcp_server import Service
tools = Service(pathlib.Path("."), 60, 4)
for call in (lambda: tools.translate(source=pathlib.Path("scale.cl").read_text()),
             lambda: tools.translate(source=pathlib.Path("scale.cu").read_text(), language="cuda"),
             lambda: tools.translate(file="scale.cu"), lambda: tools.check_kernel("m.json", ["host:0"])):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)
""",
}
RUN = ["run", "-s", "m.json", "--check", "--budget", "100000", "--quiet", "-o", "{made}/records.jsonl"]
ENTRIES = {
    "port, OpenCL C": [["port", "scale.cl"]],
    "port, CUDA": [["port", "scale.cu"]],
    "port --check": [["port", "--check", "--arch", "sm_90", "scale.cl"], ["port", "--check", "--arch", "sm_90", "scale.cu"]],
    "port --expand": [["port", "--expand", "scale.cl"], ["port", "--expand", "scale.cu"]],
    "port --init": [["port", "--init", "scale.cl"], ["port", "--init", "scale.cl", "scale.cu"]],
    "run, PoCL": [[*RUN, "-d", "opencl"]],
    "run, host": [[*RUN, "-d", "host:0"]],
    "build": [["build", "m.json", "--save", "{made}/code"]],
    "diff": [["diff", "m.json/opencl", "m.json/cuda", "-d", "host:0", "--format", "json", "-o", "{made}/d.json"]],
    "show": [["show", "m.json"], ["show", "scale.cu"]],
    "explain": [["explain", "m.json", "opencl", "opencl", "--budget", "3", "--format", "json"]],
    "capture folder": [["run", "-s", "folder", "--check", "-d", "opencl", "-o", "{made}/records.jsonl"]],
    "lesson": [["lesson", "mine.yaml", "-d", "opencl", "--quiet", "--budget", "100000"]],
    "MCP": [["python", "mcp"]],
    "Python": [["python", "kernel"]],
    "notebook": [["python", "magic"]],
}


def files_with_word(place):
    found = []
    for part in ("made", "home", "tmp"):
        for file in (place / part).rglob("*"):
            if file.is_file() and WORD.encode() in file.read_bytes():
                found.append(str(file))
    return found


def refused_harmless(entry):
    """What it says of a source that asks for nothing; empty: it accepts it, or lacks a package."""
    with tempfile.TemporaryDirectory() as name:
        told = Try.harmless(entry).run(pathlib.Path(name), False)
    # A lesson's step that is not broken is a fault of the lesson, found when all was compiled and run.
    said = str([part for part in told if part[0] != 0 and "broken on purpose passed" not in part[2]] or "")
    return "" if re.search(r"No module named '?(numpy|mcp)", said) else said


def judge(number):
    one = Try(number)
    faults = []
    with tempfile.TemporaryDirectory(prefix=f"parallax-{os.getpid()}-") as name:
        told = []
        for has_file in (True, False):
            place = pathlib.Path(name, "with" if has_file else "none")
            place.mkdir()
            told.append(one.run(place, has_file))
            if has_file:
                said = [text for part in told[0] for text in part[1:] if WORD in text]
                faults += [f"it is said: {text[max(0, text.index(WORD) - 200):][:400]}" for text in said]
                faults += [f"it is in {file}" for file in files_with_word(place)]
            left = [str(file) for file in (place / "tmp").iterdir()]
            if left:
                faults.append(f"left behind: {left}")
        codes = [[part[0] for part in side] for side in told]
        if one.entry in ("MCP", "Python", "notebook"):  # there a text says how it ended
            texts = [re.sub(r"parallax-[\w-]+|with/|none/|\d+", "", str(side)) for side in told]
            if texts[0] != texts[1]:
                faults.append(f"it is told apart:\n{told[0]}\n{told[1]}"[:3000])
        if codes[0] != codes[1]:
            faults.append(f"exit codes {codes[0]} with the file, {codes[1]} without it:\n"
                          f"{told[0]}\n{told[1]}"[:3000])
    return one, codes[0], faults


if __name__ == "__main__":
    workers = int(os.environ.get("WORKERS", "1"))
    table = collections.defaultdict(collections.Counter)
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for entry, said in zip(ENTRIES, pool.map(refused_harmless, ENTRIES)):
            if said:
                bad += 1
                print(f"{entry} accepts no source that asks for nothing:\n{said[-2000:]}")
        for done, (one, codes, faults) in enumerate(pool.map(judge, range(tries))):
            if done % 100 == 99:
                print(f"{done + 1} tries, {bad} faults", flush=True)
            row = table[one.entry]
            row["tries"] += 1
            row["accepted"] += all(code == 0 for code in codes)
            row["faults"] += bool(faults)
            if os.environ.get("VERBOSE"):
                print(codes, one, flush=True)
            for fault in faults:
                bad += 1
                print(f"{one}\n    {fault}", flush=True)
    print(f"{'entry point':20} {'tries':>6} {'accepted':>9} {'faults':>7}")
    for entry, row in table.items():
        print(f"{entry:20} {row['tries']:6} {row['accepted']:9} {row['faults']:7}")
    print(f"{len(SPELLINGS)} spellings, {len(PATHS)} paths, {len(ENTRIES)} entry points, seed {seed}: {bad} faults")
    sys.exit(bool(bad))
