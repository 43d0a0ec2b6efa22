"""Reads the JUnit report of every diff made by hand and compares its totals with its tests."""

import subprocess
import sys
import xml.etree.ElementTree as ET

EXPECTED = {  # tests, failures, errors, skipped
    "empty": (0, 0, 0, 0),
    "small": (8, 2, 0, 1),
    "hostile": (15, 2, 0, 1),
    "large": (2000, 0, 0, 0),
    "stored": (4, 1, 1, 1),
}
TAGS = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def totals(element):
    return tuple(int(element.get(name)) for name in ("tests", *TAGS))


def main(sample):
    for name, expected in EXPECTED.items():
        text = subprocess.run([sample, "junit", name], check=True, capture_output=True).stdout
        root = ET.fromstring(text)
        assert root.tag == "testsuites", root.tag
        assert totals(root) == expected, (name, totals(root))
        for scope in [root, *root.iter("testsuite")]:
            found = (len(list(scope.iter("testcase"))),) + tuple(
                len(list(scope.iter(tag))) for tag in TAGS.values()
            )
            assert totals(scope) == found, (name, scope.get("name"), totals(scope), found)
        for case in root.iter("testcase"):
            assert case.get("classname") and case.get("name"), name
            float(case.get("time"))
        if name == "hostile":
            title = next(root.iter("testcase")).get("name")
            assert title.startswith("\\x1b[2J\\x1b]0;x\\x07\\r\\n\\tDEL\\u007f C1\\u009b"), title
            assert "]]> <script>alert(1)</script> & \"'\" |" in title, title


if __name__ == "__main__":
    main(sys.argv[1])
