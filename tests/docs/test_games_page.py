"""`docs/games.md`, the page of the shipped games: written anew with `pytest --update`.

Everything on it is read from the rule files: who can play, the family, how long the file is, what can be set, and what
of the language the file shows.
"""

from __future__ import annotations

import re
import statistics
from pathlib import Path

from hoyle.base.shipped import all_games, game_name, other_names, spell_plainly
from hoyle.language.library import describe
from hoyle.program.info import GameInfo

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "games.md"
SHOWN = {
    "partners": r"^teams:",
    "chips": r"^pots:",
    "choices made together": r"\bchoose \w+ together",
    "windows": r"^\s+offer ",
    "a race": r"\bin seats at random",
    "tiers": r"^choices:|, otherwise \w+$",
    "a score table": r"^scores:",
    "several cards at once": r"\w+: [\d.]+ cards from",
    "a step that ends in the middle": r"^ends:",
    "piles that come and go": r"\bmany: .*\bshows: ",
    "a family by something else": r"of: (?:team|suit|rank|space)",
    "seats that leave": r"\bretire ",
    "errors as moves": r"^errors:",
    "other languages": r"^  fr:|^  it:",
}
FIRST = {"bi-jinx", "bonanza", "bonus-20", "bunco", "cribbage"}  # what the language was made for; the rest are classics
MOST_LINES = 117  # of the median classic
# The lines of the same games in OpenSpiel 2.0.2, by its source archive: the `.cc` and `.h` files whose names begin as
# the game does, tests left out, without blank lines and comments.
PEERS = {
    "blackjack": 480, "bridge": 1360, "crazy-eights": 741, "cribbage": 932, "dou-dizhu": 1401, "euchre": 1023,
    "go-fish": 677, "goofspiel": 795, "hanabi": 1392, "hearts": 913, "holdem": 1535, "klondike": 1369,
    "kuhn-poker": 444, "leduc-poker": 802, "oh-hell": 789, "skat": 843, "spades": 739,
}  # fmt: skip
HEAD = """\
# The games

*Written by `pytest --update tests/docs/test_games_page.py` from the rule files; change those, not this page.*

`hoyle list` shows the same in the terminal, `hoyle list GAME` tells the options of one in sentences, and
`hoyle play GAME` plays it, by any of its names. Lines are those of the rule file, blank ones and remarks left out;
beside them, counted alike, those that OpenSpiel 2.0.2 has for the game in C++.
"""


def count_lines(text: str) -> int:
    return sum(1 for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))


def list_modules(text: str) -> list[str]:
    found = re.search(r"^use: \[(.*)\]", text, re.M)
    return re.findall(r"\b(?:module: )?([a-z]\w+)\b(?!:)", re.sub(r"(?:as|with): \w+", "", found[1])) if found else []


def say_players(info: GameInfo) -> str:
    low, high = info.usual
    usual = f"{low}" if low == high else f"{low} to {high}"
    return usual if info.usual == info.allowed else f"{usual} (possible {info.allowed[0]} to {info.allowed[1]})"


def describe_rows(family: str, games: list[tuple[Path, GameInfo]]) -> list[str]:
    rows = [f"## {family.capitalize()}", ""]
    rows += ["| game | players | lines | OpenSpiel's | options | what it shows |", "|---|---|---|---|---|---|"]
    for path, info in games:
        text = path.read_text(encoding="utf-8")
        modules = [f"`{name}`" for name in list_modules(text)]
        shows = modules + [name for name, pattern in SHOWN.items() if re.search(pattern, text, re.M)]
        also = f"; also {', '.join(info.also)}" if info.also else ""
        link = path.relative_to(ROOT).as_posix()
        options = ", ".join(f"`{option.name}`" for option in info.options)
        rows.append(
            f"| [{info.title}](../{link}) (`{info.name}`{also}) | {say_players(info)} | {count_lines(text)} "
            f"| {PEERS.get(info.name, '')} | {options} | {', '.join(shows)} |"
        )
    return [*rows, ""]


def count_games() -> dict[str, int]:
    """The lines of every game that is no variant."""
    infos = [(path, describe(path)[0]) for path in all_games()]
    return {
        info.name: count_lines(path.read_text(encoding="utf-8"))
        for path, info in infos
        if info is not None and not info.parents
    }


def find_median(lengths: dict[str, int]) -> float:
    return statistics.median(lines for name, lines in lengths.items() if name not in FIRST)


def write_page() -> str:
    families: dict[str, list[tuple[Path, GameInfo]]] = {}
    variants: list[str] = []
    lengths = count_games()
    for path in all_games():
        info, _ = describe(path)
        assert info is not None
        if info.parents:
            link = path.relative_to(ROOT).as_posix()
            variants.append(f"- [{info.title}](../{link}) (`{info.name}`) of `{info.parents[0]}`")
        else:
            assert info.family, f"{game_name(path)} says no family"
            families.setdefault(info.family, []).append((path, info))
    lines = [f"There are {len(lengths)} games, {len(lengths.keys() - FIRST)} of them classics, and {len(variants)} "
             f"variants. The median classic has {find_median(lengths):g} lines.", ""]  # fmt: skip
    for family in sorted(families):
        lines += describe_rows(family, families[family])
    return "\n".join([HEAD, *lines, "## Variants", "", *variants]) + "\n"


def test_the_page_of_the_games_says_what_the_files_say(update: bool) -> None:
    page = write_page()
    if update:
        PAGE.write_text(page, encoding="utf-8", newline="\n")
    assert PAGE.read_text(encoding="utf-8") == page


def test_there_are_twenty_five_classics_and_the_median_one_is_short() -> None:
    lengths = count_games()
    assert lengths.keys() >= FIRST
    assert len(lengths.keys() - FIRST) >= 25
    assert find_median(lengths) <= MOST_LINES


def test_no_two_games_are_known_by_the_same_name() -> None:
    names = [name for path in all_games() for name in {game_name(path), *map(spell_plainly, other_names(path))}]
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
