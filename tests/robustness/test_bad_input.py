"""Files that are broken, hostile or too much: each is answered at once, by name, without a traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import pytest

from hoyle.base.diagnostics.codes import CODES
from hoyle.front.cli import run
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import Fault
from hoyle.program.ir.nodes import Program

ROOT = Path(__file__).parents[2]
MOST_SECONDS = 15  # of processor time, on a slow machine; most take a tenth of one
MOST_MEMORY = 1 << 30
MOST_SHOWN = 100_000  # characters

HEAD = "game: sample\ntitle: A sample\nplayers: 2..4\n"
ATTRIBUTES = "deck:\n  attributes: {suit: {red: R, blue: B}, rank: 1..26}\n  cards:\n"
CARDS = "    - {suit: [red, blue], rank: 1..26}\n    - {name: joker, short: J, copies: 2}\n"
ZONES = "zones:\n  pack: {shows: all}\n  pile: {shows: top_card}\n  hand: {of: seat, shows: owner}\n"
ACTIONS = "actions:\n  play: {text: Play a card., choose: {card: hand}, do: move card to pile}\n"
MATCH = """\
steps:
  match: |
    deal 3 cards from pack to each hand, starting left of dealer
    repeat until every hand is empty:
      for each seat: seat chooses play
"""
WINNERS = "winners: seats\n"


def game(
    *lines: str,
    head: str = HEAD,
    cards: str = CARDS,
    zones: str = "",
    state: str = "",
    definitions: str = "",
    actions: str = "",
    steps: str = "",
) -> str:
    """A small whole game with something added to it; `lines` go to the end of its step `match`."""
    head += f"state:\n{state}" if state else ""
    head += f"definitions:\n{definitions}" if definitions else ""
    end = "".join(f"    {line}\n" for line in lines)
    return head + ATTRIBUTES + cards + ZONES + zones + ACTIONS + actions + MATCH + end + steps + WINNERS


def define(body: str) -> str:
    return game("score x to dealer", definitions=f"  x: {body}\n")


class Answer(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def shown(self) -> str:
        return self.out + self.err


Hoyle = Callable[..., Answer]


@pytest.fixture
def hoyle(capsys: pytest.CaptureFixture[str]) -> Iterator[Hoyle]:
    """The command line, which has only so much time."""

    def give_up(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"no answer after {MOST_SECONDS} seconds")

    def call(*arguments: str | Path) -> Answer:
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
        try:
            code = run([str(argument) for argument in arguments])
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return Answer(code, *capsys.readouterr())

    before = signal.signal(signal.SIGVTALRM, give_up)
    yield call
    signal.signal(signal.SIGVTALRM, before)


def write(folder: Path, content: str | bytes, name: str = "sample.game.yaml") -> Path:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return file


def bomb() -> str:
    lines = [f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9)]
    return "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(lines)


def deep_ifs(depth: int) -> list[str]:
    return [" " * i + "if pile is empty:" for i in range(depth)] + [" " * depth + "shuffle pack"]


ONE_MEGABYTE = 1_000_000

# What is refused: the content, and the code of what is told.
REFUSED: dict[str, tuple[str | bytes, str]] = {
    "an empty file": (b"", "empty-file"),
    "bytes that are no text": (b"\xff\xfe\x00g\x00a", "not-utf8"),
    "a NUL byte": (game().encode() + b"\x00", "control-character"),
    "a NUL byte written as an escape": (HEAD + 'text: "a\\0"\n', "control-character"),
    "a zip archive": (b"PK\x03\x04\x14\x00\x08\x00" * 100, "control-character"),
    "tabs": (game().replace("  ", "\t"), "tab-indentation"),
    "lines that end in CR alone": (game().replace("\n", "\r"), "control-character"),
    "ten megabytes": (game() + "# x\n" * (10 * ONE_MEGABYTE // 4), "file-too-large"),
    "ten thousand brackets": (HEAD + "labels: " + "[" * 10_000, "too-deep"),
    "ten thousand braces": (HEAD + "labels: " + "{a: " * 10_000, "too-deep"),
    "four hundred levels of indentation": ("".join("  " * i + "a:\n" for i in range(400)), "too-deep"),
    "nine thousand parentheses": (define("(" * 9_000 + "1" + ")" * 9_000), "too-deep"),
    "an alias bomb": (bomb(), "yaml-alias"),
    "an alias inside what it names": ("game: &a [*a]\n", "yaml-alias"),
    "a mapping as a key": ("? {a: b}\n: c\n", "key-not-text"),
    "an unknown version of YAML": ("%YAML 9.9\n---\na\n", "yaml-syntax"),
    "an escape that stands for no character": ('game: "\\U00110000"\n', "yaml-syntax"),
    "half a surrogate": ('game: "\\ud800"\n', "missing-key"),
    "dates and times as names": ("game: 2001-01-01\ntitle: 12:30\nplayers: 0x10\n", "missing-key"),
    "a number of five hundred digits": (define("9" * 500), "number-too-large"),
    "a number of five thousand digits in a step": (game("score " + "9" * 5_000 + " to dealer"), "huge-number"),
    "millions of players": (game(head=HEAD.replace("2..4", "1..99999999")), "bad-value"),
    "a million cards": (game(cards="    - {name: joker, copies: 1000000}\n"), "deck-too-big"),
    "more cards than can be counted": (
        game(cards="    - {name: joker, copies: 1000 * 1000 * 1000 * 1000}\n"),
        "deck-too-big",
    ),
    "fewer cards than none": (game(cards=CARDS + "    - {name: fool, copies: 0 - 5}\n"), "out-of-range"),
    "a card for every number": (
        game().replace("rank: 1..26", "rank: 1..999999999"),
        "deck-too-big",
    ),
    "cards with thirty attributes": (
        game()
        .replace("{suit: {red: R, blue: B}, rank: 1..26}", "{" + ", ".join(f"a{i}: 1..9" for i in range(30)) + "}")
        .replace("- {suit: [red, blue], rank: 1..26}", "- {" + ", ".join(f"a{i}: 1..9" for i in range(30)) + "}"),
        "deck-too-big",
    ),
    "a hundred thousand options": (
        HEAD + "options:\n" + "".join(f"  o{i}: {{default: true}}\n" for i in range(100_000)),
        "file-too-large",
    ),
    "as many options as fit into a file": (
        HEAD + "options:\n" + "".join(f"  o{i}: 1\n" for i in range(60_000)),
        "too-many-values",
    ),
    "five thousand options": (
        game(head=HEAD + "options:\n" + "".join(f"  o{i}: {{default: tru}}\n" for i in range(5_000))),
        "too-much-to-check",
    ),
    "a sum of five thousand": (define(" + ".join(["1"] * 5_000)), "too-deep"),
    "a sum of two hundred": (define(" + ".join(["1"] * 200)), "too-deep"),
    "a long condition": (game("if " + " and ".join(["pile is empty"] * 1_000) + ": shuffle pack"), "too-deep"),
    "a rule longer than a book": (define("1" + " + 1" * 10_000), "too-long"),
    "five hundred conditions on a line": (game("if pile is empty: " * 500 + "shuffle pack"), "too-deep"),
    "unknown names everywhere": (game(*(f"move x{i} to y{i}" for i in range(500))), "unknown-name"),
    "two thousand unknown definitions": (
        game(definitions="".join(f"  d{i}: e{i} + f{i}\n" for i in range(900))),
        "unknown-name",
    ),
    "a definition that calls itself": (define("x + 1"), "definition-ring"),
    "a ring of definitions": (game(definitions="  a: b\n  b: c\n  c: a\n"), "definition-ring"),
    "a tower of definitions": (
        game("score d0 to dealer", definitions="".join(f"  d{i}: d{i + 1} + 1\n" for i in range(900)) + "  d900: 1\n"),
        "too-deep",
    ),
    "a step that does itself": (game("do match"), "step-ring"),
    "an action that offers itself": (
        game("dealer chooses again", actions="  again: {text: Again., do: seat chooses again}\n"),
        "step-ring",
    ),
    "thousands of steps": (
        game("do s0", steps="".join(f"  s{i}: |\n    do s{i + 1}\n" for i in range(5_000))),
        "too-many-values",
    ),
    "a name with a quote": (game(zones="  \"it's\": {shows: nothing}\n"), "bad-value"),
    "a name with a brace": (game(zones='  "{pack}": {shows: nothing}\n'), "bad-value"),
    "a name of a hundred thousand letters": (game(zones="  " + "a" * 100_000 + ": {shows: nothing}\n"), "yaml-syntax"),
    "a word of fifteen thousand letters": (game("move pack to " + "a" * 15_000), "unknown-zone"),
    "the dunder names of Python": (game(zones="  __class__: {shows: nothing}\n"), "bad-value"),
    "a game that extends itself": ("game: sample\nextends: sample\n", "extends-ring"),
    "a game that extends what lies outside": ("game: sample\nextends: ../../etc/passwd\n", "parent-outside"),
    "a game that extends an absolute path": ("game: sample\nextends: /etc/passwd\n", "parent-outside"),
    "a game that extends a name no file can have": (f"game: sample\nextends: {'a' * 900}\n", "unknown-parent"),
    "a module of a name no file can have": (game(head=HEAD + f"use: [{'a' * 900}]\n"), "unknown-module"),
    "a module from outside": (game(head=HEAD + "use: [../../secrets]\n"), "unknown-module"),
    "an option out of range": (
        game(head=HEAD + "options:\n  n: {default: 99, range: 1..9, text: A number.}\n"),
        "out-of-range",
    ),
    "thirty conditions inside one another": (game(*deep_ifs(30)), "too-deep"),
    "more conditions inside one another than a line is long": (game(*deep_ifs(140)), "too-deep"),
    "tests inside tests": (game("if " + "1 is in (" * 30 + "3" + ")" * 30 + ": shuffle pack"), "wrong-type"),
    "a subset of too many": (game("score count of subsets of (1..20) to dealer"), "too-many-groups"),
    "a loop of a billion turns": (game("repeat 1000000000 times: shuffle pack"), "huge-number"),
    "a loop without an end": (game("repeat:", "  shuffle pack"), "endless-loop"),
}


@pytest.mark.share
@pytest.mark.parametrize("content, code", REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_told_at_once(content: str | bytes, code: str, hoyle: Hoyle, tmp_path: Path) -> None:
    answer = hoyle("check", write(tmp_path, content))
    assert answer.code == 1
    assert answer.err == ""
    assert f"error[{code}]: " in answer.out
    assert "Traceback" not in answer.out
    assert len(answer.out) < MOST_SHOWN
    assert code in CODES


def test_a_file_beside_it_that_extends_thousands_does_not_hold_up_a_game(hoyle: Hoyle, tmp_path: Path) -> None:
    write(tmp_path, f"game: other\nextends: [{', '.join(f'g{i}' for i in range(20_000))}]\n", "other.game.yaml")
    assert hoyle("check", write(tmp_path, game())).code == 0


def test_a_game_that_does_a_step_it_has_not_is_drawn_without_it(hoyle: Hoyle, tmp_path: Path) -> None:
    file = write(tmp_path, game("do nothing_yet", "dealer chooses never_written"))
    for style in ("svg", "dot", "mermaid"):
        answer = hoyle("graph", file, "--format", style)
        assert (answer.code, answer.err) == (0, "") and "nothing_yet" not in answer.out


# What is unusual but right.
ACCEPTED: dict[str, str | bytes] = {
    "line ends of another system": game().replace("\n", "\r\n"),
    "a byte order mark": b"\xef\xbb\xbf" + game().encode(),
    "no line end at the end": game().rstrip("\n"),
    "letters of other alphabets": game(head=HEAD.replace("A sample", "Ein Müßiggang, 例, ☂")),
    "words of Python as names": game(
        "move top of pack to class",
        "move class to import of dealer",
        "score lambda + def of top of pile to dealer for \"sum\"",
        zones="  class: {shows: nothing}\n  import: {of: seat, shows: owner}\n",
        definitions="  lambda: 1\n  def of card: rank of card or else 0\n",
    ).replace("def of top of pile", "(def of top of pile or else 0)"),
    "twenty conditions inside one another": game(*deep_ifs(19)),
    "names of nine hundred letters": game(f"move pile to {'a' * 900}", zones=f"  {'a' * 900}: {{shows: nothing}}\n"),
    "a list of five thousand": game("score count of (" + ", ".join(["1"] * 5_000) + ") to dealer for \"sum\""),
}


@pytest.mark.parametrize("content", ACCEPTED.values(), ids=ACCEPTED)
def test_what_is_unusual_but_right_is_played(content: str | bytes, hoyle: Hoyle, tmp_path: Path) -> None:
    file = write(tmp_path, content)
    checked = hoyle("check", file)
    assert (checked.code, checked.out) == (0, "1 file, no problems\n")
    assert hoyle("play", file, "--auto", "--seed", "1").code == 0


# What shows only in play: the game, what is said, and the line of the rule at fault, counted from the end of the file.
LAST = 2
FAULTY: dict[str, tuple[str, str, int]] = {
    "a loop that never ends": (game("repeat until pack is empty: shuffle pack"), "does not come to a decision", LAST),
    "a million times a million": (
        game("repeat 1000000 times:", "  repeat 1000000 times: shuffle pack"),
        "does not come to a decision",
        LAST,
    ),
    "a range of two billion": (game("for each x in 1..2000000000: score x to dealer"), "`span` would make", LAST),
    "subsets of a whole deck": (game("score count of subsets of pack to dealer"), "`subsets` would make", LAST),
    "pairs of pairs of pairs": (
        game("score count of pairs of pairs of pairs of pack to dealer"),
        "`pairs` would make",
        LAST,
    ),
    "ten of fifty-two cards": (
        game("dealer chooses grab", actions="  grab: {text: Grab., choose: {taken: 10 cards from pack}}\n"),
        "more than 4294967296 choices",
        LAST,
    ),
    "three picks from the pack": (
        game("dealer chooses grab", actions="  grab: {text: Grab., choose: {a: pack, b: pack, c: pack}}\n",
             head=HEAD.replace("2..4", "2")),  # a second of the processor for each trial match
        "more than 100000 choices",
        LAST,
    ),
    "a number that is squared again and again": (
        game("repeat 1000 times: set n to n * n", state="  n: {type: number, start: 2}\n"),
        "`multiply` would make",
        LAST,
    ),
    "a division by nothing": (game("score 1 div 0 to dealer"), "divides by 0", LAST),
    "a remainder by nothing": (game("score 5 mod (count of pack - count of pack) to dealer"), "divides by 0", LAST),
    "nothing to choose": (
        game("dealer chooses never_mind", actions="  never_mind: {text: Never., allowed: never}\n"),
        "nothing is legal",
        LAST,
    ),
    "a state beyond its range": (
        game("repeat 9 times: set n to n + 1", state="  n: 0..5\n"),
        "outside 0..5",
        LAST,
    ),
    "more cards than there are": (
        game("deal count of pack cards from pack to each hand, starting dealer"),
        "cards to each of 2",
        LAST,
    ),
}


@pytest.mark.parametrize("content, said, from_end", FAULTY.values(), ids=FAULTY)
def test_a_rule_that_fails_in_play_is_named(
    content: str, said: str, from_end: int, hoyle: Hoyle, tmp_path: Path
) -> None:
    file = write(tmp_path, content)
    assert hoyle("check", "--no-trial", file).code == 0
    tried = hoyle("check", file)
    assert tried.code == 1
    assert said in tried.shown
    answer = hoyle("play", file, "--auto", "--seed", "1")
    line = len(content.splitlines()) - from_end + 1
    assert answer.code == 1
    assert said in answer.err
    assert any(f"{file}:{number}: steps.match" in answer.err for number in (line, line - 1)), answer.err
    assert "Traceback" not in answer.shown


def test_a_simulation_is_stopped_by_a_fault_and_names_the_rule(hoyle: Hoyle, tmp_path: Path) -> None:
    file = write(tmp_path, game("repeat until pack is empty: shuffle pack"))
    answer = hoyle("sim", file, "--games", "1")
    assert answer.code == 1
    assert f"{file}:" in answer.shown
    assert "does not come to a decision" in answer.shown


def load_program(file: Path) -> Program:
    from hoyle.language.compile import compile_game

    program, report = compile_game(file)
    assert program is not None, report
    return program


def test_a_game_that_never_ends_is_stopped_where_it_is(tmp_path: Path) -> None:
    endless = game(
        "repeat until pile is empty and pack is empty:",
        "  for each seat: seat chooses pass",
        actions="  pass: {text: Pass.}\n",
    )
    executor = ReferenceExecutor(load_program(write(tmp_path, endless)), most_decisions=1_000)
    position = executor.start(1)
    with pytest.raises(Fault, match="does not end within 1,000 decisions") as stopped:
        while executor.run(position) == "decide":
            executor.apply(position, executor.list_legal(position)[0])
    clause = executor.program.clauses[stopped.value.clause or 0]
    assert (clause.path, clause.line) == ("steps.match", len(endless.splitlines()) - 1)


# ------------------------------------------------------------------------------------------------ the command line
def test_options_and_players_that_do_not_fit_are_told(hoyle: Hoyle, tmp_path: Path) -> None:
    options = "options:\n  n: {default: 5, range: 1..9, text: A number.}\n"
    file = write(tmp_path, game(head=HEAD + options))
    for arguments, code in (
        (("--players", "12"), "player-count"),
        (("--players", "1"), "player-count"),
        (("--set", "n=10"), "bad-option-value"),
        (("--set", "n=" + "9" * 10_000), "bad-option-value"),
        (("--set", "n=many"), "bad-option-value"),
        (("--set", "m=1"), "unknown-option"),
        (("--set", "n's=\x00"), "unknown-option"),
    ):
        answer = hoyle("play", file, "--auto", *arguments)
        assert answer.code == 1
        assert answer.err.startswith(f"error[{code}]: ")
        assert len(answer.err) < MOST_SHOWN


def test_what_is_no_file_is_told(hoyle: Hoyle, tmp_path: Path) -> None:
    for name in ("nowhere.game.yaml", "a\x00b.game.yaml", "x" * 5_000 + ".game.yaml"):
        answer = hoyle("check", tmp_path / name)
        assert answer.code == 1
        assert "Traceback" not in answer.shown


def test_a_loop_of_links_is_told(hoyle: Hoyle, tmp_path: Path) -> None:
    first, second = tmp_path / "a.game.yaml", tmp_path / "b.game.yaml"
    first.symlink_to(second)
    second.symlink_to(first)
    answer = hoyle("check", first)
    assert answer.code == 1
    assert "Traceback" not in answer.shown


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="memory is limited by a call of Unix")
def test_nothing_takes_more_than_its_memory(tmp_path: Path) -> None:
    """Everything above in one process that may not have more than a gigabyte."""
    for number, (content, _) in enumerate(REFUSED.values()):
        write(tmp_path, content, f"refused-{number}.game.yaml")
    faulty = [str(write(tmp_path, content, f"faulty-{i}.yaml")) for i, (content, *_) in enumerate(FAULTY.values())]
    script = f"""
        import resource
        resource.setrlimit(resource.RLIMIT_AS, ({MOST_MEMORY}, {MOST_MEMORY}))
        from hoyle.front.cli import run
        codes = [run(["check", {str(tmp_path)!r}])]
        codes += [run(["play", file, "--auto", "--seed", "1"]) for file in {faulty!r}]
        raise SystemExit(0 if set(codes) == {{1}} else f"exit codes {{codes}}")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        env={"PYTHONPATH": str(ROOT / "interpreter"), "HOYLE_CACHE": ""},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    assert "Traceback" not in done.stdout + done.stderr
