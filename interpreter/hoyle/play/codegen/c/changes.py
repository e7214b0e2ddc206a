"""Code for state changes in C: one function, or one line of a table, for each opcode of `Do`.

In: a `Do` with simple operands. Out: the statements that execute it.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.play.codegen.c.columns import find_bound
from hoyle.play.codegen.c.operations import spell_memo, spell_sets
from hoyle.play.codegen.c.struct_layout import Field
from hoyle.play.codegen.c.writer import Writer
from hoyle.play.codegen.low.program import Do
from hoyle.play.codegen.lower.partition import MOST_GROUPS
from hoyle.play.codegen.passes.dense_memo import Memo
from hoyle.play.codegen.passes.patterns import WORD, StaticGroups
from hoyle.program.model.divisions import MOST_DIVIDED
from hoyle.program.model.surveys import MOST_GROWN

MOST_STEPS = 50_000  # of the search for a partition; more are a fault
Change = Callable[[Writer, Do], None]


def write_change(writer: Writer, do: Do) -> None:
    """Print a state change."""
    _CHANGES[do.op](writer, do)


def _call(form: str) -> Change:
    """A format string over the operands and the immediates, `data`."""
    return lambda writer, do: writer.write(form.format(*map(writer.expr, do.args), data=do.data))


def _set(kind: str) -> Change:
    def write(writer: Writer, do: Do) -> None:
        value, *index = do.args
        writer.set_place(writer.layout.find(f"{kind}{do.number}"), writer.index(index), value)

    return write


def _sort_descending(writer: Writer, do: Do) -> None:
    """Sort in descending order; distinct numbers below 64 through a bit set, in linear time."""
    listed = do.args[0]
    of = listed.element
    sorts = "descend_set" if listed.fact.unique and 0 <= of.low <= of.high < WORD else "descend"
    writer.write(f"{writer.helper(sorts, writer.list_type(listed))}({writer.listed(listed)});")


def _begin_list(writer: Writer, length: Field, index: str = "") -> None:
    """A list that is none becomes empty."""
    if length.none is not None:
        writer.write(f"if ({length.path}{index} == {length.none}) {length.path}{index} = 0;")


def _add_to(writer: Writer, do: Do) -> None:
    _, remove, seats, first_only, in_order = do.data
    field, index = writer.layout.find_list(f"v{do.number}"), writer.index(do.args[1:])
    room = min(field.elements.dims[-1], writer.layout.program.states[do.number].most or field.elements.dims[-1])
    listed, length, value = f"{field.elements.path}{index}", f"{field.length.path}{index}", writer.expr(do.args[0])
    i, j = writer.fresh("i"), writer.fresh("j")
    with writer.block():
        writer.write(f"int32_t {i} = 0, {j}; (void){j};")
        _begin_list(writer, field.length, index)
        if remove:
            kept = f"{listed}[{j}] != {value}" + (f" || {i} < {j}" if first_only else "")
            writer.write(f"for ({j} = 0; {j} < {length}; {j}++) if ({kept}) {listed}[{i}++] = {listed}[{j}];")
            writer.write(f"{length} = ({field.length.ctype}){i};")
            return
        if seats and not in_order:  # not known to be sorted: sorted and made unique by a bit set
            taken = f"{listed}[{i}++] = ({field.elements.ctype}){j};"
            writer.write(f"uint64_t all = UINT64_C(1) << {value};")
            writer.write(f"for ({j} = 0; {j} < {length}; {j}++) all |= UINT64_C(1) << {listed}[{j}];")
            writer.write(f"for ({j} = 0; all; {j}++, all >>= 1) if (all & 1) {taken}")
            writer.write(f"{length} = ({field.length.ctype}){i};")
            return
        if seats:
            writer.write(f"while ({i} < {length} && {listed}[{i}] < {value}) {i}++;")
        is_new = f"if ({i} >= {length} || {listed}[{i}] != {value})"
        with writer.block(is_new if seats else f"{i} = {length};"):
            writer.write(f"if ({length} >= {room}) goto fault;")
            writer.write(f"for ({j} = {length}; {j} > {i}; {j}--) {listed}[{j}] = {listed}[{j} - 1];")
            writer.write(f"{listed}[{i}] = ({field.elements.ctype}){value}; {length}++;")


def _shuffle_list(writer: Writer, do: Do) -> None:
    field, index = writer.layout.find_list(f"v{do.number}"), writer.index(do.args)
    _begin_list(writer, field.length, index)
    helper = writer.helper("mix", field.elements.ctype)
    writer.write(f"{helper}(&P->rng, {field.elements.path}{index}, {field.length.path}{index});")


def _move(writer: Writer, do: Do) -> None:
    cards, zone = do.args
    bottom = int(bool(do.data[0]))
    if cards.op == "cards" and not bottom:
        writer.write(f"move_all(P, {writer.expr(cards.args[0])}, {writer.expr(zone)});")
    elif cards.op == "slice" and cards.args[0].op == "cards" and not bottom:
        pile, at, many = map(writer.expr, (cards.args[0].args[0], *cards.args[1:]))
        writer.write(f"move_slice(P, {pile}, {at}, {many}, {writer.expr(zone)});")
    else:
        writer.write(f"move_cards(P, {writer.listed(cards)}, {writer.expr(zone)}, {bottom});")


def _move_part(writer: Writer, do: Do) -> None:
    cards, source, zone = do.args
    writer.write(f"{do.op}(P, {writer.listed(cards)}, {writer.expr(source)}, {writer.expr(zone)});")


def _move_card(writer: Writer, do: Do) -> None:
    card, zone, *picked = map(writer.expr, do.args)
    if picked:
        writer.write(f"if (!move_card(P, {card}, {picked[0]}, {zone})) MISSED;")
    else:
        writer.write(f"move_card(P, {card}, ZONE_OF({card}), {zone});")


def _turn(writer: Writer, do: Do) -> None:
    writer.write(f"turn_cards(P, {writer.listed(do.args[0])}, {int(bool(do.data[0]))});")


def _deal(writer: Writer, do: Do) -> None:
    source, targets, packet, *count = do.args
    to, i, n = writer.fresh("to"), writer.fresh("i"), writer.fresh("n")
    elements, length, room = writer.pointer(targets), writer.length(targets), targets.fact.high
    # packets are clamped to the number of cards: the result is the same, and fits the type
    sizes = f"(int32_t)min64({writer.expr(packet)}, CARDS), {writer.expr(count[0]) if count else 'ALL'}"
    with writer.block():
        writer.write(f"uint16_t {to}[{max(1, room)}]; int32_t {i}, {n}; {n} = {length};")
        writer.write(f"for ({i} = 0; {i} < {n}; {i}++) {to}[{i}] = (uint16_t){elements}[{i}];")
        writer.write(f"deal(P, {writer.expr(source)}, {to}, {n}, {sizes}, {int(bool(do.data[0]))});")


def _draw(writer: Writer, do: Do) -> None:
    source, field = do.args[0], writer.layout.by_name[f"s{do.number}"]
    n, at = writer.fresh("n"), writer.fresh("at")
    with writer.block():
        writer.write(f"int32_t {n}, {at}; {n} = {writer.length(source)};")
        writer.write(f"if ({n} <= 0) goto fault;")
        writer.write(f"{at} = (int32_t)pick_below(&P->rng, (uint32_t){n});")
        writer.write(f"{field.path} = ({field.ctype}){writer.pointer(source, at)}[{at}];")


def _store_choice(writer: Writer, do: Do) -> None:
    slot, action = do.data
    found = writer.layout.find_list(f"s{slot}")
    length, actions = found.length, found.elements
    _begin_list(writer, length)
    writer.write(f"if ({length.path} >= {actions.dims[0]}) goto fault;")
    chosen = actions.none if action is None else action
    writer.write(f"{actions.path}[{length.path}] = {chosen};")
    for place, pick in enumerate(do.args):
        field = writer.layout.find(f"s{slot}_{action}_{place}")
        writer.set_place(field, f"[{length.path}]", pick)
    writer.write(f"{length.path}++;")


def _peek(writer: Writer, do: Do) -> None:
    """Return once the action is known, if the caller only peeks at a choice; or tell it and go on with the next, if the
    caller wants them all."""
    action, asks, store = do.data
    assert isinstance(asks, int)
    number = -1 if action is None else action
    if not writer.layout.is_environment:
        writer.write(f"if (STOPPING(A) == PEEKS) {{ A->action = {number}; LEAVE(ASKED); }}")
        return
    undone = "" if store is None else f"{writer.layout.find_list(f's{store}').length.path}--; "
    with writer.block("if (STOPPING(A) == PEEKS)"):
        writer.write(f"A->action = {number};")
        writer.write(f"if (tell_choice(P, A)) {{ {undone}goto B{writer.asking[asks]}; }}")
        writer.write("LEAVE(ASKED);")


def _list_held(writer: Writer, do: Do) -> None:
    """Subset tests: the static groups that are among some cards, which are in deck order."""
    (found, cards), every = do.args, do.data[0]
    assert isinstance(every, StaticGroups)
    groups, mates = spell_sets(writer, every.groups), spell_sets(writer, every.mates)
    starts = writer.constant(f"{groups}_starts", "uint16_t", every.starts)
    past = writer.constant(f"{groups}_past", "uint16_t", every.past)
    helper = writer.helper("list_held", writer.list_type(cards), writer.list_type(found))
    given = [groups, past, starts, mates, writer.listed(cards), writer.pointer(found)]
    many = writer.length(found)
    writer.write(f"{many} = {helper}({', '.join(given)}, {MOST_GROUPS}, {MOST_GROWN});")
    writer.write(f"if ({many} < 0) goto fault;")


def _divide(writer: Writer, do: Do) -> None:
    codes, cards, weights, groups, held = do.args
    types = [writer.list_type(each) for each in (groups, weights)]
    writer.helper("lightest", *types)
    helper = writer.helper("divide", *types, writer.list_type(cards), writer.list_type(codes))
    given = [writer.listed(groups), *map(writer.pointer, (cards, weights, codes)), writer.expr(held)]
    many = writer.length(codes)
    writer.write(f"{many} = {helper}({', '.join(given)}, {MOST_DIVIDED}, {MOST_STEPS});")
    writer.write(f"if ({many} < 0) goto fault;")


def _remember(writer: Writer, do: Do) -> None:
    """Store into a memo table: 0 is unknown, 255 is none. Skipped after a fault, when the value may be wrong."""
    memo = do.data[0]
    assert isinstance(memo, Memo)
    place, value = writer.expr(do.args[0]), writer.as_type(do.args[1], "int64_t")
    table, none = spell_memo(writer, memo), "NONE64" if do.args[1].fact.none else "ALL"
    writer.write(f"if (!P->fault) remember({table}, {place}, {len(memo.classes.rows)}, {value}, {none}, {memo.low});")


def _win(writer: Writer, do: Do) -> None:
    listed, i = do.args[0], writer.fresh("i")
    if listed.op != "none":
        writer.write(f"int32_t {i};")
        writer.write(f"if ({writer.length(listed)} > PLAYERS) goto fault;")
        writer.write(f"for ({i} = 0; {i} < {writer.length(listed)}; {i}++)")
        writer.write(f"  winners->seats[winners->n++] = (seat_t){writer.pointer(listed)}[{i}];")


def _found(writer: Writer, do: Do) -> None:
    writer.write(f"found[{do.data[0]}] = {writer.as_type(do.args[0], 'int64_t')};")


_FORMS = {
    "gather": "gather(P, {0}, OWNER[{0}]);", "shuffle": "shuffle(P, {}, STOPPING(A));", "cut": "cut(P, {});",
    "turn_over": "turn_over(P, {});", "swap": "swap_zones(P, {}, {});",
    "end_round": f"if (P->rounds++ == {find_bound('Pos.rounds') - 1}) goto fault;",
    "retire": "P->t.retired |= UINT64_C(1) << {};", "take_back": "take_back(P);",
    "keep": "save(P, 0, {data[0]});", "decided": "SLOT(decisions)++;",
    "write_line": "if (!write_line(P, {1}, {data[0]}, {0})) goto fault;",
    "mark": "if (!mark_line(P, {}, {data[0]})) goto fault;",
    "offence": "if ({1} >= 0) {{ A->erred = 1; note_offence(P, {0}, {1}); }}", "erred": "if ({1} >= 0) A->erred = 1;",
    "forget_offence": "if (P->offence_seat != {}) P->offence_seat = -1;",
    "draw_below": "if ({0} <= 0) goto fault; {0} = (int32_t)pick_below(&P->rng, (uint32_t){0});",
    "validate": "kept |= UINT64_C({data[0]});", "invalidate": "kept &= ~UINT64_C({data[0]});",
}  # fmt: skip
_CHANGES: dict[str, Change] = {
    **{op: _call(form) for op, form in _FORMS.items()},
    "set_state": _set("v"), "set_slot": _set("s"), "set_total": _set("t"), "add_to": _add_to,
    "shuffle_list": _shuffle_list, "move": _move, "move_card": _move_card, "move_part": _move_part,
    "move_picked": _move_part, "turn": _turn, "deal": _deal, "draw": _draw, "store_choice": _store_choice,
    "peek": _peek, "sort_descending": _sort_descending, "divide": _divide, "list_held": _list_held,
    "remember": _remember, "win": _win, "found": _found,
}  # fmt: skip
