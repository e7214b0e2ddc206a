"""The documentation says what is so: every example on every page is checked, compiled or run."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import yaml

import hoyle
from doc_blocks import (
    ROOT,
    SEATS,
    TABLE,
    Block,
    blocks_of,
    check_expressions,
    check_game,
    check_part,
    check_steps,
    is_yaml,
    list_blocks,
    list_pages,
    save_game,
    save_games,
    specialise_file,
)
from hoyle.authoring import testing
from hoyle.authoring.word_reference import write_reference
from hoyle.base.diagnostics.render import render_text
from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import find_game, schema_text
from hoyle.base.source import Source
from hoyle.front.cli import run
from hoyle.front.site.documentation import name_anchor, put_sections
from hoyle.language.compile import check_file
from hoyle.language.document.reading import read_nodes
from hoyle.language.document.validation import validate
from hoyle.language.queries import read_expression, text_span
from hoyle.language.specialise import Specialised
from hoyle.language.syntax.reserved import RESERVED, VERBS
from hoyle.play.engine.game import Game
from hoyle.program.words import WORDS

KINDS = {
    "yaml game", "yaml part", "yaml module", "yaml slip", "yaml build", "yaml test", "yaml planned", "yaml rules",
    "rule-steps", "rule-expr", "rule-planned", "console", "story", "yaml file", "python", "text",
}  # fmt: skip


NEEDS_SHELL = set("|<>;&$*")


def each_block(*kinds: str) -> pytest.MarkDecorator:
    blocks = blocks_of(*kinds)
    return pytest.mark.parametrize("block", blocks, ids=[block.place for block in blocks])


@cache
def shared_table() -> Specialised:
    return specialise_file(TABLE, SEATS)


# ------------------------------------------------------------------------------------------------ blocks
def test_every_fenced_block_is_of_a_kind_that_is_checked() -> None:
    strange = [
        f"{block.place}: {' '.join(block.info)}"
        for page in list_pages()
        for block in list_blocks(page)
        if block.kind not in KINDS
    ]
    assert not strange


def test_no_page_leaves_a_block_open() -> None:
    for page in list_pages():
        fences = re.findall(r"^ *```", page.read_text(encoding="utf-8"), re.M)
        assert len(fences) == 2 * len(list_blocks(page)), page


@pytest.mark.parametrize("page", list_pages(), ids=lambda page: page.name)
def test_whole_games_pass_the_checker(page: Path, tmp_path: Path) -> None:
    for path in save_games(page, tmp_path):
        assert check_game(path) == ""


@each_block("yaml slip")
def test_slips_are_refused_for_the_reason_told(block: Block, tmp_path: Path) -> None:
    save_games(block.page, tmp_path)
    path = save_game(block, tmp_path)
    found = check_file(path).ordered()
    assert [each.code for each in found] == [block.info[2]], render_text(found)
    assert all(each.primary and each.primary.span.source.name.endswith(path.name) for each in found)


@each_block("yaml part")
def test_parts_of_games_pass_at_the_table_of_the_examples(block: Block, tmp_path: Path) -> None:
    assert check_part(block.body, tmp_path) == ""


@each_block("yaml module")
def test_modules_fit_the_schema(block: Block) -> None:
    report = Report()
    root = read_nodes(Source("module.yaml", block.body), report)
    assert root is not None
    validate(root, "game", report)
    assert render_text(report.ordered()) == ""


@each_block("rule-steps")
def test_statements_pass_as_the_turn_of_a_seat(block: Block, tmp_path: Path) -> None:
    assert check_steps(block.body, tmp_path, *block.info[1:2]) == ""


@each_block("rule-expr")
def test_expressions_pass_when_asked_for_a_seat(block: Block) -> None:
    assert check_expressions(block.body, shared_table()) == ""


@each_block("yaml test")
def test_examples_on_a_page_hold(block: Block, tmp_path: Path) -> None:
    for folder in (ROOT / "docs" / "examples", ROOT / "games"):
        for path in (*folder.rglob("*.game.yaml"), *folder.rglob("rolling-stone/rules.yaml")):
            shutil.copy(path, tmp_path)
    path = tmp_path / "page.test.yaml"
    path.write_text(block.body, encoding="utf-8")
    outcomes = list(testing.run_files([path]))
    assert outcomes
    assert [outcome.message for outcome in outcomes if not outcome.passed] == []


@each_block("yaml planned", "yaml rules")
def test_other_yaml_is_well_formed(block: Block) -> None:
    assert is_yaml(block.body) == ""


@pytest.mark.parametrize("page", list_pages(), ids=lambda page: page.name)
def test_python_examples_give_what_they_show(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    shared: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    for block in list_blocks(page):
        if block.kind == "python":
            test = doctest.DocTestParser().get_doctest(block.body, shared, block.place, str(page), block.line)
            assert test.examples, f"{block.place}: no line begins with >>>"
            runner.run(test, out=said.append, clear_globs=False)
            shared.update(test.globs)
    assert "".join(said) == ""


@pytest.mark.slow
def test_the_first_example_in_python_passes_a_strict_type_checker(tmp_path: Path) -> None:
    block = next(block for block in list_blocks(ROOT / "docs" / "api.md") if block.kind == "python")
    source = "".join(f"{line[4:]}\n" for line in block.body.splitlines() if line.startswith((">>> ", "... ")))
    (tmp_path / "example.py").write_text(source, encoding="utf-8")
    done = run_shell(f"MYPYPATH={ROOT / 'interpreter'} {sys.executable} -m mypy --strict example.py", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


# ------------------------------------------------------------------------------------------------ commands
@each_block("console")
def test_commands_print_what_is_shown(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    save_games(block.page, tmp_path)
    if block.page.name == "tutorial.md":  # where the reader has written the files of its example
        shutil.copytree(ROOT / "docs" / "examples" / "rolling-stone", tmp_path, dirs_exist_ok=True)
    for name in ("docs", "games"):
        (tmp_path / name).symlink_to(ROOT / name)
    wanted_code = next((int(word.removeprefix("exit=")) for word in block.info if word.startswith("exit=")), 0)
    for command, shown in split_commands(block.body):
        if command.startswith("make "):
            assert re.search(rf"^{command.split()[1]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
            continue
        words = shlex.split(command)
        if words[0] == "hoyle" and block.page.name != "README.md" and not set(command) & NEEDS_SHELL:
            code, printed = run(words[1:]), "".join(capsys.readouterr())  # as a program would do it, but at once
        else:
            done = run_shell(command, tmp_path)
            code, printed = done.returncode, done.stdout + done.stderr
        assert code == wanted_code, printed
        missing = find_missing(shown, printed.splitlines())
        assert missing is None, f"{block.place}: `{missing}` is not in the output of `{command}`:\n{printed}"


STORIES = [page for page in list_pages() if any(block.kind == "story" for block in list_blocks(page))]


@pytest.mark.slow
@pytest.mark.parametrize("page", STORIES, ids=lambda page: page.name)
def test_a_story_can_be_followed_from_its_first_command_to_its_last(page: Path, tmp_path: Path) -> None:
    for block in list_blocks(page):
        if block.kind == "yaml file":
            (tmp_path / block.info[2]).write_text(block.body, encoding="utf-8")
        for command, shown in split_commands(block.body) if block.kind == "story" else ():
            done = run_shell(command, tmp_path)
            assert done.returncode == 0, f"{block.place}: {command}\n{done.stdout}{done.stderr}"
            missing = find_missing(shown, (done.stdout + done.stderr).splitlines())
            assert missing is None, f"{block.place}: `{missing}` is not in the output of `{command}`:\n{done.stdout}"


def split_commands(text: str) -> list[tuple[str, list[str]]]:
    """The commands of a block, each with the lines shown below it."""
    commands: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif line.strip() not in ("", "...") and commands:
            commands[-1][1].append(line)
    return commands


def run_shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "bin").mkdir(exist_ok=True)
    program = folder / "bin" / "hoyle"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hoyle.front.cli "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "interpreter"),
        "COLUMNS": "100",
    }
    return subprocess.run(
        command, shell=True, cwd=folder, env=environment, text=True, capture_output=True, timeout=120, check=False
    )


def find_missing(shown: list[str], lines: list[str]) -> str | None:
    """The first line shown that does not occur in the output after those before it; `…` stands for anything."""
    rest = iter(" ".join(line.split()) for line in lines)
    for line in shown:
        pattern = re.compile(".*".join(map(re.escape, " ".join(line.split()).split("…"))))
        if not any(pattern.fullmatch(found) for found in rest):
            return line
    return None


# ------------------------------------------------------------------------------------------------ words
def test_the_reference_of_words_is_up_to_date() -> None:
    written = (ROOT / "docs" / "words.md").read_text(encoding="utf-8")
    assert written == write_reference(), "run: python -m hoyle.authoring.word_reference > docs/words.md"


@pytest.mark.parametrize("name", sorted(word.name for word in WORDS.values() if word.example))
def test_the_example_of_a_word_is_true(name: str) -> None:
    path = find_game("bonus-20")
    assert path is not None
    asked = specialise_file(path, SEATS)
    report = Report()
    query = read_expression(asked, text_span(WORDS[name].example), report)
    assert query is not None, render_text(report.ordered())
    match = Game(asked.program).new(seed=1)
    evaluator = match.executor.evaluator
    assert evaluator.value(query.expr, match.position, [None] * query.frame) is True


# ------------------------------------------------------------------------------------------------ pages
def test_every_link_leads_to_a_file() -> None:
    for page in list_pages():
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_link_into_a_page_leads_to_a_heading() -> None:
    for page in list_pages():
        for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)]+)\)", page.read_text(encoding="utf-8")):
            named = page if not target else page.parent / target
            assert anchor in list_anchors(named), f"{page.name}: {target}#{anchor}"


def list_anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    text = re.sub(r"^ *```.*?^ *```$", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    return set(map(name_anchor, re.findall(r"^#+ +(.+)$", text, re.M)))


def test_every_statement_is_shown() -> None:
    pages = [ROOT / "docs" / name for name in ("language.md", "cookbook.md")]
    shown = "".join(block.body for page in pages for block in list_blocks(page) if block.info[-1] != "planned")
    missing = [verb for verb in sorted(VERBS) if not re.search(rf"(?:^|: ) *{verb} ", shown, re.M)]
    assert not missing


def test_the_language_page_speaks_of_every_section_of_a_file() -> None:
    text = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    sections = json.loads(schema_text("game"))["properties"]
    assert [name for name in sections if not re.search(rf"^{name}:|`{name}:?`", text, re.M)] == []


def test_the_language_page_lists_the_words_that_cannot_be_names() -> None:
    text = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    listed = re.search(r"The connecting words \(`([^`]+)`\)", text)
    assert listed is not None
    assert set(listed[1].split()) == RESERVED


def test_the_tutorial_grows_into_the_game_in_the_examples(tmp_path: Path) -> None:
    text = ""
    folder = ROOT / "docs" / "examples" / "rolling-stone"
    (tmp_path / "rules.yaml").write_text((folder / "rules.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    path = tmp_path / "rolling-stone.game.yaml"
    for block in list_blocks(ROOT / "docs" / "tutorial.md"):
        if block.kind == "yaml build":
            text = put_sections(text, block.body)
            path.write_text(text, encoding="utf-8")
            assert check_game(path) == "", block.place
    finished = (folder / "rolling-stone.game.yaml").read_text(encoding="utf-8")
    assert yaml.safe_load(text) == yaml.safe_load(finished)


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "examples").rglob("*.game.yaml")), ids=lambda path: path.stem)
def test_games_of_the_examples_pass_and_can_be_played_to_the_end(path: Path) -> None:
    assert check_game(path) == ""
    match = hoyle.load(path).new(seed=1)
    turn = 0
    while (decision := match.decision) is not None:
        match.apply(turn % len(decision.actions))
        turn += 1
    assert match.winners


def test_the_examples_beside_the_games_of_the_documentation_hold() -> None:
    outcomes = list(testing.run_files([ROOT / "docs" / "examples"]))
    assert outcomes
    assert [outcome.message for outcome in outcomes if not outcome.passed] == []
