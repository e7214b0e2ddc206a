"""Secrets hold against a file made to tell them: every way is refused by the checker, and without the checker a redeal
of what cannot be known shows that it tells something.

The two know nothing of each other: the checker reads the rules, the redeal plays them (`secrecy.py`).
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

import hoyle
from hoyle import specialise
from hoyle.analyse.leaks import find_leaks
from hoyle.analyse.outline import draw_outline
from hoyle.compile import compile_game
from hoyle.engine.game import Game
from hoyle.ir.nodes import Program
from secrecy import Told, watch_match

Patch = dict[str, Any]


class _Lines(yaml.SafeDumper):
    """Writes texts of several lines as blocks, as authors do."""


def _write_text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Lines.add_representer(str, _write_text)

BASE: Patch = {
    "game": "told",
    "title": "Told",
    "players": "2..3",
    "deck": {
        "starts_in": "pack",
        "attributes": {"rank": "1..6", "suit": {"red": "R", "blue": "B", "green": "G"}},
        "cards": [{"rank": "1..6", "suit": ["red", "blue", "green"]}],
    },
    "zones": {
        "pack": {"shows": "nothing"},
        "pile": {"shows": "top_card"},
        "row": {"shows": "all"},
        "crib": {"shows": "last_holder"},
        "heap": {"of": "seat", "shows": "top_card", "remembered": "all"},
        "hand": {"of": "seat", "shows": "owner"},
    },
    "state": {
        "called": {"type": "suit or none", "lasts": "match"},
        "secret": {"type": "number", "shows": "nothing"},
        "bid": {"of": "seat", "type": "number", "shows": "owner"},
    },
    "actions": {
        "play": {"choose": {"card": "hand"}, "do": "move card to pile"},
        "lay": {"choose": {"card": "hand"}, "do": "move card to heap"},
        "tell": {},
        "pass": {},
    },
    "steps": {
        "match": "repeat 4 times: do round\n",
        "round": "gather pack\nshuffle pack\ndeal 3 cards from pack to each hand, starting left of dealer\n"
        "move top of pack to crib\nmove top of pack to pile\ndo turns\ndo usual\nset dealer to left of dealer\n",
        "turns": "dealer chooses pass\n",
        "usual": "for each seat from left of dealer: seat chooses play or lay or tell or pass\n",
    },
    "winners": "(seat in seats with highest score of seat)",
}


def merge(base: Patch, patch: Patch) -> Patch:
    """The base with what differs."""
    found = dict(base)
    for key, value in patch.items():
        held = found.get(key)
        found[key] = merge(held, value) if isinstance(held, dict) and isinstance(value, dict) else value
    return found


def write(folder: Path, patch: Patch) -> Path:
    path = folder / "told.game.yaml"
    path.write_text(yaml.dump(merge(BASE, patch), Dumper=_Lines, sort_keys=False, allow_unicode=True), "utf-8")
    return path


def action(**said: Any) -> Patch:
    return {"actions": {"tell": said}}


def turns(text: str) -> Patch:
    return {"steps": {"turns": text}}


# What a seat may do depends on what it cannot see.
OFFERS: dict[str, Patch] = {
    "the zone of a card": action(possible="zone of 6R = pack"),
    "the place of a card": action(possible="place of 6R > 3"),
    "the last holder of a card": action(possible="last_holder of 6R = left of seat"),
    "a card in the zone of another": action(allowed="6B is in zone of 6R"),
    "the top of the zone of a card": action(allowed="rank of top of zone of 6R > 3"),
    "what lies under an open card": merge(
        action(choose={"card": "face_up of pile"}, allowed="no buried in zone of card satisfies (rank of buried = 6)"),
        turns("move top 2 of pack to pile\n"),
    ),
    "a pick from the zone of a card": action(choose={"card": "zone of 6R"}),
    "a pick from a zone by its cards": action(choose={"card": "hand where place of 6R > 2"}),
    "a pick from the pack": action(choose={"card": "top 1 of pack"}),
    "bounds of a number": action(choose={"amount": "0..(rank of top of pack or else 0) + 90"}),
    "a covered card": merge(
        action(forbidden={"low": "some card in pile satisfies (rank of card = 6)"}),
        turns("move top 2 of pack to pile\n"),
    ),
    "another hand": action(forbidden={"held": "6R is in hand of left of seat"}),
    "another hand by a definition": {
        "definitions": {"holder": "first of (seat in seats where 6R is in hand)"},
        "actions": {"tell": {"possible": "holder = left of seat"}},
    },
    "a hidden state": merge(
        action(possible="secret > 3"), turns("set secret to rank of top of pack or else 0\n")
    ),
    "the state of another": merge(
        action(possible="bid of left of seat > 3"),
        turns("for each seat: set bid to highest rank of hand or else 0\n"),
    ),
    "a tier": {
        "choices": {"turn": {"first": {"when": "place of 6R > 2", "offer": "tell"}, "then": {"offer": "play or pass"}}},
        **turns("for each seat from left of dealer: seat chooses turn\n"),
    },
    "a menu": turns("for each seat: seat chooses play or tell where zone of 6R = pack or pass\n"),
    "what another may do": {
        "actions": {
            "play": {"allowed": "rank of card > 3"},
            "tell": {"possible": "left of seat may play"},
        }
    },
    "what another chose in secret": {
    "actions": {
        "write": {"choose": {"amount": "1..9"}, "do": "set bid to amount"},
        "tell": {"possible": "bid of left of seat > 4"},
    },
        **turns("seats choose write together\n"),
    },
}

# What happens depends on what nobody sees.
COURSE: dict[str, Patch] = {
    "what is asked": turns("if rank of top of pack > 3: dealer chooses tell or pass\n"),
    "how often": turns("repeat (rank of top of pack or else 0) times: dealer chooses tell or pass\n"),
    "until when": turns("repeat at most 9 times until rank of top of pack > 3: move top of pack to crib\n"),
    "who is asked": turns("(left of dealer if rank of top of pack > 3 otherwise dealer) chooses tell or pass\n"),
    "an announcement": turns("announce rank of top of pack\n"),
    "whether one is made": turns('if top of pack is in (6R, 6B, 6G): announce "a six"\n'),
    "a score": turns("score (rank of top of pack or else 0) to dealer\n"),
    "a public state": turns("set called to suit of top of pack\n"),
    "an owner's state": turns("set bid of dealer to rank of top of pack or else 0\n"),
    "how many cards move": turns("move (card in pack where rank of card > 3) to crib\n"),
    "a loop over cards": turns('for each card in (card in pack where rank of card > 3): announce "one"\n'),
    "a crib card nobody held": turns('if rank of top of crib > 3: announce "high"\n'),
    "a card that came covered": {
        "zones": {"stash": {"shows": "top_card"}},
        **turns('move top 2 of pack to stash\ndealer chooses pass\nif rank of bottom of stash > 3: announce "high"\n'),
    },
    "a name for a hidden number": turns('let n be rank of top of pack\nif n > 3: announce "high"\n'),
    "a hidden state": turns('set secret to rank of top of pack or else 0\nif secret > 3: announce "high"\n'),
    "an argument of a step": {
        "steps": {
            "turns": "do say of (rank of top of pack or else 0)\n",
            "say of number": 'if number > 3: announce "high"\n',
        }
    },
    "an end": {"ends": {"turns": "rank of top of pack > 3"}},
    "where a card is": turns('if zone of 6R = pack: announce "in the pack"\n'),
    "the zone of a card that is shown": turns(
        "show top of pack to seats\ndealer chooses pass\n"
        'if rank of bottom of zone of top of pack > 3: announce "high"\n'
    ),
    "something shown and then shuffled": turns(
        'show top of pack to seats\nshuffle pack\ndealer chooses pass\nif rank of top of pack > 3: announce "high"\n'
    ),
    "something shown and then moved": turns(
        "show top of pack to seats\nmove top of pack to crib\ndealer chooses pass\n"
        'if rank of top of pack > 3: announce "high"\n'
    ),
    "the winners": {"winners": "(seat in seats where rank of top of pack > 3)"},
}

# The score sheet is open to all at any time.
SHEET: dict[str, Patch] = {
    "the hand of a seat": {"ledger": {"standing": "sum rank of hand"}},
    "the pack": {"ledger": {"standing": "rank of top of pack or else 0"}},
}

# All are said to remember what not all have seen.
BURIED = action(forbidden={"six": "some buried in heap of left of seat satisfies (rank of buried = 6)"})
REMEMBERED: dict[str, Patch] = {
    "two at once": merge(BURIED, turns("for each seat: move top 2 of pack to heap\n")),
    "a deal of two": merge(BURIED, turns("deal 2 cards from pack to each heap, starting dealer\n")),
    "under what lies there": merge(
        BURIED, turns("for each seat:\n  move top of pack to heap\n  move top of pack to bottom of heap\n")
    ),
    "an exchange": merge(BURIED, turns("for each seat: swap heap with hand\n")),
    "a shuffle": merge(
        action(forbidden={"six": "rank of bottom of heap of left of seat = 6"}),
        turns(
            "for each seat:\n  repeat 3 times: move top of pack to heap\n"
            "for each seat: shuffle heap\n"
        ),
    ),
    "a hidden zone": {
        "zones": {"won": {"of": "seat", "shows": "nothing", "remembered": "all"}},
        "actions": {
            "play": {"do": "move card to won"},
            "tell": {"forbidden": {"six": "some card in won of left of seat satisfies (rank of card = 6)"}},
        },
    },
}

# Whether rules were broken depends on cards the others cannot see.
CALLED: dict[str, Patch] = {
    "an offence": {
        "errors": "called",
        "actions": {
            "play": {"allowed": "rank of card = highest rank of hand"},
            "call": {"possible": "offender is not none", "do": "take back"},
        },
        **turns(
            "for each seat from left of dealer:\n  seat chooses play or pass\n"
            "  for each other in seats where other != seat: other chooses call or pass\n"
        ),
    },
}

ALL: dict[str, tuple[Patch, str]] = {
    f"{kind}: {name}": (patch, code)
    for kind, code, cases in (
        ("offers", "leak", OFFERS),
        ("course", "unseen", COURSE),
        ("sheet", "leak", SHEET),
        ("remembered", "not-remembered", REMEMBERED),
        ("called", "leak", CALLED),
    )
    for name, patch in cases.items()
}

# What nobody could carry out without looking at what nobody sees, although a redeal cannot tell.
LOOKED_AT: dict[str, Patch] = {
    "which cards move": turns("move first of (card in pack where rank of card > 3) to row\n"),
    "chance": turns("pick lifted at random from (card in pack where rank of card > 3)\nmove lifted to crib\n"),
}

# What stays sayable, each close to something that is refused.
SAYABLE: dict[str, Patch] = {
    "whoever holds a card is asked": turns(
        "for each seat where 6R is in hand: seat chooses tell or pass\n"
        "set dealer to first of (seat in seats where 1R is in hand) or else dealer\ndealer chooses tell or pass\n"
    ),
    "a player answers for his hand": turns(
        'for each seat:\n  if some card in hand satisfies (rank of card = 6): announce "yes"\n'
    ),
    "cards left in hand are scored": turns("for each seat: score sum rank of hand to seat\n"),
    "the deck is sorted before it is shuffled": turns(
        "gather pack\nmove (card in pack where rank of card = 6) to row\nshuffle pack\n"
    ),
    "a card turned up decides": turns(
        "let turned be top of pack\nmove top of pack to row\nif rank of turned > 3: dealer chooses tell or pass\n"
    ),
    "a card drawn by chance decides once it lies open": turns(
        'pick lifted at random from pack\nmove lifted to row\nif rank of lifted > 3: announce "high"\n'
    ),
    "what is shown decides": turns(
        "show top of pack to seats\nif rank of top of pack > 3: announce rank of top of pack\n"
    ),
    "what one seat is shown decides": turns(
        "show top of pack to dealer\nif rank of top of pack > 3: dealer chooses tell or pass\n"
    ),
    "a card drawn into a hand decides": turns(
        "let drawn be top of pack\nmove top of pack to hand of dealer\n"
        "if rank of drawn > 3: dealer chooses tell or pass\n"
    ),
    "the place of a card in one's own hand": action(choose={"card": "hand"}, allowed="place of card = 1"),
    "the place of a card as it is chosen": action(
        choose={"card": "hand"}, do="if place of card = 1: announce \"the last\"\nmove card to row\n"
    ),
    "whether a card is that of a place": action(
        choose={"card": "hand"}, possible="no other in hand satisfies (other = top of pile)"
    ),
    "who laid what lies open": {
        "actions": {"play": {"do": "move card to row"}, "tell": {"possible": "last_holder of top of row != seat"}}
    },
    "what is laid one by one is remembered": BURIED,
    "what lay open is remembered": {
        "zones": {"won": {"of": "seat", "shows": "nothing", "remembered": "all"}},
        "actions": {
            "play": {"do": "move card to row"},
            "tell": {"forbidden": {"six": "some card in won of left of seat satisfies (rank of card = 6)"}},
        },
        **turns("move row to won of dealer\n"),
    },
    "a covered card that all saw come": turns(
        'move top of pack to pile\nif rank of bottom of pile > 3: announce "high"\n'
    ),
    "face-down cards that somebody laid there": {
        "zones": {"won": {"shows": "nothing"}},
        "actions": {"play": {"do": "move card to won"}},
        **turns("for each seat: seat chooses play\nscore sum rank of won to dealer\n"),
    },
    "a hidden state that holds nothing hidden": turns(
        'set secret to rank of top of pile or else 0\nif secret > 3: announce "high"\n'
    ),
    "whether one has broken a rule oneself": {
        "errors": "called",
        "actions": {
            "play": {"allowed": "rank of card = highest rank of hand"},
            "call": {"possible": "seat != offender", "do": "take back"},
        },
        **turns(
            "for each seat from left of dealer:\n  seat chooses play or pass\n"
            "  offer call to any other in seats from left of seat\n"
        ),
    },
}


def compile_unchecked(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Program | None, set[str]]:
    """The program of a file, with whatever it tells, and the codes of what else is wrong with it."""
    with monkeypatch.context() as patched:
        patched.setattr(specialise, "find_leaks", lambda program: [])
        patched.setattr(specialise, "_SOUND", {})  # what is found now holds for no other check
        program, report = compile_game(path)
    return program, {found.code for found in report.diagnostics}


@pytest.mark.parametrize("name", ALL)
def test_a_file_that_tells_a_secret_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    patch, code = ALL[name]
    program, others = compile_unchecked(write(tmp_path, patch), monkeypatch)
    assert program is not None, others
    found = find_leaks(program)
    assert {each.code for each in found} == {code}
    outline = replace(draw_outline(program), clauses=program.clauses)  # by which findings are told
    assert find_leaks(outline) == found, "of programs with one outline one is analysed"


@pytest.mark.share
@pytest.mark.parametrize("name", ALL)
def test_a_file_that_is_refused_would_tell_a_secret(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, others = compile_unchecked(write(tmp_path, ALL[name][0]), monkeypatch)
    assert program is not None, others
    game = Game(program, executor="reference")
    with pytest.raises(Told):
        for seed in range(60):
            watch_match(game, seed, 16, 16)


@pytest.mark.parametrize("name", LOOKED_AT)
def test_nobody_looks_at_what_nobody_sees(name: str, tmp_path: Path) -> None:
    _, report = compile_game(write(tmp_path, LOOKED_AT[name]))
    assert {found.code for found in report.diagnostics} == {"unseen"}


@pytest.mark.parametrize("name", SAYABLE)
def test_what_players_can_carry_out_stays_sayable(name: str, tmp_path: Path) -> None:
    program, report = compile_game(write(tmp_path, SAYABLE[name]), 3)
    assert program is not None, [found.message for found in report.diagnostics]


@pytest.mark.share
@pytest.mark.parametrize("name", SAYABLE)
def test_what_players_can_carry_out_tells_nothing(name: str, tmp_path: Path) -> None:
    program, _ = compile_game(write(tmp_path, SAYABLE[name]), 3)
    assert program is not None
    game = Game(program, executor="reference")
    for seed in range(3):
        watch_match(game, seed, 16, 10)


# ------------------------------------------------------------------------------------------------ files by chance
ZONES = ("pack", "pile", "row", "crib")
OWNED = ("hand", "heap")


class Author:
    """Writes rule files by chance: conditions and values that may look anywhere, in every place where a rule can."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def pick(self, *forms: str) -> str:
        return self.chance.choice(forms)

    def zone(self, seat: str) -> str:
        owner = self.pick(seat, f"left of {seat}")
        return self.pick(*ZONES, *(f"{zone} of {owner}" for zone in OWNED))

    def card(self, seat: str) -> str:
        return self.pick(
            f"top of {self.zone(seat)}",
            f"bottom of {self.zone(seat)}",
            self.pick("6R", "1B", "3G"),
            f"top of zone of {self.pick('6R', '2B')}",
            f"first of (held in {self.zone(seat)} where rank of held > {self.chance.randint(1, 5)})",
        )

    def number(self, seat: str) -> str:
        return self.pick(
            f"(rank of {self.card(seat)} or else 0)",
            f"count of {self.zone(seat)}",
            f"(place of {self.card(seat)} or else 0)",
            f"sum rank of {self.zone(seat)}",
            f"count of (held in {self.zone(seat)} where suit of held is red)",
            "secret",
            f"bid of {self.pick(seat, f'left of {seat}')}",
        )

    def test(self, seat: str) -> str:
        return self.pick(
            f"{self.number(seat)} > {self.chance.randint(1, 6)}",
            f"{self.card(seat)} is in {self.zone(seat)}",
            f"zone of {self.card(seat)} = {self.zone(seat)}",
            f"last_holder of {self.card(seat)} = {self.pick(seat, f'left of {seat}')}",
            f"some held in {self.zone(seat)} satisfies (rank of held > {self.chance.randint(1, 5)})",
            f"{self.card(seat)} = {self.card(seat)}",
        )

    def happening(self) -> str:
        return self.pick(
            f"if {self.test('dealer')}: dealer chooses tell or pass\n",
            f'if {self.test("dealer")}: announce "so"\n',
            f"announce {self.number('dealer')}\n",
            f"score {self.number('dealer')} to dealer\n",
            f"set secret to {self.number('dealer')}\n",
            f"set bid of dealer to {self.number('dealer')}\n",
            "show top of pack to seats\n",
            f"move top {self.chance.randint(1, 2)} of pack to {self.zone('dealer')}\n",
            f"move {self.zone('dealer')} to {self.zone('dealer')}\n",
            f"shuffle {self.zone('dealer')}\n",
            f"turn over {self.zone('dealer')}\n",
            f"let kept be top of pack\nmove top of pack to {self.zone('dealer')}\n"
            "if rank of kept > 3: dealer chooses tell or pass\n",
        )

    def file(self) -> Patch:
        course = "".join(self.happening() for _ in range(self.chance.randint(1, 4)))
        if course.count("let kept") > 1:
            course = course.replace("let kept be top of pack\n", "", 1).replace("rank of kept", "rank of top of row", 1)
        said: Patch = {}
        if self.chance.random() < 0.5:
            said[self.pick("possible", "allowed")] = self.test("seat")
        elif self.chance.random() < 0.5:
            said["choose"] = {"card": f"{self.zone('seat')} where {self.test('seat')}"}
        return merge(action(**said), turns(course))


def try_files(numbers: range, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """How many files by chance were accepted and how many refused; those that were accepted tell nothing."""
    accepted = refused = 0
    for number in numbers:
        path = write(folder, Author(random.Random(number)).file())
        program, others = compile_unchecked(path, monkeypatch)
        if program is None or others:
            continue
        if find_leaks(program):
            refused += 1
            continue
        accepted += 1
        game = Game(program, executor="reference")
        for seed in range(3):
            try:
                watch_match(game, seed, 12, 12)
            except hoyle.Fault:
                continue  # nothing could be chosen, or a deal ran short: that tells all of them the same
            except Told as told:
                raise AssertionError(f"file {number} tells a secret:\n{path.read_text('utf-8')}") from told
    return accepted, refused


def test_files_written_by_chance_are_refused_or_tell_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    accepted, refused = try_files(range(30), tmp_path, monkeypatch)
    assert accepted > 2
    assert refused > 10


@pytest.mark.slow
def test_many_files_written_by_chance_are_refused_or_tell_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted, refused = try_files(range(100, 4100), tmp_path, monkeypatch)
    assert accepted > 400
    assert refused > 1000
