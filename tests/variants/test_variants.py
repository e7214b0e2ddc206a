"""Variants one can trust: what is added joins, what is changed exists, errors are told of the file that caused them.

Each case is written as an author of house rules would write it, over a game that is shipped.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import hoyle
from hoyle.base.diagnostics.render import render_json, render_text
from hoyle.base.diagnostics.report import Diagnostic
from hoyle.base.shipped import find_game
from hoyle.front.cli.group import commands
from hoyle.language.compile import check_file


class House:
    """A folder in which somebody writes variants."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, parent: str, text: str, name: str = "house") -> Path:
        path = self.folder / f"{name}.game.yaml"
        path.write_text(f"game: {name}\ntitle: At our {name}\nextends: {parent}\n{text}", encoding="utf-8")
        return path

    def module(self, name: str, text: str) -> Path:
        path = self.folder / f"{name}.module.yaml"
        path.write_text(f"module: {name}\n{text}", encoding="utf-8")
        return path

    def find(self, parent: str, text: str) -> list[Diagnostic]:
        return check_file(self.write(parent, text)).ordered()

    def error(self, parent: str, text: str) -> Diagnostic:
        """The one error of a variant; it stands in the variant."""
        found = self.find(parent, text)
        assert len(found) == 1, render_text(found)
        assert found[0].primary is not None
        assert found[0].primary.span.source.name.endswith("house.game.yaml")
        return found[0]

    def load(self, parent: str, text: str, players: int = 2, **options: object) -> hoyle.Game:
        return hoyle.load(self.write(parent, text), players=players, options=options)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def offered(match: hoyle.Match) -> set[str]:
    assert match.decision is not None
    return {action.text for action in match.decision.actions}


# ------------------------------------------------------------------------------------------------ adding never deletes
def test_a_condition_that_is_added_joins_those_that_are_there(house: House) -> None:
    rules = "actions: {play: {allowed: {new low: number of card < 5}}}\n"
    for seed in range(3):
        before, after = hoyle.load("bonus-20", players=2).new(seed), house.load("bonus-20", rules).new(seed)
        assert offered(after) < offered(before)
        for match in (before, after):
            match.apply(sorted(offered(after))[0])
        assert {text for text in offered(after) if text.startswith("play")} <= offered(before)


def test_an_end_that_is_added_joins_the_one_that_is_there(house: House) -> None:
    game = house.load("bonus-20", "ends: {play_of_the_hand: {new long: count of pile > 40}}\n")
    tests = [clause.path for clause in game.program.clauses if clause.path.startswith("ends.play_of_the_hand")]
    assert sorted(tests) == ["ends.play_of_the_hand", "ends.play_of_the_hand.long"]


@pytest.mark.parametrize(
    ("parent", "text"),
    [
        ("bonus-20", "actions: {play: {allowed: number of card < 5}}"),
        ("bonus-20", "actions: {draw: {possible: pack is not empty}}"),
        ("bonus-20", "definitions: {match_is_over: rounds_played > 3}"),
        ("bunco", "ends: {play_of_the_game: idle_turns > 3}"),
        ("cribbage", "scores: {'show of (cards, start_card)': {fifteen: 3}}"),
        ("cribbage", "deck: {cards: [{name: joker, short: Jk}]}"),
        ("bonus-20", "options: {flip_order: {values: [cut]}}"),
    ],
)
def test_what_would_drop_something_with_a_name_is_refused_and_both_ways_are_told(
    house: House, parent: str, text: str
) -> None:
    found = house.error(parent, text + "\n")
    assert found.code in ("would-drop", "not-in-parent")
    assert any("replace" in hint or "new" in hint for hint in found.hints)
    assert found.others[0].span.source.name.endswith(f"{parent}.game.yaml")


# ------------------------------------------------------------------------------------------------ changes hit something
SLIPS = {
    "cribbage": [
        ("definitions: {hand_sise: 5}", "hand_size"),
        ("scores: {'show of (cards, start_card)': {fiveteen: {score: 3}}}", "fifteen"),
        ("steps: {the_shwo: do turn_up}", "the_show"),
        ("zones: {crip: {shows: all}}", "crib"),
        ("state: {playr: {quiet: false}}", "player"),
        ("options: {taget: 61}", "target"),
    ],
    "bonus-20": [
        ("actions: {play: {allowed: {any: {same_symbl: 'true'}}}}", "same_symbol"),
        ("actions: {draw: {forbidden: {lead_frist: pile is empty}}}", "lead_first"),
        ("actions: {darw: {text: Take one.}}", "draw"),
    ],
    "bunco": [("choices: {next_card: {onse: play}}", "ones")],
}


@pytest.mark.parametrize(
    ("parent", "text", "meant"), [(parent, *slip) for parent, slips in SLIPS.items() for slip in slips]
)
def test_a_slip_of_spelling_is_told_with_the_name_that_was_meant(
    house: House, parent: str, text: str, meant: str
) -> None:
    found = house.error(parent, text + "\n")
    assert found.code == "not-in-parent"
    assert found.suggestions[0].text == meant


def test_a_renamed_parent_breaks_its_children_loudly(tmp_path: Path) -> None:
    folder = find_game("cribbage").parent  # type: ignore[union-attr]
    for path in folder.glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        if path.name == "cribbage.game.yaml":
            text = text.replace("hand_size", "cards_dealt")
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    done = CliRunner().invoke(commands, ["check", str(tmp_path)])
    assert done.exit_code == 1
    assert done.output.count("no `hand_size` in `definitions` to change") == 1  # three and partners share a module


# ------------------------------------------------------------------------------------------------ blame
@pytest.mark.parametrize(
    ("parent", "text", "said"),
    [
        ("cribbage", "remove: [zones.crib]", "zones.crib"),
        ("cribbage", "remove: [use.sets]", "use.sets"),
        ("cribbage", "state: {player: number}", "player"),
        ("bonus-20", "remove: [actions.keep_call]", "actions.keep_call"),
        ("cribbage", "definitions: {hand_size: 60}", "hand_size"),
        ("cribbage", "remove: [steps.turn_up]", "steps.turn_up"),
        ("cribbage", "remove: [steps.round.do]", "steps.round.do"),
    ],
)
def test_an_error_that_a_variant_causes_is_one_and_stands_in_the_variant(
    house: House, parent: str, text: str, said: str
) -> None:
    found = house.error(parent, text + "\n")
    assert found.primary is not None
    assert said in found.primary.span.source.line_text(found.primary.span.line)
    assert any(label.span.source.name.endswith(f"{parent}.game.yaml") for label in found.others)
    (data,) = json.loads(render_json([found]))
    assert data["file"].endswith("house.game.yaml")
    assert {label["file"].rpartition("/")[2] for label in data["labels"]} >= {"house.game.yaml", f"{parent}.game.yaml"}


def test_an_error_of_the_parent_is_told_of_the_parent_and_once(tmp_path: Path) -> None:
    parent = find_game("cribbage").read_text(encoding="utf-8")  # type: ignore[union-attr]
    (tmp_path / "base.game.yaml").write_text(
        parent.replace("game: cribbage", "game: base").replace("move row to pile", "move row to plie"), encoding="utf-8"
    )
    for name in ("rules.yaml", "names.module.yaml"):
        shutil.copy(find_game("cribbage").with_name(name), tmp_path)  # type: ignore[union-attr]
    for name in ("one", "two"):
        House(tmp_path).write("base", "options: {target: 61}\n", name)
    done = CliRunner().invoke(commands, ["check", str(tmp_path)])
    assert done.exit_code == 1
    assert done.output.count("error[") == 1
    assert "base.game.yaml:" in done.output


def test_no_line_of_a_module_is_the_place_of_an_error(house: House) -> None:
    found = house.error("cribbage", "definitions: {cut_rank of card: dealer}\n")
    assert "cut_rank" in found.message


# ------------------------------------------------------------------------------------------------ statements
def test_statements_are_put_before_after_and_instead_and_left_out(house: House) -> None:
    game = house.load(
        "cribbage",
        """
steps:
  round:
    - {first: announce "one"}
    - {after: gather pack, do: announce "two"}
    - before: seats choose lay_away
      do: |
        announce "three"
        announce "four"
    - {replace: shuffle pack, do: announce "unshuffled"}
    - {remove: [CRIB-A1]}
    - {last: announce "five"}
""",
    )
    match = game.new(seed=1)
    said = [event.data["text"] for event in match.events if event.name == "announced"]
    assert said == ["one", "two", "unshuffled", "three", "four"]
    while not match.is_over:
        match.apply(match.decision.actions[0])  # type: ignore[union-attr]
    names = [event.data.get("text") for event in match.events if event.name == "announced"]
    assert "five" in names
    assert not any(event.name == "shuffled" for event in match.events)


def test_edits_of_several_files_follow_one_another(house: House) -> None:
    house.write("cribbage", 'steps: {turn_up: [{first: announce "a"}]}\n', "one")
    house.write("one", 'steps: {turn_up: [{after: announce "a", do: announce "b"}]}\n', "two")
    game = house.load("two", 'steps: {turn_up: [{replace: announce "a", do: announce "c"}]}\n')
    match = game.new(seed=1)
    for _ in range(2):
        match.apply(match.decision.actions[0])  # type: ignore[union-attr]
    assert [event.data["text"] for event in match.events if event.name == "announced"] == ["c", "b"]


# ------------------------------------------------------------------------------------------------ several at once
FIVE = "options: {target: 61}\ndefinitions: {hand_size: 5}\n"
JOKER = """\
deck: {cards: {new joker: {short: Jk, copies: 2}}}
definitions: {pips of card: "lowest of (rank of card or else 0, 10)", cut_rank of card: rank of card or else 14}
"""


def test_variants_of_one_game_are_put_together(house: House) -> None:
    house.write("cribbage", FIVE, "five")
    house.write("cribbage", JOKER, "joker")
    game = house.load("[five, joker]", "")
    assert game.options["target"] == 61
    assert len(game.program.cards) == 54
    match = game.new(seed=1)
    assert {len(match.position.zones[zone]) for zone in range(len(game.program.zones))} >= {5, 54 - 10}


def test_an_unranked_card_pairs_with_nothing(house: House) -> None:
    path = house.write("cribbage", JOKER.replace(", copies: 2", ""))
    alike, jokers = "(5S, 5H) is one_rank and (5S, 6S) is one_suit", "(card in pack where card is joker)"
    apart = ["(5S, Jk)", "(5S, 5H, Jk)", jokers]
    tests = [alike, *(f"not {cards} is {what}" for cards in apart for what in ("one_rank", "one_suit"))]
    done = CliRunner().invoke(commands, ["eval", str(path), " and ".join(tests)])
    assert done.output == "true\n"


@pytest.mark.parametrize(
    ("parent", "text"),
    [
        ("bunco", "options: {surplus_piles: 3}\n"),
        ("cribbage-muggins", FIVE + "keep: [CRIB-A2]\n"),
        ("cribbage", "definitions: {count_limit: 21}\n"),
    ],
)
def test_a_number_that_stands_for_one_thing_is_changed_in_one_place(house: House, parent: str, text: str) -> None:
    game = house.load(parent, text)
    for seed in range(3):
        assert game.playout(seed).decisions > 0


def test_parents_that_disagree_are_told_until_the_file_decides(house: House) -> None:
    house.write("cribbage", FIVE, "five")
    house.write("cribbage", "options: {target: 31}\n", "short")
    found = house.error("[five, short]", "")
    assert found.code == "parents-disagree"
    assert {Path(label.span.source.name).name for label in found.others} == {"five.game.yaml", "short.game.yaml"}
    assert house.find("[five, short]", "options: {target: 41}\n") == []


def test_house_rules_are_a_module_beside_the_file(house: House) -> None:
    house.module("joker", f"extends: cribbage\n{JOKER}")
    house.module("longer", "extends: cribbage\noptions: {target: 161}\n")
    game = house.load("cribbage-61", "use: [joker]\n")
    assert (len(game.program.cards), game.options["target"]) == (54, 61)
    assert house.error("cribbage-61", "use: [joker, longer]\n").code == "parents-disagree"
    assert house.error("bonus-20", "use: [joker]\n").code == "module-elsewhere"


def test_a_module_is_taken_out_with_what_it_brought(house: House) -> None:
    house.module("joker", f"extends: cribbage\n{JOKER}")
    house.module("tally", "state: {tallies: {type: number, quiet: true}}\nsteps: {tally: set tallies to tallies + 1}\n")
    house.write("cribbage", "use: [tally]\nsteps: {turn_up: [{first: do tally}]}\n", "tallied")
    game = house.load("tallied", "remove: [use.tally]\nsteps: {turn_up: [{remove: do tally}]}\n")
    assert "tallies" not in [state.name for state in game.program.states]
    found = house.error("tallied", "remove: [use.tally]\n")
    assert found.code == "unknown-step"


# ------------------------------------------------------------------------------------------------ examples of parents
STONE = Path(__file__).parents[2] / "docs" / "examples" / "rolling-stone"
GONE = "no_longer: [who cannot follow takes up the trick and leads, three deals make a match]"


@pytest.mark.parametrize(
    ("listed", "code", "said"),
    [
        (GONE, 0, "8 of the parents' examples hold, 2 no longer (2 named)"),
        ("", 0, '  - "three deals make a match"'),
        ("no_longer: [three deals]", 1, "differs  who cannot follow takes up the trick and leads"),
        (GONE.replace("three deals", "who can follow suit must, three deals"), 1, "this still holds"),
        (GONE.replace("three deals", "four deals"), 1, "did you mean `three deals make a match`?"),
    ],
)
def test_the_examples_of_the_parent_that_no_longer_hold_are_those_the_variant_names(
    tmp_path: Path, listed: str, code: int, said: str
) -> None:
    for path in STONE.glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        text = text.replace(GONE, listed) if "mercy" in path.name else text
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    done = CliRunner().invoke(commands, ["test", str(tmp_path / "rolling-stone-mercy.game.yaml"), "--parent"])
    assert said in done.output
    assert done.exit_code == code


@pytest.mark.parametrize("slip", ["  take: {do: move trick to hnad}", "  take: {do: move trick to hand"])
def test_a_variant_that_does_not_check_gives_its_errors_once_and_names_no_example(tmp_path: Path, slip: str) -> None:
    shutil.copytree(STONE, tmp_path / "stone")
    variant = tmp_path / "stone" / "slip.game.yaml"
    variant.write_text(f"game: slip\ntitle: Slip\nextends: rolling-stone\nactions:\n{slip}\n", encoding="utf-8")
    done = CliRunner().invoke(commands, ["test", str(variant), "--parent"])
    assert done.exit_code == 1
    assert done.output.count("error[") == 1 and "slip.game.yaml:5" in done.output
    assert "no longer" not in done.output


def test_a_named_copy_of_a_module_is_taken_out_with_what_the_game_says_of_it(house: House) -> None:
    poker = "steps.second_phase, actions.show_best, actions.show_five, actions.give_up, definitions.poker_size"
    rules = f"steps: {{round: [{{remove: do second_phase}}]}}\nremove: [{poker}, use.bets, BONANZA-23, BONANZA-29]\n"
    game = house.load("bonanza", rules, players=3)
    assert not any(clause.path.split(".")[1:2] == ["bets"] for clause in game.program.clauses)
    assert game.playout(1).decisions > 0


def test_a_changed_number_is_told_of_what_is_called_out_too(house: House) -> None:
    (found,) = house.find("cribbage", "definitions: {count_limit: 21}\n")
    assert found.code == "stale-text"
    for told in ("actions.play", "actions.play.allowed.within_31", "scores.peg.thirty_one", "CRIB-10"):
        assert told in found.hints[-1]


def test_what_is_kept_keeps_what_it_uses(house: House) -> None:
    rules = "players: 3\nsteps: {round: [{remove: do second_phase}]}\n"
    (found,) = house.find("bonanza", rules)
    assert found.code == "now-unused"
    assert found.hints == ("keep it: `keep: [steps.second_phase]`, or remove all of it",)
    assert house.find("bonanza", rules + "keep: [steps.second_phase]\n") == []


@pytest.mark.parametrize("rulings", ["", "rulings: {SAMPLE-9: One plays or passes.}\n"])
def test_a_rule_that_a_variant_cites_and_nobody_states_belongs_under_its_rulings(rulings: str, tmp_path: Path) -> None:
    cited = Path(__file__).parents[1] / "language" / "invalid" / "cited"
    (tmp_path / "rules.yaml").write_text((cited / "rules.yaml").read_text())
    parent = (cited / "unknown-rule-clause.game.yaml").read_text().replace("SAMPLE-22", "SAMPLE-1")
    (tmp_path / "sample.game.yaml").write_text(parent)
    file = tmp_path / "other.game.yaml"
    file.write_text(f"game: other\ntitle: Other\nextends: sample\n{rulings}actions: {{play: {{cite: [SAMPLE-9]}}}}\n")
    found = [one for one in check_file(file).diagnostics if one.code == "unknown-rule"]
    assert len(found) == (0 if rulings else 1)
    for one in found:
        assert one.primary is not None and one.primary.text == "neither in rules.yaml nor under `rulings:`"
        assert one.hints == ("a rule of this variant stands in its `rulings:`: `SAMPLE-9: …`",)


# ------------------------------------------------------------------------------------------------ modules used again
@pytest.mark.parametrize(
    ("text", "told", "left"),
    [
        ("use: [deck_52]\n", "`deck_52` is used already", ""),
        ("use: [deck_52, tricks]\n", "`deck_52` and `tricks` are used already", ""),
        ("use: [tricks, sets]  # ours\n", "`tricks` is used already", "use: [sets]  # ours\n"),
        ("use: [{module: tricks}, {module: tricks, as: other}]\n", "`tricks` is used already",
         "use: [{module: tricks, as: other}]\n"),
    ],
)  # fmt: skip
def test_a_module_that_the_parent_uses_is_told_and_taken_out_by_a_fix(
    house: House, text: str, told: str, left: str
) -> None:
    found = [each for each in house.find("whist", text) if each.code == "same-as-parent"]
    assert [each.message for each in found] == [told]
    assert found[0].fix is not None
    whole, span = found[0].fix.span.source.text, found[0].fix.span
    assert (whole[: span.start] + found[0].fix.text + whole[span.end :]).partition("extends: whist\n")[2] == left


@pytest.mark.parametrize(
    ("text", "name", "left"),
    [
        ("use: [sets, sets]\n", "sets", "use: [sets]\n"),
        ("use: [sets, {module: sets}, {module: tricks, as: own}, sets]\n", "sets",
         "use: [sets, {module: tricks, as: own}]\n"),
        ("use:\n  - sets\n  - {module: tricks, as: own}  # ours\n  - sets\n", "sets",
         "use:\n  - sets\n  - {module: tricks, as: own}  # ours\n"),
        ("use:\n- module: tricks\n  as: own\n- module: tricks\n  as: own\n", "tricks",
         "use:\n- module: tricks\n  as: own\n"),
        ("use:\n  - sets\n  - sets  # ours\n", "sets", None),
    ],
)  # fmt: skip
def test_a_module_that_a_file_uses_twice_is_told_and_taken_out_by_a_fix(
    house: House, text: str, name: str, left: str | None
) -> None:
    found = [each for each in house.find("whist", text) if each.code == "listed-twice"]
    assert [each.message for each in found] == [f"`{name}` stands more than once under `use:`"]
    if left is None:  # a comment would be lost
        assert found[0].fix is None and found[0].hints
        return
    assert found[0].fix is not None
    whole, span = found[0].fix.span.source.text, found[0].fix.span
    assert (whole[: span.start] + found[0].fix.text + whole[span.end :]).partition("extends: whist\n")[2] == left


def test_a_line_that_only_repeats_modules_is_left_out_by_the_command(house: House) -> None:
    path = house.write("whist", "use: [tricks]\n")
    answer = CliRunner().invoke(commands, ["check", "--fix", str(path)])
    assert answer.exit_code == 0 and "now: (without this line)" in answer.output
    assert "use:" not in path.read_text("utf-8")


def test_a_module_of_the_same_name_as_one_of_the_parent_is_not_passed_over(house: House) -> None:
    house.module("deck_52", "text: A pack of ours.\ndefinitions: {of_ours: 3}\n")
    error = house.error("whist", "use: [deck_52]\n")
    assert error.code == "module-clash"
    assert "another module of that name is there already" in error.message
