# Makes README's picture: the committed page of an H100 in headless Chromium, light and dark, as
# docs/pictures/page-*.png, and the hash of that page for pages_test.py: pictures.py ROOT
import hashlib
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
spec = importlib.util.spec_from_file_location("page_test", root / "report/page/tests/page_test.py")
page_test = importlib.util.module_from_spec(spec)
spec.loader.exec_module(page_test)
chromium = shutil.which("chromium") or sys.exit("pictures are made by chromium, which is not here")
pictures = root / "docs/pictures"
page = root / "results/nvidia-h100-80gb-hbm3/diff.html"
pictures.mkdir(exist_ok=True)
with tempfile.TemporaryDirectory() as profile:
    browser = page_test.Browser(chromium, profile)
    try:
        if not browser.attach():
            sys.exit("chromium ended before it said a word")
        for name, dark in (("light", False), ("dark", True)):
            browser.open(page, width=1200, dark=dark)
            file = pictures / f"page-{name}.png"
            browser.screenshot(file, height=760)
            # A page has few colours: a palette makes a third of it.
            if shutil.which("pngquant"):
                subprocess.run(["pngquant", "--force", "--ext", ".png", "64", file], check=True)
            print(file, file.stat().st_size)
    finally:
        browser.close()
(pictures / "page.sha256").write_text(hashlib.sha256(page.read_bytes()).hexdigest() + "\n")
