# What MkDocs asks of this book: links that leave docs/ name a file of the sources, and are shown as its name.
import re

from mkdocs.structure.files import Files


def on_files(files, **_):
    """Without the scripts that make pages, which lie beside them."""
    return Files([file for file in files if not file.src_uri.startswith("made/")])


def on_page_markdown(markdown, **_):
    return re.sub(r"\[([^\]]*)\]\(\.\./([^)\s]+)\)", r"\1 (`\2`)", markdown)
