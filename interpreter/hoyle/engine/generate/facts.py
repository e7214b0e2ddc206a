"""Facts about expressions: what they read, whether they can be none, what they cost.

In: an expression in which every binder has a number of its own. Out: sets and truths.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.engine.generate.dividers import find_read
from hoyle.engine.generate.nodes import Bind, Key, Lookup, View
from hoyle.ir import nodes as ir
from hoyle.ir.instructions import removes_seats
from hoyle.ir.parts import Part
from hoyle.ir.types import Type, certain
from hoyle.ir.walk import list_children, rebuild, walk_expression
from hoyle.words import WORDS, Cost, Op, Word, applies
from hoyle.words.bounds import LONGEST_LIST

LOOPS = (ir.Those, ir.Quantified)
LEAVES = (ir.Const, ir.Var, ir.Slot)


def is_fixed(word: Word) -> bool:
    """Whether a word depends on nothing but its arguments and the number of players, while no seat has left."""
    return word.reads is not None and all(look.part is Part.SEATS for look in word.reads)


# Words that pass over seats that have left the match: in games in which seats can leave they read the position.
OF_SEATS = frozenset(word.name for word in WORDS.values() if word.reads and is_fixed(word))


def binder(expr: ir.Expr) -> int | None:
    """The number an expression binds, if it does."""
    return expr.var if isinstance(expr, ir.Those | ir.Quantified | Bind) else None


def free_vars(expr: ir.Expr) -> frozenset[int]:
    """The numbers read but not bound inside; each binder's is its own, so that inner reads can be subtracted."""
    read: set[int] = set()
    bound: set[int] = set()
    for node in walk_expression(expr):
        if isinstance(node, ir.Var):
            read.add(node.index)
        else:
            own = binder(node)
            if own is not None:
                bound.add(own)
    return frozenset(read - bound)


def count_reads(expr: ir.Expr, var: int) -> int:
    """How often a number is read; a read inside a loop counts as many."""
    if isinstance(expr, ir.Var):
        return int(expr.index == var)
    found = sum(count_reads(child, var) for child in list_children(expr))
    if isinstance(expr, LOOPS) and found:
        return count_reads(expr.source, var) + 10 * (found - count_reads(expr.source, var))
    return found


def substitute(expr: ir.Expr, change: Callable[[ir.Expr], ir.Expr | None]) -> ir.Expr:
    """The expression with every part for which `change` gives another replaced by it."""
    other = change(expr)
    if other is not None:
        return other
    return rebuild(expr, lambda child: substitute(child, change))


class Facts:
    """What is so in one program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        instructions = [each for block in program.blocks for each in block.instructions]
        self.seats_leave = any(map(removes_seats, instructions))
        self._reading: dict[int, bool] = {}
        self._can_fault: dict[int, bool] = {}
        self._none_calls: dict[tuple[int, frozenset[int]], bool] = {}
        self._none_slots: frozenset[int] = frozenset()
        self._none_slots = self._find_none_slots()

    # ---------------------------------------------------------------------------------------------- positions
    def reads_position(self, expr: ir.Expr) -> bool:
        """Whether the value can differ between positions."""
        return any(self._reads_itself(node) for node in walk_expression(expr))

    def _reads_itself(self, node: ir.Expr) -> bool:
        if isinstance(node, ir.Slot | ir.StateRef | ir.CanDo | ir.Piles):
            return True
        if isinstance(node, ir.Apply):
            return not self.is_fixed(node.word)
        if isinstance(node, ir.Call):
            return self.definition_reads(node.definition)
        if isinstance(node, ir.Division):
            return self.divides_by_position(node.by)
        return not isinstance(node, KNOWN)

    def is_fixed(self, word: str) -> bool:
        """Whether a word gives the same in every position."""
        return is_fixed(WORDS[word]) and not (self.seats_leave and word in OF_SEATS)

    def definition_reads(self, number: int) -> bool:
        if number not in self._reading:
            self._reading[number] = self.reads_position(self.program.definitions[number].body)
        return self._reading[number]

    def divides_by_position(self, by: ir.Grouping) -> bool:
        """Whether groups depend on more than their cards."""
        return bool(find_read(self.program, by))

    # ---------------------------------------------------------------------------------------------- faults
    def can_fault(self, expr: ir.Expr) -> bool:
        """Whether evaluating can end in a fault."""
        return any(self._faults_itself(node) for node in walk_expression(expr))

    def _faults_itself(self, node: ir.Expr) -> bool:
        if isinstance(node, ir.Apply):
            word = WORDS[node.word]
            return word.can_fault or (word.fits is not None and not (word.op is Op.JOIN and self.is_short(node)))
        if isinstance(node, ir.Call):
            if node.definition not in self._can_fault:
                self._can_fault[node.definition] = self.can_fault(self.program.definitions[node.definition].body)
            return self._can_fault[node.definition]
        if isinstance(node, ir.StateRef | ir.ZoneRef):
            return node.owner is not None and certain(node.owner.type).kind != "seat"
        return isinstance(node, ir.CanDo | ir.Division) or not isinstance(node, KNOWN)

    def is_short(self, listed: ir.Expr) -> bool:
        """Whether a list is never too long."""
        most = self.bound_length(listed)
        return most is not None and most <= LONGEST_LIST

    def bound_length(self, listed: ir.Expr) -> int | None:
        """How long a list can be at most, where that is plain to see."""
        match listed:
            case ir.Those():
                return self.bound_length(listed.source)
            case ir.Piles() if not listed.new and (listed.owner is None or certain(listed.owner.type).kind != "list"):
                return self.program.zones[listed.zone].many or None
        if applies(listed, Op.CARDS):
            return len(self.program.cards)
        if applies(listed, Op.LIST):
            return len(listed.args)
        if applies(listed, Op.JOIN):
            lengths = [self.bound_length(part) for part in listed.args]
            return sum(filter(None, lengths)) if None not in lengths else None
        return None

    # ---------------------------------------------------------------------------------------------- none
    def can_be_none(self, expr: ir.Expr, none_vars: frozenset[int] | set[int] = frozenset()) -> bool:
        """Whether the value can be none. `none_vars` are the numbers that can; elements of lists never are."""
        match expr:
            case ir.Const():
                return expr.value is None
            case ir.Var():
                return expr.index in none_vars
            case ir.Slot():
                return expr.index in self._none_slots
            case ir.StateRef():
                state = self.program.states[expr.state]
                if certain(state.type).kind == "zone":
                    return True  # the pile may be gone
                return may_hold_none(state.type) or state.start is None or self._owner_none(expr.owner, none_vars)
            case ir.ZoneRef():
                return self._owner_none(expr.owner, none_vars)
            case ir.Piles():
                return expr.new
            case Lookup():
                return None in expr.table or (expr.missing is None and self.can_be_none(expr.index, none_vars))
            case ir.Attribute():
                table = self.program.attributes[expr.attribute].table
                return None in table or self.can_be_none(expr.card, none_vars)
            case ir.Call():
                definition = self.program.definitions[expr.definition]
                given = enumerate(expr.args)
                own = frozenset(number for number, argument in given if self.can_be_none(argument, none_vars))
                key = (expr.definition, own)
                if key not in self._none_calls:
                    self._none_calls[key] = self.can_be_none(definition.body, own)
                return self._none_calls[key]
            case ir.Apply():
                return self._word_gives_none(expr, none_vars)
            case ir.If():
                return self.can_be_none(expr.yes, none_vars) or self.can_be_none(expr.no, none_vars)
            case ir.OrElse():
                return self.can_be_none(expr.first, none_vars) and self.can_be_none(expr.second, none_vars)
            case ir.Named():
                return self.can_be_none(expr.body, none_vars)
            case View():
                return self.can_be_none(expr.of, none_vars)
            case Bind():
                if self.can_be_none(expr.value, none_vars):
                    return self.can_be_none(expr.body, {*none_vars, expr.var})
                return self.can_be_none(expr.body, none_vars)
            case ir.Logic() | ir.Those() | ir.Division() | ir.Quantified() | ir.CanDo() | Key():
                return False
        return True

    def _owner_none(self, owner: ir.Expr | None, none_vars: frozenset[int] | set[int]) -> bool:
        return owner is not None and self.can_be_none(owner, none_vars)

    def _word_gives_none(self, expr: ir.Apply, none_vars: frozenset[int] | set[int]) -> bool:
        word = WORDS[expr.word]
        if word.gives.kind in ("maybe", "any") and not applies(expr, Op.ELEMENT):
            return True
        if word.takes_none or word.gives.kind == "truth":
            return False
        return any(self.can_be_none(argument, none_vars) for argument in expr.args)

    def _find_none_slots(self) -> frozenset[int]:
        """The slots that can hold none once they are set: by their type, or by what is put into them."""
        found = {i for i, local in enumerate(self.program.slots) if may_hold_none(local.type)}
        lets = [
            instruction
            for block in self.program.blocks
            for instruction in block.instructions
            if isinstance(instruction, ir.Let)
        ]
        while True:
            self._none_slots = frozenset(found)
            more = {let.slot for let in lets if let.slot not in found and self.can_be_none(let.value)}
            if not more:
                return frozenset(found)
            found |= more

    # ---------------------------------------------------------------------------------------------- domains
    def domain(self, kind: Type) -> range | None:
        """The values of a type that has few of them."""
        kind = certain(kind)
        if kind.kind == "card":
            return range(len(self.program.cards))
        if kind.kind == "seat":
            return range(self.program.players)
        if kind.kind == "enum":
            enum = next((each for each in self.program.enums if each.name == kind.name), None)
            return range(len(enum.values)) if enum is not None else None
        return None


KNOWN = (
    ir.Piles,
    ir.Const, ir.Var, ir.Slot, ir.StateRef, ir.ZoneRef, ir.Attribute, ir.Call, ir.Apply, ir.If, ir.OrElse, ir.Logic,
    ir.Named, ir.Those, ir.Division, ir.Quantified, ir.CanDo, Bind, Lookup, View, Key,
)  # fmt: skip


def may_hold_none(kind: Type) -> bool:
    return kind.kind in ("maybe", "none", "unknown", "any")


def measure(expr: ir.Expr) -> int:
    """Roughly what evaluating costs, in steps of the machine underneath."""
    if isinstance(expr, LEAVES):
        return 0
    inner = sum(measure(child) for child in list_children(expr))
    if isinstance(expr, ir.Apply):
        own = 2 if applies(expr, Op.IS_IN, Op.LEFT, Op.RIGHT, Op.AROUND) else 1
        return own + inner
    if isinstance(expr, LOOPS):
        return 8 + 4 * inner
    if isinstance(expr, ir.Call | ir.CanDo):
        return 6 + inner
    return inner + (0 if isinstance(expr, ir.Logic | ir.Named | Bind) else 1)


def is_heavy(expr: ir.Expr) -> bool:
    """Whether it loops, counts groups or calls."""
    heavy = (*LOOPS, ir.Call, ir.CanDo)
    return any(
        isinstance(node, heavy) or (isinstance(node, ir.Apply) and _is_heavy(node.word))
        for node in walk_expression(expr)
    )


def _is_heavy(word: str) -> bool:
    return WORDS[word].cost in (Cost.SORTING, Cost.GROUPS, Cost.ALL_GROUPS)
