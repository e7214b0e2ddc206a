"""The shape of files: every departure from the schema is reported at the node it speaks of."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from hoyle.base.diagnostics.report import Diagnostic, Report
from hoyle.base.shipped import all_games, module_folder, schema_text
from hoyle.language.document.reading import decode_source, read_nodes
from hoyle.language.document.schema_rules import find_violations
from hoyle.language.document.validation import validate

BASE = {
    "game": "game: tiny\n",
    "title": "title: Tiny\n",
    "players": "players: 2..4\n",
    "deck": "deck: {cards: [{name: joker}]}\n",
    "steps": "steps: {match: do nothing}\n",
}


def check(text: str, schema: str = "game", *, whole: bool = False) -> list[Diagnostic]:
    """The reports on a part of a game file, the rest of which is filled in."""
    if not whole and schema == "game":
        text = "".join(line for name, line in BASE.items() if not f"\n{text}".count(f"\n{name}:")) + text
    report = Report()
    source = decode_source("tiny.game.yaml", text.encode(), report)
    assert source is not None
    root = read_nodes(source, report)
    assert root is not None, [found.message for found in report.diagnostics]
    validate(root, schema, report)
    return report.ordered()


def shown(found: Diagnostic) -> tuple[str, str]:
    assert found.primary is not None
    return found.code, found.primary.span.text


FULL = """
text: A tiny game.
rulebook: {title: 21, publisher: P, year: 1954, language: en, note: n}
use: [cut, {module: cut, as: deal, with: {pack: stock}}]
options:
  bare: 5
  flag: {default: true, text: t, cite: [A-1, A-B2]}
  limit: {default: 5, range: 1..9, require: limit < 6}
  cap: {default: none, range: 1..9 or none, require: {small: cap < 6}}
  way: {default: one, values: [one, two], after: limit}
  kind: {default: one, values: {one: the first, two: the second}}
deck:
  cite: A-1
  starts_in: pack
  attributes:
    symbol: {circles: C, squares: Q}
    colour: [red, black]
    number: 1..14
    rank: {range: 1..13, names: {11: J, 12: Q, 13: K}}
  cards:
    - {symbol: [circles, squares], number: 1..14, colour: red}
    - {name: joker, short: J, label: The Joker, copies: players + 1, if: flag}
zones:
  pack: {shows: nothing}
  hand: {of: seat, shows: owner if flag otherwise all, text: t, cite: A-1}
state:
  called: symbol or none
  count: {type: 0..31, of: seat, start: 0, shows: all, lasts: match}
definitions:
  points of card: 20 if card is joker otherwise number of card
  card fits pile: {is: true, of: seat, takes: {pile: zone}}
  table: {cases: {first: {when: flag, value: 3}, rest: {value: 4, text: t}}, cite: A-1}
  either: {any: {a: flag, b: {is: flag, cite: A-1}}}
  both: {all: {a: flag}}
actions:
  play:
    text: t
    choose: {card: hand where card is not joker}
    possible: never
    allowed: {any: {a: x, b: {is: y, text: t, after: a}}, cite: A-1}
    forbidden: {lone: x = y, other: {is: z}}
    do: move card to pile
  pass: {}
choices:
  turn:
    text: t
    first: {when: flag, offer: play, cite: A-1}
    last: pass
ends:
  match: score of dealer > 5
  round: {when: flag, cite: A-1}
  hand: {out: hand is empty, stuck: {when: flag, text: t}}
steps:
  match: |
    do round
  round of seat: {text: t, of: seat, do: shuffle pack}
winners: {cases: {one: {value: dealer}}, cite: A-1}
rulings: {A-1: it is so}
labels:
  fr: {title: Le jeu, zones: {hand: main}, codes: {suit: {S: P}}, options: {flag: Un choix., size: {text: t, small: s}}}
"""


def test_a_file_with_every_section_is_in_order() -> None:
    assert check(FULL) == []


def test_the_shipped_games_and_modules_have_the_shape_the_schema_describes() -> None:
    files = [*all_games(), *module_folder().glob("*.yaml")]
    assert files
    for path in files:
        assert [found.message for found in check(path.read_text("utf-8"), whole=True)] == [], path


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("zones: {hand: {of: seat, show: owner}}\n", "unknown-key", "show"),
        ("zone: {hand: {of: seat}}\n", "unknown-key", "zone"),
        ("deck: {cards: [], card: []}\n", "unknown-key", "card"),
        ("actions: {play: {allowed: {any: {a: {is: b, foo: c}}}}}\n", "unknown-key", "foo"),
        ("actions: {play: {allowed: {any: {a: b}, when: d}}}\n", "unknown-key", "when"),
        ("choices: {turn: {last: {offers: play}}}\n", "unknown-key", "offers"),
        ("ends: {round: {when: a, is: b}}\n", "unknown-key", "is"),
        ("arguments: {pack: zone}\n", "unknown-key", "arguments"),
        ("use: [{as: deal}]\n", "missing-key", "{as: deal}"),
        ("zones: pack and hand\n", "wrong-kind", "pack and hand"),
        ("zones:\n  - pack\n", "wrong-kind", "zones"),
        ("zones: {pack: [a]}\n", "wrong-kind", "[a]"),
        ("steps: {match: 5}\n", "wrong-kind", "5"),
        ("steps: {match: [a]}\n", "wrong-kind", "[a]"),
        ("steps: {match: [{befor: a}]}\n", "unknown-key", "befor"),
        ("definitions: {limit: 1.5}\n", "wrong-kind", "1.5"),
        ("actions: {play: {do: {a: b}}}\n", "wrong-kind", "{a: b}"),
        ("actions: {play: {choose: card in hand}}\n", "wrong-kind", "card in hand"),
        ("rulebook: Parker\n", "wrong-kind", "Parker"),
        ("game: My Game\n", "bad-value", "My Game"),
        ("players: two\n", "bad-value", "two"),
        ("players: {usual: 2-4}\n", "bad-value", "2-4"),
        ("players: 0\n", "bad-value", "0"),
        ("options: {limit: {default: 1, range: 1-9}}\n", "bad-value", "1-9"),
        ("options: {limit: {default: 1, values: []}}\n", "bad-value", "[]"),
        ("options: {Limit: {default: 1}}\n", "bad-value", "Limit"),
        ("zones: {my hand: {shows: all}}\n", "bad-value", "my hand"),
        ("definitions: {points of the card game: 1}\n", "bad-value", "points of the card game"),
        ("deck: {attributes: {number: 1 to 9}}\n", "bad-value", "1 to 9"),
        ("deck: {attributes: {rank: {range: 1..3, names: {ace: A}}}}\n", "bad-value", "ace"),
        ("deck: {cards: [{}]}\n", "bad-value", "{}"),
        ("deck: {cards: [{name: x, copies: -1}]}\n", "bad-value", "-1"),
        ("definitions: {limit: {is: 1, cite: rule 7}}\n", "bad-value", "rule 7"),
        ("definitions: {limit: {is: 1, cite: [A-1, b]}}\n", "bad-value", "b"),
        ("zones:\n  pack:\n", "empty-value", "pack"),
        ("steps: {match: ~}\n", "empty-value", "match"),
        ("title:\n", "empty-value", "title"),
        ("deck: {cards: [null]}\n", "empty-value", "null"),
    ],
)
def test_a_fault_is_reported_once_and_at_its_place(text: str, code: str, place: str) -> None:
    found = check(text)
    assert [shown(one) for one in found] == [(code, place)], [one.message for one in found]


def test_a_misspelt_key_is_met_with_the_right_one() -> None:
    assert check("zones: {hand: {show: owner}}\n")[0].candidates[0].text == "shows"
    assert check("option: {a: {default: 1}}\n")[0].candidates[0].text == "options"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("vars: {turn: seat}\n", "state"),
        ("moves: {pass: {}}\n", "actions"),
        ("settings: {a: {default: true}}\n", "options"),
        ("piles: {pack: {shows: nothing}}\n", "zones"),
        ("actions: {play: {when: hand is empty}}\n", "allowed"),
        ("actions: {play: {label: Play a card.}}\n", "text"),
        ("players: [2, 3, 4]\n", "2..4"),
        ("options: {a: {default: 5, min: 1, max: 9}}\n", "range: 1..9"),
        ("options: {a: {max: 9, min: 1, default: 5}}\n", "range: 1..9"),
        ("zones: {pack: face_down}\n", "{shows: nothing}"),
        ("zones: {pile: face up}\n", "{shows: all}"),
        ("actions: {play: {choose: a card in hand}}\n", "{card: hand}"),
        ("deck: standard\n", "use: [deck_52]"),
    ],
)
def test_an_outline_in_other_words_is_met_with_these(text: str, meant: str) -> None:
    (found,) = check(text)
    assert found.candidates[0].text == meant


def test_an_unknown_key_is_met_with_what_may_stand_there() -> None:
    (found,) = check("zones: {hand: {xyz: owner, of: seat}}\n")
    assert "`shows`" in found.hints[0]
    assert "`of`" not in found.hints[0]


def test_messages_name_the_path() -> None:
    (found,) = check("actions: {play: {allowed: {any: {suit: {is: [a]}}}}}\n")
    assert "`actions.play.allowed.any.suit.is`" in found.message
    (found,) = check("deck: {cards: [{name: a}, 5]}\n")
    assert "`deck.cards[2]`" in found.message


def test_all_faults_are_reported_in_one_run() -> None:
    found = check("players: two\nzones: {hand: {show: owner}, pack: }\nstate: [a]\n")
    assert [one.code for one in found] == ["bad-value", "unknown-key", "empty-value", "wrong-kind"]


def test_a_game_says_what_it_is_and_a_variant_only_what_differs() -> None:
    (found,) = check("game: tiny\ntitle: Tiny\n", whole=True)
    assert found.code == "missing-key"
    assert "`players`, `steps`" in found.message
    assert check("game: tiny\nextends: other\n", whole=True) == []
    (found,) = check("title: Tiny\nextends: other\n", whole=True)
    assert "`game`" in found.message


def test_a_module_may_bring_a_deck_but_no_players() -> None:
    assert check("module: m\narguments: {pack: zone}\nneeds: {rank of card: its rank}\n", whole=True) == []
    found = check("module: m\ndeck: {cards: [{name: a}]}\nplayers: 2\n", whole=True)
    assert [shown(one) for one in found] == [("unknown-key", "players")]


def test_rules_have_a_text_and_a_status() -> None:
    assert check("A-1: {text: t, status: stated, place: page 2}\nB-J-7: {text: t, status: ruling}\n", "rules") == []
    found = check("A-1: {text: t, status: sure}\nrule 2: {text: t, status: stated}\nA-3: {text: t}\n", "rules")
    assert [shown(one) for one in found] == [("bad-value", "sure"), ("bad-value", "rule 2"), ("missing-key", "A-3")]


@pytest.mark.parametrize("name", ["game", "rules"])
def test_the_schemas_are_valid_and_describe_everything(name: str) -> None:
    schema = json.loads(schema_text(name))
    Draft7Validator.check_schema(schema)
    assert _undescribed(schema, schema, "#") == []


_STRANGE = (None, True, 5, -1, 1.5, "", "a b", "A-1", "of", "x" * 400, [], ["a", "a"], {}, {"is": "a"}, {"a b": 1})


@pytest.mark.parametrize("seed", range(8))
def test_violations_are_those_that_the_library_of_the_standard_finds(seed: int) -> None:
    schema = json.loads(schema_text("game"))
    chance = random.Random(seed)
    for _ in range(12):
        data = yaml.safe_load("".join(BASE.values()) + FULL)
        for _ in range(chance.randint(1, 4)):
            _damage(data, chance)
        found = {(one.rule, one.path, one.of_name) for one in find_violations(data, schema)}
        theirs = Draft7Validator(schema).iter_errors(data)
        wanted = {
            (one.validator, tuple(one.absolute_path), "propertyNames" in one.absolute_schema_path) for one in theirs
        }
        assert found == wanted


def _damage(data: Any, chance: random.Random) -> None:
    """Replace, rename or remove something anywhere in the data."""
    while True:
        places = list(data) if isinstance(data, dict) else range(len(data))
        if not places:
            return
        place = chance.choice(list(places))
        if isinstance(data[place], dict | list) and chance.random() < 0.8:
            data = data[place]
            continue
        value = data.pop(place) if chance.random() < 0.5 else data[place]
        if chance.random() < 0.7:
            value = chance.choice(_STRANGE)
        if isinstance(data, dict):
            data[chance.choice([place, "is", "name", "a b"])] = value
        return


def _undescribed(schema: Any, root: Any, path: str) -> list[str]:
    """Properties and definitions of the schema that an editor could say nothing about."""
    missing = []
    for group in ("properties", "definitions"):
        for key, inner in schema.get(group, {}).items():
            here = f"{path}/{group}/{key}"
            described = "description" in inner or "$ref" in inner or inner == {"not": {}}
            if not described and here != "#/definitions/seats":
                missing.append(here)
            missing += _undescribed(inner, root, here)
    for key in ("items", "additionalProperties", "then", "else"):
        if isinstance(schema.get(key), dict):
            missing += _undescribed(schema[key], root, f"{path}/{key}")
    return missing


def test_a_game_names_its_schema_so_that_editors_find_it() -> None:
    for path in all_games():
        first = path.read_text("utf-8").splitlines()[0]
        relative = first.removeprefix("# yaml-language-server: $schema=")
        assert relative != first
        assert Path(path.parent, relative).resolve().is_file()
