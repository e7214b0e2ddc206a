"""Sums and keys of a zone that are kept up to date, instead of being worked out whenever they are asked for.

In: expressions over the cards of one zone, and instructions. Out: names that hold their values all through a function,
and the statements that bring them up to date after an instruction.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hoyle.dataclass import dataclass
from hoyle.engine.generate.loops import reads_only
from hoyle.engine.generate.memo_keys import add_to_key
from hoyle.engine.generate.moving import find_zone_of, list_zones
from hoyle.engine.generate.nodes import Key
from hoyle.engine.generate.writer import atom
from hoyle.ir import nodes as ir
from hoyle.words import Op, applies

if TYPE_CHECKING:
    from hoyle.engine.generate.values import Values

MOST_WORKED_OUT = 2  # instructions after which a total is worked out anew
_UNTOUCHED = (
    ir.Show, ir.SetState, ir.AddTo, ir.ShuffleList, ir.Let, ir.Draw, ir.Score, ir.Announce, ir.BeginRound, ir.EndRound,
    ir.Leave,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Total:
    """A value that begins at 0 and to which every card of a zone adds."""

    name: str
    zone: int
    add: Callable[[str], str]  # the statement that adds a card


def find_zone_totalled(expr: ir.Expr) -> int | None:
    """The zone, if an expression is a sum or a key of all the cards of one."""
    if isinstance(expr, Key):
        listed = expr.of
    elif applies(expr, Op.SUM) and isinstance(expr.args[0], ir.Those):
        those = expr.args[0]
        if those.where is not None or those.orders or those.value is None or not reads_only(those.value, those.var):
            return None
        listed = those.source
    else:
        return None
    if not applies(listed, Op.CARDS) or not isinstance(listed.args[0], ir.Const):
        return None
    zone = listed.args[0].value
    return zone if isinstance(zone, int) else None


def make_total(values: Values, expr: ir.Expr, zone: int, name: str) -> Total | None:
    """How a total is kept; None if it cannot be."""
    if isinstance(expr, Key):
        add = add_to_key(values, name, expr)
        return None if add is None else Total(name, zone, add)
    assert isinstance(expr, ir.Apply) and isinstance(expr.args[0], ir.Those)
    those = expr.args[0]
    assert those.value is not None
    if values.is_none(those.value):
        return None
    value = those.value

    def add_value(card: str) -> str:
        values.names[those.var] = atom(card)
        return f"{name} += {values.value(value).text}"

    return Total(name, zone, add_value)


class Running:
    """The totals kept in one function."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.writer = values.writer
        self.totals: list[Total] = []

    def keep(self, exprs: list[ir.Expr]) -> None:
        """Keep these up to date, where that is worth while."""
        for expr in exprs:
            zone = find_zone_totalled(expr)
            assert zone is not None
            name = f"g{len(self.totals)}"
            total = make_total(self.values, expr, zone, name) if self._is_cheap(zone) else None
            if total is not None:
                self.totals.append(total)
                self.values.running[expr] = atom(name)

    def begin(self) -> None:
        """Work out all totals."""
        for total in self.totals:
            self._work_out(total)

    def follow(self, instruction: ir.Instruction) -> None:
        """Bring all totals up to date after an instruction."""
        for total in self.totals:
            match self._find_change(instruction, total.zone):
                case "nothing":
                    pass
                case "emptied":
                    self.writer.add(f"{total.name} = 0")
                case "added":
                    assert isinstance(instruction, ir.Move)
                    card = self._find_single(instruction.cards)
                    assert card is not None
                    self.writer.add(total.add(self.values.name(self.values.value(card)).text))
                case _:
                    self._work_out(total)

    def _work_out(self, total: Total) -> None:
        self.writer.add(f"{total.name} = 0")
        card = self.writer.fresh("x")
        self.writer.add(f"for {card} in zones[{total.zone}]:")
        with self.writer.indented():
            self.writer.add(total.add(card))

    # ---------------------------------------------------------------------------------------------- changes
    def _is_cheap(self, zone: int) -> bool:
        program = self.values.module.program
        changes = [self._find_change(each, zone) for block in program.blocks for each in block.instructions]
        return changes.count("anything") <= MOST_WORKED_OUT

    def _find_change(self, instruction: ir.Instruction, zone: int) -> str:
        """What an instruction does to a zone."""
        simple = self.values.module.simple
        match instruction:
            case ir.Gather():
                target = simple(instruction.zone)
                return "emptied" if isinstance(target, ir.Const) and target.value != zone else "anything"
            case ir.Deal():
                touched = [list_zones(simple(each)) for each in (instruction.source, instruction.targets)]
                return "nothing" if all(each is not None and zone not in each for each in touched) else "anything"
            case ir.Shuffle() | ir.Cut() | ir.TurnOver():
                mixed = list_zones(simple(instruction.zone))
                return "nothing" if mixed is not None and zone not in mixed else "anything"
            case ir.Move():
                return self._find_moved(instruction, zone)
        return "nothing" if isinstance(instruction, _UNTOUCHED) else "anything"

    def _find_moved(self, instruction: ir.Move, zone: int) -> str:
        module = self.values.module
        cards, target = module.simple(instruction.cards), list_zones(module.simple(instruction.zone))
        source = self._list_sources(cards)
        if source is None or target is None:
            return "anything"
        if zone not in source and zone not in target:
            return "nothing"
        if source == {zone} and zone not in target and applies(cards, Op.CARDS):
            return "emptied"
        card = self._find_single(instruction.cards)
        plain = isinstance(card, ir.Slot) and not self.values.is_none(card) and not instruction.bottom
        return "added" if zone not in source and target == {zone} and plain else "anything"

    def _find_single(self, cards: ir.Expr) -> ir.Expr | None:
        simple = self.values.module.simple(cards)
        if applies(simple, Op.LIST) and len(simple.args) == 1:
            return simple.args[0]
        return None

    def _list_sources(self, cards: ir.Expr) -> set[int] | None:
        """The zones that moved cards can come from; should one lie elsewhere, all is worked out anew on the spot."""
        single = self._find_single(cards) or cards
        if isinstance(single, ir.Slot):
            origin = self.values.module.origins.get(single.index)
            return None if origin is None else list_zones(self.values.module.simple(origin))
        zone = find_zone_of(cards)
        return None if zone is None else list_zones(zone)
