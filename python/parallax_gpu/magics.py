"""Cells of notebooks: `%%opencl NAME` and `%%cuda NAME` make the cell a source of the kernel NAME."""

from __future__ import annotations

from typing import Any, Callable

from .errors import BadArgument
from .kernel import session_sources


def keep_source(language: str) -> Callable[[str, str], None]:
    def magic(line: str, cell: str) -> None:
        name = line.strip()
        if not name.isidentifier():
            raise BadArgument(f"%%{language} is followed by the kernel's name, and '{name}' is none.")
        session_sources.setdefault(name, {})[language] = cell

    return magic


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext parallax_gpu` calls."""
    for language in ("opencl", "cuda"):
        shell.register_magic_function(keep_source(language), magic_kind="cell", magic_name=language)
