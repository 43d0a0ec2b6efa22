# What MkDocs asks of this book: a link that leaves docs/ names a file of the sources, and is shown as its name.
import posixpath
import re

from mkdocs.structure.files import Files


def on_files(files, **_):
    """Without the scripts that make pages, which lie in the same folder."""
    return Files([file for file in files if not file.src_uri.startswith("made/")])


def on_page_markdown(markdown, page, files, **_):
    known = {file.src_uri for file in files}
    folder = posixpath.dirname(page.file.src_uri)

    def shown(match):
        target = posixpath.normpath(posixpath.join(folder, match[2].partition("#")[0]))
        if target in known:
            return match[0]
        name = re.sub(r"^(\.\./)+", "", match[2].partition("#")[0])
        return f"`{name}`" if match[1] == name else f"{match[1]} (`{name}`)"

    return re.sub(r"\[([^\]]*)\]\((\.\./[^)\s]+)\)", shown, markdown)
