"""Every kind of doubt is said by each reader of the package, and by the server for agents."""

import json
import re

import pytest
from conftest import ROOT

import parallax_gpu as px

KINDS = re.findall(r'KindWords\{\s*DoubtKind::\w+,\s*"([^"]+)"', (ROOT / "records" / "doubt.cpp").read_text())
SENTENCE = "zeros would pass, too."


def line_of(kind, timed):
    """A stored line of a right answer, with a doubt."""
    lines = map(json.loads, (ROOT / "results" / "nvidia-h100-80gb-hbm3" / "diff.jsonl").read_text().splitlines())
    line = next(one for one in lines if one["schema"] == "parallax.record" and one["status"] == "ok")
    if not timed:
        line = {name: value for name, value in line.items() if name not in ("timing", "work", "rate", "state")}
        line["reason"] = "Every answer passed the checks, and --check asks for no more."
    doubt = {"kind": kind, "sentence": SENTENCE, "hint": "Look at it."}
    return {**line, "suite": "mine", "status": "doubtful", "doubts": [doubt]}


def test_all_kinds_are_known():
    assert len(KINDS) > 10 and KINDS[0] == "open questions"


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_records(tmp_path, kind, timed):
    file = tmp_path / "doubtful.jsonl"
    file.write_text(json.dumps(line_of(kind, timed)) + "\n")
    results = px.read(file)
    (record,) = results.records
    assert record.status == "doubtful"
    assert [(one.kind, one.sentence, one.hint) for one in record.doubts] == [(kind, SENTENCE, "Look at it.")]
    assert "doubtful" in results.summary() and "Zeros would pass, too." in results.summary()
    assert not results.ok
    assert "doubtful" in results._repr_html_()


@pytest.mark.parametrize("kind", KINDS)
def test_server_for_agents(monkeypatch, kind):
    pytest.importorskip("mcp.server")
    from parallax_gpu.mcp_server import Done, Service

    said = {"run": "\n".join(json.dumps(line_of(kind, False)) for _ in range(2))}
    side = {"status": "doubtful", "doubts": line_of(kind, True)["doubts"]}
    case = {"title": "mine/plain", "verdict": "SAME", "said": "SAME, as the program says", "doubtful": True,
            "reason": f"Doubtful: {SENTENCE}", "ratio": None, "kernel": {"same": True}, "a": side, "b": {"status": "ok"},
            "answer": {"right_a": False, "right_b": True, "only_agree": False, "identical": True}}
    said["diff"] = json.dumps({"cases": [case, case]})
    service = Service(ROOT, 60, 4)
    monkeypatch.setattr(service, "run", lambda *words, **_: Done(0, said[words[0]], ""))
    checked = service.check_kernel("mine/plain")
    assert "2 of 2 cases passed the checks and are doubtful" in checked["sentence"] and SENTENCE in checked["sentence"]
    assert checked["hint"] == "Look at it." and checked["cases"][0]["doubts"][0]["kind"] == kind
    compared = service.compare_kernels("mine/plain")
    assert compared["sentence"] == "2 cases: 2 SAME; 2 of them doubtful." and compared["hint"] == "Look at it."
    assert case["said"] in compared["cases"][0]["sentence"] and SENTENCE in compared["cases"][0]["sentence"]
    assert compared["cases"][0]["right"] == [False, True]


HISTOGRAM = """
__device__ void count(volatile unsigned* counts, unsigned value, unsigned tag) {
    unsigned now;
    do {
        now = tag | ((counts[value] & 0x07ffffffu) + 1);
        counts[value] = now;
    } while (counts[value] != now);
}
extern "C" __global__ void histogram(const unsigned* data, unsigned* partial, int n) {
    __shared__ unsigned counts[64 / 32 * 256];
    for (int i = threadIdx.x; i < 2 * 256; i += blockDim.x) counts[i] = 0;
    __syncthreads();
    unsigned* own = counts + threadIdx.x / 32 * 256;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        ADD
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        partial[blockIdx.x * 256 + bin] = (counts[bin] & 0x07ffffffu) + (counts[bin + 256] & 0x07ffffffu);
}
"""
WAYS = {"tagged": "count(own, data[i] & 7u, threadIdx.x << 27);", "atomic": "atomicAdd(own + (data[i] & 7u), 1u);"}


@pytest.mark.parametrize("way", WAYS)
def test_a_race_that_a_device_may_hide(tmp_path, way):
    """Lanes of a warp that tag their counts and try again need no atomics on a GPU, by chance."""
    if "host:1" not in [one.device for one in px.devices()]:
        pytest.skip("no compiler with sanitizers")
    (tmp_path / "histogram.cu").write_text(HISTOGRAM.replace("ADD", WAYS[way]))
    data = {"name": "data", "type": "uint", "elements": "n", "fill": {"random": [0, 4294967295]}, "use": "input"}
    partial = {"name": "partial", "type": "uint", "elements": "512", "use": "output"}
    manifest = {"parallax": "manifest", "version": 1, "name": "bins", "question": "Which is right?",
                "cuda": "histogram.cu", "kernel": "histogram", "items": [64], "groups": [2],
                "sizes": {"names": ["n"], "timed": [[100000]], "checked": [[5000], [333]]},
                "arguments": [data, partial, {"name": "n", "type": "int", "value": "n"}]}
    (tmp_path / "bins.json").write_text(json.dumps(manifest))
    for _ in range(3):
        (record,) = px.run(tmp_path / "bins.json", device="host:0", check=True, output=tmp_path / "bins.jsonl",
                           errors="return").records[-1:]
        if way == "atomic":
            assert record.status == "checked" and "sizes other than 333" in record.check.unchecked[-1]
        elif record.status != "wrong":  # the order of the work-items decides
            assert record.status == "doubtful" and record.doubts[0].kind == "wrong on host:1", record
            assert "at size 333" in record.doubts[0].sentence


def test_the_trial_on_the_host_has_several_groups(tmp_path):
    if "host:1" not in [one.device for one in px.devices()]:
        pytest.skip("no compiler with sanitizers")
    (tmp_path / "t.cu").write_text("""extern "C" __global__ void t(const int* x, int* y, int n) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + 1; }""")
    x = {"name": "x", "type": "int", "elements": "n", "fill": {"random": [0, 99]}, "use": "input"}
    manifest = {"parallax": "manifest", "version": 1, "name": "t", "question": "Which is right?", "cuda": "t.cu",
                "kernel": "t", "items": [64], "groups": ["ceil(n / 64)"],
                "sizes": {"names": ["n"], "timed": [[100000]], "checked": [[5000], [33], [300]]},
                "arguments": [x, {"name": "y", "type": "int", "elements": "n", "use": "output"},
                              {"name": "n", "type": "int", "value": "n"}]}
    (tmp_path / "t.json").write_text(json.dumps(manifest))
    (record,) = px.run(tmp_path / "t.json", device="host:0", check=True, output=tmp_path / "t.jsonl").records[-1:]
    assert "sizes other than 300" in record.check.unchecked[-1]
