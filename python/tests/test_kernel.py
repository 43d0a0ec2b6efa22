"""Kernels with numpy arrays: right ones, wrong ones, and arguments that do not fit."""

import json
from pathlib import Path

import numpy as np
import pytest

import parallax_gpu as px
from parallax_gpu import kernel, magics

SAXPY = """
__kernel void saxpy(uint n, float a, __global const float* x, __global float* y) {
    uint i = get_global_id(0);
    if (i < n) y[i] = a * x[i] + y[i];
}
"""
SAXPY_CUDA = """
__global__ void saxpy(unsigned n, float a, const float* x, float* y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""
X = np.linspace(0, 1, 1000, dtype=np.float32)


def saxpy(**changes):
    given = {
        "opencl": SAXPY,
        "name": "saxpy",
        "args": [1000, 2.5, X, px.InOut(X)],
        "grid": 4,
        "block": 256,
        "reference": lambda x, y, a: a * x + y,
    }
    return px.Kernel(**{**given, **changes})


def rejected(said, **changes):
    with pytest.raises(px.BadArgument, match=said):
        saxpy(**changes)


def test_right(opencl):
    k = saxpy(cuda=SAXPY_CUDA)
    results = k.check(device=[opencl, "host:0"])
    assert [one.status for one in results.records] == ["checked", "checked"]
    assert {one.check.checked_against for one in results.records} == {"expected data"}
    assert [case.verdict for case in k.diff(opencl, "host:0")] == ["EQUAL"]
    assert [case.verdict for case in k.diff("opencl", "cuda", device="host:0")] == ["EQUAL"]


def test_wrong(opencl):
    k = saxpy(reference=lambda x, y: 3 * x + y)
    with pytest.raises(px.WrongAnswer, match=r"saxpy.*element\(s\) wrong; the first is") as caught:
        k.check(device=opencl)
    assert caught.value.exit_code == 1 and caught.value.results.records[0].status == "wrong"
    assert "the first is y[" in str(caught.value) and "Shape 1000, your data." in str(caught.value)
    right = saxpy().check(device=opencl).records
    for record in (*caught.value.results.records, *right):
        assert "parallax-python-" not in repr(record) and record.run.command == [], "it is gone tomorrow"
    assert "The device 'host:1' does." in repr(right)


def test_a_call_returns_the_outputs(opencl):
    def ones(n):
        return np.ones(n, np.float32)

    k = saxpy(
        args=[lambda n: n, 2.5, ones, px.InOut(ones)], grid=lambda n: -(-n // 256), sizes=[{"n": 1000}, {"n": 5}]
    )
    assert k.outputs == {}
    assert (k(device=opencl) == 3.5).all() and k.outputs["y"].shape == (1000,)
    for got in (k(3, 2, [1, 2, 3], [10, 20, 30], device=opencl), k(x=[1, 2, 3], y=[10, 20, 30], a=2, n=3)):
        assert got.dtype == np.float32 and got.tolist() == [12, 24, 36]
    assert k(n=7, device="host:0").tolist() == [3.5] * 7
    assert not list(Path().glob("results/*")), "a call leaves no files in the working folder"
    k.check(device=opencl)
    assert k.outputs["y"].tolist() == [3.5] * 1000, "of the first size"
    for args, named in (((1, 2, X, X, X), {}), ((1,), {"n": 1})):
        with pytest.raises(px.BadArgument, match=r"'saxpy' reads n, a, x, y\. Give each once"):
            k(*args, **named)
    with pytest.raises(px.BadArgument, match=r"no parameter or size 'm'\. It has: n, a, x, y"):
        k(m=3)
    with pytest.raises(px.BadArgument, match=r"'y'.*written by the kernel"):
        saxpy(args=[1000, 2.5, X, px.Out(1000)], reference=lambda x: x)(y=X)


def test_a_call_of_a_wrong_kernel_raises(opencl):
    k = saxpy(reference=lambda x, y: 3 * x + y)
    with pytest.raises(px.WrongAnswer, match="wrong; the first is"):
        k(device=opencl)
    assert np.allclose(k.outputs["y"], 3.5 * X), "what it wrote can be looked at"
    with pytest.raises(px.CaseFailed):
        saxpy(opencl=SAXPY.replace("a * x", "a * none"))(device=opencl)


def test_a_call_of_a_wrong_length_blames_the_argument():
    k = saxpy()
    for x in (X[:3], X.reshape(100, 10)):
        with pytest.raises(px.BadArgument, match=r"Argument 2 'x' .*shape \(.*that of args has \(1000,\)\. Give"):
            k(x=x)
    k = saxpy(args=[1000, 2.5, lambda n: X[:n], px.InOut(lambda n: X[:n])], sizes={"n": 1000})
    with pytest.raises(px.BadArgument, match=r"3 'y' .*\(4,\).*\(7,\) at the size n=7\."):
        k(n=7, y=X[:4])
    with pytest.raises(ZeroDivisionError):  # the reference's own
        saxpy(reference=lambda x: 1 // 0)


def test_keywords_that_do_not_fit():
    rejected("no keyword 'tolerence'. Did you mean 'tolerance'", tolerence=1e-5)
    rejected("no keyword 'opncl'. Did you mean 'opencl'", opncl="saxpy.cl")
    rejected("no keyword 'groups'. It has: args, grid", groups=[4])
    with pytest.raises(px.BadArgument, match=r"by name: px.Kernel\(opencl=FILE"):
        px.Kernel(SAXPY)
    for given in (5, {"a": 1}, ["saxpy.cl"], b"kernel"):
        rejected(f"opencl= is {type(given).__name__}. Give a file, or the source", opencl=given)
    rejected("name= is int. Give the kernel's name", name=5)
    rejected("folder= is int. Give a path", folder=5)
    rejected("args= is NoneType. Give a list", args=None)
    rejected("constants= is int. Give names and numbers", constants=5)
    rejected("tolerance: found", tolerance="x")  # and not at the first check
    rejected("worth", worth={"NONE": [1]})
    with pytest.raises(px.BadArgument, match=r"4 parameters \(n, a, x, y\), and args has 0"):
        px.Kernel(opencl=SAXPY)
    for search in (lambda: saxpy().tune(), lambda: saxpy().sweep("ITEMS=1,2")):
        with pytest.raises(px.BadArgument, match=r"no constants to try. Give px.Kernel\(..., constants=.*worth="):
            search()


def test_the_keywords_are_those_of_a_manifest(tmp_path):
    (tmp_path / "m.json").write_text('{"parallax": "manifest", "none": 0}')
    said = px.run_program(["list", "m.json"]).messages.partition("There are ")[2].rstrip(".\n").split(", ")
    own = {"parallax", "version", "name", "source", "sizes", "tolerance", "reference", "cuda", "kernel", "arguments",
           "items", "groups", "launches"}  # fmt: skip
    assert {*kernel.KEYS} | own == {*said}


def test_what_a_prompt_shows(opencl):
    k = saxpy(cuda=SAXPY_CUDA, sizes={"n": 1000})
    assert repr(k) == "<Kernel saxpy(n, a, x, y) in OpenCL C and CUDA, sizes: n=1000>"
    results = k.check(opencl)
    assert repr(results).startswith(f"<Results: 1 line(s) in {results.path}>\npy-saxpy-n1000/saxpy float 1000 on ")
    compared = k.diff(opencl, "host:0")
    assert repr(compared).startswith(f"<Comparison of {opencl} and host:0: 1 case(s)>\npy-saxpy")
    many = px.Results([results[0]] * 30)
    assert repr(many).count("\n") == 21 and repr(many).endswith("... 10 more: print() shows all")


def test_several_outputs_are_a_tuple(opencl):
    source = """__kernel void both(__global const int2* x, __global int* sum, __global uchar* larger) {
        size_t i = get_global_id(0); sum[i] = x[i].x + x[i].y; larger[i] = x[i].x > x[i].y; }"""
    k = saxpy(
        opencl=source,
        name=None,
        args=[np.array([[1, 2], [4, 3]], np.int32), px.Out((1, 2), np.int32), px.Out(2, np.uint8)],
        grid=1,
        block=2,
        reference=lambda x: (x.sum(axis=1, dtype=np.int32).reshape(1, 2), (x[:, 0] > x[:, 1]).astype(np.uint8)),
    )
    total, larger = k(device=opencl)
    assert total.tolist() == [[3, 7]] and larger.tolist() == [0, 1]
    assert list(k.outputs) == ["sum", "larger"]


def test_odd_sizes(opencl):
    """A kernel without its guard is right for whole groups, and for no others."""
    args = [lambda n: n, 2.5, lambda n: np.ones(n, np.float32), px.InOut(lambda n: np.ones(n, np.float32))]
    given = {"args": args, "grid": lambda n: -(-n // 256), "sizes": [{"n": 1024}, {"n": 1}, {"n": 777}]}
    k = saxpy(**given)
    assert [one.shape for one in k.check(device=opencl).records] == [[1024], [1], [777]]
    bad = saxpy(**given, opencl=SAXPY.replace("if (i < n)", "if (i < n / 256 * 256)"))
    with pytest.raises(px.WrongAnswer) as caught:
        bad.diff(opencl, "host:0")  # of the first size, which is right
    assert "777" in str(caught.value)


def test_sources_are_files_with_includes(opencl, tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "two.h").write_text("#define TWO 2\n")
    file = tmp_path / "own" / "twice.cl"
    file.write_text(
        '#include "two.h"\n__kernel void twice(__global const int4* x, __global int4* y, __local int* t) {\n'
        "    t[get_local_id(0)] = TWO; barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    y[get_global_id(0)] = x[get_global_id(0)] * t[get_local_id(0)];\n}\n"
    )
    x = np.arange(256, dtype=np.int32).reshape(64, 4)
    k = px.Kernel(
        opencl=file,
        name="twice",
        args=[x, px.Out((64, 4), np.int32), px.Local(32, np.int32)],
        grid=2,
        block=32,
        reference=lambda x: 2 * x,
        folder=tmp_path / "made",
    )
    assert k.check(device=opencl).ok
    manifest = json.loads((tmp_path / "made" / "py-twice.json").read_text())
    assert [one.get("elements", one.get("local")) for one in manifest["arguments"]] == [64, 64, 32]


def test_nothing_of_the_users_folder_is_replaced(tmp_path):
    mine = [tmp_path / name for name in ("saxpy.cl", "saxpy.json", "data/x.bin")]
    (tmp_path / "data").mkdir()
    for file in mine:
        file.write_text("mine")
    saxpy(folder=tmp_path)
    assert [file.read_text() for file in mine] == ["mine"] * 3
    again = saxpy(folder=tmp_path, opencl=SAXPY + "\n")  # its own are
    assert (tmp_path / again.sources["source"]).read_text() == SAXPY + "\n"


def test_template(opencl):
    """A CUDA template against an OpenCL kernel."""
    source = """
template <class T, int B>
__global__ void scale(const T* x, T* y, unsigned n) {
    unsigned i = blockIdx.x * B + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
"""
    other = """
__kernel void scale(__global const float* x, __global float* y, uint n) {
    uint i = get_global_id(0);
    if (i < n) y[i] = 2 * x[i];
}
"""
    given = {"args": [X, px.Out(1000), 1000], "reference": lambda x: 2 * x, "name": "scale<float, 256>"}
    assert saxpy(**given, opencl=None, cuda=source).check(device="host:0").ok
    both = saxpy(**given, opencl=other, cuda=source)
    assert [case.verdict for case in both.diff(opencl, "host:0")] == ["EQUAL"]
    with pytest.raises(px.UsageError, match="is never timed"):  # and not that there is no such kernel
        both.explain(opencl, "host:0")


def test_bad_references():
    rejected(r"float64 of the shape \(1000,\) for 'y'.*float32", reference=lambda x, y: x.astype(float))
    rejected(r"shape \(999,\) for 'y'.*shape \(1000,\)", reference=lambda x, y: (x + y)[1:])
    rejected("returns 2 arrays, and 'saxpy' writes 1: y", reference=lambda x, y: (x, y))
    rejected("nothing for the output 'y'", reference=lambda x, y: {"z": x})
    rejected("nothing for the output 'y'", reference=lambda x, y: None)
    rejected("reference is ndarray. Give a function", reference=X)
    rejected("takes p, q, and the inputs are n, a, x, y", reference=lambda p, q: p)


def test_references_are_called_by_name_or_in_order():
    saxpy(reference=lambda a, y, x: a * x + y)
    saxpy(reference=lambda count, factor, left, right: {"y": factor * left + right})
    saxpy(reference=lambda *inputs: [inputs[1] * inputs[2] + inputs[3]])

    def in_place(x, y, a=2.5):
        y += np.float32(a) * x
        return y

    k = saxpy(reference=in_place)
    assert np.fromfile(k.folder / "data" / "y.bin", np.float32)[1] == X[1]


def test_arguments_that_do_not_fit():
    out = px.InOut(X)
    rejected(r"4 parameters \(n, a, x, y\), and args has 3", args=[1000, X, out])
    rejected("'x'.*buffer of float, and float64 is given", args=[1000, 2.5, X.astype(float), out])
    rejected("'x'.*buffer of float. Give an array", args=[1000, 2.5, 3.0, out])
    rejected("'n'.*uint by value, and 1000 values", args=[X, 2.5, X, out])
    rejected("'n'.*uint, and 2.5 is given", args=[2.5, 2.5, X, out])
    rejected("'n'.*cannot hold -1", args=[-1, 2.5, X, out])
    for number in (float("nan"), float("inf"), 1e300):
        rejected("'a' .*float, and .* Give a finite number", args=[1000, number, X, out])
    rejected("'n'.*by value. Give a number", args=["many", 2.5, X, out])
    rejected("'y'.*written by the kernel. Write px.InOut", args=[1000, 2.5, X, X])
    rejected("'x'.*never written", args=[1000, 2.5, px.Out(1000), out])
    rejected("'x'.*is a buffer", args=[1000, 2.5, px.Local(4), out])
    rejected(r"'y'.*px.Out\(-3, .*negative", args=[1000, 2.5, X, px.Out(-3)])
    rejected(r"'y'.*px.Out\(9, 'floaty'", args=[1000, 2.5, X, px.Out(9, "floaty")])
    rejected("no whole number", args=[1000, 2.5, np.zeros(0, np.float32), out])
    for grid in (0, 2.5, None, float("nan"), "4", X):
        rejected("grid is", grid=grid)
    rejected("block is", block=(1, 1, 1, 1))
    for sizes in (5, [5], "n"):
        rejected("sizes is .*write names and numbers", sizes=sizes)
    for size in ({"n": 3.5}, {"n": 0}, {"n": "many"}, {"a/b": 5}):
        rejected("sizes has .*a whole number from 1 on", sizes=[size])
    rejected("size 'm' is not among sizes", args=[lambda m: m, 2.5, X, out], sizes={"n": 1000})
    rejected("no source '/nowhere.cl'", opencl="/nowhere.cl")
    for source in ("", "a\0b", "x" * 300, SAXPY + "\ud800"):
        rejected("source", opencl=source)
    rejected("cannot be a folder", folder="/dev/null")
    rejected("no source of 'saxpy'.*%%opencl saxpy", opencl=None)


def test_the_program_says_what_is_wrong_with_a_source():
    with pytest.raises(px.ParallaxError, match="nothing"):
        saxpy(name="nothing")
    with pytest.raises(px.ParallaxError, match=r"cannot be translated:\n.*saxpy.cl:1: "):
        saxpy(opencl="no kernel {")


def test_the_name_is_the_only_kernels(opencl, tmp_path):
    k = saxpy(name=None, cuda=SAXPY_CUDA, folder=tmp_path)
    assert k.name == "saxpy" and k.check(device=opencl).ok
    assert {one.name for one in tmp_path.glob("py-*.c*")} == {"py-saxpy.cl", "py-saxpy.cu"}
    with pytest.raises(px.UsageError, match="saxpy, other"):
        saxpy(name=None, opencl=SAXPY + SAXPY.replace("saxpy", "other"))


def test_lists_are_arrays(opencl):
    given = [1000, 2.5, X.tolist(), px.InOut(lambda: X.tolist())]
    assert saxpy(args=given).check(device=opencl).ok
    source = "__kernel void twice(__global const uchar4* x, __global uchar4* y) { y[0] = x[0] * (uchar4)(2); }"
    given = {"name": None, "opencl": source, "grid": 1, "block": 1, "reference": lambda x: 2 * x}
    k = saxpy(**given, args=[[[1, 2], [3, 127]], px.Out((2, 2), np.uint8)])
    assert k.check(device=opencl).ok
    for values, said in (([1, 2, 3, 256], "cannot hold 256"), ([1, 2, 3, 0.5], "whole number"), (["1"], "Give numbers"),
                         ([[1], [2, 3]], "no array")):  # fmt: skip
        rejected(f"'x'.*{said}", **given, args=[values, px.Out((2, 2), np.uint8)])


def test_constants_are_swept_and_tuned(opencl, tmp_path):
    source = SAXPY.replace("{", "{\n#pragma unroll STEPS\n for (int k = 0; k < 1; ++k) {").replace("}", "} }")
    k = saxpy(opencl=source, constants={"STEPS": 1}, worth={"STEPS": [1, 2, 4]})
    swept = k.sweep("STEPS=1,2", device=opencl, budget=600)
    assert [one.constants["STEPS"] for one in swept.shown()] == [1, 2]
    tuned = k.tune(opencl, trials=3, budget=600, keep=tmp_path / "tuned.jsonl")
    assert set(tuned.best) == {opencl}
    assert {one.constants["STEPS"] for one in tuned.results.shown()} == {1, 2, 4}


def test_exceptions_have_the_compilers_first_error(opencl):
    k = saxpy(opencl=SAXPY.replace("a * x", "a * none"), cuda=SAXPY_CUDA.replace("a * x", "a * none"))
    for device, place in ((opencl, r"saxpy\.cl:4:27: .*'none'"), ("host:0", r"saxpy\.cu:4:27: error: .none. was")):
        with pytest.raises(px.CaseFailed, match=place):
            k.check(device=device)


def test_one_source(opencl):
    with pytest.raises(px.BadArgument, match="has one source"):
        saxpy().diff("opencl", "cuda", device="host:0")
    cuda = saxpy(opencl=None, cuda=SAXPY_CUDA)
    with pytest.raises(px.NothingRan, match="no OpenCL C source"):
        cuda.check(device=opencl)
    with pytest.raises(px.NothingRan, match=r"NOT COMPARABLE.*no OpenCL C source"):
        cuda.diff(opencl, "host:0")


def test_cells_are_sources(opencl):
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "parallax_gpu")
    try:
        shell.run_cell_magic("opencl", "saxpy", SAXPY)
        shell.run_cell_magic("cuda", "saxpy", SAXPY_CUDA)
        k = saxpy(opencl=None, name=None)
        assert set(k.sources) == {"source", "cuda"} and k.check(device=opencl).ok
        with pytest.raises(px.BadArgument, match="followed by the kernel's name"):
            magics.keep_source("opencl")("not a name", SAXPY)
    finally:
        kernel.session_sources.clear()


class Tensor:
    """What PyTorch's tensors have."""

    def __init__(self, array):
        self.array = array

    def detach(self):
        return self

    def cpu(self):
        return self

    def clone(self):
        return Tensor(self.array.copy())

    def numpy(self):
        if self.array.dtype == np.float64:
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.array


def test_tensors(opencl):
    given = [1000, 2.5, Tensor(X), px.InOut(Tensor(X))]
    k = saxpy(args=given, reference=lambda x, y, a: Tensor(a * x.array + y.array))
    assert k.check(device=opencl).ok
    rejected("Tensor does not become an array: Got unsupported", args=[1000, 2.5, Tensor(X.astype(float)), given[3]])
    rejected(
        r"for 'y'.*\.to\(torch.float32\)", args=given, reference=lambda x: Tensor(x.array.astype(np.int64))
    )


def test_tensors_of_pytorch(opencl):
    torch = pytest.importorskip("torch")
    x, y = torch.linspace(0, 1, 1000), torch.ones(1000, requires_grad=True)
    k = saxpy(args=[1000, 2.5, x, px.InOut(y)], reference=lambda x, y, a: torch.add(y, x, alpha=float(a)))
    assert k.check(device=opencl).ok
    source = SAXPY.replace("global float* y", "global int* y").replace("a * x[i] + y[i]", "2 * i")
    k = saxpy(opencl=source, args=[512, 1, x, px.Out(512, torch.int32)], reference=lambda n: 2 * torch.arange(n).int())
    assert k.check(device=opencl).ok
    rejected("does not become an array.*BFloat16", args=[1000, 2.5, x.bfloat16(), px.InOut(y)])
    rejected("does not become an array.*meta", args=[1000, 2.5, torch.empty(1000, device="meta"), px.InOut(y)])
