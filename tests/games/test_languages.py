"""A game in another language: phrases for any game, labels of this one, and what a French player sees and types."""

from __future__ import annotations

import re
from string import Formatter

import pytest
from click.testing import CliRunner

import hoyle
from hoyle.base.shipped import find_game
from hoyle.front.cli.group import commands
from hoyle.language.library import describe
from hoyle.play.view.locale import Locale, is_written_in
from hoyle.play.view.phrases import PHRASES

ENGLISH_WORDS = (
    "seat", "you", "your", "the", "of", "and", "card", "cards", "moved", "paid", "dealt", "shuffled", "round", "match",
    "score", "scores", "wins", "won", "empty", "none", "nothing", "chooses", "declined", "secretly", "players", "lead",
    "follow", "bid", "raise", "pass", "sell", "exchange", "hand", "purse", "stake", "space", "dealer", "calling",
    "Queen", "King", "Jack", "Ace",
)  # fmt: skip


def run(*arguments: str, typed: str = "") -> str:
    done = CliRunner().invoke(commands, [*arguments], input=typed)
    assert done.exit_code == 0, done.output
    return done.output


def places_of(template: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("language", PHRASES)
def test_every_language_has_every_phrase_with_the_same_places(language: str) -> None:
    phrases, english = PHRASES[language], PHRASES["en"]
    names = [{name for name in known if not name.startswith("language_")} for known in (phrases, english)]
    assert names[0] == names[1]
    for name, template in ((each, phrases[each]) for each in names[0]):
        # Why something is refused may leave out what only the rule file calls so.
        same = places_of(template) == places_of(english[name])
        assert same or (name.startswith("refused_") and places_of(template) <= places_of(english[name])), name
    assert len(phrases["sim_columns"].split("|")) == len(english["sim_columns"].split("|"))


def test_everything_that_is_shown_has_a_french_label() -> None:
    program = hoyle.load("bonanza").program
    labels = next(labels for labels in program.labels if labels.language == "fr")
    assert {action.name for action in program.actions} <= labels.actions.keys()
    assert {zone.name for zone in program.zones} <= labels.zones.keys()
    assert {state.name for state in program.states if not state.quiet} <= labels.states.keys()
    assert set(next(enum.values for enum in program.enums if enum.name == "space")) <= labels.values.keys()
    refusals = [program.clauses[test.clause].text for action in program.actions for test in action.allowed]
    own = [text for text in refusals if text and "stake" not in text and "chips" not in text and "stays in" not in text]
    assert own
    assert set(own) <= labels.messages.keys()


SHORT = {"hearts": ("limit=20",), "klondike": ("most_moves=60",), "cribbage": ("target=31",)}


@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize("game", SHORT)
def test_every_sentence_and_option_of_a_translated_game_is_translated(game: str, language: str) -> None:
    program = hoyle.load(game).program
    labels = next(labels for labels in program.labels if labels.language == language)
    assert is_written_in(program, language)
    assert {state.name for state in program.states if not state.quiet} <= labels.states.keys()
    assert {clause.text for clause in program.clauses if clause.text} - labels.messages.keys() == set()
    path = find_game(game)
    info, own = (describe(path, each)[0] for each in (language, None)) if path is not None else (None, None)
    assert info is not None and own is not None and info.goal != own.goal
    assert all(option.text != other.text for option, other in zip(info.options, own.options, strict=True))
    told = run("play", game, "--auto", "--lang", language, "--seed", "3", *(f"-s{each}" for each in SHORT[game]))
    assert re.search(r"\b(the|of|cards?|seat|takes|plays|moves|scores|you)\b", told) is None


def test_a_whole_match_is_told_in_french() -> None:
    told = run("play", "bonanza", "--auto", "--lang", "fr", "--seed", "3", "--players", "4", "-s", "rounds=3")
    found = sorted({word for word in ENGLISH_WORDS if re.search(rf"\b{word}\b", told)})
    assert found == []
    assert "Le donneur annonce : Dame-Valet" in told
    assert "DP" in told  # the queen of spades
    assert "QS" not in told


def test_the_same_match_is_told_in_english() -> None:
    told = run("play", "bonanza", "--auto", "--seed", "3", "--players", "4", "-s", "rounds=3")
    assert "The dealer calls Queen-Jack" in told
    assert "Everybody pays 1 to every space" in told
    assert "QS" in told


def test_actions_are_offered_and_taken_in_french() -> None:
    typed = "\n".join(["vendre le mort", *["enchérir 1"] * 3, "?", "choisir 2P", "q"])
    told = run("play", "bonanza", "--lang", "fr", "--seed", "2", typed=typed)
    assert re.search(r"^\w+: vendre le mort$", told, re.M)
    assert "montrer encore la table" in told
    assert "« choisir » n'est pas offert ici" in told
    assert "partie quittée" in told


def test_a_translated_sentence_says_why_an_action_is_refused() -> None:
    """Lead a card that is not the lowest of its suit, in the first round in which the user leads."""
    for seed in range(40):
        typed = "\n".join(["vendre le mort", *["s'abstenir"] * 4, "passer", "passer", "entamer RC", "entamer DC", "q"])
        told = run("play", "bonanza", "--lang", "fr", "--seed", str(seed), typed=typed)
        if "On n'entame que la plus basse carte d'une couleur.\n  BONANZA-30" in told:
            return
    pytest.fail("no such refusal")


def test_options_are_listed_in_french() -> None:
    listed = run("list", "bonanza", "--lang", "fr")
    assert "Les jetons de chaque joueur au début." in listed
    assert "après le donneur" in listed
    assert "de 3 à 8 joueurs" in listed
    assert "L'As peut se placer sous le 2 dans une quinte." in listed
    assert "The " not in listed


def test_variants_have_titles_of_their_own_in_french() -> None:
    listed = run("list", "--lang", "fr")
    assert "Bonanza, poker à mises croissantes" in listed
    assert "Bonanza, vente au profit du donneur" in listed


def test_many_games_are_summed_up_in_french() -> None:
    told = run("sim", "bonanza", "-n", "1", "--lang", "fr", "-s", "rounds=1")
    assert told.startswith("Bonanza, 3 joueurs")
    assert "1 partie en" in told


def test_an_unknown_language_is_refused() -> None:
    done = CliRunner().invoke(commands, ["play", "bonanza", "--lang", "xx"])
    assert done.exit_code == 2


def test_a_game_without_labels_is_shown_in_its_own_names() -> None:
    game = hoyle.load("bonus-20")
    locale = Locale(game.program, "fr")
    assert locale.title == game.title
    assert locale.action("keep_call") == "keep call"
    assert locale.spell("play C7") == "play C7"
    assert locale.place("hand of 1", 0) == "hand du joueur 1"


def test_thousands_stand_apart_as_the_language_writes_them() -> None:
    program = hoyle.load("bonanza").program
    assert [Locale(program, language).write_number(12345) for language in ("en", "fr")] == ["12,345", "12\u202f345"]
