"""The protocol layer: answers requests from the index and the checker.

In: requests of the Language Server Protocol on stdio. Out: responses. The server survives invalid requests: positions
outside a text are clamped, unreadable files yield empty results.
"""

from __future__ import annotations

import asyncio
import bisect
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

import hoyle
from hoyle.authoring.lsp.completing import complete
from hoyle.authoring.lsp.examples import RUN, RUN_ALL, list_lenses, run_examples
from hoyle.authoring.lsp.highlighting import KINDS as PIECES
from hoyle.authoring.lsp.highlighting import color_rules
from hoyle.authoring.lsp.index import Index, build_index
from hoyle.authoring.lsp.looking import Look, Looker, settle_in
from hoyle.authoring.lsp.renaming import CannotRename, plan_rename
from hoyle.authoring.testing.example_files import TEST_SUFFIX
from hoyle.base import shipped
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Diagnostic, Fix
from hoyle.base.source import Source, Span

Done = TypeVar("Done")
PAUSE = 0.03  # debounce interval of the analysis in seconds
LONGER_PAUSE = 0.3  # debounce interval of verifying quick fixes, unless they are requested
_KIND = lsp.CompletionItemKind
KINDS = {
    "option": _KIND.Constant, "zone": _KIND.Field, "word": _KIND.Function, "state": _KIND.Variable,
    "action": _KIND.Method, "rule": _KIND.Reference, "step": _KIND.Event, "statement": _KIND.Keyword,
    "section": _KIND.Module, "built-in word": _KIND.Function,
}  # fmt: skip


@dataclass(slots=True)
class Open:
    """A file open in the editor: its text, its index, and its latest diagnostics. `version` counts requested analyses,
    `numbered` is the editor's version of the text; `untried`: quick fixes have not been verified yet."""

    path: Path
    text: str
    version: int = 0
    numbered: int | None = None
    index: Index | None = None
    found: list[Diagnostic] = field(default_factory=list)
    untried: bool = False


server = LanguageServer("hoyle", hoyle.__version__)
_open: dict[str, Open] = {}
_looker = Looker()
_mending = asyncio.Lock()
_thread = ThreadPoolExecutor(1, thread_name_prefix="looking")  # all parsing and checking is sequential


async def _do(work: Callable[[], Done]) -> Done:
    """Run slow work in the worker thread, so that the event loop stays responsive."""
    return await asyncio.get_running_loop().run_in_executor(_thread, work)


# ------------------------------------------------------------------------------------------------ places
def position(source: Source, offset: int) -> lsp.Position:
    """Convert an offset to a protocol position: 0-based lines, columns in UTF-16 code units."""
    line, column = source.line_and_column(offset)
    before = source.line_text(line)[: column - 1]
    return lsp.Position(line - 1, len(before.encode("utf-16-le", "surrogatepass")) // 2)


def offset(source: Source, place: lsp.Position) -> int:
    """Convert a protocol position to an offset, clamped to the text."""
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
    """Analyse a file after a debounce interval, unless it changes again, and publish its diagnostics. While the user
    types, quick fixes are verified in a second pass, after a longer interval."""
    name = to_fs_path(uri)
    if not name or not name.endswith((shipped.GAME_SUFFIX, TEST_SUFFIX)):
        return
    document = server.workspace.get_text_document(uri)
    text = document.source
    held = _open.setdefault(uri, Open(Path(name), text))
    held.version += 1
    held.text, held.numbered, held.untried = text, document.version, False
    version = held.version
    if pause:
        await asyncio.sleep(pause)
    await _look_now(uri, held, version, whole=whole, mends=not pause)
    _settle_in()
    if held.untried and held.version == version:
        await asyncio.sleep(LONGER_PAUSE)
        await _mend(uri, held, version)


@cache
def _settle_in() -> None:
    """Schedule the warm-up, after the first analysis."""
    _thread.submit(settle_in)


async def _mend(uri: str, held: Open, version: int) -> None:
    """Verify the quick fixes of the diagnostics, unless that is done or the file has changed."""
    async with _mending:
        if held.untried and held.version == version:
            await _look_now(uri, held, version, whole=False, mends=True)


async def _look_now(uri: str, held: Open, version: int, *, whole: bool, mends: bool) -> None:
    text, numbered = held.text, held.numbered

    def is_wanted() -> bool:
        return held.version == version and uri in _open

    def look() -> Look | None:
        """Analyse the text, unless a newer version is pending."""
        if not is_wanted():
            return None
        return _looker.look(held.path, text, held.index, whole=whole, mends=lambda: mends and is_wanted())

    if not is_wanted():
        return
    seen = await _do(look)
    if seen is None or not is_wanted():
        return
    held.index, held.found, held.untried = seen.index, seen.found, seen.untried
    told = [_diagnose(one, seen.index.source) for one in seen.found]
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, told, numbered))


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
    """Return the index for the current text; until that is analysed, one based on the previous analysis."""
    held = _open.get(uri)
    if held is None:
        return None
    text = server.workspace.get_text_document(uri).source
    if held.index is None or held.index.source.text != text.replace("\r\n", "\n"):
        held.index = build_index(held.path, text, None, held.index)
    return held.index


# ------------------------------------------------------------------------------------------------ requests
@server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
async def code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Return the quick fixes of the diagnostics at the cursor, the certain ones first."""
    held = _open.get(params.text_document.uri)
    if held is not None:
        await _mend(params.text_document.uri, held, held.version)
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
    """Explain the word at the cursor, and the types of the expressions around it."""
    index = _index_of(params.text_document.uri)
    at = offset(index.source, params.position) if index is not None else 0
    word = index.word_at(at) if index is not None else None
    if index is None or word is None:
        return None
    types = index.describe_types(at)
    parts = [index.explain(word.text), "\n".join(f"- {line}" for line in types)]
    text = "\n\n".join(part for part in parts if part)
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.Hover(content, span_range(word)) if text else None


@server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["[", " "]))
def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    """Return completions, best first."""
    index = _index_of(params.text_document.uri)
    if index is None:
        return []
    return [
        lsp.CompletionItem(
            each.name,
            kind=KINDS.get(each.kind, _KIND.Text),
            detail=f"{each.kind}: {each.type}" if each.type and each.type != each.kind else each.kind,
            documentation=each.text or None,
            sort_text=f"{each.fit}{each.name}",
        )
        for each in complete(index, offset(index.source, params.position))
    ]


@server.feature(
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    lsp.SemanticTokensLegend(token_types=list(PIECES), token_modifiers=["defaultLibrary"]),
)
def semantic_tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    """Return semantic tokens of the rule language; editors highlight the YAML around it themselves."""
    index = _index_of(params.text_document.uri)
    if index is None:
        return lsp.SemanticTokens([])
    data: list[int] = []
    line = column = 0
    for piece in color_rules(index):
        start, end = position(index.source, piece.start), position(index.source, piece.end)
        if end.line != start.line:
            continue
        data += [
            start.line - line,
            start.character - (column if start.line == line else 0),
            end.character - start.character,
            PIECES.index(piece.kind),
            int(piece.builtin),
        ]
        line, column = start.line, start.character
    return lsp.SemanticTokens(data)


@server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
def code_lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    """Return code lenses: "run example" for every example, and "run all examples" at the top."""
    held = _open.get(params.text_document.uri)
    if held is None or not held.path.name.endswith(TEST_SUFFIX):
        return []
    text = server.workspace.get_text_document(params.text_document.uri).source
    return [
        lsp.CodeLens(
            span_range(lens.span),
            lsp.Command(
                lens.title,
                RUN_ALL if lens.name is None else RUN,
                arguments=[params.text_document.uri, *([] if lens.name is None else [lens.name])],
            ),
        )
        for lens in list_lenses(held.path, text)
    ]


@server.command(RUN)
async def run_one(uri: str, name: str) -> str:
    """Run an example by its name; the answer is also shown."""
    return await _run(uri, name)


@server.command(RUN_ALL)
async def run_all(uri: str) -> str:
    """Run the examples of a file."""
    return await _run(uri, None)


async def _run(uri: str, name: str | None) -> str:
    held = _open.get(uri) if isinstance(uri, str) else None
    if held is None or not held.path.name.endswith(TEST_SUFFIX):
        return "open a file of examples first"
    text = server.workspace.get_text_document(uri).source
    passed, said = await _do(lambda: run_examples(held.path, text, name))
    kind = lsp.MessageType.Info if passed else lsp.MessageType.Error
    server.window_show_message(lsp.ShowMessageParams(kind, said))
    return said


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
async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    """Rename a symbol in all files of the folder; refused if a game there would get new errors."""
    index = _index_of(params.text_document.uri)
    word = index.word_at(offset(index.source, params.position)) if index is not None else None
    known = index.find(word.text) if index is not None and word is not None else None
    if index is None or known is None:
        return None
    try:
        edits = await _do(lambda: plan_rename(index, known.name, params.new_name))
    except CannotRename as why:
        raise JsonRpcException(str(why), lsp.LSPErrorCodes.RequestFailed) from None
    return lsp.WorkspaceEdit(
        {
            from_fs_path(str(path)) or "": [lsp.TextEdit(span_range(span), params.new_name) for span in spans]
            for path, spans in edits.items()
        }
    )


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
    """Serve an editor on standard input and output until it disconnects."""
    server.start_io()
