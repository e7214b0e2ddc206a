"""`hoyle play` through a pipe, and `hoyle sim`: lines typed and output read."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from hoyle.front.cli import run


class Answer(NamedTuple):
    code: int
    out: str
    err: str


Play = Callable[..., Answer]
SPEAKING_BOT = """
import sys
from hoyle.lab.bots.simple import RandomBot

class Speaking(RandomBot):
    def choose(self, decision, look):
        print("hark", file=sys.stderr)
        return super().choose(decision, look)
"""
SHORT = ("--set", "match_length=some_deals", "--set", "match_deals=1")


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    def call(lines: str, *arguments: str) -> Answer:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        code = run(list(arguments))
        return Answer(code, *capsys.readouterr())

    return call


def listed_actions(out: str) -> list[str]:
    """The texts of the last list of actions, in order."""
    lines = out.splitlines()
    last = max(number for number, line in enumerate(lines) if re.match(r"[a-z.0-9]{1,3}: ", line))
    listed = []
    while re.match(r"[a-z.0-9]{1,3}: ", lines[last]):
        listed.insert(0, lines[last].partition(": ")[2])
        last -= 1
    return listed


# ------------------------------------------------------------------------------------------------ watching
def test_bots_play_a_whole_match_that_repeats_from_its_seed(typed: Play) -> None:
    first, again, other = (
        typed("", "play", "bonus-20", "--auto", "--seed", seed, "--players", "3", *SHORT) for seed in ("7", "7", "8")
    )
    assert first.code == 0
    assert first == again
    assert first.out != other.out
    assert re.search(r"wins?( together)?\nThe lowest score wins\n$", first.out)


def test_the_seed_is_shown_when_none_was_given_and_repeats_the_match(typed: Play) -> None:
    first = typed("", "play", "bonus-20", "--auto", *SHORT)
    seed = re.search(r"seed (\d+)", first.out)
    assert seed
    assert typed("", "play", "bonus-20", "--auto", "--seed", seed[1], *SHORT).out == first.out


def test_watching_from_a_seat_one_is_told_what_that_seat_is_told(typed: Play) -> None:
    everything = typed("", "play", "bonus-20", "--auto", "--seed", "7", *SHORT).out
    mine = typed("", "play", "bonus-20", "--auto", "--seat", "1", "--seed", "7", *SHORT).out
    assert "draws 1 card" not in everything
    assert re.search(r"You draw \w+", mine)
    assert "Robin draws 1 card" in mine


# ------------------------------------------------------------------------------------------------ answering
def test_lines_of_the_menu_take_their_actions_to_the_end_of_the_match(typed: Play) -> None:
    answer = typed(".1\n" * 5000, "play", "bonus-20", "--seed", "1", *SHORT)
    assert answer.code == 0
    assert answer.err == ""
    assert re.search(r"(You win|wins|win together)\nThe lowest score wins\n$", answer.out)


def test_a_key_a_text_and_a_bare_card_mean_the_same(typed: Play) -> None:
    shown = typed("", "play", "bonus-20", "--seed", "1").out
    action = next(text for text in listed_actions(shown) if text.startswith("play "))
    key = next(line.partition(":")[0] for line in shown.splitlines() if line.endswith(f": {action}"))
    card = action.removeprefix("play ")
    outs = {typed(f"{line}\n", "play", "bonus-20", "--seed", "1").out for line in (
        key, action, action.upper(), card, card.lower(), f"pl {card}", f"  play   {card} ", card[1:] + card[0]
    )}  # fmt: skip
    assert len(outs) == 1
    assert f"You {action}" in outs.pop()


def test_a_digit_is_never_a_line_where_cards_have_numbers(typed: Play) -> None:
    for game in ("cribbage", "bunco", "bi-jinx", "bonus-20"):
        out = typed("", "play", game, "--seed", "2").out
        keys = re.findall(r"^(\S{1,3}): ", out[out.index("your turn") :], re.MULTILINE)
        assert keys
        assert not any(key.isdigit() for key in keys)


def test_a_bare_rank_means_any_card_that_has_it_and_asks_which(typed: Play) -> None:
    """The five of the hand, not the fifth line; of two fives either may be meant."""
    shown = typed("", "play", "cribbage", "--seed", "3").out
    assert "your hand: 3S 4D 5H 5D 7D QH" in shown
    asked = typed("5\n", "play", "cribbage", "--seed", "3").out
    assert sorted(listed_actions(asked)) == sorted(each for each in listed_actions(shown) if " 5" in each)
    taken = typed("5h 3\n", "play", "cribbage", "--seed", "3").out
    assert "You lay 5H and 3S in the crib" in taken or "You lay 3S and 5H in the crib" in taken


def test_several_cards_are_named_in_any_order_and_by_any_name(typed: Play) -> None:
    outs = {
        typed(f"{line}\n", "play", "cribbage", "--seed", "3").out
        for line in ("lay_away 7D QH", "lay away qh 7d", "qh, 7d", "7D+QH", "d7 hq", "lay 7♦ q♥", "la qh and 7d")
    }
    assert len(outs) == 1
    assert re.search(r"You lay (7D and QH|QH and 7D) in the crib", outs.pop())


def test_a_ten_may_be_written_with_two_digits(typed: Play) -> None:
    shown = typed("", "play", "cribbage", "--seed", "7").out
    assert "TS" in shown.splitlines()[-8] or "your hand: 7D 8H TS TD QH KH" in shown
    assert "You lay" in typed("10s 10d\n", "play", "cribbage", "--seed", "7").out


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("KS", "you do not hold KS"),
        ("lay away KS QH", "you do not hold KS"),
        ("lay away 3S", ""),
        ("lay away 3S 4D 5H", "lay away: 3 said, 2 wanted"),
        ("fly to the moon", "`fly` is no card, action or command here"),
        ("lay away foo", "`foo` is no card, action or command here"),
        ("play 3S", "`play` is not offered here"),
    ],
)
def test_what_is_wrong_with_a_line_is_said_of_the_part_that_is_wrong(typed: Play, line: str, wrong: str) -> None:
    answer = typed(f"{line}\n", "play", "cribbage", "--seed", "3")
    assert answer.code == 0
    assert wrong.casefold() in answer.out.casefold()
    assert "You lay" not in answer.out


def test_where_ranks_are_said_a_card_says_its_rank_and_a_wrong_rank_is_answered_with_the_rule(typed: Play) -> None:
    """At Dou Dizhu ranks are played, at Go Fish they are asked for: the hand shows cards."""

    def say(line: str, game: str = "dou-dizhu") -> str:
        moves = "pass\n" if game == "dou-dizhu" else ""  # then an ace lies there, and of the hand only the 2 beats it
        return typed(f"{moves}{line}\n", "play", game, "--seed", "11", "--bot", "random").out

    assert "You play 2H" in say("2h")
    for line in ("3c", "3", "play 3 1", "play 3C", "why 3c"):
        out = say(line)
        assert "It must be higher than the last play." in out, line
        assert "3c is allowed" not in out
        assert "is no card, action or command" not in out
    assert "you do not hold K" in say("play K 1")
    assert "you do not hold 4" in say("ask 4", "go-fish")
    assert re.search(r"You ask \w+ for any 5", say("5c", "go-fish"))


def test_why_of_a_card_says_when_cards_are_not_asked_for(typed: Play) -> None:
    out = typed("why 5c\n", "play", "gin-rummy", "--seed", "11", "--bot", "random").out
    assert "nothing can be done with 5C now" in out
    assert "allowed" not in out


def test_a_card_that_is_not_allowed_is_refused_with_the_rule(typed: Play) -> None:
    shown = typed(".1\n" * 3, "play", "bonus-20", "--seed", "1").out
    hand = re.findall(r"^your hand: (.*)$", shown, re.MULTILINE)[-1].split()
    legal = [text.removeprefix("play ") for text in listed_actions(shown) if text.startswith("play ")]
    wrong = next(card for card in hand if card not in legal and card != "B")
    for line in (wrong, f"play {wrong}", f"why {wrong}", f"why --full {wrong}"):
        out = typed(".1\n" * 3 + f"{line}\n", "play", "bonus-20", "--seed", "1").out
        assert "Play a card that follows the Call Card; the leader may play any." in out
        assert re.search(r"BONUS-14: ", out)
        assert bool(re.search(r"^  actions\.play\.allowed\S* at .*bonus-20\.game\.yaml:\d+", out, re.M)) == (
            "--full" in line
        ), "who plays or asks is told the rule, who asks for all also where it stands"


def test_why_tells_the_author_who_plays_what_is_happening_what_was_scored_and_all_that_was_asked(typed: Play) -> None:
    def ask(line: str, game: str = "cribbage", *more: str) -> str:
        moves = "lay away 5H 5C\nplay 6C\nplay JH\n" if game == "cribbage" else ""
        return typed(f"{moves}{line}\n", "play", game, "--seed", "4", *more).out

    assert "In turn the players lay down a card" in ask("why") and "\nyou are to choose: play\n" in ask("why")
    assert not re.search(r"\.yaml|steps\.", ask("why") + ask("why score") + ask("why play 6C") + ask("why 7H"))
    by = r"^you are to choose: play or go by steps\.round_of_play at .*\[CRIB-10\]$"
    assert re.search(by, ask("why --full"), re.M)
    scored = ask("why --full score")
    last_card = r"^round 1  Wren  \+1  = 1  last card  steps\.round_of_play at .* \[CRIB-12, CRIB-A7\]$"
    assert re.search(last_card, scored, re.M)
    assert "the scores: You 0, Wren 1" in scored
    allowed = ask("why --full 7H")
    assert "play 7H is allowed\n  by actions.play.allowed.within_31 at " in allowed
    refused = ask("why --full play 6C")
    assert "  6C would have to be in `hand`\nAsked in this order:\n  1. actions.play.choose.card at " in refused
    assert "à vous de choisir : passer, suivre, miser" in ask("pourquoi", "bonanza", "--lang", "fr")
    paid = ask("pourquoi points", "bonanza", "--lang", "fr")
    assert re.search(r"tour 1 +Vous +-1 +=\s+99 +bourse → case Joker", paid) and "les points : Vous" in paid
    assert "suivre : c'est permis" in ask("pourquoi suivre", "bonanza", "--lang", "fr")
    called = typed("why\nwhy decline\n", "play", "bunco", "--seed", "4", "--set", "error_mode=challenge", "--ask").out
    assert "you may choose: " in called and "binding" not in called, "what is an error, the player must know himself"
    assert "decline can be done; whether it is an error, the others may call" in called


@pytest.mark.parametrize("line", ["0", "99999", "9" * 5000, "-1", "٣", "²", "\x00", "play " * 2000, ".0", ".99", "/"])
def test_odd_input_is_refused_without_a_fault(typed: Play, line: str) -> None:
    answer = typed(f"{line}\n", "play", "bonus-20", "--seed", "1")
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out.endswith("the match is left; --seed 1 deals it again\n")


def test_a_number_is_asked_for_or_said_at_once(typed: Play) -> None:
    table = ("play", "bonanza", "--seat", "1", "--seed", "9")
    shown = typed("", *table).out
    low, high = map(int, re.findall(r"bet (\d+)\.\.(\d+)", shown)[-1])
    said = typed(f"bet {low + 1}\n", *table).out
    assert f"You bet {low + 1}" in said
    assert typed(f"{low + 1}\n", *table).out == said
    assert typed(f"bet\n{low + 1}\n", *table).out == said
    assert f"{high + 1} is not from {low} to {high}" in typed(f"bet {high + 1}\n", *table).out
    assert f"x is not from {low} to {high}" in typed("bet\nx\n\n", *table).out
    assert "by topic" in typed("bet\nhelp\nq\n", *table).out, "commands are obeyed where a number is asked for"
    short = ("play", "holdem", "--seed", "5", "-p", "2", "--set", "chips=10", "--set", "blind=5", "--bot", "first")
    assert "3 cannot be said here, only 10" in typed("raise 3\n", *short).out


# ------------------------------------------------------------------------------------------------ commands
@pytest.mark.parametrize("passing", ["true", "false"])
def test_the_rules_are_those_in_force_at_the_table(passing: str, typed: Play) -> None:
    table = ("play", "hearts", "--seed", "1", "--set", f"passing={passing}")
    contents, told = typed("rules\n", *table).out, typed("rules play\nrules follow\nrules trump\n", *table).out
    assert "every heart you take costs 1" in contents and "Pass three cards on" not in contents
    assert "Whoever can must follow the card led." in told and "the rules say nothing about `trump`" in told
    assert ("Pass three cards on" in typed("rules pass\n", *table).out) is (passing == "true")


def test_undo_takes_back_the_last_choice_and_what_followed(typed: Play) -> None:
    before = typed("", "play", "bonus-20", "--seed", "1").out
    after = typed(".1\nundo\n", "play", "bonus-20", "--seed", "1").out
    assert "taken back" in after
    assert listed_actions(after) == listed_actions(before)
    assert "there is nothing to take back" in typed("undo\n", "play", "bonus-20", "--seed", "1").out


def test_help_score_log_rules_hint_and_table_can_be_asked_for(typed: Play) -> None:
    def ask(*lines: str) -> str:
        return typed("\n".join([".1", *lines, ""]), "play", "bonus-20", "--seed", "1").out

    assert "take back your last choice" in ask("?") and "take back your last choice" in ask("help")
    assert "The score" in ask("score")
    assert ask("log").count("Round 1") == 2
    assert "The end" in ask("rules") and "The leader may draw instead" in ask("rules")
    assert "[BONUS-11]" in ask("rules draw") and "BONUS-19: " in ask("rules BONUS-19")
    assert "the rules say nothing about `xyzzy`" in ask("rules xyzzy")
    weighed = (
        r"the bot `hard` would: (.+)\n(?:.+ by less than chance explains\n)?"
        r"  (.+): tried [\d,]+ times of [\d,]+, worth (\d+) of 100\n"
    )
    hinted = re.search(weighed, ask("hint"))
    assert hinted is not None and hinted[1] == hinted[2] and 0 <= int(hinted[3]) <= 100
    asked = typed("help\n", "play", "hanabi", "--seed", "3").out
    assert "\n  /hint " in asked and "\n  undo " in asked, "where an action is called the same, it is typed otherwise"
    assert ask("table").count("your turn") == 3
    assert "this match is not kept" in ask("save")


def test_a_match_can_be_saved_seen_again_and_gone_on_with(typed: Play, tmp_path: Path) -> None:
    file = tmp_path / "a.match.jsonl"
    begun = typed(f".1\n.1\nsave {file}\nq\n", "play", "bonus-20", "--seed", "1", *SHORT)
    assert f"the match is kept in {file}" in begun.out
    assert f"{file} is there already" in typed(f"save {file}\n", "play", "bonus-20").out
    resumed = typed("", "resume", str(file))
    assert listed_actions(resumed.out) == listed_actions(begun.out)
    ended = typed(".1\n" * 500, "resume", str(file))
    assert "The match ended" in ended.out
    replayed = typed("", "replay", str(file))
    assert replayed.code == 0
    assert "Round 1" in replayed.out and "The match ended" in replayed.out
    told = json.loads(typed("", "replay", str(file), "--json").out)
    assert (told["game"], told["over"], "\n".join(told["log"])) == ("bonus-20", True, replayed.out.strip())
    assert typed("", "resume", str(file)).err.startswith("hoyle: that match is over")


@pytest.mark.parametrize("text", ["", "x", "{}", '{"hoyle": 9}', '{"hoyle": 1}', "[" * 9000, "\udcff"])
def test_a_file_that_holds_no_match_is_refused(typed: Play, tmp_path: Path, text: str) -> None:
    file = tmp_path / "a.match.jsonl"
    file.write_bytes(text.encode(errors="surrogateescape"))
    for command in ("resume", "replay"):
        answer = typed("", command, str(file))
        assert answer.code == 1
        assert answer.err.startswith(f"hoyle: {file} holds no match: ")


def test_a_record_whose_choices_are_not_legal_is_refused(typed: Play, tmp_path: Path) -> None:
    file = tmp_path / "a.match.jsonl"
    typed(f".1\nsave {file}\nq\n", "play", "bonus-20", "--seed", "1")
    with file.open("a") as record:
        record.write('"play B9"\n')
    answer = typed("", "resume", str(file))
    assert answer.code == 1
    assert "choice" in answer.err and "no longer legal" in answer.err
    with file.open("a") as record:
        record.write('{"back_to": 1}\n{"back')  # a line cut short is left out
    assert typed("q\n", "resume", str(file)).code == 0
    gone_on = typed(".1\nq\n", "resume", str(file))
    again = typed("q\n", "resume", str(file))  # and what is played after it is kept
    assert again.code == 0
    assert listed_actions(again.out) == listed_actions(gone_on.out)


def test_who_goes_on_with_a_match_says_who_plays_the_rest_and_that_is_kept(
    typed: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("HOYLE_MATCHES", str(tmp_path))
    (tmp_path / "slow.py").write_text(SPEAKING_BOT)
    file = tmp_path / "a.match.jsonl"
    typed(f".1\nsave {file}\nq\n", "play", "bonus-20", "-p", "3", "--seed", "1", *SHORT)
    assert "hark" not in typed(".1\nq\n", "resume", str(file)).err
    assert "hark" in typed(".1\nq\n", "resume", str(file), "--bot", "slow:Speaking").err
    assert "hark" in typed(".1\nq\n", "resume", str(file)).err  # as it was left
    assert "hark" not in typed(".1\nq\n", "resume", str(file), "--bot", "random", "--bot", "first").err
    assert json.loads(file.read_text().splitlines()[0])["bot"] == "random"
    assert '{"bot": "random,random,first"}' in file.read_text()  # the seat of the user is anybody's


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (("--bot", "rnadom"), "did you mean `random`?"),
        (("--bot", "random,random,random,random"), "4 bots for 3 seats"),
        (("--think", "2"), "random cannot be told how long to think"),
        (("--bot", "easy", "--think", "0"), "a bot thinks for more than 0"),
    ],
)
def test_bots_that_cannot_go_on_are_refused_and_the_match_stays_as_it_is(
    typed: Play, tmp_path: Path, arguments: tuple[str, ...], wrong: str
) -> None:
    file = tmp_path / "a.match.jsonl"
    typed(f".1\nsave {file}\nq\n", "play", "bonus-20", "-p", "3", "--seed", "1", *SHORT)
    before = file.read_text()
    answer = typed("q\n", "resume", str(file), *arguments)
    assert answer.code == 1
    assert wrong in answer.err
    assert file.read_text() == before


def test_the_bots_of_a_match_may_be_told_anew_how_long_to_think(typed: Play, tmp_path: Path) -> None:
    file = tmp_path / "a.match.jsonl"
    typed(f"save {file}\nq\n", "play", "bonus-20", "-p", "3", "--seed", "1", "--bot", "easy:7", *SHORT)
    assert typed("q\n", "resume", str(file), "--think", "0.05").code == 0
    assert file.read_text().endswith('{"bot": "easy:0.05s"}\n')


def test_who_goes_on_with_a_match_says_how_he_is_called_and_in_which_language_and_that_is_kept(
    typed: Play, tmp_path: Path
) -> None:
    file = tmp_path / "a.match.jsonl"
    typed(f".1\nsave {file}\nq\n", "play", "bonanza", "-p", "3", "--seed", "1")
    changed = typed("q\n", "resume", str(file), "--name", "Wren", "--lang", "fr", "--errors", "0.5").out
    assert "graine 1" in changed and "seed" not in changed
    assert "graine 1" in typed("q\n", "resume", str(file)).out  # as it was left
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    names = lines[-1].pop("names")
    assert lines[-1] == {"language": "fr", "errors": 0.5}
    assert names[0] == "Wren" and len(set(names)) == 3
    assert "graine 1" not in typed("q\n", "resume", str(file), "--lang", "en").out
    assert json.loads(file.read_text().splitlines()[-1])["names"][0] == "Wren"  # a name that was given stays


def test_a_name_nobody_gave_is_said_in_the_language_one_goes_on_in(typed: Play, tmp_path: Path) -> None:
    file = tmp_path / "a.match.jsonl"
    typed(f".1\nsave {file}\nq\n", "play", "bonanza", "-p", "3", "--seed", "1")
    typed("q\n", "resume", str(file), "--lang", "fr")
    typed(f"save {tmp_path / 'b.match.jsonl'}\nq\n", "play", "bonanza", "-p", "3", "--seed", "1", "--lang", "fr")
    french = json.loads((tmp_path / "b.match.jsonl").read_text().splitlines()[0])["names"]
    assert json.loads(file.read_text().splitlines()[-1]) == {"names": french, "language": "fr"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--name", "Ash", "--name", "Bay"), "hoyle: 2 names for 1 of you"),
        (("--lang", "xx"), "Invalid value for '--lang'"),
        (("--errors", "2"), "Invalid value for '--errors'"),
    ],
)
def test_what_cannot_be_changed_when_going_on_is_refused(
    typed: Play, tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    file = tmp_path / "a.match.jsonl"
    typed(f".1\nsave {file}\nq\n", "play", "bonus-20", "-p", "3", "--seed", "1", *SHORT)
    before = file.read_text()
    answer = typed("q\n", "resume", str(file), *arguments)
    assert answer.code != 0 and told in answer.err
    assert file.read_text() == before


def test_a_language_that_a_match_lacks_is_told_when_going_on(typed: Play, tmp_path: Path) -> None:
    file = tmp_path / "a.match.jsonl"
    typed(f".1\nsave {file}\nq\n", "play", "whist", "--seed", "1")
    before = file.read_text()
    assert "Whist n'est pas écrit en français" in typed("q\n", "resume", str(file), "--lang", "fr").out
    assert file.read_text() == before


@pytest.mark.parametrize(
    "line", ['{"names": ["Ash"]}', '{"names": 3}', '{"language": 3}', '{"errors": "x"}', '{"seed": 3}', "{}"]
)
def test_a_line_that_changes_a_match_into_none_is_refused(typed: Play, tmp_path: Path, line: str) -> None:
    file = tmp_path / "a.match.jsonl"
    typed(f".1\nsave {file}\nq\n", "play", "bonus-20", "-p", "3", "--seed", "1", *SHORT)
    with file.open("a") as record:
        record.write(f"{line}\n")
    answer = typed("q\n", "resume", str(file))
    assert answer.code == 1
    assert answer.err.startswith(f"hoyle: {file} holds no match: ")


# ------------------------------------------------------------------------------------------------ who sits where
@pytest.mark.parametrize("end", ["q\n", ""])
def test_leaving_says_how_to_come_back(typed: Play, end: str) -> None:
    answer = typed(end, "play", "bonus-20", "--seed", "5")
    assert answer.code == 0
    assert answer.out.endswith("the match is left; --seed 5 deals it again\n")


def test_no_prompt_is_written_when_input_is_no_terminal(typed: Play) -> None:
    assert "> " not in typed(".1\n", "play", "bonus-20", "--seed", "5").out


def test_a_seat_that_is_not_at_the_table_is_refused(typed: Play) -> None:
    answer = typed("", "play", "bonus-20", "--players", "2", "--seat", "2")
    assert answer.code == 1
    assert answer.err == "hoyle: no seat 2: with 2 players the seats are 0 to 1\n"


@pytest.mark.parametrize("watching", [(), ("--auto",)])
def test_a_seat_taken_twice_is_refused(typed: Play, watching: tuple[str, ...]) -> None:
    answer = typed("", "play", "bonus-20", "--seat", "0", "--seat", "1", "--seat", "0", *watching)
    assert answer.code == 2
    assert "seat 0 is taken twice" in answer.err


def test_a_match_of_bots_is_watched_from_one_seat(typed: Play) -> None:
    answer = typed("", "play", "bonus-20", "--seat", "0", "--seat", "1", "--auto")
    assert answer.code == 2
    assert "with --auto name one --seat" in answer.err


def test_every_seat_can_be_taken_and_players_have_names(typed: Play) -> None:
    answer = typed(".1\n" * 500, "play", "bonus-20", "-p", "3", "--seat", "2", "--name", "Ash", "--seed", "1", *SHORT)
    assert answer.code == 0
    assert "Robin" in answer.out and "Wren" in answer.out
    assert "seat " not in answer.out
    assert "Ash" not in answer.out  # who is spoken to is you


def test_two_people_share_a_terminal_and_neither_sees_the_hand_of_the_other(typed: Play) -> None:
    names = ("--seat", "0", "--seat", "1", "--name", "Ash", "--name", "Bay")
    out = typed("\n" + ".1\n\n" * 6, "play", "cribbage", *names, "--seed", "3").out
    parts = re.split(r"^It is (\w+)'s turn$", out, flags=re.MULTILINE)
    assert {parts[number] for number in range(1, len(parts), 2)} == {"Ash", "Bay"}
    hands = {}
    for number in range(1, len(parts), 2):
        who, shown = parts[number], parts[number + 1]
        hands.setdefault(who, set(re.findall(r"^your hand: (.*)$", shown, re.MULTILINE)[0].split()))
        other = hands.get({"Ash": "Bay", "Bay": "Ash"}[who], set())
        assert not re.search(r"^(Ash|Bay)'s hand: .*[SHDC]", shown, re.MULTILINE)
        held = shown.partition("your hand: ")[2].partition("\n")[0].split()
        assert not other & set(held)


def test_forced_moves_are_made_and_told_unless_one_asks_to_be_asked(typed: Play) -> None:
    def count_offers(out: str) -> list[int]:
        """How many lines each menu has."""
        return [len(re.findall(r"^[a-z]{1,2}: ", part, re.MULTILINE)) for part in out.split("your turn")[1:]]

    by_itself = typed(".1\n" * 12, "play", "cribbage", "--seed", "3").out
    asked = typed(".1\n" * 20, "play", "cribbage", "--seed", "3", "--ask").out
    assert min(count_offers(by_itself)) > 1
    assert min(count_offers(asked)) == 1
    assert "You say go" in by_itself


# ------------------------------------------------------------------------------------------------ languages, variants
def test_a_language_that_a_file_lacks_is_told_and_nothing_is_mixed(typed: Play) -> None:
    out = typed("q\n", "play", "whist", "--lang", "fr", "--seed", "3").out
    assert "Whist n'est pas écrit en français ; il est montré en anglais" in out
    rest = out.replace("Whist n'est pas écrit en français ; il est montré en anglais", "")
    assert not re.search(r"\b(vous|votre|main|tour|joueurs)\b", rest)


def test_a_game_for_fewer_players_names_its_variant_for_so_many(typed: Play) -> None:
    answer = typed("", "play", "cribbage", "-p", "3")
    assert answer.code == 1
    assert answer.err == "hoyle: `cribbage` is not for 3 players; `hoyle play cribbage-three` is\n"
    assert typed("", "play", "cribbage", "-p", "7").err.startswith("error[player-count]")


def test_without_a_game_those_there_are_are_named(typed: Play) -> None:
    answer = typed("", "play")
    assert answer.code == 1
    assert "cribbage" in answer.err


# ------------------------------------------------------------------------------------------------ many games
def test_sim_tells_wins_scores_and_lengths(typed: Play) -> None:
    answer = typed("", "sim", "bonus-20", "--games", "5", "--players", "3", "--seed", "2", *SHORT)
    assert answer.code == 0
    assert answer.err == ""
    for word in ("5 games", "games a second", "95% interval", "decisions", "branching", "rounds"):
        assert word in answer.out


def test_sim_as_json_is_the_same_in_one_process_and_in_two(typed: Play) -> None:
    found = []
    for jobs in ("1", "2"):
        answer = typed("", "sim", "bonus-20", "--games", "7", "--seed", "2", "--json", "--jobs", jobs, *SHORT)
        assert answer.code == 0
        data = json.loads(answer.out)
        del data["seconds"], data["native"]  # how soon native code is built, and so how many matches it plays
        found.append(data)
    assert found[0] == found[1]
    assert found[0]["games"] == 7
    assert sum(seat["wins"] for seat in found[0]["seats"]) + found[0]["without_winner"] == pytest.approx(7)


def test_sim_shares_its_games_with_play(typed: Play) -> None:
    from hoyle.program.model.chance import derive_seed

    data = json.loads(typed("", "sim", "bonus-20", "--games", "1", "--seed", "2", "--json", *SHORT).out)
    seed = str(derive_seed(2, 0))
    out = typed("", "play", "bonus-20", "--auto", "--seed", seed, *SHORT).out
    scores = dict(re.findall(r"^  (\w+)  +(-?\d+)$", out, re.MULTILINE))
    assert [int(scores[name]) for name in ("Robin", "Wren")] == [seat["score"]["max"] for seat in data["seats"]]


@pytest.mark.parametrize("arguments", [("--games", "0"), ("--jobs", "-1"), ("--seed", "x")])
def test_sim_used_wrongly_says_so(typed: Play, arguments: tuple[str, str]) -> None:
    assert typed("", "sim", "bonus-20", *arguments).code == 2


ASKING = """\
game: asking
title: Asking
players: 3
deck: {starts_in: pack, attributes: {rank: 1..9}, cards: [{rank: 1..9}]}
zones: {pack: {shows: nothing}}
actions:
  ask: {text: Ask somebody., choose: {other: seats where other != seat, number: any rank}}
steps: {match: "for each seat: seat chooses ask"}
winners: seats
labels: {en: {told: {ask: "ask|asks {other} for a {number}"}}}
"""


def test_a_seat_that_is_chosen_is_told_by_its_name(typed: Play, tmp_path: Path) -> None:
    file = tmp_path / "asking.game.yaml"
    file.write_text(ASKING, encoding="utf-8")
    answer = typed("", "play", str(file), "--auto", "--seed", "2")
    assert answer.code == 0
    assert re.search(r"^Robin asks (Wren|Finch) for a \d$", answer.out, re.MULTILINE)
    assert re.search(r"^Finch asks (Robin|Wren) for a \d$", answer.out, re.MULTILINE)


def test_who_is_first_asked_is_told_all_that_happened_though_moves_were_made_for_him(typed: Play) -> None:
    told = typed("q\n", "play", "bunco", "-p", "7", "--seed", "4").out.partition("\na: ")[0]
    assert "Wren lays 10 on surplus 1" in told and "You play 1 to table pile 3" in told
