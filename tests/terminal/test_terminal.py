"""`hoyle play` on a real terminal: what fits, what is typed, what is kept."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

from hoyle.front.terminal.surface import Screen
from terminals import Terminal, open_terminal

SHORT = ("--set", "match_length=some_deals", "--set", "match_deals=1")
HELP = "? help"
FRAIL = """\
class Frail:
    def __init__(self, seed): pass
    def choose(self, decision, look): raise ValueError("too much")
"""


LETTERS = str.maketrans("♣♦♥♠", "CDHS")


def hand_of(terminal: Terminal) -> list[str]:
    line = next(line for line in terminal.lines if line.startswith(" hand "))
    return [re.sub(r"[^0-9A-Za-z]", "", word.translate(LETTERS)) for word in line.split()[1:]]


def check_fits(terminal: Terminal, others: int) -> None:
    """All that a player needs is on the screen: the head, a row for each other seat, his hand, the menu, the prompt."""
    lines = terminal.lines
    assert "your turn" in lines[0]
    assert sum("hand \u00d7" in line or "hand x" in line for line in lines[1 : others + 1]) == others
    rule = next(number for number, line in enumerate(lines) if set(line) in ({"─"}, {"-"}))
    assert any(line.startswith(" you") for line in lines[rule:])
    assert any(line.startswith(" hand ") for line in lines[rule:])
    assert any(re.match(r" \w+ \w", line) for line in lines[rule + 3 :])
    assert terminal.prompt.startswith(">")


# ------------------------------------------------------------------------------------------------ what fits
@pytest.mark.parametrize(
    ("game", "players", "size"),
    [
        ("bunco", 14, (80, 24)),
        ("bi-jinx", 4, (120, 40)),
        pytest.param("bunco", 7, (80, 24), marks=pytest.mark.slow),
        pytest.param("bonanza", 9, (80, 24), marks=pytest.mark.slow),
        pytest.param("bonus-20", 8, (80, 24), marks=pytest.mark.slow),
        pytest.param("cribbage", 2, (80, 24), marks=pytest.mark.slow),
        pytest.param("bonanza", 2, (60, 20), marks=pytest.mark.slow),
    ],
)
def test_a_table_fits_the_screen(game: str, players: int, size: tuple[int, int], tmp_path: Path) -> None:
    with open_terminal("play", game, "-p", str(players), "--seed", "4", matches=tmp_path, size=size) as terminal:
        terminal.wait_for(HELP)
        for _ in range(3):
            check_fits(terminal, players - 1)
            assert b"\x1b[?1049h" in terminal.raw  # the screen of the shell is left as it was
            terminal.type(".1", HELP, "a number from")
            if "a number from" in terminal.text:
                terminal.type("1", HELP)


def test_colours_and_glyphs_are_shown_where_the_terminal_can(tmp_path: Path) -> None:
    with open_terminal("play", "cribbage", "--seed", "3", matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        number = next(n for n, line in enumerate(terminal.lines) if line.startswith(" hand "))
        row = terminal.screen.buffer[number]
        hearts = [at for at, sign in enumerate(terminal.lines[number]) if sign == "♥"]
        spades = [at for at, sign in enumerate(terminal.lines[number]) if sign == "♠"]
        assert hearts and spades
        assert {row[at].fg for at in hearts} == {"red"}
        assert {row[at].fg for at in spades} == {"default"}
        assert "Q♥" in terminal.lines[number]
        menu = next(n for n, line in enumerate(terminal.lines) if line.startswith(" a lay away"))
        key, words = terminal.screen.buffer[menu][1], terminal.screen.buffer[menu][3]
        assert (key.fg, key.bold, words.fg, words.bold) == ("cyan", True, "default", False)


def test_without_colour_and_without_utf8_nothing_else_is_written(tmp_path: Path) -> None:
    table = ("play", "bonanza", "-p", "4", "--lang", "fr", "--seed", "9")
    with open_terminal(*table, matches=tmp_path, NO_COLOR="1", LANG="C", LC_ALL="C") as terminal:
        terminal.wait_for("? aide")
        terminal.type("pourquoi 2p")
        assert all(byte < 128 for byte in terminal.raw)
        assert not re.search(rb"\x1b\[[0-9;]*(3[0-7]|38;5;\d+)m", terminal.raw)
        assert "a vous" in terminal.text


def test_a_screen_that_changes_its_size_is_drawn_anew(tmp_path: Path) -> None:
    with open_terminal("play", "bunco", "-p", "4", "--seed", "3", matches=tmp_path, size=(120, 40)) as terminal:
        terminal.wait_for(HELP)
        terminal.press("la")
        terminal.resize(80, 24)
        terminal.wait_for("> la")
        assert terminal.prompt == "> la"
        terminal.press("\x15")  # the line is still edited
        terminal.type("", HELP)
        check_fits(terminal, 3)
        terminal.resize(40, 12)
        terminal.wait_for(HELP)
        assert terminal.prompt.startswith(">")


# ------------------------------------------------------------------------------------------------ what is typed
def test_tab_completes_and_arrows_recall(tmp_path: Path) -> None:
    with open_terminal("play", "cribbage", "--seed", "3", matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        terminal.press("la\t")
        terminal.wait_for("> lay away")
        terminal.press("Q\t")
        terminal.wait_for("> lay away QH")
        terminal.type("KS", "you do not hold KS")
        terminal.press("\x1b[A")
        terminal.wait_for("> lay away QH KS")
        terminal.press("\x15")
        terminal.type("why", "you are to choose: lay away")


def test_whose_turn_it_is_is_told_however_narrow_the_screen(tmp_path: Path) -> None:
    with open_terminal("play", "gin-rummy", "--seed", "11", matches=tmp_path, size=(40, 20)) as terminal:
        terminal.wait_for(HELP)
        assert terminal.lines[0].split() == ["Gin", "Rummy", "·", "your", "turn", "?", "help"]


def test_a_digit_is_a_card_and_never_the_line_of_that_number(tmp_path: Path) -> None:
    with open_terminal("play", "cribbage", "--seed", "3", matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        before = hand_of(terminal)
        assert before == ["3S", "4D", "5H", "5D", "7D", "QH"]
        terminal.type("5", "which? >")
        assert hand_of(terminal) == before
        listed = [line for line in terminal.lines if "lay away" in line]
        assert listed and all(re.search(r"lay away (5|\w\w 5)", each) for each in listed)
        terminal.type("", HELP)
        terminal.type("3s 5h", "start card")
        assert sorted([*hand_of(terminal), "3S", "5H"]) == sorted(before)


def test_of_many_choices_every_action_is_seen_and_what_is_meant_is_narrowed_part_by_part(tmp_path: Path) -> None:
    with open_terminal("play", "bridge", "--seed", "3", matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        offered = [line for line in terminal.lines if re.match(r" \w+ (bid|pass)", line)]
        assert len(offered) == 8 and "pass" in offered[-1] and "no trumps]" in offered[0]
        terminal.type("bid", "which? >")
        terminal.type("3", "which? >")
        assert "bid 3 hearts" in terminal.text and "bid 2" not in terminal.text
        terminal.type("hearts", "You bid 3 hearts")


def test_cards_on_the_table_stand_beside_who_laid_them_and_columns_below_one_another(tmp_path: Path) -> None:
    with open_terminal("play", "hearts", "--seed", "3", matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        while "trick" not in terminal.text or "trick empty" in terminal.text:
            terminal.type(".1", HELP)
        trick = next(line for line in terminal.lines if " trick " in line)
        assert re.search(r"trick \w+ [2-9TJQKA][♣♦♥♠]", trick)
    with open_terminal("play", "klondike", "--seed", "3", matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        columns = [line for line in terminal.lines if re.match(r" (first|second|seventh) ", line)]
        assert [line.split()[1] for line in columns] == ["6♠", "\u00d71", "\u00d76"]
        assert "covered" not in terminal.text


def test_undo_rules_log_and_score_are_pages_of_their_own(tmp_path: Path) -> None:
    with open_terminal("play", "cribbage", "--seed", "3", matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        first = terminal.lines
        terminal.type("3s qh", "start card")
        for command, expected in (("log", "What happened"), ("rules", "The rules in force"), ("score", "The score")):
            terminal.type(command, expected)
            while "more" in terminal.prompt:
                terminal.type("", "-- ")
            terminal.type("", HELP)
        terminal.type("undo", "taken back")
        assert [line for line in terminal.lines if "lay away" in line] == [line for line in first if "lay away" in line]


@pytest.mark.parametrize("said", ["wide", "-3", "1e3", "²", "9" * 5000])
def test_a_terminal_without_a_size_is_taken_for_a_usual_one_whatever_the_environment_says(
    said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(_file: int) -> os.terminal_size:
        return os.terminal_size((0, 0))

    monkeypatch.setattr("os.get_terminal_size", unknown)
    monkeypatch.setattr("sys.stdout", SimpleNamespace(fileno=lambda: 1))
    monkeypatch.setenv("COLUMNS", said)
    monkeypatch.setenv("LINES", said)
    size = Screen.measure(object.__new__(Screen))
    assert (size.width, size.height) == (80, 24)


# ------------------------------------------------------------------------------------------------ what is kept
def test_a_match_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    with open_terminal("play", "cribbage", "--seed", "3", matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        terminal.type("3s qh", "start card")
        terminal.type("7d", "You play 7D")
        before = terminal.lines
        terminal.process.kill(signal.SIGKILL)
    with open_terminal("resume", matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        assert [line for line in terminal.lines if "seed 3" not in line and line] == [line for line in before if line]
        terminal.type("undo", "taken back")
        assert hand_of(terminal) == ["4D", "5H", "5D", "7D"]
        terminal.press("\x04")
        assert terminal.finish() == 0
        assert b"the match is kept: hoyle resume goes on with it (seed 3)" in terminal.raw


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)])
def test_leaving_by_a_key_says_how_to_go_on(key: str, code: int, tmp_path: Path) -> None:
    with open_terminal("play", "cribbage", "--seed", "3", matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        assert terminal.finish(key) == code
        assert b"the match is left; --seed 3 deals it again" in terminal.raw  # nothing has been played yet
        assert b"Traceback" not in terminal.raw
        assert terminal.raw.rfind(b"\x1b[?1049l") > terminal.raw.rfind(b"\x1b[?1049h")


def test_a_match_whose_bot_breaks_down_is_kept_and_it_is_said_how_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "frail.py").write_text(FRAIL)
    found = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), str(tmp_path)])
    table = ("play", "cribbage", "--seed", "3")
    with open_terminal(*table, matches=tmp_path, bot="frail:Frail", PYTHONPATH=found) as terminal:
        terminal.wait_for(HELP)
        terminal.press("3s qh\r")
        assert terminal.finish() == 1
        assert b"the match is kept: hoyle resume goes on with it (seed 3)" in terminal.raw
        assert b"broke down: ValueError: too much" in terminal.raw


def test_a_match_left_unfinished_is_offered_and_one_that_ended_is_not(tmp_path: Path) -> None:
    with open_terminal("play", "bonus-20", "--seed", "5", *SHORT, matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        terminal.type(".1", HELP)
        terminal.press("q\r")
        assert terminal.finish() == 0
    with open_terminal("play", matches=tmp_path) as terminal:
        terminal.wait_for("Go on with it? [Y/n]")
        terminal.type("y", HELP)
        for _ in range(200):
            terminal.type(".1", HELP, "Play again?")
            if "Play again?" in terminal.text:
                break
        assert re.search(r"(You win|wins|win together)", terminal.text)
        assert "The lowest score wins" in terminal.text
        terminal.press("n\r")
        assert terminal.finish() == 0
    with open_terminal("play", matches=tmp_path) as terminal:
        assert terminal.finish() == 1
        assert b"which game?" in terminal.raw


def test_who_takes_up_a_match_by_play_plays_against_the_bots_he_names(tmp_path: Path) -> None:
    with open_terminal("play", "bonus-20", "--seed", "5", *SHORT, matches=tmp_path, bot="random") as terminal:
        terminal.wait_for(HELP)
        terminal.type(".1", HELP)
        terminal.press("q\r")
        assert terminal.finish() == 0
    with open_terminal("play", "bonus-20", matches=tmp_path, bot="first") as terminal:
        terminal.wait_for("Go on with it? [Y/n]")
        terminal.type("y", HELP)
        terminal.press("q\r")
        assert terminal.finish() == 0
    (kept,) = tmp_path.glob("*.jsonl")
    assert kept.read_text().splitlines()[-1] == '{"bot": "first,first"}'


def test_who_takes_up_a_match_by_play_is_called_as_he_says_and_spoken_to_in_his_language(tmp_path: Path) -> None:
    with open_terminal("play", "bonanza", "-p", "4", "--seed", "9", matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        terminal.type("fold", HELP)
        terminal.press("q\r")
        assert terminal.finish() == 0
    said = ("--name", "Zoé", "--lang", "fr", "--errors", "0.25")
    with open_terminal("play", "bonanza", *said, matches=tmp_path) as terminal:
        terminal.wait_for("[O/n]")
        terminal.type("", "? aide")
        assert "Pinson" in terminal.text  # bots are called in that language too
        terminal.press("q\r")
        assert terminal.finish() == 0
    (kept,) = tmp_path.glob("*.jsonl")
    changed = json.loads(kept.read_text().splitlines()[-1])
    assert changed["names"][0] == "Zoé"
    assert (changed["language"], changed["errors"]) == ("fr", 0.25)


def test_another_match_is_played_at_the_table_of_one_that_was_resumed(tmp_path: Path) -> None:
    with open_terminal("play", "bonus-20", "--seed", "5", *SHORT, matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        terminal.type(".1", HELP)
        terminal.press("q\r")
        assert terminal.finish() == 0
    with open_terminal("resume", matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        for _ in range(200):
            terminal.type(".1", HELP, "Play again?")
            if "Play again?" in terminal.text:
                break
        terminal.type("y", HELP)
        terminal.press("q\r")
        assert terminal.finish() == 0


def test_a_match_is_given_up_for_a_new_one_and_stays_kept(tmp_path: Path) -> None:
    with open_terminal("play", "cribbage", "--seed", "3", matches=tmp_path) as terminal:
        terminal.wait_for(HELP)
        before = hand_of(terminal)
        terminal.type("3s qh", "start card")
        terminal.type("new", "Begin a new match? This one stays kept. [y/N]")
        terminal.type("", HELP)
        assert hand_of(terminal) == ["4D", "5H", "5D", "7D"]  # nothing has happened
        terminal.type("new", "[y/N]")
        terminal.type("y", HELP)
        assert len(hand_of(terminal)) == 6 and hand_of(terminal) != before
        terminal.type(".1", HELP)
        terminal.press("q\r")
        assert terminal.finish() == 0
    with open_terminal("resume", "--list", matches=tmp_path, size=(200, 24)) as terminal:
        assert terminal.finish() == 0
        assert terminal.raw.count(b"choices") == 2


# ------------------------------------------------------------------------------------------------ who plays what
def test_a_curtain_hides_everything_between_two_people(tmp_path: Path) -> None:
    people = ("--seat", "0", "--seat", "1", "--name", "Ash", "--name", "Bay")
    with open_terminal("play", "cribbage", *people, "--seed", "3", matches=tmp_path) as terminal:
        terminal.wait_for("press Enter when nobody else looks")
        assert [line for line in terminal.lines if line.strip()] == [
            terminal.lines[11], terminal.prompt
        ]  # fmt: skip
        terminal.type("", HELP)
        first = set(hand_of(terminal))
        terminal.type(".1", "press Enter when nobody else looks")
        shown = terminal.text
        assert not any(re.search(rf"\b{card}\b", shown) for card in first)
        terminal.type("", HELP)
        assert not first & set(hand_of(terminal))


def test_who_sits_down_plays_against_bots_that_think_and_hints_say_why(tmp_path: Path) -> None:
    with open_terminal("play", "bunco", "-p", "7", "--seed", "3", matches=tmp_path, bot="") as terminal:
        terminal.wait_for(HELP)
        assert '"bot": "medium:0.17s"' in next(tmp_path.iterdir()).read_text()
        terminal.type("hint", "the bot `hard` would: ")
        assert re.search(r"tried [\d,]+ times of [\d,]+, worth \d+ of 100", terminal.text)
        check_fits(terminal, 6)


def test_an_answer_that_does_not_fit_beside_the_table_has_pages_of_its_own(tmp_path: Path) -> None:
    with open_terminal("play", "bonanza", "--seed", "5", matches=tmp_path, size=(40, 15)) as terminal:
        terminal.wait_for(HELP)
        terminal.type("hint", "Enter: ")
        assert "worth" in terminal.text and "purse" not in terminal.text
        for _ in range(5):
            if HELP not in terminal.text:
                terminal.type("", HELP, "Enter: ")
        assert "purse 90" in terminal.text


def test_three_at_a_game_for_two_are_offered_the_variant_for_three(tmp_path: Path) -> None:
    with open_terminal("play", "cribbage", "-p", "3", "--seed", "3", matches=tmp_path) as terminal:
        terminal.wait_for("cribbage-three is. Play that? [Y/n]")
        terminal.type("", HELP)
        check_fits(terminal, 2)


def test_plain_is_one_fact_a_line_without_a_screen(tmp_path: Path) -> None:
    with open_terminal("play", "cribbage", "--plain", "--seed", "3", matches=tmp_path) as terminal:
        terminal.wait_for("p: lay away")
        assert b"\x1b[?1049h" not in terminal.raw
        assert b"your hand: 3S 4D 5H 5D 7D QH\r\n" in terminal.raw
        terminal.press("q\r")
        assert terminal.finish() == 0
