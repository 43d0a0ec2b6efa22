# A generated kernel as a tree of text parts, with the types and values of expressions.
import dataclasses
import math
import re
from typing import NamedTuple

NAMES = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "bool")
BITS = (8, 8, 16, 16, 32, 32, 64, 64, 32, 64, 8)
I8, I32, U32, U64, F32, F64, BOOL = 0, 4, 5, 7, 8, 9, 10

# Numbers that each kernel reads and writes per work-item, and work-items per group.
INPUTS, PROBES, ITEMS = 8, 16, 16


class Type(NamedTuple):
    """`size_t` is an alias of `ulong`: OpenCL C does not distinguish them."""

    base: int = I32
    width: int = 1  # components; 1: a scalar

    @property
    def is_float(self):
        return self.base in (F32, F64)

    @property
    def is_bool(self):
        return self.base == BOOL

    @property
    def is_signed(self):
        return self.base < F32 and self.base % 2 == 0

    @property
    def is_unsigned(self):
        return self.base < F32 and self.base % 2 == 1

    @property
    def bits(self):
        return BITS[self.base]

    @property
    def name(self):
        return NAMES[self.base] + ("" if self.width == 1 else str(self.width))

    @property
    def element(self):
        return Type(self.base)

    def of_width(self, components):
        return Type(self.base, components)

    def as_integer(self, has_sign):
        """The type of comparisons of its vectors; of its bits, signed or unsigned."""
        return Type({8: 0, 16: 2, 32: 4, 64: 6}[self.bits] + (0 if has_sign else 1), self.width)


class Range(NamedTuple):
    """The possible values of an expression or a component: integers and, for floats, multiples of
    2^-places, which are never rounded."""

    low: float = 0.0
    high: float = 0.0
    places: int = 0
    minus_zero: bool = False  # -0 is possible

    @property
    def largest(self):
        return max(-self.low, self.high)

    @property
    def is_exact(self):  # all of them are exact floats
        return math.ldexp(self.largest, self.places) <= 2**24

    def is_in(self, other):
        return (self.low >= other.low and self.high <= other.high and self.places <= other.places
                and self.minus_zero <= other.minus_zero)

    def joined(self, other):
        return Range(min(self.low, other.low), max(self.high, other.high), max(self.places, other.places),
                     self.minus_zero or other.minus_zero)


@dataclasses.dataclass
class Node:
    """A part of a kernel: a text in which each `$` represents a part. It is followed by the precedence
    that the part needs to omit parentheses, and a letter for the grammar. The levels are C's: a comma
    is `a`, a name `p`."""

    pattern: str = ""
    parts: list = dataclasses.field(default_factory=list)
    is_expression: bool = False
    level: str = "p"
    type: Type = Type()  # of an expression
    range: Range = Range()
    in_parentheses: bool = False
    is_enum: bool = False  # an enum, written as such

    def __str__(self):
        texts = self.pattern.split("$")
        out = [texts[0]]
        for part, text in zip(self.parts, texts[1:]):
            needs = part.is_expression and (part.in_parentheses or part.level < text[0])
            out += ["(", str(part), ")", text[2:]] if needs else [str(part), text[2:]]
        return "".join(out)


def block(parts):
    return Node("$a-" * len(parts), parts)


@dataclasses.dataclass
class File:
    """Kernels: the bodies of functions that write 16 numbers each, which one kernel calls."""

    seed: int
    head: list = dataclasses.field(default_factory=list)  # declarations: names, one of which uses it, and a Node
    kernels: list = dataclasses.field(default_factory=list)

    def text(self, kernels):
        """The source with some of its kernels, and the required declarations."""
        text, calls = "", ""
        for i, k in enumerate(kernels):
            calls += (f"    kernel_{k}(in + {INPUTS} * item, out + {len(kernels) * PROBES} * item + {i * PROBES}, "
                      "shared);\n")
            text += (f"void kernel_{k}(__global const uint* in, __global uint* out, __local uint* shared) "
                     f"{{\n{self.kernels[k]}}}\n")
        words = set(re.findall(r"\w+", text))
        for names, node in reversed(self.head):
            if not words.isdisjoint(names):
                declared = str(node)
                words.update(re.findall(r"\w+", declared))
                text = declared + text
        return (f"{text}__kernel void k(__global const uint* in, __global uint* out) {{\n"
                f"    __local uint shared[{ITEMS}];\n    const size_t item = get_global_id(0);\n{calls}}}\n")


def simpler(node, is_of_expressions):
    """Replacements of a node: nothing or a part of a statement; a part or a number of an expression's
    type and range."""
    if not node.is_expression:
        return [] if is_of_expressions else [Node()] + [part for part in node.parts if not part.is_expression]
    if not is_of_expressions:
        return []
    every = []
    number = 1 if node.range.low <= 1 <= node.range.high else node.range.low
    if number == int(number) and abs(number) < 1000:
        name = "uint" if node.type.width == 0 else node.type.name
        every.append(Node(f"({name})({int(number)})", [], True, "n", node.type, Range(number, number)))
    return every + [part for part in node.parts
                    if part.is_expression and part.type == node.type and part.range.is_in(node.range)]


def reduced(file, shows, tries):
    """Removes statements, and replaces expressions by a part or a number, while the file's one kernel still
    shows a fault: values stay in their ranges, so nothing becomes undefined. Tries so many files at most."""
    changed = True

    def cut(place, key, is_of_expressions):
        nonlocal changed, tries
        node = place[key]
        for one in simpler(node, is_of_expressions):
            before = len(file.text([0]))
            place[key] = one
            if len(file.text([0])) < before and tries > 0:
                tries -= 1
                if shows(file):
                    changed = True
                    cut(place, key, is_of_expressions)
                    return
            place[key] = node
        for i in range(len(node.parts)):
            cut(node.parts, i, is_of_expressions)

    while changed:
        changed = False
        for is_of_expressions in (False, True):
            for i in range(len(file.kernels[0].parts)):
                cut(file.kernels[0].parts, i, is_of_expressions)
            for item in file.head:
                cut(item, 1, is_of_expressions)
    return file


class Random:
    """splitmix64"""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        mask = 2**64 - 1
        self.state = z = self.state + 0x9E3779B97F4A7C15 & mask
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        return z ^ z >> 31

    def below(self, count):
        return self.next() % count

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, every):
        return every[self.below(len(every))]
