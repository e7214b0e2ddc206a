"""The protocol: what an editor asks, answered from an index and the checker.

In: requests of the Language Server Protocol on stdio. Out: its answers. Whatever an editor sends, the server stays up:
places outside a text are moved into it, files that cannot be read have nothing to tell.
"""

from __future__ import annotations

import asyncio
import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

import hoyle
from hoyle import shipped
from hoyle.compile import check_file, compile_game
from hoyle.diagnostics.report import Diagnostic, Fix, Report
from hoyle.lsp.index import Index, build_index
from hoyle.source import Source, Span
from hoyle.testing.files import TEST_SUFFIX, read_tests

PAUSE = 0.15  # seconds without a keystroke before a file is looked at
_KIND = lsp.CompletionItemKind
KINDS = {
    "option": _KIND.Constant, "zone": _KIND.Field, "word": _KIND.Function, "state": _KIND.Variable,
    "action": _KIND.Method, "rule": _KIND.Reference, "step": _KIND.Event, "statement": _KIND.Keyword,
    "section": _KIND.Module, "built-in word": _KIND.Function,
}  # fmt: skip


@dataclass
class Open:
    """A file that is open in the editor: its text, its index, and what was found in it last."""

    path: Path
    text: str
    version: int = 0
    index: Index | None = None
    found: list[Diagnostic] = field(default_factory=list)


server = LanguageServer("hoyle", hoyle.__version__)
_open: dict[str, Open] = {}


# ------------------------------------------------------------------------------------------------ places
def position(source: Source, offset: int) -> lsp.Position:
    """An offset as editors count: lines from nought, columns in units of UTF-16."""
    line, column = source.line_and_column(offset)
    before = source.line_text(line)[: column - 1]
    return lsp.Position(line - 1, len(before.encode("utf-16-le", "surrogatepass")) // 2)


def offset(source: Source, place: lsp.Position) -> int:
    """The offset of a place, moved into the text if it lies outside."""
    line = min(max(place.line, 0) + 1, source.line_count)
    text = source.line_text(line)
    units = [0]
    for sign in text:
        units.append(units[-1] + (2 if ord(sign) > 0xFFFF else 1))
    column = bisect.bisect_right(units, max(place.character, 0)) - 1
    return source.line_start(line) + min(column, len(text))


def span_range(span: Span) -> lsp.Range:
    return lsp.Range(position(span.source, span.start), position(span.source, span.end))


def _uri(source: Source) -> str:
    path = Path(source.name)
    return from_fs_path(str(path if path.is_absolute() else Path.cwd() / path)) or ""


def _location(span: Span) -> lsp.Location:
    return lsp.Location(_uri(span.source), span_range(span))


# ------------------------------------------------------------------------------------------------ files
@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
async def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
    await _look(params.text_document.uri, whole=True, pause=0)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
    await _look(params.text_document.uri, whole=False, pause=PAUSE)


@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
async def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
    await _look(params.text_document.uri, whole=True, pause=0)


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
    if _open.pop(params.text_document.uri, None) is not None:
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))


async def _look(uri: str, *, whole: bool, pause: float) -> None:
    """Look at a file after a pause, unless it has changed again meanwhile, and tell what was found."""
    name = to_fs_path(uri)
    if not name or not name.endswith((shipped.GAME_SUFFIX, TEST_SUFFIX)):
        return
    text = server.workspace.get_text_document(uri).source
    held = _open.setdefault(uri, Open(Path(name), text))
    held.version += 1
    held.text = text
    version = held.version
    if pause:
        await asyncio.sleep(pause)
    if held.version != version:
        return
    index, found = await asyncio.get_running_loop().run_in_executor(None, _read, held.path, text, held.index, whole)
    if held.version != version or uri not in _open:
        return
    held.index, held.found = index, found
    told = [_diagnose(one, index.source) for one in found]
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, told))


def _read(path: Path, text: str, before: Index | None, whole: bool) -> tuple[Index, list[Diagnostic]]:
    """The index of a text and what is wrong in it: at every number of players, or while typing at the fewest."""
    if path.name.endswith(TEST_SUFFIX):
        report = read_tests(path, text).report
    elif whole:
        report = check_file(path, text)
    else:
        report = compile_game(path, report=Report(), text=text)[1]
    return build_index(path, text, before), report.ordered()


def _diagnose(found: Diagnostic, source: Source) -> lsp.Diagnostic:
    here = found.primary is not None and found.primary.span.source.name == source.name
    place = span_range(found.primary.span) if found.primary is not None and here else _first_line(source)
    labels = [*found.others, *([found.primary] if found.primary is not None and not here else [])]
    message = found.message + (f": {found.primary.text}" if found.primary is not None and found.primary.text else "")
    return lsp.Diagnostic(
        place,
        "\n".join([message, *found.hints]),
        severity=lsp.DiagnosticSeverity.Error if found.severity == "error" else lsp.DiagnosticSeverity.Warning,
        code=found.code,
        source="hoyle",
        related_information=[
            lsp.DiagnosticRelatedInformation(_location(label.span), label.text or found.message) for label in labels
        ],
    )


def _first_line(source: Source) -> lsp.Range:
    return lsp.Range(lsp.Position(0, 0), position(source, len(source.line_text(1))))


def _index_of(uri: str) -> Index | None:
    """The index of a file as it is now; made at once where it has not been looked at yet."""
    held = _open.get(uri)
    if held is None:
        return None
    text = server.workspace.get_text_document(uri).source
    if held.index is None or held.index.source.text != text.replace("\r\n", "\n"):
        held.index = build_index(held.path, text, held.index)
    return held.index


# ------------------------------------------------------------------------------------------------ answers
@server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
def code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Fixes of what is wrong where the cursor is: those that are sure first."""
    held = _open.get(params.text_document.uri)
    if held is None or held.index is None:
        return []
    return [
        lsp.CodeAction(
            title,
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[_diagnose(found, held.index.source)],
            is_preferred=sure,
            edit=lsp.WorkspaceEdit({params.text_document.uri: [lsp.TextEdit(span_range(fix.span), fix.text)]}),
        )
        for found in held.found
        for title, fix, sure in _fixes(found)
        if fix.span.source.name == held.index.source.name
        and fix.span.source.text == held.index.source.text
        and _touches(span_range(fix.span), _diagnose(found, held.index.source).range, params.range)
    ]


def _fixes(found: Diagnostic) -> Iterator[tuple[str, Fix, bool]]:
    if found.fix is not None:
        yield f"write `{_short(found.fix.text)}`", found.fix, True
    for fix in found.suggestions:
        yield f"perhaps `{_short(fix.text)}`", fix, False


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"


def _touches(fix: lsp.Range, told: lsp.Range, asked: lsp.Range) -> bool:
    return any(one.start.line <= asked.end.line and asked.start.line <= one.end.line for one in (fix, told))


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def hover(params: lsp.HoverParams) -> lsp.Hover | None:
    index = _index_of(params.text_document.uri)
    word = index.word_at(offset(index.source, params.position)) if index is not None else None
    if index is None or word is None:
        return None
    text = index.explain(word.text)
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.Hover(content, span_range(word)) if text else None


@server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["["]))
def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    index = _index_of(params.text_document.uri)
    if index is None:
        return []
    return [
        lsp.CompletionItem(
            each.name,
            kind=KINDS.get(each.kind, _KIND.Text),
            detail=each.kind,
            documentation=each.text or None,
        )
        for each in index.complete(offset(index.source, params.position))
    ]


@server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
    index = _index_of(params.text_document.uri)
    word = index.word_at(offset(index.source, params.position)) if index is not None else None
    known = index.find(word.text) if index is not None and word is not None else None
    return _location(known.span) if known is not None else None


@server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
    index = _index_of(params.text_document.uri)
    word = index.word_at(offset(index.source, params.position)) if index is not None else None
    known = index.find(word.text) if index is not None and word is not None else None
    if index is None or known is None:
        return []
    return [_location(span) for span in index.uses(known.name)]


@server.feature(lsp.TEXT_DOCUMENT_RENAME)
def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    """A name changed wherever it stands in the folder of the file; not if the file would no longer check."""
    index = _index_of(params.text_document.uri)
    word = index.word_at(offset(index.source, params.position)) if index is not None else None
    known = index.find(word.text) if index is not None and word is not None else None
    if index is None or known is None:
        return None
    edits = plan_rename(index, known.name, params.new_name)
    return lsp.WorkspaceEdit(
        {uri: [lsp.TextEdit(span_range(span), params.new_name) for span in spans] for uri, spans in edits.items()}
    )


def plan_rename(index: Index, name: str, new: str) -> dict[str, list[Span]]:
    """The places that a new name goes to, by file; `ValueError` says why it cannot be done."""
    if not new.replace("_", "a").isalnum() or not new[0].isalpha() or not new.isascii():
        raise ValueError(f"`{new}` cannot be a name: letters, digits and `_`")
    if index.find(new) is not None:
        raise ValueError(f"`{new}` is a name already")
    by_file: dict[str, list[Span]] = {}
    for span in index.uses(name):
        place = Path(span.source.name).absolute()
        if place.parent != index.path.absolute().parent:
            raise ValueError(f"`{name}` is also said in {span.source.name}, which is not yours to change")
        by_file.setdefault(_uri(span.source), []).append(span)
    own = [span for spans in by_file.values() for span in spans if span.source.name == index.source.name]
    text = index.source.text
    for span in sorted(own, key=lambda each: each.start, reverse=True):
        text = text[: span.start] + new + text[span.end :]
    if len(by_file) == 1:
        before = {found.code for found in check_file(index.path, index.source.text).ordered()}
        fresh = [found for found in check_file(index.path, text).ordered() if found.code not in before]
        if fresh:
            raise ValueError(f"with `{new}` the file would no longer check: {fresh[0].message}")
    return by_file


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def document_symbol(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    index = _index_of(params.text_document.uri)
    if index is None:
        return []
    return [
        lsp.DocumentSymbol(
            section.name or "?",
            lsp.SymbolKind.Namespace,
            span_range(section.key.span.to(section.value.span)),
            span_range(section.key.span),
            children=[
                lsp.DocumentSymbol(
                    entry.name or "?",
                    lsp.SymbolKind.Function,
                    span_range(entry.key.span.to(entry.value.span)),
                    span_range(entry.key.span),
                )
                for entry in entries
            ],
        )
        for section, entries in index.symbols()
    ]


def serve() -> None:
    """Answer an editor on standard input and output until it leaves."""
    server.start_io()
