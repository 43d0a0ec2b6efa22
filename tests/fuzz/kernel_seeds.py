# Makes a corpus for translator_fuzz, from_cuda_fuzz and manifest_fuzz: kernel_seeds.py FOLDER ENDING copies each
# file of that ending that the project has, and of a long kernel text each function besides.
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
ending = sys.argv[2]
folder.mkdir(parents=True, exist_ok=True)
root = pathlib.Path(__file__).resolve().parents[2]

seeds = 0
folders = ["kernels", "docs/examples", "suites/manifest/tests/kernels"][: 3 if ending == "cu" else 2]
for path in sorted(path for one in folders for path in root.glob(f"{one}/**/*.{ending}")):
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    # manifest_fuzz has its manifests one folder further up.
    text = text.replace('"source": "', f'"source": "{path.parent.name}/')
    # Short seeds are mutated faster.
    parts = [part + "\n}\n" for part in text.split("\n}\n") if part.strip()] if ending != "json" else []
    for part in {text, *parts}:
        name = f"{path.stem}-{seeds}"
        (folder / name).write_text(part, encoding="utf-8", errors="surrogateescape")
        seeds += 1
print(f"{seeds} seeds in {folder}")
