"""A tiny shedding game as hand-built IR, for tests of the engine alone.

Two suits of six numbers, and two wild cards. Each seat gets four cards and secretly lays one or two aside,
simultaneously; then seats play a card of the current suit or the number on top, or a wild card naming a suit, else
draw, else pass. An empty hand or a pass ends the round, which costs a point for each card left. Two rounds.
"""

from __future__ import annotations

from typing import Any

from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARD, CARDS, NUMBER, SEAT, SEATS, TRUTH, ZONE, Type, enum, list_of, maybe

SUIT = enum("suit")
PACK, PILE, HAND, ASIDE = range(4)
PLAYER, CALLED, LAID = range(3)
MATCH_RETURN, ROUND_RETURN, PLAY_RETURN, WILD_RETURN, DRAW_RETURN, PASS_RETURN, LAY_RETURN = range(7)
STORED = Type("list", "", Type("choice"))
ACTOR, CARD_PICKED, SUIT_PICKED, GROUP_PICKED, CHOICES, INDEX, LOSER = range(7, 14)


class Clauses:
    """Assigns numbers to clauses as they are named."""

    def __init__(self) -> None:
        self.made: list[ir.Clause] = []

    def __call__(self, path: str, text: str = "", *cite: str) -> int:
        line = len(self.made) + 1
        self.made.append(ir.Clause(path=path, file="tiny.game.yaml", line=line, column=1, text=text, cite=cite))
        return len(self.made) - 1


def const(value: Any, kind: Type = NUMBER) -> ir.Const:
    return ir.Const(type=kind, value=value, text=str(value))


def var(index: int, kind: Type, name: str) -> ir.Var:
    return ir.Var(type=kind, index=index, name=name, text=name)


def slot(index: int, kind: Type) -> ir.Slot:
    return ir.Slot(type=kind, index=index)


def apply(kind: Type, word: str, *args: ir.Expr, text: str = "") -> ir.Apply:
    return ir.Apply(type=kind, word=word, args=args, text=text)


def zone(number: int, owner: ir.Expr | None = None) -> ir.ZoneRef:
    return ir.ZoneRef(type=ZONE, zone=number, owner=owner, text=("pack", "pile", "hand", "aside")[number])


def state(number: int, kind: Type, owner: ir.Expr | None = None) -> ir.StateRef:
    return ir.StateRef(type=kind, state=number, owner=owner, text=("player", "called", "laid")[number])


def cards(of: ir.Expr) -> ir.Apply:
    return apply(CARDS, "cards", of, text=of.text)


def size(of: ir.Expr) -> ir.Apply:
    return apply(NUMBER, "size", of, text=f"count of {of.text}")


def listed(kind: Type, *parts: ir.Expr) -> ir.Apply:
    return apply(list_of(kind), "list", *parts)


def attribute(number: int, of: ir.Expr) -> ir.Attribute:
    name = ("suit", "number")[number]
    return ir.Attribute(type=maybe((SUIT, NUMBER)[number]), attribute=number, card=of, text=f"{name} of {of.text}")


SEAT_VAR = var(0, SEAT, "seat")
CARD_VAR = var(1, CARD, "card")
TOP = apply(maybe(CARD), "top", zone(PILE), text="top of pile")
IN_FORCE = ir.Call(type=maybe(SUIT), definition=0, args=(), text="suit_in_force")
SEATS_HERE = apply(SEATS, "seats")
HANDS = ir.Those(
    type=list_of(ZONE), var=0, source=apply(SEATS, "around", SEATS_HERE, const(1, SEAT)), where=None, orders=(),
    value=zone(HAND, var(0, SEAT, "seat")),
)  # fmt: skip
PLAYING = state(PLAYER, SEAT)
NO_HAND = ir.Quantified(
    type=TRUTH, how="some", var=0, source=SEATS_HERE, text="some hand is empty",
    test=apply(TRUTH, "no_cards", zone(HAND, var(0, SEAT, "seat"))),
)  # fmt: skip


def is_wild(card: ir.Expr) -> ir.Apply:
    return apply(TRUTH, "is_none", attribute(1, card), text="card is wild")


def make_actions(clause: Clauses) -> tuple[ir.Action, ...]:
    def action(name: str, entry: int, back: int, **parts: Any) -> ir.Action:
        told: dict[str, Any] = {
            "text": "", "picks": (), "possible": (), "allowed": (), "frame": 4, "seat_slot": ACTOR, "pick_slots": (),
        }  # fmt: skip
        number = clause(f"actions.{name}")
        return ir.Action(name=name, entry=entry, return_slot=back, clause=number, **{**told, **parts})

    def pick(of: str, name: str, kind: Type, source: ir.Expr, where: ir.Expr | None = None, low: int | None = None,
             high: int | None = None) -> ir.Pick:  # fmt: skip
        return ir.Pick(
            name=name, type=kind, source=source, where=where, clause=clause(f"actions.{of}.choose.{name}"),
            low=None if low is None else const(low), high=None if high is None else const(high),
        )  # fmt: skip

    def named(path: str, body: ir.Expr, *cite: str) -> ir.Named:
        return ir.Named(type=TRUTH, clause=clause(path, "", *cite), body=body, text=body.text)

    hand = cards(zone(HAND, SEAT_VAR))
    same_suit = apply(TRUTH, "equal", attribute(0, CARD_VAR), IN_FORCE, text="suit of card = suit_in_force")
    same_number = apply(TRUTH, "equal", attribute(1, CARD_VAR), attribute(1, TOP))
    follows = ir.Logic(
        type=TRUTH, op="or",
        parts=(
            named("actions.play.allowed.any.lead", apply(TRUTH, "no_cards", zone(PILE), text="pile is empty"), "T-1"),
            named("actions.play.allowed.any.suit", same_suit, "T-2"),
            named("actions.play.allowed.any.number", same_number, "T-3"),
        ),
    )  # fmt: skip
    pack_left = ir.Logic(type=TRUTH, op="not", parts=(apply(TRUTH, "no_cards", zone(PACK), text="pack is empty"),))
    not_wild = ir.Logic(type=TRUTH, op="not", parts=(is_wild(CARD_VAR),), text="card is not wild")
    suits = const((0, 1), list_of(SUIT))
    return (
        action(
            "play", 12, PLAY_RETURN, pick_slots=(CARD_PICKED,), picks=(pick("play", "card", CARD, hand, not_wild),),
            allowed=(named("actions.play.allowed", follows, "T-4"),),
        ),
        action(
            "wild", 13, WILD_RETURN, pick_slots=(CARD_PICKED, SUIT_PICKED),
            picks=(pick("wild", "card", CARD, hand, is_wild(CARD_VAR)), pick("wild", "named", SUIT, suits)),
        ),
        action("draw", 14, DRAW_RETURN, possible=(named("actions.draw.possible.left", pack_left),)),
        action("pass", 15, PASS_RETURN),
        action(
            "lay", 16, LAY_RETURN, pick_slots=(GROUP_PICKED,), picks=(pick("lay", "group", CARDS, hand, None, 1, 2),)
        ),
    )  # fmt: skip


def make_blocks(clause: Clauses) -> tuple[ir.Block, ...]:
    line = clause("steps.round")

    def block(end: ir.Terminator, *instructions: ir.Instruction) -> ir.Block:
        return ir.Block(instructions=instructions, end=end)

    actor, index = slot(ACTOR, SEAT), slot(INDEX, NUMBER)
    players_left = apply(TRUTH, "less", index, apply(NUMBER, "count", SEATS_HERE))
    next_index = ir.Let(clause=line, slot=INDEX, value=apply(NUMBER, "add", index, const(1)))
    pass_turn = ir.SetState(clause=line, state=PLAYER, owner=None, value=apply(SEAT, "left", PLAYING))
    clear = ir.SetState(clause=line, state=CALLED, owner=None, value=None)
    play = ir.Move(clause=line, cards=listed(CARD, slot(CARD_PICKED, CARD)), zone=zone(PILE), bottom=False)
    loser = slot(LOSER, NUMBER)
    losers_left = apply(TRUTH, "less", loser, apply(NUMBER, "count", SEATS_HERE))
    both_played = apply(TRUTH, "at_least", apply(NUMBER, "rounds_played"), const(2))
    stored = slot(CHOICES, STORED)
    return (
        block(ir.Enter(step=0, to=1)),
        block(ir.Finish()),
        # 2: match
        block(ir.Branch(test=both_played, yes=17, no=3, clause=line)),
        block(ir.Enter(step=1, to=2)),
        # 4: round
        block(
            ir.Jump(to=5),
            ir.BeginRound(clause=line),
            ir.Gather(clause=line, zone=zone(PACK)),
            ir.Shuffle(clause=clause("steps.round.shuffle", "", "T-5"), zone=zone(PACK)),
            ir.Cut(clause=line, zone=zone(PACK)),
            ir.Deal(clause=line, count=const(4), up_to=False, source=zone(PACK), targets=HANDS, packet=const(1)),
            ir.Deal(clause=line, count=const(3), up_to=False, source=zone(PACK), targets=listed(ZONE, zone(PILE)),
                    packet=const(1)),
            ir.SetState(clause=line, state=PLAYER, owner=None, value=const(1, SEAT)),
            ir.Let(clause=line, slot=CHOICES, value=const((), STORED)),
            ir.Let(clause=line, slot=INDEX, value=const(0)),
        ),
        block(ir.Branch(test=players_left, yes=6, no=8, clause=line)),
        block(ir.Decide(decision=0, seat=index, store=CHOICES, to=7, clause=clause("steps.round.together"))),
        block(ir.Jump(to=5), next_index),
        block(ir.Jump(to=9), ir.Let(clause=line, slot=INDEX, value=const(0))),
        block(ir.Branch(test=players_left, yes=10, no=11, clause=line)),
        block(ir.Perform(choice=apply(Type("choice"), "element", stored, index), seat=index, to=18)),
        block(ir.Decide(decision=1, seat=PLAYING, store=None, to=19, clause=clause("steps.round.turn"))),
        # 12: effects of play, wild, draw, pass, lay
        block(ir.Jump(to=20), play, clear),
        block(ir.Jump(to=21), play, ir.SetState(clause=line, state=CALLED, owner=None, value=slot(SUIT_PICKED, SUIT))),
        block(
            ir.Return(slot=DRAW_RETURN),
            ir.Move(clause=line, cards=apply(CARDS, "last_few", const(1), cards(zone(PACK))), zone=zone(HAND, actor),
                    bottom=False),
        ),
        block(ir.Jump(to=25), ir.Announce(clause=line, value=actor), ir.Leave(clause=line, slots=(PASS_RETURN,))),
        block(
            ir.Return(slot=LAY_RETURN),
            ir.Move(clause=line, cards=slot(GROUP_PICKED, CARDS), zone=zone(ASIDE, actor), bottom=False),
            ir.SetState(clause=line, state=LAID, owner=actor, value=apply(NUMBER, "count", slot(GROUP_PICKED, CARDS))),
        ),
        # 17: exit of match; 18, 19: loops
        block(ir.Return(slot=MATCH_RETURN)),
        block(ir.Jump(to=9), next_index),
        block(ir.Jump(to=11), pass_turn),
        # 20, 21: does playing end the round?
        block(ir.Branch(test=NO_HAND, yes=22, no=23, clause=line)),
        block(ir.Branch(test=NO_HAND, yes=22, no=24, clause=line)),
        block(ir.Jump(to=25), ir.Leave(clause=line, slots=(PLAY_RETURN, WILD_RETURN))),
        block(ir.Return(slot=PLAY_RETURN)),
        block(ir.Return(slot=WILD_RETURN)),
        # 25: scores
        block(ir.Jump(to=26), ir.Let(clause=line, slot=LOSER, value=const(0, SEAT))),
        block(ir.Branch(test=losers_left, yes=27, no=28, clause=line)),
        block(
            ir.Jump(to=26),
            ir.Score(clause=line, amount=size(zone(HAND, loser)), seat=loser, column=0, label="cards left"),
            ir.Let(clause=line, slot=LOSER, value=apply(NUMBER, "add", loser, const(1))),
        ),
        block(ir.Return(slot=ROUND_RETURN), ir.EndRound(clause=line)),
    )  # fmt: skip


def make_program(players: int = 2) -> ir.Program:
    """Build the game; the deck is too small for more than two players."""
    clause = Clauses()
    faces = [(suit, number) for suit in (0, 1) for number in (1, 2, 3, 4, 5, 6)]
    deck = [ir.Card(face=i, code="AB"[suit] + str(number), name="") for i, (suit, number) in enumerate(faces)]
    deck += [ir.Card(face=len(faces), code="W", name="wild")] * 2
    plain = clause("deck")

    seats = (ir.Dimension(kind="seat", name="seat", low=0, size=players),)

    def declare_zone(name: str, base: int, shows: Any, owned: bool = False) -> ir.Zone:
        return ir.Zone(
            name=name, of=seats if owned else (), base=base, size=players if owned else 1, shows=shows, text="",
            clause=plain,
        )  # fmt: skip

    def declare_state(name: str, base: int, kind: Type, start: Any, **parts: Any) -> ir.State:
        told: dict[str, Any] = {"of": (), "size": 1, "low": None, "high": None, "shows": "all", "lasts": "round"}
        return ir.State(name=name, base=base, type=kind, start=start, clause=plain, **{**told, **parts})

    free = clause("choices.turn.free", "A card that fits must be played.", "T-6")
    total = apply(NUMBER, "score", var(0, SEAT, "seat"))
    actions = make_actions(clause)

    def tier(name: str, number: int, *offered: int) -> ir.Tier:
        return ir.Tier(name=name, clause=number, when=None, items=tuple(ir.Item(action=a, where=None) for a in offered))

    names = ("match", "round", "play", "wild", "draw", "pass", "lay", "actor", "card", "named", "group", "choices")
    kinds = (NUMBER,) * 7 + (SEAT, CARD, SUIT, CARDS, STORED)
    return ir.Program(
        game="tiny",
        title="Tiny",
        players=players,
        options={"rounds": 2},
        enums=(ir.Enum(name="suit", values=("ash", "birch"), shorts=("A", "B")),),
        scales=(),
        cards=tuple(deck),
        attributes=(
            ir.CardAttribute(name="suit", type=SUIT, table=(*(suit for suit, _ in faces), None, None)),
            ir.CardAttribute(name="number", type=NUMBER, table=(*(number for _, number in faces), None, None)),
        ),
        zones=(
            declare_zone("pack", 0, "nothing"),
            declare_zone("pile", 1, "top_card"),
            declare_zone("hand", 2, "owner", owned=True),
            declare_zone("aside", 2 + players, "owner", owned=True),
        ),
        start_zone=PACK,
        states=(
            declare_state("player", 0, SEAT, None),
            declare_state("called", 1, maybe(SUIT), None),
            declare_state("laid", 2, NUMBER, 0, of=seats, size=players, low=0, high=2, shows="owner"),
        ),
        columns=("score",),
        slots=tuple(
            ir.Local(name=name, type=kind)
            for name, kind in zip((*names, "index", "loser"), (*kinds, NUMBER, NUMBER), strict=True)
        ),
        most=None,
        column_labels=("score",),
        marks=(),
        mark_labels=(),
        keeps_lines=False,
        teams=tuple(range(players)),
        scores=(),
        keeps_holders=False,
        definitions=(
            ir.Definition(
                name="suit_in_force", params=(), type=maybe(SUIT), frame=0, clause=plain,
                body=ir.OrElse(type=maybe(SUIT), first=state(CALLED, maybe(SUIT)), second=attribute(0, TOP)),
            ),
        ),
        actions=actions,
        decisions=(
            ir.Decision(
                name="aside", tiers=(tier("lay", clause("choices.aside.lay"), 4),), optional=False, secret=True,
                frame=1, clause=clause("choices.aside"),
            ),
            ir.Decision(
                name="turn",
                tiers=(tier("free", free, 0, 1), tier("draw", clause("choices.turn.draw"), 2),
                       tier("pass", clause("choices.turn.pass"), 3)),
                optional=False, secret=False, frame=1, clause=clause("choices.turn"),
            ),
        ),
        steps=(
            ir.Step(name="match", entry=2, exit=17, return_slot=MATCH_RETURN, clause=plain),
            ir.Step(name="round", entry=4, exit=25, return_slot=ROUND_RETURN, clause=plain),
        ),
        blocks=make_blocks(clause),
        entry=0,
        frame=2,
        winners=ir.Those(
            type=SEATS, var=0, source=SEATS_HERE, where=None, orders=(ir.Order(best="lowest", key=total),), value=None
        ),
        clauses=tuple(clause.made),
        rules={"T-6": ir.Rule(id="T-6", text="What fits is played.", place="p. 1", status="stated")},
    )  # fmt: skip
