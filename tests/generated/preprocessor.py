#!/usr/bin/env python3
# Compares the built-in preprocessor with clang's on generated texts of macros and conditions.
#
#     preprocessor.py JUDGE [--seed N] [--texts N] [--jobs N]
#
# JUDGE is the program of judge.cpp. Prints the texts that become other tokens than clang makes of them, each reduced,
# and how many were equal, refused by both, or refused by one. Exit codes: 0 none differs and most are taken, 1 else,
# 77 no clang.
import argparse
import collections
import json
import multiprocessing
import re
import shutil
import subprocess
import sys

from tree import Random

NAMES = ["A", "B", "C", "F", "G", "H", "x", "y", "foo"]
NUMBERS = ["0", "1", "2", "3", "7", "10u", "0x1F", "077", "2UL", "'a'", "'\\n'", "1L", "0x80000000", "5000000000"]
PIECES = ["+", "-", "*", "(1)", "(x, y)", ",", "[", "]", "<<", ">=", "==", "&&", ".", ";", "\"s\"", "\"a b\\n\"", "'c'", "1.5f", "1e+3f",
          "0x", "x1", "L", "->", "/* c */", "...", "%", "~", "!", "?", ":", "true"]
TOKEN = re.compile(r"[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'"
                   r"|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!+*/%&|^-]=|&&|\|\||##|\S", re.S)


class Texts:
    """Draws one text of lines."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.open = []  # what each condition has come to: if, else

    def pick(self, some):
        return self.random.pick(some)

    def chance(self, percent):
        return self.random.chance(percent)

    def upto(self, most):
        return self.random.next() % (most + 1)

    def pieces(self, some, most=6):
        kinds = [NAMES, NUMBERS, PIECES, some or NAMES]
        words = [self.pick(self.pick(kinds)) for _ in range(self.upto(most))]
        return self.pick(["", " "]).join(words) if self.chance(20) else " ".join(words)

    def call(self, depth=0):
        def argument():
            if depth < 2 and self.chance(25):
                return self.call(depth + 1)
            if self.chance(10):
                return ""
            if self.chance(15):
                return "(" + self.pieces([], 3).replace("(", "").replace(")", "") + ", 1)"
            return re.sub(r"[(),]", " ", self.pieces([], 3))
        arguments = [argument() for _ in range(self.upto(3))]
        gap = self.pick(["", "", "", " ", "\n"]) if depth == 0 else ""
        between = "," if not self.chance(10) or depth else ",\n"
        return f"{self.pick(NAMES)}{gap}({between.join(arguments)})"

    def define(self):
        name = self.pick(NAMES)
        if self.chance(45):
            return f"#define {name} {self.body([])}"
        parameters = [["p"], ["p", "q"], [], ["p", "q", "r"], ["..."], ["p", "..."], ["p", "rest..."]][self.upto(6)]
        names = [one.removesuffix("...") or "__VA_ARGS__" for one in parameters]
        return f"#define {name}({', '.join(parameters)}) {self.body(names)}"

    def body(self, names):
        words = []
        for _ in range(self.upto(6)):
            if names and self.chance(20):
                words.append("#" + self.pick(names) if self.chance(50) else " # " + self.pick(names))
            elif self.chance(15):
                words.append(f"{self.pick(names + NAMES)} ## {self.pick(names + NAMES + ['1'])}")
            elif "__VA_ARGS__" in names and self.chance(20):
                words.append(self.pick([", ##__VA_ARGS__", ", ## __VA_ARGS__", "__VA_OPT__(a,) __VA_ARGS__"]))
            elif self.chance(5):
                words.append("__COUNTER__" if self.chance(3) else self.pick(["__LINE__", "\\\n"]))
            else:
                words.append(self.pick(self.pick([names or NAMES, NAMES, NUMBERS, PIECES])))
        return " ".join(words)

    def condition(self, depth=0):
        kind = self.upto(9)
        if depth > 2 or kind < 3:
            return self.pick([self.pick(NUMBERS), self.pick(NAMES), f"defined({self.pick(NAMES)})", f"defined {self.pick(NAMES)}",
                              "true", "'\\377'" if self.chance(10) else "'z'", "__LINE__", "-1", f"{self.pick(NAMES)}({self.pick(NUMBERS)})"])
        left, right = self.condition(depth + 1), self.condition(depth + 1)
        if kind == 3:
            return f"({left} ? {right} : {self.condition(depth + 1)})"
        if kind == 4:
            return self.pick(["!", "-", "~", "+"]) + f"({left})"
        return f"({left} {self.pick(['+', '-', '*', '/', '%', '<', '>', '<=', '==', '!=', '&&', '||', '&', '|', '^', '<<', '>>'])} {right})"

    def line(self):
        kind = self.upto(99)
        if kind < 30:
            return self.define()
        if kind < 36:
            return f"#undef {self.pick(NAMES)}"
        if kind < 46 and len(self.open) < 4:
            self.open.append("if")
            return self.pick([f"#if {self.condition()}", f"#ifdef {self.pick(NAMES)}", f"#ifndef {self.pick(NAMES)}",
                              f"# if {self.condition()} // c", f"#if \\\n {self.condition()}"])
        if kind < 58 and self.open:
            ends = ["#endif", "#endif"]
            if self.open[-1] == "if":
                ends += ["#else", f"#elif {self.condition()}", f"#elifdef {self.pick(NAMES)}", f"#elifndef {self.pick(NAMES)}"]
            end = self.pick(ends)
            if end == "#else":
                self.open[-1] = "else"
            elif end == "#endif":
                self.open.pop()
            return end
        if kind < 60:
            rare = ["#pragma push_macro(\"A\")", "#pragma pop_macro(\"A\")", "#if __has_builtin(f)\n#endif", "#error no",
                    "#ident \"x\""]
            return self.pick(rare if self.chance(10) else ["#pragma unroll 4", "#line 100", "_Pragma(\"unroll 2\")", "#"])
        if kind < 80:
            return f"{self.pieces([], 2)} {self.call()} {self.pieces([], 2)}"
        return f"{self.pieces([], 5)} {self.pick(['__LINE__', '', '// c', '/* c', ''])}".replace("/* c", "/* c\n d */")

    def text(self):
        lines = [self.line() for _ in range(6 + self.upto(14))]
        return lines + ["#endif"] * len(self.open)


def tokens(text):
    kept = "\n".join(line for line in text.splitlines() if not re.match(r"\s*#", line))
    kept = re.sub(r"_Pragma *\( *\"[^\"]*\" *\)", "", kept)  # which clang makes a line of its own
    return TOKEN.findall(re.sub(r"/\*.*?\*/|//[^\n]*", " ", kept, flags=re.S))


class Both:
    def __init__(self, judge, clang):
        self.judge = subprocess.Popen([judge, "host:0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.judge.stdout.readline()
        self.clang = [clang, "-x", "cl", "-cl-std=CL1.2", "-E", "-P", "-w", "-ferror-limit=1", "-"]

    def compare(self, lines):
        """equal, refused by both, by us, by clang, or what differs"""
        text = "int begin_of_text;\n" + "\n".join(lines) + "\n"
        print(json.dumps({"source": text, "expanded": True, "where": "text"}), file=self.judge.stdin, flush=True)
        answer = self.judge.stdout.readline()
        if not answer:
            return "died", text
        own = json.loads(answer)
        right = subprocess.run([*self.clang, "-DD0=1", "-DD1=3"], input=text, capture_output=True, text=True)
        if right.returncode:
            return ("refused by both" if "error" in own else "refused by clang alone"), right.stderr
        if "error" in own:
            return "refused by us alone", own["error"]
        mine, theirs = (tokens(one[one.index("begin_of_text"):]) for one in (own["text"], right.stdout))
        return ("equal", "") if mine == theirs else ("differs", f"{' '.join(mine)}\n    clang: {' '.join(theirs)}")

    def reduced(self, lines):
        """Fewer lines that still differ."""
        is_smaller = True
        while is_smaller:
            is_smaller = False
            for i in range(len(lines)):
                fewer = lines[:i] + lines[i + 1:]
                if self.compare(fewer)[0] == "differs":
                    lines, is_smaller = fewer, True
                    break
        return lines


def work(given):
    judge, clang, seeds = given
    both, found = Both(judge, clang), []
    for seed in seeds:
        lines = Texts(seed).text()
        end, said = both.compare(lines)
        if end == "differs":
            lines = both.reduced(lines)
            said = both.compare(lines)[1]
        found.append((seed, end, said, lines if end in ("differs", "died") else []))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("judge")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--texts", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    words = parser.parse_args()
    clang = next((one for one in ("clang", *(f"clang-{n}" for n in range(25, 10, -1))) if shutil.which(one)), None)
    if not clang:
        print("clang is missing: apt-get install clang")
        return 77
    seeds = [words.seed * 1000003 + i for i in range(words.texts)]
    counts, reasons, different = collections.Counter(), collections.Counter(), 0
    with multiprocessing.Pool(words.jobs) as pool:
        parts = [seeds[i:i + 25] for i in range(0, len(seeds), 25)]
        for found in pool.imap(work, [(words.judge, clang, part) for part in parts]):
            for seed, end, said, lines in found:
                counts[end] += 1
                if end == "refused by us alone":
                    reasons[re.sub(r"'[^']*'|\d+", "#", said)[:90]] += 1
                if lines:
                    different += 1
                    print(f"text {seed}: {end}\n    " + "\n    ".join(lines) + f"\n    here: {said}", flush=True)
    if words.verbose:
        for reason, count in reasons.most_common(20):
            print(f"{count:6} {reason}")
    print(", ".join(f"{count} {end}" for end, count in counts.most_common()))
    return int(different > 0 or counts["equal"] < words.texts / 3)


if __name__ == "__main__":
    sys.exit(main())
