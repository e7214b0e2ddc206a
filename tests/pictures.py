"""The pictures of `docs/playing.md`, taken of a real server in a real browser: `make pictures`."""

from __future__ import annotations

import sys
from pathlib import Path

from browser import Browser, find_chromium
from web_server import Server

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
LIT = ".actions .primary:not(:disabled), button.card-slot.can:not(.picked), button.zone-label, .actions .buttons button"

# Name, game, players, width, height, dark, how often something that is lit is clicked.
PICTURES = [
    ("table", "cribbage", 2, 1280, 800, False, 5),
    ("phone", "bonanza", 4, 390, 844, False, 1),
    ("dark", "bonanza", 4, 1280, 800, True, 1),
]


def main() -> int:
    if find_chromium() is None:
        print("pictures: no Chromium found (Debian: apt install chromium)", file=sys.stderr)
        return 1
    FOLDER.mkdir(exist_ok=True)
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
            page.run("new Promise((done) => setTimeout(done, 600))")
            page.picture(FOLDER / f"{name}.webp")
            page.close()
    finally:
        browser.close()
        server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
