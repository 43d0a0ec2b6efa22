# Looks at pages in headless Chromium, by its DevTools protocol over a pipe:
# page_test.py MAKE_PAGES [FOLDER]. With a folder, pages and screenshots stay there.
import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
IS_THOROUGH = "PARALLAX_THOROUGH" in os.environ
MOST_SECONDS = 3000
# The browser reads commands from descriptor 3 and answers on 4; both may be in use while it starts.
STARTER = """
import fcntl, os, sys
high = [fcntl.fcntl(int(word), fcntl.F_DUPFD, 20) for word in sys.argv[1:3]]
os.dup2(high[0], 3)
os.dup2(high[1], 4)
os.execvp(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """A headless browser and the one page that it shows."""

    def __init__(self, program, profile):
        commands, self.to_browser = os.pipe()
        self.from_browser, answers = os.pipe()
        words = [
            program,
            "--headless=new",
            "--remote-debugging-pipe",
            f"--user-data-dir={profile}",
            "--no-first-run",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--disable-background-networking",
            "--hide-scrollbars",
            "about:blank",
        ]
        if os.geteuid() == 0:
            words.insert(1, "--no-sandbox")
        self.process = subprocess.Popen(
            [sys.executable, "-c", STARTER, str(commands), str(answers), *words],
            pass_fds=(commands, answers),
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self.buffer = bytearray()
        self.last = 0
        self.session = None
        self.events = []

    def attach(self):
        """False: the browser ended before it said a word."""
        try:
            self.call("Browser.getVersion")
        except (RuntimeError, BrokenPipeError):
            return False
        targets = self.call("Target.getTargets")["targetInfos"]
        target = next(t["targetId"] for t in targets if t["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.addScriptToEvaluateOnNewDocument", source=COUNT_TIMERS)
        return True

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def message(self):
        while b"\0" not in self.buffer:
            part = os.read(self.from_browser, 1 << 20)
            if not part:
                raise RuntimeError("the browser ended")
            self.buffer += part
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def call(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_browser, data) :]
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def evaluate(self, expression):
        result = self.call(
            "Runtime.evaluate",
            expression=f"(async () => {{ {expression} }})()",
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        if "exceptionDetails" in result:
            raise AssertionError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def texts(self, selector):
        return self.evaluate(
            f"return [...document.querySelectorAll({json.dumps(selector)})]"
            ".map((node) => node.textContent)"
        )

    def count(self, selector):
        return self.evaluate(f"return document.querySelectorAll({json.dumps(selector)}).length")

    def click(self, selector, index=0):
        self.evaluate(f"document.querySelectorAll({json.dumps(selector)})[{index}].click()")

    def set_width(self, width):
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )
        self.evaluate(f"while (window.innerWidth !== {width})"
                      " await new Promise((done) => window.addEventListener('resize', done, { once: true }));")

    def open(self, path, width=1400, dark=False):
        self.events.clear()
        self.set_width(width)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=path if isinstance(path, str) else path.as_uri())
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.message())
        self.evaluate(SETTLE)

    def troubles(self):
        """What a page must not do: errors, words on the console, and requests beside the file itself."""
        self.evaluate(SETTLE)
        found = []
        for event in self.events:
            method, given = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(given["exceptionDetails"])
            elif method == "Runtime.consoleAPICalled":
                found.append(given["args"])
            elif method == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
                found.append(given["entry"])
            elif method == "Network.requestWillBeSent":
                url = given["request"]["url"]
                if given.get("type") != "Document" and not url.startswith(("data:", "blob:")):
                    found.append(url)
            elif method == "Page.javascriptDialogOpening":
                found.append("a dialog")
        return found

    def press(self, key, code=None, text=None):
        code = code or key
        number = {"Enter": 13, "Tab": 9, "Space": 32, "ArrowRight": 39}[code]
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=code,
                windowsVirtualKeyCode=number,
                **more,
            )

    def write(self, text):
        self.call("Input.insertText", text=text)

    def screenshot(self, path, height=None):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {
            "x": 0,
            "y": 0,
            "width": size["width"],
            "height": min(size["height"], height or 12000),
            "scale": 1,
        }
        shot = self.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))


# Counts the timers that a page has set: the filter waits with one for another letter, and the charts for another
# filter. Runs before the page's own scripts.
COUNT_TIMERS = """(() => {
    const set = window.setTimeout, clear = window.clearTimeout, waiting = new Set();
    window.setTimeout = (task, ...more) => {
        const timer = set((...given) => { waiting.delete(timer); task(...given); }, ...more);
        waiting.add(timer);
        return timer;
    };
    window.clearTimeout = (timer) => { waiting.delete(timer); clear(timer); };
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    window.settled = async () => {
        do { await frame(); } while (waiting.size > 0);
    };
})();"""
# Nothing that the page began is left to do, and it is drawn.
SETTLE = "await window.settled();"
ROWS = "#rows > tr.case"
TITLES = "#rows .title .name"
CHARTS = """
    return [...document.querySelectorAll('canvas')].filter((c) => c.closest('[hidden]') === null)
        .map((canvas) => {
            const { width, height } = canvas;
            const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
            const colours = new Set();
            for (let i = 0; i < data.length; i += 4) {
                if (data[i + 3] > 0) colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
            }
            return { box: canvas.parentElement.id, colours: colours.size };
        });
"""
WIDE = """
    const room = document.documentElement.clientWidth;
    return { page: document.documentElement.scrollWidth, room };
"""
TONES = """
    return [...new Set([...document.querySelectorAll('#rows .verdict .badge')]
        .map((badge) => badge.className))];
"""
# Cells of the table beside those of the grid that C++ made
CELLS = """
    const { cases } = JSON.parse(document.getElementById('data').textContent);
    const text = (cell) => (typeof cell === 'string' ? cell : cell.text);
    return [...document.querySelectorAll('#rows > tr.case')].map((row, i) => [
        [...row.children].map((cell, k) => (k === 0
            ? cell.querySelector('.name') : cell).textContent),
        cases.rows[i].cells.map(text)]);
"""
EXPECTED_CHARTS = {"ratios-box", "roofline-box", "rates-box", "sweep-0", "sweep-1", "sweep-2"}


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def expect_equal(is_, should_be, what=""):
    expect(is_ == should_be, f"{what}: {is_!r} instead of {should_be!r}")


def test_is_quiet(browser, folder):
    for name in ("none", "one", "forty", "many", "hostile"):
        # Many cases take long to show, and have nothing of their own in the dark.
        for dark in (False, True) if name != "many" or IS_THOROUGH else (False,):
            browser.open(folder / f"{name}.html", dark=dark)
            expect_equal(browser.troubles(), [], name)
            broken = browser.evaluate("return document.getElementById('broken').hidden")
            expect(broken, f"{name} has a part that could not be shown")


def test_says_that_there_are_no_cases(browser, folder):
    browser.open(folder / "none.html")
    text = browser.evaluate("return document.body.innerText")
    expect("There are no cases" in text, text)


def test_draws_charts(browser, folder):
    for dark in (False, True):
        browser.open(folder / "forty.html", dark=dark)
        charts = {c["box"]: c["colours"] for c in browser.evaluate(CHARTS)}
        expect(EXPECTED_CHARTS <= set(charts), charts)
        expect(all(colours > 5 for colours in charts.values()), charts)


def test_limits_charts_and_rows(browser, folder):
    browser.open(folder / "many.html")
    expect_equal(browser.count(ROWS), 100, "rows")
    note = browser.texts("#ratios-count")[0]
    expect("100 of 1," in note, note)
    browser.click("#more")
    expect_equal(browser.count(ROWS), 200, "rows after 'more'")


def test_filters(browser, folder):
    browser.open(folder / "many.html")
    expect_equal(browser.texts('#count')[0], "2,000 of 2,000")
    browser.evaluate("document.getElementById('filter-text').focus()")
    browser.write("Strided_Copy stride=8")
    browser.evaluate(SETTLE)
    text = browser.texts('#count')[0]
    expect_equal(text, "50 of 2,000")
    expect(all("STRIDE=8" in title for title in browser.texts(TITLES)), "titles")
    browser.click("#filter-reset")
    browser.evaluate(SETTLE)
    expect_equal(browser.texts('#count')[0], "2,000 of 2,000", "after the reset")
    for key in ("same", "faster", "slower", "undecided", "wrong", "not-comparable"):
        browser.click(f"#filter-verdicts [value={key}]")
    expect_equal(browser.count(ROWS), 0, "rows without a verdict")
    browser.click("#filter-verdicts [value=wrong]")
    expect_equal(browser.evaluate(TONES), ["badge wrong"], "badges")
    expect_equal(set(browser.texts("#rows .verdict .badge")), {"WRONG"}, "words")
    browser.click("#filter-reset")
    browser.evaluate(SETTLE)
    browser.evaluate(
        "const s = document.getElementById('filter-suite'); s.value = 'multiply';"
        "s.dispatchEvent(new Event('input', { bubbles: true }))"
    )
    expect_equal(browser.texts('#count')[0], "400 of 2,000", "a suite")
    browser.click(".tally.slower")
    expect_equal(browser.evaluate(TONES), ["badge slower"], "by a tally")
    browser.click("#suites-table button.link", 1)
    expect_equal(browser.texts('#count')[0], "400 of 2,000", "by a row of the suites")


def test_sorts(browser, folder):
    browser.open(folder / "forty.html")
    before = browser.texts(TITLES)
    for state, reverse in (("ascending", False), ("descending", True)):
        browser.click("#columns .ratio button")
        browser.evaluate(SETTLE)
        values = [float(text.split()[0]) for text in browser.texts("#rows td.ratio") if text]
        expect_equal(values, sorted(values, reverse=reverse), state)
        sort = "return document.querySelector('#columns .ratio').getAttribute('aria-sort')"
        expect_equal(browser.evaluate(sort), state)
    expect_equal(len(browser.texts(TITLES)), len(before), "rows, those without a ratio last")
    browser.click("#columns .ratio button")
    expect_equal(browser.texts(TITLES), before, "the order as it was")


def test_opens_rows_by_keyboard(browser, folder):
    browser.open(folder / "forty.html")
    browser.click(".tally.same")
    browser.evaluate("document.querySelector('#rows button.open').focus()")
    browser.press("Enter", text="\r")
    details = "return document.querySelector('#rows tr.detail')?.innerText ?? ''"
    text = browser.evaluate(details)
    for word in ("Both sides", "Same kernel?", "Same answer?", "Launches", "--fmad=false"):
        expect(word.lower() in text.lower(), f"{word} is missing in {text}")
    state = "return document.querySelector('#rows button.open').getAttribute('aria-expanded')"
    expect_equal(browser.evaluate(state), "true")
    browser.press("Enter", text="\r")
    expect_equal(browser.evaluate(details), "", "closed again")
    # The first key that is pressed on the page reaches the skip link.
    browser.open(folder / "forty.html")
    browser.press("Tab")
    expect_equal(browser.evaluate("return document.activeElement.className"), "skip")


def test_shows_the_cells_that_were_made(browser, folder):
    for name in ("forty", "hostile"):
        browser.open(folder / f"{name}.html")
        for shown, made in browser.evaluate(CELLS):
            expect_equal(shown, made, name)


def test_says_how_each_side_ended(browser, folder):
    browser.open(folder / "forty.html")
    statuses = set(browser.texts("#rows .status-a .word, #rows .status-b .word"))
    words = {"ok", "wrong", "unsupported", "failed", "skipped", "missing"}
    expect_equal(statuses, words, "statuses")
    browser.evaluate(
        "[...document.querySelectorAll('#rows .status-b')].find((cell) => "
        "cell.textContent === 'unsupported').click()"
    )
    text = browser.evaluate("return document.querySelector('#rows tr.detail').innerText")
    expect("The device has no doubles." in text, text)
    suites = browser.texts("#suites-table tbody th")
    expect("strided_copy" in suites, suites)
    folds = browser.texts("#summary-sections summary")
    for title in ("Why", "Same kernel?", "Same answer?", "Each side against itself", "How it was measured"):
        expect(title in folds, f"{title} is missing in {folds}")


def test_keeps_the_filter_in_the_address(browser, folder):
    browser.open(folder / "forty.html")
    browser.click(".tally.slower")
    browser.click("#columns .ratio button")
    browser.evaluate("document.getElementById('filter-text').focus()")
    browser.write("float")
    browser.evaluate(SETTLE)
    shown, search = browser.texts(TITLES), browser.evaluate("return window.location.search")
    expect(0 < len(shown) < 40, shown)
    browser.open(browser.evaluate("return window.location.href"))
    expect_equal(browser.texts(TITLES), shown, search)
    browser.click("#filter-reset")
    browser.evaluate(SETTLE)
    expect("text" not in browser.evaluate("return window.location.search"), "the reset stays in the address")


def test_the_first_row_is_near_for_the_keyboard(browser, folder):
    browser.open(folder / "forty.html")
    for stop in range(12):
        browser.press("Tab")
        if browser.evaluate("return document.activeElement.matches('#rows button.open')"):
            break
    else:
        raise AssertionError("12 stops of the Tab key do not reach a row")
    browser.evaluate("document.querySelector('#columns button').focus()")
    browser.press("ArrowRight")
    expect_equal(browser.evaluate("return document.activeElement.closest('th').className"), "verdict ", "by an arrow key")


def test_dark_mode(browser, folder):
    background = "return getComputedStyle(document.body).backgroundColor"
    browser.open(folder / "forty.html")
    light = browser.evaluate(background)
    browser.click("#theme")
    dark = browser.evaluate(background)
    expect(light != dark, "the toggle changes nothing")
    browser.open(folder / "forty.html", dark=True)
    expect_equal(browser.evaluate(background), dark, "as the system says")
    expect_equal(browser.troubles(), [])


def test_fits_a_narrow_screen(browser, folder):
    for name in ("none", "one", "forty", "many", "hostile", "fleet", "hostile_fleet"):
        browser.open(folder / f"{name}.html", width=360)
        browser.evaluate(
            "const rows = [...document.querySelectorAll('#rows button.open')].slice(0, 2);"
            "for (const button of rows) button.click();"
            "for (const fold of document.querySelectorAll('.why details')) fold.open = true;"
            "for (const fold of document.querySelectorAll('.fold')) fold.open = true;"
        )
        for width in (360, 700, 1000, 1320):
            browser.set_width(width)
            browser.evaluate(SETTLE)
            size = browser.evaluate(WIDE)
            expect(size["page"] <= size["room"], f"{name} at {width}: {size}")


def test_cases_are_cards_on_a_tablet(browser, folder):
    for name in ("one", "forty", "many"):
        browser.open(folder / f"{name}.html", width=768)
        browser.evaluate(SETTLE)
        size = browser.evaluate("const { scrollWidth, clientWidth } = document.querySelector('.cases-box');"
                                "return [scrollWidth, clientWidth];")
        expect(size[0] <= size[1], f"{name}: {size}")


CUT = """
    return [...document.querySelectorAll('table')].filter((one) => one.checkVisibility())
        .map((one) => [one.id || one.closest('[id]').id, one.closest('.scroll') ?? one.parentElement])
        .filter(([, box]) => box.scrollWidth > box.clientWidth)
        .map(([id, box]) => `${id}: ${box.scrollWidth} in ${box.clientWidth}`);
"""
# The characters before which a line of a name begins anew
BREAKS = """
    const before = [];
    for (const name of document.querySelectorAll('#rows .title .name')) {
        const chars = [...name.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
            .flatMap((node) => [...node.data].map((char, i) => {
                const range = document.createRange();
                range.setStart(node, i);
                range.setEnd(node, i + 1);
                return { char, top: range.getBoundingClientRect().top };
            }));
        chars.forEach(({ top }, i) => {
            if (i > 0 && top > chars[i - 1].top + 4) before.push(chars[i - 1].char);
        });
    }
    return before;
"""


def test_no_table_is_cut_on_a_desktop(browser, folder):
    for name in ("one", "forty", "many", "fleet"):
        browser.open(folder / f"{name}.html", width=1440)
        browser.evaluate("for (const button of [...document.querySelectorAll('#rows button.open')].slice(0, 3)) button.click();"
                         "for (const fold of document.querySelectorAll('.fold')) fold.open = true;")
        browser.evaluate(SETTLE)
        expect_equal(browser.evaluate(CUT), [], name)


def test_names_break_after_their_slash_and_keep_their_end(browser, folder):
    browser.open(folder / "forty.html")
    browser.evaluate("for (const { style } of document.querySelectorAll('#rows .title .name'))"
                     " [style.display, style.width] = ['inline-block', '8.5rem']")
    breaks = browser.evaluate(BREAKS)
    expect(breaks and set(breaks) <= {"/", " "}, f"lines break after {set(breaks)}")
    labels = "return Chart.getChart(document.querySelector('#ratios-box canvas')).data.labels"
    for page in ("forty", "hostile"):
        browser.open(folder / f"{page}.html")
        whole = browser.evaluate(labels)
        browser.open(folder / f"{page}.html", width=360)
        short = browser.evaluate(labels)
        expect(any("…" in one for one in short) and all(len(one) <= 20 for one in short), short)
        for one, name in zip(short, whole):
            expect(name.endswith(one.rpartition("…")[2]) and not one.endswith("…"), f"{one} for {name}")


NAMED = {"button", "link", "checkbox", "combobox", "searchbox", "columnheader", "rowheader", "heading", "group"}
LEVELS = """
    return [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
        .filter((heading) => heading.checkVisibility()).map((heading) => Number(heading.tagName[1]));
"""


def test_is_accessible(browser, folder):
    """By the browser's own tree; with AXE=axe.min.js in the environment by axe-core, too."""
    axe = os.environ.get("AXE")
    for name, width, dark in (("one", 360, False), ("forty", 768, True), ("forty", 1440, False),
                              ("course", 1440, True), ("course", 360, False), ("texts", 768, False), ("fleet", 360, True), ("fleet", 1440, False)):
        if not (folder / f"{name}.html").exists():
            continue
        browser.open(folder / f"{name}.html", width=width, dark=dark)
        browser.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; });"
                         "document.querySelector('#rows button.open')?.click();")
        browser.evaluate(SETTLE)
        for node in browser.call("Accessibility.getFullAXTree")["nodes"]:
            role = node.get("role", {}).get("value")
            if node["ignored"] or role not in NAMED:
                continue
            expect(node.get("name", {}).get("value", "").strip() or role == "group",
                   f"{name}: a {role} has no name: {node}")
        levels = browser.evaluate(LEVELS)
        for before, after in zip(levels, levels[1:]):
            expect(after <= before + 1, f"{name}: a heading of level {after} follows one of {before}")
        if axe:
            browser.call("Runtime.evaluate", expression=pathlib.Path(axe).read_text())
            wrong = browser.evaluate("const found = await axe.run(); return found.violations.map("
                                     "(one) => [one.id, one.nodes.map((node) => node.html.slice(0, 200))])")
            expect_equal(wrong, [], f"axe of {name} at {width}")


def test_begins_with_the_gaps(browser, folder):
    browser.open(folder / "forty.html")
    answers = browser.texts("#answers li")
    for side, what in (("OpenCL", "cost"), ("CUDA", "gain")):
        words = f", the {what} of staying with OpenCL: "
        expect(any(one.startswith(f"{side} is slower in ") and words in one for one in answers), answers)
    expect_equal(browser.count("#gaps li"), 3, "gaps")
    expect_equal(browser.texts("main > section h2")[:3], ["Ratios", "Cases", "Matrix"])
    expect("GTX" not in browser.evaluate("return document.body.innerText"), "figures of another device")
    name = browser.texts("#gaps a")[0]
    browser.click("#gaps a")
    browser.evaluate(SETTLE)
    opened = browser.texts("#rows tr.case.opened .title .name")
    expect(len(opened) == 1 and opened[0].startswith(name.split(" ")[0]), (name, opened))
    browser.open(folder / "one.html")
    expect(browser.count("#gaps li") <= 1, "gaps of one case")


def test_a_fleet_shows_who_stands_out(browser, folder):
    hosts = "#map-rows th"
    for dark in (False, True):
        browser.open(folder / "fleet.html", dark=dark)
        expect_equal(browser.troubles(), [], "fleet")
    titles = browser.texts("h2")
    expect_equal(titles[:5], ["Wrong or failed answers", "Missing", "Outliers", "What differs",
                              "Map of nodes and slots"], "sections")
    expect_equal(browser.count(hosts), 126, "nodes with the one that is missing")
    states = browser.texts("#map-rows .bad")
    expect_equal(states, ["wrong", "missing"], "states")
    browser.click("#map-notable")
    notable = browser.texts(hosts)
    expect({"node5", "node18", "node77", "node126"} <= set(notable) and len(notable) < 20, notable)
    framed = browser.count("#map-rows tr:nth-child(3) .outlier")
    expect(framed in (1, 4), f"outliers of a node: {framed}")
    browser.click("#map-notable")
    colour = "return getComputedStyle(document.querySelector('#map-rows .outlier')).backgroundColor"
    farthest = browser.evaluate(colour)
    browser.evaluate("const s = document.getElementById('map-class'); s.value = 'transfer';"
                     "s.dispatchEvent(new Event('input', { bubbles: true }))")
    expect_equal(set(browser.texts("#map-rows .cell")), {"-", "wrong", "missing"}, "no device has transfers")
    expect(browser.evaluate(colour) != farthest, "the distance has no colour")
    browser.evaluate("document.getElementById('map-text').focus()")
    browser.write("node7 gpu 2")
    browser.evaluate(SETTLE)
    expect_equal(browser.texts(hosts), ["node7"], "by the name of a device")
    browser.open(folder / "fleet.html")
    expect_equal(browser.texts("#sections a"), browser.texts("main h2"), "navigation")
    first = "return [...document.querySelectorAll('#before table')].map((t) => t.tBodies[0].rows[0].textContent)"
    shown, heads = browser.evaluate(first), browser.count("#before thead .order")
    expect(heads > 0, "heads that sort")
    for head in range(heads):
        for _ in range(3):  # up, down, as they were
            browser.click("#before thead .order", head)
    expect_equal(browser.evaluate(first), shown, "the order after the third click")
    browser.evaluate("const s = document.getElementById('map-order'); s.value = 'slowest';"
                     "s.dispatchEvent(new Event('input', { bubbles: true }))")
    expect({"wrong", "missing"} <= set(browser.texts("#map-rows tr:nth-child(-n + 2) .bad")), "the worst first")
    rows = browser.evaluate(DOWNLOAD % "csv").splitlines()
    expect(rows[0].startswith("node,slot,device,uuid,state,outlier,memory") and len(rows) > 126, rows[:2])
    browser.open(folder / "fleet.html")
    browser.press("Tab")
    expect_equal(browser.evaluate("return document.activeElement.className"), "skip")
    browser.open(folder / "hostile_fleet.html")
    expect_equal(browser.troubles(), [], "hostile fleet")
    expect_equal(browser.evaluate("return window.pwned === undefined"), True, "a text was run")
    expect_equal(browser.count("img"), 0, "elements made by a text")
    text = browser.evaluate("return document.getElementById('main').textContent")
    expect("<img src=x onerror=" in text and "\u202e" not in text, "the name as a text")


def test_course_takes_choices(browser, folder):
    for dark in (False, True):
        browser.open(folder / "course.html", dark=dark)
        expect_equal(browser.troubles(), [], "course")
    expect("__kernel" in browser.texts("pre .hljs-keyword"), "OpenCL is not highlighted")
    expect("__global__" in browser.texts("pre .hljs-keyword"), "CUDA is not highlighted")
    expect_equal(browser.count(".hljs-addition"), 1, "added lines")
    opened = "return [...document.querySelectorAll('.choices ~ details')].map((d) => d.open)"
    expect_equal(browser.evaluate(opened), [False, False], "answers before a choice")
    browser.click(".choices button", 0)
    browser.evaluate(SETTLE)
    expect_equal(browser.evaluate(opened), [True, False], "answers after a choice")
    expect_equal(browser.texts(".choices button.right"), ["that"], "the right one")
    expect_equal(browser.texts(".choices button.chosen.not-right"), ["this"], "the chosen one")
    expect_equal(browser.texts("#score"), ["1 of 2 answered, 0 of 1 predicted"], "score")
    browser.click(".choices button", 1)
    expect_equal(browser.texts("#score"), ["1 of 2 answered, 0 of 1 predicted"], "a choice is taken once")
    browser.click(".choices button", 4)
    expect_equal(browser.texts("#score"), ["2 of 2 answered, 0 of 1 predicted"], "where nothing decides")
    browser.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    browser.evaluate(SETTLE)
    expect(browser.evaluate("return document.getElementById('progress').value") > 0.95, "progress at the end")
    # Who opens the answer without a choice has seen it.
    browser.open(folder / "course.html")
    browser.click(".choices + details summary")
    browser.evaluate(SETTLE)
    expect_equal(browser.count(".choices button:disabled"), 3, "after the answer was opened")
    for width in (360, 700, 1320):
        browser.set_width(width)
        browser.evaluate(SETTLE)
        size = browser.evaluate(WIDE)
        expect(size["page"] <= size["room"], f"course at {width}: {size}")


def test_shows_kernel_texts(browser, folder):
    browser.open(folder / "forty.html")
    shown = "#texts article:not([hidden]) "
    expect("__kernel" in browser.texts(shown + ".a .hljs-keyword"), "OpenCL is not highlighted")
    expect("__global__" in browser.texts(shown + ".b .hljs-keyword"), "CUDA is not highlighted")
    third = browser.texts(shown + "tr:nth-child(3) .code")
    expect("get_global_id" in third[0] and "blockIdx" in third[1], f"the third lines: {third}")
    expect(browser.count(shown + ".reasons li") > 0, "reasons")
    browser.evaluate(
        "const s = document.getElementById('texts-file'); s.value = '1';"
        "s.dispatchEvent(new Event('change'))"
    )
    heads = browser.texts(shown + "thead th")
    expect_equal(heads, ["reduction.opencl.cl", "no CUDA source"], "the other file")


def test_shows_why(browser, folder):
    browser.open(folder / "forty.html")
    browser.evaluate("const all = JSON.parse(document.getElementById('details').textContent);"
                     "const at = all.findIndex(({ why }) => why?.answer.startsWith('OpenCL is 1.64x'));"
                     "window.location.hash = `#case-${at}`;")
    browser.evaluate(SETTLE)
    answer = browser.texts(".why .answer-words")
    expect_equal(len(answer), 1, "answers")
    expect(answer[0].startswith("OpenCL is 1.64x slower than CUDA"), answer[0])
    rows = browser.texts(".why > .scroll tbody tr")
    expect(rows[0].startswith("ALIGN=16OpenCLcloses 100 %97 % to 102 %"), rows[0])
    expect("registers 96 -> 128" in rows[0], rows[0])
    expect(any("wrong" in row and "Element 3 is 2, not 1." in row for row in rows), rows)
    bar = "return document.querySelector('.why svg .point').getAttribute('cx')"
    expect(70 < float(browser.evaluate(bar)) < 90, "the point is at the end of the band")
    folds = browser.texts(".why summary")
    for title in ("Where it arises", "Where the time goes", "What the compilers made of it",
                  "Where the texts differ", "What else was looked at"):
        expect(title in folds, f"{title} is missing in {folds}")
    browser.evaluate("for (const fold of document.querySelectorAll('.why details')) fold.open = true")
    browser.evaluate(SETTLE)
    text = browser.evaluate("return document.querySelector('.why').innerText")
    for word in ("97 %", "+190 ms", "one use from scratch", "32-bit shared loads",
                 "50 % (32 of 64 warps)", "restrict (the same code)", "Instructions in the PTX",
                 "PTX of tiled", "Machine code of tiled"):
        expect(word in text, f"{word} is missing in {text}")
    expect("fused multiply-adds" in text and "atomics" not in text, "classes that a side has")
    first = "document.querySelector('.why .difference')"
    only = [browser.evaluate(f"return [...{first}.querySelectorAll('.only-{side}')]"
                             ".map((cell) => cell.textContent)") for side in "ab"]
    expect_equal(only, [["ld.shared.f32 %f1", "ld.shared.f32 %f2"], ["ld.shared.v4.f32 %f1"]])
    shown = browser.evaluate(f"return {first}.textContent")
    expect("bar.sync 0" not in shown, "lines far from a difference are not shown")
    expect_equal(browser.troubles(), [])
    browser.open(folder / "one.html")
    browser.click("#rows button.open")
    expect_equal(browser.count(".why"), 0, "a case without an explanation")


def test_hostile_texts_stay_texts(browser, folder):
    browser.open(folder / "hostile.html")
    browser.evaluate(
        "for (const b of [...document.querySelectorAll('#rows button.open')]) b.click();"
        "for (const fold of document.querySelectorAll('.fold')) fold.open = true"
    )
    expect(browser.count(".why") > 20, "explanations are shown")
    browser.evaluate("for (const fold of document.querySelectorAll('.why details')) fold.open = true")
    browser.evaluate(SETTLE)
    expect_equal(browser.troubles(), [])
    expect_equal(browser.evaluate("return window.pwned === undefined"), True, "a text was run")
    made = browser.count("img, iframe, object, embed, svg[onload], [onerror]")
    expect_equal(made, 0, "elements made by a text")
    expect_equal(browser.count("script"), 7, "scripts")
    text = browser.evaluate("return document.getElementById('main').textContent")
    for word in ("<img src=x onerror=", "</script><script>", "\\u202e", "\\x1b[31m", "__proto__"):
        expect(word in text, f"{word} is not shown")
    hidden = [hex(ord(c)) for c in set(text) if c in "\u202e\u2066\ufeff\u2028\x1b\x07\x00"]
    expect_equal(hidden, [], "invisible characters")


def test_only_its_own_scripts_run(browser, folder):
    for name in ("one", "course"):
        page = (folder / f"{name}.html").read_text(encoding="utf-8")
        expect("unsafe" not in page[:page.index("<title>")], "the policy of the page")
        bad = "<script>window.pwned = 1</script><style>body { color: red }</style>"
        got_in = folder / f"{name}-got-in.html"
        got_in.write_text(page.replace("<body>", f"<body>{bad}", 1), encoding="utf-8")
        browser.open(got_in)
        expect_equal(browser.evaluate("return window.pwned === undefined"), True, "a script was run")
        colour = browser.evaluate("return getComputedStyle(document.body).color")
        expect(colour != "rgb(255, 0, 0)", "a style was used")
        expect(browser.count("[data-theme]") == 1, "the page's own scripts do not run")
        got_in.unlink()


DOWNLOAD = """
    const taken = [];
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => { taken.push(blob); return make(blob); };
    HTMLAnchorElement.prototype.click = () => {};
    document.getElementById('download-%s').click();
    return await taken[0].text();
"""


def test_downloads(browser, folder):
    browser.open(folder / "hostile.html")
    lines = browser.evaluate(DOWNLOAD % "csv")
    expect("\"'=HYPERLINK(" in lines, "a formula")
    for start in ("=", "+", "-", "@", '"=', '"+', '"-', '"@'):
        bad = [line for line in lines.split("\r\n") if line.startswith(start)]
        expect_equal(bad, [], "cells that a spreadsheet would run")
    browser.open(folder / "many.html")
    expect_equal(len(browser.evaluate(DOWNLOAD % "csv").strip().split("\r\n")), 2001, "lines")
    data = json.loads(browser.evaluate(DOWNLOAD % "json"))
    expect_equal((data["schema"], len(data["cases"])), ("parallax.diff", 2000))


def test_paper_shows_what_is_folded(browser, folder):
    for name in ("forty", "course"):
        browser.open(folder / f"{name}.html")
        folded = browser.count("details:not([open])")
        expect(folded > 0, f"{name} has nothing folded")
        browser.evaluate("window.addEventListener('beforeprint', () => {"
                         "window.onPaper = document.querySelectorAll('details:not([open])').length })")
        browser.call("Page.printToPDF")
        expect_equal(browser.evaluate("return window.onPaper"), 0, f"{name}: folded on paper")
        expect_equal(browser.count("details:not([open])"), folded, f"{name}: folded afterwards")


def screenshots(browser, folder):
    for name in ("one", "forty", "many", "hostile"):
        for width in (1400, 360):
            for dark in (False, True):
                browser.open(folder / f"{name}.html", width=width, dark=dark)
                if name == "forty":
                    browser.click("#rows button.open", 1)
                    browser.evaluate(
                        "for (const fold of document.querySelectorAll('.why details')) fold.open = true"
                    )
                    browser.evaluate(SETTLE)
                shade = "dark" if dark else "light"
                browser.screenshot(folder / f"{name}-{width}-{shade}.png")
    for width, dark in ((1440, False), (768, True), (360, False)):
        browser.open(folder / "fleet.html", width=width, dark=dark)
        browser.screenshot(folder / f"fleet-{width}.png")
    browser.open(folder / "course.html")
    browser.click(".choices button", 0)
    browser.screenshot(folder / "course.png")
    browser.open(folder / "forty.html")
    pdf = browser.call("Page.printToPDF", printBackground=True)
    (folder / "forty.pdf").write_bytes(base64.b64decode(pdf["data"]))


def give_up(number, frame):
    raise SystemExit(f"the test was ended by signal {number}")


def main(make_pages, kept=None, tests=None, shots=screenshots):
    """`tests`: by name; those of this file when there are none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), None)
    if not program:
        print("There is no Chromium: the page was not looked at. Debian: apt-get install chromium")
        return SKIPPED
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        folder = pathlib.Path(kept or temporary).resolve()
        made = subprocess.run([make_pages, str(folder)], text=True, stdout=subprocess.PIPE)
        if made.returncode != 0:
            return made.returncode
        # A signal that ends this test ends its browser, too.
        for number in (signal.SIGALRM, signal.SIGTERM):
            signal.signal(number, give_up)
        signal.alarm(MOST_SECONDS)
        browser = Browser(program, pathlib.Path(temporary) / "profile")
        failed = 0
        try:
            if not browser.attach():
                print(f"{program} does not start here: the page was not looked at.")
                return SKIPPED
            for name, test in list((tests or globals()).items()):
                if not name.startswith("test_"):
                    continue
                start = time.monotonic()
                try:
                    test(browser, folder)
                    word = "ok"
                except AssertionError as error:
                    failed += 1
                    word = f"FAILED: {error}"
                print(f"{name[5:]}: {word} ({time.monotonic() - start:.1f} s)", flush=True)
            if kept:
                shots(browser, folder)
        finally:
            signal.alarm(0)
            browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
