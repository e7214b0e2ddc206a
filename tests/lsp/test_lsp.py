"""The language server, driven over stdio by a real client: what an editor shows, and that nothing brings it down."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

from hoyle.authoring.lsp.highlighting import KINDS as PIECES
from hoyle.authoring.lsp.looking import Looker
from hoyle.authoring.lsp.server import offset, position
from hoyle.base.diagnostics.report import Report, identity
from hoyle.base.source import Source
from hoyle.front.cli import run
from hoyle.language.compile import check_file
from hoyle.language.document.incremental import Kept, keeping
from hoyle.language.document.nodes import Mapping, Node, Scalar, Sequence
from hoyle.language.document.reading import read_nodes
from hoyle.language.syntax.reserved import RESERVED, VERBS
from hoyle.program.words import WORDS

ROOT = Path(__file__).parents[2]
STONE = ROOT / "docs" / "examples" / "rolling-stone"
PATIENCE = 120


class Editor:
    """An editor with one server: opens files, changes them, and waits for what is told of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client = LanguageClient("test", "1")
        self.told: dict[str, list[lsp.Diagnostic]] = {}
        self.news = asyncio.Event()
        self.versions: dict[str, int] = {}

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: lsp.PublishDiagnosticsParams) -> None:
            if params.version == self.versions[params.uri]:
                self.told[params.uri] = list(params.diagnostics)
                self.news.set()

    async def start(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter")}
        await self.client.start_io(
            sys.executable, "-m", "hoyle.front.cli", "lsp", cwd=str(self.folder), env=environment
        )
        answer = await self.client.initialize_async(
            lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=self.folder.as_uri())
        )
        assert answer.server_info is not None and answer.server_info.name == "hoyle"
        self.client.initialized(lsp.InitializedParams())

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    async def open(self, name: str, text: str | None = None) -> list[lsp.Diagnostic]:
        uri = self.uri(name)
        text = text if text is not None else (self.folder / name).read_text(encoding="utf-8")
        self.versions[uri] = 1
        self.news.clear()
        item = lsp.TextDocumentItem(uri, "yaml", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return await self.wait(uri)

    async def change(self, name: str, text: str) -> list[lsp.Diagnostic]:
        uri = self.uri(name)
        self.versions[uri] += 1
        self.news.clear()
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self.versions[uri], uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )
        return await self.wait(uri)

    async def wait(self, uri: str) -> list[lsp.Diagnostic]:
        await asyncio.wait_for(self.news.wait(), PATIENCE)
        return self.told[uri]

    def at(self, name: str, text: str, words: str, inner: str = "") -> dict[str, Any]:
        """A place in a text: the beginning of some words, or of what stands inside them."""
        start = text.index(words) + (words.index(inner) if inner else 0)
        line = text.count("\n", 0, start)
        column = start - (text.rfind("\n", 0, start) + 1)
        return {"text_document": lsp.TextDocumentIdentifier(self.uri(name)), "position": lsp.Position(line, column + 1)}


def with_editor(folder: Path, story: Callable[[Editor], Awaitable[None]]) -> None:
    async def tell() -> None:
        editor = Editor(folder)
        await editor.start()
        try:
            await story(editor)
        finally:
            await editor.stop()

    asyncio.run(asyncio.wait_for(tell(), PATIENCE))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in STONE.iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path)
    return tmp_path


def read_tokens(text: str, data: list[int]) -> dict[str, str]:
    """The words that have a colour, with what they are."""
    lines, found, line, column = text.split("\n"), {}, 0, 0
    for at in range(0, len(data), 5):
        down, right, length, kind, _ = data[at : at + 5]
        line, column = line + down, right + (0 if down else column)
        found[lines[line][column : column + length]] = PIECES[kind]
    return found


def put(text: str, edit: lsp.TextEdit) -> str:
    """A text after an edit of one line."""
    lines = text.split("\n")
    start, end = edit.range.start, edit.range.end
    assert start.line == end.line
    line = lines[start.line]
    lines[start.line] = line[: start.character] + edit.new_text + line[end.character :]
    return "\n".join(lines)


GAME = "rolling-stone.game.yaml"
VARIANT = "rolling-stone-mercy.game.yaml"
TESTS = "rolling-stone.test.yaml"


def test_an_author_is_told_what_is_wrong_helped_and_led_about(folder: Path) -> None:
    text = (folder / GAME).read_text(encoding="utf-8")

    async def story(editor: Editor) -> None:
        assert await editor.open(GAME) == []

        # what is wrong as one types, and its fix
        slip = text.replace("move card to trick", "move the card to trick")
        (found,) = await editor.change(GAME, slip)
        assert found.code == "article" and found.source == "hoyle"
        assert slip.splitlines()[found.range.start.line].strip() == "move the card to trick"
        actions = await editor.client.text_document_code_action_async(
            lsp.CodeActionParams(
                lsp.TextDocumentIdentifier(editor.uri(GAME)), found.range, lsp.CodeActionContext([found])
            )
        )
        action = (actions or [])[0]
        assert isinstance(action, lsp.CodeAction) and action.edit is not None and action.edit.changes is not None
        (edit,) = action.edit.changes[editor.uri(GAME)]
        assert put(slip, edit) == text
        assert await editor.change(GAME, text) == []

        # meanings
        async def meaning(words: str, inner: str = "") -> str:
            answer = await editor.client.text_document_hover_async(
                lsp.HoverParams(**editor.at(GAME, text, words, inner))
            )
            content = answer.contents if answer is not None else None
            return content.value if isinstance(content, lsp.MarkupContent) else ""

        assert "How many times the cards are dealt." in await meaning("repeat deals", "deals")
        assert "default: 3" in await meaning("repeat deals", "deals")
        assert "must follow suit if they can" in await meaning("STONE-5")
        assert "how many there are" in await meaning("count of trick")
        assert "`count of trick`: number" in await meaning("count of trick")
        assert "`suit of card`: suit" in await meaning("suit of card", "of")
        assert "`trick`: zone" in await meaning("count of trick", "trick")
        assert await meaning("title: Rolling", "Rolling") == ""

        # declarations and uses, over files
        place = await editor.client.text_document_definition_async(
            lsp.DefinitionParams(**editor.at(GAME, text, "STONE-6"))
        )
        assert isinstance(place, lsp.Location) and place.uri.endswith("/rules.yaml")
        uses = await editor.client.text_document_references_async(
            lsp.ReferenceParams(context=lsp.ReferenceContext(True), **editor.at(GAME, text, "suit_led"))
        )
        assert len(uses or []) == text.count("suit_led")

        # completion
        answer = await editor.client.text_document_completion_async(
            lsp.CompletionParams(**editor.at(GAME, text, "move card to trick", "trick"))
        )
        offered = sorted(answer if isinstance(answer, list) else [], key=lambda item: item.sort_text or "")
        names = {item.label for item in offered}
        assert names >= {"trick", "spent", "deals", "winner", "count", "suit_led", "hearts", "top"}
        assert {item.label for item in offered[:4]} == {"hand", "pack", "spent", "trick"}  # a zone is wanted
        assert not names & {"shuffle", "play_on", "take", "to"}  # what the grammar does not take here
        cited = await editor.client.text_document_completion_async(
            lsp.CompletionParams(**editor.at(GAME, text, "[STONE-4]", "STONE-4"))
        )
        assert "STONE-9" in {item.label for item in (cited if isinstance(cited, list) else [])}

        # colours: every word of the rule at its place
        tokens = await editor.client.text_document_semantic_tokens_full_async(
            lsp.SemanticTokensParams(lsp.TextDocumentIdentifier(editor.uri(GAME)))
        )
        kinds = read_tokens(text, list(tokens.data if tokens is not None else []))
        assert {kinds[word] for word in ("repeat", "times", "of", "chooses")} == {"keyword"}
        assert (kinds["trick"], kinds["deals"], kinds["suit"]) == ("type", "variable", "property")
        assert (kinds["count"], kinds["suit_led"], kinds["play_on"], kinds["take"]) == (
            "function", "function", "event", "method",
        )  # fmt: skip
        assert "title" not in kinds and "shows" not in kinds  # keys of the file are YAML's

        # symbols
        symbols = await editor.client.text_document_document_symbol_async(
            lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(editor.uri(GAME)))
        )
        sections = {each.name: each for each in symbols or [] if isinstance(each, lsp.DocumentSymbol)}
        assert {each.name for each in sections["actions"].children or ()} == {"play", "take"}

        # renaming
        renamed = await editor.client.text_document_rename_async(
            lsp.RenameParams(new_name="led_suit", **editor.at(GAME, text, "suit_led"))
        )
        assert renamed is not None and renamed.changes is not None
        assert len(renamed.changes[editor.uri(GAME)]) == text.count("suit_led")
        for new in ("trick", "two words", "of"):
            with pytest.raises(JsonRpcException):
                await editor.client.text_document_rename_async(
                    lsp.RenameParams(new_name=new, **editor.at(GAME, text, "suit_led"))
                )

        # a name of the parent is renamed in its variant and both examples, if all of them check afterwards
        renamed = await editor.client.text_document_rename_async(
            lsp.RenameParams(new_name="leader", **editor.at(GAME, text, "set player to", "player"))
        )
        assert renamed is not None and renamed.changes is not None
        changed = {Path(uri).name: edits for uri, edits in renamed.changes.items()}
        assert len(changed[GAME]) > 5 and len(changed[VARIANT]) == 2
        with pytest.raises(JsonRpcException, match="would no longer check"):
            await editor.client.text_document_rename_async(
                lsp.RenameParams(new_name="dealer", **editor.at(GAME, text, "set player to", "player"))
            )

        # examples are run from the line over them, as they are in the editor
        examples = (folder / TESTS).read_text(encoding="utf-8")
        assert await editor.open(TESTS) == []
        lenses = await editor.client.text_document_code_lens_async(
            lsp.CodeLensParams(lsp.TextDocumentIdentifier(editor.uri(TESTS)))
        )
        commands = [lens.command for lens in lenses or [] if lens.command is not None]
        assert [each.title for each in commands] == ["run all examples", *["run example"] * (len(commands) - 1)]
        assert len(commands) == examples.count("- name:") + 1

        async def carry_out(command: lsp.Command) -> str:
            params = lsp.ExecuteCommandParams(command.command, arguments=command.arguments)
            return str(await editor.client.workspace_execute_command_async(params))

        assert await carry_out(commands[1]) == f"holds: {commands[1].arguments[1]}"  # type: ignore[index]
        wrong = examples.replace("who can follow suit must", "who can follow suit need not")
        await editor.change(TESTS, wrong)
        assert "no example" in await carry_out(next(each for each in commands if "must" in str(each.arguments)))

        # a variant: what it changes is declared in its parent, what it breaks is told at its own line
        variant = (folder / VARIANT).read_text(encoding="utf-8")
        assert await editor.open(VARIANT) == []
        place = await editor.client.text_document_definition_async(
            lsp.DefinitionParams(**editor.at(VARIANT, variant, "top of trick", "trick"))
        )
        assert isinstance(place, lsp.Location) and place.uri == editor.uri(GAME)

    with_editor(folder, story)


@pytest.mark.slow
def test_nonsense_and_half_files_leave_the_server_up(folder: Path) -> None:
    text = (folder / GAME).read_text(encoding="utf-8")

    async def story(editor: Editor) -> None:
        await editor.open(GAME, text[: len(text) // 3])
        for odd in ("", "\x00\x01", "{" * 500, "game: [", "- a\n- b\n", "é🂡" * 50, text[:-40], "\t" + text):
            await editor.change(GAME, odd)
            for place in (lsp.Position(0, 0), lsp.Position(99999, 5), lsp.Position(2, 99999)):
                here = {"text_document": lsp.TextDocumentIdentifier(editor.uri(GAME)), "position": place}
                await editor.client.text_document_hover_async(lsp.HoverParams(**here))
                await editor.client.text_document_definition_async(lsp.DefinitionParams(**here))
                await editor.client.text_document_completion_async(lsp.CompletionParams(**here))
        elsewhere = lsp.TextDocumentIdentifier("untitled:Untitled-1")
        await editor.client.text_document_hover_async(lsp.HoverParams(elsewhere, lsp.Position(0, 0)))
        with pytest.raises(JsonRpcException):
            await editor.client.protocol.send_request_async("no/such/method", {"a": 1})
        for body in (b'{"jsonrpc":"2.0","id":"x","method":"textDocument/hover","params":{"no":1}}', b"[]", b"not JSON"):
            writer = editor.client.protocol.writer
            assert writer is not None
            written = writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            if written is not None:
                await written
        assert await editor.change(GAME, text) == []
        tests = await editor.open("rolling-stone.test.yaml", "tests: rolling-stone\nexmaples: []\n")
        assert any("exmaples" in each.message for each in tests)

    with_editor(folder, story)


def test_columns_are_those_of_editors() -> None:
    source = Source("x", "title: 🂡 é\nab")
    for at in range(len(source.text) + 1):
        assert offset(source, position(source, at)) == at
    assert position(source, source.text.index("é")).character == 10
    assert offset(source, lsp.Position(500, 500)) == len(source.text)


def test_started_by_hand_it_says_who_starts_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda self: True})())
    assert run(["lsp"]) == 1
    assert "an editor starts this" in capsys.readouterr().err


def test_the_grammar_of_the_extension_knows_every_word_of_the_language() -> None:
    extension = ROOT / "editors" / "vscode"
    package = json.loads((extension / "package.json").read_text(encoding="utf-8"))
    grammar = json.loads((extension / package["contributes"]["grammars"][0]["path"]).read_text(encoding="utf-8"))
    parts = {name: part["match"] for name, part in grammar["repository"].items()}
    known = set(re.findall(r"[a-z_]+", " ".join(parts.values())))
    assert known >= RESERVED | VERBS | {name for name, word in WORDS.items() if word.spoken}
    assert (extension / package["main"]).is_file()


ODD = {
    "as it is": lambda text: text,
    "an article": lambda text: text.replace("move card to trick", "move the card to trick"),
    "a wide sign": lambda text: text.replace("title: Rolling Stone", "title: '🂡 Rolling Stone'"),
    "an escape": lambda text: text.replace("title: Rolling Stone", 'title: "Rolling: \\x01 Stone"'),
    "an anchor": lambda text: text.replace("options:", "options: &a"),
    "an open bracket": lambda text: text.replace("zones:", "zones: ["),
    "a slip": lambda text: text.replace("zones:", "zonse:"),
    "another type": lambda text: text.replace("default: 3", "default: true"),
    "a list": lambda text: text.replace("shows: owner", "shows: [owner]"),
    "line ends": lambda text: text.replace("\n", "\r\n"),
    "half of it": lambda text: text[: len(text) // 2],
}


@pytest.mark.share
@pytest.mark.parametrize("first", ODD)
def test_a_file_read_while_it_is_written_is_read_as_ever(first: str, tmp_path: Path) -> None:
    """What is kept between keystrokes, and the faster reader, change nothing that is found or known."""
    looker = Looker()
    stone = (STONE / GAME).read_text(encoding="utf-8")
    (tmp_path / "rules.yaml").write_text((STONE / "rules.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    path = tmp_path / GAME
    names = [*ODD]
    then = names[names.index(first) - 1]
    for name in (first, then, first):  # the second time from what was kept
        text = ODD[name](stone)
        path.write_text(text, encoding="utf-8", newline="")
        seen = looker.look(path, text, whole=True)
        assert [identity(each) for each in seen.found] == [identity(each) for each in check_file(path).ordered()]


def test_what_is_wrong_is_told_before_its_mendings_are_tried() -> None:
    path = STONE / GAME
    slip = path.read_text(encoding="utf-8").replace("move card to trick", "move the card to trick")
    first, then = Looker().look(path, slip, mends=lambda: False), Looker().look(path, slip)
    assert [each.code for each in first.found] == [each.code for each in then.found] == ["article"]
    assert (first.untried, first.found[0].fix) == (True, None)
    assert not then.untried and then.found[0].fix is not None


@pytest.mark.slow
def test_both_readers_of_yaml_see_the_same_in_every_file() -> None:
    for path in [*ROOT.glob("games/**/*.yaml"), *ROOT.glob("tests/language/**/*.yaml")]:
        text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        both = [read_nodes(Source("x", text), Report())]
        with keeping(Kept()):
            both.append(read_nodes(Source("x", text), Report()))
        assert spans_of(both[0]) == spans_of(both[1]), path


def spans_of(node: Node | None) -> object:
    """A tree of nodes as plain values, with every place."""
    if isinstance(node, Mapping):
        return node.span.start, node.span.end, [(spans_of(each.key), spans_of(each.value)) for each in node]
    if isinstance(node, Sequence):
        return node.span.start, node.span.end, [spans_of(each) for each in node]
    return (node.text, node.value, node.style, node.span.start, node.span.end) if isinstance(node, Scalar) else None
