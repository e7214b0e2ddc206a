"""Texts of strangers, in a rule file and in names, are shown as texts: on the wire, and on every page of a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from browser import Browser, Page, find_chromium
from hostile_text import EVIL, find_hidden
from web_server import Server

SCRIPT = "<script>boom()</script>"
IMAGE = "<img src=x onerror=boom()>"
GAME = f"""game: hostile
title: '{IMAGE} </title>{SCRIPT} & "Title"'
text: '{SCRIPT}<base href=//x>'
players: 2..3
options:
  length:
    default: short
    values: {{short: '<s>Short</s>{SCRIPT}', long: '"><svg onload=boom()>'}}
    text: '<i onmouseover=boom()>How long</i> javascript:boom()'
deck:
  starts_in: pack
  attributes:
    rank: {{one: '<', two: '>', three: '&', four: '"'}}
    suit: {{red: R, blue: B}}
  cards: [{{rank: [one, two, three, four], suit: [red, blue]}}]
zones:
  pack: {{shows: nothing, text: '{SCRIPT} pack'}}
  pile: {{shows: top_card, text: '{IMAGE} pile'}}
  hand: {{of: seat, shows: owner, text: "<a href='javascript:boom()'>hand</a>"}}
state:
  player: {{type: seat, text: '<u>player</u>'}}
  chips: {{type: number, start: 3, of: seat}}
rulings: {{H-1: '{SCRIPT} Only red may follow.'}}
labels:
  en:
    zones: {{hand: '<em>hand</em>', pile: '{IMAGE}'}}
    actions: {{play: '<em>play</em>', take: '<marquee>take</marquee>'}}
    told: {{play: '<em>lay|lays</em> {{cards}} {{to}}'}}
    states: {{chips: '<u>chips</u>'}}
    values: {{red: '<font color=red>red</font>'}}
actions:
  play:
    text: '<style>*{{display:none}}</style> Play a card.'
    choose: {{card: hand}}
    allowed: {{red: {{is: suit of card is red, cite: H-1, text: '{IMAGE} Red only.'}}}}
    do: |
      move card to pile
      set chips of player to chips of player + 1
      announce "<iframe src=x></iframe>"
  take: {{text: '<marquee>Take</marquee>', possible: pack is not empty, do: move top of pack to hand}}
ends: {{play_on: pack is empty}}
steps:
  match: |
    shuffle pack
    deal 2 cards from pack to each hand, starting left of dealer
    do play_on
    for each seat: score 1 to seat for "{IMAGE}"
  play_on: |
    set player to dealer
    if length is long: set player to left of dealer
    repeat at most 30 times:
      player chooses play or take
      set player to left of player
winners: (seat in seats with highest score of seat)
"""
# What would be on a page if any of it had been taken for markup; the page itself has no such elements.
MARKUP = (
    "img[src=x], script:not([src^='/static/']), iframe, base, marquee, style, s, i, u, em, font, svg[onload], "
    "a[href^='javascript'], [onerror], [onmouseover], [onload]"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(files=tmp_path_factory.mktemp("sent"), upload=True)
    yield made
    made.close()


def send(server: Server, text: str) -> str:
    status, found, _ = server.ask("/api/files", text.encode())
    assert status == 200, found
    return str(found["name"])


def test_nothing_on_the_wire_can_deceive_a_reader(server: Server) -> None:
    """What cannot be seen is refused in rule files, spelt out where it is quoted, and left out of names."""
    wrong = GAME.replace("</title>", EVIL.replace("\x1b", "").replace("\x07", "").replace("\x9b", ""))
    assert find_hidden(wrong)
    status, refused, _ = server.ask("/api/tables", {"game": send(server, wrong)})
    assert (status, refused["why"]) == (409, "bad_rules") and "control-character" in refused["detail"]
    assert not find_hidden(refused["detail"])
    name = send(server, GAME)
    key = server.set_table(name, seats=["me", "person"], name=f"{IMAGE}{EVIL}")
    seat = server.sit(key)
    seat.send({"do": "name", "name": EVIL})
    seat.hear("table", lambda message: message["seats"][0]["name"].startswith("[31m"))
    _, listed, _ = server.ask("/api/games")
    assert next(game for game in listed["games"] if game["name"] == name)["title"].startswith(IMAGE)
    assert not find_hidden(json.dumps(listed, ensure_ascii=False))
    assert not find_hidden("".join(seat.heard))
    seat.close()


def check(page: Page, *shown: str) -> None:
    """Nothing was taken for markup, nothing was run, and the texts can be read as they are."""
    assert page.run(f"[...document.querySelectorAll({json.dumps(MARKUP)})].map((each) => each.outerHTML)") == []
    assert page.run("window.boomed") is None
    text = page.text()
    assert all(each in text for each in shown), text
    assert page.problems == []


@pytest.mark.skipif(find_chromium() is None, reason="no Chromium found (Debian: apt install chromium)")
@pytest.mark.xdist_group("browser")
def test_no_text_becomes_markup_on_any_page(server: Server) -> None:
    browser = Browser()
    try:
        name = send(server, GAME)
        page = browser.open(f"{server.address}/?game={name}")
        page.run("window.boom = () => { window.boomed = true; }")
        page.wait("document.querySelector('form details summary')")
        page.click("form details summary")
        check(page, IMAGE, "<s>Short</s>", "<i onmouseover")
        page.go(f"{server.address}/t/{server.set_table(name, players=2, seats=['me', 'random'], name=SCRIPT, seed=2)}")
        page.run("window.boom = () => { window.boomed = true; }")
        page.wait("document.querySelector('.actions button')")
        check(page, IMAGE, "<em>hand</em>", "<marquee>")
        for press, seen in (("r", "<style>*{display:none}</style>"), ("l", "dealt"), ("s", IMAGE), ("?", "arrows")):
            page.press(press)
            page.wait("document.querySelector('dialog[open]')")
            if press == "r":  # the rules come when they are asked for
                page.wait(f"document.querySelector('dialog[open]').textContent.includes({json.dumps(seen)})")
            check(page, *([seen] if press != "s" else []))
            page.press("Escape")
            page.wait("!document.querySelector('dialog')")
        page.click("[data-focus='bar:settings']")
        page.wait("document.querySelector('dialog[open]')")
        check(page)
        page.press("Escape")
        page.wait("!document.querySelector('dialog')")
        page.press("h")
        page.wait("document.querySelector('.hint-toast')")
        check(page)
        over, choice = "dialog.end, .actions .verdict", ".actions:not(:has(.verdict)) .buttons button"
        for _ in range(80):
            page.wait(f"document.querySelector('.actions button, {over}')")
            if page.has(over):
                break
            if page.has("button.card-slot.cannot"):
                page.click("button.card-slot.cannot")
                page.wait("document.querySelector('.toast.why')")
                check(page, "Red only.", SCRIPT)
                page.click(".toast.why button")
            page.click_now(".card-slot.can" if page.has(".card-slot.can") else choice)  # the match may just have ended
            page.run("new Promise((done) => setTimeout(done, 100))")
        page.wait("document.querySelector('dialog.end')")
        check(page, SCRIPT)
        page.press("Escape")
        check(page, "<iframe", "<em>")
        page.click("[data-focus='see-again']")
        page.wait("document.querySelector('.reel')")
        check(page, SCRIPT, IMAGE)
    finally:
        browser.close()
