"""Modules, parents and variants: one merge by name, and a diagnostic with both files where it fails."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoyle.base.diagnostics.codes_document import DOCUMENT_CODES
from hoyle.base.diagnostics.codes_variants import VARIANT_CODES
from hoyle.base.diagnostics.render import render_text
from hoyle.base.diagnostics.report import Diagnostic, Report
from hoyle.language.document.merging import Document, resolve
from hoyle.language.document.nodes import Mapping, Scalar
from hoyle.language.document.validation import plain

PARENT = """\
game: parent
title: Parent
rulebook: {title: The Book, year: 1900}
players: {usual: 2..4, allowed: 2..6, cite: A-1}
options:
  limit: {default: 5, range: 1..9, text: the limit, cite: A-2}
  flag: {default: false}
  way: {default: a, values: [a, b]}
deck:
  attributes: {symbol: {circles: C, squares: Q}, number: 1..3}
  cards:
    - {symbol: circles, number: 1}
    - {name: fool}
kinds: {space: {corner: {prize: 1}, centre: {}}}
zones:
  pack: {shows: nothing}
  hand: {of: seat, shows: owner}
state:
  called: symbol or none
definitions:
  points of card: {is: number of card, text: what a card counts, cite: A-3}
  double: 2
  table: {cases: {first: {when: flag, value: 1}, rest: {value: 2}}, cite: A-4}
actions:
  play:
    text: Play a card.
    choose: {card: hand}
    allowed:
      any:
        symbol: {is: a = b, cite: A-5}
        number: c = d
    do: move card to pack
  pass: {text: Pass.}
  draw: {possible: y}
choices:
  turn:
    first: {offer: play, cite: A-6}
    stuck: {offer: pass}
ends:
  match: {when: flag, cite: A-7}
steps:
  match: |
    do round
  round: {do: shuffle pack, cite: A-8}
winners: {is: dealer, cite: A-9}
"""

MODULE = """\
module: cutting
text: About cutting.
arguments: {pack: zone}
needs: {cut_rank of card: what a card counts in the cut}
options: {tie: {default: true}}
zones: {lifted: {of: seat, shows: all}}
state: {cutters: seats}
definitions:
  worst of pack: lowest of cutters
  cards is even: true
  card beats card: false
steps:
  lowest_cut: |
    shuffle pack
ends: {lowest_cut: tie}
"""


class Table:
    """A folder with games and a folder with modules."""

    def __init__(self, folder: Path) -> None:
        self.games, self.modules = folder / "games", folder / "modules"
        self.games.mkdir()
        self.modules.mkdir()
        self.game("parent", PARENT)
        (self.modules / "cutting.yaml").write_text(MODULE)

    def game(self, name: str, text: str) -> Path:
        path = self.games / f"{name}.game.yaml"
        path.write_text(text)
        return path

    def resolve(self, path: Path) -> tuple[Document | None, list[Diagnostic]]:
        report = Report()
        return resolve(path, report, module_folder=self.modules), report.ordered()

    def variant(self, text: str) -> Document:
        document, found = self.resolve(self.game("variant", f"game: variant\nextends: parent\n{text}"))
        assert document is not None, render_text(found)
        assert found == []
        return document

    def fault(self, text: str, header: str = "game: variant\nextends: parent\n") -> Diagnostic:
        document, found = self.resolve(self.game("variant", header + text))
        assert document is None
        assert len(found) == 1, render_text(found)
        return found[0]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def data(document: Document, *path: str) -> Any:
    value = plain(document.root)
    for step in path:
        value = value[step]
    return value


def test_a_game_without_parents_is_its_file(table: Table) -> None:
    document, found = table.resolve(table.games / "parent.game.yaml")
    assert found == []
    assert document is not None
    assert document.parents == ()
    assert document.rules is None
    assert data(document, "winners") == {"is": "dealer", "cite": "A-9"}
    assert [source.name.rpartition("/")[2] for source in document.sources] == ["parent.game.yaml"]


def test_a_variant_says_only_what_differs(table: Table) -> None:
    document = table.variant("title: Variant\n")
    assert document.parents == ("parent",)
    assert data(document, "game") == "variant"
    assert data(document, "title") == "Variant"
    assert data(document, "steps", "round") == {"do": "shuffle pack", "cite": "A-8"}
    assert document.root.entry("extends") is None
    assert len(document.sources) == 2


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("options: {limit: 7}", ("options", "limit"),
         {"range": "1..9", "text": "the limit", "cite": "A-2", "default": 7}),
        ("options: {limit: {default: 7}}", ("options", "limit"),
         {"default": 7, "range": "1..9", "text": "the limit", "cite": "A-2"}),
        ("definitions: {points of card: 1}", ("definitions", "points of card"),
         {"text": "what a card counts", "cite": "A-3", "is": 1}),
        ("definitions: {double: 3}", ("definitions", "double"), 3),
        ("definitions: {double: {cite: A-1}}", ("definitions", "double"), {"is": 2, "cite": "A-1"}),
        ("definitions: {replace table: 3}", ("definitions", "table"), 3),
        ("definitions: {replace table: {all: {a: x}}}", ("definitions", "table"), {"all": {"a": "x"}}),
        ("definitions: {points  of card: 1}", ("definitions", "points  of card", "is"), 1),
        ("definitions: {table: {cases: {rest: {value: 5}}}}", ("definitions", "table", "cases"),
         {"first": {"when": "flag", "value": 1}, "rest": {"value": 5}}),
        ("definitions: {table: {cases: {rest: 5}}}", ("definitions", "table", "cases", "rest"), {"value": 5}),
        ("actions: {play: {allowed: {any: {symbol: x}}}}", ("actions", "play", "allowed", "any"),
         {"symbol": {"cite": "A-5", "is": "x"}, "number": "c = d"}),
        ("actions: {play: {allowed: {any: {new third: x}}}}", ("actions", "play", "allowed", "any"),
         {"symbol": {"is": "a = b", "cite": "A-5"}, "number": "c = d", "third": "x"}),
        ("actions: {play: {replace allowed: never}}", ("actions", "play", "allowed"), "never"),
        ("actions: {play: {replace allowed: {lone: x}}}", ("actions", "play", "allowed"), {"lone": "x"}),
        ("actions: {play: {allowed: {new more: x}}}", ("actions", "play", "allowed"),
         {"any": {"symbol": {"is": "a = b", "cite": "A-5"}, "number": "c = d"}, "more": "x"}),
        ("actions: {play: {possible: x}}", ("actions", "play", "possible"), "x"),
        ("actions: {draw: {possible: x}}", ("actions", "draw", "possible"), "x"),
        ("actions: {draw: {possible: {new more: x}}}", ("actions", "draw", "possible"), {"is": "y", "more": "x"}),
        ("actions: {play: {forbidden: {new low: x}}}", ("actions", "play", "forbidden"), {"low": "x"}),
        ("actions: {play: {do: shuffle pack}}", ("actions", "play", "do"), "shuffle pack"),
        ("choices: {turn: {first: play or pass}}", ("choices", "turn", "first"),
         {"cite": "A-6", "offer": "play or pass"}),
        ("ends: {match: x}", ("ends", "match"), {"cite": "A-7", "when": "x"}),
        ("ends: {match: {new one: x, new two: y}}", ("ends", "match"),
         {"when": "flag", "cite": "A-7", "one": "x", "two": "y"}),
        ("ends: {replace match: {one: x}}", ("ends", "match"), {"one": "x"}),
        ("ends: {round: x}", ("ends", "round"), "x"),
        ("options: {way: {values: [new c]}}", ("options", "way", "values"), {"a": "", "b": "", "c": ""}),
        ("options: {way: {values: {new c: third, a: first}}}", ("options", "way", "values"),
         {"a": "first", "b": "", "c": "third"}),
        ("steps: {round: deal}", ("steps", "round"), {"cite": "A-8", "do": "deal"}),
        ("steps: {match: {do: deal}}", ("steps", "match"), {"do": "deal"}),
        ("winners: x", ("winners",), {"cite": "A-9", "is": "x"}),
        ("players: 3", ("players",), {"cite": "A-1", "allowed": 3}),
        ("players: {usual: 3}", ("players",), {"usual": 3, "allowed": "2..6", "cite": "A-1"}),
        ("state: {called: {start: circles}}", ("state", "called"), {"type": "symbol or none", "start": "circles"}),
        ("zones: {hand: {shows: all}}", ("zones", "hand"), {"of": "seat", "shows": "all"}),
        ("deck: {replace cards: [{symbol: circles}]}", ("deck", "cards"), [{"symbol": "circles"}]),
        ("deck: {cards: {new joker: {copies: 2}}}", ("deck", "cards"),
         {"(row 1)": {"symbol": "circles", "number": 1}, "fool": {"name": "fool"}, "joker": {"copies": 2}}),
        ("deck: {cards: {fool: {copies: 3}}}", ("deck", "cards", "fool"), {"name": "fool", "copies": 3}),
        ("deck: {attributes: {symbol: {new stars: S}}}", ("deck", "attributes", "symbol"),
         {"circles": "C", "squares": "Q", "stars": "S"}),
        ("deck: {attributes: {number: 1..4}}", ("deck", "attributes", "number"), "1..4"),
        ("deck: {attributes: {replace symbol: {range: 1..3}}}", ("deck", "attributes", "symbol"), {"range": "1..3"}),
        ("kinds: {space: {corner: {prize: 2}}}", ("kinds", "space"), {"corner": {"prize": 2}, "centre": {}}),
        ("kinds: {space: {centre: {prize: 2, new loss: 3}}}", ("kinds", "space"),
         {"corner": {"prize": 1}, "centre": {"prize": 2, "loss": 3}}),
        ("steps: {round: [{after: shuffle pack, do: cut pack}]}", ("steps", "round"),
         {"cite": "A-8", "do": {"text": "shuffle pack", "edits": [{"after": "shuffle pack", "do": "cut pack"}]}}),
        ("steps: {match: [{first: cut pack}, {remove: [A-1]}]}", ("steps", "match", "edits"),
         [{"first": "cut pack"}, {"remove": ["A-1"]}]),
        ("actions: {play: {do: [{last: cut pack}]}}", ("actions", "play", "do", "edits"), [{"last": "cut pack"}]),
        ("rulebook: {year: 1950}", ("rulebook",), {"title": "The Book", "year": 1950}),
    ],
)  # fmt: skip
def test_what_a_variant_says_goes_over_what_the_parent_says(
    table: Table, text: str, path: tuple[str, ...], expected: Any
) -> None:
    assert data(table.variant(text + "\n"), *path) == expected


def test_new_entries_are_appended_or_placed(table: Table) -> None:
    document = table.variant(
        "choices:\n  turn:\n    new mid: {offer: play, after: first}\n"
        "    new top: {offer: play, before: first}\n    new end: play\n"
        "definitions: {table: {cases: {new zero: {value: 0, before: rest}}}}\n"
    )
    assert list(data(document, "choices", "turn")) == ["top", "first", "mid", "stuck", "end"]
    assert data(document, "choices", "turn", "mid") == {"offer": "play"}
    assert list(data(document, "definitions", "table", "cases")) == ["first", "zero", "rest"]


def test_an_entry_that_exists_can_be_moved(table: Table) -> None:
    document = table.variant("choices: {turn: {stuck: {before: first}}}\n")
    assert data(document, "choices", "turn") == {"stuck": {"offer": "pass"}, "first": {"offer": "play", "cite": "A-6"}}
    assert list(data(document, "choices", "turn")) == ["stuck", "first"]


def test_a_parameter_may_bear_the_name_of_a_place(table: Table) -> None:
    document = table.variant("actions: {play: {choose: {new after: hand}, forbidden: {new before: x}}}\n")
    assert data(document, "actions", "play", "choose") == {"card": "hand", "after": "hand"}
    assert data(document, "actions", "play", "forbidden") == {"before": "x"}


def test_a_place_beside_what_is_not_there_shows_both_files(table: Table) -> None:
    found = table.fault("choices: {turn: {new mid: {offer: play, after: frist}}}\n")
    assert found.code == "place-missing"
    assert found.primary is not None
    assert found.primary.span.text == "frist"
    assert [label.span.source.name.endswith("parent.game.yaml") for label in found.others] == [True]
    assert [fix.text for fix in found.candidates] == ["first"]


def test_removing_takes_out_by_path_and_names_may_hold_dots_and_spaces(table: Table) -> None:
    table.game(
        "dotted",
        "game: dotted\nextends: parent\nuse: [{module: cutting, as: a.b}]\n"
        "definitions: {a.b.cut_rank of card: number of card}\n",
    )
    document, found = table.resolve(
        table.game(
            "variant",
            "game: variant\nextends: dotted\n"
            "remove: [actions.pass, choices.turn.stuck, definitions.points of card, zones.a.b.lifted, winners]\n",
        )
    )
    assert document is not None, render_text(found)
    assert list(data(document, "actions")) == ["play", "draw"]
    assert list(data(document, "choices", "turn")) == ["first"]
    assert "points of card" not in data(document, "definitions")
    assert list(data(document, "zones")) == ["pack", "hand"]
    assert "winners" not in data(document)
    assert document.parents == ("dotted", "parent")


def test_what_was_removed_can_be_said_anew(table: Table) -> None:
    document = table.variant("remove: [actions.play]\nactions: {new play: {do: shuffle pack}}\n")
    assert data(document, "actions", "play") == {"do": "shuffle pack"}


@pytest.mark.parametrize(
    ("path", "part", "meant"),
    [
        ("actions.pas", "`actions` has no `pas`", "actions.pass"),
        ("action.pass", "there is no `action.pass`", "actions"),
        ("choices.turn.frist", "`choices.turn` has no `frist`", "choices.turn.first"),
        ("choices.turn.first.offer.play", "has no `offer.play`", "choices.turn.first.offer"),
        ("''", "there is no ``", ""),
    ],
)
def test_removing_what_is_not_there_shows_both_files(table: Table, path: str, part: str, meant: str) -> None:
    found = table.fault(f"remove: [{path}]\n")
    assert found.code == "remove-missing"
    assert part in found.message
    assert [fix.text for fix in found.candidates][:1] == ([meant] if meant else [])
    assert "what is there" in found.hints[0]
    assert {label.span.source.name.rpartition("/")[2] for label in found.others} == {"parent.game.yaml"}


def test_a_bare_value_for_an_option_that_does_not_exist_is_refused(table: Table) -> None:
    found = table.fault("options: {limt: 7}\n")
    assert found.code == "not-in-parent"
    assert [fix.text for fix in found.candidates] == ["limit", "new limt"]
    assert found.others[0].span.source.name.endswith("parent.game.yaml")
    assert data(table.variant("options: {new fresh: {default: 7, range: 1..9}}\n"), "options", "fresh", "default") == 7


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("definitions: {new points of crad: {cite: A-1}}\n", "`definitions.points of crad`"),
        ("options: {new limt: {range: 1..9}}\n", "`options.limt`"),
        ("choices: {turn: {new frist: {cite: A-1}}}\n", "`choices.turn.frist`"),
        ("actions: {play: {allowed: {any: {new smybol: {cite: A-1}}}}}\n", "`actions.play.allowed.any.smybol`"),
        ("steps: {new ruond: {cite: A-1}}\n", "`steps.ruond`"),
        ("remove: [steps.round.do]\n", "`steps.round`"),
        ("remove: [deck]\n", "`deck`"),
    ],
)
def test_what_is_left_incomplete_is_reported(table: Table, text: str, path: str) -> None:
    found = table.fault(text)
    assert found.code == "missing-key"
    assert path in found.message


def test_a_definition_given_in_two_ways_is_refused(table: Table) -> None:
    found = table.fault("definitions: {new fresh: {is: 1, cases: {a: {value: 2}}}}\n")
    assert found.code == "conflicting-keys"
    assert len(found.others) == 1


def test_chains_of_variants_work_and_the_nearest_goes_over_the_rest(table: Table) -> None:
    table.game("child", "game: child\nextends: parent\noptions: {limit: 6, flag: true}\n")
    document, found = table.resolve(table.game("grand", "game: grand\nextends: child\noptions: {limit: 7}\n"))
    assert document is not None, render_text(found)
    assert document.parents == ("child", "parent")
    assert data(document, "options", "limit", "default") == 7
    assert data(document, "options", "flag", "default") is True


def test_a_parent_can_be_named_by_its_file(table: Table) -> None:
    header = "game: variant\nextends: parent.game.yaml\n"
    document, _ = table.resolve(table.game("variant", header))
    assert document is not None
    assert document.parents == ("parent",)


@pytest.mark.parametrize("name", ["../parent", "/etc/passwd", "a/b", "..", "a\\b", ".hidden", "parent/../parent", "''"])
def test_a_variant_reaches_nothing_outside_its_folder(table: Table, name: str) -> None:
    assert table.fault("", f"game: variant\nextends: {name}\n").code == "parent-outside"


def test_an_unknown_parent_is_met_with_a_similar_name(table: Table) -> None:
    found = table.fault("", "game: variant\nextends: parnet\n")
    assert found.code == "unknown-parent"
    assert [fix.text for fix in found.candidates] == ["parent"]


def test_a_game_that_extends_itself_is_refused(table: Table) -> None:
    found = table.fault("", "game: variant\nextends: variant\n")
    assert found.code == "extends-ring"
    assert found.message == "`variant` extends itself"


def test_a_ring_of_variants_is_shown_as_a_chain(table: Table) -> None:
    table.game("one", "game: one\nextends: two\n")
    table.game("two", "game: two\nextends: three\n")
    table.game("three", "game: three\nextends: one\n")
    document, (found,) = table.resolve(table.games / "one.game.yaml")
    assert document is None
    assert found.code == "extends-ring"
    assert "one → two → three → one" in found.message
    assert len(found.others) == 2


def test_a_chain_of_more_than_twenty_is_refused(table: Table) -> None:
    for number in range(1, 30):
        table.game(f"v{number}", f"game: v{number}\nextends: {f'v{number - 1}' if number > 1 else 'parent'}\n")
    document, (found,) = table.resolve(table.games / "v29.game.yaml")
    assert document is None
    assert found.code == "chain-too-long"
    document, _ = table.resolve(table.games / "v20.game.yaml")
    assert document is not None
    assert len(document.parents) == 20


def test_a_fault_in_the_parent_is_shown_in_the_parent(table: Table) -> None:
    table.game("parent", PARENT.replace("shows: owner", "show: owner"))
    found = table.fault("title: V\n")
    assert found.primary is not None
    assert found.primary.span.source.name.endswith("parent.game.yaml")


NEEDED = "definitions: {cut_rank of card: number of card}\n"


def test_a_module_brings_its_sections_and_the_game_goes_over_them(table: Table) -> None:
    document = table.variant(f"use: [cutting]\noptions: {{tie: false}}\n{NEEDED}")
    assert data(document, "options", "tie") == {"default": False}
    assert data(document, "zones", "lifted") == {"of": "seat", "shows": "all"}
    assert data(document, "needs") == {"cut_rank of card": "what a card counts in the cut"}
    assert "text" not in data(document)
    assert "arguments" not in data(document)
    step = document.root.get("steps").get("lowest_cut")  # type: ignore[union-attr]
    assert isinstance(step, Scalar)
    assert dict(step.span.source.renames) == {}


def test_a_copy_of_a_module_has_names_of_its_own(table: Table) -> None:
    document = table.variant("use: [{module: cutting, as: deal, with: {pack: hand}}, {module: cutting, as: tie}]\n")
    assert {"deal.lifted", "tie.lifted"} <= set(data(document, "zones"))
    assert {"deal.tie", "tie.tie"} <= set(data(document, "options"))
    names = set(data(document, "definitions"))
    assert {"deal.worst of pack", "cards is deal.even", "card tie.beats card"} <= names
    assert set(data(document, "needs")) == {"deal.cut_rank of card", "tie.cut_rank of card"}
    assert {"deal.lowest_cut", "tie.lowest_cut"} <= set(data(document, "ends"))
    steps = document.root.get("steps")
    assert isinstance(steps, Mapping)
    entry = steps.entry("deal.lowest_cut")
    assert entry is not None
    assert entry.key.span.text == "lowest_cut"
    renames = entry.value.span.source.renames
    assert renames["pack"] == "hand"
    assert renames["cutters"] == "deal.cutters"
    assert renames["cut_rank"] == "deal.cut_rank"
    assert renames["even"] == "deal.even"
    assert "card" not in renames
    other = steps.get("tie.lowest_cut")
    assert other is not None
    assert "pack" not in other.span.source.renames


def test_what_a_module_keeps_to_itself_bears_its_name(table: Table) -> None:
    (table.modules / "cutting.yaml").write_text(MODULE + "own: [cutters, lifted]\n")
    document = table.variant(f"use: [cutting]\n{NEEDED}")
    assert "cutting.cutters" in data(document, "state")
    assert "cutting.lifted" in data(document, "zones")
    assert "worst of pack" in data(document, "definitions")
    (table.modules / "cutting.yaml").write_text(MODULE + "own: [cuters]\n")
    found = table.fault(f"use: [cutting]\n{NEEDED}")
    assert found.code == "unknown-name"
    assert [fix.text for fix in found.candidates] == ["cutters"]


def test_a_game_overrides_a_copy_by_its_dotted_name(table: Table) -> None:
    document = table.variant(
        "use: [{module: cutting, as: deal}]\noptions: {deal.tie: false}\n"
        "steps: {deal.lowest_cut: gather pack}\nremove: [state.deal.cutters]\n"
    )
    assert data(document, "options", "deal.tie") == {"default": False}
    assert data(document, "steps", "deal.lowest_cut") == "gather pack"
    assert list(data(document, "state")) == ["called"]


def test_a_module_that_brings_what_the_parent_has_is_refused(table: Table) -> None:
    (table.modules / "other.yaml").write_text("module: other\ndefinitions: {double: 9, fresh: 8}\n")
    found = table.fault("use: [other]\n")
    assert found.code == "module-clash"
    assert found.primary is not None
    assert found.primary.span.source.name.endswith("variant.game.yaml")
    assert data(table.variant("use: [{module: other, as: its}]\n"), "definitions", "its.fresh") == 8


@pytest.mark.parametrize(
    ("use", "code", "part"),
    [
        ("[cuting]", "unknown-module", "`cuting`"),
        ("[../games/parent]", "unknown-module", "`../games/parent`"),
        ("[{module: cutting, with: {pakc: pack}}]", "unknown-argument", "`pakc`"),
        ("[{module: cutting, with: {pack: stock}}]", "missing-argument", "`stock`"),
        ("[game_in_disguise]", "not-a-game", "is not a module"),
    ],
)
def test_a_use_that_cannot_work_is_reported(table: Table, use: str, code: str, part: str) -> None:
    (table.modules / "game_in_disguise.yaml").write_text("game: x\nextends: parent\n")
    found = table.fault(f"use: {use}\n")
    assert found.code == code
    assert part in found.message


def test_an_argument_left_out_needs_a_zone_of_its_own_name(table: Table) -> None:
    found = table.fault("use: [cutting]\nremove: [zones.pack]\n")
    assert found.code == "missing-argument"
    assert found.others[0].span.source.name.endswith("cutting.yaml")


def test_a_module_is_not_a_game(table: Table) -> None:
    document, (found,) = table.resolve(table.modules / "cutting.yaml")
    assert document is None
    assert found.code == "not-a-game"


def test_the_numbered_rules_stand_beside_the_game(table: Table) -> None:
    (table.games / "rules.yaml").write_text("A-1: {text: one, status: stated, place: page 2}\n")
    document = table.variant("title: V\n")
    assert document.rules is not None
    assert plain(document.rules) == {"A-1": {"text": "one", "status": "stated", "place": "page 2"}}
    (table.games / "rules.yaml").write_text("A-1: {text: one, status: sure}\n")
    found = table.fault("title: V\n")
    assert found.primary is not None
    assert found.primary.span.source.name.endswith("rules.yaml")


def test_an_editor_may_give_the_text_of_a_file(table: Table) -> None:
    report = Report()
    path = table.games / "unsaved.game.yaml"
    document = resolve(path, report, module_folder=table.modules, text="game: unsaved\nextends: parent\n")
    assert document is not None
    assert document.parents == ("parent",)


def test_a_name_that_is_nothing_is_reported() -> None:
    report = Report()
    assert resolve("no-such-game", report) is None
    assert [found.code for found in report.diagnostics] == ["unreadable-file"]


def test_what_was_reported_before_does_not_spoil_a_good_file(table: Table) -> None:
    report = Report()
    assert resolve("no-such-game", report) is None
    assert resolve(table.games / "parent.game.yaml", report) is not None


LARGE = {
    "unknown sections": "".join(f"section{i}: v\n" for i in range(4_000)),
    "repeated names": "title: v\n" * 4_000,
    "bare options": "options:\n" + "".join(f"  option{i}: 1\n" for i in range(4_000)),
    "bare and real options": "options:\n"
    + "".join(f"  option{i}: 1\n  real{i}: {{default: 1}}\n" for i in range(4_000)),
    "removals": "remove:\n" + "".join(f"  - actions.a{i}\n" for i in range(4_000)),
    "modules": "use:\n" + "  - cutting\n" * 4_000,
    "places": "zones:\n" + "".join(f"  z{i}: {{after: z{i + 1}}}\n" for i in range(4_000)),
    "empty values": "zones:\n" + "".join(f"  z{i}:\n" for i in range(4_000)),
    "strays": "zones: {" + "".join(f"a b{i}, " for i in range(4_000)) + "}\n",
    "aliases": "remove: [" + "*a, " * 4_000 + "]\n",
    "incomplete clauses": "definitions:\n" + "".join(f"  d{i}: {{cite: A-1}}\n" for i in range(4_000)),
}


@pytest.mark.share
@pytest.mark.parametrize("text", LARGE.values(), ids=list(LARGE))
def test_a_large_file_full_of_faults_is_answered_within_seconds(table: Table, text: str) -> None:
    begun = time.process_time()
    document, found = table.resolve(table.game("variant", f"game: variant\nextends: parent\n{text}"))
    assert time.process_time() - begun < 5
    assert document is None or found == []
    assert len(found) < 500


DAMAGE = ["", "[a]", "{a: b}", "5", "~", "x:", "is: 1", "- a", "after: pack", "|"]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_file_gives_a_document_or_a_diagnostic_and_never_an_exception(tmp_path: Path, data: Any) -> None:
    (tmp_path / "parent.game.yaml").write_text(PARENT)
    lines = data.draw(st.sampled_from([PARENT, "game: v\nextends: parent\nuse: [cut]\n" + PARENT[13:]])).splitlines()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        words = lines[at].split(" ")
        word = data.draw(st.integers(0, len(words) - 1))
        words[word] = data.draw(st.sampled_from(DAMAGE))
        lines[at] = " ".join(words)
    report = Report()
    document = resolve(tmp_path / "v.game.yaml", report, text="\n".join(lines))
    assert document is not None or report.failed  # what can be read of a faulty file is gone on with
    render_text(report.ordered())


FILLING = {
    "game": "game: tiny\n",
    "title": "title: Tiny\n",
    "players": "players: 2..4\n",
    "deck": "deck: {cards: [{name: joker}]}\n",
    "zones": "zones: {pack: {shows: nothing}, stock: {shows: nothing}}\n",
    "definitions": "definitions: {cut_rank of card: 1}\n",
    "steps": "steps: {match: shuffle pack}\n",
}
WHOLE_FILES = {"empty-file", "not-a-mapping", "several-documents", "not-a-game"}


@pytest.mark.parametrize(
    "code", [code for code in (*DOCUMENT_CODES, *VARIANT_CODES) if code.wrong], ids=lambda code: code.slug
)
def test_the_example_of_every_code_triggers_it_and_its_cure_does_not(tmp_path: Path, code: Any) -> None:
    for text, expected in ((code.wrong, True), (code.right, False)):
        filled = text
        if not (expected and code.slug in WHOLE_FILES) and "extends:" not in text:
            missing = [line for name, line in FILLING.items() if f"\n{name}:" not in f"\n{text}"]
            filled = "".join(missing) + text + "\n"
        for other in ("my-game", "other"):
            (tmp_path / f"{other}.game.yaml").write_text(PARENT.replace("game: parent", f"game: {other}"))
        path = tmp_path / ("my-game.game.yaml" if "game: my-game\nextends" in text else "tiny.game.yaml")
        path.write_text(filled)
        report = Report()
        resolve(path, report)
        assert (code.slug in [found.code for found in report.diagnostics]) is expected, render_text(report.ordered())
        if not expected:
            assert not report.failed, render_text(report.ordered())
