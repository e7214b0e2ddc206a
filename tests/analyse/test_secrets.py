"""Secrets hold against a file made to tell them: every way is refused by the checker, and without the checker a redeal
of what cannot be known shows that it tells something.

The two know nothing of each other: the checker reads the rules, the redeal plays them (`secrecy.py`).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import hoyle
from hostile_files import LOOKED_AT, PLAYER, SAYABLE, TELLING, Patch, action, merge, turns, write
from hoyle.language import specialise
from hoyle.language.analyse.leaks import find_leaks
from hoyle.language.compile import compile_game
from hoyle.play.engine.faults import SECRET
from hoyle.play.engine.game import Game
from hoyle.program.ir.nodes import Program
from secrecy import Told, choose, watch_match


def compile_unchecked(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Program | None, set[str]]:
    """The program of a file, with whatever it tells, and the codes of what else is wrong with it."""
    with monkeypatch.context() as patched:
        patched.setattr(specialise, "find_leaks", lambda program: [])
        program, report = compile_game(path)
    return program, {found.code for found in report.diagnostics}


@pytest.mark.parametrize("name", TELLING)
def test_a_file_that_tells_a_secret_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    patch, code = TELLING[name]
    program, others = compile_unchecked(write(tmp_path, patch), monkeypatch)
    assert program is not None, others
    found = find_leaks(program)
    assert {each.code for each in found} == {code}


# Seen only in courses whose earlier choices differ, too: the redeal keeps who held a card, and where chance has drawn.
OUT_OF_REACH = {
    "drawn: a card drawn by chance and left where it lies",
    "holders: across a shuffle",
    "holders: of a card taken unseen from among others",
}


@pytest.mark.share
@pytest.mark.parametrize("name", sorted(TELLING.keys() - OUT_OF_REACH))
def test_a_file_that_is_refused_would_tell_a_secret(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, others = compile_unchecked(write(tmp_path, TELLING[name][0]), monkeypatch)
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
    assert {found.code for found in report.diagnostics} <= ADVICE
    play_at_a_table(Game(program, executor="reference"), seeds=1)


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


ADVICE = {  # of which a file may have some, and be tried
    "maybe-unset", "always-true", "always-false", "unused", "no-effect", "never-offered", "never-done", "never-none",
}  # fmt: skip


class Author:
    """Writes rule files by chance: conditions and values that may look anywhere, in every place where a rule can."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def pick(self, *forms: Any) -> Any:
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

    def seat(self) -> str:
        return self.pick("dealer", "player", "left of dealer", "left of player")

    def watchers(self) -> str:
        return self.pick("seats", self.seat(), "(other in seats where score of other > 9)")

    def asked(self, test: str) -> str:
        return f"{self.seat()} chooses tell where {test} or pass\n"

    def note(self) -> str:
        """Something kept under a name, what happens meanwhile, and who is then asked with it."""
        zone = self.zone(self.seat())
        kept, test = self.pick(
            (f"let kept be {self.card(self.seat())}\n", "rank of kept > 3"),
            (f"let kept be {self.number(self.seat())}\n", "kept > 3"),
            (f"let kept be {self.seat()}\n", "some held in hand of kept satisfies (rank of held > 4)"),
            (f"pick kept at random from {zone}\n", "rank of kept > 3"),
        )
        meanwhile = self.pick(
            f"show kept to {self.watchers()}\n" if "rank of kept" in test else f"show {zone} to {self.watchers()}\n",
            f"set player to {self.seat()}\n",
            f"move kept to {self.zone(self.seat())}\n" if "rank of kept" in test else f"shuffle {zone}\n",
            "",
        )
        before = self.pick("", f"show {zone} to {self.watchers()}\n")
        return before + kept + meanwhile + self.pick(self.asked(test), f'if {test}: announce "so"\n')

    def passing(self) -> str:
        """Somebody is asked out of turn, with others, under a condition, or after a choice of another."""
        test, seat = self.test("other"), self.seat()
        return self.pick(
            f"offer tell to any seat from {seat}\n",
            f"offer tell to any other in seats from {seat} where {test}\n",
            f"for each other in seats:\n  if {test}: {seat} chooses tell where other = dealer or pass\n",
            f"for each other in seats:\n  if {test}: other chooses tell where {self.test('other')} or pass\n",
            "seats may choose write together\n",
            f"{seat} chooses note\n",
            f"do ask of ({self.number(self.seat())} or else 0)\n",
            f"if {self.test(self.seat())}: do ask of 2\notherwise: do ask of 4\n",
            f"if strict: {seat} chooses tell where {self.test(seat)} or pass\n",
        )

    def happening(self) -> str:
        if self.chance.random() < 0.2:
            return self.passing()
        if self.chance.random() < 0.3:
            return self.note().replace("kept", f"kept{self.chance.randrange(10**6)}")
        return self.pick(
            self.asked(self.test(self.seat())),
            f"set player to {self.seat()}\n",
            f"show {self.zone(self.seat())} to {self.watchers()}\n",
            f"for each seat: move first of {self.zone('seat')} to {self.zone('seat')}\n",
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
        """A patch of the base."""
        course = "".join(self.happening() for _ in range(self.chance.randint(1, 4)))
        said: Patch = {}
        if self.chance.random() < 0.3:
            said[self.pick("possible", "allowed")] = self.test("seat")
        elif self.chance.random() < 0.3:
            said["choose"] = {"card": f"{self.zone('seat')} where {self.test('seat')}"}
        noted = self.test(self.pick("seat", "left of seat"))
        return merge(
            PLAYER,
            {
                "options": {"strict": {"default": self.pick("true", "false"), "text": "Whether rules are kept."}},
                "errors": self.pick("called", "refused", "refused", "refused"),
                "actions": {
                    "write": {"choose": {"amount": "1..3"}, "do": "set bid to amount"},
                    "note": {
                        "choose": {"card": self.pick("hand", "hand", "row", "crib where last_holder of card = seat")},
                        "do": self.pick(
                            "left of seat chooses tell where place of card > 1 or pass",
                            "left of seat chooses tell where rank of card > 3 or pass",
                            f"if {noted}: left of seat chooses tell or pass",
                            "move card to row\nleft of seat chooses tell where rank of card > 3 or pass",
                        ),
                    },
                },
                "steps": {"ask of number": f"{self.seat()} chooses tell where number > 3 or pass\n"},
            },
            action(**said),
            turns("set player to dealer\n" + course),
        )


def play_at_a_table(game: Game, seeds: int, decisions: int = 12) -> None:
    """Where people play, what is offered is worked out again from what each seat knows, and comes to the same."""
    for seed in range(seeds):
        chance = random.Random(seed)
        try:
            match = game.new(seed=seed)
            match.guard()
            while match.decision is not None and len(match.history) < decisions:
                match.apply(choose(match.decision, chance))
        except hoyle.Fault as fault:
            assert fault.code != SECRET, f"{fault}"


def tells(program: Program) -> bool:
    """Whether a redeal, or two courses that a seat cannot tell apart, show that a program tells something."""
    game = Game(program, executor="reference")
    for seed in range(3):
        try:
            watch_match(game, seed, 12, 6)
        except hoyle.Fault:
            continue  # nothing could be chosen, or a deal ran short: that tells all of them the same
        except Told:
            return True
    return False


def try_files(
    numbers: range, folder: Path, monkeypatch: pytest.MonkeyPatch, *, look_at_refused: bool = False
) -> tuple[int, Counter[str], Counter[str]]:
    """How many files by chance were accepted; how many were refused, and how many of these in vain, by where and why.
    Those that were accepted tell nothing."""
    accepted, refused, in_vain = 0, Counter[str](), Counter[str]()
    for number in numbers:
        path = write(folder, Author(random.Random(number)).file())
        program, others = compile_unchecked(path, monkeypatch)
        if program is None or not others <= ADVICE:
            continue
        if re.search(r"let kept\d+ be \d[RBG]$", path.read_text("utf-8"), re.MULTILINE):
            continue  # a card kept by its name, which a redeal would take for one kept by its place
        if found := find_leaks(program):
            path_of = program.clauses[found[0].clause].path if found[0].clause is not None else found[0].part
            why = f"{'.'.join(path_of.split('.')[:3])}: {found[0].code}"
            refused[why] += 1
            if look_at_refused and not tells(program):
                in_vain[why] += 1
            continue
        accepted += 1
        assert not tells(program), f"file {number} tells a secret:\n{path.read_text('utf-8')}"
        play_at_a_table(Game(program, executor="reference"), seeds=2)
    return accepted, refused, in_vain


def test_files_written_by_chance_are_refused_or_tell_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    accepted, refused, _ = try_files(range(30), tmp_path, monkeypatch)
    assert accepted > 2
    assert refused.total() > 10


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_many_files_written_by_chance_are_refused_or_tell_nothing(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until a thousand more are accepted; of the first that are refused, how many are so in vain is printed."""
    accepted, looked_at = 0, 200
    refused, in_vain = Counter[str](), Counter[str]()
    first = 1_000_000 * (part + 1)
    while accepted < 1000:
        more = try_files(range(first, first + 100), tmp_path, monkeypatch, look_at_refused=looked_at > 0)
        accepted += more[0]
        if looked_at > 0:
            refused, in_vain = refused + more[1], in_vain + more[2]
        first, looked_at = first + 100, looked_at - 100
    for why, count in in_vain.most_common():
        print(f"{why}: {count} of {refused[why]} refused files in which two courses show no difference")
    assert refused.total() > 50
