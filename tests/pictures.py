"""Takes the screenshots of `docs/playing.md`, in a real terminal and a real browser: `make pictures`.

With names of games, or `all`, it takes tables instead: each at three sizes, light and dark, into `build/tables`.
"""

from __future__ import annotations

import itertools
import random
import shutil
import sys
import tempfile
from pathlib import Path

from browser import Browser, find_chromium
from hoyle.front.cli import run
from terminal_pictures import draw_screen
from terminals import open_terminal
from web_server import Seat, Server

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
GAMES = Path(__file__).parent.parent / "games"
LIT = ".actions .primary:not(:disabled), button.card-slot.can:not(.picked), button.zone-label, .actions .buttons button"

# Name, game, players, width, height, dark, number of clicks on highlighted items.
PICTURES = [
    ("table", "cribbage", 2, 1280, 800, False, 4),
    ("phone", "bonanza", 4, 390, 844, False, 1),
    ("dark", "bonanza", 4, 1280, 800, True, 1),
    ("hint", "cribbage", 2, 1280, 800, False, 0),
]

# Name, title, columns and lines, arguments of `hoyle play`, input.
SCREENS = [
    ("terminal", "Cribbage in the terminal", (80, 24), ("cribbage", "--seed", "7"), ("ts td", "8h", "kh", "hint")),
    ("terminal-many", "Bunco for seven", (80, 24), ("bunco", "-p", "7", "--seed", "4"), (".1",)),
    ("refusal", "A card that may not be played, and why", (80, 24), ("crazy-eights", "--seed", "1"), ("4d",)),
]

# Tables to be looked at one by one: a game of each kind, how many play, and how many choices have been made.
TABLES = {
    "hearts": (4, 18), "bridge": (4, 13), "skat": (3, 14), "klondike": (1, 9), "spider": (1, 12), "gin-rummy": (2, 9),
    "rummy-500": (3, 21), "holdem": (5, 5), "crazy-eights": (4, 8), "cribbage": (2, 5), "bonanza": (4, 12),
    "hanabi": (4, 2),
}  # fmt: skip
SIZES = {"desk": (1280, 800), "phone": (390, 844), "aside": (844, 390)}


def take_screens() -> None:
    for name, title, size, table, lines in SCREENS:
        with (
            tempfile.TemporaryDirectory() as matches,
            open_terminal("play", *table, matches=Path(matches), size=size) as terminal,
        ):
            terminal.wait_for("? help")
            for line in lines:
                terminal.type(line, "? help")
            (FOLDER / f"{name}.svg").write_text(draw_screen(terminal, title), encoding="utf-8")


def take_moving(browser: Browser, server: Server) -> None:
    """A card that may not be played, with the reason, and then a few that may: the picture of the README."""
    key = server.set_table("crazy-eights", players=3, seats=["me", "random", "random"], name="Ash", seed=3)
    page = browser.open(f"{server.address}/t/{key}", wide=960, high=600, still=False)
    frames: list[tuple[bytes, int]] = []

    def look(count: int, lasts: int) -> None:
        for _ in range(count):
            frames.append((page.shoot(format="webp", quality=60), lasts))
            page.run("new Promise((done) => setTimeout(done, 350))")

    page.wait(f"document.querySelector('{LIT}')")
    page.run("new Promise((done) => setTimeout(done, 2500))")
    look(1, 1500)
    page.click(".mine button.card-slot:not(.can)")
    page.click("details summary")
    page.run("new Promise((done) => setTimeout(done, 600))")
    look(1, 4000)
    for _ in range(3):
        page.wait("document.querySelector('button.card-slot.can')")
        page.click("button.card-slot.can")
        look(7, 300)
    frames[-1] = frames[-1][0], 2500
    (FOLDER / "moving.webp").write_bytes(join_frames(frames, 960, 600))
    page.close()


def join_frames(frames: list[tuple[bytes, int]], wide: int, high: int) -> bytes:
    """WebP pictures as one that moves; each stands for so many milliseconds. Equal neighbours become one."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return name + len(data).to_bytes(4, "little") + data + b"\0" * (len(data) % 2)

    def number(value: int, size: int = 3) -> bytes:
        return value.to_bytes(size, "little")

    size = number(wide - 1) + number(high - 1)
    parts = [chunk(b"VP8X", number(2, 4) + size), chunk(b"ANIM", number(0, 4) + number(0, 2))]
    for picture, alike in itertools.groupby(frames, lambda frame: frame[0]):
        at = picture.index(b"VP8 ", 12)
        length = int.from_bytes(picture[at + 4 : at + 8], "little")
        head = number(0) * 2 + size + number(sum(lasts for _, lasts in alike)) + number(2, 1)
        parts.append(chunk(b"ANMF", head + chunk(b"VP8 ", picture[at + 8 : at + 8 + length])))
    return chunk(b"RIFF", b"WEBP" + b"".join(parts))


def take_pages(browser: Browser) -> None:
    """What commands draw: the course of a game, and the report of a simulation."""
    run(["graph", "crazy-eights", "-o", str(FOLDER / "graph.svg")])
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        run(["sim", "cribbage", "--games", "500", "--seed", "1", "--executor", "python", "--html", str(report)])
        page = browser.open(report.as_uri(), wide=960, high=720)
        page.picture(FOLDER / "report.webp")
        page.close()


def take_playground(browser: Browser) -> None:
    """A slip in a rule file, told and with a fix, beside the last table and a line that was tried there."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crazy-eights.game.yaml"
        shutil.copy(GAMES / "crazy-eights" / path.name, path)
        server = Server(edit=path)
        page = browser.open(f"{server.address}/edit", wide=1280, high=800)
        table = "document.querySelector('iframe')?.contentDocument?.querySelector('.mine button.card-slot.can')"
        page.wait(table)
        page.run("document.querySelector('.trial input').value = '(card in hand where rank of card = 10)'")
        page.click(".trial button")
        page.wait("!document.querySelector('.trial output').hidden")
        page.run("(() => { const t = document.querySelector('textarea'), at = t.value.indexOf('move card to pile');"
                 " t.focus(); t.setSelectionRange(at, at + 17); })()")  # fmt: skip
        page.call("Input.insertText", text="move the card to pile")
        page.wait("document.querySelector('.problems .fix')")
        page.click(".problems .goes-to")
        page.run("new Promise((done) => setTimeout(done, 1000))")
        page.picture(FOLDER / "playground.webp")
        page.close()
        server.close()


def take_tables(browser: Browser, server: Server, games: list[str]) -> None:
    """Tables in the midst of a match; what is chosen until then is drawn from a seed."""
    folder = GAMES.parent / "build" / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    for game in games:
        players, choices = TABLES[game]
        key = server.set_table(game, players=players, seats=["me", *["easy"] * (players - 1)], name="Ash", seed=7)
        play_on(server.sit(key), choices)
        for size, (wide, high) in SIZES.items():
            for dark in (False, True):
                page = browser.open(f"{server.address}/t/{key}", wide=wide, high=high, dark=dark)
                page.wait("document.querySelector('.felt')")
                page.run("new Promise((done) => setTimeout(done, 400))")
                page.picture(folder / f"{game}-{size}-{'dark' if dark else 'light'}.png")
                page.close()


def play_on(seat: Seat, choices: int) -> None:
    draw = random.Random(7)
    for _ in range(choices):
        menu = seat.wait_for_turn()
        if menu is None:
            break
        ways = [way for act in menu["acts"] for way in act["ways"]]
        if not ways:
            seat.choose(menu["decline"])
            continue
        way = draw.choice(ways)
        group = way.get("group")
        seat.send({"do": "choose", "turn": menu["turn"], "choice": way["choice"],
                   "number": way["number"][0] if way["number"] else None,
                   **({"items": group["items"][: group["low"]]} if group else {})})  # fmt: skip
        seat.hear("table", lambda shown, turn=menu["turn"]: (shown["view"]["menu"] or {}).get("turn") != turn)
    seat.wait_for_turn()
    seat.close()


def main() -> int:
    if games := list(TABLES) if sys.argv[1:] == ["all"] else sys.argv[1:]:
        server, browser = Server(), Browser()
        try:
            take_tables(browser, server, games)
        finally:
            browser.close()
            server.close()
        return 0
    FOLDER.mkdir(exist_ok=True)
    take_screens()
    if find_chromium() is None:
        print("pictures: no Chromium found (Debian: apt install chromium)", file=sys.stderr)
        return 1
    server, browser = Server(), Browser()
    try:
        for name, game, players, wide, high, dark, clicks in PICTURES:
            seats = ["me", *["random"] * (players - 1)]
            key = server.set_table(game, players=players, seats=seats, name="Ash", seed=7)
            page = browser.open(f"{server.address}/t/{key}", wide=wide, high=high, dark=dark)
            for _ in range(clicks):
                page.wait(f"document.querySelector('{LIT}')")
                page.click(next(each for each in LIT.split(", ") if page.has(each)))
                page.run("new Promise((done) => setTimeout(done, 400))")
            page.wait(f"document.querySelector('{LIT}')")
            if name == "hint":
                page.press("h")
                page.wait("document.querySelector('.weighed')")
            page.run("new Promise((done) => setTimeout(done, 3000))")  # messages of automatic moves disappear
            page.picture(FOLDER / f"{name}.webp")
            page.close()
        take_moving(browser, server)
        take_pages(browser)
        take_playground(browser)
    finally:
        browser.close()
        server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
