"""Options, deck, zones and state of a world: the data a game begins with.

In: declarations, the number of players, option values given from outside. Out: the world's tables filled.
"""

from __future__ import annotations

import re
from itertools import product
from math import prod
from typing import Any

from hoyle.check.declarations import AttributeDecl, CardRow, DeckDecl, OptionDecl, StateDecl, ZoneDecl
from hoyle.check.expressions import Elaborator
from hoyle.check.folding import constant, truth_of
from hoyle.check.naming import CONSTANTS
from hoyle.check.scope import Frame, Scope
from hoyle.check.typing_rules import described, is_unknown
from hoyle.check.world import Value, World, display
from hoyle.diagnostics.report import Label, did_you_mean
from hoyle.ir import nodes as ir
from hoyle.ir.types import CARD, NUMBER, SEAT, TRUTH, ZONE, Type, certain, enum, maybe
from hoyle.source import Span
from hoyle.syntax import ast

MOST_CARDS = 2_000
MOST_PILES = 200
VISIBLE = ("nothing", "owner", "last_holder", "top_card", "all")
ERRORS = ("refused", "called")


def fixed(elaborator: Elaborator, node: ast.Expr, wanted: Type, what: str, scope: Scope | None = None) -> Any:
    """The value of an expression that must be known before the game begins; None if it is not."""
    found = elaborator.typed(node, scope or Scope(Frame()), wanted, what)
    if isinstance(found, ir.Const):
        return found.value
    if not is_unknown(found.type):
        elaborator.world.report.error(
            "not-constant",
            f"{what} must be known before the game begins",
            node.span,
            hint="it may use options and `players`, nothing else",
        )
    return None


# ------------------------------------------------------------------------------------------------ options
def fill_options(elaborator: Elaborator, given: dict[str, Any]) -> None:
    world = elaborator.world
    for name in given:
        if name not in world.declared.options:
            place = world.declared.line.span if world.declared.line else None
            world.report.error(
                "unknown-option",
                f"the game has no option `{name}`",
                place,
                hint=did_you_mean(name, world.declared.options),
            )
    for option in world.declared.options.values():
        if option.kind == "enum":
            add_enum(world, option.name, option.values, option.values)
    for option in world.declared.options.values():
        kind = _option_type(option)
        value = _default(elaborator, option, kind)
        if value is not None and option.kind == "number" and not option.low <= value <= option.high:
            world.report.error(
                "out-of-range",
                f"the default of `{option.name}` is {value}, outside its range {option.low}..{option.high}",
                option.default.span,
                hint=f"choose a number from {option.low} to {option.high}",
            )
        if option.name in given:
            value = read_option_value(world, option, given[option.name], value)
        world.options[option.name] = constant(value, kind, option.name)


def _default(elaborator: Elaborator, option: OptionDecl, kind: Type) -> Any:
    """What an option is unless it is set."""
    report, node = elaborator.world.report, option.default
    name = node.id if isinstance(node, ast.Name) else ""
    if option.kind == "enum" and name in option.values:
        return option.values.index(name)
    if option.kind == "enum" and name and name not in elaborator.world.declared.options:
        report.error(
            "bad-option-value",
            f"the default of `{option.name}` cannot be `{name[:60]}`; it is {_one_of(option)}",
            node.span,
            hint=did_you_mean(name, option.values),
        )
        return None
    is_number = isinstance(node, ast.Int)
    is_other = name != "" and name not in CONSTANTS and name not in elaborator.world.declared.options
    if option.kind == "truth" and (is_number or is_other):
        said = "a number" if is_number else "neither true nor false"
        example = "range: 1..9" if is_number else f"values: [{name[:40]}, …]"
        report.error(
            "bad-option",
            f"the default of `{option.name}` is {said}, so the option must say what else it can be",
            node.span,
            hint=f"add `{example}`",
        )
        return None
    return fixed(elaborator, node, kind, f"the default of `{option.name}`")


def check_requirements(elaborator: Elaborator) -> None:
    """What options require of each other and of the number of players."""
    world = elaborator.world
    for option in world.declared.options.values():
        for test in option.require:
            if test.test is None:
                continue
            holds = elaborator.truth(test.test, Scope(Frame()))
            if truth_of(holds) is False:
                value = display(world, world.options[option.name].value, world.options[option.name].type)
                world.report.error(
                    "option-requires",
                    f"`{option.name}: {value}` with {world.players} players does not meet what it requires",
                    test.test.span,
                    test.line.text or "does not hold",
                    hint="set the option otherwise, or play with another number of players",
                )


def _option_type(option: OptionDecl) -> Type:
    if option.kind == "enum":
        return enum(option.name)
    kind = NUMBER if option.kind == "number" else TRUTH
    return maybe(kind) if option.or_none else kind


def read_option_value(world: World, option: OptionDecl, given: Any, otherwise: Any) -> Any:
    """A value from the command line or from Python, as the option holds it."""
    text = str(given).strip().lower() if not isinstance(given, str) else given.strip()
    if option.kind == "truth" and text in ("true", "yes", "on", "false", "no", "off"):
        return text in ("true", "yes", "on")
    if option.kind == "enum" and text in option.values:
        return option.values.index(text)
    if option.kind == "number":
        if option.or_none and text == "none":
            return None
        if re.fullmatch(r"-?\d{1,9}", text) and option.low <= int(text) <= option.high:
            return int(text)
    world.report.error(
        "bad-option-value",
        f"the option `{option.name}` cannot be `{str(given)[:60]}`; it is {_one_of(option)}",
        option.line.span,
        hint=did_you_mean(text, option.values),
    )
    return otherwise


def _one_of(option: OptionDecl) -> str:
    """What an option can be, in a sentence."""
    if option.kind == "enum":
        more = ", …" if len(option.values) > 12 else ""
        return "one of " + ", ".join(f"`{value}`" for value in option.values[:12]) + more
    if option.kind == "truth":
        return "true or false"
    return f"a number from {option.low} to {option.high}" + (" or none" if option.or_none else "")


def add_enum(world: World, name: str, values: tuple[str, ...], shorts: tuple[str, ...]) -> None:
    world.enums[name] = ir.Enum(name=name, values=values, shorts=shorts)
    for index, value in enumerate(values):
        world.values.setdefault(value, []).append(Value(enum(name), index))


def fill_kinds(elaborator: Elaborator) -> None:
    """The kinds as enumerations; their columns, which may name cards, come after the deck."""
    for kind in elaborator.world.declared.kinds.values():
        add_enum(elaborator.world, kind.name, kind.values, kind.values)


# ------------------------------------------------------------------------------------------------ deck
def fill_deck(elaborator: Elaborator) -> None:
    world = elaborator.world
    deck = world.declared.deck
    if deck is None:
        return
    for attribute in deck.attributes:
        if attribute.values is not None:
            shorts = tuple(attribute.shorts.get(v, v) for v in attribute.values)
            add_enum(world, attribute.name, attribute.values, shorts)
        world.attributes[attribute.name] = len(world.attributes)
        for number, short in attribute.shorts.items() if attribute.values is None else ():
            if re.fullmatch(r"-?\d{1,9}", number):
                world.number_names[short] = int(number)
    faces: dict[tuple[Any, ...], int] = {}
    tables: list[list[int | None]] = [[] for _ in deck.attributes]
    for row in deck.rows:
        _add_row(elaborator, deck, row, faces, tables)
    for attribute, table in zip(deck.attributes, tables, strict=True):
        kind = enum(attribute.name) if attribute.values is not None else NUMBER
        world.attribute_list.append(ir.CardAttribute(name=attribute.name, type=kind, table=tuple(table)))
    if not world.cards and not world.report.failed:
        world.report.error(
            "empty-deck",
            f"the deck has no cards with {world.players} players",
            deck.line.span,
            hint="add rows under `cards:`, or look at the `if:` and `copies:` of those there are",
        )


def _add_row(
    elaborator: Elaborator,
    deck: DeckDecl,
    row: CardRow,
    faces: dict[tuple[Any, ...], int],
    tables: list[list[int | None]],
) -> None:
    world = elaborator.world
    # Names and types do not depend on options: a card that is left out has its name, and its gaps, all the same.
    world.gaps |= {a.name for a in deck.attributes} - {name for name, _ in row.attributes}
    if row.name:
        world.card_names.setdefault(row.name, ())
    if row.condition is not None and not fixed(elaborator, row.condition, TRUTH, "whether these cards are in the deck"):
        return
    copies = 1
    if row.copies is not None:
        number = fixed(elaborator, row.copies, NUMBER, "the number of copies")
        if number is None:
            return
        if number < 0:
            elaborator.world.report.error(
                "out-of-range",
                f"the number of copies is {number}, below 0",
                row.copies.span,
                hint="the least is 0: these cards are then not in the deck",
            )
            return
        copies = number
    size = copies * prod(len(values) for _, values in row.attributes)
    if size + len(world.cards) > MOST_CARDS:
        world.report.error(
            "deck-too-big",
            f"with these the deck has more than {MOST_CARDS} cards",
            row.copies.span if row.copies is not None and copies > MOST_CARDS else row.span,
            hint="take fewer copies, or fewer values",
        )
        return
    by_name = {a.name: a for a in deck.attributes}
    columns = []
    for (name, values), places in zip(row.attributes, row.places, strict=True):
        pairs = zip(values, places, strict=True)
        column = [_attribute_value(world, by_name[name], value, place) for value, place in pairs]
        if None in column:
            return
        columns.append([value for value in column if value is not None])
    for combination in product(*columns):
        printed = dict(zip((name for name, _ in row.attributes), combination, strict=True))
        code = row.short or "".join(
            _short(by_name[a.name], printed[a.name]) for a in deck.attributes if a.name in printed
        )
        identity = (row.name, *(printed.get(a.name) for a in deck.attributes))
        if identity not in faces:
            if code in world.card_codes:
                world.report.error(
                    "same-code",
                    f"two different cards would both be written `{code}`",
                    row.span,
                    hint="give one of them another `short:`",
                )
                return
            faces[identity] = len(faces)
        for _ in range(copies):
            card = len(world.cards)
            world.cards.append(ir.Card(face=faces[identity], code=code, name=row.name))
            world.card_codes[code] = (*world.card_codes.get(code, ()), card)
            if row.name:
                world.card_names[row.name] = (*world.card_names.get(row.name, ()), card)
            for a, table in zip(deck.attributes, tables, strict=True):
                table.append(printed.get(a.name))


def _attribute_value(world: World, attribute: AttributeDecl, value: str | int, place: Span) -> int | None:
    if attribute.values is not None:
        if str(value) in attribute.values:
            return attribute.values.index(str(value))
        shorts = {short: v for v, short in attribute.shorts.items()}
        hints = did_you_mean(str(value), attribute.values)
        if str(value) in shorts:
            hints = (f"write `{shorts[str(value)]}`",)
        world.report.error(
            "unknown-value",
            f"`{value}` is not a value of `{attribute.name}`",
            place,
            others=(Label(attribute.line.span, f"the values of `{attribute.name}`"),),
            hint=hints,
        )
        return None
    if isinstance(value, int) and attribute.low <= value <= attribute.high:
        return value
    named = {short: int(number) for number, short in attribute.shorts.items() if re.fullmatch(r"-?\d{1,9}", number)}
    if value in named:
        return named[str(value)]
    world.report.error(
        "unknown-value",
        f"`{value}` is not a `{attribute.name}`, which goes from {attribute.low} to {attribute.high}",
        place,
        others=(Label(attribute.line.span, "declared here"),),
        hint=did_you_mean(str(value), named) or f"write a number from {attribute.low} to {attribute.high}",
    )
    return None


def _short(attribute: AttributeDecl, value: int) -> str:
    if attribute.values is not None:
        name = attribute.values[value]
        return attribute.shorts.get(name, name)
    return attribute.shorts.get(str(value), str(value))


# ------------------------------------------------------------------------------------------------ zones and state
def fill_zones(elaborator: Elaborator) -> None:
    world = elaborator.world
    base = 0
    kind = enum("who sees a zone")
    world.enums[kind.name] = ir.Enum(name=kind.name, values=VISIBLE, shorts=VISIBLE)
    visible = {name: constant(index, kind, name) for index, name in enumerate(VISIBLE)}
    for zone in world.declared.zones.values():
        scope = Scope(Frame(), dict(visible))
        shown = fixed(elaborator, zone.shows, kind, f"who sees `{zone.name}`", scope)
        seen = VISIBLE[shown] if shown is not None else "nothing"
        if seen == "owner" and not zone.owned:
            world.report.error(
                "no-owner",
                f"`{zone.name}` belongs to nobody, so no owner can see it",
                zone.shows.span,
                hint="add `of: seat`, or say `nothing`, `last_holder`, `top_card` or `all`",
            )
        many = _count_piles(elaborator, zone, seen)
        size = (world.players if zone.owned else 1) * (many or 1)
        world.zones[zone.name] = len(world.zone_list)
        world.zone_list.append(
            ir.Zone(
                name=zone.name,
                owner="seat" if zone.owned else "",
                base=base,
                size=size,
                shows=seen,  # type: ignore[arg-type]  # one of VISIBLE
                text=zone.line.text,
                clause=world.clause(zone.line),
                quiet=zone.quiet,
                many=many,
                remembered=zone.remembered,
            )
        )
        base += size
    del world.enums[kind.name]


def _count_piles(elaborator: Elaborator, zone: ZoneDecl, seen: str) -> int:
    """How many piles there can be of a family; 0 for a single zone."""
    world = elaborator.world
    if zone.remembered and seen not in ("top_card", "all"):
        world.report.error(
            "bad-value",
            f"what is laid in `{zone.name}` is not seen by all, so it cannot be remembered",
            zone.line.span,
            hint="`remembered: all` is for zones that show their top card",
        )
    if zone.many is None:
        return 0
    number = fixed(elaborator, zone.many, NUMBER, f"how many piles `{zone.name}` has")
    if number is not None and not 1 <= number <= MOST_PILES:
        world.report.error(
            "out-of-range",
            f"`{zone.name}` would have {number} piles; there can be 1 to {MOST_PILES}",
            zone.many.span,
            hint="say how many can stand at once",
        )
        return 1
    deck = world.declared.deck
    if deck is not None and deck.starts_in is not None and deck.starts_in.id == zone.name:
        world.report.error(
            "which-pile",
            f"the deck cannot start in `{zone.name}`, which is a family of piles",
            deck.starts_in.span,
            others=(Label(zone.line.span, "declared with `many`"),),
            hint="let it start in a single zone",
        )
    return int(number or 1)


def fill_errors(elaborator: Elaborator) -> None:
    """Whether errors are refused or can be made and called."""
    world, node = elaborator.world, elaborator.world.declared.errors
    if node is None:
        return
    kind = enum("what becomes of errors")
    world.enums[kind.name] = ir.Enum(name=kind.name, values=ERRORS, shorts=ERRORS)
    names: dict[str, ir.Expr] = {name: constant(index, kind, name) for index, name in enumerate(ERRORS)}
    found = fixed(elaborator, node, kind, "what becomes of errors", Scope(Frame(), names))
    world.called = found is not None and ERRORS[found] == "called"
    del world.enums[kind.name]


def fill_states(elaborator: Elaborator) -> None:
    world = elaborator.world
    base = 0
    if "dealer" not in world.declared.states:
        world.states["dealer"] = 0
        line = world.declared.line
        world.state_list.append(
            ir.State(
                name="dealer",
                owner="",
                base=0,
                size=1,
                type=SEAT,
                start=0,
                low=None,
                high=None,
                shows="all",
                lasts="match",
                clause=world.clause(line) if line else 0,
            )
        )
        base = 1
    for state in world.declared.states.values():
        base = _add_state(elaborator, state, base)


def _add_state(elaborator: Elaborator, state: StateDecl, base: int) -> int:
    world = elaborator.world
    kind, low, high = _state_type(world, state)
    start: Any = None
    if state.start is not None:
        start = fixed(elaborator, state.start, kind, f"the start of `{state.name}`")
        if start is not None and low is not None and high is not None and not low <= start <= high:
            world.report.error(
                "out-of-range",
                f"`{state.name}` starts at {start}, outside {low}..{high}",
                state.start.span,
                hint="let it start in its range, or widen the range",
            )
    elif kind == NUMBER:
        start = max(low, min(0, high)) if low is not None and high is not None else 0
    elif kind == TRUTH:
        start = False
    elif kind.kind == "list":
        start = ()
    elif kind.kind == "enum":
        world.report.error(
            "no-start",
            f"the state `{state.name}` does not say what it is at first",
            state.line.span,
            hint=f"add `start: {world.enums[kind.name].values[0]}`, or let it be `{kind} or none`",
        )
    size = owned_size(world, state.owner)
    if state.shows == "owner" and state.owner != "seat":
        world.report.error(
            "no-owner",
            f"`{state.name}` belongs to nobody, so no owner can see it",
            state.shows_at or state.line.span,
            hint="add `of: seat`, or say `nothing` or `all`",
        )
    world.states[state.name] = len(world.state_list)
    world.state_list.append(
        ir.State(
            name=state.name,
            owner=state.owner,
            base=base,
            size=size,
            type=kind,
            start=start,
            low=low,
            high=high,
            shows="owner" if state.shows == "owner" else "nothing" if state.shows == "nothing" else "all",
            lasts=state.lasts,
            clause=world.clause(state.line),
            quiet=state.quiet,
        )
    )
    return base + size


def owned_size(world: World, owner: str) -> int:
    """How many there are of a state: one, or one for each seat or each value of a kind."""
    if owner == "seat":
        return world.players
    return len(world.enums[owner].values) if owner else 1


def _state_type(world: World, state: StateDecl) -> tuple[Type, int | None, int | None]:
    text = " ".join(state.type.text.split())
    plain = text.removesuffix(" or none")
    if plain in world.zones and world.zone_list[world.zones[plain]].many:
        return _pile_type(world, state, plain, text), None, None
    found = re.fullmatch(r"(-?\d{1,9}) ?\.\. ?(-?\d{1,9})", plain)
    if found:
        kind: Type | None = NUMBER
        low, high = int(found.group(1)), int(found.group(2))
        if low > high:
            world.report.error(
                "bad-range",
                f"the range of `{state.name}` begins at {low} and ends below it, at {high}",
                state.type,
                hint=f"did you mean `{high}..{low}`?",
            )
            low, high = high, low
    else:
        low = high = None  # type: ignore[assignment]  # only numbers have bounds
        kind = world.type_named(plain)
    listed = kind.of if kind is not None and kind.kind == "list" else None
    if kind is None or kind.kind in ("zone", "text") or (listed is not None and certain(listed) not in (SEAT, CARD)):
        what = f"{described(kind)} cannot be kept in state" if kind is not None else f"no type is called `{plain}`"
        world.report.error(
            "unknown-type",
            what,
            Span(state.type.source, state.type.start, state.type.start + len(plain))
            if state.type.text.startswith(plain)
            else state.type,
            hint=did_you_mean(plain, [*world.enums, "number", "truth", "seat", "seats", "card"])
            or ("a state is a number, `0..31`, truth, seat, seats, card or an attribute, perhaps `or none`",),
        )
        kind = Type("unknown")
    return (maybe(kind) if text.endswith(" or none") else kind), low, high


def _pile_type(world: World, state: StateDecl, family: str, text: str) -> Type:
    """A state that names a pile of a family names nothing when the pile is gone."""
    world.used.add(f"zone:{family}")
    if text == family:
        world.report.error(
            "unknown-type",
            f"a pile of `{family}` can vanish, so the state `{state.name}` may be none",
            state.type,
            hint=f"write `{family} or none`",
        )
    return maybe(ZONE)


# ------------------------------------------------------------------------------------------------ teams
def fill_teams(elaborator: Elaborator) -> None:
    """The team of each seat: partners sit opposite each other, so teams take turns round the table."""
    world = elaborator.world
    declared = world.declared
    world.teams = tuple(range(world.players))
    if declared.team_size is None:
        return
    if declared.teams_if is not None and not fixed(elaborator, declared.teams_if, TRUTH, "whether there are teams"):
        return
    size = fixed(elaborator, declared.team_size, NUMBER, "the size of a team")
    if size is None:
        return
    if size < 1 or world.players % size:
        world.report.error(
            "bad-teams",
            f"{world.players} players cannot sit in teams of {size}",
            declared.team_size.span,
            hint="allow only numbers of players that the size of a team divides",
        )
        return
    count = world.players // size
    world.teams = tuple(seat % count for seat in range(world.players))
