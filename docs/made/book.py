# Makes the book as HTML: book.py MKDOCS PARALLAX RECORD_MEMBERS ROOT OUTPUT
#
# MkDocs gets a copy of docs/ in which generated pages hold what their commands print.
import pathlib
import shutil
import subprocess
import sys
import tempfile

import generated

mkdocs, parallax, record_members, root, output = sys.argv[1:]
root = pathlib.Path(root).resolve()
programs = {"parallax": parallax, "record_members": record_members}
with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder)
    shutil.copytree(root / "docs", copy / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "mkdocs.yml", copy)
    for page in (copy / "docs").rglob("*.md"):
        if generated.words_of(page):
            page.write_text(generated.made(page, programs, root), encoding="utf-8")
    done = subprocess.run([mkdocs, "build", "--quiet", "--strict", "--site-dir", pathlib.Path(output).resolve()], cwd=copy)
sys.exit(done.returncode)
