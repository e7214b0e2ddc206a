"""Rule files written by chance, to try the proof of secrets: what `check` accepts is played in two courses that a seat
cannot tell apart, and at a table that looks only at what each seat knows.

    python tests/chance_files.py SEEDS [--processes N] [--accepted N] [--minutes M] [--out FILE]

In: seeds, `0..80000`. Out: how many files were accepted and refused, and by clause how many of the refused tell nothing
as far as two courses show; for each accepted file that tells something its seed, what differs, and its text. Exit 1
then. A seed gives the same file in every process, so that ranges of seeds can be tried on several machines.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import hoyle
from hostile_files import BASE, PLAYER, TEAMS, Patch, action, merge, turns, write
from hoyle.base.diagnostics.report import Report
from hoyle.base.effort import bounded
from hoyle.language import specialise
from hoyle.language.analyse.findings import Finding
from hoyle.language.analyse.leaks import find_leaks
from hoyle.language.compile import declare, load, specialise_safely
from hoyle.play.engine.faults import SECRET
from hoyle.play.engine.game import Game
from hoyle.program.ir.nodes import Program
from secrecy import Told, choose, watch_match

ZONES = ("pack", "pile", "row", "crib")
OWNED = ("hand", "heap")
ADVICE = {  # of which a file may have some, and be tried
    "maybe-unset", "always-empty", "always-true", "always-false", "unused", "no-effect", "never-offered", "never-done",
    "never-none",
}  # fmt: skip


class Author:
    """Writes rule files by chance: conditions and values that may look anywhere, in every place where a rule can."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.calls = chance.random() < 0.25  # errors, which others may call; otherwise turns can be taken back
        self.is_wide = chance.random() < 0.5  # with what few games have: `WIDE`

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
            *(self.wide_numbers(seat) if self.is_wide else ()),
        )

    def wide_numbers(self, seat: str) -> tuple[str, ...]:
        return (
            self.pot(seat),
            f"({self.pick('first', 'last')} of waiting or else 0)",
            f"sum rank of joined of {self.pick('each hand', 'each heap', 'spread')}",
            f"count of (held in joined of each {self.pick(*OWNED)} where rank of held > 3)",
            f"sum rank of joined of ({self.pick(*OWNED)} of mate for mate in seats where mate != {seat})",
        )

    def failing(self, seat: str) -> str:
        """A number that may be a fault to work out."""
        return self.pick(
            f"6 {self.pick('div', 'mod')} ({self.number(seat)} - {self.chance.randint(0, 3)})",
            f"{self.number(seat)} div {self.pick('2', f'({self.number(seat)} + 1)')}",
            f"secret * {self.number(seat)}",
        )

    def pot(self, seat: str) -> str:
        return self.pick("till", f"purse of {self.pick(seat, f'left of {seat}')}")

    def test(self, seat: str) -> str:
        return self.pick(
            *((f"card_name of {self.card(seat)} is {self.pick('jester', 'fool')}",) if self.is_wide else ()),
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

    def wide_happening(self) -> str:
        """What takes back, passes round, waits, is paid, is traded, or goes by a key."""
        seat, test = self.seat(), self.test("mate")
        asked = self.asked(self.test(self.seat())).strip()
        key = self.pick("lowest rank", "highest rank then lowest suit", "highest suit")
        kept = f"kept{self.chance.randrange(10**6)}"
        return self.pick(
            f"do own as {seat}\n",
            f"do own as {seat}\n",
            "offer call to any mate in seats from left of dealer\n",
            f"pass each {self.pick(*OWNED)} to left of its owner\n",
            f"pay {self.pick('1', '2', self.number(seat))} from {self.pot(seat)} to {self.pot(seat)}\n",
            f"for each lain in {self.zone(seat)} by {key}: "
            + self.pick(f"move lain to {self.zone(seat)}\n", "announce lain\n", asked + "\n", "show lain to seats\n"),
            f"for each mate in seats by highest rank of first of hand of mate: {self.pick('mate', seat)} chooses "
            f"tell where {test} or pass\n",
            f"offer tell or lay to any mate in seats at random where {test}\n",
            f"offer tell to any mate in seats from {seat} where {test} until all decline\n",
            f"let {kept} be first of hand of {seat}\nif {kept} is not none: do lay of {kept} as {seat}\n",
            f"swap {self.zone(seat)} with {self.zone(seat)}\n",
            f"add {self.number(seat)} to waiting\n",
            f"for each due in waiting: {seat} chooses tell where due > 3 or pass\n",
            f"add {self.number(seat)} to waiting\nlet {kept} be first of waiting\n"
            f"{seat} chooses tell where {kept} > 3 or pass\n",
            "seats choose put together\nfor each seat: move aside to hand of left of seat\n",
            f"move {self.card(seat)} to new spread\n",
            f"pick {kept} at random from seats\n{kept} chooses tell where {test.replace('mate', kept)} or pass\n",
            f"set {self.pick('secret', f'bid of {seat}')} to {self.number(seat)}\n{asked}\n",
            f"let {kept} be {self.failing(seat)}\n{self.pick('', asked)}\n",
            f"set {self.pick('secret', 'narrow')} to {self.pick(self.failing(seat), self.number(seat))}\n",
            f"{self.pick(f'add {self.number(seat)} to', f'remove {self.number(seat)} from')} few\n",
            f"add {seat} to order\nadd left of {seat} to order\nshuffle order\n"
            f"if {self.pick(f'first of order = {seat}', 'count of order > 2')}: {asked}\n",
        )

    def happening(self) -> str:
        if self.is_wide and self.chance.random() < 0.4:
            return self.wide_happening()
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
            self.wide() if self.is_wide else {},
            {
                "options": {"strict": {"default": self.pick("true", "false"), "text": "Whether rules are kept."}},
                **({"errors": "called"} if self.calls else {}),
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

    def wide(self) -> Patch:
        """A patch with zones, states, pots, steps and actions that `wide_happening` needs."""
        joker = {"short": "Jk", "copies": self.pick(1, 2)}
        own = self.pick(
            "", f"set bid of seat to {self.number('seat')}\n", f"show {self.zone('seat')} to seat\n", "cut pack\n"
        )
        own += "repeat at most 3 times: seat chooses again or lay or play or pass\n"
        redone = self.pick("", "\nmove top of pack to hand", f"\n{self.asked(self.test('seat')).strip()}")
        found: Patch = {
            "deck": {"cards": [*BASE["deck"]["cards"], {"name": "jester", **joker}, {"name": "fool", "short": "Fo"}]},
            "zones": {
                "aside": {"of": "seat", "shows": self.pick("nothing", "owner")},
                "spread": {"many": 6, "shows": self.pick("nothing", "top_card", "all")},
            },
            "pots": {
                "purse": {"of": "seat", "start": 9, "shows": self.pick("all", "owner", "nothing"), "debt": True},
                "till": {"start": 30, "shows": self.pick("all", "nothing"), "debt": True},
            },
            "state": {
                "waiting": {"type": "list of number", "most": 6, "shows": self.pick("all", "nothing")},
                "few": {"type": "list of number", "most": 2, "shows": self.pick("all", "nothing")},
                "order": {"type": "list of seat", "most": 4, "shows": self.pick("all", "nothing")},
                "narrow": {"type": f"0..{self.pick(3, 9, 40)}", "shows": self.pick("all", "nothing")},
            },
            "actions": {
                "put": {"choose": {"card": "hand"}, "do": "move card to aside"},
                "call": {
                    "possible": "seat != offender" if self.calls else "count of pile > 1",
                    "do": "take back" if self.calls else "nothing",
                },
                "again": {"do": "nothing" if self.calls else f"take back own{redone}"},
            },
            "steps": {"own": {"of": "seat", "do": own}},
        }
        if self.chance.random() < 0.3:
            waits = self.pick("nothing", "action", ["own"])
            found["ends"] = {"turns": {"when": self.test("dealer"), "waits_for": waits}}
        return merge(found, TEAMS) if self.chance.random() < 0.2 else found


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


def compile_unchecked(path: Path, most: int = 0) -> tuple[Program | None, set[str], list[Finding]]:
    """The program of a file for as few players as is usual, or for as many as may play, up to a number, with whatever
    it tells; the codes of what else is wrong with it; and what it tells, as `check` finds out: if the program for all
    tables tells nothing, it does not look at the one for a table."""
    found: list[Finding] = []

    def find(program: Program) -> list[Finding]:
        found.extend(find_leaks(program))
        return []

    report = Report()
    with mock.patch.object(specialise, "find_leaks", find), bounded(specialise.MOST_WORK):
        file = load(path, report)
        declared = declare(file, report) if file is not None else None
        if declared is None:
            return None, {each.code for each in report.diagnostics}, []
        players = max(declared.usual[0], min(most, declared.allowed[1]))
        made = specialise_safely(declared, players, {}, report)
    program = made.program if made is not None else None
    codes = {each.code for each in report.diagnostics}
    return program, codes, find_leaks(program) if found and program is not None else []


def find_difference(program: Program, matches: int = 3) -> str:
    """What a redeal, or two courses that a seat cannot tell apart, show that a program tells; empty if nothing."""
    game = Game(program, executor="reference")
    for seed in range(matches):
        try:
            watch_match(game, seed, 12, 6)
        except hoyle.Fault:
            continue  # nothing could be chosen, or a deal ran short: that tells all of them the same
        except Told as told:
            return str(told)
    return ""


@dataclass
class Tried:
    """What came of files: how many were accepted; by clause, how many were refused, how many of these were played
    nevertheless, and how many of those in vain; and by seed what accepted files tell."""

    accepted: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    looked_at: Counter[str] = field(default_factory=Counter)
    in_vain: Counter[str] = field(default_factory=Counter)
    differences: dict[int, str] = field(default_factory=dict)

    def add(self, other: Tried) -> None:
        self.accepted += other.accepted
        self.refused += other.refused
        self.looked_at += other.looked_at
        self.in_vain += other.in_vain
        self.differences |= other.differences

    def __str__(self) -> str:
        looked_at, in_vain = self.looked_at.total(), self.in_vain.total()
        lines = [f"accepted {self.accepted}, refused {self.refused.total()}, differences {len(self.differences)}"]
        lines += [f"of {looked_at} refused files, two courses show no difference in {in_vain}:"] if looked_at else []
        lines += [f"  {why}: {count} of {self.looked_at[why]}" for why, count in self.in_vain.most_common()]
        lines += [f"seed {seed}:\n{what}" for seed, what in sorted(self.differences.items())]
        return "\n".join(lines)


def try_file(seed: int, folder: Path, *, look_at_refused: bool = False) -> Tried:
    """Write a file and check it; play it if it is accepted."""
    tried = Tried()
    path = write(folder, Author(random.Random(seed)).file())
    program, others, found = compile_unchecked(path, most=2 + seed % 2)
    if program is None or not others <= ADVICE:
        return tried
    if re.search(r"let kept\d+ be \d[RBG]$", path.read_text("utf-8"), re.MULTILINE):
        return tried  # a card kept by its name, which a redeal would take for one kept by its place
    if found:
        clause = program.clauses[found[0].clause].path if found[0].clause is not None else found[0].part
        why = f"{'.'.join(clause.split('.')[:3])}: {found[0].code}"
        tried.refused[why] += 1
        if look_at_refused:
            tried.looked_at[why] += 1
            tried.in_vain[why] += not find_difference(program, matches=12)
        return tried
    tried.accepted += 1
    try:
        differs = find_difference(program)
        play_at_a_table(Game(program, executor="reference"), seeds=2)
    except Exception as wrong:
        differs = f"{type(wrong).__name__}: {wrong}"
    if differs:
        tried.differences[seed] = f"{differs}\n{path.read_text('utf-8')}"
    return tried


def try_files(seeds: Iterable[int], folder: Path, *, look_at_refused: bool = False) -> Tried:
    tried = Tried()
    for seed in seeds:
        tried.add(try_file(seed, folder, look_at_refused=look_at_refused))
    return tried


PIECE = 20  # seeds that a process tries at once
LOOKED_AT = 30  # of so many pieces, the refused files of one are played too, for longer


def _try_piece(seeds: range) -> Tried:
    with tempfile.TemporaryDirectory() as folder:
        return try_files(seeds, Path(folder), look_at_refused=seeds.start // PIECE % LOOKED_AT == 0)


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("seeds", help="first and last seed: 0..79999")
    reader.add_argument("--processes", type=int, default=os.cpu_count())
    reader.add_argument("--accepted", type=int, default=sys.maxsize, help="stop after so many accepted files")
    reader.add_argument("--minutes", type=float, default=float("inf"), help="stop after so long")
    reader.add_argument("--out", type=Path, help="write the summary here, too, as it grows")
    asked = reader.parse_args()
    first, last = map(int, asked.seeds.split(".."))
    pieces = [range(at, min(at + PIECE, last + 1)) for at in range(first, last + 1, PIECE)]
    tried, until, done = Tried(), time.monotonic() + asked.minutes * 60, 0
    with multiprocessing.Pool(asked.processes) as pool:
        for done, piece in enumerate(pool.imap(_try_piece, pieces), 1):
            tried.add(piece)
            if asked.out is not None and (piece.differences or done % 50 == 0):
                asked.out.write_text(f"seeds {first}..{pieces[done - 1][-1]}\n{tried}\n", encoding="utf-8")
            if tried.accepted >= asked.accepted or time.monotonic() > until:
                break
        pool.terminate()
    summary = f"seeds {first}..{pieces[done - 1][-1]}\n{tried}"
    if asked.out is not None:
        asked.out.write_text(summary + "\n", encoding="utf-8")
    print(summary)
    sys.exit(bool(tried.differences))


if __name__ == "__main__":
    main()
