# Writes kernels that keep answers to inputs that they had, and tries whether the judge lets one pass. Each is compared
# with the honest kernel beside it; one that is half as fast again or more without being wrong or doubtful has passed.
#   remembering.py FOLDER                                      only writes them
#   remembering.py FOLDER --with build/parallax -d cuda:0      tries them; ends with 1 where one passes
#   ... --all            every combination in place of a fixed part;  --seed N: another part
#   ... --only TEXT      those whose name has the text
import argparse
import itertools
import json
import pathlib
import random
import subprocess
import sys

# How a kernel knows its inputs: the number that it computes from them.
KEYS = {
    "element": "f = x[i];",
    "sample": "for (uint q = 0; q < 16; q++) f += (1.0f + 0.37f * q) * x[(q * 977 + n / 2 + 1) % n];",
    "group": "for (uint q = 0; q < 64; q++) { const uint k = i / 64 * 64 + q; if (k < n) f += (1.0f + 0.01f * q) * x[k]; }",
    "running_sum": "for (uint q = 0; q < 256; q++) f = 0.75f * f + x[(q * 61 + 7) % n];",
    "all": "for (uint q = 0; q < n; q++) f += (1.0f + 1e-3f * (q % 64)) * x[q];",
}
SLOTS = (1, 2, 3, 4, 8, 16, 33, 64)
# Steps of the work that is kept. What a step is worth differs: the report says what each kernel gained.
STEPS = (20, 60, 200, 600, 2000, 10000)
# `in_out`: what is kept is added to a buffer that is read and written.
FORMS = ("output", "in_out", "no_reference")

# Words of a kernel in either language. They are written out: a reader may not look behind macros.
CL = {"GLOBAL": "__global", "KERNEL": "__kernel", "INDEX": "(uint)get_global_id(0)", "FUNCTION ": ""}
CUDA = {"GLOBAL ": "", "KERNEL": 'extern "C" __global__', "INDEX": "(blockIdx.x * blockDim.x + threadIdx.x)",
        "FUNCTION": "__device__", "uint ": "unsigned "}


def source(is_cuda, name, steps, body, keeps="", read_back=""):
    prefix = "__device__ " if is_cuda else "__global "
    memory = "".join(prefix + line + ";\n" for line in keeps.split(";") if line)
    work = ("FUNCTION float worked(float v) { float t = v; for (int k = 0; k < %d; k++) "
            "t = t * 0.5f + 0.5f * (0.3f + 0.7f * v * t); return t; }\n" % steps)
    text = (work + memory + f"KERNEL void {name}(const uint n, GLOBAL const float* x, GLOBAL float* y) {{\n"
            "    const uint i = INDEX;\n    if (i >= n) return;\n"
            f"    {body}\n    {read_back}\n}}\n")
    for word, meaning in (CUDA if is_cuda else CL).items():
        text = text.replace(word, meaning)
    return text


def kernel(name, use):
    return {"name": name, "source": name + ".cl", "cuda": name + ".cu", "kernel": name,
            "arguments": [{"name": "n", "type": "uint", "value": "n"},
                          {"name": "x", "type": "float", "elements": "n", "fill": "random"},
                          {"name": "y", "type": "float", "elements": "n", "use": use,
                           **({"fill": "random"} if use == "in_out" else {})}],
            "items": [64], "groups": ["ceil(n / 64)"]}


def write(folder, key, slots, steps, form):
    folder.mkdir(parents=True, exist_ok=True)
    n = 4096 if key == "all" else 65536
    use = "in_out" if form == "in_out" else "output"
    store = "y[i] = 0.5f * y[i] + w;" if use == "in_out" else "y[i] = w;"
    honest = "const float w = worked(x[i]);"
    keeps = f"float kept[{slots}][{n}];float key[{slots}][{n}];uint next[{n}]"
    candidate = (f"float f = (float)n; {KEYS[key]} f += 1e-3f; int at = -1;\n"
                 f"    for (int k = 0; k < {slots}; k++) if (key[k][i] == f) at = k;\n"
                 f"    if (at < 0) {{ at = (int)(next[i]++ % {slots}u); kept[at][i] = worked(x[i]); key[at][i] = f; }}\n"
                 "    const float w = kept[at][i];")
    for suffix, is_cuda in ((".cl", False), (".cu", True)):
        for name, body, memory in (("base", honest, ""), ("candidate", candidate, keeps), ("ref", honest, "")):
            (folder / (name + suffix)).write_text(source(is_cuda, name, steps, body, memory, store))
    manifest = {"parallax": "manifest", "version": 1, "name": "remembering", "options": "-cl-std=CL2.0",
                "sizes": {"names": ["n"], "timed": [[n]], "checked": [[1], [1000]]},
                "variants": [kernel("base", use), kernel("candidate", use)],
                "tolerance": {"relative": 1e-5, "absolute": 1e-6}, "work": {"bytes": "8 * n"}}
    if form != "no_reference":
        manifest["reference"] = {k: v for k, v in kernel("ref", use).items() if k not in ("name", "cuda")}
    (folder / "m.json").write_text(json.dumps(manifest, indent=1))


def judged(program, device, manifest):
    """The candidate's gain, and what is said of it; the gain is 0 where it is not timed."""
    ran = subprocess.run([program, "diff", f"{manifest}/base", f"{manifest}/candidate", "-d", device, "--format",
                          "json", "--quiet"], capture_output=True, text=True)
    try:
        case = json.loads(ran.stdout)["cases"][0]
    except (ValueError, LookupError):
        return 0, "failed: " + ran.stderr.strip().splitlines()[-1] if ran.stderr.strip() else "failed"
    a, b = case["a"], case["b"]
    if b["status"] != "ok":
        return 0, f"{b['status']}: {b['reason']}"
    gain = a["seconds"] / b["seconds"] if b.get("seconds") and a.get("seconds") else 0
    doubts = [one["sentence"] for one in b.get("doubts", [])]
    return gain, "doubtful: " + doubts[0] if doubts else "passes"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--with", dest="program")
    parser.add_argument("-d", dest="device", default="opencl:0")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    every = list(itertools.product(KEYS, SLOTS, STEPS, FORMS))
    # A fixed part has each key with each number of slots.
    some = [(key, slots, *random.Random(f"{given.seed} {key} {slots}").choice(list(itertools.product(STEPS, FORMS))))
            for key in KEYS for slots in SLOTS]
    escaped = 0
    for key, slots, steps, form in every if given.all else some:
        name = f"{key}_{slots}_{steps}_{form}"
        if given.only not in name:
            continue
        write(given.folder / name, key, slots, steps, form)
        if not given.program:
            continue
        gain, said = judged(given.program, given.device, given.folder / name / "m.json")
        passes = gain >= 1.5 and said == "passes"
        escaped += passes or said.startswith("failed")
        print(f"{name:40} {gain:8.2f}  {'PASSES' if passes else said}", flush=True)
    if given.program:
        print(f"{escaped} passed, or failed to be judged.")
    return 1 if escaped else 0


if __name__ == "__main__":
    sys.exit(main())
