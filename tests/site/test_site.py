"""The static site in a real Chromium: played, changed, sent as a link, cut off from its host."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Iterator

import pytest

from browser import Browser, Page, find_chromium
from hoyle.front.site.build import build_site
from hoyle.front.site.pyodide import NotBuilt
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
TURN = f"document.querySelector('{NEXT}, {CAN}, .actions .buttons button, .actions .primary') || {OVER}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticHost]:
    folder = tmp_path_factory.mktemp("host") / "below"
    try:
        build_site(folder, GAMES, print)
    except NotBuilt as failure:
        pytest.skip(f"the site cannot be built here: {failure}")
    host = StaticHost(folder.parent)
    host.address += "below/"
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
    play_to_the_end(page)
    assert page.problems == []
    assert all(address.startswith((site.address, "about:", "data:", "blob:")) for address in page.asked)


def change_in_playground(page: Page, old: str, new: str) -> None:
    """Change a rule as by typing, and wait until the text is checked and dealt."""
    page.wait("document.querySelector('.workbench textarea')?.value && document.querySelector('.state')?.textContent")
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
    play_from_lobby(page, "crazy-eights")
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


HOSTILE = [
    "#play=AAAA", "#play=" + "A" * 70_000, "#rules=<script>alert(1)</script>", "#table=../../x", "#edit=..%2F..%2Fetc",
    "#play=%00", "#nothing=1", "#rules",
]  # fmt: skip


def test_hostile_links_break_nothing(site: StaticHost, browser: Browser) -> None:
    for hash_ in HOSTILE:
        page = visit(browser, site.address + hash_) if hash_ == HOSTILE[0] else page  # noqa: F821 - set by the first
        page.frame = ""
        page.run(f"location.hash = {json.dumps(hash_)}")
        page.run("new Promise((done) => setTimeout(done, 300))")
        assert page.problems == []
    page.run("location.hash = '#'")
    page.frame = "#frame"
    page.wait("document.querySelector('.lobby')")


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seeds_give_the_same_matches_as_on_a_desktop(site: StaticHost, browser: Browser, game: str) -> None:
    import hoyle

    loaded = hoyle.load(game, players=4 if game == "hearts" else None)
    moves: list[str] = []
    match = loaded.new(seed=7)
    while not match.is_over and len(moves) < 300:
        match.apply(match.decision.actions[-1])
        moves = list(match.history)
    page = visit(browser, site.address)
    page.frame = ""
    recipe = {"game": game, "players": loaded.players, "options": {}, "seed": 7, "moves": moves}
    opened = page.run(f"hoyle.ask('/api/open', {json.dumps(json.dumps(recipe))})")
    assert opened["status"] == 200, opened
    address = f"/api/recipe/{opened['data']['key']}"
    told = page.run(f"hoyle.ask({json.dumps(address)})")
    assert told["data"]["moves"] == moves
