"""The page in a real Chromium: played with the mouse and with the keyboard, reloaded, narrowed, cut off."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import hoyle
from browser import Browser, Page, find_chromium, wait_until
from hoyle.shipped import all_games, game_name
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
LIT = (
    "#page:has(.picked) .actions .primary:not(:disabled)",
    "#page:has(.picked) .zone.can:not(.picked) button.zone-label",
    ".rows:has(.picked) .row-of:not(:has(.picked)) button", f"{CAN}:not(.other)",
    ".actions .primary:not(:disabled)", ".zone.can:not(.picked) button.zone-label", "button.plate.can:not(.picked)",
    ".row-of:not(:has(.picked)) button", ".actions .buttons button:not(.quiet):not(.act):not(.row-of *)",
    ".actions .act[aria-pressed=false]", CAN,
)  # fmt: skip
OVER = "!!document.querySelector('dialog.end, .actions .verdict')"
ASKED = f"document.querySelector('{CAN}, .actions .buttons button, .actions form') || {OVER}"
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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    made = Browser()
    yield made
    made.close()


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


def make_a_choice(page: Page, server: Server, key: str) -> None:
    """Do what a person does who clicks on whatever is lit, until the table goes on."""
    before = count_choices(server, key)
    for _ in range(12):
        wait_until(lambda: count_choices(server, key) > before or page.run(f"Boolean({ASKED})"), page.text())
        if is_over(server, key) or count_choices(server, key) > before:
            return
        for selector in LIT:
            if page.has(selector):
                page.click_now(selector)
                break
        page.run("new Promise((done) => setTimeout(done, 30))")
    wait_until(lambda: count_choices(server, key) > before, page.text())


def play_to_the_end(browser: Browser, server: Server, game: str, **known: object) -> None:
    key = server.set_table(game, seed=2, **known)
    page = open_table(browser, server, key)
    while not is_over(server, key):
        make_a_choice(page, server, key)
    page.wait("document.querySelector('dialog.end')")
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
            if page.run(f"!!({ASKED}) && document.querySelector('.status').classList.contains('turn')"):
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
    key = server.set_table("cribbage-61", players=2, seats=["me", "random"], seed=3)
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
    page.click(".toast.why .cite")
    page.wait("document.querySelector('dialog .sought')")
    assert count_choices(server, key) == before
    page.run("localStorage.clear()")
    page.close()


@pytest.mark.parametrize(
    ("game", "language", "named"),
    [
        ("cribbage", "en", ["crib", "Face down; each knows the cards he gave."]),
        ("cribbage", "en", ["lay away", "Lay cards face down in the crib."]),
        ("bonanza", "fr", ["mort", "La main de personne ; nul ne la regarde."]),
    ],
)
def test_the_rulebook_names_the_places_and_actions_it_speaks_of(
    browser: Browser, server: Server, game: str, language: str, named: list[str]
) -> None:
    key = server.set_table(game, seed=3)
    page = open_table(browser, server, key)
    page.run(f"localStorage.setItem('hoyle.settings', JSON.stringify({{ language: '{language}' }}))")
    page.go(f"{server.address}/t/{key}")
    page.wait("document.querySelector('.felt')")
    page.press("r")
    page.wait("document.querySelector('dialog dl.named')")
    listed = page.run("[...document.querySelectorAll('dialog dl.named > *')].map((each) => each.textContent)")
    assert named in [listed[number : number + 2] for number in range(0, len(listed), 2)]
    page.run("localStorage.clear()")
    page.close()


@pytest.mark.parametrize(
    ("language", "listed"),
    [
        ("en", ["mort position", "dealt last"]),
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


def test_what_is_to_be_said_stands_in_a_row_of_its_own_and_can_be_said_anew(browser: Browser, server: Server) -> None:
    key = server.set_table("bridge", players=4, seats=["me", *["random"] * 3], seed=11)
    page = open_table(browser, server, key)
    page.wait(ASKED)
    suits = ["clubs", "diamonds", "hearts", "spades", "no trumps"]
    assert rows_of(page) == {"level": list("1234567"), "strain": suits}
    assert not page.has(".actions .primary"), "who may bid is not told to pass"
    three, four = "[aria-label=level] button:nth-child(3)", "[aria-label=level] button:nth-child(4)"
    page.click(three)
    page.click(four)
    assert page.text(".row-of button.picked") == "4"
    assert page.run(f"document.querySelector({three!r}).ariaPressed") == "false"
    page.click("[aria-label=strain] button:nth-child(2)")
    page.wait("document.querySelector('.log').innerText.includes('You bid 4 diamonds')")
    assert page.problems == []
    page.close()


def test_the_arrows_go_from_row_to_row_of_what_is_to_be_said(browser: Browser, server: Server) -> None:
    key = server.set_table("bridge", players=4, seats=["me", *["random"] * 3], seed=11)
    page = open_table(browser, server, key)
    page.wait(ASKED)
    for key_pressed in ("ArrowDown", "ArrowDown", "ArrowRight", " ", "ArrowDown", "ArrowRight"):
        page.press(key_pressed)
    assert page.run("document.activeElement.innerText") == "diamonds"
    page.press("Enter")
    page.wait("document.querySelector('.log').innerText.includes('You bid 2 diamonds')")
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
    while not (page.run(f"Boolean({ASKED})") and "how many" in rows_of(page)):
        make_a_choice(page, server, key)
        page.wait(ASKED)
    ranks = [code[0] for code in page.run(HAND)]
    many = next(rank for rank in ranks if ranks.count(rank) > 1)
    page.click(f".mine [data-code^='{many}']")
    assert page.text("[aria-label=rank] button.picked") == many
    assert rows_of(page)["how many"][:2] == ["1", "2"]
    assert page.problems == []
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


def test_how_a_round_ended_stays_in_sight_until_one_plays_on(browser: Browser, server: Server) -> None:
    """The hands that are counted at Cribbage are gone when the next round is dealt."""
    key = server.set_table("cribbage", players=2, seats=["me", "random"], seed=11)
    page = open_table(browser, server, key, wide=390, high=844)
    page.wait(ASKED)
    while "Round 2" not in page.run("document.querySelector('.log').textContent"):
        assert not page.run("document.querySelector('.recall').checkVisibility()")
        make_a_choice(page, server, key)
        page.wait(ASKED)
    told = page.text(".recall")
    assert told.startswith("How round 1 ended") and "Wren scores" in told and "Shown from the crib" in told
    assert "turned down to Wren" not in told, "cards that nobody saw go somewhere"
    assert "Each hand is dealt 6 cards" in page.text(".latest"), "on a telephone the log is not beside the table"
    page.press("Escape")
    assert not page.run("document.querySelector('.recall').checkVisibility()")
    page.click(".latest")
    assert "Round 2" in page.text("dialog .log")
    assert page.problems == []
    page.close()


def test_equal_cards_of_two_packs_are_both_written_with_their_signs(browser: Browser, server: Server) -> None:
    page = open_table(browser, server, server.set_table("klondike", players=1, seats=["me"], seed=3))
    said = page.run(
        "import('/static/draw.js').then(({ drawLog, writeCards }) => { const prints = ["
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
    assert seek("rummy") == ["Crazy Eights", "Gin Rummy", "Rummy 500"]  # one of them is also called Swedish Rummy
    assert seek("chess") == [] and "no such game" in page.text(".list-top ~ .hint")
    assert page.problems == []
    page.close()


def test_every_game_of_the_lobby_can_be_started_as_its_file_has_it(browser: Browser, server: Server) -> None:
    page = browser.open(f"{server.address}/")
    page.wait("document.querySelector('.game')")
    titles = page.run("[...document.querySelectorAll('.games .title')].map((e) => e.innerText)")
    assert titles == sorted(titles)
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
    page.click(".game:has(.title):is([role=listitem]:last-child > .game)")
    page.wait("document.querySelector('.setup h2').innerText === " + repr(titles[-1]))
    top, bottom = page.run(
        "(({top, bottom}) => [top, bottom])(document.querySelector('.setup .big').getBoundingClientRect())"
    )
    assert 0 <= top < bottom <= 800
    page.click(".setup .big")
    page.wait("location.pathname.startsWith('/t/') && document.querySelector('.felt')")
    assert page.problems == []
    page.run("setTimeout(() => history.back())")
    time.sleep(0.2)  # nothing is asked of a page that is just being left
    page.wait("location.pathname === '/' && document.querySelector('.own') && document.querySelector('.setup .big')")
    assert not page.run("document.querySelector('.setup .big').disabled"), "another game can be begun"
    page.close()


def test_what_a_player_was_told_is_written_on_his_cards_and_who_laid_a_card_on_it(
    browser: Browser, server: Server
) -> None:
    page = open_table(browser, server, server.set_table("hanabi", players=2, seats=["me", "person"], seed=3))
    assert page.run("[...document.querySelectorAll('.mine .nth')].map((e) => e.innerText).join('')") == "12345"
    page.close()
    key = server.set_table("hanabi", players=2, seats=["me", "random"], seed=3)
    page = open_table(browser, server, key)
    page.click(".mine button.card-slot.can:nth-child(2)")  # though its face is not seen
    page.click(".actions .primary")  # it could be discarded, too
    page.wait("document.querySelector('.log').innerText.includes('You play')")
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
    page.click("dialog.end .primary + button")
    page.wait("document.querySelector('.reel')")
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
                           " - document.querySelector('.mine').getBoundingClientRect().top")  # fmt: skip
        assert covered <= 1, f"{covered} pixels of the middle are behind the own hand"
    assert page.problems == []
    page.close()
