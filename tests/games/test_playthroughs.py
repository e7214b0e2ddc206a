"""Golden playthroughs: `games/*/playthroughs/*.txt`, written anew with `pytest --update`.

The lines at the head of a file say what is played; to add a playthrough, write such lines alone and update.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.authoring.testing.playthroughs import BadPlaythrough, read_header, write_playthrough
from hoyle.base.shipped import games_folder

PLAYTHROUGHS = sorted(games_folder().glob("*/playthroughs/*.txt"))


def name_playthrough(path: Path) -> str:
    return f"{path.parent.parent.name}-{path.stem}"


@pytest.mark.share
@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=name_playthrough)
def test_a_match_goes_as_it_went_when_it_was_written_down(path: Path, update: bool) -> None:
    golden = path.read_text(encoding="utf-8")
    header = read_header(golden)
    played = write_playthrough(header, path.parent.parent / f"{header.game}.game.yaml")
    if update:
        path.write_text(played, encoding="utf-8", newline="\n")
        return
    assert played.splitlines() == golden.splitlines()


def test_every_game_with_examples_of_its_own_has_playthroughs() -> None:
    games = {path.parent.name for path in games_folder().glob("*/*.test.yaml")}
    assert games <= {path.parent.parent.name for path in PLAYTHROUGHS}
    assert games


def test_a_playthrough_shows_every_hand_dealt_and_every_choice() -> None:
    path = games_folder() / "bonus-20" / "playthroughs" / "2.txt"
    header = read_header(path.read_text(encoding="utf-8"))
    lines = path.read_text(encoding="utf-8").splitlines()
    deal = next(at for at, line in enumerate(lines) if line.startswith("  dealt from"))
    hands = [line for line in lines[deal + 1 : deal + 1 + header.players] if line.startswith("    ")]
    assert len(hands) == header.players
    seats = {line.split()[0] for line in lines if line.endswith("]")}
    assert seats == {str(seat) for seat in range(header.players)}


@pytest.mark.parametrize(
    "text", ["", "game: x\nplayers: 2\nseed: 1\n", "game: x\nplayers: 2\nseed: 1\nbot: nobody\n",
             "game: x\nplayers: two\nseed: 1\nbot: first\n"],
)  # fmt: skip
def test_a_header_that_says_too_little_is_refused(text: str) -> None:
    with pytest.raises(BadPlaythrough):
        read_header(text)
