"""One stamp over the whole package keys every cache, so that an upgrade never runs what an earlier version wrote."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMING = """
from hoyle.language.library import find_place
from hoyle.play.engine.code_cache import _find_path
from hoyle.play.engine.native.program import _find_by_digest
print(find_place(("program",), "kuhn-poker"), _find_path("a program"), _find_by_digest("a program").digest)
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, as an installer would put it."""
    root = tmp_path_factory.mktemp("installed")
    for name in ("interpreter", "schema"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "games").mkdir()
    shutil.copytree(ROOT / "games/kuhn-poker", root / "games/kuhn-poker")
    return root


def name_entries(root: Path, cache: Path) -> list[str]:
    """What entries of the caches of compiled, generated and native code are called."""
    environment = {**os.environ, "PYTHONPATH": str(root / "interpreter"), "HOYLE_CACHE": str(cache)}
    found = subprocess.run([sys.executable, "-c", NAMING], capture_output=True, text=True, cwd=root, env=environment)
    assert found.returncode == 0, found.stderr
    return found.stdout.split()


@pytest.mark.parametrize("changed", ["front/web/limits.py", "language/prelude/tricks.yaml", "RECORD"])
def test_a_change_anywhere_in_the_package_makes_everything_anew(package: Path, tmp_path: Path, changed: str) -> None:
    before = name_entries(package, tmp_path)
    assert len(set(before)) == 3 and before == name_entries(package, tmp_path)
    if changed == "RECORD":  # an upgrade may leave names, sizes and times as they were
        record = package / "interpreter/hoyle-0.1.dist-info/RECORD"
        record.parent.mkdir(exist_ok=True)
        record.write_text("hoyle/__init__.py,sha256=other,1\n")
    else:
        path = package / "interpreter/hoyle" / changed
        path.write_text(path.read_text() + "\n")
    assert not set(before) & set(name_entries(package, tmp_path))
