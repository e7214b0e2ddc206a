"""Code for state changes in Python: one function, or one line of a table, for each opcode of `Do`.

In: a `Do` with simple operands. Out: the statements that execute it.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.play.codegen.low.program import Do
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.partition import MOST_GROUPS
from hoyle.play.codegen.passes.dense_memo import Memo
from hoyle.play.codegen.passes.patterns import StaticGroups
from hoyle.play.codegen.python.expressions import SLOT, STATE, TOTAL, spell_memo
from hoyle.play.codegen.python.writer import Writer
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.limits import FEW, LONGEST_STATE
from hoyle.program.model.divisions import MOST_DIVIDED
from hoyle.program.model.surveys import MOST_GROWN

MOST_STEPS = 50_000  # of the search for a partition; more are a fault
Change = Callable[[Writer, Do], None]


def write_change(writer: Writer, do: Do) -> None:
    """Print a state change."""
    if do.op not in _CHANGES:
        raise Unsupported(f"the change {do.op}")
    _CHANGES[do.op](writer, do)


def _call(form: str) -> Change:
    """A format string over the operands and the immediates, `data`."""
    return lambda writer, do: writer.write(form.format(*map(writer.expr, do.args), data=do.data))


def _of_zones(form: str) -> Change:
    """The same for operands that are zones."""
    return lambda writer, do: writer.write(form.format(*map(writer.zone, do.args)))


def _set(letter: str) -> Change:
    def write(writer: Writer, do: Do) -> None:
        value, *index = do.args
        place = writer.place(letter, do.number, index)
        writer.write(f"{place} = {writer.as_tuple(value)}")
        if letter == SLOT and value.fact.of is not None and value.fact.high > FEW:  # the reference counts them
            writer.write(f"if {place} and len({place}) > {FEW}: raise Stop")

    return write


def _add_to(writer: Writer, do: Do) -> None:
    _, remove, seats, first_only, _ = do.data
    place, value = writer.place(STATE, do.number, do.args[1:]), writer.expr(do.args[0])
    held = f"{place} or ()"
    if remove and first_only:
        writer.write(f"{place} = take_out({held}, {value})")
    elif remove:
        writer.write(f"{place} = tuple([each for each in {held} if each != {value}])")
    elif seats:
        writer.write(f"{place} = tuple(sorted({{*({held}), {value}}}))")
    else:
        writer.write(f"{place} = (*({held}), {value})")
        most = writer.program.states[do.number].most
        writer.write(f"if len({place}) > {LONGEST_STATE if most is None else most}: raise Stop")


def _shuffle_list(writer: Writer, do: Do) -> None:
    place = writer.place(STATE, do.number, do.args)
    writer.write(f"{place} = mix(P, {place} or ())")


def _hold(writer: Writer, zone: Value, cards: str, *, one: bool = False) -> None:
    """Update who holds a card, or some, that have come to a zone."""
    if not writer.program.keeps_holders:
        return
    known = zone.constant
    if known is not None and writer.owners[known] is None:
        return
    owner = f"{writer.constant(repr(writer.owners))}[{writer.expr(zone)}]" if known is None else writer.owners[known]
    holders = writer.load("H")
    if known is None and not one:
        writer.write(f"hold({holders}, {cards}, {owner})")
    elif known is None:
        writer.write(f"if (o := {owner}) is not None: {holders}[{cards}] = o")
    elif one:
        writer.write(f"{holders}[{cards}] = {owner}")
    else:
        writer.write(f"for card in {cards}: {holders}[card] = {owner}")


def _gather(writer: Writer, do: Do) -> None:
    zone = do.args[0]
    writer.write(f"for pile in {writer.load('Z')}: pile.clear()")
    writer.write(f"{writer.zone(zone)}.extend(range({len(writer.program.cards)}))")
    if writer.program.keeps_holders:
        writer.write(f"{writer.load('H')}[:] = [None] * {len(writer.program.cards)}")
        _hold(writer, zone, writer.zone(zone))


def _swap(writer: Writer, do: Do) -> None:
    first, second = map(writer.zone, do.args)
    writer.write(f"{first}[:], {second}[:] = {second}[:], {first}[:]")
    for zone in do.args:
        _hold(writer, zone, writer.zone(zone))


def _move(writer: Writer, do: Do) -> None:
    """Cards that lie anywhere."""
    cards, zone = do.args
    if cards.op == "none" or cards.constants == ():
        return
    whole = cards.args[0] if cards.op == "slice" else cards
    moved = writer.name_list(cards)
    if whole.op == "cards":  # a zone, or a part of it
        pile = writer.zone(whole.args[0])
        if whole is cards:
            writer.write(f"{pile}.clear()")
        else:
            start, many = map(writer.expr, cards.args[1:])
            writer.write(f"if len({moved}) != {many}: raise Stop")
            writer.write(f"del {pile}[{start}:{start} + {many}]")
    else:
        writer.write(f"for card in {moved}: lift({writer.load('Z')}, card)")
    _lay(writer, zone, moved, bottom=bool(do.data[0]))


def _lay(writer: Writer, zone: Value, moved: str, *, bottom: bool = False) -> None:
    pile = writer.zone(zone)
    writer.write(f"{pile}[:0] = {moved}" if bottom else f"{pile}.extend({moved})")
    _hold(writer, zone, moved)


def _move_part(writer: Writer, do: Do) -> None:
    """Cards that all lie in one zone."""
    cards, source, zone = do.args
    moved = writer.name_list(cards)
    writer.write(f"take_part({writer.zone(source)}, {moved})")
    _lay(writer, zone, moved)


def _move_picked(writer: Writer, do: Do) -> None:
    """Cards that probably all lie in one zone."""
    cards, source, zone = do.args
    moved = writer.name_list(cards)
    with writer.block(f"for card in {moved}:"):
        _lift(writer, "card", source)
    _lay(writer, zone, moved)


def _lift(writer: Writer, card: str, source: Value) -> None:
    with writer.block("try:"):
        writer.write(f"{writer.zone(source)}.remove({card})")
    with writer.block("except ValueError:"):
        writer.write(f"lift({writer.load('Z')}, {card})")
        if writer.keeps:  # a card was not where sums that are kept assumed: all are stale
            writer.write("kept = 0")


def _move_card(writer: Writer, do: Do) -> None:
    card, zone, *picked = do.args
    text = writer.expr(card)
    if picked:
        _lift(writer, text, picked[0])
    else:
        writer.write(f"lift({writer.load('Z')}, {text})")
    writer.write(f"{writer.zone(zone)}.append({text})")
    _hold(writer, zone, text, one=True)


def _deal(writer: Writer, do: Do) -> None:
    source, targets, packet, *count = do.args
    owners = writer.constant(repr(writer.owners)) if writer.program.keeps_holders else "None"
    given = [owners, writer.expr(source), writer.expr(targets), writer.expr(count[0]) if count else "None"]
    writer.write(f"deal(P, {', '.join(given)}, {writer.expr(packet)}, {bool(do.data[0])})")


def _draw(writer: Writer, do: Do) -> None:
    source = do.args[0]
    listed = writer.expr(source)
    drawn = f"{listed}[draw_below(P, {writer.length(source)})]"
    writer.write(f"{writer.place(SLOT, do.number, ())} = {drawn}")


def _store_choice(writer: Writer, do: Do) -> None:
    slot, action = do.data
    place = writer.place(SLOT, do.number, ())
    picks = "".join(f"{writer.as_tuple(pick)}, " for pick in do.args)
    writer.write(f"{place} = (*({place} or ()), {'()' if action is None else f'({action}, {picks})'})")
    writer.stored = slot if isinstance(slot, int) else None


def _peek(writer: Writer, do: Do) -> None:
    writer.list_choice(do.data[0])


def _list_held(writer: Writer, do: Do) -> None:
    (found, cards), every = do.args, do.data[0]
    assert isinstance(every, StaticGroups)
    given = [writer.constant(repr(tuple(each))) for each in (every.groups, every.past, every.starts, every.mates)]
    given += [writer.expr(cards), str(MOST_GROUPS), str(MOST_GROWN)]
    writer.write(f"{writer.expr(found)} = list_held({', '.join(given)})")


def _divide(writer: Writer, do: Do) -> None:
    codes, cards, weights, groups, held = map(writer.expr, do.args)
    given = f"{groups}, {cards}, {weights}, {held}, {len(writer.program.cards)}, {MOST_DIVIDED}, {MOST_STEPS}"
    writer.write(f"{codes} = divide({given})")


def _remember(writer: Writer, do: Do) -> None:
    memo = do.data[0]
    assert isinstance(memo, Memo)
    place, value = map(writer.expr, do.args)
    writer.write(f"remember({spell_memo(writer, memo)}, {place}, {value}, {memo.low})")


def _take_back(writer: Writer, do: Do) -> None:
    writer.write("take_back(P, again=True)")
    writer.move_states(back=True)


def _keep(writer: Writer, do: Do) -> None:
    writer.move_states(back=False)
    writer.write(f"P.offence = make_record(P, 0, {do.data[0]})")


def _nothing(writer: Writer, do: Do) -> None:
    """A change that only native code has to make."""


_FORMS = {
    "shuffle": "shuffle(P, {})", "cut": "cut(P, {})", "end_round": "P.rounds_played += 1", "retire": "retire(P, {})",
    "write_line": "write_line(P, {1}, {data[0]}, {0})", "mark": "mark_line(P, {}, {data[0]})",
    "draw_below": "{0} = draw_below(P, {0})", "validate": "kept |= {data[0]}",
    "sort_descending": "{}.sort(reverse=True)",
}  # fmt: skip
_CHANGES: dict[str, Change] = {
    **{op: _call(form) for op, form in _FORMS.items()},
    "turn_over": _of_zones("{}.reverse()"), "swap": _swap, "take_back": _take_back, "keep": _keep, "decided": _nothing,
    "set_state": _set(STATE), "set_slot": _set(SLOT), "set_total": _set(TOTAL), "add_to": _add_to,
    "shuffle_list": _shuffle_list, "gather": _gather, "move": _move, "move_card": _move_card,
    "move_part": _move_part, "move_picked": _move_picked, "deal": _deal, "draw": _draw, "store_choice": _store_choice,
    "peek": _peek, "divide": _divide, "list_held": _list_held, "remember": _remember,
    "invalidate": lambda writer, do: writer.write(f"kept &= {~do.number}"),
}  # fmt: skip
