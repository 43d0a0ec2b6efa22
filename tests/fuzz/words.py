# Prints words for a fuzzer's dictionary: words.py FILE..., those of seeds, and of sources the strings that they look for.
import pathlib
import re
import sys

words = set()
for name in sys.argv[1:]:
    text = pathlib.Path(name).read_text(encoding="utf-8", errors="replace")
    if not name.endswith((".cpp", ".hpp")):
        words.update(re.findall(r"[.%#]?[A-Za-z_]\w[\w.]{0,40}", text))
    for word in re.findall(r'"([A-Za-z_][\w.]{0,30})"', text):
        words.update((f'\\"{word}\\"', f'\\"{word}\\":', f"{word}:"))
print("\n".join(f'"{word}"' for word in sorted(words)))
