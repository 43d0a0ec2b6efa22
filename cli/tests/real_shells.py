"""What bash, zsh and fish make of a line that is being written, with the completion of an installed tree."""

import os
import pty
import re
import shutil
import subprocess


def environment(tree, home):
    return {"HOME": str(home), "PATH": f"{tree}/bin:{os.environ['PATH']}", "TERM": "vt100",
            "XDG_CACHE_HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home),
            "XDG_DATA_DIRS": f"{tree}/share:/usr/share"}


def bash(tree, home, line):
    """@returns what it offers for the last word, behind the last '=' of it"""
    script = (f"source '{tree}/share/bash-completion/completions/parallax'; compopt() {{ :; }}; "
              "COMP_LINE=$1; COMP_POINT=${#COMP_LINE}; _parallax; printf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run(["bash", "-c", script, "bash", line], capture_output=True, text=True, cwd=home,
                          env=environment(tree, home))
    return done.stdout.split("\n")[:-1], done.stderr


def fish(tree, home, line):
    """@returns what it offers for the last word, and what it says of each behind a tab"""
    done = subprocess.run(["fish", "-c", "complete -C $argv[1]", line], capture_output=True, text=True, cwd=home,
                          env=environment(tree, home))
    return done.stdout.split("\n")[:-1], done.stderr


def zsh(tree, home, line):
    """Writes the line and the tabulator's key at a prompt. @returns the line that then stands there"""
    (home / ".zshrc").write_text(
        f"fpath=('{tree}/share/zsh/site-functions' $fpath); autoload -U compinit; compinit -u -D\n"
        "shown() { print -rn -- \"<<$BUFFER>>\" }; zle -N shown; bindkey '^X' shown; PS1='ready '\n")
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(home)
        os.execvpe("zsh", ["zsh", "-d", "-i"], environment(tree, home))
    said = ""

    def read_until(pattern):
        nonlocal said
        while not (found := re.search(pattern, said, re.S)):
            try:
                said += os.read(terminal, 4096).decode(errors="replace")
            except OSError:
                raise RuntimeError(f"zsh ended, having said {said!r}") from None
        return found

    read_until("ready ")
    os.write(terminal, f"{line}\t\x18".encode())
    completed = read_until("<<(.*?)>>")[1]
    os.close(terminal)
    os.waitpid(child, 0)
    return completed


def complaints(tree, home):
    """Sentences on what a shell here completes wrongly, and the shells that are not here."""
    wrong, missing = [], [name for name in ("bash", "zsh", "fish") if not shutil.which(name)]
    lists = {"swee": (["sweep"], "sweep "), "run -s transpose/nai": (["transpose/naive"], "transpose/naive "),
             "run -s transp": (["transpose", "transpose/"], "transpose"), "show transp": (["transpose/"], "transpose/"),
             "run -s transpose --define TI": (["TILE="], "TILE="),
             "run -s transpose --define TILE=3": (["TILE=32"], "TILE=32 "),
             "run --bud": (["--budget"], "--budget ")}
    (home / "linked").symlink_to(tree / "bin")
    for typed, (offered, completed) in lists.items():
        # By a path it is the same, and shells leave a tilde to who completes.
        paths = [f"{home}/linked/parallax", "~/linked/parallax"] if typed == "swee" else []
        for program in ["parallax", *paths]:
            line = f"{program} {typed}"
            if "bash" not in missing:
                behind = [word.rsplit("=", 1)[-1] if "=" in typed else word for word in offered]
                if (found := bash(tree, home, line)) != (behind, ""):
                    wrong.append(f"bash: {line}: {found}")
            if "fish" not in missing:
                found, error = fish(tree, home, line)
                if sorted(one.split("\t")[0] for one in found) != offered or error:
                    wrong.append(f"fish: {line}: {found} {error}")
            if "zsh" not in missing:
                wanted = line[:len(line) - len(typed.split()[-1])] + completed
                if (found := zsh(tree, home, line)) != wanted:
                    wrong.append(f"zsh: {line}: {found!r}")
    return wrong, missing
