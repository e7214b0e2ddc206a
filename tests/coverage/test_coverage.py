"""`hoyle coverage`: which clauses are reached, how often, and what the file says of the others."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from hoyle.authoring.coverage import Line, Verdict, judge, measure
from hoyle.authoring.coverage.measure import Plan
from hoyle.authoring.coverage.verdict import say_share
from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import all_games, game_name
from hoyle.front.cli import run

GAME = """\
game: sample
title: Sample
players: 2
options:
  quick: {default: true, text: The short way.}
  limit: {default: 3, range: 1..9, text: At most so many turns.}
deck:
  starts_in: pack
  attributes: {rank: 1..6}
  cards: [{rank: 1..6, copies: 4}]
zones:
  pack: {shows: top_card}
  hand: {of: seat, shows: owner}
  pile: {shows: all}
state:
  player: seat
definitions:
  worth of card:
    cases:
      low:  {when: rank of card < 3, value: 1}
      high: {when: rank of card > 9, value: 9}
      rest: {value: 3}
  pace:
    cases:
      fast: {when: quick, value: 2}
      slow: {value: 1}
scores:
  tally of cards:
    ones: {is: count of (card in cards where rank of card = 1)}
    nines: {is: count of (card in cards where rank of card = 9)}
actions:
  play:
    choose: {card: hand}
    allowed:
      any:
        first: pile is empty
        up:    rank of card > rank of top of pile
    do: move card to pile
  pass:
    forbidden:
      could_play: {is: seat may play, text: Who can play must.}
  shout: {possible: count of pile > 99}
  claim: {do: score 1 to seat}
choices:
  turn:
    noise: {when: count of pile > 40, offer: shout}
    free: {offer: play or pass or shout}
ends:
  turns:
    out: some hand is empty
    never: count of pile > 50
steps:
  match: |
    do round
    if quick: announce "quick"
    otherwise if limit > 3: announce "long"
    otherwise: announce "slow"
  round: |
    gather pack
    shuffle pack
    deal 2 cards from pack to each hand, starting left of dealer
    do turns
    for each seat: score tally of hand to seat
    announce worth of top of pack
  turns: |
    set player to left of dealer
    repeat at most limit * pace times:
      player chooses turn
      offer claim to any seat from player
      set player to left of player
winners: (seat in seats with highest score of seat)
"""
TESTS = """\
tests: sample
defaults: {given: {dealer: 0}}
examples:
  - {name: a higher card, given: {hand of 1: 2 5, hand of 0: 3 4, pile: 3}, legal: [play 5]}
  - {name: stuck, given: {hand of 1: 1 2, hand of 0: 3 4, pile: 6}, do: [1 pass, 1 claim, 0 decline]}
  - {name: slow, options: {quick: false}, evaluate: {pace: 1, tally of (hand of dealer): 0}, given: {hand of 0: 3 4}}
"""


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.game.yaml"
    path.write_text(GAME, encoding="utf-8")
    path.with_name("sample.test.yaml").write_text(TESTS, encoding="utf-8")
    return path


def verdict_of(path: Path, plan: Plan) -> Verdict:
    report = Report()
    measured = measure(path, plan, report)
    assert measured is not None, report.diagnostics
    assert not measured.failing
    return judge(measured.items, measured.counts)


def by_name(verdict: Verdict) -> dict[str, Line]:
    return {f"{line.item.kind} {line.item.name}": line for line in verdict.lines}


def test_examples_count_what_they_touch_and_nothing_else(sample: Path) -> None:
    lines = by_name(verdict_of(sample, Plan(games=0)))

    def counts(name: str) -> tuple[int, int]:
        return lines[name].held, lines[name].failed

    assert counts("action actions.pass") == (1, 0)
    assert counts("action actions.claim") == (1, 0)
    assert lines["action actions.play"].complaint == "never reached"
    assert counts("window steps.turns")[0] == 1
    assert counts("case definitions.pace.fast") == (2, 1)
    assert counts("case definitions.pace.slow") == (1, 0)
    assert lines["case definitions.worth.high"].state == "unreached"
    assert counts("row scores.tally.ones") == (0, 1)
    assert lines["offer choices.turn.free: shout"].complaint == "never held"
    assert counts("condition actions.pass.forbidden.could_play")[0] > 0, "a ban holds when it forbids"
    assert lines["tier choices.turn.noise"].missing == ("held",)
    assert lines["end ends.turns.out"].missing == ("held",)
    assert lines["statement actions.play"].state == "unreached"


def test_an_offer_to_any_at_random_is_taken_and_declined(sample: Path) -> None:
    text = GAME.replace("offer claim to any seat from player", "offer claim to any seat at random")
    sample.write_text(text, encoding="utf-8")
    lines = by_name(verdict_of(sample, Plan(games=20, tests=False)))
    assert lines["window steps.turns"].held and lines["window steps.turns"].failed


def test_games_reach_what_examples_leave_and_both_ways_of_an_option(sample: Path) -> None:
    found = verdict_of(sample, Plan(games=40)).missing
    assert {f"{line.item.kind} {line.item.name}": line.complaint for line in found} == {
        "case definitions.worth.high": "never held",
        "row scores.tally.nines": "never held",
        "action actions.shout": "never reached",
        "condition actions.shout.possible": "never held",
        "offer choices.turn.free: shout": "never held",
        "tier choices.turn.noise": "never held",
        "end ends.turns.never": "never held",
    }


def test_doing_nothing_is_reached_with_what_leads_to_it_and_plain_truths_come_out_in_one_way(sample: Path) -> None:
    text = GAME.replace("definitions:\n", "definitions:\n  calm: false\n  eager: true\n")
    text = text.replace("    do turns\n", "    do turns\n    do after\n    if quick: nothing\n")
    text = text.replace("  turns: |\n", """\
  after:
    cases:
      long:  {when: limit > 8, do: nothing}
      short: {when: limit < 3, do: announce "short"}
      rest:  {do: nothing}
  turns: |
""", 1)
    sample.write_text(text, encoding="utf-8")
    verdict = verdict_of(sample, Plan(games=40))
    lines = by_name(verdict)
    assert (lines["definition definitions.calm"].state, lines["definition definitions.eager"].state) == ("reached",) * 2
    assert all(lines[f"branch steps.after.{case}"].held for case in ("long", "short", "rest"))
    assert not any("after" in line.item.name or line.item.text.endswith("nothing") for line in verdict.missing)


def test_every_statement_and_condition_of_the_file_is_an_item(sample: Path) -> None:
    items = {line.item.span.line for line in verdict_of(sample, Plan(tests=False)).lines}
    rules = {number: text for number, text in enumerate(GAME.splitlines(), 1) if number > GAME.count("\n", 0, 420)}
    heads = r"[a-z]+:|\s*(cases|allowed|forbidden|turn|turns|tally of cards|pace|worth of card|play|pass|out|never):"
    silent = rf"({heads}|\s*\w+: \||\s*do: move card.*|\s*otherwise:.*|.*score tally.*|winners.*)\s*"
    left = [text for number, text in rules.items() if number not in items and not re.fullmatch(silent, text)]
    assert left == []


def test_an_excuse_takes_a_clause_out_and_a_wrong_one_is_told(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = GAME.replace("      high: {when", "      # never holds: no card is so high\n      high: {when")
    text = text.replace("rank of card = 9)}", "rank of card = 9)}  # never holds: no nines")
    text = text.replace("possible: count of pile > 99}", "possible: count of pile > 99}    # unreached: a joke")
    text = text.replace("offer: shout}", "offer: shout}  # unreached: see there")
    text = text.replace("play or pass or shout}", "play or pass or shout}  # never holds: see there")
    text = text.replace("never: count of pile > 50", "never: count of pile > 50    # never holds: too many")
    sample.write_text(text, encoding="utf-8")
    found = verdict_of(sample, Plan(games=40))
    assert found.missing == []
    assert len(found.excused) == 7
    assert found.share == 1
    assert found.stale == ()
    sample.write_text(GAME.replace("pile is empty", "pile is empty  # never holds: so it seems"), encoding="utf-8")
    assert run(["coverage", str(sample), "--games", "4", "--tests"]) == 1
    assert "sample.game.yaml:36: reached after all, though the file says: so it seems" in capsys.readouterr().out


def test_an_excuse_needs_a_reason(sample: Path) -> None:
    sample.write_text(GAME.replace("count of pile > 50", "count of pile > 50    # never holds"), encoding="utf-8")
    assert "end ends.turns.never" in {f"{e.item.kind} {e.item.name}" for e in verdict_of(sample, Plan()).missing}


def test_shares_are_never_rounded_up() -> None:
    assert say_share(Fraction(9999, 10000)) == "99.9 %"
    assert say_share(Fraction(0)) == "0.0 %"
    assert say_share(Fraction(1)) == "100 %"


# ------------------------------------------------------------------------------------------------ the command
def test_the_command_lists_what_was_not_reached_at_its_place(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["coverage", str(sample), "--tests"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"sample\.game\.yaml:21 +definitions\.worth\.high +taken 0.* never reached", out)
    assert re.search(r"\d+ of \d+ clauses reached, \d+\.\d %\n$", out)


def test_fail_under_compares_exactly(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["coverage", str(sample), "--tests", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    share = 100 * data["reached"] / data["clauses"]
    assert run(["coverage", str(sample), "--tests", "--fail-under", f"{share - 0.01:.4f}"]) == 0
    assert run(["coverage", str(sample), "--tests", "--fail-under", f"{share + 0.01:.4f}"]) == 1
    assert {"kind", "path", "line", "held", "failed"} <= data["lines"][0].keys()


def test_a_page_that_cannot_be_written_is_told_before_anything_is_played(
    sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "nowhere" / "page.html"
    assert run(["coverage", str(sample), "--games", "1", "--html", str(page)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"there is no folder {page.parent}" in captured.err


def test_the_page_stands_alone_and_escapes_the_file(sample: Path, tmp_path: Path) -> None:
    sample.write_text(GAME.replace("title: Sample", "title: <b>Sample</b> & more"), encoding="utf-8")
    page = tmp_path / "page.html"
    assert run(["coverage", str(sample), "--tests", "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "<b>Sample" not in text
    assert "&lt;b&gt;Sample&lt;/b&gt; &amp; more" in text
    assert not re.search(r"https?:|<script|<link|src=", text)
    assert text.count('class="row ') == len(sample.read_text(encoding="utf-8").split("\n"))
    assert 'class="row unreached"' in text
    for target in re.findall(r'href="#([^"]+)"', text):
        assert f'id="{target}"' in text


def test_a_game_without_examples_is_told_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sample.game.yaml"
    path.write_text(GAME, encoding="utf-8")
    assert run(["coverage", str(path), "--tests"]) == 1
    assert "there are no examples" in capsys.readouterr().err
    assert run(["coverage", str(path), "--games", "1"]) == 0
    assert "Sample: 0 examples, 1 game\n" in capsys.readouterr().out


def test_examples_that_fail_and_games_that_stop_are_told(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = TESTS.replace("legal: [play 5]", "legal: [play 2]")
    sample.with_name("sample.test.yaml").write_text(wrong, encoding="utf-8")
    assert run(["coverage", str(sample), "--tests"]) == 1
    assert "does not hold: " in capsys.readouterr().out
    sample.write_text(GAME.replace("{offer: play or pass or shout}", "{offer: play or shout}"), encoding="utf-8")
    assert run(["coverage", str(sample), "--games", "20"]) == 1
    assert "stopped by a fault: seed " in capsys.readouterr().out


def test_a_file_that_does_not_check_gives_its_errors(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample.write_text(GAME.replace("move card to pile", "move card to pyle"), encoding="utf-8")
    assert run(["coverage", str(sample)]) == 1
    assert "error[unknown-zone]" in capsys.readouterr().err


def test_no_more_games_are_begun_when_all_is_reached_or_they_take_long(
    sample: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hoyle.front.cli.coverage.USUAL_WORK", 1)
    assert run(["coverage", str(sample)]) == 0
    assert "9 of 10 games not played: games take long here; --games 10 plays all\n" in capsys.readouterr().out
    assert run(["coverage", str(sample), "--games", "12", "--until-all"]) == 0
    assert "Sample: 0 examples, 12 games\n\n" in capsys.readouterr().out, "a clause is never reached"
    text = re.sub(r"(?m)( (high|nines|shout|noise|free|never): .*)", r"\1  # never holds: a joke", GAME)
    sample.write_text(text, encoding="utf-8")
    assert run(["coverage", str(sample), "--tests", "--games", "90", "--until-all", "--fail-under", "100"]) == 0
    assert re.search(r"\d of 90 games not played: every clause has been reached\n", capsys.readouterr().out)


GROUPS = """\
game: groups
title: Groups
players: 2
use: [deck_32, sets]
zones:
  pack: {shows: nothing}
  row: {shows: all}
  hand: {of: seat, shows: owner}
actions:
  lay:
    text: Lay cards of one rank.
    choose: {laid: 2 or more cards from hand}
    allowed:
      alike: laid is one_rank
      few: count of laid <= 4
    do: move laid to row
  pass: {text: Pass.}
steps:
  match: |
    shuffle pack
    deal 8 cards from pack to each hand, starting left of dealer
    for each seat: seat chooses lay or pass
winners: seats
"""


def test_a_condition_that_drops_groups_while_they_are_put_together_fails_for_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "groups.game.yaml"
    path.write_text(GROUPS, encoding="utf-8")
    run(["coverage", str(path), "--games", "4"])
    out = capsys.readouterr().out
    assert "allowed.alike" not in out
    assert "allowed.few" in out, "of one rank there are only four"


# ------------------------------------------------------------------------------------------------ the shipped games
@pytest.mark.slow
@pytest.mark.parametrize("path", all_games(), ids=game_name)
def test_every_shipped_game_reaches_all_its_clauses_or_says_why_not(path: Path) -> None:
    report = Report()
    measured = measure(path, Plan(games=60, stop=True), report)
    assert measured is not None, report.diagnostics
    assert (measured.failing, measured.faults) == ([], [])
    found = judge(measured.own, measured.counts)
    assert [f"{line.item.span.line}: {line.item.name}: {line.complaint}" for line in found.missing] == []
    assert found.stale == ()
