"""`hoyle words`: what a reader who has only a rule file finds explained."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from hoyle.base import shipped
from hoyle.base.diagnostics.report import Report
from hoyle.front.cli.keys_used import list_keys
from hoyle.front.cli.words import command
from hoyle.language.document.nodes import Mapping
from hoyle.language.document.reading import read_nodes, read_source
from hoyle.language.syntax.reserved import VERBS
from hoyle.program.words.statements import STATEMENTS


def tell(*args: str) -> str:
    done = CliRunner().invoke(command, args)
    assert done.exit_code == 0, done.output
    return done.output


def test_options_come_with_default_and_values_and_steps_whole() -> None:
    told = tell("cut")
    assert "default: recut" in told and "first_seat: the first of them wins, counted from the first seat" in told
    said = " ".join(told.split("step lowest_cut:")[1].split("step highest_cut:")[0].split())
    assert said.endswith("the lowest card wins; those who are equal cut again."), "the step to its end"
    assert "…" not in told and "pi..." not in told


def test_the_default_is_what_the_game_makes_of_it(tmp_path: Path) -> None:
    path = tmp_path / "low.game.yaml"
    path.write_text("game: low\nextends: bonus-20\noptions: {cut_tie: first_seat}\n", encoding="utf-8")
    assert "default: first_seat" in tell(str(path))
    assert "default: recut" in tell("bonus-20")


def test_keys_are_told_with_the_section_they_stand_in() -> None:
    told = " ".join(tell("cribbage").split())
    assert "key ledger.track: The totals are pegged on a board" in told
    assert "key ends.waits_for: " in told and "key title:" not in told
    assert "key players.usual: How many the rulebook speaks of." in " ".join(tell("goofspiel").split())
    assert told.count("key zones.shows:") == 1 and "key zones.crib" not in told, "names that authors give are left out"


def test_every_key_of_every_shipped_game_is_told_or_means_what_it_says() -> None:
    schema = json.loads(shipped.schema_text("game"))
    for path in shipped.all_games():
        root = read_root(path)
        told = dict(list_keys([root]))
        for entry in root:
            description = schema["properties"][entry.name].get("description")
            assert entry.name in ("game", "title", "text", "cite") or told.get(entry.name) == description


def read_root(path: Path) -> Mapping:
    source = read_source(path, Report())
    root = read_nodes(source, Report()) if source is not None else None
    assert root is not None
    return root


def test_words_of_the_language_itself_are_told_of_a_game_that_uses_them() -> None:
    told = " ".join(tell("bunco").split())  # lines are as long as the screen is wide
    assert "word offender:" in told and "word tails of LIST:" in told
    assert "statement take back STEP: cards, states and scores are again what they were" in told
    assert "What is said of none is none" in told
    assert "word round of LINE" not in told, "`do round` does a step"
    assert "statement swap" not in told
    assert "phrase A or else B: A, or B where A is none" in told and "phrase (A then B …)" not in told
    assert "phrase (A then B …): values to compare in order" in " ".join(tell("bonanza").split())


def test_a_word_of_a_module_does_not_count_as_said_by_the_game(tmp_path: Path) -> None:
    listed = json.loads(tell("bonus-20", "--json"))
    language = listed[-1]
    assert language["module"] == "the language itself"
    said = {one["name"] for one in language["brings"]}
    assert "rounds_played" in said and "turn over ZONE" in said
    assert "pick NAME at random from LIST" not in said, "only `cut` picks"


def test_every_statement_has_a_meaning() -> None:
    assert set(STATEMENTS) >= VERBS
