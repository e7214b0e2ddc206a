"""The page in a real Chromium: played with the mouse and with the keyboard, reloaded, narrowed, cut off."""

from __future__ import annotations

import asyncio
import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hoyle
from browser import Browser, Page, find_chromium, wait_until
from hoyle.base.shipped import all_games, game_name
from hoyle.front.web.messages import NewTable
from web_server import Process, Server

if find_chromium() is None:
    warnings.warn("NO CHROMIUM FOUND: THE BROWSER TESTS ARE NOT RUN (Debian: apt install chromium)", stacklevel=1)
pytestmark = [
    pytest.mark.skipif(find_chromium() is None, reason="no Chromium found (Debian: apt install chromium)"),
    pytest.mark.xdist_group("browser"),
]
MAIN = sorted(game_name(path) for path in all_games() if path.parent.name == game_name(path))
CAN = "button.card-slot.can:not(.picked)"
# Where it is to go, and what goes with it, come before a card that would take the place of what is picked; a card
# comes before a button, or whoever could always draw one would never play one.
GO_ON = ".recall:not([hidden]) .primary"  # a round is over, and the next one waits
LIT = (
    GO_ON,
    "#page:has(.picked) .actions .primary:not(:disabled)",
    "#page:has(.picked) .zone.can:not(.picked) button.zone-label",
    ".rows:has(.picked) .row-of:not(:has(.picked)) button", f"{CAN}:not(.other)",
    ".actions .primary:not(:disabled)", ".zone.can:not(.picked) button.zone-label", "button.plate.can:not(.picked)",
    ".row-of:not(:has(.picked)) button", ".actions .buttons button:not(.quiet):not(.act):not(.row-of *)",
    ".actions .act[aria-pressed=false]", CAN,
)  # fmt: skip
OVER = "!!document.querySelector('dialog.end, .actions .verdict')"
ASKED = f"document.querySelector('{GO_ON}, {CAN}, .actions .buttons button, .actions form') || {OVER}"
HAND = "[...document.querySelectorAll('.mine [data-code]')].map((card) => card.dataset.code)"

TWICE = """
game: twice
title: Twice
players: 1
kinds: {colour: {red: {}, green: {}, blue: {}}}
deck:
  starts_in: pack
  attributes: {rank: 7..9}
  cards: [{rank: 7..9}]
zones:
  pack: {shows: nothing}
  hand: {of: seat, shows: owner}
actions:
  weigh: {choose: {one: hand, other: hand}}
  mix: {choose: {this: any colour, that: any colour}}
steps:
  match: |
    deal 3 cards from pack to each hand, starting dealer
    dealer chooses weigh
    repeat 2 times: dealer chooses mix
winners: seats
labels: {en: {told: {mix: "mix {this} with {that}"}}}
"""

GROUPS = """
game: groups
title: Groups
players: 1
deck:
  starts_in: pack
  attributes: {rank: 7..9, sort: 1..3}
  cards: [{rank: 7..9, sort: 1..3}]
zones:
  pack: {shows: nothing}
  hand: {of: seat, shows: owner}
  group: {of: seat, many: 3, shows: all}
actions:
  lay:
    choose: {cards: 2 or more cards from hand where lowest rank of cards = highest rank of cards}
    do: move cards to new group
steps:
  match: |
    deal 8 cards from pack to each hand, starting dealer
    repeat 2 times: dealer chooses lay
winners: seats
"""


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


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def open_table(browser: Browser, server: Server, key: str, wide: int = 1280, high: int = 800) -> Page:
    page = browser.open(f"{server.address}/t/{key}", wide=wide, high=high)
    page.wait("document.querySelector('.felt')")
    return page


def count_choices(server: Server, key: str) -> int:
    found = server.lobby.store.find_key(key)
    assert found is not None
    return len(server.lobby.rooms[found.table].choices)


def is_over(server: Server, key: str) -> bool:
    found = server.lobby.store.find_key(key)
    assert found is not None
    return server.lobby.rooms[found.table].match.is_over


def is_asked(server: Server, key: str) -> bool:
    """Whether the one who holds the key is to choose, and not a bot that takes its time."""
    found = server.lobby.store.find_key(key)
    assert found is not None
    decision = server.lobby.rooms[found.table].match.decision
    return decision is not None and decision.seat == found.seat


def make_a_choice(page: Page, server: Server, key: str, touch: Callable[[Page, str], None] = Page.click_now) -> None:
    """Do what a person does who clicks on whatever is lit, until the table goes on."""
    before = count_choices(server, key)
    for _ in range(12):
        wait_until(lambda: count_choices(server, key) > before or page.run(f"Boolean({ASKED})"), page.text())
        if is_over(server, key) or count_choices(server, key) > before:
            return
        for selector in LIT:
            if page.has(selector):
                if selector == GO_ON and count_choices(server, key) > before:
                    return  # the choice has ended the round
                touch(page, selector)
                break
        page.run("new Promise((done) => setTimeout(done, 30))")
    wait_until(lambda: count_choices(server, key) > before, page.text())


def play_to_the_end(browser: Browser, server: Server, game: str, by: str = "mouse", **known: object) -> None:
    key = server.set_table(game, seed=2, **known)
    page = open_table(browser, server, key, *((390, 844) if by == "finger" else (1280, 800)))
    touch = {"mouse": Page.click_now, "finger": Page.tap, "keys": Page.enter}[by]
    while not is_over(server, key):
        make_a_choice(page, server, key, touch)
    while not page.has("dialog.end"):  # the others may have gone on while the page waits at the end of a round
        page.wait(f"document.querySelector('dialog.end, {GO_ON}')")
        if not page.has("dialog.end"):
            touch(page, GO_ON)
    assert page.text("dialog.end h2")
    assert page.problems == []
    assert all(address.startswith(server.address) for address in page.asked)
    page.close()


def test_a_whole_game_is_played_with_the_mouse(browser: Browser, server: Server) -> None:
    play_to_the_end(browser, server, "cribbage-61", players=2, seats=["me", "random"])


@pytest.mark.slow
@pytest.mark.parametrize("game", MAIN)
def test_every_game_is_played_with_the_mouse(browser: Browser, server: Server, game: str) -> None:
    players = hoyle.load(game).players
    play_to_the_end(browser, server, game, players=players, seats=["me", *["random"] * (players - 1)])


@pytest.mark.slow
@pytest.mark.parametrize("by", ["mouse", "finger", "keys"])
@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        ("hearts", 4, {"limit": "20"}),
        ("klondike", 1, {"most_moves": "40"}),
        ("gin-rummy", 2, {"most_deals": "2"}),
        ("bridge", 4, {"deals": "1"}),
        ("holdem", 3, {"chips": "10"}),
        ("hanabi", 2, {}),
    ],
)
def test_games_of_all_kinds_are_played_with_mouse_finger_and_keys(
    browser: Browser, server: Server, game: str, players: int, options: dict[str, str], by: str
) -> None:
    seats = ["me", *["random"] * (players - 1)]
    play_to_the_end(browser, server, game, by, players=players, seats=seats, options=options)


def test_the_keyboard_is_enough(browser: Browser, server: Server) -> None:
    key = server.set_table("cribbage-61", players=2, seats=["me", "random"], seed=4)
    page = open_table(browser, server, key)
    page.wait(f"document.querySelector('{CAN}')")
    for _ in range(2):  # two cards are laid away: arrows, Space, and Enter on the button that then appears
        page.press("ArrowRight")
        page.wait("document.activeElement.matches('.card-slot')")
        while page.run("document.activeElement.matches('.picked')"):
            page.press("ArrowRight")
        page.press(" ")
    page.wait("document.querySelector('.actions .primary')")
    for _ in range(30):
        if page.run("document.activeElement.matches('.actions .primary')"):
            break
        page.press("Tab")
    page.press("Enter")
    wait_until(lambda: count_choices(server, key) > 0, page.text())
    page.press("r")
    page.wait("document.querySelector('dialog[open]')")
    page.press("Escape")
    page.wait("!document.querySelector('dialog')")
    page.wait(f"document.querySelector('{CAN}')")
    before = count_choices(server, key)
    page.press("u")
    wait_until(lambda: count_choices(server, key) < before, "undo by key")
    assert page.run("document.querySelectorAll('[aria-live]').length") >= 2
    assert page.run("[...document.querySelectorAll('button')].every((b) => b.innerText || b.ariaLabel || b.title)")
    assert page.problems == []
    page.close()


def test_whoever_plays_with_the_keyboard_is_at_the_table_again_when_the_others_have_played(
    browser: Browser, server: Server
) -> None:
    key = server.set_table("crazy-eights", players=3, seats=["me", "random", "random"], seed=3)
    page = open_table(browser, server, key)
    page.wait(f"document.querySelector('{CAN}')")
    page.press("ArrowRight")
    for number in range(1, 3):  # nothing is pressed between two turns
        page.wait("document.activeElement.matches('.card-slot.can')", "no card has the focus")
        page.press("Enter")
        page.wait(f"document.querySelector('.log').innerText.split('You play').length === {number + 1}")
    page.close()


def test_two_people_and_two_bots_share_a_table(browser: Browser, server: Server) -> None:
    first = browser.open(f"{server.address}/?game=hearts")
    first.wait("document.querySelector('#seat3')")
    for field, value in {"name": "Ash", "seat1": "person", "seat2": "random", "seat3": "random"}.items():
        first.run(f"document.getElementById('{field}').value = '{value}'")
    first.click("form button[type=submit]")
    first.wait("location.pathname.startsWith('/t/')")
    key = first.run("location.pathname.slice(3)")
    first.wait("document.querySelector('.felt')")
    first.click("[data-focus='bar:settings']")
    for chosen in ("off", "0"):  # nothing flies, and bots do not wait
        option = f"dialog option[value='{chosen}']"
        first.wait(f'document.querySelector("{option}")')
        first.run(f"""(() => {{ const found = document.querySelector("{option}"), list = found.parentElement;
                      list.value = found.value; list.dispatchEvent(new Event("change")); }})()""")
    first.press("Escape")
    first.click("[data-focus='bar:links']")
    first.wait("document.querySelector('dialog .link input')")
    link = first.run("document.querySelector('dialog .link input').value")
    first.press("Escape")
    second = browser.open(link)
    second.wait("document.querySelector('form #name')")
    second.run("document.getElementById('name').value = 'Bay'")
    second.click("form button[type=submit]")
    second.wait("document.querySelector('.felt')")
    own = second.run("location.pathname.slice(3)")
    assert own not in link
    hands = [set(page.run(HAND)) for page in (first, second)]
    assert hands[0] and hands[1] and not hands[0] & hands[1]
    first.wait("document.querySelector('.others').innerText.includes('Bay')")
    seats = (first, key), (second, own)
    turns = [0, 0]
    while min(turns) < 2:
        for number, (page, mine) in enumerate(seats):
            lit = f"!!({ASKED}) && document.querySelector('.status').classList.contains('turn')"
            if is_asked(server, mine) and page.run(lit):  # a page may still show a turn that is over
                make_a_choice(page, server, mine)
                turns[number] += 1
    second.close()  # one closes his laptop, and comes back
    first.wait("document.querySelector('.others .away')")
    second = browser.open(f"{server.address}/t/{own}")
    second.wait("document.querySelector('.felt')")
    first.wait("!document.querySelector('.others .away')")
    before = count_choices(server, own)
    second.wait("!document.querySelector('[data-focus=\"bar:undo\"]').disabled")
    second.press("u")
    first.wait("document.querySelector('.asked .primary')")  # nothing is taken back before the other agrees
    assert count_choices(server, own) >= before
    first.click(".asked .primary")
    wait_until(lambda: count_choices(server, own) < before, "undo by consent")
    for page in (first, second):
        assert page.problems == []
        page.close()


def test_a_click_on_what_is_not_allowed_says_why_and_leads_to_the_rule(browser: Browser, server: Server) -> None:
    key = server.set_table("cribbage-61", players=2, seats=["me", "random"], seed=1)
    page = open_table(browser, server, key)
    page.run("localStorage.setItem('hoyle.settings', JSON.stringify({ forced: false }))")  # nothing plays by itself
    page.go(f"{server.address}/t/{key}")
    for _ in range(60):
        wait_until(lambda: is_asked(server, key), page.text())
        page.run("new Promise((done) => setTimeout(done, 200))")  # what was sent last is drawn
        page.wait(ASKED)
        if page.has("button.card-slot.cannot"):
            break
        make_a_choice(page, server, key)
    before = count_choices(server, key)
    page.click("button.card-slot.cannot")
    page.wait("document.querySelector('.toast.why .cite')")
    assert page.text(".toast.why strong")
    assert page.has(".card-slot.lit"), "the cards that decide are lit"
    page.click(".toast.why .cite")
    page.wait("document.querySelector('dialog .sought')")
    assert count_choices(server, key) == before
    page.run("localStorage.clear()")
    page.close()


@pytest.mark.parametrize(
    ("game", "language", "named"),
    [
        ("cribbage", "en", "crib: Face down; each knows the cards he gave."),
        ("cribbage", "en", "lay away: Lay cards face down in the crib."),
        ("bonanza", "fr", "mort: La main de personne ; nul ne la regarde."),
    ],
)
def test_the_rulebook_names_the_places_and_actions_it_speaks_of(
    browser: Browser, server: Server, game: str, language: str, named: str
) -> None:
    key = server.set_table(game, seed=3)
    page = open_table(browser, server, key)
    page.run(f"localStorage.setItem('hoyle.settings', JSON.stringify({{ language: '{language}' }}))")
    page.go(f"{server.address}/t/{key}")
    page.wait("document.querySelector('.felt')")
    page.press("r")
    page.wait("document.querySelector('dialog .book li')")
    listed = page.run("[...document.querySelectorAll('dialog .book li')].map((each) => each.textContent)")
    assert any(each.startswith(named) for each in listed)
    page.run("localStorage.clear()")
    page.close()


@pytest.mark.parametrize(
    ("language", "listed"),
    [
        ("en", ["When the dead hand gets its card", "after the dealer"]),
        ("fr", ["Quand le mort reçoit sa carte", "après le donneur"]),
        ("fr", ["Le prix du mort revient au donneur", "non"]),
    ],
)
def test_the_options_in_force_are_said_in_the_language_of_the_page(
    browser: Browser, server: Server, language: str, listed: list[str]
) -> None:
    key = server.set_table("bonanza", seed=3)
    page = open_table(browser, server, key)
    page.run(f"localStorage.setItem('hoyle.settings', JSON.stringify({{ language: '{language}' }}))")
    page.go(f"{server.address}/t/{key}")
    page.wait("document.querySelector('.felt')")
    page.press("r")
    page.wait("document.querySelector('dialog dl.in-force')")
    said = page.run("[...document.querySelectorAll('dialog dl.in-force > *')].map((each) => each.textContent)")
    assert listed in [said[number : number + 2] for number in range(0, len(said), 2)]
    page.run("localStorage.clear()")
    page.close()


def test_columns_are_built_on_and_a_match_is_given_up_for_a_new_one(browser: Browser, server: Server) -> None:
    key = server.set_table("klondike", seed=3)
    page = open_table(browser, server, key)
    page.wait("document.querySelectorAll('.of-column .zone.column').length === 7")
    assert page.run("document.querySelectorAll('[data-zone=\"column.seven\"] .card-slot').length") == 7
    assert page.run("document.querySelectorAll('[data-zone=\"column.seven\"] [data-code=\"\"]').length") == 6
    page.click("[data-zone='column.four'] button.card-slot.can")
    page.click("[data-zone='column.seven'] button.zone-label")
    wait_until(lambda: count_choices(server, key) == 1, page.text())
    page.wait("document.querySelector('[data-zone=\"column.seven\"] [data-code=\"QD\"]')")
    page.click("[data-zone='column.one'] .card-slot.asks")  # a card that can go nowhere
    page.wait("document.querySelector('.toast.why strong')")
    page.click("[data-focus='bar:settings']")
    page.click("[data-focus='new-match']")
    page.wait(f"location.pathname.startsWith('/t/') && !location.pathname.endsWith('{key}') && {ASKED}")
    assert page.problems == []
    page.close()


def rows_of(page: Page) -> dict[str, list[str]]:
    """What is offered beside the table, by what each row is called."""
    found: dict[str, list[str]] = page.run(
        "Object.fromEntries([...document.querySelectorAll('.actions .row-of')].map((row) => ["
        "row.getAttribute('aria-label'), [...row.querySelectorAll('button')].map((button) => button.innerText)]))"
    )
    return found


def test_bids_of_two_values_stand_in_a_table_in_which_arrows_go(browser: Browser, server: Server) -> None:
    key = server.set_table("bridge", players=4, seats=["me", *["random"] * 3], seed=11)
    page = open_table(browser, server, key)
    page.wait(ASKED)
    suits = ["clubs", "diamonds", "hearts", "spades", "no trumps"]
    bids = page.run("[...document.querySelectorAll('.actions .grid button')].map((button) => button.ariaLabel)")
    assert bids == [f"bid {level} {suit}" for suit in suits for level in range(1, 8)]
    assert page.text("[aria-label='bid 4 diamonds']").split() == ["4", "♦︎"]
    assert not page.has(".actions .primary"), "who may bid is not told to pass"
    for key_pressed in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.press(key_pressed)
    assert page.run("document.activeElement.ariaLabel") == "bid 2 clubs"
    page.click("[aria-label='bid 4 diamonds']")
    page.wait("document.querySelector('.log').innerText.includes('You bid 4 diamonds')")
    assert page.problems == []
    page.close()


def test_a_card_of_the_hand_says_its_rank_where_ranks_are_said(browser: Browser, server: Server) -> None:
    """Of one other player nothing is asked, and how many is asked only where it can be more than one."""
    key = server.set_table("go-fish", players=2, seats=["me", "random"], seed=3)
    page = open_table(browser, server, key)
    page.wait(ASKED)
    code = page.run(HAND)[0]
    page.click(f".mine [data-code='{code}']")
    page.wait(f"document.querySelector('.log').innerText.includes('You ask Wren for any {code[0]}')")
    page.close()
    key = server.set_table("president", players=4, seats=["me", *["random"] * 3], seed=11)
    page = open_table(browser, server, key)
    page.wait(ASKED)
    ranks = [code[0] for code in page.run(HAND)]
    many = next(rank for rank in ranks if ranks.count(rank) > 1)
    page.click(f".mine [data-code^='{many}']")
    assert page.text("[aria-label=rank] button.picked") == many
    assert rows_of(page)["how many"][:2] == ["1", "2"]
    assert page.problems == []
    page.close()


def test_a_group_is_laid_out_by_dragging(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "groups.game.yaml"
    file.write_text(GROUPS)
    server = Process(str(file))
    page = browser.open(server.address + server.link)
    page.wait(f"document.querySelector('{CAN}')")
    place, laid = "[data-zone='group1.0']", "document.querySelector('.log').innerText.split('You lay').length - 1"
    first, second, third, seven = (f".mine [data-code='{code}']" for code in ("91", "92", "93", "72"))
    page.drag(first, place)  # it may go with either of the others, or with both: nothing is guessed
    page.wait(f"document.querySelector({first!r}).matches('.picked')")
    page.click(second)
    page.drag(third, place)
    page.wait(f"{laid} === 1")
    assert page.run(f"document.querySelectorAll({place + ' .card-slot'!r}).length") == 3
    page.drag(seven, "[data-zone='group2.0']")  # there is one group with it
    page.wait(f"{laid} === 2")
    assert page.problems == []
    server.kill()
    page.close()


def test_a_card_is_clicked_and_a_thing_is_said_twice_where_it_is_wanted_for_two(
    browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "twice.game.yaml"
    file.write_text(TWICE)
    server = Process(str(file))
    page = browser.open(server.address + server.link)
    seven = ".mine [data-code='7']"
    page.click(seven)
    page.wait(f"document.querySelector({seven!r}).closest('.picked.can')")
    page.click(seven)
    page.wait("document.querySelector('.log').innerText.includes('You weigh')")
    rows = "document.querySelectorAll('.actions .row-of').length"
    page.wait(f"{rows} === 1")
    page.click("[aria-label=this] button:nth-child(2)")
    page.wait(f"{rows} === 2")
    assert page.text("[aria-label=that]").split() == ["that", "red", "green", "blue"]
    assert not page.has("[aria-label=that] .picked"), "it was said of the first"
    page.click("[aria-label=that] button:nth-child(2)")
    page.wait("document.querySelector('.log').innerText.includes('You mix green with green')")
    page.click("[aria-label=this] button:nth-child(2)")
    page.click("[aria-label=this] button:nth-child(3)")
    page.click("[aria-label=that] button:nth-child(1)")
    mixed = "[...document.querySelectorAll('.actions .primary')].map((button) => button.innerText)"
    assert page.run(mixed) == ["mix red blue", "mix blue red"], "in either order"
    assert page.problems == []
    server.kill()
    page.close()


def test_a_card_that_several_actions_are_about_is_asked_about_before_it_is_played(
    browser: Browser, server: Server
) -> None:
    key = server.set_table("hanabi", players=4, seats=["me", "easy", "easy", "easy"], name="Ash", seed=7)
    page = open_table(browser, server, key)
    page.wait("document.querySelectorAll('.actions .act').length > 1", "the others give hints, so that one may discard")
    choices = count_choices(server, key)
    page.click(CAN)
    page.wait("document.querySelectorAll('.actions .primary').length === 2")
    labels = page.run("[...document.querySelectorAll('.actions .primary')].map((e) => e.innerText)")
    assert labels == ["play 1", "discard 1"]
    assert count_choices(server, key) == choices
    page.click(".actions .primary")
    wait_until(lambda: count_choices(server, key) > choices, "the card is played")
    assert page.problems == []
    page.close()


def test_a_round_that_is_over_waits_with_its_scores_and_nothing_of_the_next_is_seen(
    browser: Browser, server: Server
) -> None:
    key = server.set_table("cribbage", players=2, seats=["me", "random"], seed=11)
    page = open_table(browser, server, key, wide=390, high=844)
    page.wait(ASKED)
    while not page.has(GO_ON):
        make_a_choice(page, server, key)
        page.wait(ASKED)
    told = page.text(".recall")
    assert told.startswith("How round 1 ended") and "Wren scores" in told
    gained = page.run("[...document.querySelectorAll('.gains td:nth-child(2)')].map((cell) => Number(cell.innerText))")
    total = page.run("[...document.querySelectorAll('.gains td:last-child')].map((cell) => Number(cell.innerText))")
    assert gained == total and sum(total) > 0, "in the first round all is new"
    assert "Round 2" not in page.run("document.querySelector('.log').textContent")
    assert page.run("document.querySelectorAll('.mine .fan .card-slot').length") == 4, "the hand that was counted"
    page.press("Enter")  # the button has the focus
    page.wait("document.querySelector('.log').textContent.includes('Round 2')")
    assert page.run("document.querySelectorAll('.mine .fan .card-slot').length") == 6
    assert not page.has(GO_ON)
    page.click(".latest")
    assert "Round 2" in page.text("dialog .log"), "on a telephone the log is not beside the table"
    assert page.problems == []
    page.close()


def test_a_full_trick_stands_before_it_is_taken_also_without_motion_and_a_click_passes_it_over(
    browser: Browser, server: Server
) -> None:
    key = server.set_table("hearts", players=4, seats=["me", *["random"] * 3], seed=7)
    page = open_table(browser, server, key)
    page.run("localStorage.setItem('hoyle.settings', JSON.stringify({ speed: 'usual' }))")
    page.go(f"{server.address}/t/{key}")
    page.wait("document.querySelector('.felt')")
    laid = "document.querySelectorAll('[data-zone=trick] .card-slot').length"
    page.run(f"window.laid = new Map(); new MutationObserver(() => {{ const n = {laid};"
             " if (!window.laid.has(n)) window.laid.set(n, performance.now()); })"
             ".observe(document.querySelector('.table-holder'), {childList: true, subtree: true})")  # fmt: skip
    while not page.run("window.laid.has(4)"):
        if page.run(f"Boolean({ASKED})"):
            make_a_choice(page, server, key)
        page.run("new Promise((done) => setTimeout(done, 30))")
    assert page.run(laid) == 4, "the trick has been taken at once"
    page.click_now(".middle")
    page.wait(f"{laid} < 4")
    assert page.problems == []
    page.close()


def test_equal_cards_of_two_packs_are_both_written_with_their_signs(browser: Browser, server: Server) -> None:
    page = open_table(browser, server, server.set_table("klondike", players=1, seats=["me"], seed=3))
    said = page.run(
        "import('/static/log.js').then(({ drawLog, writeCards }) => { const prints = ["
        "{attribute: 'rank', value: '13', text: '13', short: 'K', glyph: '', colour: ''},"
        "{attribute: 'suit', value: 'spades', text: 'spades', short: 'S', glyph: '♠', colour: 'black'}];"
        " const legend = {faces: {KS: {code: 'KS', text: 'KS', name: '', prints}}};"
        " const news = {text: 'KS and KS go', kind: 'moved', seat: null, cards: ['KS', 'KS'], moves: []};"
        " return [drawLog([news], legend)[0].textContent, writeCards('play KS KS', ['KS', 'KS'], legend)]; })"
    )
    assert [each.replace("\ufe0e", "") for each in said] == ["K♠ and K♠ go", "play K♠ K♠"]
    page.close()


def test_a_game_is_found_by_any_of_its_names_or_its_kind(browser: Browser, server: Server) -> None:
    page = browser.open(f"{server.address}/", wide=390, high=844)
    page.wait("document.querySelector('.seek')")
    shown = "[...document.querySelectorAll('.games .title')].filter((e) => e.checkVisibility()).map((e) => e.innerText)"

    def seek(words: str) -> list[str]:
        found: list[str] = page.run(
            "(() => { const field = document.querySelector('.seek'); field.value = " + repr(words) + ";"
            " field.dispatchEvent(new Event('input')); return " + shown + "; })()"
        )
        return found

    assert len(seek("")) == len(MAIN)
    assert seek("fight the LAND") == ["Dou Dizhu"]
    rummies = seek("rummy")
    assert {"Crazy Eights", "Gin Rummy"} <= set(rummies) and "Hearts" not in rummies  # also called Swedish Rummy
    assert seek("uno") == ["Snowball"] and seek("crazy 8") == ["Crazy Eights"]
    assert seek("hold em") == ["Leduc Hold'em", "Texas Hold'em"]
    alone = seek("1 player")
    assert "Klondike" in alone and "Hearts" not in alone and "Hearts" in seek("for 4")
    assert seek("chess") == [] and "no such game" in page.text(".list-top ~ .hint")
    assert page.problems == []
    page.close()


def test_every_game_of_the_lobby_can_be_started_as_its_file_has_it(browser: Browser, server: Server) -> None:
    page = browser.open(f"{server.address}/")
    page.wait("document.querySelector('.game')")
    titles = page.run("[...document.querySelectorAll('.games .title')].map((e) => e.innerText)")
    groups = page.run("[...document.querySelectorAll('.families section')].map((section) =>"
                      " [...section.querySelectorAll('.title')].map((e) => e.innerText))")  # fmt: skip
    assert len(groups) > 5 and all(
        group == page.run(f"{json.dumps(group)}.sort((a, b) => a.localeCompare(b))") for group in groups
    ), "by family"
    sent = page.run(
        "(async () => { const sent = []; const real = window.fetch;"
        " window.fetch = async (at, how) => { sent.push(JSON.parse(how.body));"
        "   return new Response('{}', {status: 400}); };"
        " for (const game of document.querySelectorAll('.game')) { game.click();"
        "   const variants = [...document.querySelectorAll('#variant option')].map((e) => e.value);"
        "   for (const name of variants.length ? variants : [null]) {"
        "     const field = document.querySelector('#variant');"
        "     if (name) { field.value = name; field.dispatchEvent(new Event('change')); }"
        "     document.querySelector('.setup form').requestSubmit(); await new Promise((done) => setTimeout(done)); } }"
        " window.fetch = real; return sent; })()"
    )
    assert {table["game"] for table in sent} == {game_name(path) for path in all_games()}
    assert {table["game"]: table["options"] for table in sent if table["options"]} == {}
    # The form of a game from the last row can be seen there, and begins it.
    page.run("[...document.querySelectorAll('.game')].at(-1).scrollIntoView()")
    page.click(".families section:last-child [role=listitem]:last-child > .game")
    page.wait("document.querySelector('.setup h2').innerText === " + repr(titles[-1]))
    top, bottom = page.run(
        "(({top, bottom}) => [top, bottom])(document.querySelector('.setup .big').getBoundingClientRect())"
    )
    assert 0 <= top < bottom <= 800
    page.click(".setup .big")
    page.wait("location.pathname.startsWith('/t/') && document.querySelector('.felt')")
    assert page.problems == []
    page.run("setTimeout(() => history.back())")
    # The page is first shown as it was left; its list of open tables is drawn only when it is shown again.
    page.wait("location.pathname === '/' && ['.own', '.setup .big:enabled'].every((e) => document.querySelector(e))")
    page.close()


def test_what_a_player_was_told_is_written_on_his_cards_and_who_laid_a_card_on_it(
    browser: Browser, server: Server
) -> None:
    page = open_table(browser, server, server.set_table("hanabi", players=2, seats=["me", "person"], seed=3))
    assert page.run("[...document.querySelectorAll('.mine .nth')].map((e) => e.innerText).join('')") == "12345"
    page.close()
    key = server.set_table("hanabi", players=2, seats=["me", "random"], seed=1)
    page = open_table(browser, server, key)
    page.click(".mine button.card-slot.can:nth-child(2)")  # though its face is not seen
    played = "document.querySelector('.log').innerText.includes('You play')"
    page.wait(f"document.querySelector('.actions .primary') || {played}")  # it may be that it can be discarded, too
    page.run(f"{played} || document.querySelector('.actions .primary').click()")
    page.wait(played)
    while not page.has(".mine .note"):
        assert not is_over(server, key)
        make_a_choice(page, server, key)
    assert page.run("document.querySelector('.mine .note').closest('.card-slot').dataset.code") == ""
    page.close()
    key = server.set_table("hearts", players=4, seats=["me", *["random"] * 3], seed=3)
    page = open_table(browser, server, key)
    while not page.has("[data-zone=trick] .layer"):
        make_a_choice(page, server, key)
    assert page.run("document.querySelector('[data-zone=trick] .layer').title")
    assert page.problems == []
    page.close()


def test_a_page_comes_back_when_its_server_is_killed_and_started_again(browser: Browser, tmp_path: Path) -> None:
    data = tmp_path / "tables.sqlite"
    server = Process("cribbage-61", "--seed", "3", data=data)
    page = browser.open(server.address + server.link)
    page.wait(f"document.querySelector('{CAN}')")
    hand = page.run(HAND)
    server.kill()
    page.wait("!document.querySelector('.banner').hidden")
    assert page.run("document.querySelector('.actions').getBoundingClientRect().bottom <= innerHeight + 1")
    again = Process(data=data, port=server.port)
    page.wait(f"document.querySelector('.banner').hidden && document.querySelector('{CAN}')")
    assert page.run(HAND) == hand
    page.click(CAN)
    page.wait("document.querySelector('.card-slot.picked')")
    again.kill()
    page.close()


def test_a_card_is_dragged_to_where_it_is_to_go_and_one_let_go_elsewhere_can_still_be_clicked(
    browser: Browser, server: Server
) -> None:
    key = server.set_table("klondike", seed=3)
    page = open_table(browser, server, key)
    page.wait(ASKED)
    queen = "[data-zone='column.four'] button.card-slot.can"
    page.drag(queen, ".side-panel")
    assert not page.has(".picked")
    page.click(queen)
    page.wait("document.querySelector('[data-zone=\"column.four\"] .card-slot.picked')")
    page.drag(queen, "[data-zone='column.seven'] .card-slot.last")
    wait_until(lambda: count_choices(server, key) == 1, page.text())
    page.wait("document.querySelector('[data-zone=\"column.seven\"] [data-code=\"QD\"]')")
    assert page.problems == []
    page.close()


def test_a_window_closes_by_itself_when_nobody_answers(browser: Browser, server: Server) -> None:
    key = server.set_table("cheat", players=3, seats=["me", "random", "random"], seed=3)
    page = open_table(browser, server, key)
    page.run("localStorage.setItem('hoyle.settings', JSON.stringify({ timer: 1 }))")
    page.go(f"{server.address}/t/{key}")
    page.wait(ASKED)
    while not page.has(".actions .timer"):
        assert not is_over(server, key)
        make_a_choice(page, server, key)
        page.wait(f"{ASKED} || document.querySelector('.timer')")
    before = count_choices(server, key)
    wait_until(lambda: count_choices(server, key) > before, "the window is still open")
    page.run("localStorage.clear()")
    page.close()


def test_a_match_that_is_over_is_seen_again_shared_and_played_on(browser: Browser, server: Server) -> None:
    key = server.set_table("kuhn-poker", players=2, seats=["me", "random"], options={"deals": "1"}, seed=3)
    page = open_table(browser, server, key)
    while not is_over(server, key):
        make_a_choice(page, server, key)
    page.wait("document.querySelector('dialog.end')?.textContent.includes('1 played, ')")
    page.click("dialog.end .primary + button")  # seen again
    page.wait("document.querySelector('.reel input[type=range]')")
    choices = int(page.run("document.querySelector('.reel input').max"))
    assert choices == count_choices(server, key)
    page.click(".reel button")  # to the beginning
    page.wait("document.querySelector('.reel input').value === '0'")
    page.run("(() => { const s = document.querySelector('.actions select'); s.value = 'all';"
             " s.dispatchEvent(new Event('change')); })()")  # fmt: skip
    page.wait("document.querySelectorAll('.felt [data-code]:not([data-code=\"\"])').length >= 2")  # both hands
    page.press("ArrowRight")
    page.wait("document.querySelector('.reel input').value === '1'")
    page.press("Escape")
    page.wait("document.querySelector('dialog.end[open]')")  # it comes a moment after the table
    page.click("[data-focus=analysis]")
    page.wait("document.querySelector('dialog')?.textContent.includes('choices were as good as')")
    page.press("Escape")
    page.run("history.back()")  # leads to the table, not past it
    page.wait("document.querySelector('dialog.end[open]')")
    assert page.run("location.pathname") == f"/t/{key}"
    page.press("Escape")
    page.wait("!document.querySelector('dialog')")
    page.click("[data-focus=share]")
    page.wait("document.querySelector('dialog .link input')")
    shared = browser.open(page.run("document.querySelector('dialog .link input').value"))
    shared.wait("document.querySelector('.reel')")
    shared.click(".reel + .buttons button")  # what if: from the beginning, at a table of its own
    shared.wait(f"location.pathname !== '/t/{key}' && document.querySelector('.felt') && ({ASKED})")
    shared.close()
    page.press("Escape")
    page.click("[data-focus=seal]")  # the deal was settled before the match, and the page can tell
    page.wait("document.querySelector('dialog [role=status]')")
    assert "belong together: the deal" in page.run("document.querySelector('dialog [role=status]').textContent")
    verified = browser.open(page.run("document.querySelector('dialog a').href"))  # also elsewhere, by a page of its own
    verified.wait("document.querySelector('form [role=status]')?.textContent.startsWith('They belong together')")
    verified.run("document.querySelector('#seed').value = '12'")
    verified.click("form .primary")
    verified.wait("document.querySelector('form [role=status]')?.textContent.startsWith('They do not belong')")
    assert verified.problems == []
    verified.close()
    page.press("Escape")
    page.click("[data-focus=again]")
    page.wait(f"location.pathname.startsWith('/t/') && location.pathname !== '/t/{key}' && ({ASKED})")
    assert page.problems == []
    page.close()


def test_a_card_that_is_picked_covers_none_of_those_beside_it(browser: Browser, server: Server) -> None:
    key = server.set_table("hearts", players=4, seats=["me", *["random"] * 3], seed=7)
    page = open_table(browser, server, key, wide=390, high=844)
    page.click(".mine .card-slot.can:nth-child(3)")
    page.wait("document.querySelector('.mine .card-slot.picked')")
    page.run("new Promise((done) => setTimeout(done, 300))")  # it is raised
    covered = page.run(
        "[...document.querySelectorAll('.mine .card-slot')].filter((slot) => { const r = slot.getBoundingClientRect();"
        " return !slot.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); })"
        ".map((slot) => slot.dataset.code)"
    )
    assert covered == []
    page.close()


WIDTHS = (390, 1920)


def count_outside(page: Page, holder: str, parts: str) -> int:
    """How many parts hang over the left or the right side of what holds them."""
    found = page.run(
        f"(() => {{ const {{ left, right }} = document.querySelector('{holder}').getBoundingClientRect();"
        f" return [...document.querySelectorAll('{parts}')].map((part) => part.getBoundingClientRect())"
        ".filter((part) => part.width && (part.left < left - 1 || part.right > right + 1)).length; })()"
    )
    return int(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "named", "count"), [("hanabi", ".others .who .name", 3), ("klondike", ".members .zone-label", 11)]
)
def test_on_a_telephone_names_are_written_whole(
    browser: Browser, server: Server, game: str, named: str, count: int
) -> None:
    key = server.set_table(game, players=4 if game == "hanabi" else 1, seed=3)
    page = open_table(browser, server, key, wide=360, high=740)
    page.wait(ASKED)
    cut = f"[...document.querySelectorAll('{named}')].map((name) => name.scrollWidth > name.clientWidth + 1)"
    assert page.run(cut) == [False] * count
    page.close()


def test_the_pages_around_a_table_hang_over_no_side(browser: Browser, server: Server) -> None:
    for wide in WIDTHS:
        page = browser.open(f"{server.address}/", wide=wide, high=844)
        page.wait("document.querySelector('.game')")
        assert page.run("document.documentElement.scrollWidth") <= wide
        page.go(f"{server.address}/?game=bonanza")  # it has variants with long names
        page.wait("document.querySelector('#variant')")
        assert count_outside(page, ".setup form", ".setup form *") == 0, "the form with which a table is set hangs over"
        assert count_outside(page, ".setup fieldset", ".setup fieldset *") == 0
        assert page.problems == []
        page.close()


FULL = [("bunco", 14), ("bonus-20", 8), ("bonanza", 9), ("holdem", 9)]


@pytest.mark.share
@pytest.mark.parametrize(("game", "players"), [*((game, None) for game in MAIN), *FULL])
def test_nothing_hangs_over_the_side(browser: Browser, server: Server, game: str, players: int | None) -> None:
    page = open_table(browser, server, server.set_table(game, seed=1, players=players), wide=WIDTHS[0], high=844)
    page.wait(ASKED)
    for wide in WIDTHS:
        page.resize(wide, 844)
        page.wait(f"innerWidth === {wide}")
        page.run("new Promise((drawn) => setTimeout(drawn, 100))")
        assert page.run("document.documentElement.scrollWidth") <= wide
        assert page.run("document.querySelector('.table-holder').scrollWidth") <= wide
        over = page.run(f"[...document.querySelectorAll('.actions button, {CAN}, nav button')]"
                        ".filter((each) => { const { left } = each.getBoundingClientRect();"
                        " return left < -8 || left > innerWidth - 8; }).map((each) => each.innerText)")  # fmt: skip
        assert over == []
        assert count_outside(page, ".felt", ".mine .card") == 0, "cards of the own hand are cut off"
        covered = page.run("document.querySelector('.middle').getBoundingClientRect().bottom"
                           " - document.querySelector('.mine, .actions').getBoundingClientRect().top")  # fmt: skip
        assert covered <= 1, f"{covered} pixels of the middle are behind the own hand"
    assert page.problems == []
    page.close()


def test_a_favourite_comes_first_and_the_game_says_how_it_is_won(browser: Browser, server: Server) -> None:
    page = browser.open(f"{server.address}/")
    page.wait("document.querySelector('.game')")
    page.run("document.querySelector('[data-game=hearts]').parentElement.querySelector('.star').click()")
    page.wait("document.querySelector('.families h3')?.innerText.toLowerCase() === 'favourites'")
    assert page.run("document.querySelector('.families .title').innerText") == "Hearts"
    page.click("[data-game=hearts]")
    assert "queen of spades" in page.text(".setup")
    page.click(".setup .big")
    page.wait("document.querySelector('.felt')")
    page.press("r")
    page.wait("document.querySelector('dialog .book li')")
    assert "queen of spades" in page.text("dialog .book section"), "the rules begin with what the game is about"
    assert page.problems == []
    page.close()


def test_a_deal_of_a_patience_is_chosen_by_how_hard_it_is(browser: Browser, server: Server) -> None:
    page = browser.open(f"{server.address}/?game=hearts")
    page.wait("document.querySelector('.setup form')")
    assert not page.run("document.querySelector('#grade').checkVisibility()"), "nothing is promised where others play"
    page.go(f"{server.address}/?game=tri-peaks")
    page.wait("document.querySelector('#grade')?.checkVisibility()")
    assert page.run("[...document.querySelectorAll('#grade option')].map((e) => e.value)") == [
        "", "winnable", "easy", "hard"
    ]  # fmt: skip
    page.run("document.querySelector('#grade').value = 'winnable'")
    page.click(".setup .big")
    page.wait("location.pathname.startsWith('/t/') && document.querySelector('.felt')")
    assert page.problems == []
    page.close()


def move_with_finger(page: Page, card: str, target: str) -> None:
    """Drag with a finger, by the events that a touch makes."""
    page.run(
        f"(() => {{ const card = document.querySelector({card!r}), end = document.querySelector({target!r});"
        " const middle = (e) => { const r = e.getBoundingClientRect();"
        "   return [r.x + r.width / 2, r.y + r.height / 3]; };"
        " const send = (kind, at, [x, y]) => at.dispatchEvent(new PointerEvent(kind, {bubbles: true, cancelable: true,"
        "   pointerType: 'touch', isPrimary: true, pointerId: 7, clientX: x, clientY: y}));"
        " const from = middle(card), to = middle(end); send('pointerdown', card, from);"
        " send('pointermove', document, [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);"
        " send('pointermove', document, to); send('pointerup', document, to); })()"
    )


def test_a_stock_is_clicked_a_wrong_place_refused_and_a_finger_drags(browser: Browser, server: Server) -> None:
    key = server.set_table("klondike", seed=3)
    page = open_table(browser, server, key, wide=390, high=844)
    page.wait(ASKED)
    page.click("[data-zone=stock] .cards")
    wait_until(lambda: count_choices(server, key) == 1, "the stock is not clicked")
    page.wait("document.querySelectorAll('[data-zone=waste] .card-slot').length === 1")
    queen = "[data-zone='column.four'] .card-slot.last"
    move_with_finger(page, queen, "[data-zone='column.two'] .card-slot.last")
    page.run("new Promise((done) => setTimeout(done, 300))")
    assert count_choices(server, key) == 1, "it does not go there"
    assert page.run(f"document.querySelector({queen!r}).dataset.code") == "QD" and not page.has(".dragged")
    move_with_finger(page, queen, "[data-zone='column.seven'] .card-slot.last")
    wait_until(lambda: count_choices(server, key) == 2, "a finger does not drag")
    assert page.problems == []
    page.close()


def play_until(server: Server, key: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Play by messages, building where that is possible, until a way of the menu is wanted; return it."""
    seat = server.sit(key)
    for _ in range(150):
        menu = seat.wait_for_turn()
        assert menu is not None
        ways = [way for act in menu["acts"] for way in act["ways"] if way["moved"]]
        if found := next((way for way in ways if wanted(way)), None):
            seat.close()
            return found
        built = (way for way in ways if way["picks"] and not way["moved"]["source"][0].startswith("foundation")
                 and not (way["moved"]["source"][0].startswith("column")
                          and way["moved"]["cards"][0][0] == "K"))  # fmt: skip
        seat.choose(next(built, ways[0])["choice"])
        choices = seat.table["choices"]
        seat.hear("table", lambda message, now=choices: message["choices"] > now and not message["pause"])
    raise AssertionError("it never comes up")


def test_a_run_is_dragged_whole(browser: Browser, server: Server) -> None:
    key = server.set_table("klondike", seed=2)
    way = play_until(server, key, lambda way: len(way["moved"]["cards"]) > 1 and bool(way["picks"]))
    cards, (source, target) = way["moved"]["cards"], (way["moved"]["source"][0], way["moved"]["target"][0])
    page = open_table(browser, server, key)
    before = count_choices(server, key)
    page.drag(f"[data-zone='{source}'] [data-code='{cards[0]}']", f"[data-zone='{target}'] .cards")
    wait_until(lambda: count_choices(server, key) == before + 1, "the run is not dragged")
    for card in cards:
        page.wait(f"document.querySelector(\"[data-zone='{target}'] [data-code='{card}']\")")
    assert page.problems == []
    page.close()


def test_a_double_click_puts_a_card_where_nothing_is_built_on(browser: Browser, server: Server) -> None:
    key = server.set_table("klondike", seed=5)
    way = play_until(server, key, lambda way: way["moved"]["target"][0].startswith("foundation"))
    place, card = way["moved"]["source"][0], way["moved"]["cards"][0]
    page = open_table(browser, server, key)
    before = count_choices(server, key)
    for _ in range(2):
        page.click_now(f"[data-zone='{place}'] [data-code='{card}']")
    wait_until(lambda: count_choices(server, key) == before + 1, "the card is not put up")
    page.wait(f"document.querySelector(\"[data-zone='{way['moved']['target'][0]}'] [data-code='{card}']\")")
    assert page.problems == []
    page.close()


def uncover(game: hoyle.Game, seed: int) -> list[str]:
    """Choices of Klondike that turn up every card: put up what can go up, then uncover, then go through the stock."""
    match, made = game.new(seed=seed), list[str]()
    zones = {game.names.spell_zone(number): number for number in range(len(game.names.zones))}

    def weigh(text: str) -> int:
        action, *words = text.split()
        card, _, source = words[0].partition("@") if words else ("", "", "")
        if action == "build" and source.startswith("column."):
            below = match.position.zones[zones[source.replace("column", "covered")]]
            first = game.names.name_card(match.position.zones[zones[source]][0])
            return 3 if card == first and (below or card[0] != "K") else 0
        return {"put_up": 4, "build": 2 if source == "waste" else 0, "draw": 1, "turn_waste": 1}.get(action, 0)

    unseen = [number for name, number in zones.items() if name.startswith(("covered", "stock", "waste"))]
    while any(match.position.zones[number] for number in unseen):
        decision = match.decision
        assert decision is not None
        made.append(max((action.text for action in decision.actions), key=weigh))
        match.apply(made[-1])
    return made


@pytest.mark.slow
def test_a_patience_finishes_by_itself_once_every_card_is_open(browser: Browser, server: Server) -> None:
    made = uncover(hoyle.load("klondike"), 7)
    new = NewTable("klondike", 1, {}, ("me",), "", 7)
    early, late = (asyncio.run(server.lobby.set_table(new, begun=tuple(part))) for part in (made[:50], made))
    page = open_table(browser, server, early)
    page.wait("document.querySelector('.felt .can')")
    assert not page.has("[data-focus=finish]"), "cards are still covered"
    page.close()
    page = open_table(browser, server, late)
    page.click("[data-focus=finish]")
    wait_until(lambda: is_over(server, late), "it does not finish")
    page.wait("document.querySelector('dialog.end')?.textContent.includes('You win')")
    assert page.problems == []
    page.close()


def test_nothing_moves_when_cards_are_picked(browser: Browser, server: Server) -> None:
    key = server.set_table("hearts", players=4, seats=["me", *["random"] * 3], seed=7)
    page = open_table(browser, server, key)
    places = ("JSON.stringify([...document.querySelectorAll('.felt, .player, .middle, .mine, .fan, .actions')]"
              ".map((e) => Object.values(e.getBoundingClientRect().toJSON())))")  # fmt: skip
    page.wait(ASKED)
    sent = page.run("performance.getEntries().reduce((sum, each) => sum + (each.transferSize ?? 0), 0)")
    assert sent < 120_000, "the page is too heavy"
    before = page.run(places)
    for nth in (1, 2, 3):
        page.click(f".mine .card-slot:nth-child({nth})")
    page.wait("document.querySelector('.actions .primary')")
    assert page.run(places) == before
    page.close()


def test_partners_sit_opposite_and_cards_of_a_trick_lie_towards_who_laid_them(browser: Browser, server: Server) -> None:
    key = server.set_table("hearts", players=4, seats=["me", *["random"] * 3], seed=7)
    page = open_table(browser, server, key)
    middle = "(({ x, y, width, height }) => [x + width / 2, y + height / 2])"
    seats = page.run(f"[...document.querySelectorAll('.player')].map((e) => {middle}(e.getBoundingClientRect()))")
    names = page.run("[...document.querySelectorAll('.player .name')].map((e) => e.innerText)")
    assert names == ["Wren", "Finch", "Lark"], "in turn"
    felt = page.run(f"{middle}(document.querySelector('.felt').getBoundingClientRect())")
    assert seats[0][0] < felt[0] < seats[2][0] and abs(seats[1][0] - felt[0]) < 60 and seats[1][1] < seats[0][1]
    while page.run("document.querySelectorAll('[data-zone=trick] .card-slot').length") < 2:
        make_a_choice(page, server, key)
        page.wait(ASKED)
    cards = page.run("[...document.querySelectorAll('[data-zone=trick] .card-slot')].map((e) =>"
                     f" [e.querySelector('.layer').title, ...{middle}(e.getBoundingClientRect())])")  # fmt: skip
    trick = page.run(f"{middle}(document.querySelector('[data-zone=trick]').getBoundingClientRect())")
    for name, x, y in cards:
        side = {"Wren": trick[0] - x, "Finch": trick[1] - y, "Lark": x - trick[0], "you": y - trick[1]}[name]
        assert side > 20, name
    page.close()


def test_a_bid_is_one_click_in_a_table_of_bids(browser: Browser, server: Server) -> None:
    key = server.set_table("bridge", players=4, seats=["me", *["first"] * 3], seed=7)
    page = open_table(browser, server, key, wide=390, high=844)
    page.wait("document.querySelector('.grid')")
    assert page.run("document.querySelectorAll('.grid button').length") == 35
    assert page.run("document.querySelector('.grid').getBoundingClientRect().right <= innerWidth")
    page.click(".grid tr:nth-child(4) td:nth-child(2) button")
    wait_until(lambda: count_choices(server, key) > 0, "no bid was made")
    page.wait("document.body.textContent.includes('You bid 2 spades')")
    page.close()


@pytest.mark.slow
def test_a_click_is_answered_at_once(browser: Browser, server: Server) -> None:
    """The milliseconds from a click to the card that it turns up, where nothing else runs."""
    page = open_table(browser, server, server.set_table("klondike", players=1, seats=["me"], seed=7))
    page.wait(ASKED)
    waste = "document.querySelector('[data-zone=waste] [data-code]')?.dataset.code"
    waited = [page.run(
        f"""new Promise((done) => {{
          const before = {waste}, clicked = performance.now();
          const look = () => ({waste} === before ? requestAnimationFrame(look) : done(performance.now() - clicked));
          document.querySelector('.actions .primary').click();
          look();
        }})"""
    ) for _ in range(8)]  # fmt: skip
    page.close()
    print("ms from click to card:", *(round(each) for each in sorted(waited)))
    assert min(waited) < 100
