"""A sampling profiler for random games.

In: a game. Out: the shares of time for legality, effects, scoring, chance and choosing; and separately the costs of
views and action texts.

It samples the stack a thousand times per CPU second. Frames of generated code are attributed by function names and by
comments, which name the clauses of the rule file; functions they call (words, dealing) count for the caller, except
chance.
"""

from __future__ import annotations

import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from benchmarks.measure import take_sample
from benchmarks.ours import is_generated
from benchmarks.table import write_rows
from hoyle.play.engine.game import Game
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.printed import PARTS

Spot = tuple[str, str]  # a kind, and a function or clause
OFTEN = 0.001  # CPU seconds between samples

LEGAL, EFFECTS, SCORING, DEFINITIONS, CHANCE, CHOOSING, REST = (
    "legal moves", "effects", "scoring", "definitions", "chance", "choosing at random", "the loop and the rest",
)  # fmt: skip
KINDS = (LEGAL, EFFECTS, SCORING, DEFINITIONS, CHANCE, CHOOSING, REST)
# Patterns for the names of generated functions, with their kinds.
_GENERATED = (
    (r"(legal|seat|may|can)_\d+", LEGAL),
    (r"winners", REST),
    (r"[cb]\d+(_\w+)?", EFFECTS),
    (r"d\d+\w*", DEFINITIONS),
)
_CHANCE = {"shuffle", "shuffle_fast", "shuffled", "cut", "draw", "below", "pick_below", "redraw", "_draw_pieces"}
_CHANCE |= {"choose_order", "choose_cut", "choose_element"}


@dataclass(frozen=True, slots=True)
class Profile:
    """The profile of a game. `shares` sum to 1; `hottest` are the most expensive functions or clauses."""

    game: str
    players: int
    generated: bool
    microseconds: float
    shares: dict[str, float]
    hottest: list[tuple[str, str, float]]
    view_microseconds: float
    texts_microseconds: float

    def data(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "players": self.players,
            "generated": self.generated,
            "microseconds_per_decision": self.microseconds,
            "shares": self.shares,
            "hottest": [{"kind": kind, "about": about, "share": share} for kind, about, share in self.hottest],
            "view_microseconds": self.view_microseconds,
            "texts_microseconds": self.texts_microseconds,
        }


def profile_game(game: Game, seconds: float) -> Profile:
    """Play for a while without the profiler, to warm up and measure the speed, then with it."""

    def play(number: int) -> int:
        return game.playout(number).decisions

    take_sample(play, seconds)
    plain = take_sample(play, seconds / 2, 1_000_000)
    seen: Counter[Spot] = Counter()
    find_spot = _make_finder(game)
    with _sampled(lambda frame: seen.update([find_spot(frame)])):
        take_sample(play, seconds, 2_000_000)
    total = seen.total() or 1
    shares = {kind: sum(times for (each, _), times in seen.items() if each == kind) / total for kind in KINDS}
    listed = [(kind, about, times / total) for (kind, about), times in seen.most_common(12)]
    view, texts = _measure_looking(game, seconds / 4)
    per_decision = 1e6 / plain.decisions_per_second
    return Profile(game.name, game.players, is_generated(game), per_decision, shares, listed, view, texts)


@contextmanager
def _sampled(look: Callable[[FrameType | None], None]) -> Iterator[None]:
    """Call `look` with the current frame periodically."""
    before = signal.signal(signal.SIGPROF, lambda _, frame: look(frame))
    signal.setitimer(signal.ITIMER_PROF, OFTEN, OFTEN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _make_finder(game: Game) -> Callable[[FrameType | None], Spot]:
    """Return a function that attributes a frame."""
    scored = {table.name for table in game.program.scores}
    executor = game.executor
    lines: dict[str, list[Spot]] = {}
    if isinstance(executor, GeneratedExecutor):
        for part in PARTS:
            loaded = executor.generated.load(part)
            lines[loaded.file] = _read_lines(loaded.source, scored)

    def find(frame: FrameType | None) -> Spot:
        while frame is not None:
            file, name = frame.f_code.co_filename, frame.f_code.co_name
            if file in lines:
                line = frame.f_lineno or frame.f_code.co_firstlineno  # a backward jump has no line number
                return lines[file][line - 1]
            kind = _find_kind(file, name)
            if kind is not None:
                return kind, name
            frame = frame.f_back
        return REST, "the rest"

    return find


def _read_lines(source: str, scored: set[str]) -> list[Spot]:
    """Attribute each line of generated source: to its function, or, in functions for many clauses, to the last
    comment."""
    found: list[Spot] = []
    kind, about, of_many = REST, "tables", False
    for line in source.splitlines():
        head = re.match(r"def (\w+)\(", line)
        remark = re.match(r" +# (.*)", line)
        if head:
            about = head[1]
            kind = next((kind for pattern, kind in _GENERATED if re.fullmatch(pattern, about)), EFFECTS)
            of_many = kind == EFFECTS
        elif remark and (of_many or about in found[-1][1]):
            about = remark[1]
            if of_many:
                kind = _find_kind_of_clause(about)
            elif any(about.startswith((f"rows of {table}", f"definition {table}")) for table in scored):
                kind = SCORING
        found.append((kind, about))
    return found


def _find_kind_of_clause(about: str) -> str:
    if about.startswith("choice: "):
        return LEGAL
    return SCORING if about.startswith("scores.") else EFFECTS


def _find_kind(file: str, name: str) -> str | None:
    """Return the kind of a function of Hoyle; None for helpers, which count for their caller."""
    if name in _CHANCE and "hoyle" in file:
        return CHANCE
    if name == "choose" and file.endswith("playout.py"):
        return CHOOSING
    if file.endswith("legality.py"):
        return LEGAL
    if file.endswith(("playout.py", "generated.py", "executor.py", "game.py")) or "benchmarks" in file:
        return REST
    return None


def _measure_looking(game: Game, seconds: float) -> tuple[float, float]:
    """Measure microseconds for the view of the deciding seat, and for the decision with its action texts."""
    views = texts = 0.0
    looks = 0
    clock = time.process_time
    number, began = 0, clock()
    while clock() - began < seconds:
        match = game.new(number)
        while clock() - began < seconds:
            before = clock()
            decision = match.decision
            if decision is None:
                break
            texts += clock() - before
            before = clock()
            match.view(decision.seat)
            views += clock() - before
            looks += 1
            action = decision.actions[number * 7919 % len(decision.actions)]
            match.apply(action if action.number is None else action.with_number(action.number[0]))
            number += 1
    return 1e6 * views / max(looks, 1), 1e6 * texts / max(looks, 1)


def write_profile(profile: Profile) -> str:
    how = "generated code" if profile.generated else "the reference: there is no generated code for all of it"
    lines = [
        f"{profile.game}, {profile.players} players, by {how}: {profile.microseconds:.2f} µs a decision",
        "",
        *write_rows([("kind", "share"), *((kind, f"{share:.0%}") for kind, share in profile.shares.items())], {1}),
        "",
        "The hottest clauses and functions:",
        "",
    ]
    rows = [("kind", "what", "share")]
    rows += [(kind, about, f"{share:.0%}") for kind, about, share in profile.hottest]
    lines += write_rows(rows, {2})
    lines += [
        "",
        "Not part of it, and paid for only by those who ask:",
        f"a view of the deciding seat takes {profile.view_microseconds:.1f} µs, "
        f"a decision with the texts of its actions {profile.texts_microseconds:.1f} µs.",
    ]
    return "\n".join(lines)
