"""Code selection for Python: value trees to expressions, the recursive driver.

In: a value of the low form. Out: an expression, after statements for common subexpressions, fault checks and loops. The
code of each operation is in `operations` and `lists`, which recurse through it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from hoyle.base.effort import spend
from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.facts import NUMBER, list_of
from hoyle.play.codegen.low.values import BINDERS, Value, walk
from hoyle.play.codegen.passes.hashed_memo import HashedMemo
from hoyle.play.codegen.passes.inputs import strip_checks
from hoyle.play.codegen.passes.mod_ref import EVERYTHING, Place, find_read
from hoyle.play.codegen.passes.patterns import count_uses
from hoyle.play.codegen.passes.scopes import Scopes
from hoyle.play.codegen.passes.speculate import is_self_guarded, make_speculatable
from hoyle.play.codegen.passes.tabulate import tabulate
from hoyle.play.codegen.python.code import (
    AND,
    ATOM,
    CHOICE,
    NAME,
    OR,
    Assign,
    Code,
    Line,
    Nest,
    Statement,
    define,
    require,
)
from hoyle.play.codegen.python.constants import Constants
from hoyle.play.codegen.python.promotion import Places
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.program.ir import nodes as ir

PRINTED_IN_STEP = 2  # operations printed per step of `hoyle.base.effort`
OUTLINED = 200  # operations in a value that is outlined into a function
MOST_PRINTED = 20_000  # operations in one function
HOISTED_WEIGHT = 2
READS = frozenset({"state", "slot"})  # loads that are hoisted below that weight, too
LAZY = "lazy"  # the kind of a lazy value: evaluated on first use
TRIVIAL = frozenset({"int", "none", "var", "register", "slot", "list", "sure", "asked"})  # need no name

Spell = Callable[["Values", Value], Code]
HIDDEN = Code("")  # marks a lazy value whose evaluation is being printed


def _is_portable(value: Value) -> bool:
    """Whether a value can be outlined: it reads no local variable of a function."""
    return all(node.op not in ("register", "asked") for node in walk(value))


def _is_trivial(value: Value) -> bool:
    """Whether a value is as cheap to evaluate again as to load from a variable: no CSE."""
    return value.op in TRIVIAL or (value.op == "table" and value.args[0].op in TRIVIAL)


def find_classes(build: Builder, value: Value) -> tuple[Value, Value] | None:
    """The pattern `any` or `count` of cards with a table entry: the list of entries, to materialise, and the one."""
    if value.op not in ("count", "any") or value.args[0].op != "each":
        return None
    source, test, made = value.args[0].args
    number = value.args[0].number
    if test.op != "equal" or made.fact.none or made.faults:
        return None
    for one, other in (test.args, test.args[::-1]):
        is_class = one.op == "table" and one.args[0].op == "var" and one.args[0].number == number
        if is_class and number not in other.free:
            fact = list_of(one.fact, source.fact.high)
            return build.make("each", (source, build.true, one), (number,), fact), other
    return None


def name_place(build: Builder, op: str, number: int) -> Value:
    """The key of a slot or a single state among the available expressions, independent of its fact."""
    return build.read(op, NUMBER, data=(number,))


class Values(Scopes[Code, Statement]):
    """Prints the values of one function: emits statements, tracks available expressions (`known`)."""

    def __init__(
        self, program: ir.Program, build: Builder, constants: Constants, operations: Mapping[str, Spell],
        places: Places | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.program = program
        self.build = build
        self.constants = constants
        self.operations = operations
        self.places = places or Places()
        self.registers: dict[int, Code] = {}  # aliases of registers
        self.known: dict[Value, Code] = {}  # available across statements
        self.running: dict[Value, Code] = {}  # incrementally maintained
        self.read_running: set[Value] = set()
        self._scopes = [(self.known, None)]
        self._names = 0
        self._printed = 0
        self.outlines = False  # whether large values are outlined
        self._inside: Value | None = None  # the value whose outlined function this is
        self._memoises = True  # whether memoised values are looked up: not inside the function that computes one
        self.asked = Code("seat", NAME)  # the seat at a decision

    # ---------------------------------------------------------------------------------------------- statements
    def start(self, roots: Iterable[Value]) -> None:
        """Begin statements that read these values; available expressions stay valid."""
        self._scopes = [(self.known, None)]
        self._printed = 0
        self.uses = count_uses(roots)

    def forget(self, changed: Iterable[Place]) -> None:
        """Kill the available expressions that depend on written places."""
        places = frozenset(changed)
        for value in list(self.known):
            if self.is_changed(value, places):
                del self.known[value]

    def is_changed(self, value: Value, places: frozenset[Place]) -> bool:
        """Whether writes to some places may change a value."""
        read = find_read(value, self.constants.reads)
        if read is None or EVERYTHING in places or read & places:
            return True
        return ("zone", -1) in places and any(place[0] == "zone" for place in read)

    def hold(self, place: Value, code: Code) -> None:
        """Store-to-load forwarding: later reads of a place use the variable that was stored."""
        if code.once:
            self.known[place] = code

    def know(self, known: dict[Value, Code]) -> None:
        """Set the available expressions, as at a merge."""
        self.known.clear()
        self.known.update(known)

    @contextmanager
    def counting(self, variable: int, bodies: Iterable[Value]) -> Iterator[None]:
        """In a loop body, use counts of values that read its variable are those within the body."""
        before, self.uses = self.uses, self.uses.copy()
        for node, times in count_uses(bodies).items():
            if variable in node.free:
                self.uses[node] = times
        yield
        self.uses = before

    def fresh(self, letter: str = "x") -> str:
        self._names += 1
        return f"{letter}{self._names}"

    def name(self, code: Code, letter: str = "x") -> Code:
        """An expression as a variable, assigned if it is not one."""
        if code.is_name:
            return code
        name = self.fresh(letter)
        self.out.append(Assign(name, code.text))
        return self.given(name, code.kind)

    @staticmethod
    def given(name: str, kind: str = "int") -> Code:
        """A variable with a single assignment."""
        return Code(name, NAME, kind, once=True)

    def refuse_unless(self, test: Code) -> None:
        self.out.append(require(test.text))

    @contextmanager
    def under(self, test: Value) -> Iterator[None]:
        """Emit statements under a condition."""
        code = self.test(test) if test is not self.build.true else None
        with self.scope() as out:
            yield
        self.out += out if code is None else [Nest(f"if {code.text}:", out)]

    def find(self, value: Value) -> Code | None:
        found = self.running.get(value) or super().find(value)
        return None if found is HIDDEN else found

    # ---------------------------------------------------------------------------------------------- values
    def value(self, value: Value) -> Code:
        """A value as an expression: an available one, evaluated lazily, tabulated, memoised, outlined, or printed."""
        if value.op == "var":
            return self.bound[value.number]
        found = self.find(value)
        if found is not None:
            if value in self.running:
                self.read_running.add(value)
            return found if found.kind != LAZY else self._force(value, found)
        self._printed += 1
        if self._printed % PRINTED_IN_STEP == 0:
            spend()
        if self._printed > MOST_PRINTED:
            raise Unsupported("a value as large as this")
        table = self._tabulate(value)
        if table is not None:
            return self._name_shared(value, self.value(table))
        if self._find_memo(value) is not None:
            return self.record(value, self.operations["recall"](self, value))
        if self._is_outlined(value):
            return self.record(value, self._call(value))
        return self._name_shared(value, self._spell(value))

    def _is_outlined(self, value: Value) -> bool:
        large = self.outlines and value.weight >= OUTLINED and not value.free
        return large and value is not self._inside and _is_portable(value)

    def _call(self, value: Value) -> Code:
        """A call of the outlined function of a large value, which is printed once per module."""
        def write(function: str) -> Iterator[str]:
            printer = self.begin(value)
            printer._inside, printer.outlines = value, True
            return printer.define(f"{function}(position)", printer.whole(value))

        function = self.constants.define(("outlined", value), "f", write)
        kind = "tuple" if value.fact.is_list else ""
        return self.name(Code(f"{function}(position)", ATOM, kind))

    def begin(self, *values: Value) -> Values:
        """A printer for a separate function that evaluates values."""
        printer = Values(self.program, self.build, self.constants, self.operations)
        printer.start(values)
        return printer

    def define(self, head: str, result: Code | None = None) -> Iterator[str]:
        """The lines of the finished function."""
        if result is not None:
            self.write(f"return {result.text}")
        return define(head, self.places.complete(self.out))

    def _find_memo(self, value: Value) -> HashedMemo | None:
        """The memoisation of a value, unless this is the function that computes a memoised one."""
        return self.constants.memos(self.build).find(value) if self._memoises else None

    def print_apart(self, inner: Value, given: Mapping[Value, Code]) -> tuple[list[Statement], Code]:
        """The body of a function for a value, with its inputs bound to code, and without nested memo lookups."""
        printer = self.begin(inner)
        printer._inside, printer._memoises = inner, False
        for each, code in given.items():
            if each.op == "var":
                printer.bound[each.number] = code
            else:
                printer.record(each, code)
                printer.record(strip_checks(each), code)
        code = printer._spell(inner)
        return printer.out, code

    def _spell(self, value: Value) -> Code:
        spell = self.operations.get(value.op)
        if spell is None:
            raise Unsupported(f"{value.op} in Python")
        return spell(self, value)

    def _name_shared(self, value: Value, code: Code) -> Code:
        """CSE: a value with several uses gets a variable."""
        shared = self.uses[value] > 1 and not _is_trivial(value) and not code.quick
        named = code.is_name and (value.loops or value.op in BINDERS)  # available to later statements
        return self.record(value, self.name(code)) if shared or named else code

    def _force(self, value: Value, lazy: Code) -> Code:
        """Force a lazy value: evaluate it unless its variable is set."""
        with self.scope() as out:
            self.record(value, HIDDEN)
            code = self._name_shared(value, self._spell(value))
        self.nest(f"if {lazy.text} is None:", *out, Assign(lazy.text, code.text))
        return self.record(value, self.given(lazy.text, code.kind))

    def _tabulate(self, value: Value) -> Value | None:
        """The value as a table lookup, if there is one; memoised per module."""
        tables = self.constants.tables
        if value not in tables:
            tables[value] = tabulate(self.build, value, reads=True)
        return tables[value]

    def test(self, value: Value) -> Code:
        """A truth as an expression for its truthiness alone: it need not be a `bool`."""
        if self.find(value) is not None or (self.uses[value] > 1 and value.op != "not"):
            code = self.value(value)
            return Code(code.filled, NAME) if code.filled else code
        if self._tabulate(value) is not None or self._find_memo(value) is not None:
            return self.value(value)
        match value.op:
            case "not":
                return self._test_not(value.args[0])
            case "and" | "or":
                return self.logic(value, self.test)
            case "any":
                return self.operations["test_any"](self, value)
        return self.value(value)

    def _test_not(self, value: Value) -> Code:
        if value.op == "equal" and self.find(value) is None and self.uses[value] <= 1:
            first, second = value.args
            if second.constant != 0 or first.fact.none or first.fact.is_list:
                return self.operations["differ"](self, value)
            return self.operations["pile"](self, first) if first.op == "size" else self.value(first)
        if value.op in ("and", "or") and self.find(value) is None and self.uses[value] <= 1:
            join = self.build.either if value.op == "and" else self.build.both
            return self.test(self.expect(join(*map(self.build.negate, value.args))))
        return self.test(value).negated

    def logic(self, value: Value, spell: Callable[[Value], Code]) -> Code:
        """Short-circuit evaluation; a part that needs statements becomes conditional on the result so far."""
        made = spell(value.args[0])
        own = made.once and value.args[0].op in ("and", "or") and self.find(value.args[0]) is None
        sign, level = (" and ", AND) if value.op == "and" else (" or ", OR)
        for part in value.args[1:]:
            statements, code = self.apart(part, spell)
            kind = made.kind if made.kind == code.kind else ""
            if statements:
                name = made.text if own else self.fresh()
                self.out += [] if own else [Assign(name, made.text)]
                header = f"if {name}:" if value.op == "and" else f"if not {name}:"
                self.nest(header, *statements, Assign(name, code.text))
                made = self.given(name, kind)
            else:
                made, own = Code(f"{made.within(level)}{sign}{code.within(level)}", level, kind), False
        return made

    def choose(self, value: Value) -> Code:
        test = self.test(value.args[0])
        (before_yes, yes), (before_no, no) = self.apart(value.args[1]), self.apart(value.args[2])
        if value.fact.is_list:
            yes, no = self.tuple_of(yes), self.tuple_of(no)
        kinds = {code.kind for code in (yes, no) if code.kind != "none"}
        kind = kinds.pop() if len(kinds) == 1 else ""
        if not before_yes and not before_no:
            return Code(f"{yes.within(OR)} if {test.within(OR)} else {no.within(CHOICE)}", CHOICE, kind)
        name = self.fresh()
        self.out.append(Nest(f"if {test.text}:", [*before_yes, Assign(name, yes.text)]))
        self.out.append(Nest("else:", [*before_no, Assign(name, no.text)]))
        return self.given(name, kind)

    def number(self, value: Value) -> Code:
        """A value as an element of lists and zones: a truth is converted to a number."""
        if value.fact.is_list:
            return self.listed(value)
        code = self.value(value)
        return code if code.kind in ("int", "none") else self.convert(code, "int({})", "int", none=value.fact.none)

    def convert(self, code: Code, form: str, kind: str, *, none: bool) -> Code:
        """An expression wrapped by a format; `none`: it may be none, which is passed through."""
        if not none:
            return Code(form.format(code.text), ATOM, kind)
        name = self.name(code).text
        return Code(f"{form.format(name)} if {name} is not None else None", CHOICE, kind)

    # ---------------------------------------------------------------------------------------------- lists
    def elements(self, value: Value) -> Code:
        """A list as an iterable; none is empty."""
        code = self.value(value)
        return Code(f"{code.within(AND)} or ()", OR, "list") if value.fact.none else code

    def whole(self, value: Value) -> Code:
        """A value in storable form: a list as a tuple."""
        return self.listed(value) if value.fact.is_list else self.value(value)

    def listed(self, value: Value) -> Code:
        """A list as a tuple, as it is stored and compared."""
        return self.tuple_of(self.value(value), none=value.fact.none)

    def tuple_of(self, code: Code, *, none: bool = False) -> Code:
        return code if code.kind in ("tuple", "none") else self.convert(code, "tuple({})", "tuple", none=none)

    # ---------------------------------------------------------------------------------------------- hoisting
    def hoist(self, bodies: Iterable[Value], *inner: int) -> None:
        """Loop-invariant code motion out of a loop with these `inner` variables; see `passes/hoist.py`."""
        done: set[tuple[Value, tuple[int, ...]]] = set()

        def visit(node: Value, inner: tuple[int, ...], *, surely: bool) -> None:
            if (node, inner) in done or (node.weight < HOISTED_WEIGHT and node.op not in READS):
                return
            done.add((node, inner))
            if not node.free.intersection(inner):
                self._hoist_whole(node, surely=surely)
                return
            found = find_classes(self.build, node)
            if found is not None and not found[0].free.intersection(inner):
                self._hoist_whole(found[0], surely=True)
                if self.find(found[0]) is not None:  # the loop becomes a search in that list
                    visit(found[1], inner, surely=False)
                    return
            memo = self._find_memo(node)
            if memo is not None:  # a hit evaluates its key alone
                for part in memo.key:
                    visit(part, inner, surely=False)
                return
            for place, arg in enumerate(node.args):
                sure = surely and not (place and node.op in ("and", "or", "if"))
                visit(arg, (*inner, node.number) if node.op in BINDERS and place else inner, surely=sure)

        for body in bodies:
            visit(body, inner, surely=True)

    def _hoist_whole(self, value: Value, *, surely: bool) -> None:
        if not all(each in self.bound for each in value.free) or self.find(value) is not None:
            return
        if value.fact.is_list and (value.op in ("row", "items", "none") or value.weight < HOISTED_WEIGHT):
            return
        if value.loops and (value.faults or not surely):  # lazy: a fault occurs where it would have
            name = self.fresh()
            self.out.append(Assign(name, "None"))
            self.record(value, Code(name, NAME, LAZY))
        elif value.faults:
            pass
        elif not value.guarded or is_self_guarded(value):
            self.record(value, self.name(self.value(value)))
        elif not value.fact.is_list and (speculated := make_speculatable(self.build, value)) is not None:
            self.record(value, self.name(self.value(self.expect(speculated))))

    def write(self, line: str) -> None:
        self.out.append(Line(line))

    def nest(self, header: str, *body: Statement) -> None:
        self.out.append(Nest(header, list(body)))
