"""Which mendings are shown: those that mend their place and are to blame for nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.front.cli.app import run

GAME = """\
game: slip
title: A slip
players: 2
deck:
  attributes: {suit: {red: R, blue: B}, rank: 1..9}
  cards:
    - {suit: [red, blue], rank: 1..9}
zones:
  pack: {shows: nothing}
  pile: {shows: top_card}
  hand: {of: seat, shows: owner}
definitions:
  next_rank: rank of top of pack
actions:
  play: {text: Play a card., choose: {card: hand}, allowed: rank of card != next_rank, do: move card to pile}
steps:
  match: |
    deal 3 cards from pack to each hand, starting left of dealer
    repeat until every hand is empty:
      for each seat: seat chooses play
winners: seats
"""


SOUND = GAME.replace("next_rank: rank of top of pack", "next_rank: 3")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("deal 3 cards from pack", "deal 3 cards from pakc"),
        ("deal 3 cards from pack", "deal 3 cards from the pack"),
        ("for each seat: seat chooses play", "for each seat: seat chooses paly"),
        ("move card to pile", "move card to plie"),
    ],
)
def test_what_is_wrong_elsewhere_and_shows_only_in_a_whole_file_does_not_speak_against_a_mending(
    right: str, wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "slip.game.yaml"
    file.write_text(GAME.replace(right, wrong))
    assert run(["check", str(file)]) == 1
    out = capsys.readouterr().out
    assert "= fix: " in out and right in out.partition("= fix: ")[2]
    assert "error[leak]" not in out
    assert run(["check", "--fix", str(file)]) == 1
    assert file.read_text() == GAME
    assert "error[leak]" in capsys.readouterr().out


def test_a_mending_by_which_a_rule_tells_a_secret_is_not_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "slip.game.yaml"
    file.write_text(GAME.replace("rank of top of pack", "rank of top of pakc"))
    assert run(["check", str(file)]) == 1
    out = capsys.readouterr().out
    assert "unknown" in out and "= fix: " not in out and "= write: " not in out


def test_what_one_mending_breaks_elsewhere_does_not_hide_the_mendings_of_other_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`count of hand`, the first candidate for `number of hand`, breaks the line below it; all others hold."""
    file = tmp_path / "slip.game.yaml"
    lines = ("if pack is empty, shuffle pile", "move top card of pack to hand", "if pile is empty then shuffle pack")
    dealt = "    deal 3 cards from pack to each hand, starting left of dealer\n"
    blind = "  blind:\n    choose: {number: 1..3}\n    do: |\n"
    blind += "      let laid be number of hand\n      move laid to pile\n"
    steps = dealt.replace(" from pack", "") + "".join(f"    for each seat:\n      {line}\n" for line in 5 * lines)
    text = SOUND.replace(dealt, steps)
    file.write_text(text.replace("actions:\n", f"actions:\n{blind}").replace("chooses play", "chooses play or blind"))
    assert run(["check", str(file)]) == 1
    out = capsys.readouterr().out
    assert out.count("= fix: ") == 15
    assert "= write: deal 3 cards from pack to each hand, starting left of dealer" in out


def test_a_condition_without_a_colon_does_not_hide_what_is_wrong_in_the_lines_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "slip.game.yaml"
    beside = "    move top of pack to hnad\n    if pack is empty, shuffle pile\n"
    file.write_text(SOUND.replace("winners", f"{beside}winners"))
    assert run(["check", str(file)]) == 1
    out = capsys.readouterr().out
    assert "no zone named `hnad`" in out
    assert "= fix: if pack is empty: shuffle pile" in out


def test_a_mending_below_a_line_that_cannot_be_read_is_tried_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that is given nowhere, not even in the line that cannot be read, speaks against a mending."""
    file = tmp_path / "slip.game.yaml"
    below = "    and so on as usual\n    for each seat with most reds in hand: score 1 to seat\n"
    file.write_text(SOUND.replace("winners", f"{below}winners"))
    assert run(["check", str(file)]) == 1
    out = capsys.readouterr().out
    assert "and so on as usual" in out and "highest reds" not in out


def test_a_name_that_differs_in_its_first_letter_is_offered_and_not_put_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "slip.game.yaml"
    named = "state:\n  closer: seat\nzones:"
    lines = "    set closer to dealer\n    move top of pack to hand of loser\n"
    file.write_text(SOUND.replace("zones:", named).replace("winners", f"{lines}winners"))
    assert run(["check", str(file)]) == 1
    out = capsys.readouterr().out
    assert "= write: move top of pack to hand of closer" in out and "= fix: " not in out


@pytest.mark.parametrize(
    ("lost", "line", "meant"),
    [
        ("use: deck_5\n", "if pack is empty, move top of pack to hand of nobody", "hand of nobody"),
        ("kinds: {corner: [a, b}\n", "if pack is empty, score corner to dealer", "score corner"),
        ("state: {called: [fruit, nut]}\n", "if called is none, shuffle pack", "called is none"),
    ],
)
def test_no_mending_is_put_in_that_names_what_could_not_be_read(
    lost: str, line: str, meant: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What may declare a name is not read: whether a line that says it is right is not known."""
    file = tmp_path / "slip.game.yaml"
    text = lost + SOUND.replace("winners", f"    {line}\nwinners")
    file.write_text(text)
    assert run(["check", "--fix", str(file)]) == 1
    assert f"{line}\n" in file.read_text()
    out = capsys.readouterr().out
    assert "= write: if" in out and meant in out.partition("= write: ")[2]


def test_a_text_without_names_hides_no_name_that_is_used_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "slip.game.yaml"
    said = "loser: the player with the most cards in hand\n"
    file.write_text(said + SOUND.replace("winners", "    for each seat: move cards to hand of player\nwinners"))
    assert run(["check", str(file)]) == 1
    assert "no `cards` is known here" in capsys.readouterr().out


def test_what_is_declared_is_known_though_a_text_that_cannot_be_read_speaks_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "slip.game.yaml"
    file.write_text(
        SOUND.replace("{card: hand}", "[two of hand]").replace("winners", "    score hand of dealer to dealer\nwinners")
    )
    assert run(["check", str(file)]) == 1
    assert "error[wrong-type]" in capsys.readouterr().out


def test_what_stands_below_an_if_that_cannot_be_read_is_looked_at_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`otherwise` cannot stand where its `if` is left out, and hides nothing that stands beside it."""
    file = tmp_path / "slip.game.yaml"
    lines = "    if it went on as usual:\n      shuffle pack\n    else:\n      shuffle pakc\n    shuffle hnad\n"
    file.write_text(SOUND.replace("winners", f"{lines}winners"))
    assert run(["check", str(file)]) == 1
    out = capsys.readouterr().out
    assert "no zone named `pakc`" in out and "no zone named `hnad`" in out
    assert "otherwise:" in out


def test_what_is_said_of_a_thing_that_could_not_be_read_is_looked_at_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "slip.game.yaml"
    text = SOUND.replace("pile: {shows: top_card}", "pile: {shows: top_card}\n  row: [shows, all]")
    file.write_text(text.replace("winners", "    if count of row of pakc > 3: shuffle pack\nwinners"))
    assert run(["check", str(file)]) == 1
    assert "no `pakc` is known here" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("right", "wrong", "mended"),
    [
        ("game: slip", "game: slip\nuse: [setz]", "use: [sets]"),
        ("  play: {text: Play a card.,", "  play: {text: Play a card: any.,", 'text: "Play a card: any."'),
        ("pile: {shows: top_card}", "pile: {shows: top_crad}", "{shows: top_card}"),
    ],
)
def test_what_a_mending_lets_come_to_light_does_not_speak_against_it(
    right: str, wrong: str, mended: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What could not be looked at before may be wrong for reasons of its own."""
    file = tmp_path / "slip.game.yaml"
    text = SOUND.replace("do: move card to pile", "forbidden: pile is emty, do: move card to pile")
    file.write_text(text.replace(right, wrong).replace("winners", "    shuffle plie\nwinners"))
    assert run(["check", str(file)]) == 1
    assert mended in "".join(capsys.readouterr().out.partition("= fix: ")[2:])
