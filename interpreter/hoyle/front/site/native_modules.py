"""Native code for pages: the printed C of a game as a WebAssembly library, which Pyodide loads like any other.

In: games. Out: a library for each, from a cache by the hash of its text, or built by `ziglang`. The printed text needs
nothing of the system, so a library imports only the memory and the stack of the page's Python.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import hoyle
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.native.compiler import FLAGS, LONGEST_BUILD
from hoyle.play.engine.native.program import find_native

# As CPython for the browser is built: constants without additions, which older browsers refuse.
TARGET = ("-target", "wasm32-freestanding", "-mcpu=generic+bulk_memory+sign_ext+nontrapping_fptoint+mutable_globals")
COMPILED = ("-O2", "-c", *(flag for flag in FLAGS if flag != "-shared"))
LINKED = ("-shared", "--experimental-pic", "--no-entry", "--strip-all")


def has_ziglang() -> bool:
    return importlib.util.find_spec("ziglang") is not None


def build_module(name: str, players: int, cache: Path) -> tuple[bytes, Any] | None:
    """The library of a game, and what its layout depends on; None for a game that has no native code."""
    native = find_native(hoyle.load(name, players=players).program)
    try:
        text, known = native.text, native.known.to_json()
    except Unsupported:
        return None
    key = hashlib.sha256(repr((text, TARGET, COMPILED, LINKED)).encode()).hexdigest()
    kept = cache / f"{key}.wasm"
    if not kept.is_file():
        with tempfile.TemporaryDirectory(dir=cache) as passing:
            source, object_file, made = (Path(passing) / f"program.{ending}" for ending in ("c", "o", "wasm"))
            source.write_text(text, encoding="ascii")
            _zig("cc", *TARGET, *COMPILED, "-o", str(object_file), str(source))
            _zig("wasm-ld", *LINKED, "-o", str(made), str(object_file))
            made.replace(kept)
    return kept.read_bytes(), json.loads(json.dumps(known))


def _zig(*arguments: str) -> None:
    command = [sys.executable, "-m", "ziglang", *arguments]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=LONGEST_BUILD)
