"""The static site in a real Chromium: played, changed, sent as a link, cut off from its host."""

from __future__ import annotations

import asyncio
import json
import shutil
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import hoyle
from browser import Browser, Page, find_chromium, wait_until
from hoyle.front.site.build import build_site, list_main_games, measure
from hoyle.front.site.documentation import write_link
from hoyle.front.site.native_modules import has_ziglang
from hoyle.front.site.pyodide import NotBuilt
from hoyle.front.web.local import Local
from hoyle.language.library import describe
from static_host import StaticHost

MISSING = [name for name, there in (("Chromium", find_chromium()), ("npm", shutil.which("npm"))) if not there]
if MISSING:
    warnings.warn(f"NO {' AND NO '.join(MISSING).upper()} FOUND: THE STATIC SITE IS NOT TESTED", stacklevel=1)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not found: {', '.join(MISSING)}"),
    pytest.mark.xdist_group("site"),
]
GAMES = ("hearts", "cribbage", "crazy-eights")
SIZES = pytest.mark.parametrize(("wide", "high"), [(1280, 800), (390, 844)], ids=["desktop", "phone"])
READY = "document.documentElement.dataset.ready"
CAN = "button.card-slot.can:not(.picked)"
NEXT = ".recall:not([hidden]) .primary"  # goes on to the next round
LIT = (NEXT, ".actions .primary:not(:disabled)", CAN, ".actions .buttons button:not(.quiet)", ".actions .act")
OVER = "!!document.querySelector('dialog.end, .actions .verdict')"
FIND_BUTTON = "(text) => [...document.querySelectorAll('button')].find((each) => each.textContent.trim() === text)"
TURN = f"document.querySelector('{NEXT}, {CAN}, .actions .buttons button, .actions .primary') || {OVER}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticHost]:
    folder = tmp_path_factory.mktemp("host") / "below"
    try:
        build_site(folder, GAMES, print)
    except NotBuilt as failure:
        pytest.skip(f"the site cannot be built here: {failure}")
    host = StaticHost(folder.parent)
    host.address, host.folder = f"{host.address}below/", folder
    yield host
    host.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    made = Browser()
    yield made
    made.close()


@pytest.fixture
def browser(chromium: Browser) -> Browser:
    """A browser in which no test has left anything."""
    chromium.forget()
    return chromium


def visit(browser: Browser, address: str, wide: int = 1280, high: int = 800) -> Page:
    page = browser.open(address, wide=wide, high=high)
    drawn = "document.querySelector('#frame').contentDocument?.querySelector('.lobby, .felt, .workbench')"
    page.wait(f"{drawn} && {READY}")
    page.frame = "#frame"
    return page


def play_from_lobby(page: Page, game: str, **options: int) -> None:
    page.run("window.localStorage.setItem('hoyle.settings', JSON.stringify({ speed: 'none' }))")
    page.click(f"[data-game={game}]")
    page.wait("document.querySelector('.setup .big')")
    for name, value in options.items():
        page.run(f"document.querySelector('#option-{name}').value = {value}")
    page.click(".setup .big")
    page.wait("document.querySelector('.felt')")


def play_to_the_end(page: Page) -> None:
    """Take what is lit, as a person would, until the match is over."""
    for _ in range(600):
        page.wait(TURN)
        if page.run(OVER):
            return
        found = next((each for each in LIT if page.has(each)), None)
        if found is not None:
            page.run(f"document.querySelector({json.dumps(found)})?.click()")
    raise AssertionError("the match does not end")


@SIZES
def test_a_visitor_plays_hearts_to_its_end_from_the_lobby(
    site: StaticHost, browser: Browser, wide: int, high: int
) -> None:
    page = visit(browser, site.address, wide, high)
    play_from_lobby(page, "hearts", limit=20)
    page.wait("document.querySelector('.actions .prompt, .actions button')")
    page.press("r")
    page.wait("document.querySelector('dialog[open]')?.textContent.includes('follow')")
    page.press("Escape")
    play_to_the_end(page)
    assert page.problems == []
    assert all(address.startswith((site.address, "about:", "data:", "blob:")) for address in page.asked)


def change_in_playground(page: Page, old: str, new: str) -> None:
    """Change a rule as by typing, and wait until the text is checked and dealt."""
    page.wait("document.querySelector('.workbench textarea')?.value && "
              "document.querySelector('.state').textContent.startsWith('no problems')")
    page.run(
        "(() => { const text = document.querySelector('textarea');"
        f" text.value = text.value.replace({json.dumps(old)}, {json.dumps(new)});"
        " text.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    page.wait(f"document.querySelector('.state').textContent.startsWith('no problems') && "
              f"document.querySelector('textarea').value.includes({json.dumps(new)})")  # fmt: skip


@SIZES
def test_a_changed_rule_is_sent_as_a_link_and_opens_as_the_same_game(
    site: StaticHost, browser: Browser, wide: int, high: int
) -> None:
    page = visit(browser, site.address + "#edit=crazy-eights", wide, high)
    change_in_playground(page, "title: Crazy Eights", "title: Mad Eights")
    page.click("[data-link=Share]")
    page.wait("window.document.documentElement.dataset.shared")
    link = page.run("window.document.documentElement.dataset.shared")
    assert link.startswith(site.address + "#rules=")
    assert len(link) < 10_000
    browser.forget()
    friend = visit(browser, link, wide, high)
    friend.wait("document.querySelector('textarea')?.value.includes('title: Mad Eights')")
    friend.click("[data-link=Play]")
    friend.wait("document.querySelector('.felt') && document.body.innerText.includes('Mad Eights')")
    assert (page.problems, friend.problems) == ([], [])


def test_a_deal_is_sent_as_a_link_and_resumes_where_it_was(site: StaticHost, browser: Browser) -> None:
    page = visit(browser, site.address)
    play_from_lobby(page, "cribbage")
    page.wait(TURN)
    hand = "[...document.querySelectorAll('.mine [data-code]')].map((card) => card.dataset.code).sort().join(' ')"
    dealt = page.run(hand)
    page.click("[title^=Share]")
    page.wait("window.document.documentElement.dataset.shared")
    link = page.run("window.document.documentElement.dataset.shared")
    assert "#play=" in link
    browser.forget()
    friend = visit(browser, link)
    friend.wait(TURN)
    assert friend.run(hand) == dealt
    assert friend.problems == []


def test_the_site_works_without_its_host_after_the_first_visit(site: StaticHost, browser: Browser) -> None:
    page = visit(browser, site.address)
    page.frame = ""
    page.wait("navigator.serviceWorker.ready.then((found) => found.active?.state === 'activated')")
    page.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
    page.call("Page.reload")
    page.wait("document.readyState === 'complete'")
    page.wait(READY, "Hoyle does not start offline")
    page.frame = "#frame"
    play_from_lobby(page, "hearts")
    page.wait(TURN)


def test_a_table_is_there_again_after_the_browser_was_closed(site: StaticHost, browser: Browser) -> None:
    page = visit(browser, site.address)
    play_from_lobby(page, "cribbage")  # where nothing is played by itself
    page.wait(TURN)
    hand = "[...document.querySelectorAll('.mine [data-code]')].map((card) => card.dataset.code).sort().join(' ')"
    dealt = page.run(hand)
    page.frame = ""
    address = page.run("location.href")
    page.run("new Promise((done) => setTimeout(done, 1500))")
    page.close()
    again = visit(browser, address)
    again.wait(TURN)
    assert again.run(hand) == dealt


ENDLESS = """\
game: endless
title: Endless
players: 2
use: [deck_52]
zones: {pack: {shows: nothing}}
steps:
  match: |
    repeat at most 1000 times: do spin
  spin: |
    repeat at most 1000 times: do turn
  turn: |
    repeat at most 1000 times: shuffle pack
winners: seats
"""
HOSTILE: list[str | object] = [
    "#play=AAAA", "#play=" + "A" * 70_000, "#rules=<script>alert(1)</script>", "#play=%00",
    [], {"text": 1}, {"text": "x" * 3_000_000}, {"text": "game: [" * 2000}, {"text": ENDLESS},
    {"text": "a: &a [1]\nb: [*a, *a]"}, {"game": "../../etc/passwd"}, {"game": "hearts", "players": 10**9},
    {"game": "hearts", "players": 4, "moves": ["fly"]}, {"game": "hearts", "players": 4, "moves": ["x" * 100_000]},
    {"game": "hearts", "players": 4, "bot": "os:system"}, {"game": "hearts", "players": 4, "more": 1},
    {"game": "hearts", "options": {"limit": "<img src=x onerror=alert(1)>"}}, {"game": "hearts", "seed": 10**30},
]  # fmt: skip


def test_a_hostile_link_is_refused_with_a_word_and_leaves_nothing(site: StaticHost, browser: Browser) -> None:
    page = visit(browser, site.address)
    page.frame = ""
    kept = page.run("hoyle.ask('/api/kept')")
    for link in HOSTILE:
        hash_ = link if isinstance(link, str) else f"#play={write_link(link)}"
        page.run("document.querySelector('#said').textContent = ''")
        page.run(f"location.hash = {json.dumps(hash_)}")
        told = "document.querySelector('#said').textContent"
        page.wait(f"{told}.startsWith('The link cannot be opened: ')", f"not refused: {str(link)[:80]}")
        assert len(page.run(told)) < 1000
    assert {name: kept["data"][name] for name in ("tables", "files")} == {"tables": {}, "files": {}}
    assert page.run("hoyle.ask('/api/kept')")["data"]["tables"] == {}
    assert page.problems == []
    for strange in ("#table=../../x", "#edit=..%2F..%2Fetc", "#nothing=1"):
        page.run(f"location.hash = {json.dumps(strange)}")
        page.run("new Promise((done) => setTimeout(done, 300))")
    page.run("location.hash = '#'")
    page.frame = "#frame"
    page.wait("document.querySelector('.lobby')")


def test_everything_kept_moves_to_another_browser_in_one_file(
    site: StaticHost, browser: Browser, tmp_path: Path
) -> None:
    page = visit(browser, site.address)
    browser.line.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path),
                      browserContextId=browser.context)  # fmt: skip
    play_from_lobby(page, "cribbage")
    page.wait(TURN)
    hand = "[...document.querySelectorAll('.mine [data-code]')].map((card) => card.dataset.code).sort().join(' ')"
    dealt = page.run(hand)
    page.run("location.assign('edit.html?game=crazy-eights')")
    change_in_playground(page, "title: Crazy Eights", "title: Mad Eights")
    page.click("header .primary")
    page.wait("!document.querySelector('.state').textContent.includes('not saved')")
    page.run("location.assign('lobby.html')")
    page.wait("[...document.querySelectorAll('.pages button')].length > 2")
    page.run(f"({FIND_BUTTON})('Save all').click()")
    saved = tmp_path / "hoyle.json"
    wait_until(saved.is_file, "nothing was saved")
    browser.forget()
    other = visit(browser, site.address)
    other.call("Page.setInterceptFileChooserDialog", enabled=True)
    other.wait("[...document.querySelectorAll('.pages button')].length > 2")
    other.run(f"({FIND_BUTTON})('Restore').click()", userGesture=True)
    wait_until(lambda: other.run("1") and other.choosers, "no file is asked for")
    other.call("DOM.setFileInputFiles", files=[str(saved)], backendNodeId=other.choosers[-1])
    other.wait("document.querySelector('.own a') && document.body.innerText.includes('Mad Eights')")
    other.click(".own a")
    other.wait(TURN)
    assert other.run(hand) == dealt
    assert (page.problems, other.problems) == ([], [])


def test_a_visit_is_as_light_as_promised(site: StaticHost) -> None:
    first, drawn = measure(site.folder)
    assert first <= 8_000_000
    assert drawn <= 60_000


@pytest.mark.skipif(not has_ziglang(), reason="without `ziglang` no native code is built")
def test_thousands_of_matches_are_charted_by_the_native_code_of_a_game(site: StaticHost, browser: Browser) -> None:
    page = visit(browser, site.address)
    page.frame = ""
    text = page.run("hoyle.ask('/api/edit/choose?game=cribbage')")["data"]["text"]
    asked = json.dumps({"text": text, "what": "simulate", "games": 10_000})
    answer = page.run(f"hoyle.ask('/api/edit/inquire', {json.dumps(asked)})")
    assert (answer["status"], answer["data"].get("games")) == (200, 10_000), answer


# ------------------------------------------------------------------------------------------------ the same matches
def play_here(name: str, players: int, seed: int) -> dict[str, object]:
    """A match up to its end or its 200th choice, as a link says it."""
    match = hoyle.load(name, players=players).new(seed=seed)
    for at in range(200):
        decision = match.decision
        if decision is None:
            break
        action = decision.actions[at * 7 % len(decision.actions)]
        match.apply(action if action.number is None else action.with_number(action.number[0]))
    return {"game": name, "players": players, "seed": seed, "moves": list(match.history)}


async def show_here(recipes: list[dict[str, object]], folder: Path) -> list[object]:
    """What the first seat sees after each match, as this Python tells it."""

    async def bring(name: str) -> str:
        return "{}"

    local = Local(lambda text: None, bring, str(folder))
    seen: list[object] = []
    for recipe in recipes:
        status, opened = await local.ask("/api/open", json.dumps(recipe))
        assert status == 200, (recipe["game"], opened)
        assert isinstance(opened, dict)
        told = (await local.ask(f"/api/replay/{opened['key']}?at=0", None))[1]
        seen.append(json.loads(json.dumps(told)))
    local.lobby.close()
    return seen


def compare_matches(page: Page, names: Sequence[str], folder: Path) -> None:
    recipes = [play_here(name, describe(name)[0].usual[0], seed) for name in names for seed in (1, 2)]  # type: ignore[union-attr]
    page.frame = ""
    for recipe, wanted in zip(recipes, asyncio.run(show_here(recipes, folder)), strict=True):
        opened = page.run(f"hoyle.ask('/api/open', {json.dumps(json.dumps(recipe))})")
        assert opened["status"] == 200, (recipe["game"], opened)
        address = f"/api/replay/{opened['data']['key']}?at=0"
        assert page.run(f"hoyle.ask({json.dumps(address)})")["data"] == wanted, recipe["game"]


def test_the_same_seeds_give_the_same_matches_as_on_a_desktop(
    site: StaticHost, browser: Browser, tmp_path: Path
) -> None:
    compare_matches(visit(browser, site.address), GAMES, tmp_path)


def test_every_game_is_on_the_site_and_plays_the_same_matches(browser: Browser, tmp_path: Path) -> None:
    names = list_main_games()
    build_site(tmp_path / "site", names, print)
    host = StaticHost(tmp_path / "site")
    compare_matches(visit(browser, host.address), names, tmp_path / "own")
    host.close()
