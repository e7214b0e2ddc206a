"""The checked program: typed, first-order, flat. Both executors run this and nothing else.

Expressions are trees of the nodes below. Control flow is a list of blocks; each is a run of instructions and one
terminator. Nothing is held outside the position: loop counters, `let` names, picks and return places are numbered
slots of it, so that a position can be copied, compared, saved and resumed anywhere.

Two kinds of local names:
- `Slot(i)` is kept in the position (`let`, loops, picks while an action runs, the seat that acts);
- `Var(i)` lives only while one expression is evaluated (binders, parameters of definitions, and, in the clauses
  and domains of an action, the acting seat as 0 and its picks from 1 on). An evaluation has `frame` such places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from hoyle.ir.types import Type

ClauseId = int
BlockId = int


# ------------------------------------------------------------------------------------------------ expressions
@dataclass(frozen=True, slots=True, kw_only=True)
class Expr:
    """An expression. `text` is how the author wrote it, for explanations; it takes no part in equality."""

    type: Type
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Const(Expr):
    """A value known when the game is compiled."""

    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Var(Expr):
    """A binder, a parameter, the acting seat or a pick, in the frame of the expression."""

    index: int
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot(Expr):
    """A local name kept in the position."""

    index: int
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRef(Expr):
    """A declared state; `owner` is the seat whose it is, if it is a seat's. None if the owner is none."""

    state: int
    owner: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneRef(Expr):
    """A zone, as its number in the position: `zones[zone].base`, plus the owner. None if the owner is none."""

    zone: int
    owner: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Piles(Expr):
    """The piles of a family of zones that have cards, in the order of their places; with `new`, the first place that
    has none, or none. `owner` is whose family it is; if it is a list of seats, the piles of all of them, one after
    another."""

    zone: int
    owner: Expr | None
    new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute(Expr):
    """What is printed on a card: `tables[attribute][card]`. None where the card lacks it, or is none."""

    attribute: int
    card: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Expr):
    """A definition applied: evaluated in a frame of its own that begins with the arguments."""

    definition: int
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Apply(Expr):
    """A built-in word of `hoyle.words` applied to values."""

    word: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Expr):
    """One of two values; only the chosen one is evaluated."""

    test: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class OrElse(Expr):
    """The first value unless it is none, otherwise the second."""

    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Logic(Expr):
    """`and` / `or` over its parts, left to right, stopping early; `not` of one part."""

    op: Literal["and", "or", "not"]
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Expr):
    """An expression that is a clause of its own: what `why`, refusals and coverage speak of."""

    clause: ClauseId
    body: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One rule of preference: keep those with the highest (or lowest) key."""

    best: Literal["highest", "lowest"]
    key: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Those(Expr):
    """A list built from another: each element as `var`, kept where `where` holds, then only the best by `orders`
    (all of the best, in order), then turned into `value` (dropping none)."""

    var: int
    source: Expr
    where: Expr | None
    orders: tuple[Order, ...]
    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantified(Expr):
    """Whether some, every or no element satisfies the test; stops early."""

    how: Literal["some", "every", "no"]
    var: int
    source: Expr
    test: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class CanDo(Expr):
    """Whether the seat has a choice of the action that is possible (and, for `may`, allowed too)."""

    action: int
    seat: Expr
    how: Literal["can", "may"]


# ------------------------------------------------------------------------------------------------ instructions
@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One atomic change of the position; `clause` says which line of which rule it is."""

    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Gather(Instruction):
    """All cards of the deck into a zone, in the order of the deck."""

    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle(Instruction):
    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut(Instruction):
    """Chance divides the zone, leaving at least one card on each side; the lower part goes on top."""

    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Instruction):
    """`count` cards (None: all there are) to each of the zones in turn, `packet` at a time, off the top of `source`.
    `targets` is a list of zones in dealing order. Running short is a fault unless `up_to`."""

    count: Expr | None
    up_to: bool
    source: Expr
    targets: Expr
    packet: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Instruction):
    """Cards (a list) onto a zone in list order, or under it."""

    cards: Expr
    zone: Expr
    bottom: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOver(Instruction):
    """The zone upside down: its order reversed."""

    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap(Instruction):
    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Show(Instruction):
    """The seats (a list) learn the cards (a list); nothing moves."""

    cards: Expr
    seats: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class SetState(Instruction):
    """`value` None puts the state back to its start."""

    state: int
    owner: Expr | None
    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTo(Instruction):
    """A value joins (or leaves) a state that is a list of seats; seats are kept in seat order, each once."""

    state: int
    owner: Expr | None
    value: Expr
    remove: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Let(Instruction):
    slot: int
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Instruction):
    """Chance names one element of a list (`pick x at random from L`); from nothing is a fault."""

    slot: int
    source: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(Instruction):
    """`amount` is added to the seat's total in `column` (by number) and becomes an entry of the ledger.

    A row of a score table (`table` names it) that comes to 0 writes nothing; `parts` are the amounts it is made of, one
    for each group that scores, so that it can be counted aloud."""

    amount: Expr
    seat: Expr
    column: int
    label: str
    table: str = ""
    parts: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark(Instruction):
    """The seat's line of this round bears the mark (by number) from now on."""

    seat: Expr
    mark: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pay(Instruction):
    """Chips go from one pot to another: `amount` of them, or all there are (None). More than there are is a fault
    unless the pot may be in debt; nothing at all is no change."""

    amount: Expr | None
    source: int
    source_owner: Expr | None
    target: int
    target_owner: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire(Instruction):
    """The seat leaves the match: it is no longer among the seats, and neighbours are counted past it."""

    seat: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Instruction):
    """A public event; `value` may be of any type."""

    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Instruction):
    """Zones, states, totals, lines and last holders become what they were before the offence on record, and the record
    is cleared. Nothing happens if there is none. What seats have seen, chance, local names and the place in the program
    stay as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginRound(Instruction):
    """State that lasts a round goes back to its start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndRound(Instruction):
    """One more round has been played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(Instruction):
    """An `end` jumps out of steps and actions: these return slots of theirs become -1 (not running)."""

    slots: tuple[int, ...]


# ------------------------------------------------------------------------------------------------ terminators
@dataclass(frozen=True, slots=True, kw_only=True)
class Jump:
    to: BlockId


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """`clause` is the line whose condition this is."""

    test: Expr
    yes: BlockId
    no: BlockId
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide:
    """The game stops: `seat` chooses from `decision`.

    Without `store` the chosen action's effects run at once (as `Perform` does) and the game goes on at `to`.
    With `store` the choice, a tuple (action number, pick, …), is appended to the list in that slot, nobody is told,
    and the game goes on at `to`."""

    decision: int
    seat: Expr
    store: int | None
    to: BlockId
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Perform:
    """Run the effects of the stored choice `choice` (a value of a slot list) made by `seat`, then go on at `to`.
    A choice of `()` is a declined one and does nothing. With `decision` it is a claim made in a window: everybody is
    told of it now, and it may be an offence."""

    choice: Expr
    seat: Expr
    to: BlockId
    decision: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter:
    """Run a step as a subroutine: its return slot becomes `to`, the game goes on at its entry."""

    step: int
    to: BlockId


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """Go on at the block in the return slot, which becomes -1 (not running)."""

    slot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """The match is over."""


Terminator = Jump | Branch | Decide | Perform | Enter | Return | Finish


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    instructions: tuple[Instruction, ...]
    end: Terminator


# ------------------------------------------------------------------------------------------------ declarations
@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A named line of the rule file: where it stands, what it says, which rules it cites."""

    path: str
    file: str
    line: int
    column: int
    text: str
    cite: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A numbered rule of the game in our words, its place in the booklet, and whether it is stated there."""

    id: str
    text: str
    place: str
    status: Literal["stated", "follows", "ruling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Enum:
    """A type with named values; `shorts` are how the values are written in card codes."""

    name: str
    values: tuple[str, ...]
    shorts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAttribute:
    """`table[card]` is the value printed on the card, None where there is none."""

    name: str
    type: Type
    table: tuple[int | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card of the deck; cards with the same `face` cannot be told apart. `name` is that of a special card."""

    face: int
    code: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """Zones `base` to `base + size - 1` of the position: one, or one for each seat (`owner` is `seat`). A zone that
    shows `last_holder` shows each card to the last seat in whose zone it lay. With `many` it is a family of piles: so
    many places, for each seat if it is a seat's; those of seat s begin at `base + s * many`. The covered cards of a
    zone that is `remembered` were seen by all when they were laid: whoever acts may know them. A quiet zone is not
    worth a line to players while it is empty."""

    name: str
    owner: Literal["", "seat"]
    base: int
    size: int
    shows: Literal["nothing", "owner", "last_holder", "top_card", "all"]
    text: str
    clause: ClauseId
    quiet: bool = False
    many: int = 0
    remembered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """States `base` to `base + size - 1` of the position: one, or one for each seat (`owner` is `seat`) or for each
    value of the enumeration `owner`. `low` and `high` bound a number. A quiet state is not worth a line to players:
    neither its changes nor its value. A pot holds chips, which are only paid; with `debt` it may hold less than
    nothing."""

    name: str
    owner: str
    base: int
    size: int
    type: Type
    start: Any
    low: int | None
    high: int | None
    shows: Literal["owner", "all", "nothing"]
    lasts: Literal["round", "match"]
    clause: ClauseId
    quiet: bool = False
    pot: bool = False
    debt: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """A slot of the position: what it is for and what it holds."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    name: str
    params: tuple[Local, ...]
    type: Type
    body: Expr
    frame: int
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """A row of a score table: the definition that works it out, and, if it scores for each of several groups, those of
    the groups and of what each of them scores. `call` is what is called out before the running total."""

    name: str
    label: str
    call: str
    amount: int
    groups: int | None
    parts: int | None
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """Rows added up; `total` is the definition of the sum."""

    name: str
    total: int
    rows: tuple[ScoreRow, ...]
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One parameter of an action, chosen from `source` (a list) where `where` holds.

    `low`, `high`: how many are chosen together, None for exactly one; then the pick is a tuple of cards. Cards of
    equal face in the same zone are one choice; the first in the list stands for them all. `placed`: they may lie in
    several zones, so that it is always said in which.

    With `least` and `most` it is a number parameter: any number from one to the other, offered as a `range` and not
    one by one. Only the last pick of an action can be one; it has no `where`, and no condition reads it. `source`
    then says the same as a list, and is not evaluated."""

    name: str
    type: Type
    source: Expr
    where: Expr | None
    low: Expr | None
    high: Expr | None
    clause: ClauseId
    least: Expr | None = None
    most: Expr | None = None
    placed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What a seat may do. `possible` and `allowed` are the named conditions, all of which must hold, over the frame
    (seat, picks…, binders…). Effects: put the seat into `seat_slot`, the picks into `pick_slots`, enter `entry`."""

    name: str
    text: str
    picks: tuple[Pick, ...]
    possible: tuple[Named, ...]
    allowed: tuple[Named, ...]
    frame: int
    entry: BlockId
    return_slot: int
    seat_slot: int
    pick_slots: tuple[int, ...]
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An action offered in a tier, perhaps restricted; `where` is evaluated in the action's frame."""

    action: int
    where: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """`when` (over a frame that begins with the seat) decides whether the tier is looked at."""

    name: str
    clause: ClauseId
    when: Expr | None
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An ordered list of tiers: the first with a legal action binds. `optional`: the seat may decline. `window`:
    several seats are asked, each unseen, and the first that does not decline acts; one that can only decline is
    passed over."""

    name: str
    tiers: tuple[Tier, ...]
    optional: bool
    secret: bool
    frame: int
    clause: ClauseId
    window: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A named stretch of play: where it begins, where `end` jumps to, and where its return block is kept."""

    name: str
    entry: BlockId
    exit: BlockId
    return_slot: int
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """How a game is shown in a language: its title, how each card is written, and labels of actions, zones, states and
    pots, values and texts of the rule file. What is left out is shown as the file writes it."""

    language: str
    title: str
    cards: tuple[str, ...]
    actions: dict[str, str]
    zones: dict[str, str]
    states: dict[str, str]
    values: dict[str, str]
    messages: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A game compiled for a number of players and a set of options.

    `teams[seat]` is the number of the seat's team (its own where there are none). `keeps_lines`: positions keep the
    lines of the score sheet, because a rule or a mark needs them. `most` is what no total goes beyond, if there is a
    limit. `track` is the number of holes of the board the totals are pegged on, if there is one. `struck` (over a
    frame that begins with a line) says which lines of the score sheet are struck out, `column_totals` and `standing`
    (over a frame that begins with a seat) what stands below each column, and what the seat's score is; without them
    no line is struck, and the totals of the columns, or of the first, stand for themselves. `keeps_holders`:
    positions remember the last seat in whose zone each card lay, because a rule asks for it. `called`: everything
    possible is offered, and what was not allowed is an offence on record, for others to call."""

    game: str
    title: str
    players: int
    options: dict[str, Any]
    enums: tuple[Enum, ...]
    cards: tuple[Card, ...]
    attributes: tuple[CardAttribute, ...]
    zones: tuple[Zone, ...]
    start_zone: int
    states: tuple[State, ...]
    columns: tuple[str, ...]
    column_labels: tuple[str, ...]
    marks: tuple[str, ...]
    mark_labels: tuple[str, ...]
    keeps_lines: bool
    teams: tuple[int, ...]
    most: int | None
    slots: tuple[Local, ...]
    definitions: tuple[Definition, ...]
    scores: tuple[ScoreTable, ...]
    keeps_holders: bool
    actions: tuple[Action, ...]
    decisions: tuple[Decision, ...]
    steps: tuple[Step, ...]
    blocks: tuple[Block, ...]
    entry: BlockId
    frame: int
    winners: Expr
    clauses: tuple[Clause, ...]
    rules: dict[str, Rule]
    track: int | None = None
    struck: Expr | None = None
    column_totals: tuple[Expr, ...] = ()
    standing: Expr | None = None
    called: bool = False
    language: str = "en"
    labels: tuple[Labels, ...] = ()
