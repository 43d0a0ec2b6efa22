"""Result files become dataclasses, tables and pages."""

import json
import math
import os

import pytest
from conftest import ROOT

import parallax_gpu as px

STORED = ROOT / "results" / "nvidia-h100-80gb-hbm3"


def test_stored_results_are_read():
    results = px.read(STORED)
    assert len(results.records) > 100 and len(results.pairs) > 10 and results.explanations
    right = [one for one in results if isinstance(one, px.Record) and one.status == "ok"]
    assert all(one.timing.median > 0 and one.check.trials > 0 for one in right)
    assert results.explanations[0].gap.value > 0


def test_every_member_is_taken():
    """What a class lacks, or reads otherwise, would be lost."""
    file = STORED / "diff.jsonl"
    for line, read in zip(file.read_text().splitlines(), px.read(file)):
        whole = json.loads(line)
        missing = set(whole) - set(vars(read)) - {"schema", "version"}
        assert not missing
        if isinstance(read, px.Record) and read.timing:
            assert read.timing.samples == whole["timing"]["samples"]


def test_a_line_that_is_cut_off(tmp_path):
    whole = (STORED / "diff.jsonl").read_text().splitlines()[:3]
    file = tmp_path / "cut.jsonl"
    file.write_text("\n".join(whole) + "\n" + whole[0][:100])
    with pytest.warns(UserWarning, match="cut.jsonl:4.*cut off"):
        assert len(px.read(file)) == 3


@pytest.mark.parametrize(
    "line, said",
    [
        ('{"schema": "parallax.record", "version": 99}', r"version 99.*version 1"),
        ('{"schema": "parallax.record", "version": 1}', "suite is missing"),
        ('{"schema": "parallax.time_spent", "version": 1, "wall_seconds": "soon"}', "parallax.time_spent"),
        ("{", "this is no JSON"),
        ("[" * 200000, "this is no JSON"),
        ('{"schema": "parallax.time_spent", "version": 1, "wall_seconds": "0x' + "f" * 20 + '"}', "parallax.time_spent"),
        ('{"schema": "parallax.time_spent", "version": 1, "wall_seconds": 1' + "0" * 400 + "}", "parallax.time_spent"),
    ],
)
def test_bad_lines(tmp_path, line, said):
    file = tmp_path / "bad.jsonl"
    file.write_text(line + "\n\n")
    with pytest.raises(px.BadFile, match=f"bad.jsonl:1: .*{said}"):
        px.read(file)


@pytest.mark.parametrize("name", ["nowhere.jsonl", "nowhere\0", "nowhere" * 60])
def test_no_such_file(name):
    with pytest.raises(px.BadFile, match="nowhere"):
        px.read(name)


def test_what_is_no_regular_file(tmp_path):
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/zero.jsonl").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.jsonl")
    for name in ("linked", "linked/zero.jsonl", "pipe.jsonl"):
        with pytest.raises(px.BadFile, match="no regular file"):
            px.read(name)
    (tmp_path / "odd.jsonl").write_text('{"schema": []}\n{"schema": {}}\n')
    assert len(px.read("odd.jsonl")) == 0


def test_nothing_that_a_file_holds_controls_a_terminal(tmp_path):
    row = json.loads((STORED / "run.jsonl").read_text().splitlines()[0])
    row |= {"device": "a\x1b]0;x\x07\x9b31m\u202e\ud800\nforged: ok", "suite": "<b>\x1b"}
    (tmp_path / "hostile.jsonl").write_text(json.dumps(row) + "\n")
    found = px.read("hostile.jsonl")
    for text in (str(found), found.summary(), found._repr_html_()):
        assert text.isprintable() and "\\x1b]0;x\\x07\\x9b31m\\u202e\\ud800\\nforged" in text, text
    assert "<b>" not in found._repr_html_()


def test_unknown_members_schemas_and_values(tmp_path):
    whole = json.loads((STORED / "run.jsonl").read_text().splitlines()[0])
    whole["new"] = 1
    whole["where"]["driver"] = "unknown"
    if "check" in whole:
        whole["check"]["worst_ulp"] = "0x7ff0000000000000"
    file = tmp_path / "some.jsonl"
    file.write_text(json.dumps(whole) + '\n{"schema": "another"}\n')
    (record,) = px.read(file)
    assert record.where.driver is None and record.status == whole["status"]
    assert record.check is None or math.isinf(record.check.worst_ulp)


def test_tables():
    results = px.read(STORED / "run.jsonl")
    page = results._repr_html_()
    assert page.startswith("<table>") and page.count("<tr>") > 10
    assert "transpose/padded" in str(results)
    explained = px.read(STORED / "explain.jsonl")
    assert all(one.answer in str(explained) for one in explained.explanations)


def test_data_frames():
    pytest.importorskip("pandas")
    results = px.read(STORED / "run.jsonl")
    frame = results.to_pandas()
    assert len(frame) == len(results.records) and {"shape", "timing.median", "where.name"} <= set(frame.columns)
    assert len(px.diff(results.path.with_name("diff.jsonl")).to_pandas()) > 10


def test_stored_comparison():
    found = px.diff(STORED / "diff.jsonl")
    assert (found.a, found.b) == tuple(found.data[side]["name"] for side in "ab")
    assert {case.verdict for case in found} & {"SAME", "FASTER", "SLOWER"}
    assert all(case.low <= case.ratio <= case.high for case in found if case.ratio)
    assert found._repr_html_().startswith("<iframe srcdoc=")


def test_a_decision():
    file = STORED / "diff.jsonl"
    found = px.diff(file, max_slowdown="1%", errors="return")
    slower = [case.title for case in found if case.data["decision"] == "fail"]
    with pytest.raises((px.TooSlow, px.Undecided)) as caught:
        px.diff(file, max_slowdown="1%")
    assert slower and all(f"{title}: " in str(caught.value) for title in slower)
    assert found.exit_code == caught.value.exit_code


@pytest.mark.parametrize("output, said", [(".", "is a folder"), ("/dev/null/x.jsonl", "cannot be a file")])
def test_a_file_that_cannot_be(output, said):
    with pytest.raises(px.BadArgument, match=said):
        px.run("transpose", output=output)


def test_the_program_says_what_is_wrong():
    with pytest.raises(px.UsageError, match="no suite 'nonsense'") as caught:
        px.run("nonsense")
    assert caught.value.exit_code == 2
    with pytest.raises(px.UsageError, match="--no-such-option"):
        px.run("transpose", no_such_option=True)


def test_run_and_diff(opencl):
    results = px.run("transpose/padded", device=opencl, check=True, size=(64, 64))
    assert results.ok and [one.status for one in results.records] == ["checked"]
    assert results.path.parent.name == "results" and results.path.exists()
    found = px.diff(opencl, "host:0", suite="transpose/padded", size=(64, 64), output="pair.jsonl")
    assert [case.verdict for case in found] == ["EQUAL"]
    assert len(px.read("pair.jsonl").records) == 2
    assert len(px.diff(found)) == 1  # from its file


def test_capture(opencl, tmp_path):
    folder = tmp_path / "launches"
    with pytest.raises(px.BadArgument, match=r"a list: capture\(\['./app'\]\)"):
        px.capture("./app")
    with pytest.raises(px.ParallaxError):
        px.capture(["true"], folder=folder)  # it launches nothing
    with pytest.raises(px.ParallaxError):
        px.capture(["/nowhere/app"], folder=tmp_path / "others")


def test_capture_of_a_program(opencl, tmp_path):
    program = os.environ.get("CAPTURED_PROGRAM")
    if not program:
        pytest.skip("no program to capture: CAPTURED_PROGRAM")
    captured = px.capture([program, "launches"], folder=tmp_path / "launches")
    assert captured.exit_code == 0 and captured.folder == tmp_path / "launches"
    assert px.run(captured, device=opencl, check=True, errors="return").records


def test_tune(opencl):
    tuned = px.tune("transpose/tiled", device=opencl, size=(64, 64), trials=2, budget=100000, keep="best.jsonl")
    assert list(tuned.best) == [opencl] and "TILE=" in tuned.best[opencl]
    assert len(tuned.results.records) >= 2 and opencl in str(tuned)
    assert [one.variant for one in tuned.found] == ["tiled"] and px.read("best.jsonl")[0] == tuned.found[0]
    assert tuned._repr_html_().count("<tr>") == 2


def test_explain(opencl):
    explained = px.explain("transpose/padded", opencl, opencl, size=(64, 64), budget=2, output="e.jsonl")
    (found,) = explained.explanations
    assert found.answer and found.answer in str(explained)
    assert len(explained.records) == 2 and px.read("e.jsonl").explanations == [found]
    assert explained._repr_html_().startswith("<iframe srcdoc=")
