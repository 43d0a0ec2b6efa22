"""The program is found, is of this version, and leaves nothing behind."""

import os
import re
import signal
import sys
import threading
import time

import pytest
from conftest import ROOT

import parallax_gpu as px
from parallax_gpu import commands, program


def test_versions_agree():
    told = re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text())
    assert px.__version__ == told[1]


def test_no_program(nothing_on_path):
    with pytest.raises(px.ProgramMissing, match="pip install"):
        px.devices()


def test_named_program_that_is_not_there(monkeypatch):
    monkeypatch.setenv("PARALLAX", "/nowhere/parallax")
    with pytest.raises(px.ProgramMissing, match="/nowhere/parallax"):
        px.devices()


@pytest.mark.parametrize("version", ["parallax 0.9.0", "parallax 2.0.0", "parallax 1.1.0"])
def test_another_version(script, version):
    script("exit 0", version)
    with pytest.raises(px.VersionMismatch, match=f"version {version.split()[1]}.*pip install"):
        px.devices()


def test_another_program(script):
    script("exit 0", "GNU parallel 20260101")
    with pytest.raises(px.VersionMismatch, match=r"another program.*GNU parallel"):
        px.devices()


def test_a_program_that_does_not_start(script):
    script("exit 0").write_bytes(b"\x7fELF and no more")
    with pytest.raises(px.ProgramMissing, match="does not start"):
        px.devices()


@pytest.mark.parametrize("code, kind", sorted(px.errors.BY_EXIT_CODE.items()))
def test_exit_codes_are_exceptions(script, code, kind):
    script(f"echo 'parallax: The sentence.' >&2; echo 'kept in x.jsonl' >&2; exit {code}")
    with pytest.raises(kind) as caught:
        px.run("transpose")
    assert caught.value.exit_code == code
    assert caught.value.sentence == "The sentence."


def test_a_sentence_that_goes_on():
    said = "a note\nparallax: It cannot be translated:\nk.cl:1: a bracket\nk.cl:2: a word"
    assert program.last_paragraph(said) == "It cannot be translated:\nk.cl:1: a bracket\nk.cl:2: a word"


def test_a_program_that_dies(script):
    script("kill -SEGV $$")
    with pytest.raises(px.ParallaxError, match="killed by signal 11"):
        px.run("transpose")


def test_progress_is_reported_and_no_message(script):
    script(
        """echo '{"progress":{"done":1,"total":4,"what":"copy"}}' >&2
        echo '{"progress": this is no JSON' >&2; echo text; echo said >&2"""
    )
    seen = []
    done = program.run_program(["run"], on_progress=seen.append)
    assert seen == [{"done": 1, "total": 4, "what": "copy"}]
    assert (done.out, done.messages) == ("text\n", '{"progress": this is no JSON\nsaid')


def test_the_program_reports_progress(opencl):
    seen = []
    program.run_program(
        ["run", "-s", "transpose/padded", "-d", opencl, "--check", "-o", "x.jsonl"], on_progress=seen.append
    )
    assert seen and {"what", "done", "total", "elapsed_seconds", "left_seconds"} <= set(seen[-1])


def interrupt_when(condition):
    """Ctrl-C in this process once the condition holds."""

    def wait():
        while not condition():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=wait, daemon=True).start()


def is_there(pid):
    """Whether a process is there, and is no zombie."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_interrupt_leaves_no_process(script, tmp_path, monkeypatch):
    """Neither the program nor what it started is left, although both ignore the signal."""
    monkeypatch.setattr(program, "SECONDS_TO_END", 0.2)
    pids = tmp_path / "pids"
    script(f"trap '' INT; sleep 600 & echo $$ $! > {pids}.made; mv {pids}.made {pids}; wait; sleep 600")
    interrupt_when(pids.exists)
    with pytest.raises(px.Interrupted) as caught:
        px.run("transpose")
    assert caught.value.exit_code == 130 and isinstance(caught.value, KeyboardInterrupt)
    left = [int(pid) for pid in pids.read_text().split()]
    while any(map(is_there, left)):  # those that init has to bury
        time.sleep(0.01)


def test_interrupt_while_the_program_starts(script, monkeypatch):
    started = []
    real = program.subprocess.Popen

    def start(*words, **how):
        child = real(*words, **how)
        if how.get("start_new_session"):  # the program itself, and not its --version
            started.append(child.pid)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)  # in which Python looks for signals
        return child

    monkeypatch.setattr(program.subprocess, "Popen", start)
    script("sleep 600")
    with pytest.raises(px.Interrupted):
        px.run("transpose")
    assert len(started) == 1 and not is_there(started[0])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_program_that_leaves_a_process(script, tmp_path):
    """Nothing that it started survives a program that ended by itself, as compilers with a group of their own."""
    own_group = f"{sys.executable} -c \"import os, time; os.setpgid(0, 0); open('{tmp_path}/set', 'w'); time.sleep(600)\""
    script(f"{own_group} >/dev/null 2>&1 & echo $! > {tmp_path}/pid; while [ ! -e {tmp_path}/set ]; do sleep 0.01; done")
    program.run_program(["run"])
    pid = int((tmp_path / "pid").read_text())
    while is_there(pid):
        time.sleep(0.01)


def test_interrupt_keeps_what_was_measured(opencl, tmp_path):
    """What the file had when the interrupt came is in the exception's results."""
    file = tmp_path / "kept.jsonl"
    interrupt_when(lambda: file.exists() and b"\n" in file.read_bytes())
    with pytest.raises(px.Interrupted, match=r"kept\.jsonl") as caught:
        px.run(device=opencl, check=True, full=True, budget=600, output=file)
    assert len(caught.value.results.records) >= 1
    assert len(px.read(file)) == len(caught.value.results)


def test_a_time_limit(script):
    script("trap 'exit 130' INT; while :; do sleep 0.05; done")
    assert program.run_program(["run"], seconds=0.5).exit_code == 130


def test_a_time_limit_is_kept(script):
    """By a program that ignores the signal, too, which would else have the time of a report."""
    script("trap '' INT; sleep 600")
    start = time.monotonic()
    assert program.run_program(["run"], seconds=0.5).exit_code == -signal.SIGKILL
    assert time.monotonic() - start < program.SECONDS_TO_END


def test_words():
    options = {"max_slowdown": "5%", "full": True, "define": {"TILE": 32}, "size": (1000, 777), "strict": False}
    assert commands.words_of(options) == [
        *("--max-slowdown", "5%"), "--full", *("--define", "TILE=32"), *("-n", "1000x777"),
    ]  # fmt: skip
    assert commands.words_of({"allow": ["a", "b"], "seed": None}) == ["--allow", "a", "--allow", "b"]
