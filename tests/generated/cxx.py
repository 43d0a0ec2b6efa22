# Draws CUDA C++ of names: namespaces, classes, templates, overloads, macros, and each of them shadowed by the others.
#
# All of it is defined: unsigned numbers wrap, and ints stay below 2^14.
import dataclasses
import re

from pieces import PIECES
from tree import F32, I32, INPUTS, ITEMS, PROBES, U32, BOOL, Node, Random, Range, Type, block

# Few, so that they meet; half of them are words of OpenCL C or of its functions.
NAMES = ["a", "b", "x", "f", "g", "T", "S", "value", "get", "size", "kernel", "global", "local", "generic", "uchar16",
         "as_uint", "mad", "select", "half", "quad", "event_t", "get_global_id", "CLK_LOCAL_MEM_FENCE", "read_only", "packed",
         "vload4", "convert_int", "complex", "M_PI_F", "rotate", "vec_step", "image2d_t", "item", "main"]
TYPES = {"unsigned": Type(U32), "int": Type(I32), "short": Type(2), "unsigned char": Type(1), "signed char": Type(0),
         "unsigned short": Type(3), "long long": Type(6), "unsigned long long": Type(7), "bool": Type(BOOL), "float": Type(F32)}
NUMBERS = list(TYPES)[:8]
ANY = Range(-1e9, 1e9)


def expression(pattern, type_name, *parts):
    return Node(pattern, list(parts), True, "p", TYPES.get(type_name, Type(U32, 0)), ANY)


@dataclasses.dataclass(eq=False)
class Entity:
    """What a name stands for."""

    kind: str  # variable, array, constant, function, record, template, namespace, ...
    name: str
    type: str = ""  # of a variable, a function's result: of TYPES, or a record's key
    scope: object = None  # where it is declared
    parameters: tuple = ()  # of a function: (type, is_reference)
    defaults: int = 0
    members: dict = dataclasses.field(default_factory=dict)  # of a record: fields by their types
    arguments: str = ""  # of a template: how it is instantiated
    is_constant: bool = False
    group: object = None  # what overloads share

    def is_same(self, other):
        return other is self or (other is not None and self.group is not None and other.group is self.group)


class Scope:
    def __init__(self, above, kind, name=""):
        self.above, self.kind, self.name, self.names = above, kind, name, {}

    def find(self, name, is_qualifier=False):
        """What the name means here; in front of `::` types and namespaces alone count."""
        one = self.names.get(name)
        if one and not (is_qualifier and one.kind not in ("record", "namespace", "enum", "trait", "hidden")):
            return one
        return self.above.find(name, is_qualifier) if self.above else None

    def path(self):
        """The names of the scopes around, from the case's own; none within a function."""
        if not self.above:
            return []
        above = self.above.path()
        return None if above is None or self.kind == "function" else above + [self.name]


class Case:
    """One function `run`, and what it uses."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.names = [self.pick(NAMES) for _ in range(6 + self.upto(8))]
        self.root = Scope(None, "namespace")
        self.all, self.macros, self.parts, self.count = [], [], [], 0
        for _ in range(2 + self.upto(4)):
            self.parts.append(self.declaration(self.root, 0))
        self.parts.append(self.run())

    def pick(self, some):
        return self.random.pick(some)

    def chance(self, percent):
        return self.random.chance(percent)

    def upto(self, most):
        return self.random.next() % (most + 1)

    # Names.

    def free(self, scope, besides=()):
        """A name that its scope has not."""
        while True:
            name = self.pick(self.names)
            if name not in scope.names and name not in besides and name != scope.name:
                return name
            if self.chance(8):
                self.count += 1
                return f"n{self.count}"

    def add(self, scope, kind, name, type_name="", **more):
        one = Entity(kind, name, type_name, scope, **more)
        scope.names[name] = one
        self.all.append(one)
        return one

    def spelled(self, one, scope, hidden=()):
        """How the name is written here; None: it cannot be."""
        if one.is_same(scope.find(one.name)) and one.name not in hidden and not self.chance(20):
            return one.name
        path = one.scope.path()
        if path is None:
            return one.name if scope.find(one.name) is one and one.name not in hidden else None
        path = path + [one.name]
        owners = []
        owner = one.scope
        while owner.above:
            owners.insert(0, owner)
            owner = owner.above
        for i in range(len(owners)):  # as short as it may be
            found = scope.find(path[i], True)
            if self.chance(50) and found and getattr(found, "inner", None) is owners[i] and path[i] not in hidden:
                return "::".join(path[i:])
        return "::@" + "::".join(path)

    def those(self, scope, kinds, type_name=None):
        made = []
        for one in self.all:
            if one.kind not in kinds or (type_name and one.type != type_name):
                continue
            if one.scope.path() is None and scope.find(one.name) is not one:
                continue
            made.append(one)
        return made

    # Expressions.

    def literal(self, type_name):
        number = self.pick([0, 1, 2, 3, 5, 7, 10, 37, 100])
        text = {"unsigned": f"{number}u", "int": self.pick([f"{number}", f"-{number}" if number else "4", f"0x{number:x}"]),
                "bool": self.pick(["true", "false"]), "float": f"{number % 30}.0f", "long long": f"{number}ll",
                "unsigned long long": f"{number}ull"}.get(type_name, f"({type_name}){number}")
        return expression(f"({text})" if text.startswith("-") else text, type_name)

    def value(self, scope, type_name, hidden=()):
        """A variable of the type, a constant, or a literal."""
        some = [one for one in self.those(scope, ("variable", "constant"), type_name)]
        while some and not self.chance(10):
            one = self.pick(some[-3:] if self.chance(60) else some)
            spelled = self.spelled(one, scope, hidden)
            if spelled:
                return expression(spelled, type_name)
            some.remove(one)
        return self.literal(type_name)

    def cast(self, type_name, part):
        form = self.pick(["(({})($p-))", "static_cast<{}>($p-)"] + (["{}($p-)"] if " " not in type_name else []))
        return expression(form.format(type_name), type_name, part)

    def expr(self, scope, type_name, depth=0, hidden=()):
        """A number. An int stays below 2^14."""
        def sub(other=type_name):
            return self.expr(scope, other, depth + 1, hidden)
        kind = self.upto(11)
        if depth > 2 or kind < 3:
            return self.value(scope, type_name, hidden)
        if kind < 6:
            made = self.special(scope, depth, hidden)
            if made:
                own, part = made
                if own == type_name:
                    return part
                if type_name == "unsigned" or own in ("unsigned char", "bool", "short", "signed char"):
                    part = expression("(int)$p-", "int", part) if own == "float" else part
                    if type_name == "float":
                        return expression("(float)(($p-) & 31)", "float", self.cast("int", part))
                    return self.cast(type_name, part) if type_name != "int" or own != "short" else part
        if type_name == "unsigned" or type_name == "unsigned long long":
            return self.pick([
                lambda: expression(f"($p- {self.pick(['+', '-', '*', '^', '|', '&'])} $p-)", type_name, sub(), sub()),
                lambda: expression(f"($p- {self.pick(['<<', '>>'])} ($p- & 7))", type_name, sub(), sub("unsigned")),
                lambda: expression("($p- ? $p- : $p-)", type_name, sub("bool"), sub(), sub()),
                lambda: self.cast(type_name, sub(self.pick(NUMBERS))),
                lambda: expression(f"{self.pick(['~', '-', '+'])}($p-)", type_name, sub()),
                lambda: self.sizes(scope, type_name)])()
        if type_name == "bool":
            other = self.pick(["unsigned", "int", "unsigned", "float"])
            return self.pick([
                lambda: expression(f"($p- {self.pick(['<', '>', '==', '!=', '<=', '>='])} $p-)", "bool", sub(other), sub(other)),
                lambda: expression(f"($p- {self.pick(['&&', '||', '!=', '=='])} $p-)", "bool", sub(), sub()),
                lambda: expression("!$p-", "bool", sub())])()
        if type_name == "float":
            return expression("(float)(($p-) & 31)", "float", sub(self.pick(["int", "unsigned"])))
        if type_name == "int":
            return self.pick([
                lambda: expression(f"(($p- {self.pick(['+', '-', '*'])} $p-) % 8192)", "int", sub(), sub()),
                lambda: expression("(int)($p- & 1023u)", "int", sub("unsigned")),
                lambda: expression("($p- ? $p- : $p-)", "int", sub("bool"), sub(), sub()),
                lambda: self.cast("int", sub(self.pick(["short", "unsigned char", "bool", "signed char"])))
                if self.chance(50) else expression("-($p-)", "int", sub())])()
        small = "127u" if type_name in ("signed char", "unsigned char") else "8191u"
        return expression(f"({type_name})($p- & {small})", type_name, sub("unsigned"))

    def sizes(self, scope, type_name):
        records = self.those(scope, ("record",))
        one = self.pick(records) if records and self.chance(70) else None
        spelled = self.spelled(one, scope) if one else None
        return expression(f"({type_name})sizeof({spelled or self.pick(NUMBERS)})", type_name)

    def special(self, scope, depth, hidden):
        """A call, a member, an element: its type and the expression."""
        some = self.those(scope, ("function", "function template", "array", "object", "enumerator", "trait", "macro", "pack"))
        if not some:
            return None
        one = self.pick(some[-4:] if self.chance(50) else some)
        spelled = self.spelled(one, scope, hidden)
        if not spelled:
            return None
        if one.kind == "array":
            return one.type, expression(f"{spelled}[$p- & 3u]", one.type, self.expr(scope, "unsigned", depth + 1, hidden))
        if one.kind == "enumerator":
            return "int", expression(f"(int){spelled}", "int")
        if one.kind == "trait":
            return one.type, expression(f"{spelled}{one.arguments}", one.type)
        if one.kind == "object":
            field, own = self.pick(list(one.members.items()))
            return own, expression(f"{spelled}.{field}", own)
        if one.kind == "macro":
            parts = [self.expr(scope, "unsigned", depth + 1, hidden) for _ in one.parameters]
            inside = "(" + ", ".join(["$p-"] * len(parts)) + ")" if parts else ""
            return one.type, expression(f"({one.name}{inside})", one.type, *parts)
        return self.call(one, spelled, scope, depth, hidden)

    def call(self, one, spelled, scope, depth, hidden):
        arguments, patterns = [], []
        given = len(one.parameters) - (self.upto(one.defaults) if one.defaults else 0)
        for type_name, passing in one.parameters[:given]:
            if passing == "&":
                some = [v for v in self.those(scope, ("variable",), type_name) if not v.is_constant and v.scope.path() is None]
                if not some:
                    return None
                # One place twice has no order.
                place = self.spelled(self.pick(some), scope, hidden)
                if not place or place in patterns:
                    return None
                patterns.append(place)
                continue
            if passing == "*":
                some = [v for v in self.those(scope, ("array",), type_name)]
                place = self.spelled(self.pick(some), scope, hidden) if some else None
                if not place:
                    return None
                patterns.append(place)
                continue
            if passing == "record":
                place = self.spelled(type_name, scope, hidden)
                fields = [self.expr(scope, own, 3, hidden) for own in type_name.members.values()]
                if not place:
                    return None
                patterns.append(place + "{" + ", ".join(["$p-"] * len(fields)) + "}")
                arguments += fields
                continue
            if any(passed == "&" for _, passed in one.parameters):
                part = self.literal(type_name)
            else:
                part = self.expr(scope, type_name, depth + 1, hidden)
            # What is chosen must not depend on C's types.
            arguments.append(part)
            patterns.append(f"({type_name})($p-)")
        explicit = one.arguments if one.kind != "function" else ""
        if any(passed in ("record", "&") for _, passed in one.parameters) and "::" not in spelled and scope.find(one.name) is not one:
            return None
        made = expression(f"{spelled}{explicit}({', '.join(patterns)})", one.type, *arguments)
        if one.type == "int":
            made = expression("($p- % 8192)", "int", made)
        return one.type, made

    # Declarations outside of functions.

    def declaration(self, scope, depth):
        some = [self.constant, self.constant, self.enumeration, self.record, self.record, self.function, self.function, self.function,
                self.template, self.template, self.trait, self.macro, self.overloads, self.alias, self.operator,
                self.specialised]
        if scope.kind == "namespace":
            some += [self.piece] * 10
        if depth < 2:
            some += [self.namespace] * 4
        return self.pick(some)(scope, depth)

    def namespace(self, scope, depth):
        again = [one for one in scope.names.values() if one.kind == "namespace"]
        if again and self.chance(40):
            one = self.pick(again)
        else:
            one = self.add(scope, "namespace", self.free(scope))
            one.inner = Scope(scope, "namespace", one.name)
        parts = [self.declaration(one.inner, depth + 1) for _ in range(1 + self.upto(3))]
        return Node(f"namespace {one.name} {{\n" + "$p-" * len(parts) + "}\n", parts)

    def constant(self, scope, depth):
        type_name = self.pick(["unsigned", "int", "int", "short", "unsigned char", "float", "unsigned long long"])
        # Its name is declared before its value.
        name = self.free(scope)
        if self.chance(25):
            values = [self.literal(type_name) for _ in range(4)]
            how = self.pick(["__constant__", "__device__ const", "static __device__ const", "__constant__ const"])
            self.add(scope, "array", name, type_name, is_constant=True)
            return Node(f"{how} {type_name} {name}[4] = {{$p-, $p-, $p-, $p-}};\n", values)
        how = self.pick(["constexpr", "static constexpr", "const", "__constant__", "__device__ const"])
        others = [one for one in self.those(scope, ("constant",), type_name) if one.is_constant]
        start = self.literal(type_name)
        if others and type_name != "float" and self.chance(40):
            one = self.pick(others)
            spelled = self.spelled(one, scope, (name,))
            if spelled:
                start = expression(f"({type_name})({spelled} + 1) % 64", type_name)
        self.add(scope, "constant", name, type_name, is_constant="const" in how.replace("__constant__", "") and type_name != "float")
        return Node(f"{how} {type_name} {name} = $p-;\n", [start])

    def enumeration(self, scope, depth, name=None):
        is_scoped, name = self.chance(40) or name is not None, name or self.free(scope)
        base = self.pick(["", "", " : unsigned char", " : int", " : short"])
        one = self.add(scope, "enum", name)
        one.inner = Scope(scope, "enum", name)
        home = one.inner if is_scoped else scope
        parts = []
        for _ in range(1 + self.upto(2)):
            item = self.free(home, (name,))
            self.add(home, "enumerator", item, "int")
            number = self.upto(100)
            parts.append(item + (f" = {number}" if self.chance(60) else ""))
        return Node(f"enum {'class ' if is_scoped else ''}{name}{base} {{ {', '.join(parts)} }};\n")

    def record(self, scope, depth, name=None):
        is_member, name = name is not None, name or self.free(scope)
        one = self.add(scope, "record", name)
        one.inner = inner = Scope(scope, "record", name)
        parts = []
        for _ in range(1 + self.upto(2)):
            field, type_name = self.free(inner), self.pick(["unsigned", "int", "short", "unsigned char", "float", "unsigned long long"])
            inner.names[field] = Entity("field", field, type_name, inner)
            one.members[field] = type_name
            parts.append(Node(f"{type_name} {field};\n"))
        members = []
        for _ in range(self.upto(2)):
            kind, member = self.upto(9), self.free(inner)
            members.append((kind, member))
            inner.names[member] = Entity("hidden", member, "", inner)  # in all of the class
        for kind, member in members:
            if kind < 3:
                type_name = self.pick(["int", "unsigned", "unsigned char"])
                parts.append(Node(f"static constexpr {type_name} {member} = $p-;\n", [self.literal(type_name)]))
                self.add(inner, "constant", member, type_name, is_constant=True)
            elif kind < 4:
                parts.append(self.enumeration(inner, depth, member))
            elif kind < 5 and not is_member:
                parts.append(self.record(inner, depth, member))
            elif kind < 9:
                parts.append(self.function(inner, depth, "static ", member))
            else:
                own_name, own = self.pick(list(one.members.items()))
                parts.append(Node(f"__device__ {own} {member}() const {{ return {self.pick(['', 'this->'])}{own_name}; }}\n"))
        one.is_whole = True
        return Node(f"struct {name} {{\n" + "$p-" * len(parts) + "};\n", parts)

    def parameters(self, inner, most=3, types=None):
        """Declared in the function's scope: their text, and how they are passed."""
        texts, passed = [], []
        for _ in range(self.upto(most)):
            type_name = self.pick(types or NUMBERS[:6] + ["unsigned", "int", "bool", "float"])
            name = self.free(inner)
            kind = self.upto(19)
            records = [one for one in self.those(inner.above, ("record",)) if getattr(one, "is_whole", False)]
            if kind < 2:
                texts.append(f"{type_name}& {name}")
                passed.append((type_name, "&"))
                self.add(inner, "variable", name, type_name)
            elif kind < 4:
                texts.append(f"const {type_name}& {name}")
                passed.append((type_name, ""))
                self.add(inner, "variable", name, type_name, is_constant=True)
            elif kind < 5:
                texts.append(f"const {type_name}* {name}")
                passed.append((type_name, "*"))
                self.add(inner, "array", name, type_name, is_constant=True)
            elif kind < 7 and records:
                one = self.pick(records)
                hidden = [text.split()[-1] for text in texts]
                spelled = self.spelled(one, inner.above, hidden)
                if spelled:
                    texts.append(f"{self.pick(['', 'const '])}{spelled} {name}" if self.chance(50) else f"const {spelled}& {name}")
                    passed.append((one, "record"))
                    self.add(inner, "object", name, members=one.members, is_constant=True)
            else:
                texts.append(f"{type_name} {name}")
                passed.append((type_name, ""))
                self.add(inner, "variable", name, type_name)
        return texts, passed

    def function(self, scope, depth, before="", name=None):
        name = name or self.free(scope)
        inner = Scope(scope, "function")
        result = self.pick(["unsigned", "int", "unsigned", "short", "bool", "float", "unsigned long long", "unsigned char"])
        scope.names[name] = Entity("function", name, result, scope)  # it hides others in its own body
        texts, passed = self.parameters(inner)
        defaults = 0
        if before == "" or self.chance(50):
            taken = [text.split()[-1] for text in texts] + ([name] if before else [])
            for i in range(len(texts) - 1, -1, -1):
                if passed[i][1] != "" or passed[i][0] not in TYPES or not self.chance(30):
                    break
                # In a class only what is outside of it is known for certain.
                start = self.literal(passed[i][0]) if before else self.value(scope, passed[i][0], taken)
                texts[i] += f" = {start}"
                defaults += 1
        head = f"{before}{self.pick(['__device__', '__device__ inline', '__device__ __forceinline__', '__host__ __device__'])}"
        body = self.body(inner, result)
        del scope.names[name]
        self.forget(inner)
        self.add(scope, "function", name, result, parameters=tuple(passed), defaults=defaults)
        return Node(f"{head} {result} {name}({', '.join(texts)}) {{\n$p-}}\n", [body])

    def forget(self, scope):
        def is_in(one):
            at = one.scope
            while at:
                if at is scope:
                    return True
                at = at.above
            return False
        self.all = [one for one in self.all if not is_in(one)]

    def overloads(self, scope, depth):
        """Functions of one name whose types, or number of parameters, differ."""
        name, parts, made = self.free(scope), [], []
        shapes = [("unsigned",), ("int",), ("float",), ("short",), ("unsigned", "unsigned"), ("bool",), ("unsigned char",),
                  ("unsigned long long",), ("int", "int"), ()]
        scope.names[name] = Entity("hidden", name, "", scope)
        for _ in range(2 + self.upto(1)):
            shape = shapes.pop(self.upto(len(shapes) - 1))
            inner = Scope(scope, "function")
            texts = []
            for type_name in shape:
                own = self.free(inner)
                self.add(inner, "variable", own, type_name)
                texts.append(f"{type_name} {own}")
            result = self.pick(["unsigned", "int"])
            parts.append(Node(f"__device__ {result} {name}({', '.join(texts)}) {{\n$p-}}\n", [self.body(inner, result, 1)]))
            self.forget(inner)
            made.append(Entity("function", name, result, scope, tuple((one, "") for one in shape)))
        # One entity of the scope stands for all: each call gives the types of one of them.
        for one in made:
            one.group = made
        scope.names[name] = made[0]
        self.all += made
        return block(parts)

    def operator(self, scope, depth):
        records = [one for one in scope.names.values() if one.kind == "record" and getattr(one, "is_whole", False) and "unsigned" in one.members.values()
                   and not hasattr(one, "has_sum")]
        if scope.kind != "namespace" or not records:
            return self.record(scope, depth)
        one = self.pick(records)
        one.has_sum = True
        field = next(key for key, own in one.members.items() if own == "unsigned")
        spelled = self.spelled(one, scope)
        sign = self.pick(["+", "*", "^", "-"])
        # Its operands get names that hide others.
        left, right = self.free(Scope(scope, "function"), (one.name,)), "r"
        name = self.free(scope, (left,))
        scope.names[name] = Entity("hidden", name, "", scope)
        self.add(scope, "function", name, "unsigned", parameters=(("unsigned", ""), ("unsigned", "")))
        fields = ["n" if key == field else f"({own})0" for key, own in one.members.items()]
        return Node(f"__device__ {spelled} operator{sign}(const {spelled}& {left}, {spelled} {right}) {{ {right}.{field} = {left}.{field} {sign} {right}.{field} * 3u; return {right}; }}\n"
                    f"__device__ unsigned {name}(unsigned n, unsigned m) {{ ::@{'::'.join(one.scope.path() + [one.name])} p = {{{', '.join(fields)}}}; n = m; "
                    f"::@{'::'.join(one.scope.path() + [one.name])} q = {{{', '.join(fields)}}}; return (p {sign} q).{field}; }}\n")

    def alias(self, scope, depth):
        records = [one for one in self.those(scope, ("record",)) if one.scope.path() is not None and getattr(one, "is_whole", False)]
        name = self.free(scope)
        if not records or scope.kind != "namespace":
            return self.constant(scope, depth)
        one = self.pick(records)
        spelled = self.spelled(one, scope, (name,))
        made = self.add(scope, "record", name, members=one.members)
        made.is_whole = True
        return Node(self.pick([f"using {name} = {spelled};\n", f"typedef {spelled} {name};\n"]))

    def macro(self, scope, depth):
        self.count += 1
        name = f"{self.pick(['ADD', 'get', 'x', 'SIZE', 'T', 'value'])}_{self.count}@"
        made = Entity("macro", name, "unsigned", self.root)
        kind = self.upto(3)
        if kind == 0:
            words = [one for one in self.those(scope, ("constant",), "unsigned") if one.scope.path() is not None]
            text = self.pick(["41u", "(3u + 4u)", "5u + 6u", "sizeof(short) + 1u"])
            if words and self.chance(60):
                text = "::@" + "::".join((one := self.pick(words)).scope.path() + [one.name])
            self.all.append(made)
            return Node(f"#define {name} {text}\n")
        made.parameters = (("unsigned", ""), ("unsigned", ""))[:1 + self.upto(1)]
        names = ["p", "q"][:len(made.parameters)]
        if kind == 1:  # a macro that defines a function, and gives it its name
            function = self.free(scope)
            self.add(scope, "function", function, "unsigned", parameters=(("unsigned", ""),))
            return Node(f"#define {name}(NAME, BODY) __device__ unsigned NAME(unsigned p) {{ return BODY; }}\n{name}({function}, p * 7u + 1u)\n")
        functions = [one for one in self.those(scope, ("function",)) if one.parameters == (("unsigned", ""),) and one.type == "unsigned"
                     and one.scope.path() is not None]
        text = self.pick(["p * 3u", "(p) ^ 5u", "((p) << 3) + 1u", "p"] if len(names) == 1 else ["p + q", "(p) * (q)", "(p) > (q) ? (p) : (q)",
                                                                                               "(q) - (p)"])
        if functions and self.chance(50):
            one = self.pick(functions)
            text = f"::@{'::'.join(one.scope.path() + [one.name])}({text})"
        self.all.append(made)
        return Node(f"#define {name}({', '.join(names)}) {text}\n")

    def template(self, scope, depth, before=""):
        """A function template, called with arguments or without."""
        name = self.free(scope)
        inner = Scope(scope, "function")
        kind = self.upto(5)
        own = self.pick(["unsigned", "int", "unsigned long long", "float"] if kind != 1 else ["unsigned"])
        self.count += 1
        a = self.free(inner, (name,))
        b = self.free(inner, (a, name))
        t = self.free(inner, (a, b, name))
        more = {"arguments": "", "parameters": ((own, ""), (own, ""))}
        if kind == 0:
            text = f"template <class {t}> __device__ {t} {name}({t} {a}, {t} {b}) {{ return {a} < {b} ? {b} : ({t})({a} + ({t})2); }}\n"
            if self.chance(50):
                more["arguments"] = f"<{own}>"
        elif kind == 1:
            number = self.upto(30)
            text = (f"template <int {t}, typename U = unsigned> __device__ U {name}(U {a}, U {b}) {{ U r = {a}; for (int i = 0; i < {t} % 4; ++i) r = r * 3u + {b} + {t}; return r; }}\n")
            more["arguments"] = f"<{number}>"
        elif kind == 2:  # a pack
            text = (f"__device__ inline {own} {name}() {{ return ({own})1; }}\n"
                    f"template <class {t}, class... R> __device__ {t} {name}({t} {a}, R... {b}) {{ return ({t})({a} + ({t})({name}({b}...))); }}\n"
                    if self.chance(50) else
                    f"template <class... {t}> __device__ {own} {name}({t}... {a}) {{ return ({own})(sizeof...({t}) + {self.pick([f'(({own})0 + ... + {a})', f'({a} + ...)', f'(... + {a})'])}); }}\n")
            more["parameters"] = ((own, ""),) * (1 + self.upto(2))
        elif kind == 3:  # a specialisation
            text = (f"template <class {t}> __device__ {t} {name}({t} {a}, {t} {b}) {{ return ({t})({a} + {b} + ({t})1); }}\n"
                    f"template <> __device__ {own} {name}<{own}>({own} {a}, {own} {b}) {{ return {a} + {b} + {b}; }}\n")
            more["arguments"] = self.pick(["", f"<{own}>"])
            if self.chance(50):
                own = self.pick(["unsigned", "int"])
                more["parameters"] = ((own, ""), (own, ""))
                more["arguments"] = ""
        elif kind == 4:
            text = (f"template <bool {t}, class U> __device__ U {name}(U {a}, U {b}) {{ if constexpr ({t}) {{ return (U)({a} + {a}); }} else {{ return {b}; }} }}\n")
            more["arguments"] = self.pick(["<true>", "<false>"])
        else:
            text = (f"template <typename {t}, int N> __device__ {t} {name}(const {t} (&{a})[N], {t} {b}) {{ {t} r = {b}; for (int i = 0; i < N; ++i) r = ({t})(r + {a}[i]); return r; }}\n"
                    if self.chance(50) else
                    f"template <typename {t}> __device__ auto {name}({t} {a}, {t} {b}) -> {t} {{ const auto r = {a}; {t} z = {b}; return z; }}\n")
            if "(&" in text:
                arrays = [one for one in self.those(scope, ("array",), own) if one.scope.path() is not None]
                if not arrays or own == "float":
                    text = text[:0] + f"template <class {t}> __device__ {t} {name}({t} {a}, {t} {b}) {{ return {b}; }}\n"
                else:
                    more["parameters"] = ((own, "*"), (own, ""))
                    self.add(scope, "array of it", name)  # its array must be one with an extent
                    scope.names[name].kind = "namespace-less"
                    return Node(text)
        if scope.kind == "record":
            return self.function(scope, depth, "static ")
        self.add(scope, "function template", name, own, **more)
        return Node(text)

    def trait(self, scope, depth):
        """A class template with a value, and a specialisation."""
        name = self.free(scope, ("T",))
        if scope.kind == "record":
            return Node("")
        one, two = self.upto(50), 51 + self.upto(50)
        member = self.pick([word for word in self.names + ["m"] if word not in (name, "T")])
        kind = self.upto(4)
        own = "int"
        if kind == 0:
            text = (f"template <class T> struct {name} {{ static constexpr int {member} = {one}; }};\n"
                    f"template <> struct {name}<{self.pick(NUMBERS)}> {{ static constexpr int {member} = {two}; }};\n")
            arguments = f"<{self.pick(NUMBERS)}>::{member}"
        elif kind == 1:
            text = f"template <int N> struct {name} {{ static constexpr int {member} = N * 2 + {one}; enum {{ item_of = N }}; }};\n"
            arguments = f"<{self.upto(20)}>::{self.pick([member, 'item_of'])}"
        elif kind == 2:
            text = f"template <class T, int N = 3> struct {name} {{ T {member}[N]; __device__ static T make(T p) {{ return (T)(p + N); }} }};\n"
            own = self.pick(["unsigned", "unsigned long long", "short"])
            arguments = f"<{own}{self.pick(['', ', 5'])}>::make(({own})7)"
        elif kind == 3:
            text = (f"template <class T> struct {name} {{ typedef T {member}; }};\n"
                    f"template <> struct {name}<int> {{ typedef unsigned {member}; }};\n")
            own = self.pick(["unsigned", "short", "unsigned char"])
            arguments = f"<{own}>::{member}(9)"
        else:
            text = (f"template <class T, class U> struct {name} {{ static constexpr int {member} = {one}; }};\n"
                    f"template <class T> struct {name}<T, T> {{ static constexpr int {member} = {two}; }};\n")
            arguments = f"<{self.pick(NUMBERS[:3])}, {self.pick(NUMBERS[:3])}>::{member}"
        self.add(scope, "trait", name, own, arguments=arguments)
        return Node(text)

    def specialised(self, scope, depth):
        """A class template with fields, and a function that makes and reads one."""
        if scope.kind == "record":
            return self.constant(scope, depth)
        name = self.free(scope)
        field = self.pick([word for word in self.names + ["m"] if word != name])
        scope.names[name] = Entity("hidden", name, "", scope)
        function = self.free(scope)
        own = self.pick(["unsigned", "short", "unsigned char"])
        self.add(scope, "function", function, own, parameters=((own, ""),))
        return Node(f"template <class U, int N> struct {name} {{ U {field}; U rest[N]; }};\n"
                    f"__device__ {own} {function}({own} p) {{ {name}<{own}, 2> s = {{p, {{({own})1, ({own})2}}}}; "
                    f"{name}<unsigned, 3> u = {{4u, {{5u, 6u, 7u}}}}; return ({own})(s.{field} + s.rest[1] + sizeof(u) + u.rest[2]); }}\n")

    def piece(self, scope, depth):
        """One of PIECES, with names."""
        text = self.pick(PIECES)
        if re.search(r"unsigned min\b", text) and "min" in scope.names:
            return Node("")
        letters, names = sorted(set(re.findall(r"\$([A-HM0-9a-e]\d?)(?=\W|u\b)", text))), {}
        number = self.upto(7)
        for letter in sorted(letters, key=lambda one: (one[0].islower(), one[0].isdigit(), one)):
            if letter[0] == "M":
                self.count += 1
                names[letter] = f"M_{self.count}@"
                continue
            is_upper, is_member = letter.isupper(), letter.islower()
            besides = [name for other, name in names.items() if other.isupper() or other.islower() == is_member
                       or re.search("template|using|unsigned .0 = ", text)]
            names[letter] = self.free(scope if is_upper else Scope(None, "function"), besides)
            if is_upper:
                scope.names[names[letter]] = Entity("hidden", names[letter], "", scope)
        type_name = self.pick(["unsigned", "short", "unsigned char", "int", "unsigned long long"])
        parameters = re.search(r"unsigned \$F\((.*?)\)", text)[1].count(",") + 1
        del scope.names[names["F"]]
        # A barrier is for all work-items.
        kind = "barrier" if "__syncthreads" in text else "function"
        made = self.add(scope, kind, names["F"], "unsigned", parameters=(("unsigned", ""),) * parameters)
        made.is_piece = True

        text = text.replace("::@$", "::@" + "::".join(scope.path() + ["$"]))

        def written(match):
            word = match[1]
            return {"n": str(number), "nu": f"{number}u", "t": type_name}.get(word) or names[word]
        return Node(re.sub(r"\$(M\d|nu|[A-Ha-e0-9nt])", written, text) + "\n")

    # Statements.

    def body(self, scope, result, most=3):
        parts = [self.statement(scope, 0) for _ in range(self.upto(most))]
        parts.append(Node("return $p-;\n", [self.expr(scope, result)]))
        return block(parts)

    def local(self, scope):
        type_name = self.pick(["unsigned", "unsigned", "int", "short", "float", "bool", "unsigned long long", "unsigned char"])
        name = self.free(scope)
        scope.names[name] = Entity("hidden", name, "", scope)  # which is declared before its value
        start = self.expr(scope, type_name, 0, (name,))
        how = self.pick([type_name] * 5 + ["const " + type_name, "auto", "const auto"])
        if "auto" in how:
            start = self.cast(type_name, start)
        self.add(scope, "variable", name, type_name, is_constant="const" in how)
        return Node(f"{how} {name} = $p-;\n" if self.chance(70) or how != "unsigned" else f"{how} {name}(0u + $p-);\n", [start])

    def places(self, scope, type_name="unsigned"):
        return [one for one in self.those(scope, ("variable",), type_name) if not one.is_constant and scope.find(one.name) is one]

    def statement(self, scope, depth):
        kind = self.upto(19)
        if kind < 5:
            return self.local(scope)
        places = self.places(scope)
        if kind < 8 and places:
            one = self.pick(places)
            sign = self.pick(["=", "+=", "-=", "*=", "^=", "|=", "&="])
            return Node(f"{one.name} {sign} $p-;\n", [self.expr(scope, "unsigned")])
        if kind == 8 and places:
            one = self.pick(places)
            return Node(self.pick([f"++{one.name};\n", f"{one.name}--;\n", f"{one.name} = ({one.name} += 1u) * 3u;\n" if self.chance(50) else f"--{one.name};\n"]))
        if kind < 11 and depth < 2:
            inner = Scope(scope, "function")
            parts = [self.statement(inner, depth + 1) for _ in range(1 + self.upto(2))]
            self.forget(inner)
            if kind == 9:
                return Node("{\n" + "$p-" * len(parts) + "}\n", parts)
            return Node("if ($p-) {\n" + "$p-" * len(parts) + "}\n", [self.expr(scope, "bool")] + parts)
        if kind == 11 and depth < 2:
            inner = Scope(scope, "function")
            name = self.free(inner)
            type_name = self.pick(["int", "unsigned"])
            self.add(inner, "variable", name, type_name, is_constant=True)
            nested = Scope(inner, "function")
            nested.names[name] = inner.names[name]  # it may not be declared again
            parts = [self.statement(nested, depth + 1) for _ in range(1 + self.upto(2))]
            self.forget(inner)
            return Node(f"for ({type_name} {name} = 0; {name} < {1 + self.upto(3)}; ++{name}) {{\n" + "$p-" * len(parts) + "}\n", parts)
        if kind == 12 and places:
            inner = Scope(scope, "function")
            one = self.pick(places)
            return Node(f"switch ($p- & 3u) {{\ncase 0: {one.name} += 3u;\ncase 1: {one.name} ^= $p-; break;\n"
                        f"default: {one.name} *= 5u;\n}}\n", [self.expr(inner, "unsigned"), self.expr(inner, "unsigned")])
        if kind == 13:
            type_name = self.pick(["unsigned", "int", "short"])
            name = self.free(scope)
            values = [self.expr(scope, type_name, 2, (name,)) for _ in range(4)]
            self.add(scope, "array", name, type_name)
            return Node(f"{type_name} {name}[4] = {{$p-, $p-, $p-, $p-}};\n", values if type_name != "short" else
                        [expression("(short)($p-)", "short", one) for one in values])
        if kind == 14:
            records = [one for one in self.those(scope, ("record",)) if getattr(one, "is_whole", False)]
            name = self.free(scope)
            one = self.pick(records) if records else None
            spelled = self.spelled(one, scope, (name,)) if one else None
            if spelled:
                values = [expression(f"({own})($p-)", own, self.expr(scope, own, 2, (name,))) for own in one.members.values()]
                self.add(scope, "object", name, members=one.members)
                return Node(f"{spelled} {name} = {{{', '.join(['$p-'] * len(values))}}};\n", values)
        if kind == 15 and places:
            one = self.pick(places)
            name = self.free(scope)
            self.add(scope, "variable", name, "unsigned", is_constant=True)
            if name == one.name:
                return Node("")
            return Node(f"{self.pick(['unsigned&', 'const unsigned&', 'auto&'])} {name} = {one.name};\n")
        if kind == 16 and places:
            functions = [one for one in self.those(scope, ("function",)) if any(how == "&" for _, how in one.parameters)]
            if functions:
                one = self.pick(functions)
                spelled = self.spelled(one, scope)
                made = self.call(one, spelled, scope, 1, ()) if spelled else None
                if made:
                    return Node("$p-;\n", [made[1]])
        if kind == 17:
            name = self.free(scope)
            functions = [one for one in self.those(scope, ("function", "constant")) if one.scope.path() and one.scope.kind == "namespace"]
            if functions:
                one = self.pick(functions)
                scope.names[name] = scope.names.get(name) or Entity("hidden", name, "", scope)
                del scope.names[name]
                if one.name not in scope.names:
                    scope.names[one.name] = one
                    return Node(f"using ::@{'::'.join(one.scope.path() + [one.name])};\n")
        if kind == 18 and self.chance(30):
            name = self.free(scope)
            self.add(scope, "variable", name, "unsigned", is_constant=True)
            return Node(f"const unsigned {name} = [&](unsigned p) {{ return p * 2u; }}($p-);\n", [self.expr(scope, "unsigned", 2, (name,))])
        if places:
            return Node(f"{self.pick(places).name} += $p-;\n", [self.expr(scope, "unsigned")])
        return self.local(scope)

    def run(self):
        scope = Scope(self.root, "function")
        self.add(scope, "array", "in", "unsigned", is_constant=True)
        parts = [Node("unsigned r0 = in[0], r1 = in[1];\n")]
        for name in ("r0", "r1"):
            self.add(scope, "variable", name, "unsigned")
        for i in range(3 + self.upto(2)):
            for _ in range(self.upto(1)):
                parts.append(self.statement(scope, 0))
            parts.append(Node(f"out[{i}] = $p-;\n", [self.expr(scope, "unsigned")]))
        for one in self.all:
            if getattr(one, "is_piece", False):
                words = ", ".join(["r0", "in[3]"][:len(one.parameters)])
                parts.append(Node(f"r1 = r1 * 3u + {self.spelled(one, scope)}({words});\n"))
        parts.append(Node("out[14] = r0;\nout[15] = r1;\n"))
        return Node("__device__ void run(const unsigned* in, unsigned* out) {\n" + "$p-" * len(parts) + "}\n", parts)


@dataclasses.dataclass
class CxxFile:
    """Cases, each in a namespace of its own; the last one may stand outside of all."""

    seed: int
    kernels: list
    head: list = dataclasses.field(default_factory=list)

    def parts(self, kernels):
        """The text in parts: what stands before the kernels, each of them, and what stands behind."""
        made, calls = ["#if 1\n#endif\n" if self.seed % 4 == 0 else "\n"], ""
        for i, k in enumerate(kernels):
            is_outside = i + 1 == len(kernels) and self.seed % 3 == 0
            scope = "" if is_outside else f"case_{k}::"
            text = str(self.kernels[k]).replace("::@", f"::{scope}").replace("@", f"_{k}")
            if is_outside:
                text = re.sub(r"\bmain\b|(?<!\W::)\bmin\b", r"\g<0>_", text)  # that are there
            made.append(text if is_outside else f"namespace case_{k} {{\n{text}}}\n")
            calls += f"    ::{scope}run(in_all + {INPUTS} * item_all, out_all + {len(kernels) * PROBES} * item_all + {i * PROBES});\n"
        made.append('extern "C" __global__ void k(const unsigned* in_all, unsigned* out_all) {\n'
                    f"    const unsigned item_all = blockIdx.x * blockDim.x + threadIdx.x;\n{calls}}}\n")
        return made

    def text(self, kernels):
        return "".join(self.parts(kernels))

    def kernel_at(self, kernels, line):
        """The kernel of a line; None: none has it."""
        for k, part in zip([None, *kernels, None], self.parts(kernels)):
            line -= part.count("\n")
            if line <= 0:
                return k
        return None


def file_of(seed, number, count, *_):
    random = Random(seed * 7919 + number)
    return CxxFile(seed + number, [block(Case(random.next()).parts) for _ in range(count)])
