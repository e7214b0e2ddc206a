"""Every diagnostic has a rule file that triggers it; how it is shown stands beside the file and is reviewed as text.

A sample is named after the code it triggers: `<code>-<what>.game.yaml`, with `<code>-<what>.expected` beside it. Lines
at its top may say how it is loaded and how many findings there are, if not one:

    # players: 12
    # options: turn_cap=many, scoring=high
    # finds: 2
    # trial: yes
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hoyle.authoring.interval_lints import review
from hoyle.authoring.trial_matches import try_out
from hoyle.base.diagnostics.codes_document import DOCUMENT_CODES
from hoyle.base.diagnostics.codes_review import REVIEW_CODES
from hoyle.base.diagnostics.codes_rules import RULE_CODES
from hoyle.base.diagnostics.codes_syntax import SYNTAX_CODES
from hoyle.base.diagnostics.codes_variants import VARIANT_CODES
from hoyle.base.diagnostics.render import render_text
from hoyle.base.diagnostics.report import Diagnostic, Report
from hoyle.front.cli.check import find_broken
from hoyle.language.compile import check_file, check_game, compile_game
from hoyle.language.document.file_limits import MAX_BYTES, MAX_CHAIN, MAX_NODES
from hoyle.language.syntax.parse import LONGEST_TEXT
from hoyle.language.variants.variant_lints import check_file_name

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "language" / "invalid"
# What the samples of variants extend.
_KINDS = ("", "-low", "-high", "-other", "-french", "-house")
PARENTS = {f"parent{kind}.game.yaml" for kind in _KINDS}
SAMPLES = sorted(path for path in FOLDER.rglob("*.game.yaml") if path.name not in PARENTS)
CODES = {code.slug: code for code in (*DOCUMENT_CODES, *RULE_CODES, *SYNTAX_CODES, *REVIEW_CODES, *VARIANT_CODES)}
MOST_FIXES = 5


def golden_of(path: Path) -> Path:
    return path.with_name(path.name.replace(".game.yaml", ".expected"))


def name_sample(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix().removesuffix(".game.yaml")




@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths are shown from the present folder."""
    monkeypatch.chdir(ROOT)


def read_header(path: Path) -> dict[str, str]:
    found = re.findall(rb"^# (players|options|finds|trial|review): (.+)$", path.read_bytes(), re.MULTILINE)
    return {key.decode(): value.decode().strip() for key, value in found}


def check(path: Path, header: dict[str, str]) -> Report:
    """The report of a file, loaded with the players and options its header names."""
    if "trial" in header:
        checked = check_game(path)
        try_out(checked)
        return checked.report
    if "review" in header:
        checked = check_game(path)
        review(checked)
        return checked.report
    if not header.keys() & {"players", "options"}:
        return check_file(path)
    settings = [part.split("=", 1) for part in header.get("options", "").split(", ") if part]
    players = int(header["players"]) if "players" in header else None
    return compile_game(path, players, dict(settings))[1]


def find(path: Path, header: dict[str, str]) -> list[Diagnostic]:
    report = check(path, header)
    assert report.stumbled == [], "a pass should have coped with what an error left out"
    return report.ordered()


def code_of(path: Path) -> str:
    """The code a sample is named after: the longest its name begins with."""
    return max((code for code in CODES if path.name.startswith((f"{code}-", f"{code}."))), key=len, default="")


# ------------------------------------------------------------------------------------------------ samples in files
@pytest.mark.parametrize("path", SAMPLES, ids=name_sample)
def test_a_sample_shows_its_own_fault_as_written_and_is_mended(path: Path, update: bool, tmp_path: Path) -> None:
    """One test for all that is asked of a sample, so that it is checked once."""
    header = read_header(path)
    diagnostics = find(path, header)
    codes = [diagnostic.code for diagnostic in diagnostics]
    assert code_of(path), "the name of a sample begins with a code"
    assert code_of(path) in codes
    assert len(codes) == int(header.get("finds", "1"))
    for diagnostic in diagnostics:
        assert_is_one_plain_sentence_with_a_place(diagnostic)
    golden = golden_of(path)
    shown = render_text(diagnostics)
    if update:
        golden.write_text(shown, encoding="utf-8")
    assert golden.is_file(), "write it with pytest --update, and read it"
    assert shown == golden.read_text(encoding="utf-8")
    if any(diagnostic.fix for diagnostic in diagnostics):
        assert_fixes_mend(path, header, diagnostics, tmp_path)


def assert_is_one_plain_sentence_with_a_place(diagnostic: Diagnostic) -> None:
    assert re.match(r"[a-z0-9`]|YAML", diagnostic.message)
    assert not diagnostic.message.endswith(".")
    assert "\n" not in diagnostic.message
    assert len(diagnostic.message) <= 200
    assert diagnostic.primary is not None or diagnostic.code == "empty-file"


def assert_fixes_mend(path: Path, header: dict[str, str], diagnostics: list[Diagnostic], folder: Path) -> None:
    """Carrying out the fixes, one after the other, leaves a file without faults; a sample may declare to no purpose."""
    for beside in path.parent.iterdir():  # parents, modules and rules
        if beside.is_file() and (beside.name in PARENTS or not beside.name.endswith((".game.yaml", ".expected"))):
            shutil.copy(beside, folder)
    file, text = folder / path.name, path.read_text(encoding="utf-8")
    for _ in range(MOST_FIXES):
        fix = next((diagnostic.fix for diagnostic in diagnostics if diagnostic.fix), None)
        if fix is None:
            break
        assert fix.span.source.text == text
        text = text[: fix.span.start] + fix.text + text[fix.span.end :]
        file.write_text(text, encoding="utf-8")
        diagnostics = check(file, header).ordered()
    assert [diagnostic.code for diagnostic in diagnostics if diagnostic.code != "never-used"] == []


def test_cards_that_lie_where_nothing_is_chosen_from_are_not_told_to_be_stuck() -> None:
    checked = check_game(FOLDER.parent / "valid" / "won-cards.game.yaml")
    try_out(checked)
    assert [diagnostic.code for diagnostic in checked.report.ordered()] == []


def test_a_comment_says_that_cards_are_left_to_the_rules(tmp_path: Path) -> None:
    text = (FOLDER / "never-playable-joker.game.yaml").read_text(encoding="utf-8")
    line = next(line for line in text.split("\n") if "joker: {" in line)
    file = tmp_path / "never-playable-joker.game.yaml"
    file.write_text(text.replace(line, f"{line}  # unreached: a joker is laid by the rules"), encoding="utf-8")
    checked = check_game(file)
    try_out(checked)
    assert [diagnostic.code for diagnostic in checked.report.ordered()] == []


def test_no_expected_text_is_left_without_its_sample() -> None:
    texts = {path.with_name(path.name.replace(".expected", ".game.yaml")) for path in FOLDER.rglob("*.expected")}
    assert texts <= set(SAMPLES)


# ------------------------------------------------------------------------------------------------ samples built here
MINIMAL = "game: sample\ntitle: A sample\nplayers: 2\ndeck: {cards: [{name: joker}]}\nzones: {pack: {shows: nothing}}\n"
REST = "steps: {match: shuffle pack}\nwinners: seats\n"


def build_missing(folder: Path) -> Path:
    return folder / "nowhere.game.yaml"


def build_large(folder: Path) -> Path:
    file = folder / "sample.game.yaml"
    file.write_text(MINIMAL + REST + "#" * MAX_BYTES, encoding="utf-8")
    return file


def build_many_values(folder: Path) -> Path:
    file = folder / "sample.game.yaml"
    file.write_text(MINIMAL + REST + "labels: [" + "1," * MAX_NODES + "]\n", encoding="utf-8")
    return file


def build_long_chain(folder: Path) -> Path:
    (folder / "v0.game.yaml").write_text(MINIMAL + REST, encoding="utf-8")
    for number in range(1, MAX_CHAIN + 2):
        (folder / f"v{number}.game.yaml").write_text(f"game: v{number}\nextends: v{number - 1}\n", encoding="utf-8")
    return folder / f"v{MAX_CHAIN + 1}.game.yaml"


def build_long_rule(folder: Path) -> Path:
    file = folder / "sample.game.yaml"
    rule = "1" + " + 1" * (LONGEST_TEXT // 4)
    file.write_text(MINIMAL + f"definitions:\n  limit: {rule}\n" + REST, encoding="utf-8")
    return file


def build_much_to_check(folder: Path) -> Path:
    file = folder / "sample.game.yaml"
    steps = "".join(f"  s{i}: |\n" + "    shuffle pack\n" * 800 for i in range(25))
    file.write_text(MINIMAL + f"steps:\n  match: do s0\n{steps}" + "winners: seats\n", encoding="utf-8")
    return file


def build_parent_elsewhere(folder: Path) -> Path:
    (folder / "near").mkdir()
    (folder / "near" / "cribbage.game.yaml").write_text(MINIMAL + REST, encoding="utf-8")
    file = folder / "short.game.yaml"
    file.write_text("game: short\ntitle: Short\nextends: cribbage\noptions: {target: 61}\n", encoding="utf-8")
    return file


def build_other_name(folder: Path) -> Path:
    file = folder / "other.game.yaml"
    file.write_text("game: short\ntitle: Short\nextends: cribbage\noptions: {target: 61}\n", encoding="utf-8")
    return file


def build_broken_variant(folder: Path) -> Path:
    variant = "game: short\ntitle: Short\nextends: sample\noptions: {x: 1}\n"
    (folder / "short.game.yaml").write_text(variant, encoding="utf-8")
    file = folder / "sample.game.yaml"
    file.write_text(MINIMAL + REST, encoding="utf-8")
    return file


BUILT: dict[str, Callable[[Path], Path]] = {
    "unreadable-file": build_missing,
    "file-too-large": build_large,
    "too-many-values": build_many_values,
    "chain-too-long": build_long_chain,
    "too-long": build_long_rule,
    "too-much-to-check": build_much_to_check,
    "parent-elsewhere": build_parent_elsewhere,
    "other-file-name": build_other_name,
    "variant-breaks": build_broken_variant,
}


@pytest.mark.parametrize("code", BUILT)
def test_what_is_too_much_for_a_sample_is_answered_too(code: str, tmp_path: Path) -> None:
    checked = check_game(BUILT[code](tmp_path))
    if checked.file is not None:
        check_file_name(checked.file, checked.report)
        checked.report.diagnostics += find_broken([checked.file.path]).values()
    assert [diagnostic.code for diagnostic in checked.report.ordered()] == [code]


def test_what_the_built_samples_are_made_of_is_a_game(tmp_path: Path) -> None:
    file = tmp_path / "sample.game.yaml"
    file.write_text(MINIMAL + REST, encoding="utf-8")
    assert check_file(file).ordered() == []


def test_every_code_has_a_sample() -> None:
    told = "\n".join(golden_of(path).read_text(encoding="utf-8") for path in SAMPLES)
    triggered = set(re.findall(r"\b(?:error|warning)\[([a-z\d-]+)\]", told)) | BUILT.keys()
    assert sorted(CODES.keys() - triggered) == []
    assert sorted(triggered - CODES.keys()) == []
