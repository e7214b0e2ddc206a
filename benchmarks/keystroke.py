"""How long a language server takes to answer a keystroke: `python -m benchmarks.keystroke [GAME] [--times N]`.

In: a game. Out: milliseconds from the change an editor sends over stdio to the diagnostics that come back, the pause in
which the server waits for a further keystroke included; the processor's time of the server beside them, for machines
that are busy.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from hoyle.base.shipped import find_game

STATEMENT = "    set dealer to left of dealer"
SETTLING = 1.0  # seconds before the first keystroke, for the server's warm-up
TICKS = os.sysconf("SC_CLK_TCK")


def list_texts(text: str) -> Iterator[tuple[str, str]]:
    """Yield what is typed, a comment and then a statement at the end of the first step, and the text after each key."""
    at = text.index("\nsteps:") + len("\nsteps:")
    for end in range(1, len(STATEMENT) + 1):
        yield "a comment", text[:at] + "  # " + "x" * end + text[at:]
    step = text.index("|", at)
    end_of_line = text.index("\n", step)
    for end in range(1, len(STATEMENT) + 1):
        yield "a statement", text[:end_of_line] + "\n" + STATEMENT[:end] + text[end_of_line:]


async def measure(path: Path, times: int) -> dict[str, list[tuple[float, float]]]:
    """Measure wall-clock and server CPU seconds for every keystroke, by what is typed."""
    client, told = LanguageClient("benchmark", "1"), asyncio.Event()
    client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: told.set())
    await client.start_io(sys.executable, "-m", "hoyle.front.cli", "lsp")
    capabilities = lsp.ClientCapabilities()
    await client.initialize_async(lsp.InitializeParams(capabilities=capabilities, root_uri=path.parent.as_uri()))
    client.initialized(lsp.InitializedParams())
    text, uri = path.read_text(encoding="utf-8"), path.as_uri()
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "yaml", 1, text)))
    await told.wait()
    await asyncio.sleep(SETTLING)
    found: dict[str, list[tuple[float, float]]] = {}
    for version, (what, typed) in enumerate(list_texts(text), 2):
        seconds = found.setdefault(what, [])
        if len(seconds) == times + 1:
            continue
        told.clear()
        clock, processor = time.perf_counter(), _read_processor(client)
        client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(version, uri), [lsp.TextDocumentContentChangeWholeDocument(typed)]
            )
        )
        await told.wait()
        seconds.append((time.perf_counter() - clock, _read_processor(client) - processor))
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]
    return {what: seconds[1:] for what, seconds in found.items()}  # the first keystroke includes imports


def _read_processor(client: LanguageClient) -> float:
    """Read the CPU seconds used by the server, with the resolution of a clock tick; 0 if unavailable."""
    try:
        stat = Path(f"/proc/{client._server.pid if client._server else 0}/stat").read_text(encoding="ascii")
    except OSError:
        return 0.0
    fields = stat.rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="bunco")
    parser.add_argument("--times", type=int, default=25)
    asked = parser.parse_args()
    path = find_game(asked.game)
    if path is None:
        raise SystemExit(f"no game `{asked.game}`")
    for what, seconds in asyncio.run(measure(path.resolve(), asked.times)).items():
        for number, name in enumerate(("by the clock", "of the processor")):
            each = [1000 * one[number] for one in seconds]
            print(f"{asked.game}, {what}: median {statistics.median(each):.0f} ms, most {max(each):.0f} ms {name}")


if __name__ == "__main__":
    main()
