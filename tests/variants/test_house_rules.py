"""House rules as people play them: variants of the shipped games, each as short as it can be said.

The files in `tests/house_rules` check and can be played, repeat no line of what they extend, and a slip in any of them
is told with what was meant.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

import hoyle
from hoyle.base.diagnostics.render import render_text
from hoyle.base.shipped import all_games, find_game, game_name
from hoyle.front.cli.group import commands
from hoyle.language.compile import check_file

FOLDER = Path(__file__).parents[1] / "house_rules"
VARIANTS = sorted(FOLDER.glob("*.game.yaml"))

# What somebody may write instead, and the name that was meant.
SLIPS = {
    "bi-jinx-auction": ("module: auction", "module: aucton", "auction"),
    "bonanza-short": ("ten_two:", "ten_too:", "ten_two"),
    "bonus-20-draw-two": ("replace: move top of pack", "replace: move top of pakc", "move top of pack"),
    "bonus-20-partners": ("  best_placed:", "  best_place:", "best_placed"),
    "bonus-20-strict-to-100": ("to_points", "to_point", "to_points"),
    "bunco-counter-stop": ("self_stop", "self_stopp", "self_stop"),
    "bunco-quick": ("refill:", "refil:", "refill"),
    "bunco-three-piles": ("surplus_piles", "surplus_pile", "surplus_piles"),
    "cribbage-five": ("hand_size", "hand_sise", "hand_size"),
    "cribbage-five-joker": ("cribbage-joker]", "cribbage-jokr]", "cribbage-joker"),
    "cribbage-joker": ("{new joker:", "{joker:", "new joker"),
    "cribbage-lowball": ("winners:", "winner:", "winners"),
    "cribbage-twenty-one": ("within_31:", "within_13:", "within_31"),
}


def ancestors_of(path: Path) -> list[Path]:
    """The files a variant extends, and those they extend."""
    wanted = yaml.safe_load(path.read_text("utf-8")).get("extends", [])
    found: list[Path] = []
    for name in [wanted] if isinstance(wanted, str) else wanted:
        parent = FOLDER / f"{name}.game.yaml"
        parent = parent if parent.is_file() else find_game(name) or parent
        found += [parent, *ancestors_of(parent)]
    return found


def lines_of(path: Path) -> set[str]:
    """What the lines of a file say; those that only open a block say nothing."""
    lines = {line.strip() for line in path.read_text("utf-8").splitlines()}
    return {line for line in lines if line and not line.startswith("#") and not line.endswith((":", "|"))}


SHIPPED = [path for path in all_games() if "\nextends:" in path.read_text("utf-8")]


@pytest.mark.parametrize("path", [*VARIANTS, *SHIPPED], ids=game_name)
def test_a_variant_repeats_no_line_of_what_it_extends(path: Path) -> None:
    repeated = {line for parent in ancestors_of(path) for line in lines_of(path) & lines_of(parent)}
    assert {line for line in repeated if not line.startswith("extends:")} == set()


LONGEST = ("bi-jinx-auction", "bonanza-short", "cribbage-five-joker")
OFTEN = [path if game_name(path) in LONGEST else pytest.param(path, marks=pytest.mark.slow) for path in VARIANTS]


@pytest.mark.parametrize("path", OFTEN, ids=game_name)
def test_a_house_rule_can_be_played(path: Path) -> None:
    game = hoyle.load(path)
    for seed in range(3):
        assert game.playout(seed).decisions > 0


@pytest.mark.parametrize("path", VARIANTS, ids=game_name)
def test_a_slip_in_a_house_rule_is_told_with_what_was_meant(path: Path, tmp_path: Path) -> None:
    right, wrong, meant = SLIPS[game_name(path)]
    for other in VARIANTS:
        shutil.copy(other, tmp_path)
    slip = tmp_path / path.name
    text = path.read_text("utf-8")
    assert text.count(right) == 1
    slip.write_text(text.replace(right, wrong), encoding="utf-8")
    errors = [one for one in check_file(slip).ordered() if one.severity == "error"]
    shown = render_text(errors)
    assert len(errors) == 1, shown
    assert errors[0].primary is not None and errors[0].primary.span.source.name.endswith(path.name)
    offered = [fix.text for fix in (*([errors[0].fix] if errors[0].fix else []), *errors[0].suggestions)]
    assert any(meant in text for text in (*offered, *errors[0].hints)), shown


@pytest.mark.slow
def test_house_rules_check_without_a_warning_and_can_go_on_at_every_number_of_players() -> None:
    done = CliRunner().invoke(commands, ["check", str(FOLDER)])
    assert done.output == f"{len(VARIANTS)} files, no problems\n"
