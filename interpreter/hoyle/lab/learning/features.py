"""What a learner is told of a decision, as numbers of the same meaning all through a game.

In: a program. Out: `Features`: the layout of an observation, with seats counted from the one that looks, and the tokens
that spell a choice. `hoyle.lab.bots.tables` hands the layout to native code; `hoyle.lab.learning.looking` follows it
in Python.

An observation has, for each zone whose cards may be seen, how often each face is, and of zones that lie open to
everybody the lowest and the highest card; of hands that all but their owners see which card lies at which place; for
every zone its size; for each state and total that the seat may know a block; how many cards of each face were seen
since the last shuffle and lie hidden now; which decision it is; and the last choices that everybody was told, the
newest first; and which seats everybody can work out from what lies open, such as who takes the trick as it lies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.base.dataclass import dataclass
from hoyle.lab.learning.policies import PolicyError
from hoyle.play.engine.actions import type_of_pick
from hoyle.play.view.names import Names, holds_cards
from hoyle.play.view.seeing import includes, mask_state, mask_zone
from hoyle.program.common_knowledge import CommonKnowledge, find_common
from hoyle.program.ir.layout import find_member
from hoyle.program.ir.nodes import Decide, Dimension, Program
from hoyle.program.ir.types import NUMBER, Type, certain

MOST_RECENT, MOST_SAID = 16, 6
SPOTS, LADDER, JOINT = 16, 24, 64
CARDS_AT_ONE = 8.0  # cards of a zone that are told as 1
PLACED = 6  # cards at the top of a zone told with their places
MOST_SMALL = 16  # a number of at most so many values has one input for each
MOST_TOKENS = 12
MOST_WORDS = 1 << 15  # tokens are kept as signed numbers of 16 bits
PICKS_OF_LIST = 8
A_NUMBER, ONE_OF, A_SEAT, A_TEAM, A_CARD, A_ZONE, A_RANGE = range(7)
WAYS = ("nothing", "all", "top_card", "face_up", "last_holder")
BY_CASE = 5
KINDS = {"seat": A_SEAT, "team": A_TEAM, "card": A_CARD, "zone": A_ZONE, "enum": ONE_OF, "truth": ONE_OF}


@dataclass(frozen=True, slots=True)
class Told:
    """How a value is told: its kind, the inputs of its block, and the least value of a small number."""

    kind: int
    domain: int
    low: int = 0
    listed: bool = False

    @property
    def size(self) -> int:
        return (3 if self.listed else 0) + (3 if self.kind == A_NUMBER and not self.listed else 0) + (
            0 if self.kind == A_NUMBER else self.domain
        )


@dataclass(frozen=True, slots=True)
class Pick:
    """How a pick is spelt: a token for each value, from `base` up, the last of which stands for none and the rest."""

    told: Told
    base: int
    is_range: bool = False


@dataclass(frozen=True, slots=True)
class ZoneTold:
    """Where a zone is told to one seat: the way it is seen, the faces, the size, the lowest and the highest card, the
    cards by place; -1 for what is not told."""

    way: int
    base: int
    size_at: int
    ends_at: int
    places_at: int
    cases: tuple[int, ...] = ()


class Features:
    """The layout for one program. `size` is the length of an observation, `vocabulary` the number of tokens; token 0
    fills rows up. A `plain` one leaves out what everybody can work out, as policies of the first kind do; what is told
    there is told in the same places."""

    def __init__(self, program: Program, *, plain: bool = False) -> None:
        self.program = program
        self.common = CommonKnowledge() if plain else find_common(program)
        self.players = program.players
        self.names = names = Names(program)
        self.sides = _number_sides(program.teams)
        places = {face: at for at, face in enumerate(dict.fromkeys(card.face for card in program.cards))}
        self.faces = [places[card.face] for card in program.cards]
        self.faces_many = len(places)
        self.enums = {enum.name: len(enum.values) for enum in program.enums}
        self.relative = [
            [self._turn_zone(zone, seat) for zone in range(len(names.zones))] for seat in range(program.players)
        ]
        self.inputs: list[str] = []  # what each input of an observation is, for people
        self._lay_out_zones()
        self._lay_out_values()
        self._lay_out_choices()
        self.exposed_at = self._add("seen before", self.faces_many)
        self.decisions = self._number_decisions()
        self.decisions_at = self._add("decision", max(self.decisions, default=-1) + 1)
        self.recent_many = min(MOST_RECENT, 4 * self.players)
        self.recent_of = self._number_recent()
        self.recent_size = self.players + max(self.recent_of) + 1
        self.recent_at = self._add("recent", self.recent_many * self.recent_size)
        self.common_at = self.size
        for number in self.common.seats:
            self._add(program.definitions[number].name, self.players)

    @property
    def size(self) -> int:
        return len(self.inputs)

    def _add(self, name: str, many: int) -> int:
        at = len(self.inputs)
        self.inputs += [f"{name} [{place}]" for place in range(many)]
        return at

    # ---------------------------------------------------------------------------------------------- seats, turned
    def _turn(self, dimensions: Sequence[Dimension], values: Sequence[int], seat: int) -> tuple[int, ...]:
        """The keys of a member of a family, with seats and teams counted from a seat."""
        return tuple(
            (value - seat) % self.players if each.kind == "seat"
            else (value - self.sides[seat]) % len(set(self.sides)) if each.kind == "team" else value
            for each, value in zip(dimensions, values, strict=True)
        )  # fmt: skip

    def _turn_zone(self, zone: int, seat: int) -> int:
        declared = self.names.zones[zone][0]
        many = declared.many or 1
        turned = find_member(declared.of, self._turn(declared.of, self.names.zone_values[zone], seat))
        assert turned is not None
        return declared.base + turned * many + (zone - declared.base) % many

    def _turn_state(self, index: int, seat: int) -> int:
        declared = self.names.states[index][0]
        turned = find_member(declared.of, self._turn(declared.of, self.names.state_values[index], seat))
        assert turned is not None
        return declared.base + turned

    # ---------------------------------------------------------------------------------------------- zones
    def _lay_out_zones(self) -> None:
        names, many = self.names, len(self.names.zones)
        ways = [[self._find_ways(zone, seat) for zone in range(many)] for seat in range(self.players)]
        seen: set[int] = set()
        for seat in range(self.players):
            seen |= {self.relative[seat][zone] for zone in range(many) if any(ways[seat][zone])}
        spots: dict[int, tuple[int, int, int, int]] = {}
        for zone in range(many):
            name, declared = names.name_zone(zone), names.zones[zone][0]
            is_open = declared.shows in ("all", "top_card") and not declared.cases and zone in seen
            base = self._add(f"{name}: face", self.faces_many) if zone in seen else -1
            ends = self._add(f"{name}: lowest, highest", 2 * self.faces_many) if is_open else -1
            # Whoever does not see his own cards plays them by place.
            is_played_by_place = declared.shows == "all_but_owner" and not declared.cases and zone in seen
            places = self._add(f"{name}: place", PLACED * self.faces_many) if is_played_by_place else -1
            spots[zone] = base, self._add(f"{name}: size", 2), ends, places
        self.zones = [
            [
                ZoneTold(ways[seat][zone][-1] if not names.zones[zone][0].cases else BY_CASE,
                         *spots[self.relative[seat][zone]], tuple(ways[seat][zone]))
                for zone in range(many)
            ]
            for seat in range(self.players)
        ]  # fmt: skip

    def _find_ways(self, zone: int, seat: int) -> list[int]:
        """How a seat sees a zone in each of its cases, the last where none of them holds."""
        declared, owners = self.names.zones[zone][0], self.names.zone_owners[zone]
        found = []
        for shows in (*(case.shows for case in declared.cases), declared.shows):
            mask = mask_zone(shows, owners, self.players)
            found.append(WAYS.index(shows) if mask is None else int(includes(mask, seat, self.players)))
        return found

    # ---------------------------------------------------------------------------------------------- states and totals
    def _lay_out_values(self) -> None:
        """`states[seat]` are the states that a seat may know, with the input where the block of each begins."""
        names, program = self.names, self.program
        self.told = [self._tell_state(index) for index in range(len(names.states))]
        bases = {
            index: self._add(names.name_state(index), self.told[index].size)
            for index, (state, _) in enumerate(names.states)
            if state.shows != "nothing"
        }
        self.states = [
            {
                index: bases[self._turn_state(index, seat)]
                for index, (state, _) in enumerate(names.states)
                if includes(mask_state(state, names.state_owners[index], self.players), seat, self.players)
            }
            for seat in range(self.players)
        ]
        self.number = Told(A_NUMBER, 0)
        starts = [self._add(column, 3 * self.players) for column in program.columns]
        seats = range(self.players)
        self.totals = [
            [[start + 3 * ((other - seat) % self.players) for other in seats] for start in starts] for seat in seats
        ]
        self.rounds_at = self._add("rounds played", 3)

    def _tell_state(self, index: int) -> Told:
        state = self.names.states[index][0]
        return self.tell(state.type, state.low, state.high)

    def tell(self, kind: Type, low: int | None = None, high: int | None = None) -> Told:
        """How a value of a type is told."""
        kind = certain(kind)
        listed = kind.kind == "list"
        if listed:
            kind = certain(kind.of) if kind.of is not None else NUMBER
        if kind.kind in KINDS:
            sizes = {"seat": self.players, "team": len(set(self.sides)), "card": self.faces_many,
                     "zone": len(self.names.zones), "truth": 2}  # fmt: skip
            return Told(KINDS[kind.kind], sizes.get(kind.kind) or self.enums.get(kind.name, 1), 0, listed)
        scale = next((scale for scale in self.program.scales if scale.name == kind.name), None)
        if scale is not None:
            low, high = scale.low, scale.high
        if low is not None and high is not None and high - low < MOST_SMALL:
            return Told(ONE_OF, high - low + 1, low, listed)
        return Told(A_NUMBER, 0, 0, listed)

    # ---------------------------------------------------------------------------------------------- choices
    def _lay_out_choices(self) -> None:
        """Tokens: 0 fills rows up, then each action, declining, the values of each pick of each action, the joint
        tokens: one of a few, by a hash, for a whole choice of several tokens; and at last marks: tests that everybody
        can make of the first card of a choice."""
        program = self.program
        self.decline = 1 + len(program.actions)
        at = self.decline + 1
        self.picks: list[list[Pick]] = []
        longest = 2
        for action in program.actions:
            spelt, length = [], 1
            for pick in action.picks:
                told, is_range = self.tell(type_of_pick(pick)), pick.least is not None
                if is_range:
                    told = Told(A_RANGE, 2 * LADDER + 1)  # how far up its range, and the number itself
                elif told.kind == A_NUMBER:
                    told = Told(A_NUMBER, MOST_SMALL + LADDER, 0, told.listed)
                elif told.kind == A_CARD:
                    told = Told(A_CARD, told.domain + SPOTS, 0, told.listed)
                told = Told(told.kind, told.domain + 1, told.low, told.listed)
                spelt.append(Pick(told, at, is_range))
                at += told.domain
                length += PICKS_OF_LIST if told.listed else 2 if is_range else 1
            self.picks.append(spelt)
            longest = max(longest, length + 1)
        self.joint_at = at
        self.marks_at = at + JOINT
        self.vocabulary = self.marks_at + len(self.common.marks)
        if self.vocabulary > MOST_WORDS:
            many = f"its choices are spelt in {self.vocabulary:,} tokens, of which at most {MOST_WORDS:,} can be told"
            raise PolicyError(f"{program.game} cannot be learnt: {many}")
        self.spelt = min(MOST_TOKENS, longest)
        self.tokens = self.spelt + len(self.common.marks)
        self.turns = [-1] * self.vocabulary
        for each in (each for spelt in self.picks for each in spelt):
            if each.told.kind == A_SEAT:
                for value in range(self.players):
                    self.turns[each.base + value] = each.base

    def _number_decisions(self) -> list[int]:
        """For each block the number of the decision it ends in, -1 for none."""
        ends = [block.end for block in self.program.blocks]
        return [end.decision if isinstance(end, Decide) else -1 for end in ends]

    def is_silent(self, block: int) -> bool:
        """Whether only the seat itself learns what it chooses at the end of a block."""
        end = self.program.blocks[block].end
        return isinstance(end, Decide) and (end.store is not None or self.program.decisions[end.decision].secret)

    def _number_recent(self) -> list[int]:
        """For each token its number among those of recent choices, -1 for none: choices of cards are told by where the
        cards lie."""
        found = [-1] * self.vocabulary
        numbers = iter(range(self.vocabulary))
        for number, action in enumerate(self.program.actions):
            if any(holds_cards(type_of_pick(pick)) for pick in action.picks):
                continue
            found[1 + number] = next(numbers)
            for spelt in self.picks[number]:
                skipped = LADDER + 1 if spelt.is_range else 0  # how far up is not told
                for token in range(spelt.base + skipped, spelt.base + spelt.told.domain):
                    found[token] = next(numbers)
        found[self.decline] = next(numbers)
        return found


def list_layouts(program: Program) -> Iterator[Features]:
    """The layouts that policies may be of, the newest first."""
    yield Features(program)
    yield Features(program, plain=True)


def _number_sides(teams: Sequence[int]) -> list[int]:
    numbers = {team: number for number, team in enumerate(sorted(set(teams)))}
    return [numbers[team] for team in teams]


def find_rung(number: int) -> int:
    """The place of a number on the ladder 0, 1, 2, 5, 10, 20, 50 …: of the highest rung that is not above it.

    >>> [find_rung(number) for number in (0, 1, 2, 4, 5, 10, 99, 100)]
    [0, 1, 2, 2, 3, 4, 6, 7]
    """
    rung, found, turn = 1, 0, 0
    while found < LADDER - 1 and rung <= number:
        found += 1
        rung = rung // 2 * 5 if turn == 1 else rung * 2
        turn = 0 if turn == 2 else turn + 1
    return found


def place_number(number: int) -> int:
    """The place of the token of a number: one each for small ones, then the rungs."""
    return max(number, 0) if number < MOST_SMALL else MOST_SMALL + find_rung(number)


def list_rungs(many: int) -> list[tuple[int, int]]:
    """The numbers below `many` that stand on the ladder, and the last, each with its token.

    >>> list_rungs(12)
    [(0, 0), (1, 1), (2, 2), (5, 3), (10, 4), (11, 24)]
    """
    found, rung, turn, number = [], 1, 0, 0
    for place in range(LADDER):
        if number >= many - 1:
            break
        found.append((number, place))
        number = rung
        rung = rung // 2 * 5 if turn == 1 else rung * 2
        turn = 0 if turn == 2 else turn + 1
    return [*found, (many - 1, LADDER)]


def join(tokens: Sequence[int], features: Features, marks: Sequence[int] = ()) -> list[int]:
    """A spelt choice with its joint token and marks, filled up."""
    row = list(tokens[: features.spelt - 1])
    if len(row) > 2:
        hashed = 0
        for token in row:
            hashed = (hashed ^ token) * 2654435761 & 0xFFFFFFFF
        row.append(features.joint_at + (hashed >> 16) % JOINT)
    row += marks
    return row + [0] * (features.tokens - len(row))
