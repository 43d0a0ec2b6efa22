# Generates code by the rules of grammar.txt, free of undefined behaviour: expressions of an exact type with known
# values, statements, and the declarations before them.
import dataclasses
import math
import pathlib
import re

from tree import BOOL, F32, F64, I8, I32, INPUTS, PROBES, U32, U64, File, Node, Random, Range, Type, block

INT, UINT, ULONG = Type(I32), Type(U32), Type(U64)
# Marks macros without parentheses (`bare` in grammar.txt).
BARE = Type(U32, 0)


@dataclasses.dataclass
class Rule:
    """A line of grammar.txt; or a call with its parameters for the operands `$b0`, and its values."""

    when: list
    pattern: str
    values: str = ""
    parameters: list = dataclasses.field(default_factory=list)  # type, range, and what kind of argument
    range: Range = None
    level: str = ""  # empty: from its pattern
    names_variables: bool = False  # of kernels


@dataclasses.dataclass
class Name:
    text: str = ""
    type: Type = Type()
    range: Range = Range()
    can_change: bool = True
    level: str = "p"
    is_enum: bool = False
    is_part: bool = False


def read_rules():
    sections = {}
    for line in (pathlib.Path(__file__).parent / "grammar.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            into = sections.setdefault(line[1:-1], [])
        elif line and not line.startswith("#"):
            when, pattern, *values = re.split(" {2,}", line.strip())
            into.append(Rule(when.split(), pattern.replace("\\n", "\n"), *values))
    return sections


RULES = read_rules()


def limits(type_):
    """All values of an integer; for floats those of variables."""
    if type_.is_bool:
        return Range(0.0, 1.0)
    if type_.is_float:
        return Range(-128.0, 127.0, 2)
    # Slightly less than 64 bits, which a double cannot hold.
    every = float.fromhex("0x1.fffffp63") if type_.bits == 64 else 2.0**type_.bits
    return Range(0.0, every - 1) if type_.is_unsigned else Range(-every / 2, every / 2 - 1)


def usual_range(type_):
    """The values of changing variables, with room for a step or two."""
    return Range(-128.0, 127.0) if type_.is_signed else limits(type_)


def common_type(a, b):
    """The type in which C computes with both; for scalars only."""
    if a.is_float or b.is_float:
        return Type(F64 if F64 in (a.base, b.base) else F32)
    return Type(max(I32 if one.bits < 32 else one.base for one in (a, b)))


def converted(node, to):
    """The values of `node` as `to`; None where they do not fit, which is undefined."""
    values = node.range
    if node.type.is_bool and to.width > 1:  # all bits are set
        values = Range(-1.0, 0.0)
    if to.is_float:
        return values if node.type.is_float or values.is_exact else None
    if to.is_bool:
        return Range(0.0, 1.0)
    every = limits(to)
    if not node.type.is_float:
        return values if values.is_in(every) else every
    if values.low <= every.low - 1 or values.high >= every.high + 1:
        return None
    return Range(float(math.trunc(values.low)), float(math.trunc(values.high)))


def expression(type_, values, level, pattern, parts=()):
    return Node(pattern, list(parts), True, level, type_, values)


def of_own_type(node):
    """An enum is no exact match for a function's parameter."""
    return expression(node.type, node.range, "n", "+$n-", [node]) if node.is_enum else node


def is_letter(char):
    return char.isalpha() or char == "_"


def level_of(pattern):
    """The precedence of an operator: its first operand's, or that of functions and casts."""
    if " ? " in pattern:
        return "c"
    if is_letter(pattern[0]) and not pattern.startswith("sizeof"):
        return "o"
    return pattern[1] if pattern[0] == "$" else "n"


def values_of(rule, type_, operands):
    """The values of a result; None: it would be undefined, or rounded."""
    every = limits(type_)
    if rule == "all":
        return every
    if rule == "truth":
        return Range(-1.0, 0.0) if type_.width > 1 else Range(0.0, 1.0)
    if ".." in rule:
        low, high = rule.split("..")
        return Range(float(low), float(high), 2 if type_.is_float else 0)
    of = []
    for one in operands:
        values = converted(one, type_ if rule == "splat" else type_.element)
        # A condition is not one of the result's values.
        if values is None and not (len(operands) == 3 and rule == "join" and one is operands[0]):
            return None
        if values is not None:
            of.append(values)
    if not of:
        return None
    a, b = of[0], of[-1]
    most = max(a.largest, b.largest)
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    low, high = min(*corners, 0.0), max(*corners, 0.0)
    is_positive = a.low >= 0 and b.low >= 0
    bits = min(every.high, 2.0 ** math.ceil(math.log2(most + 1)) - 1)
    made = {
        "sum": Range(a.low + b.low, a.high + b.high),
        "difference": Range(a.low - b.high, a.high - b.low),
        "fused": Range(-most * most - most, most * most + most),
        "product": Range(low, high),
        "dot": Range(4 * low, 4 * high),
        "and": Range(0.0, min(a.high, b.high)) if is_positive else every,
        "bits": Range(0.0, bits) if is_positive else every,
        "right": Range(min(a.low, -1.0 if type_.is_signed else 0.0), max(a.high, 0.0)),
        "quotient": Range(-a.largest if a.low < 0 else 0.0, a.largest),
        "rest": Range(-7.0 if a.low < 0 else 0.0, 7.0),
        "half": Range(a.low / 2, a.high / 2),
        "four": Range(4 * a.low, 4 * a.high),
        "minus": Range(-a.high, -a.low),
        "not": Range(-1 - a.high, -1 - a.low),
        "near": Range(-most - 1, most + 1),
    }.get(rule, a)
    if rule == "join":
        for one in of:
            made = made.joined(one)
    if rule == "convert" and operands[0].type.is_float:
        made = Range(math.floor(a.low) - 1.0, math.ceil(operands[0].range.high) + 1.0)
        if not type_.is_float and not made.is_in(every):
            return None
    if type_.is_float:
        places = a.places + b.places if rule in ("product", "fused", "dot") else max(a.places, b.places)
        made = Range(made.low, made.high, places + (rule == "half"),
                     rule not in ("join", "cast", "splat", "convert") or a.minus_zero or b.minus_zero
                     or len(operands) > 2)
        return made if made.is_exact else None
    if made.is_in(every):
        return made
    return every if type_.is_unsigned or rule in ("cast", "splat", "join", "convert") else None


class Grammar:
    def __init__(self, seed, has_double, platform):
        self.random = Random(seed)
        self.chance, self.below, self.choose = self.random.chance, self.random.below, self.random.pick
        self.seed, self.platform = seed, platform
        self.file = File(seed)
        self.next = 0
        self.known, self.picked = {}, {}
        self.is_in_function = self.names_variables = False
        self.type_names, self.calls, self.compounds = [], [], []
        self.names, self.constants, self.enums, self.reads, self.reading = [], [], [], [], []
        self.changes = list(RULES["changes"])
        self.palette = [INT, UINT, Type(F32)] + [self.integer() for _ in range(3)]
        if self.chance(40):
            self.palette.append(Type(BOOL))
        if has_double and self.has("double"):
            self.palette.append(Type(F64))
            self.add_item(["double", "double2", "double3", "double4", "double8", "double16"],
                          Node("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"))

    def make(self, kernels):
        for _ in range(4):
            of = self.integer() if self.chance(25) else self.any_scalar()
            if of.is_bool:
                continue
            self.palette.append(of.of_width(self.choose((2, 3, 4, 4, 4, 8, 16))))
            if self.palette[-1].width > 3 and self.chance(50):
                self.palette.append(of.of_width(self.palette[-1].width // 2))
        self.add_reads()
        for _ in range(self.below(4)):
            self.add_type_name()
        for _ in range(1 + self.below(2) if self.has("enums") else 0):
            self.add_enum()
        for _ in range(self.below(3)):
            self.add_struct()
        for _ in range(self.below(3)):
            self.add_table()
        for _ in range(self.below(7)):
            if self.has("?bare") and self.chance(40):
                self.add_callable("macros", self.fresh("W"), BARE)
            else:
                section = "open macros" if self.chance(40) else "macros"
                self.add_callable(section, self.fresh("M"), self.any_type())
        for _ in range(self.below(4)):
            if self.has("overloads") and self.chance(70):
                self.add_overloads()
            else:
                self.add_callable("helpers", self.fresh("h"), self.any_type())
        for _ in range(self.below(3)):
            self.add_callable("macros", self.fresh("M"), self.any_type())
        for _ in range(self.below(3)):
            name = self.fresh("M")
            rule = self.choose(RULES["statement macros"])
            self.add_item([name], Node(rule.pattern.replace("@1", name)))
            self.changes += 3 * [Rule(rule.when, rule.values.replace("@1", name))]
        self.file.kernels = [self.kernel() for _ in range(kernels)]
        return self.file

    def any_type(self):
        return self.choose(self.palette)

    def any_scalar(self):
        return self.any_type().element

    def integer(self):
        return Type(self.below(8))

    def fresh(self, start):
        self.next += 1
        return f"{start}{self.next - 1}"

    def has(self, rare):
        """Whether the file uses a rare feature, so that a fault of one does not hide all others."""
        if rare not in self.known:
            number = self.seed
            for char in rare.encode():
                number = (number ^ char) * 0x100000001B3 & 2**64 - 1
            self.known[rare] = Random(number).chance(35)
        return self.known[rare]

    def spelled(self, type_):
        known = [name for of, name in self.type_names if of == type_]
        if known and self.chance(60):
            return self.choose(known)
        if type_ == UINT and self.chance(20):
            return "unsigned" if self.chance(50) else "unsigned int"
        if type_ == ULONG and self.has("size_t") and self.chance(60):
            return "size_t"
        return "uint" if type_ == BARE else type_.name

    def pick(self, section, type_, variable=None):
        """A rule for the type: of a section of grammar.txt, or of a list."""
        is_part = variable is not None and variable.is_part
        is_whole = variable is not None and limits(type_).is_in(variable.range)
        key = (section, type_, is_part, is_whole) if isinstance(section, str) else None
        found = self.picked.get(key)
        if found is None:
            facts = {type_.name, "=" + type_.name, str(type_.bits), f"x{type_.width}",
                     "vector" if type_.width > 1 else "scalar", "float" if type_.is_float else "integer",
                     "signed" if type_.is_signed else "unsigned" if type_.is_unsigned else "unordered",
                     "bare" if type_ == BARE else "-", self.platform, "integers"}
            if type_.width > 1 or type_.bits >= 32:
                facts.add("wide")
            if is_part:
                facts.add("part")
            if is_whole or type_.is_signed:
                facts.add("whole" if is_whole else "small")
            own = {type_.name, "=" + type_.name, "bare" if type_ == BARE else "-"}
            is_own = type_ == BARE or type_.is_bool

            def fits(word):
                if word[0] == "!":
                    return word[1:] not in facts
                return self.has(word) if word[0] == "?" else word in facts

            found = [one for one in (RULES[section] if key else section)
                     if (not is_own or not own.isdisjoint(one.when)) and all(map(fits, one.when))]
            if key:
                self.picked[key] = found
        if self.is_in_function:
            found = [one for one in found if not one.names_variables]
        return self.choose(found) if found else None

    def filled(self, pattern, type_):
        """The pattern with one of the words in each `{a b}`, and with the type filled in."""
        # A block's brace begins a line, or is followed by a blank.
        pattern = re.sub(r"\{(?![ \n])(.*?)\}", lambda words: self.choose(words[1].split()), pattern, flags=re.S)
        for what, by in (("@t", self.spelled(type_)), ("@n", type_.name), ("@e", type_.element.name),
                         ("@v", self.spelled(self.any_type())), ("@w", str(type_.width))):
            pattern = pattern.replace(what, by)
        return re.sub("@i", lambda _: f"in[{self.below(INPUTS)}]", pattern)

    # ---- expressions

    def narrowed(self, node):
        """A smaller expression of the same type."""
        type_ = node.type
        if type_.is_float or type_.is_bool:
            return self.literal(type_, Range(0.0, 9.0))
        name = self.spelled(type_.element if type_.width > 1 and self.chance(50) else type_)
        small = Range(0.0, 127.0)
        if type_.width > 1:
            return expression(type_, small, "h", f"$h- & ({name})127", [node])
        if common_type(type_, INT) != type_:
            return expression(type_, small, "n", f"({name})($h- & 127)", [node])
        if type_.is_signed and self.chance(50):
            return expression(type_, Range(-99.0, 99.0), "m", "$m- % 100", [node])
        return expression(type_, small, "h", "$h- & 127", [node])

    def literal(self, type_, wanted):
        is_small = type_.width != 1
        low = math.ceil(max(wanted.low, 0 if is_small else -200))
        high = math.floor(min(wanted.high, 9 if is_small else 200))
        number = low + self.below(max(high - low, 0) + 1)
        while True:
            rule = self.pick("literals", type_)
            if not (rule.values == "all" and not limits(type_).is_in(wanted)
                    or rule.pattern == "'#'" and not ord("a") <= number <= ord("z")):
                break
        sign, size = "-" if number < 0 else "", abs(number)
        text = self.filled(rule.pattern, type_)
        for what, by in (("'#'", f"'{chr(size)}'"), ("0x#", f"{sign}0x{size:x}"), ("0#", f"{sign}0{size:o}"),
                         ("#", f"{sign}{size}")):
            text = text.replace(what, by)
        values = limits(type_) if rule.values == "all" else Range(float(number), float(number))
        return expression(type_, values, "n" if text[0] in "-(" else "p", text)

    def leaf(self, type_):
        found = [one for one in self.names if one.type == (UINT if type_ == BARE else type_)
                 and (type_ != BARE or one.level == "p")]
        if not found or self.chance(20):
            return self.literal(type_, limits(type_))
        one = self.choose(found)
        node = expression(type_, one.range, one.level, one.text)
        node.is_enum = one.is_enum and type_ != BARE
        return node

    def fitting(self, to, wanted, depth):
        """An expression that converts to `to` without a cast, with values in the range."""
        for _ in range(4):
            node = self.value(to if to.width > 1 or self.chance(60) else self.any_scalar(), depth)
            for _ in range(2):
                values = converted(node, to)
                if values is not None and values.is_in(wanted):
                    return node
                if node.type.is_float or node.type.is_bool:
                    break
                node = self.narrowed(node)
        return self.literal(to, wanted)

    def value(self, type_, depth):
        for _ in range(6 if depth > 0 else 0):
            if self.chance(5):
                break
            kind = self.below(100)
            if kind < 10 and type_.width > 1:
                made = self.parts(type_, depth - 1)
            else:
                rule = self.pick("operators" if kind < 55 else "functions" if kind < 72 else self.calls, type_)
                made = rule and self.by_rule(rule, type_, depth - 1)
            if made:
                made.in_parentheses = self.chance(15 if type_ == BARE else 25)
                return made
        return self.leaf(type_)

    def operand_type(self, what, type_):
        """The type of a rule's operand, by its letter."""
        is_coin = self.chance(50)

        def resized(of, by):
            return Type(of.base + by, of.width)

        def computes(other):
            return other if common_type(type_, other) == type_ else type_

        if what == "o":
            if type_.width > 1:
                return type_ if self.chance(70) else type_.element
            return computes(self.any_scalar() if is_coin else self.integer())
        if what == "p":
            return resized(Type(I8), self.below(4)) if type_ == INT and is_coin else type_
        if what == "r":
            if type_.width in (1, 3) or type_.bits == 64 or is_coin:
                return type_.as_integer(self.chance(50))
            return resized(type_.as_integer(self.chance(50)), 2).of_width(type_.width // 2)
        if what == "q":
            other, one = self.integer(), self.any_scalar()
            return other if one.is_bool else one
        if what == "x":
            one = self.any_scalar()
            return (type_ if one.is_bool else one).of_width(type_.width)
        if what == "k":
            return self.integer() if type_.width == 1 else type_ if is_coin else type_.element
        if what == "W":
            found = [one for one in self.palette if one.base == type_.base and one.width > 1]
            return self.choose(found) if found else None
        of = {"d": lambda: computes(self.integer()), "e": lambda: type_.element,
              "s": lambda: type_.as_integer(True), "u": lambda: type_.as_integer(False),
              "i": lambda: type_.as_integer(is_coin), "f": lambda: Type(F32, type_.width),
              "h": lambda: resized(type_, -2), "H": lambda: resized(type_.as_integer(False), -2),
              "a": self.any_scalar, "c": self.integer, "y": lambda: Type(BOOL), "v": self.any_type,
              "V": lambda: type_.of_width(2 + self.below(3)), "L": lambda: BARE}.get(what)
        return of() if of else type_

    def operand(self, what, type_, depth):
        if what == "#":
            return self.literal(type_, usual_range(type_))
        if what == "k" and type_.width == 1 and self.chance(50):
            return self.literal(INT, Range(0.0, 70.0))
        of = self.operand_type(what, type_)
        if of is None:
            return None
        node = self.value(of, depth + 1 if what == "L" else depth)
        if what == "S":
            return self.narrowed(node)
        if what != "T" or not node.range.minus_zero:
            return node
        # Between -0 and 0 either may be the smaller one.
        return expression(type_, node.range._replace(minus_zero=False), "l",
                          "$l- + 0.0f" if type_.base == F32 else "$l- + 0.0", [node])

    def argument(self, parameter, depth):
        type_, wanted, kind = parameter
        if kind == "converted":
            return self.fitting(type_, wanted, depth)
        # A macro's parameter has the type of its argument.
        made = self.value(type_ if kind == "exact" else self.integer() if kind == "any integer"
                          else self.any_scalar(), depth)
        for _ in range(2):
            if made.range.is_in(wanted):
                return made
            made = self.narrowed(made)
        return made if made.range.is_in(wanted) else None

    def by_rule(self, rule, type_, depth):
        pattern = self.filled(rule.pattern, type_)
        level = rule.level or level_of(pattern)
        is_call = pattern.endswith(")") and is_letter(pattern[0])
        operands, own = [], type_
        for what in re.findall(r"\$.(.)", pattern):
            if what == "V" and operands:
                own, what = operands[0].type, "t"
            one = (self.argument(rule.parameters[int(what)], depth) if what.isdigit()
                   else self.operand(what, own, depth))
            if one is None:
                return None
            operands.append(of_own_type(one) if is_call else one)
        if pattern.endswith("@c"):
            pattern = pattern[:-2] + self.components(operands[0].type.width, type_.width, False)
        self.names_variables = self.names_variables or rule.names_variables
        for tries in range(3):
            values = rule.range or values_of(rule.values, type_, operands)
            if values is not None:
                return expression(type_, values, level, pattern, operands)
            if type_.is_float and rule.values not in ("cast", "splat"):
                return None
            operands = [self.narrowed(one) if tries == 0 or one.range.largest > 127 else one for one in operands]
        return None

    def components(self, width, count, is_set):
        """`count` components of a vector of that width; a set has none twice."""
        halves = ("lo", "hi", "even", "odd")
        if width != 3 and count * 2 == width and self.chance(50):
            return self.choose(halves)
        if count == 1 and width > 3 and self.chance(20):  # components of components
            part = self.components(width // 2, 1, is_set)
            return f"{self.choose(halves)}.{part}"
        by_letters = width <= 4 and self.chance(70)
        names = "" if by_letters else "s" if self.chance(70) else "S"
        first = self.below(width - min(count, width) + 1)
        for i in range(count):
            one = first + i if is_set else self.below(width)
            names += ("xyzw" if by_letters else "0123456789abcdef" if self.chance(80) else "0123456789ABCDEF")[one]
        return names

    def parts(self, type_, depth):
        """A vector of scalars and smaller vectors."""
        every, values, left = [], None, type_.width
        while left > 0:
            of = type_.element if self.chance(70) else self.any_scalar()
            for one in self.palette:
                if one.base == type_.base and 1 < one.width < type_.width and one.width <= left and self.chance(30):
                    of = one
            a = self.value(of, 0 if type_.width > 4 else depth)
            own = converted(a, type_.element)
            if own is None:
                a = self.literal(type_.element, Range(0.0, 9.0))
                own = a.range
            values = values.joined(own) if values else own
            left -= a.type.width
            every.append(a)
        pattern = ", ".join(["$b-"] * len(every))
        return expression(type_, values, "n", f"({self.spelled(type_)})({pattern})", every)

    # ---- statements

    def written(self, rule, type_, variable, depth):
        """A statement by a rule, with the variable or the number for `%`."""
        counter = self.fresh("n")
        made = Node(self.filled(rule.pattern.replace("%", variable.text).replace("@1", counter), type_))
        if not made.pattern.endswith("\n"):
            made.pattern += "\n"
        if "int @1" in rule.pattern:
            self.names.append(Name(counter, UINT if "uint @1" in rule.pattern else INT, Range(0.0, 2.0), False))
        for what in re.findall(r"\$.(.)", made.pattern):
            made.parts.append(self.statements(depth, what == "D") if what in "BD"
                              else self.fitting(type_, variable.range, 2) if what == "="
                              else self.operand(what, type_, 2))
        self.names = [one for one in self.names if one.text != counter]
        return made

    def add_array(self, name, type_, can_change):
        values = usual_range(type_)
        self.calls.append(Rule(["=" + type_.name], name + "[$hc & 3]", range=values, level="o"))
        count = 2 << self.below(2)
        if type_.width == 1 and not type_.is_bool:
            self.calls.append(Rule(["=" + type_.of_width(count).name], f"vload{count}(0, {name})", range=values))
        if can_change:
            self.names.append(Name(f"{name}[{self.below(4)}]", type_, values, True, "o"))

    def declaration(self):
        name = self.fresh("v")
        kind = self.below(12)
        found = [one for one in self.names if one.can_change and one.level == "p"]
        if kind == 7 and self.has("pointers") and found:
            one = self.choose(found)
            self.names.append(Name("*" + name, one.type, one.range, True, "n"))
            return Node(f"{self.spelled(one.type)}* {name} = &{one.text};\n")
        if kind == 8 and self.compounds:
            compound, of, is_union = self.choose(self.compounds)
            made, members = Node(), []
            for member, type_ in of:
                values = limits(type_) if is_union else usual_range(type_)
                members.append(Name(f"{name}.{member}", type_, values, True, "o"))
                if not is_union or not made.parts:
                    made.parts.append(self.fitting(type_, values, 1))
            self.names += members
            made.pattern = f"{compound} {name} = {{{', '.join(['$b-'] * len(made.parts))}}};\n"
            return made
        if kind == 9 and self.enums:
            tag, first, type_, values = self.choose(self.enums)
            self.names.append(Name(name, type_, values, False, "p", True))
            return Node(f"{tag} {name} = {first};\nif ($a-) {name} = ({tag})($h- & 1);\n",
                        [self.value(self.any_scalar(), 1), self.value(self.integer(), 1)])
        type_ = self.any_type()
        rule = self.pick("declarations", type_)
        is_array = "%[" in rule.pattern
        values = usual_range(type_) if is_array or self.chance(60) else limits(type_)
        made = self.written(rule, type_, Name(name, type_, values), 0)
        if is_array:
            self.add_array(name, type_, True)
        else:
            self.names.append(Name(name, type_, values, not rule.pattern.startswith("const")))
        return made

    def change(self):
        found = [one for one in self.names if one.can_change]
        if not found:
            return self.declaration()
        one = dataclasses.replace(self.choose(found))
        if one.level == "n":
            one.text = f"({one.text})"
        width = one.type.width
        if width > 1 and self.chance(60):
            count = 1 if self.chance(50) or width == 3 else 2 if width == 16 or self.chance(50) else width // 2
            one.text += "." + self.components(width, count, True)
            one.type = one.type.of_width(count)
            one.is_part = True
        return self.written(self.pick(self.changes, one.type, one), one.type, one, 0)

    def statements(self, depth, names_stay):
        names, calls = len(self.names), len(self.calls)
        every = [self.statement(depth) for _ in range(1 + self.below(2))]
        if not names_stay:
            del self.names[names:], self.calls[calls:]
        return block(every)

    def statement(self, depth):
        if depth > 0 and self.chance(30):
            return self.written(self.pick("statements", INT), INT, Name(), depth - 1)
        return self.declaration() if self.chance(40) else self.change()

    def kernel(self):
        self.names = self.constants + self.reads
        calls, every, number = len(self.calls), [], 0
        while number < PROBES:
            if self.chance(30):
                every.append(self.statement(2))
                continue
            type_ = self.any_type()
            if type_.width > PROBES - number:
                type_ = type_.element
            every.append(self.written(self.pick("probes", type_), type_, Name(str(number)), 0))
            number += type_.width
        del self.calls[calls:]
        # Unused names are not declared.
        used = set(re.findall(r"\w+", "".join(map(str, every + [node for _, node in self.file.head]))))
        return block([node for name, node in zip(self.reads, self.reading) if name.text in used] + every)

    # ---- the head of a file

    def add_item(self, names, node, other=None, is_of_one_type=False):
        """@param other  the code of a branch that is not taken"""
        if other:
            while True:
                rule = self.choose(RULES["conditions"])
                if rule.when[0] != "either" or is_of_one_type:
                    break
            both = [other, node] if rule.when[0] == "second" else [node, other]
            node = Node(self.filled(rule.pattern, INT) + "\n$a-#else\n$a-#endif\n", both)
        self.file.head.append([names, node])

    def add_type_name(self):
        type_ = self.any_type()
        other = (INT if type_.is_float else Type(F32)).of_width(type_.width)
        name = self.fresh("T")
        rule = self.pick("names of types", type_)
        taken, left = (self.written(rule, one, Name(name), 0) for one in (type_, other))
        self.add_item([name], taken, left if self.has("branches of types") and self.chance(60) else None)
        self.type_names.append((type_, name))

    def add_callable(self, section, name, type_):
        """A macro or a function, by a rule of the section."""
        rule = self.pick(section, type_)
        if not rule:
            return
        is_open, is_function = section == "open macros", section.endswith("helpers")
        call = Rule(["=" + type_.name], name)
        self.names = list(self.constants) if is_function else []
        if not is_function and not is_open and type_ != BARE and self.chance(20):
            self.names = list(self.reads)
        self.names_variables = not is_function and bool(self.names)
        parameters = self.add_parameters(section, rule, type_, call)
        self.is_in_function = is_function
        calls = len(self.calls)
        pattern = f"#define @1@p {rule.pattern}\n" if is_open else rule.pattern
        node = self.written(Rule(rule.when, pattern.replace("@1", name).replace("@p", parameters)), type_,
                            Name("", type_, limits(type_)), 1)
        del self.calls[calls:]
        self.is_in_function = False
        other, is_same = None, False
        if is_open:
            call.range = values_of(rule.values, type_, [])
            call.level = "n"
        else:
            result = node.parts[-1]
            call.range = (converted(result, type_) or limits(type_)) if is_function else result.range
            if "@p $a" in rule.pattern and type_ != BARE:
                call.level = "p" if result.in_parentheses else result.level
            call.names_variables = self.names_variables  # also by a macro in it
            if not is_function and type_ != BARE and self.has("branches of macros") and self.chance(40):
                # Another text, in the branch of an #if that is not taken, or is.
                is_same = self.chance(50)
                text = self.literal(type_, call.range) if is_same else self.literal(self.any_type(), Range(0.0, 9.0))
                if is_same:
                    call.range = call.range.joined(text.range)
                    call.level = call.level and min(call.level, text.level)
                other = Node(node.pattern, node.parts[:-1] + [text])
        self.add_item([name], node, other, is_same)
        self.calls.append(call)

    def add_parameters(self, section, rule, type_, call):
        """Gives it parameters, which are names in its text from now on. @returns them as declared"""
        is_open, is_function, is_overloaded = (
            section == "open macros", section.endswith("helpers"), section == "overloaded helpers")
        count = 1 + self.below(3) if is_function else self.below(4)
        if is_open:
            words = re.findall(r"\w+", rule.pattern)
            count = 3 if "c" in words else 2 if "b" in words else 1
        if is_overloaded:
            count = 2
        is_integer = "integers" in rule.when
        declared, given = [], []
        for i in range(count):
            parameter = "abc"[i]
            is_naked = not is_function and self.chance(60 if type_ == BARE else 25)
            of = type_ if type_ == BARE or is_overloaded or self.chance(50) else self.any_type()
            values = (Range(0.0, 127.0, 0 if is_integer else 2) if is_open
                      else limits(BARE) if type_ == BARE else usual_range(of))
            self.names.append(Name(parameter if is_naked or is_function else f"({parameter})",
                                   UINT if type_ == BARE else of, values, is_function))
            declared.append((self.spelled(of) + " " if is_function else "") + parameter)
            given.append(f"${'p' if is_naked and type_ != BARE and not is_open else 'b'}{i}")
            call.parameters.append((of, values, "any integer" if is_integer else "any scalar" if is_open
                                    else "converted" if is_function and not is_overloaded else "exact"))
        if count == 0:
            return ""
        call.pattern += f"({', '.join(given)})"
        return f"({', '.join(declared)})"

    def add_overloads(self):
        name, first = self.fresh("h"), self.any_type()
        self.add_callable("overloaded helpers", name, first)
        if first.is_bool:
            return
        if self.chance(30):
            other = (INT if first.is_float else Type(F32)).of_width(first.width)
        else:
            other = first.element if first.width > 1 else first.of_width(4)
        self.add_callable("overloaded helpers", name, other)

    def add_struct(self):
        name = self.fresh("S")
        is_union = self.has("unions") and self.chance(50)
        types = [UINT, INT, Type(3, 2), Type(1, 4)] if is_union else [self.any_type() for _ in range(4)]
        members, text = [], ""
        for type_ in types[:1 + self.below(4)]:
            members.append((self.fresh("m"), type_))
            text += f"{self.spelled(type_)} {members[-1][0]};\n"
        kind = "union" if is_union else "struct"
        is_typedef = self.chance(50)
        self.add_item([name], Node(f"typedef {kind} {{\n{text}}} {name};\n" if is_typedef
                                   else f"{kind} {name} {{\n{text}}};\n"))
        self.compounds.append((name if is_typedef else f"{kind} {name}", members, is_union))

    def add_enum(self):
        tag = self.fresh("E")
        names, text = [], []
        is_signed, is_typedef = self.chance(30), self.chance(40)
        number = -2 if is_signed else 0
        for i in range(2 + self.below(3)):
            jumps = i > 0 and self.chance(30)
            if jumps:
                number += self.below(20)
            names.append(self.fresh("K"))
            text.append(names[-1] + (f" = {number}" if jumps or i == 0 else ""))
            self.constants.append(Name(names[-1], INT, Range(float(number), float(number)), False))
            number += 1
        text = ", ".join(text)
        self.add_item([tag] + names, Node(f"typedef enum {{{text}}} {tag};\n" if is_typedef
                                          else f"enum {tag} {{{text}}};\n"))
        # clang gives enums without negative values an unsigned type.
        self.enums.append((tag if is_typedef else "enum " + tag, names[0], INT if is_signed else UINT,
                           Range(-2.0 if is_signed else 0.0, float(number))))

    def add_table(self):
        type_ = self.any_type()
        rule = self.pick("tables", type_)
        if not rule:
            return
        name = self.fresh("t")
        self.add_item([name], self.written(rule, type_, Name(name), 0))
        self.add_array(name, type_, False)

    def add_reads(self):
        for type_ in self.palette + [UINT, UINT, INT]:
            name = self.fresh("x")
            rule = self.pick("reads", type_)
            every = ", ".join(self.filled(rule.pattern, type_) for _ in range(type_.width))
            if type_.width > 1:
                every = f"({type_.name})({every})"
            self.reading.append(Node(f"{type_.name} {name} = {every};\n"))
            self.reads.append(Name(name, type_, limits(type_) if rule.values == "all" else usual_range(type_)))


def file_of(seed, number, kernels, has_double=False, platform=""):
    """The file of that number: the same for a seed.
    @param platform  `pocl`, `nvidia`: avoids the errors of its OpenCL, which grammar.txt lists"""
    random = Random(seed * 0x100000001B3 + number & 2**64 - 1)
    file = Grammar(random.next(), has_double, platform).make(kernels)
    file.seed = seed
    return file
