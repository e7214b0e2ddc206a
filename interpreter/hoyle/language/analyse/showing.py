"""Flow-sensitive knowledge: what somebody has been shown by the time a block runs, a forward dataflow analysis.

In: a program and the abstract values of its expressions. Out: for each block the `Seen` that holds on all paths to it,
and the transfer function of instructions.

A card is seen when it is shown or placed where a seat sees it. A zone that was shown stays known until cards are put
into it or its order changes. Calls are summarised: a step or an action that puts no card into a zone preserves what is
known of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from hoyle.base.dataclass import dataclass
from hoyle.base.effort import spend
from hoyle.language.analyse.observers import Everybody
from hoyle.language.analyse.sight import (
    ACTOR,
    OF_FACE,
    OTHER,
    Chosen,
    Place,
    Secrets,
    Seen,
    Sighting,
    Who,
    Zones,
    holds_cards,
)
from hoyle.language.analyse.unset import list_unset
from hoyle.program.effects import Effects, effects_of, written_by
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.parts import Part, Region, Regions, Sight, Use, overlap
from hoyle.program.ir.types import SEAT, certain
from hoyle.program.ir.visibility import is_known_to, is_open, is_seen, is_visible
from hoyle.program.ir.walk import part_names, walk_expression
from hoyle.program.words import WORDS, Op, applies

Node = ir.Instruction | ir.Terminator
Uses = tuple[tuple[ir.Expr, Use], ...]


class Nodes:
    """Cached uses and writes of the instructions and terminators of one program. The caches are keyed by identity, so
    the program must outlive this object."""

    def __init__(self) -> None:
        self._uses: dict[int, Uses] = {}
        self._writes: dict[int, Regions] = {}

    def uses(self, node: Node) -> Uses:
        """The operands of an instruction or terminator, each with its role."""
        found = self._uses.get(id(node))
        if found is None:
            found = self._uses[id(node)] = tuple(_list_uses(node))
        return found

    def writes(self, node: Node) -> Regions:
        """The regions an instruction or terminator may change."""
        found = self._writes.get(id(node))
        if found is None:
            found = self._writes[id(node)] = written_by(node)
        return found

    def written(self, node: Node, part: Part) -> list[int]:
        """The numbers of the slots or states that are written, where they are specific."""
        return [region.index for region in self.writes(node) if region.part is part and region.index is not None]


def _list_uses(node: Node) -> Iterator[tuple[ir.Expr, Use]]:
    uses = node.uses
    for name in part_names(type(node)):
        held = getattr(node, name)
        if isinstance(held, ir.Expr):
            yield held, uses.get(name, Use.TOLD)
        elif isinstance(held, tuple):
            yield from ((expr, uses.get(name, Use.TOLD)) for expr in held if isinstance(expr, ir.Expr))


ALL_ZONES: Regions = frozenset({Region(Part.ZONES)})


def single(expr: ir.Expr) -> ir.Expr | None:
    """The only element of a one-element list expression: what `move CARD to …` moves."""
    if isinstance(expr, ir.Apply) and len(expr.args) == 1 and WORDS[expr.word].keeps == "all":
        return expr.args[0]
    return None


@dataclass(slots=True)
class Changed:
    """Side effects of a stretch of the program on zones and slots. `entered`: the zones that cards are put into or
    whose order changes, None for any; `left`: the zones from which a card goes without all knowing which, None for any;
    `moves`: cards may be taken from zones, which exposes other top cards; `loses`: afterwards nobody may know which
    card lies where a followed one lay."""

    entered: set[int] | None = field(default_factory=set)
    left: set[int] | None = field(default_factory=set)
    moves: bool = False
    loses: bool = False
    slots: set[int] = field(default_factory=set)
    writes: Regions = frozenset()

    def add(self, other: Changed) -> bool:
        """Merge another; whether anything was added."""
        before = self._size()
        self.entered = _unite(self.entered, other.entered)
        self.left = _unite(self.left, other.left)
        self.moves = self.moves or other.moves
        self.loses = self.loses or other.loses
        self.slots |= other.slots
        self.writes |= other.writes
        return before != self._size()

    def _size(self) -> tuple[object, ...]:
        zones = (found is None or len(found) for found in (self.entered, self.left))
        return *zones, self.moves, self.loses, len(self.slots), len(self.writes)


def _unite(some: set[int] | None, others: set[int] | None) -> set[int] | None:
    return None if some is None or others is None else some | others


ALL = "all"  # the seats that have been shown something: all of them,
SOME = "some"  # at least one; otherwise the seat that an expression names
What = int | Place | ir.Expr  # a slot with cards, a zone or its top card, the cards of an expression
Names = frozenset[Who]  # all that denote one observer


@dataclass(frozen=True, slots=True)
class Known:
    """What is known at a program point: what has been shown, each with who has seen it; slots whose cards have not
    moved since they were stored, those whose cards all see lie, and those of whose cards the seats together know in
    which zone they lie; slots that hold the value of an expression which has not changed since; and zones that are
    empty.

    A seat is named by an expression as it is at this point: what it reads must not have changed either."""

    shown: frozenset[tuple[What, Who]] = frozenset()
    placed: frozenset[int] = frozenset()
    aliases: frozenset[tuple[int, ir.Expr]] = frozenset()
    open: frozenset[int] = frozenset()
    followed: frozenset[int] = frozenset()
    empty: frozenset[int] = frozenset()

    def met(self, other: Known) -> Known:
        """The meet: what is known on both paths."""
        return Known(
            self.shown & other.shown,
            self.placed & other.placed,
            self.aliases & other.aliases,
            self.open & other.open,
            self.followed & other.followed,
            self.empty & other.empty,
        )

    def seen_by(self, names: Names) -> Seen:
        """What the seat with these names has been shown; with `SOME` among them, what anybody has."""
        found = [what for what, who in self.shown if who in names or who == ALL]
        return Seen(
            frozenset(what for what in found if isinstance(what, int)),
            frozenset(what for what in found if isinstance(what, Place)),
            frozenset(what for what in found if isinstance(what, ir.Expr)),
            self.placed,
            self.open,
        )

    def list_names(self, seat: ir.Expr) -> frozenset[ir.Expr]:
        """All expressions that denote the same seat as this one."""
        held = {expr for slot, expr in self.aliases if isinstance(seat, ir.Slot) and slot == seat.index}
        named = {ir.Slot(type=seat.type, index=slot) for slot, expr in self.aliases if expr == seat or expr in held}
        return frozenset({seat, *held, *named})

    @property
    def watchers(self) -> Names:
        return frozenset({ALL, SOME, *(who for _, who in self.shown)})


NOBODY = Known()
ANYBODY: Names = frozenset({SOME})
WHOEVER: Names = frozenset()  # only what all have been shown


def show_to(whats: Iterable[What], watchers: Iterable[Who]) -> frozenset[tuple[What, Who]]:
    """The same things shown to each of the watchers, and so to somebody."""
    watchers = list(watchers)
    return frozenset((what, who) for what in whats for who in {*watchers, SOME} if watchers)


class Showing:
    """What has been seen at each block."""

    def __init__(self, sighting: Sighting, nodes: Nodes) -> None:
        self.sighting = sighting
        self.nodes = nodes
        self.program = sighting.program
        self.effects: Effects = effects_of(self.program)
        self.unset = list_unset(self.program)
        self._changed: dict[int, Changed] = {}  # by identity of instructions and terminators
        self._version = sighting.version
        self._units = self._sum_up()
        self._known: dict[int, Known] = {}
        self._listed: list[tuple[ir.Block, list[Known]]] | None = None

    # ---------------------------------------------------------------------------------------------- summaries
    def _sum_up(self) -> dict[tuple[str, int], Changed]:
        """Summaries: the side effects of each step and action, including what they call; a fixpoint over the call
        graph."""
        bodies = {("step", n): self._blocks_of(step.entry) for n, step in enumerate(self.program.steps)}
        bodies |= {("action", n): self._blocks_of(action.entry) for n, action in enumerate(self.program.actions)}
        found = {unit: Changed() for unit in bodies}
        for unit, blocks in bodies.items():
            for number in blocks:
                for instruction in self.program.blocks[number].instructions:
                    found[unit].add(self.changed_by(instruction))
        again = True
        while again:
            again = False
            for unit, blocks in bodies.items():
                for number in blocks:
                    for called in self.called_by(self.program.blocks[number].end):
                        again = found[unit].add(found[called]) or again
        return found

    def _blocks_of(self, entry: int) -> set[int]:
        """The blocks of a unit itself, without those of the units it calls."""
        found: set[int] = set()
        waiting = [entry]
        while waiting:
            number = waiting.pop()
            if number not in found:
                found.add(number)
                end = self.program.blocks[number].end
                waiting += (end.yes, end.no) if isinstance(end, ir.Branch) else ()
                waiting += (end.to,) if isinstance(end, ir.Jump | ir.Decide | ir.Perform | ir.Enter) else ()
        return found

    def called_by(self, end: ir.Terminator) -> list[tuple[str, int]]:
        """The steps and actions that a terminator may run before the block it continues at."""
        match end:
            case ir.Enter():
                return [("step", end.step)]
            case ir.Decide() if end.store is None:
                return [("action", each) for each in self._offered(end.decision)]
            case ir.Perform():
                return [("action", each) for each in self._stored(end.choice)]
        return []

    def _stored(self, choice: ir.Expr) -> list[int]:
        """The actions that a stored choice may be."""
        slots = {node.index for node in walk_expression(choice) if isinstance(node, ir.Slot)}
        ends = [block.end for block in self.program.blocks if isinstance(block.end, ir.Decide)]
        return sorted({each for end in ends if end.store in slots for each in self._offered(end.decision)})

    def _offered(self, decision: int) -> list[int]:
        tiers = self.program.decisions[decision].tiers
        return sorted({item.action for tier in tiers for item in tier.items})

    def changed_by(self, node: ir.Instruction | ir.Terminator) -> Changed:
        """The side effects of one instruction or terminator."""
        self._keep_up()
        if id(node) not in self._changed:
            self._changed[id(node)] = self._find_changed(node)
        return self._changed[id(node)]

    def _keep_up(self) -> None:
        """Invalidate the caches when abstract values have been refined."""
        if self._version != self.sighting.version:
            self._version = self.sighting.version
            self._changed.clear()
            self._listed = None

    def _find_changed(self, node: ir.Instruction | ir.Terminator) -> Changed:
        writes = self.nodes.writes(node)
        found = Changed(slots=set(self.nodes.written(node, Part.SLOTS)), writes=writes)
        if not overlap(writes, ALL_ZONES):
            return found
        found.moves = True
        found.loses = self._loses(node)
        found.left = self._find_left(node, NOBODY)
        entered: set[int] | None = set()
        known = False
        for expr, use in self.nodes.uses(node):
            if use in (Use.INTO, Use.MIXED, Use.TURNED, Use.EXCHANGED):
                known = True
                zones = self.sighting.look(expr).zones
                entered = _unite(entered, None if zones is None else {zone for zone, _ in zones})
        found.entered = entered if known else None
        return found

    def _loses(self, node: Node) -> bool:
        """Whether a followed card may go to another zone without anybody knowing that it is that one."""
        uses = self.nodes.uses(node)
        roles = {use for _, use in uses}
        if Use.MIXED in roles or roles.isdisjoint(_SAYING_WHERE):
            return True
        return any(use is Use.HANDLED and not self._is_followed(cards, NOBODY) for cards, use in uses)

    def _find_left(self, node: Node, known: Known) -> set[int] | None:
        """The zones from which an instruction takes cards without all who have seen them knowing which, None for any:
        those chosen or drawn in secret, unless all see them arrive."""
        used = {use: expr for expr, use in self.nodes.uses(node)}
        cards = used.get(Use.HANDLED)
        if cards is None:
            return set()
        target = used.get(Use.INTO)
        zones = None if target is None else self.sighting.look(target).zones
        if self._who_sees_there(zones, single(cards) is not None, node) == {ALL}:
            return set()
        value = self.sighting.look(cards, seen=Seen(placed=known.placed))
        places = {each.zone for each in value.lies if isinstance(each, Place)}
        doubtful = any(isinstance(each, Chosen) or (isinstance(each, Place) and each.drawn) for each in value.lies)
        if not doubtful and all(map(Everybody(self.program).knows, value.told)) and not (value.by_face and value.lies):
            return set()
        named = all(isinstance(each, Place | Chosen) for each in value.lies)
        return places if places and named and not value.by_face else None

    def _is_followed(self, cards: ir.Expr, known: Known) -> bool:
        """Whether the seats together know which cards are meant."""
        slot = single(cards) or cards
        kept = self.sighting.slots.get(slot.index, OF_FACE) if isinstance(slot, ir.Slot) else None
        value = self.sighting.look(cards) if kept is None else kept
        unseen = {each for each in value.lies if isinstance(each, Place) and not is_seen(self.program.zones[each.zone])}
        if any(each.drawn for each in unseen):
            return False
        followed = isinstance(slot, ir.Slot) and slot.index in known.followed
        return followed or not (value.by_face or (kept is not None and unseen))

    # ---------------------------------------------------------------------------------------------- dataflow
    def run(self) -> None:
        """Solve the dataflow equations with a worklist."""
        self._known = {self.program.entry: NOBODY}
        waiting = [self.program.entry]
        while waiting:
            number = waiting.pop()
            known = self._follow(self.program.blocks[number], self._known[number])[-1]
            for after, there in self._ways(self.program.blocks[number].end, known):
                old = self._known.get(after)
                met = there if old is None else old.met(there)
                if met != old:
                    self._known[after] = met
                    waiting.append(after)

    def list_known(self) -> list[tuple[ir.Block, list[Known]]]:
        """Every reachable block, with what is known before each instruction and at the terminator."""
        self._keep_up()
        if self._listed is None:
            blocks = ((block, self._known.get(number)) for number, block in enumerate(self.program.blocks))
            self._listed = [(block, self._follow(block, known)) for block, known in blocks if known is not None]
        return self._listed

    def _follow(self, block: ir.Block, known: Known) -> list[Known]:
        """What is known before each instruction of a block and at its end."""
        found = [known]
        for instruction in block.instructions:
            found.append(self.after(instruction, found[-1]))
        return found

    def _ways(self, end: ir.Terminator, known: Known) -> Iterator[tuple[int, Known]]:
        """The successor blocks, with what is known there."""
        called = self.called_by(end)
        for kind, number in called:
            if kind == "step":
                yield self.program.steps[number].entry, known
            else:
                yield self.program.actions[number].entry, self._chosen(number, known, end)
        match end:
            case ir.Branch():
                yield end.yes, known
                yield end.no, known
            case ir.Jump():
                yield end.to, known
            case ir.Enter() | ir.Decide() | ir.Perform():
                for unit_key in called:
                    known = self._keep(known, self._units[unit_key])
                yield end.to, self._keep(known, self.changed_by(end))

    def _chosen(self, number: int, known: Known, end: ir.Terminator) -> Known:
        """What is known at the entry of an action: cards chosen just now still lie where they were chosen from."""
        slots = self.program.actions[number].pick_slots
        by_place = {slot for slot in slots if slot in self.sighting.slots and not self.sighting.slots[slot].by_face}
        if isinstance(end, ir.Perform):
            kept = {node.index for node in walk_expression(end.choice) if isinstance(node, ir.Slot)}
            return known if kept.isdisjoint(known.followed) else replace(known, followed=known.followed | by_place)
        if not isinstance(end, ir.Decide):
            return known
        names = {(self.program.actions[number].seat_slot, name) for name in known.list_names(end.seat)}
        lie_open = {slot for slot in by_place if self._lies_open(self.sighting.slots[slot].lies)}
        return replace(
            known,
            placed=known.placed | by_place,
            aliases=known.aliases | names,
            open=known.open | lie_open,
            followed=known.followed | by_place,
        )

    def _lies_open(self, lies: Secrets) -> bool:
        """Whether cards that are referenced by these places lie where all see them."""
        places = [each for each in lies if not isinstance(each, Chosen)]
        return bool(places) and all(
            isinstance(each, Place) and not each.drawn and is_visible(self.program.zones[each.zone]) for each in places
        )

    def _lie_covered(self, cards: ir.Expr, known: Known) -> bool:
        """Whether cards that are moved lie where not all see them, so that they are none of those that lie open."""
        value = self.sighting.look(cards, seen=Seen(placed=known.placed))
        return not value.by_face and all(
            isinstance(each, Place) and not is_visible(self.program.zones[each.zone]) for each in value.lies
        )

    def _are_open(self, zones: Iterable[int] | None) -> bool:
        return zones is not None and all(is_visible(self.program.zones[zone]) for zone in zones)

    def _keep(self, known: Known, changed: Changed) -> Known:
        """What is still known after a change."""
        spend(2 + len(known.shown) + len(known.aliases))

        def is_same(expr: Who) -> bool:
            return not isinstance(expr, ir.Expr) or not overlap(self.effects.reads(expr), changed.writes)

        def stays(what: What) -> bool:
            if isinstance(what, int):
                return what not in changed.slots
            if isinstance(what, Place):
                other = touched is None or what.zone in touched
                return not other and not (what.top and changed.moves) and is_same(what.owner)
            return is_same(what)

        if known == NOBODY:
            return known
        touched = _unite(changed.entered, changed.left)
        return Known(
            frozenset((what, who) for what, who in known.shown if stays(what) and is_same(who)),
            frozenset() if changed.moves else known.placed - changed.slots,
            frozenset((slot, expr) for slot, expr in known.aliases if slot not in changed.slots and is_same(expr)),
            known.open - changed.slots if not changed.moves or self._are_open(changed.entered) else frozenset(),
            frozenset() if changed.loses else known.followed - changed.slots,
            frozenset() if changed.entered is None else known.empty - changed.entered,
        )

    def after(self, instruction: ir.Instruction, known: Known) -> Known:
        """What is known after an instruction."""
        used = {use: expr for expr, use in self.nodes.uses(instruction)}
        changed = self.changed_by(instruction)
        learnt = self._learnt(instruction, used, known)
        left = self._find_left(instruction, known) if changed.left is None and known.shown else changed.left
        kept = self._keep(known, replace(changed, left=left))
        aliases, placed, lie_open, followed = kept.aliases, kept.placed, kept.open, kept.followed
        if known.open and Use.HANDLED in used and self._lie_covered(used[Use.HANDLED], known):
            lie_open = known.open - changed.slots
        value = used.get(Use.KEPT)
        drawn = used.get(Use.HANDLED) if isinstance(instruction, ir.Draw) else None
        is_drawn = drawn is not None and not self.sighting.look(drawn).by_face
        if _holds_choices(value) or is_drawn or _takes_from(value, known.followed):
            followed |= changed.slots
        if value is not None and not overlap(self.effects.reads(value), changed.writes):
            if holds_cards(value.type) or certain(value.type) == SEAT:
                aliases |= {(slot, value) for slot in changed.slots}
            if holds_cards(value.type) and not self.sighting.look(value, seen=known.seen_by(ANYBODY)).by_face:
                placed |= changed.slots
                followed |= changed.slots
                is_open = isinstance(value, ir.Slot) and value.index in known.open
                lie_open |= changed.slots if is_open or self._lies_open(self.sighting.look(value).lies) else set()
        if Use.HANDLED in used and Use.INTO in used and changed.entered and self._are_open(changed.entered):
            lie_open |= _slots_of(used[Use.HANDLED], known)
        if Use.HANDLED in used and changed.loses and self._is_followed(used[Use.HANDLED], known):
            followed = known.followed
        empty = kept.empty | (self._emptied(used) - (changed.entered or set()))
        return Known(kept.shown | learnt, placed, aliases, lie_open, followed, empty)

    def _emptied(self, used: dict[Use, ir.Expr]) -> frozenset[int]:
        """The zones that an instruction leaves empty."""
        if Use.GATHERED in used:
            kept = self.sighting.look(used[Use.GATHERED]).zones
            every = frozenset(range(len(self.program.zones)))
            return frozenset() if kept is None else every - {zone for zone, _ in kept}
        moved = used.get(Use.HANDLED) if Use.INTO in used else None
        whole = self._zones_shown(moved) if moved is not None and applies(moved, Op.CARDS) else ()
        return frozenset(each.zone for each in whole if not self.program.zones[each.zone].of)

    def _learnt(
        self, instruction: ir.Instruction, used: dict[Use, ir.Expr], known: Known
    ) -> frozenset[tuple[What, Who]]:
        """What an instruction shows, and to whom."""
        shown, moved, into, kept = (used.get(use) for use in (Use.SHOWN, Use.HANDLED, Use.INTO, Use.KEPT))
        if shown is not None:
            audience = used.get(Use.AUDIENCE)
            watchers = {ALL} if audience is None else self._list_watchers(audience)
            whats: set[What] = {*_slots_of(shown, known), *self._zones_shown(shown), shown, single(shown) or shown}
            return show_to(whats, watchers)
        if moved is not None and into is not None:
            target = self.sighting.look(into, seen=known.seen_by(ANYBODY)).zones
            watchers = self._who_sees_there(target, single(moved) is not None, instruction)
            return show_to(_slots_of(moved, known), watchers)
        gathered = used.get(Use.GATHERED)
        if gathered is not None:  # in deck order, which everybody knows
            zones = self.sighting.look(gathered).zones or frozenset()
            places = frozenset(Place(zone, False, owner) for zone, owner in zones)
            return show_to((place for place in places if len(places) == 1 and self._is_one(place)), {ALL})
        if kept is not None and holds_cards(kept.type) and known.shown and self.sighting.look(kept).lies:
            knows = {
                who
                for who in known.watchers
                if not self.sighting.look(kept, seen=known.seen_by(frozenset({who}))).lies
            }
            return show_to(self.changed_by(instruction).slots, knows)
        return frozenset()

    def _list_watchers(self, audience: ir.Expr) -> set[Who]:
        """Who is shown something for certain: nobody, if the list of seats may be empty."""
        seat = single(audience)
        if applies(audience, Op.SEATS):
            return {ALL}
        if seat is not None and self._is_sure(seat):
            return {seat}
        if applies(audience, Op.LIST, Op.JOIN):
            return {SOME} if all(self._is_sure(each) for each in audience.args) else set()
        return set()

    def _is_sure(self, seat: ir.Expr) -> bool:
        """Whether an expression denotes some seat at any time."""
        if certain(seat.type) != SEAT or seat.type != certain(seat.type):
            return False
        if isinstance(seat, ir.Apply):
            return bool(seat.args) and all(self._is_sure(each) for each in seat.args)
        if isinstance(seat, ir.StateRef):
            return seat.state not in self.unset
        return isinstance(seat, ir.Slot) or (isinstance(seat, ir.Const) and seat.value is not None)

    def _zones_shown(self, cards: ir.Expr) -> frozenset[Place]:
        """The zones, or top cards of zones, that are shown completely."""
        look = single(cards) or cards
        if not isinstance(look, ir.Apply) or not any(
            each.sight in (Sight.CARDS, Sight.TOP) for each in WORDS[look.word].reads or ()
        ):
            return frozenset()
        value = self.sighting.look(look)
        places = frozenset(each for each in value.lies if isinstance(each, Place))
        whole = len(places) == 1 and len(value.lies) == 1
        return frozenset(each for each in places if whole and self._is_one(each))

    def _is_one(self, place: Place) -> bool:
        """Whether a place denotes a single zone, not any member of a family."""
        zone = self.program.zones[place.zone]
        return not zone.many and (not zone.of or (len(zone.of) == 1 and place.owner is not None))

    def _who_sees_there(self, zones: Zones, alone: bool, instruction: Node) -> set[Who]:
        """Who sees cards that arrive in a zone."""
        under = any(getattr(instruction, name) for name, use in instruction.uses.items() if use is Use.UNDER)
        top = alone and not under
        if not zones:
            return set()
        if all(is_open(self.program.zones[zone], top=top) for zone, _ in zones):
            return {ALL}
        if not all(is_seen(self.program.zones[zone], top=top) for zone, _ in zones):
            return set()
        owners = {owner if is_known_to(self.program.zones[zone], top=top, owner=True, other=False) else None
                  for zone, owner in zones}
        return owners - {None, ACTOR, OTHER} if len(owners) == 1 and None not in owners else {SOME}


_SAYING_WHERE = {Use.HANDLED, Use.FROM, Use.TURNED, Use.EXCHANGED, Use.GATHERED}


def _holds_choices(value: ir.Expr | None) -> bool:
    """Whether an expression is a list of choices: it is empty at first, and then stores what seats choose."""
    return isinstance(value, ir.Const) and value.type.of is not None and value.type.of.kind == "choice"


def _takes_from(cards: ir.Expr | None, slots: frozenset[int]) -> bool:
    """Whether an expression takes its cards from these slots, and from nowhere else."""
    if cards is None or not slots or not holds_cards(cards.type):
        return False
    nodes = list(walk_expression(cards))
    held = [node for node in nodes if isinstance(node, ir.Slot | ir.Const | ir.StateRef) and holds_cards(node.type)]
    zones = any(isinstance(node, ir.ZoneRef | ir.Piles | ir.Call) for node in nodes)
    return bool(held) and not zones and all(isinstance(node, ir.Slot) and node.index in slots for node in held)


def _slots_of(cards: ir.Expr, known: Known) -> frozenset[int]:
    """The slots that hold exactly the cards an expression denotes."""
    meant = {cards, single(cards) or cards}
    own = {each.index for each in meant if isinstance(each, ir.Slot)}
    return frozenset(own | {slot for slot, expr in known.aliases if expr in meant})
