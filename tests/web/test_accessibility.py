"""Every page is examined by axe-core, light and dark: roles, names, and contrast of texts."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import Browser, Page, find_chromium
from hoyle.base.cache import cache_folder
from web_server import Server

SHIPPED = Path(__file__).parents[2] / "games"
VERSION = "4.10.3"  # of axe-core
MISSING = [name for name, there in (("Chromium", find_chromium()), ("npm", shutil.which("npm"))) if not there]
if MISSING:
    warnings.warn(f"{' AND '.join(MISSING).upper()} NOT FOUND: ACCESSIBILITY IS NOT EXAMINED", stacklevel=1)
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"no {' and no '.join(MISSING)} found"),
    pytest.mark.xdist_group("browser"),
]
# Of texts on a gradient axe-core cannot say whether they can be read: the felt is plain, in the colour nearest to them.
PLAIN = """document.querySelectorAll(".table-holder").forEach((each) =>
  each.style.setProperty("background", "var(--felt)"))"""
FOUND = """(async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.flatMap((found) =>
  found.nodes.map((node) => `${found.id}: ${node.target} ${node.any.map((each) => each.message).join("; ")}`)))()"""
# What each shows that others do not: columns, a board, pots and a number, marks, a ring with facts, spaces, a sheet,
# a sheet with two columns for each.
GAMES = ["klondike", "cribbage", "holdem", "hanabi", "skat", "bonanza", "bunco", "bi-jinx"]


@pytest.fixture(scope="module")
def axe() -> str:
    """The text of axe-core, fetched once from npm."""
    folder = cache_folder() / f"axe-core-{VERSION}"
    kept = folder / "axe.min.js"
    if not kept.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "pack", f"axe-core@{VERSION}", "--silent", "--pack-destination", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        packed = next(folder.glob("*.tgz"), None)
        if done.returncode or packed is None:
            pytest.skip(f"axe-core cannot be fetched here: {done.stderr[-200:]}")
        with tarfile.open(packed) as archive:
            member = archive.extractfile("package/axe.min.js")
            assert member is not None
            kept.write_bytes(member.read())
        packed.unlink()
    return kept.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    made = Browser()
    yield made
    made.close()


def examine(page: Page, axe: str, where: str) -> list[str]:
    page.run(f"(() => {{ {axe} }})()")
    page.run(PLAIN)
    return [f"{where}: {each}" for each in page.run(FOUND)]


def open_table(browser: Browser, server: Server, game: str, *, dark: bool) -> Page:
    key = server.set_table(game, name="Ash", seed=7)
    page = browser.open(f"{server.address}/t/{key}", dark=dark)
    page.wait("document.querySelector('.felt') && document.querySelector('.actions .prompt')")
    return page


@pytest.mark.parametrize("dark", [pytest.param(False, marks=pytest.mark.slow), True], ids=["light", "dark"])
def test_no_page_keeps_anybody_out(browser: Browser, server: Server, axe: str, *, dark: bool) -> None:
    browser.forget()
    page = browser.open(f"{server.address}/", dark=dark)
    page.wait("document.querySelector('.setup form')")
    found = examine(page, axe, "lobby")
    page.close()
    page = open_table(browser, server, "hearts", dark=dark)
    found += examine(page, axe, "table")
    page.click(".mine .card-slot.can")
    found += examine(page, axe, "picked")
    for button in ("rules", "settings", "links"):
        page.click(f"[data-focus='bar:{button}']")
        page.wait("document.querySelector('dialog[open]')")
        found += examine(page, axe, button)
        page.press("Escape")
        page.wait("!document.querySelector('dialog[open]')")
    page.click("[data-focus='bar:replay']")
    page.wait("document.querySelector('.reel')")
    found += examine(page, axe, "replay")
    page.close()
    page = browser.open(f"{server.address}/seal#table=t&seal=0&seed=1", dark=dark)
    page.wait("document.querySelector('form [role=status] strong')")
    found += examine(page, axe, "seal")
    page.close()
    key = server.set_table("gin-rummy", players=2, seats=["me", "person"])
    invited = server.lobby.store.find_keys(server.lobby.find_key(key).table, "invitation")
    page = browser.open(f"{server.address}/t/{invited[1]}", dark=dark)
    page.wait("document.querySelector('.card-form')")
    found += examine(page, axe, "invitation")
    page.close()
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_playground_keeps_nobody_out(browser: Browser, tmp_path: Path, axe: str, *, dark: bool) -> None:
    browser.forget()
    path = tmp_path / "crazy-eights.game.yaml"
    shutil.copy(SHIPPED / "crazy-eights" / path.name, path)
    server = Server(edit=path)
    page = browser.open(f"{server.address}/edit", dark=dark)
    page.wait("document.querySelector('.state')?.textContent.startsWith('no problems')")
    found = examine(page, axe, "text")
    for what in ("test", "simulate", "rules", "graph", "table"):
        page.click(f".tabs [data-what={what}]")
        page.wait(f"document.querySelector('.tabs [data-what={what}][aria-pressed=true]')")
        page.wait("!document.querySelector('.answer .loading')")
        found += examine(page, axe, what)
    page.run("(() => { const text = document.querySelector('textarea'); text.value = text.value.replace('2..7', '2..');"
             " text.dispatchEvent(new Event('input', {bubbles: true})); })()")  # fmt: skip
    page.wait("document.querySelector('.problems .goes-to')")
    found += examine(page, axe, "problem")
    page.close()
    server.close()
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_no_table_keeps_anybody_out(browser: Browser, server: Server, axe: str, game: str, *, dark: bool) -> None:
    page = open_table(browser, server, game, dark=dark)
    found = examine(page, axe, game)
    if page.has("[data-focus='bar:hint']:not(:disabled)"):
        page.press("h")
        page.wait("document.querySelector('#toasts .toast')")
        found += examine(page, axe, "hint")
    page.close()
    assert not found, "\n".join(found)
