# Looks at pages of kernel texts in headless Chromium: browser_test.py MAKE_TEXTS [FOLDER]. With a
# folder, pages and screenshots stay there.
import html
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "page" / "tests"))
from page_test import SETTLE, WIDE, expect, expect_equal, main

PAGE = "texts.html"
SHOWN = """
    const shown = (node) => node.getClientRects().length > 0;
    return [...document.querySelectorAll('table.pair td.code')].filter(shown).length;
"""
TEXT = """
    return [...document.querySelectorAll('table.pair td.code.%s > code')]
        .map((code) => code.textContent).join('\\n');
"""


def test_is_quiet(browser, folder):
    for dark in (False, True):
        browser.open(folder / PAGE, dark=dark)
        expect_equal(browser.troubles(), [])
    browser.click("#theme")
    expect_equal(browser.troubles(), [])


def test_colours_words_and_keeps_the_text(browser, folder):
    browser.open(folder / PAGE)
    coloured = {side: browser.evaluate(TEXT % side) for side in "ab"}
    expect(browser.count("table.pair .hljs-comment") >= 6, "comments over lines are not coloured")
    expect(browser.count("table.pair .a .mark .hljs-number") > 0, "no colour within a mark")
    expect(browser.count("table.changes .hljs-keyword") > 0, "changes are not coloured")
    page = (folder / PAGE).read_text(encoding="utf-8")
    for side in "ab":
        cells = re.findall(rf'<td class="code {side}"><code>(.*?)</code></td>', page)
        without_marks = [html.unescape(re.sub("<[^>]*>", "", cell)) for cell in cells]
        expect_equal(coloured[side], "\n".join(without_marks), f"side {side}")
    expect("</script><b>of</b>" in coloured["a"], coloured["a"])


def test_reasons_are_reached_by_keyboard_and_hover(browser, folder):
    browser.open(folder / PAGE)
    first = "return document.querySelector('a.mark').%s"
    expect("__kernel" in browser.evaluate(first % "title"), "no reason on hover")
    browser.evaluate("document.querySelector('a.mark').focus();")
    browser.press("Enter", text="\r")
    browser.evaluate(SETTLE)
    target = "return document.querySelector(':target')?.textContent ?? ''"
    expect("A function that the host can launch" in browser.evaluate(target), "no reason by key")
    browser.click(".reasons li:target a")
    expect("sum" in browser.evaluate(target), "no way back to the line")


def test_fits_a_narrow_screen(browser, folder):
    browser.open(folder / PAGE)
    rows = browser.count("table.pair tbody tr")
    expect_equal(browser.evaluate(SHOWN), 2 * rows, "cells of a wide page")
    for width in (320, 390, 700, 1000):
        browser.set_width(width)
        browser.evaluate(SETTLE)
        size = browser.evaluate(WIDE)
        expect(size["page"] <= size["room"], f"at {width}: {size}")
    browser.set_width(390)
    browser.evaluate(SETTLE)
    differ = browser.count("table.pair tr.differs")
    expect(0 < differ < rows, differ)
    expect_equal(browser.evaluate(SHOWN), rows + differ, "cells of a narrow page")


def screenshots(browser, folder):
    for width in (1400, 390):
        for dark in (False, True):
            browser.open(folder / PAGE, width=width, dark=dark)
            browser.screenshot(folder / f"texts-{width}-{'dark' if dark else 'light'}.png")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    sys.exit(main(arguments[0], *arguments[1:2], tests=dict(globals()), shots=screenshots))
