"""A rule file written beside its table: in a real Chromium, and by requests that nobody should send."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import Browser, Page, find_chromium
from hoyle.front.cli import run
from web_server import Server

STONE = Path(__file__).parents[2] / "docs" / "examples" / "rolling-stone"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    for path in STONE.glob("*.yaml"):
        shutil.copy(path, tmp_path)
    return tmp_path / "rolling-stone.game.yaml"


@pytest.fixture
def server(file: Path) -> Iterator[Server]:
    made = Server(edit=file)
    yield made
    made.close()


def put(page: Page, old: str, new: str) -> None:
    """Select some words of the text as a person does, and type others over them."""
    page.run(
        f"(() => {{ const t = document.querySelector('textarea'); const at = t.value.indexOf({json.dumps(old)});"
        f" t.focus(); t.setSelectionRange(at, at + {len(old)}); }})()"
    )
    page.call("Input.insertText", text=new)


def cards_in(page: Page) -> str:
    """The hand that the table shows."""
    return str(page.run(
        "[...document.querySelector('iframe').contentDocument.querySelectorAll('.mine .card-slot')]"
        ".map((each) => each.getAttribute('aria-label') ?? each.textContent).join('|')"
    ))  # fmt: skip


# The bots have played, and it is one's own turn: with one seed it is always the same hand.
MY_TURN = "document.querySelector('iframe')?.contentDocument?.querySelector('.mine button.card-slot.can')"


@pytest.mark.skipif(find_chromium() is None, reason="no Chromium found (Debian: apt install chromium)")
@pytest.mark.xdist_group("browser")
def test_a_change_is_coloured_checked_and_dealt_and_nothing_is_written_before_it_is_saved(
    file: Path, server: Server
) -> None:
    text = file.read_text(encoding="utf-8")
    browser = Browser()
    try:
        page = browser.open(f"{server.address}/edit", wide=1400)
        page.run("localStorage.setItem('hoyle.settings', JSON.stringify({ forced: false }))")  # nothing plays by itself
        page.go(f"{server.address}/edit")
        page.wait(MY_TURN)
        assert page.run("document.querySelector('textarea').value") == text
        assert page.run("document.querySelector('.ink').textContent") == text + "\n"
        words = page.run("[...document.querySelectorAll('.ink .is-type')].map((each) => each.textContent)")
        assert "trick" in words
        assert "no problems" in page.text(".state")
        first = cards_in(page)

        # a slip: a squiggle at its place, told in words, mended by a button; the table stays as it was
        put(page, "move card to trick", "move the card to trick")
        page.wait("document.querySelector('.ink .is-wrong')")
        assert page.run("document.querySelector('.ink .is-wrong').textContent") == "the"
        assert "without articles" in page.text(".problems")
        assert page.has(".beside.stale") and cards_in(page) == first
        assert file.read_text(encoding="utf-8") == text
        page.click(".problems .fix")
        page.wait("!document.querySelector('.ink .is-wrong') && !document.querySelector('.beside.stale')")
        assert page.run("document.querySelector('textarea').value") == text

        # it speaks the language of the browser's settings
        page.run("localStorage.setItem('hoyle.settings', JSON.stringify({ forced: false, language: 'fr' }))")
        page.go(f"{server.address}/edit")
        page.wait("document.querySelector('.state')?.textContent.includes('aucun problème')")
        assert page.text(".tabs").split() == ["Table", "Tests", "Simuler", "Règles", "Graphe"]
        page.run("localStorage.setItem('hoyle.settings', JSON.stringify({ forced: false, language: 'en' }))")
        page.go(f"{server.address}/edit")
        page.wait(MY_TURN)

        # a change: the cards are dealt again, from the same seed
        before = page.run("document.querySelector('iframe').src")
        put(page, "title: Rolling Stone", "title: Stone that rolls")
        page.wait(f"document.querySelector('iframe').src !== {json.dumps(before)}")
        page.wait("document.querySelector('iframe').contentDocument?.querySelector('h1')?.textContent.includes('rolls')")
        page.wait(MY_TURN)
        assert cards_in(page) == first

        # a line is worked out where the table stands, for the seat of the author
        for line, value in (("count of hand", "8"), ("cuont of hand", "did you mean")):
            page.run(f"document.querySelector('.trial input').value = {json.dumps(line)}")
            page.click(".trial button")
            page.wait(f"document.querySelector('.trial output').textContent.includes({json.dumps(value)})")

        # the table is played, the text is saved
        page.run(f"{MY_TURN}.click()")
        assert "not saved" in page.text(".state") and file.read_text(encoding="utf-8") == text
        page.click("header .primary")
        page.wait("!document.querySelector('.state').textContent.includes('not saved')")
        assert file.read_text(encoding="utf-8") == text.replace("title: Rolling Stone", "title: Stone that rolls")

        # what another program has written meanwhile is not written over
        file.write_text("game: of somebody else\n", encoding="utf-8")
        put(page, "title: Stone that rolls", "title: Rolling Stone")
        page.click("header .primary")
        page.wait("document.querySelector('.toast')")
        assert "changed by another program" in page.text(".toast")
        assert file.read_text(encoding="utf-8") == "game: of somebody else\n"

        # keys: Tab indents, after Escape it leaves; Enter goes on where the line above begins
        page.run("(() => { const t = document.querySelector('textarea'); t.focus();"
                 " t.setSelectionRange(t.value.length, t.value.length); })()")  # fmt: skip
        for key in ("Tab", "Enter"):
            page.press(key)
        assert str(page.run("document.querySelector('textarea').value")).endswith("  \n  ")
        page.press("Escape")
        page.press("Tab")
        assert page.run("document.activeElement !== document.querySelector('textarea')")
        assert [each for each in page.problems if "409" not in each] == []  # told in the log of the browser, too
        assert {address.split("/")[2] for address in page.asked if address.startswith("http")} == {
            server.address.removeprefix("http://")
        }
    finally:
        browser.close()


def test_what_nobody_should_send_is_refused_and_the_page_stands_alone(file: Path, server: Server) -> None:
    text = file.read_text(encoding="utf-8")
    status, opened, headers = server.ask("/api/edit")
    assert status == 200 and opened["text"] == text and "frame-ancestors 'self'" in headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
    for path, body in (
        ("/api/edit/look", b"not JSON"),
        ("/api/edit/look", {"text": 5}),
        ("/api/edit/look", {"text": text, "more": 1}),
        ("/api/edit/save", {"text": "gone"}),
        ("/api/edit/explain", {"text": text, "at": "0"}),
        ("/api/edit/inquire", {"text": text, "what": "simulate", "games": -5}),
        ("/api/edit/look", {"text": "x" * 500_000}),
    ):
        assert server.ask(path, body)[0] == 400
    assert server.ask("/api/edit/save", {"text": "gone", "saved": "0"})[0] == 409
    assert server.ask("/api/edit/save", {"text": "gone", "saved": opened["saved"]}, {"Origin": "http://evil"})[0] == 403
    for odd in ("", "\x00", "{" * 500, "game: [", text[: len(text) // 2], "🂡" + text):
        status, seen, _ = server.ask("/api/edit/look", {"text": odd})
        assert status == 200 and seen["table"] is None and seen["problems"]
    status, seen, _ = server.ask("/api/edit/look", {"text": "# 🂡\n" + text})
    first = min(start for start, _, kind in seen["pieces"] if kind == "key")
    assert (first, seen["problems"]) == (5 + len("# 🂡".encode("utf-16-le")) // 2 - 3 + text.index("game:") - 1, [])
    status, told, _ = server.ask("/api/edit/explain", {"text": "# 🂡\n" + text, "at": first + 1})
    assert status == 200
    at = text.index("count of trick") + len("# 🂡\n".encode("utf-16-le")) // 2
    status, told, _ = server.ask("/api/edit/explain", {"text": "# 🂡\n" + text, "at": at})
    assert told["word"] == "count" and "`count of trick`: number" in told["types"]
    assert file.read_text(encoding="utf-8") == text
    assert Server.ask(server, "/static/edit.js")[0] == 200


def test_only_a_file_of_ones_own_is_edited_and_only_here(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in (
        (["serve", "--edit"], "--edit needs the file"),
        (["serve", "--edit", str(file), "--host", "0.0.0.0"], "only be reached from this machine"),
        (["serve", "--edit", "whist"], "hoyle new my-whist --from whist"),
        (["serve", "--edit", str(file), "--bot", "nobody"], "no bot `nobody`"),
    ):
        assert run(arguments) == 1
        assert said in capsys.readouterr().err
