"""Pyodide, Python for the browser: fetched from npm, pinned, unmodified.

In: a cache folder. Out: the folder of its files. It is under the Mozilla Public License 2.0; a site shows the notice.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from hoyle.base.errors import HoyleError

VERSION = "314.0.7"
# The integrity that npm gives, of the packed package.
DIGEST = (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyM"
    "cWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
LOCK = "pyodide-lock.json"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", LOCK)
PATIENCE = 600  # seconds


class NotBuilt(HoyleError):  # noqa: N818 - what a person can do about it is in the text
    """A site cannot be built here; the text says what is missing."""


def find_tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise NotBuilt(f"{name} is missing, which building a site needs; on Debian and Ubuntu: sudo apt install npm")
    return path


def fetch_pyodide(cache: Path) -> Path:
    """The folder of Pyodide's files, downloaded once."""
    folder = cache / f"pyodide-{VERSION}"
    if all((folder / name).is_file() for name in FILES):
        return folder
    npm = find_tool("npm")
    with tempfile.TemporaryDirectory(dir=cache) as passing:
        command = [npm, "pack", f"pyodide@{VERSION}", "--silent", "--pack-destination", passing]
        try:
            run = subprocess.run(command, cwd=passing, capture_output=True, text=True, timeout=PATIENCE, check=False)
        except (OSError, subprocess.SubprocessError) as failure:
            raise NotBuilt(f"npm could not be run: {failure}") from None
        packed = next(Path(passing).glob("*.tgz"), None)
        if run.returncode or packed is None:
            said = run.stderr.strip().splitlines()
            raise NotBuilt(f"npm could not fetch pyodide {VERSION}: {said[-1] if said else run.returncode}")
        if base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode() != DIGEST:
            raise NotBuilt(f"what npm has given is not pyodide {VERSION} as it is known here")
        made = Path(passing) / "files"
        made.mkdir()
        with tarfile.open(packed) as archive:
            for name in FILES:
                member = archive.extractfile(f"package/{name}")
                assert member is not None
                (made / name).write_bytes(member.read())
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)
    return folder
