# A committed page that the program makes: renewed, or compared with what it makes now.
import pathlib
import subprocess
import sys


def keep(page, target, words, folder, check):
    """Runs the words in the folder; what they print is the page. `target` names the run_target."""
    words = [str(pathlib.Path(words[0]).resolve()), *words[1:]]
    done = subprocess.run(words, capture_output=True, cwd=folder)
    if done.returncode:
        sys.exit(done.stderr.decode())
    if not check:
        page.write_bytes(done.stdout)
    elif not page.exists() or page.read_bytes() != done.stdout:
        sys.exit(f"docs/{page.name} is stale: 'meson compile -C build {target}' refreshes it.")
