"""The wheel, installed where nothing else is, away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import hoyle

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow  # an environment of its own is made
CLEAN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], cwd=cwd, env=CLEAN, capture_output=True, text=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    assert built.returncode == 0, built.stdout + built.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that holds the wheel, its dependencies and nothing else."""
    folder = tmp_path_factory.mktemp("empty")
    assert run(sys.executable, "-m", "venv", folder / "venv", cwd=folder).returncode == 0
    programs = folder / "venv" / "bin"
    done = run(programs / "python", "-m", "pip", "install", "--quiet", wheel, cwd=folder)
    assert done.returncode == 0, done.stderr
    return programs


def test_the_wheel_holds_the_package_the_games_and_the_schemas(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    shipped = {"interpreter/hoyle": "hoyle", "games": "hoyle/_shipped/games", "schema": "hoyle/_shipped/schema"}
    for folder, place in shipped.items():
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert f"{place}/{path.relative_to(ROOT / folder).as_posix()}" in names
    assert "hoyle/_shipped/docs/README.md" in names  # what `hoyle site` makes pages of
    assert not [name for name in names if name.startswith("hoyle/_shipped/docs/dev/")]


def test_an_installed_wheel_plays_hearts_without_building_the_parser_or_compiling_it(
    installed: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "cache"
    for more, compiles in ((), False), (("--set", "limit=20"), True):
        played = subprocess.run(
            [str(installed / "hoyle"), "play", "hearts", "--auto", "--seed", "1", *more],
            cwd=tmp_path, env={**CLEAN, "HOYLE_CACHE": str(kept)}, capture_output=True, text=True,
        )  # fmt: skip
        assert played.returncode == 0, played.stderr
        assert "win" in played.stdout.splitlines()[-1]
        assert bool(list(kept.glob("made-*"))) == compiles
        assert not list(kept.glob("grammar-*"))


def test_a_wheel_brings_every_game_along(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert len([name for name in names if name.startswith("hoyle/_shipped/programs/")]) == len(hoyle.games())


def test_a_source_package_holds_what_a_wheel_is_built_from(tmp_path: Path) -> None:
    built = run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", tmp_path, ROOT, cwd=tmp_path)
    assert built.returncode == 0, built.stdout + built.stderr
    (packed,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        names = {name.partition("/")[2].partition("/")[0] for name in archive.getnames()}
    assert names == {
        "interpreter", "games", "schema", "docs", "README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE",
        "pyproject.toml", "hatch_build.py", "PKG-INFO", ".gitignore",
    }  # fmt: skip


def test_an_installed_wheel_lists_checks_and_plays_its_games(installed: Path, tmp_path: Path) -> None:
    listed = run(installed / "hoyle", "list", cwd=tmp_path)
    assert listed.returncode == 0, listed.stderr
    assert "bonus-20" in listed.stdout
    checked = run(installed / "hoyle", "check", "bonus-20", cwd=tmp_path)
    assert (checked.returncode, checked.stdout) == (0, "1 file, no problems\n"), checked.stderr
    played = run(installed / "hoyle", "play", "bonus-20", "--auto", "--seed", "1", cwd=tmp_path)
    assert played.returncode == 0, played.stderr
    assert "win" in played.stdout.splitlines()[-1]
