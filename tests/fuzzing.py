"""Fuzzing: mutated and generated rule files, files of examples, formats, transcripts and positions.

In: a number. Out: a `Case`, deterministic for the number: a mutation of a shipped file, or a rule file generated from
the grammar. `try_case` runs everything that Hoyle does with such a file; errors must be reported, not raised, and all
executors must agree. `Worker` runs cases in another process with limits on memory and time.
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import random
import re
import resource
import signal
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from hoyle.language.syntax.reserved import RESERVED, VERBS
from hoyle.program.words import WORDS

ROOT = Path(__file__).parent.parent
MOST_MEMORY = 512 << 20
MOST_CPU = 5.0  # limit of CPU seconds per case
TOO_SLOW = f"more than {MOST_CPU} s of CPU"
MOST_DECISIONS = 40
FEW_DECISIONS = 5
MANY_DECISIONS = 400
LONG = 0.3  # CPU seconds for a few decisions from which a program counts as slow
SOUND = 0.9  # probability that a generated rule terminates soon
MOST_WAITING = 900  # timeout in wall-clock seconds, for busy machines
SIGNS = ["\x00", "\x1b[2J", "\u202e", "\u200b", "\ud800", "é", "例", "\U000e0041", "\t", "\r"]
SIGNS += ["&a", "*a", "!!x", "%", "|", ">"]
WRITTEN = """
    card hand pack pile seat seats dealer players none empty true false 0 1 7 -1 99 100000 2000000000 AS = != <= < + - *
    .. ( ) [ ] { } , : ' " is: when: of: do: match: 1..90000 (a, b) x in 1..99 subsets of pairs of tails of repeat
"""
TOKENS = [*sorted(RESERVED | VERBS | {name for name, word in WORDS.items() if word.spoken}), *WRITTEN.split()]
VALUES: list[Any] = [None, -1, 10**30, "x", True, 1.5, [], {}, {"t": 3}, [[[]]], "\x1b[31m", {"t": [1]}, 0, 2**31]


@dataclass(frozen=True)
class Case:
    """An untrusted input: its kind, the file it was derived from, and its text."""

    number: int
    kind: str  # rules, tests, format, transcript, position, match
    path: str
    text: str

    def write(self, folder: Path) -> Path:
        """Write it to a folder, with the files beside its origin."""
        folder.mkdir(parents=True, exist_ok=True)
        origin = ROOT / self.path
        for beside in origin.parent.iterdir():
            if beside.is_file() and beside.name.endswith(".yaml"):
                (folder / beside.name).write_bytes(beside.read_bytes())
        file = folder / origin.name
        file.write_text(self.text, encoding="utf-8", errors="surrogatepass")
        return file


# ------------------------------------------------------------------------------------------------ mutation
@cache
def list_corpus(suffix: str) -> tuple[Path, ...]:
    folders = ("games", "docs/examples", "tests/language/valid")
    return tuple(sorted(path for folder in folders for path in (ROOT / folder).rglob("*" + suffix)))


@cache
def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def make_case(number: int) -> Case:
    """Make the case of a number."""
    draw = random.Random(number)
    kind = draw.choice(["rules"] * 5 + ["grammar"] * 3 + ["tests", "format", "transcript", "position", "match"])
    if kind in ("transcript", "position", "match"):
        return make_record(number, kind, draw)
    if kind == "grammar":
        path = draw.choice(list_corpus(".game.yaml"))
        return Case(number, "rules", str(path.relative_to(ROOT)), write_rules(draw))
    suffix = {"rules": ".game.yaml", "tests": ".test.yaml", "format": ".format.yaml"}[kind]
    path = draw.choice(list_corpus(suffix))
    text = read(path)
    for _ in range(draw.randint(1, 4)):
        text = draw.choice([change_line, change_word, change_word, change_word, change_sign, change_number])(draw, text)
    return Case(number, kind, str(path.relative_to(ROOT)), text)


def change_line(draw: random.Random, text: str) -> str:
    lines = text.split("\n")
    first, second = draw.randrange(len(lines)), draw.randrange(len(lines))
    match draw.randrange(6):
        case 0:
            del lines[first]
        case 1:
            lines.insert(second, lines[first])
        case 2:
            lines[first], lines[second] = lines[second], lines[first]
        case 3:
            lines[first] = "  " + lines[first]
        case 4:
            lines[first] = lines[first].removeprefix("  ")
        case _:
            del lines[first + 1 :]
    return "\n".join(lines)


def change_word(draw: random.Random, text: str) -> str:
    words = [found.span() for found in re.finditer(r"\w+|[^\w\s]", text)]
    if not words:
        return text
    start, end = draw.choice(words)
    other = draw.choice(words)
    new = draw.choice(["", text[start:end] * 2, draw.choice(TOKENS), f"{draw.choice(TOKENS)} {text[start:end]}",
                       text[other[0] : other[1]], f"({text[start:end]})"])  # fmt: skip
    return text[:start] + new + text[end:]


def change_sign(draw: random.Random, text: str) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice(SIGNS) + text[at:]


def change_number(draw: random.Random, text: str) -> str:
    found = [each.span() for each in re.finditer(r"\d+", text)]
    if not found:
        return text
    start, end = draw.choice(found)
    return text[:start] + draw.choice(["0", "1", "2", "64", "99999", "2000000000", "-1", "9" * 30]) + text[end:]


# ------------------------------------------------------------------------------------------------ generation
def write_rules(draw: random.Random) -> str:
    """Generate a well-formed and often valid rule file from the grammar over a few names."""
    return RULES.format(
        players=draw.choice(["2", "2..4", "1..64", "3"]),
        longest=draw.choice([2, 8, 40]),
        copies=draw.choice([1, 2, 4, 40]),
        shows=draw.choice(["all", "nothing", "top_card"]),
        first=expr(draw, 3).replace("d1", "x"),
        second=expr(draw, 2),
        test=truth(draw, 2),
        where=draw.choice([
            "hand", "pile", "hand + bottom of pile", f"(c in hand where {truth(draw, 1)})", "1..2 cards from hand",
            "laid",
        ]),
        effect=indent(statement(draw, 2, asks=False), 6),
        match="\n".join(indent(statement(draw, 3), 4) for _ in range(draw.randint(1, 6))),
        step=indent(statement(draw, 2), 6),
        end=truth(draw, 1),
        winners=draw.choice(["seats", "(seat in seats with highest score of seat)", "(seat in seats where x > 0)"]),
    )


RULES = """game: made
title: Made
players: {players}
deck:
  starts_in: pack
  attributes: {{rank: 1..9, suit: [red, blue]}}
  cards: [{{rank: 1..9, suit: [red, blue], copies: {copies}}}]
zones: {{pack: {{shows: {shows}}}, pile: {{shows: all}}, hand: {{of: seat, shows: owner}}}}
state:
  x: {{type: number, start: 3}}
  named: suit or none
  kept: cards
  order: {{type: list of seat, most: 30}}
  bids: {{type: list of 0..99, most: {longest}}}
  laid: {{of: seat, type: list of card}}
definitions:
  d1: {first}
  d2: {second}
actions:
  play:
    choose: {{card: "{where}"}}
    possible: {test}
    do: |
{effect}
  wait: {{}}
ends:
  play_on: {end}
steps:
  match: |
    shuffle pack
    deal 3 cards from pack to each hand, starting left of dealer
{match}
    do play_on
  play_on: |
    repeat at most 12 times:
      dealer chooses play or wait
      set dealer to left of dealer
{step}
winners: {winners}
"""


def indent(text: str, spaces: int) -> str:
    return "\n".join(" " * spaces + line for line in text.split("\n"))


def expr(draw: random.Random, depth: int) -> str:
    if depth == 0:
        number = "7" if draw.random() < SOUND else "90000"
        return draw.choice(["x", "3", "0", "players", "count of pile", "count of hand of dealer", "d1", number])
    a, b = expr(draw, depth - 1), expr(draw, depth - 1)
    v = f"v{depth}"
    return draw.choice([
        f"{a} + {b}", f"({a}) * ({b})", f"({a}) div ({b})", f"({a} if {truth(draw, depth - 1)} otherwise {b})",
        f"count of ({v} in 1..({a}) where {v} > {b})", f"highest of ({a}, {b})",
        "sum rank of pile", "(rank of top of pile or else 0)", f"sum of ({v} + {a} for {v} in 1..20)",
        "count of (pairs of pile)", "count of (subsets of hand of dealer)",
        f"sum of (count of hand of {v} for {v} in seats) + {a}", "count of order",
        "(place of (dealer, order) or else 0)", f"sum of ({v} mod 3 for {v} in bids)", "(last of bids or else 7)",
        "count of distinct rank of laid of dealer", f"sum rank of (pile + ({v} in kept with highest rank of {v}))",
        f"({a} * 2147483647) mod 1009", f"(rank of top of pile + ({a}) div ({b}) or else {b})",
        f"(first of (({a}) div ({v} - 2) for {v} in bids) or else 1)",
        f"count of ({v} in pile where last_holder of {v} = dealer)",
    ])  # fmt: skip


def truth(draw: random.Random, depth: int) -> str:
    if depth == 0:
        return draw.choice(["x > 2", "pile is empty", "hand of dealer is empty", "named is red", "true", "false"])
    a, b = truth(draw, depth - 1), truth(draw, depth - 1)
    v, most = f"w{depth}", draw.choice([3, 300] if draw.random() < SOUND else [90000])
    return draw.choice([
        f"({a} and {b})", f"({a} or {b})", f"not ({a})", f"({expr(draw, depth - 1)} > {expr(draw, depth - 1)})",
        f"(some {v} in 1..{most} satisfies ({v} > {expr(draw, 0)}))",
        f"(every {v} in seats satisfies (hand of {v} is empty))",
        f"(some {v} in pile satisfies (rank of {v} = 3))", "dealer is in order", f"({expr(draw, 0)} is in bids)",
        "first of order = dealer", f"({expr(draw, depth - 1)} is in bids + (3, {expr(draw, 0)}))",
        f"(every {v} in laid of dealer satisfies ({v} is not in pile))",
    ])  # fmt: skip


def statement(draw: random.Random, depth: int, *, asks: bool = True) -> str:
    """Generate a statement; with `asks`, it can contain decisions."""
    simple = [
        "shuffle pack", "move top of pack to pile", "move pile to pack", "set x to " + expr(draw, 2), "gather pack",
        f"score {expr(draw, 1)} to dealer", "add top of pack to kept", "set named to red", "clear kept",
        f"deal {draw.choice(['1 cards', 'up to 3 cards', 'up to 2000000000 cards'])} from pack to each hand, "
        "starting dealer", "announce x", "turn over pile", "pick one at random from seats", "show pile to seats",
        "add dealer to order", "shuffle order", "move pack to pile", "set order to seats", "clear order",
        "remove dealer from order", f"remove {expr(draw, 0)} from bids", "shuffle bids",
        f"if count of bids < 2: add {expr(draw, 0)} to bids", "shuffle laid of dealer",
        "if pile is not empty: add top of pile to laid of dealer",
        "if laid of dealer is not empty: remove first of laid of dealer from laid of dealer",
        "if laid of dealer is not empty: move last of laid of dealer to pile", "set bids to (3, 1, 3)",
        "if order is not empty: set dealer to last of order", "for each one in order: remove one from order",
    ]  # fmt: skip
    if asks:
        simple += ["dealer chooses play, otherwise wait", "seats choose wait together", "dealer may choose play"]
        simple += ["offer play to any other in seats from dealer"]
    if depth == 0 or draw.random() < 0.6:
        return draw.choice(simple)
    inner = indent(statement(draw, depth - 1, asks=asks), 2)
    v = f"u{depth}"
    often = draw.choice([2, 3, 30] if draw.random() < SOUND else [5000, 90000])
    until = truth(draw, 1) if draw.random() > SOUND else f"count of pile > {often}"
    return draw.choice([
        f"if {truth(draw, 1)}:\n{inner}", f"repeat {often} times:\n{inner}", f"for each {v} in seats:\n{inner}",
        f"repeat until {until}:\n{inner}\n  move top of pack to pile", f"for each {v} in 1..{often}:\n{inner}",
    ])  # fmt: skip


# ------------------------------------------------------------------------------------------------ records
@cache
def make_records() -> dict[str, Any]:
    """Make a match of a shipped game, with its position and transcript."""
    import hoyle
    from hoyle.play.transcript import record

    match = hoyle.load("bonus-20", 2).new(3)
    for _ in range(5):
        assert match.decision is not None
        match.apply(match.decision.actions[-1])
    return {"match": match.to_json(), "position": match.position.to_json(), "transcript": record(match)}


def make_record(number: int, kind: str, draw: random.Random) -> Case:
    data = json.loads(json.dumps(make_records()[kind]))
    for _ in range(draw.randint(1, 3)):
        inner, key = data, None
        while isinstance(inner, dict | list) and inner and (key is None or draw.random() < 0.75):
            held, key = inner, draw.choice(list(inner) if isinstance(inner, dict) else range(len(inner)))
            inner = inner[key]
        if key is not None and draw.random() < 0.3:
            del held[key]
        elif key is not None:
            held[key] = json.loads(json.dumps(draw.choice(VALUES)))  # a copy, since it may be mutated in turn
    text = json.dumps(data)
    whole = draw.choice([len(text)] * 9 + [len(text) // 2])
    return Case(number, kind, "games/bonus-20/bonus-20.game.yaml", text[:whole])


# ------------------------------------------------------------------------------------------------ running
def try_case(case: Case) -> float:
    """Run everything that Hoyle does with a case; any exception is a bug. Return the CPU seconds of the longest single
    command."""
    start = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        if case.kind in ("transcript", "position", "match"):
            _try_record(case)
        elif case.kind == "rules":
            return _try_rules(case.write(Path(folder)), trial=case.number % 2 == 1)
        elif case.kind == "tests":
            _try_command("test", case.write(Path(folder)))
        else:
            file = case.write(Path(folder))
            game = next(path for path in sorted(Path(folder).glob("*.game.yaml")) if path.is_file())
            _try_command("tournament", game, "--format", file, "--games", "1", "--tables", "2")
    return time.process_time() - start


def _try_command(*words: object) -> None:
    import contextlib
    import io

    from hoyle.front.cli import run

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = run([str(word) for word in words])
    if code not in (0, 1, 2):
        raise AssertionError(f"exit {code}: {said.getvalue()[-2000:]}")


def _try_record(case: Case) -> None:
    import hoyle
    from hoyle.play.transcript import replay
    from hoyle.program.model.position import Position
    from hoyle.program.model.records import RecordError

    game = hoyle.load("bonus-20", 2)
    try:
        if case.kind == "match":
            match = hoyle.Match.from_json(game, json.loads(case.text))
            match.view(0)
            if match.decision is not None:
                match.apply(match.decision.actions[0])
        elif case.kind == "position":
            Position.from_json(json.loads(case.text))
        else:
            replay(game, json.loads(case.text))
    except (RecordError, hoyle.Fault, json.JSONDecodeError):
        pass


class Stopwatch:
    """Measures the CPU seconds of the longest of several commands. The limits apply to a single command, check or
    match, not to the sum of all executors that are compared here."""

    def __init__(self) -> None:
        self.longest = 0.0

    def run(self, do: Callable[..., Any], *args: Any) -> Any:
        """Run one command and measure it."""
        start = time.process_time()
        if signal.getitimer(signal.ITIMER_PROF)[0]:
            _limit_seconds()
        try:
            return do(*args)
        finally:
            self.longest = max(self.longest, time.process_time() - start)


def _try_rules(file: Path, trial: bool) -> float:
    """Check a file like `hoyle check`, or compile it like `hoyle play`, and play valid ones on all executors; return
    the CPU seconds of the longest command."""
    watch = Stopwatch()
    program = watch.run(_check_rules, file, trial)
    if program is not None:
        _compare_executors(program, watch)
    return watch.longest


def _check_rules(file: Path, trial: bool) -> Any:
    """Return the program of a file if it is valid."""
    from hoyle.authoring.trial_matches import try_out
    from hoyle.base.diagnostics.render import render_json, render_text
    from hoyle.language.compile import check_game, compile_game

    if trial:
        checked = check_game(file)
        try_out(checked)
        program, report = checked.programs[0] if checked.programs else None, checked.report
    else:
        program, report = compile_game(file)
        assert (program is None) == report.failed
    found = report.ordered()
    assert render_json(found) and (not found or render_text(found))
    return None if report.failed else program


def _compare_executors(program: Any, watch: Stopwatch) -> None:
    """Check that all executors play the same match; for slow programs, only its beginning."""
    from hoyle.play.engine.game import Game
    from ways_to_play import compare_games, play_by_bots

    games = [Game(program, executor=name) for name in ("generated", "reference")]
    before, watch.longest = watch.longest, 0.0
    beginnings = [watch.run(play_by_bots, game, 1, 0, FEW_DECISIONS) for game in games]
    assert beginnings[0] == beginnings[1]
    soon = watch.longest <= LONG
    watch.longest = max(watch.longest, before)
    if soon and beginnings[0][0] is None:
        made = compare_games(games, 1, 0, MOST_DECISIONS, watch.run)
        if len(made) == MOST_DECISIONS:  # generated code is fast enough to finish many matches
            # Not measured: the limit applies to a decision, not to ten times as many of them.
            compare_games(games[:1], 1, 0, MANY_DECISIONS, Stopwatch().run)
    elif soon:
        compare_games(games, 1, 0, run=watch.run)


# ------------------------------------------------------------------------------------------------ workers
class Worker:
    """A process that runs cases within limits; it is restarted after a case has killed it."""

    def __init__(self) -> None:
        self._process: Any = None
        self._pipe: Connection | None = None

    def run(self, case: Case) -> str:
        """Run a case; return the error, empty if there was none. On a shared machine, the same work can temporarily
        take up to three times as long, so a case that is too slow is retried twice in a fresh process."""
        wrong = self._try(case)
        for _ in range(2):
            if not wrong.startswith(TOO_SLOW):
                break
            self.close()
            self._process = None
            wrong = self._try(case)
        return wrong

    def _try(self, case: Case) -> str:
        if self._process is None or not self._process.is_alive():
            self._begin()
        assert self._pipe is not None
        self._pipe.send(case)
        try:
            if not self._pipe.poll(MOST_WAITING):
                self._process.kill()
                self._process = None
                return "no answer"
            wrong: str = self._pipe.recv()
            return wrong
        except (EOFError, OSError):
            self._process.join()
            code, self._process = self._process.exitcode, None
            return TOO_SLOW if code == -signal.SIGPROF else f"the process ended with {code}"

    def _begin(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other,), daemon=True)
        self._process.start()
        other.close()

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()


def _serve(pipe: Connection) -> None:
    import hoyle  # noqa: F401
    from hoyle.language import compile as compiling

    compiling.check_file("bonus-20")
    make_records()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    while True:
        try:
            case = pipe.recv()
        except EOFError:
            return
        wrong, took = _try_within_limits(case)
        if not wrong and took > MOST_CPU:
            wrong = f"{TOO_SLOW}: {took:.1f}"
        pipe.send(wrong)


def _limit_seconds() -> None:
    """Kill the process if it takes far too long from now on. A timer is restarted per case, because a cumulative CPU
    limit would drift: the kernel counts by another clock than `process_time`."""
    signal.setitimer(signal.ITIMER_PROF, 3 * MOST_CPU)


def _try_within_limits(case: Case) -> tuple[str, float]:
    """Run a case; return its traceback and CPU seconds. One that takes far too long kills the process."""
    _limit_seconds()
    try:
        return "", try_case(case)
    except BaseException:
        return traceback.format_exc()[-3000:], 0.0


def minimise(case: Case, wrong: str, worker: Worker, most: int = 40) -> Case:
    """Reduce a case to fewer lines with the same kind of error."""

    def kind_of(wrong: str) -> str:
        return re.sub(r"\d+", "0", wrong.strip().split("\n")[-1][:60])

    wanted = kind_of(wrong)
    lines, size, tries = case.text.split("\n"), max(1, len(case.text.split("\n")) // 2), 0
    while size and tries < most:
        at = 0
        while at < len(lines) and tries < most:
            fewer = lines[:at] + lines[at + size :]
            tries += 1
            smaller = replace(case, text="\n".join(fewer))
            if kind_of(worker.run(smaller)) == wanted:
                lines = fewer
            else:
                at += size
        size //= 2
    return replace(case, text="\n".join(lines))


def fuzz(numbers: range, folder: Path, *, shrink: bool = True) -> list[str]:
    """Run cases; return a report with the minimised file for each failure. Cases that are too slow are retried at the
    end, since a shared machine can be slow temporarily."""
    worker, found = Worker(), []
    slow: list[int] = []
    try:
        for number in itertools.chain(numbers, slow):
            case = make_case(number)
            wrong = worker.run(case)
            if wrong.startswith(TOO_SLOW) and number not in slow:
                slow.append(number)
            elif wrong:
                small = minimise(case, wrong, worker) if shrink else case
                file = folder / f"{number}-{Path(case.path).name if case.kind != 'rules' else case.kind + '.game.yaml'}"
                file.write_text(small.text, encoding="utf-8", errors="surrogatepass")
                found.append(f"case {number} ({case.kind} from {case.path}), see {file}:\n{wrong}")
    finally:
        worker.close()
    return found
