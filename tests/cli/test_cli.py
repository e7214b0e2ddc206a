"""The command line as its user meets it: output, errors, exit codes."""

from __future__ import annotations

import importlib
import importlib.util
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from hoyle.authoring.testing import running
from hoyle.base import shipped
from hoyle.base.diagnostics.codes import CODES
from hoyle.front.cli import run
from hoyle.front.cli.group import COMMANDS


class Answer(NamedTuple):
    code: int
    out: str
    err: str


Hoyle = Callable[..., Answer]


@pytest.fixture
def hoyle(capsys: pytest.CaptureFixture[str]) -> Hoyle:
    def call(*arguments: str | Path) -> Answer:
        code = run([str(argument) for argument in arguments])
        return Answer(code, *capsys.readouterr())

    return call


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.game.yaml"
    path.write_text("game: broken\ntitel: Broken\n", encoding="utf-8")
    return path


def test_help_without_arguments_names_every_command(hoyle: Hoyle) -> None:
    answer = hoyle()
    assert answer.code == 0
    assert all(f"\n  {name} " in answer.out for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(hoyle: Hoyle, command: str) -> None:
    answer = hoyle(command, "--help")
    assert answer.code == 0
    assert f"Example: hoyle {command}" in answer.out


def test_help_is_a_command_too(hoyle: Hoyle) -> None:
    assert hoyle("help") == hoyle("--help")
    assert hoyle("help", "check").out == hoyle("check", "--help").out
    assert "did you mean `hoyle check`?" in hoyle("help", "chekc").err


def test_examples_of_the_folder_one_stands_in_are_run(
    hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(Path(__file__).parents[2] / "docs" / "examples" / "rolling-stone", tmp_path / "rolling-stone")
    for folder in (tmp_path, tmp_path / "rolling-stone"):
        monkeypatch.chdir(folder)
        assert hoyle("test").out == "11 passed, 0 failed\n"


def test_the_version_is_told(hoyle: Hoyle) -> None:
    assert hoyle("--version").out.startswith("hoyle 0.")


def test_an_unknown_command_suggests_the_nearest(hoyle: Hoyle) -> None:
    answer = hoyle("plya")
    assert answer.code == 2
    assert "no command `plya`; did you mean `hoyle play`?" in answer.err


def test_an_unknown_option_is_wrong_usage_and_only_what_is_nearly_written_so_is_suggested(hoyle: Hoyle) -> None:
    answer = hoyle("check", "--fromat", "json", "x")
    assert answer.code == 2 and "Did you mean '--format'?" in answer.err
    assert "Did you mean" not in hoyle("ir", "cribbage", "--bot", "easy").err


def test_what_is_set_to_be_compared_goes_with_each_game(hoyle: Hoyle) -> None:
    answer = hoyle("compare", "cribbage", "cribbage-61", "--bot", "easy")
    assert answer.code == 2 and '"my-game players=3 bot=easy"' in answer.err


def test_an_unknown_game_suggests_the_nearest(hoyle: Hoyle) -> None:
    answer = hoyle("ir", "bonsu-20")
    assert answer.code == 1
    assert answer.err == "hoyle: no game named `bonsu-20`; did you mean `bonus-20`?\n"


def test_a_game_there_is_not_tells_those_with_names_most_like_it(hoyle: Hoyle) -> None:
    answer = hoyle("play", "sevnty")
    assert answer.code == 1
    assert answer.err.startswith("hoyle: no game named `sevnty`; the nearest are `sevens`")
    assert "the nearest" not in hoyle("play", "xyzzyq").err
    for far in ("quartets", "xyzzyq"):
        said = hoyle("play", far).err
        assert "did you mean" not in said and "bunco" not in said, "a wrong hint is worse than none"
    near = "`bi-jinx-partners` or `bunco-partners` or `cribbage-partners`"
    assert hoyle("play", "partners").err.startswith(f"hoyle: no game named `partners`; did you mean {near}")
    assert "did you mean `crazy-eights` (Swedish Rummy)" in hoyle("play", "swedish").err


def test_a_game_is_found_by_its_other_names_however_they_are_written(hoyle: Hoyle) -> None:
    for name, title in {"Patience": "Klondike", "poker": "Texas Hold'em", "hold'em": "Texas Hold'em",
                        "big two": "Big Two", "Fight the Landlord": "Dou Dizhu"}.items():  # fmt: skip
        answer = hoyle("list", name)
        assert (answer.code, title in answer.out) == (0, True), name


@pytest.mark.parametrize("command", ["check", "ir", "play", "sim", "list", "test"])
def test_a_file_that_is_not_there_is_a_problem_in_one_line(hoyle: Hoyle, command: str) -> None:
    answer = hoyle(command, "nowhere/none.game.yaml")
    assert answer.code == 1
    assert answer.err.count("\n") == 1
    assert "none.game.yaml" in answer.err


def test_examples_are_those_of_this_folder_and_what_lies_below_it(
    hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = hoyle("test")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("no examples found")
    for folder in ("mine/deep/kuhn-poker", ".venv/kuhn-poker"):
        shutil.copytree(shipped.games_folder() / "kuhn-poker", tmp_path / folder)
    here = hoyle("test")
    assert (here.code, here.out) == (0, hoyle("test", "mine").out)


def test_list_shows_every_shipped_game_with_its_players(hoyle: Hoyle) -> None:
    answer = hoyle("list")
    assert answer.code == 0
    for path in shipped.all_games():
        assert any(line.split()[0] == shipped.game_name(path) for line in answer.out.splitlines() if line.strip())


@pytest.mark.parametrize(
    ("game", "written", "hint"),
    [
        ("whist", "traget", "did you mean `target`?"),
        ("whist", "TARGET", "did you mean `target`?"),
        ("whist", "players", "it has `target`, `games`, `honours`"),
        ("bunco", "zebra", " and 9 more"),
    ],
)
def test_an_option_that_is_not_there_is_told_with_those_that_are(
    hoyle: Hoyle, game: str, written: str, hint: str
) -> None:
    answer = hoyle("sim", game, "--set", f"{written}=1")
    assert answer.code == 1
    assert f"the game has no option `{written}`" in answer.err
    assert f"{hint}\n" in answer.err


def test_a_list_without_a_game_says_so(hoyle: Hoyle) -> None:
    assert hoyle("list", "--players", "60") == Answer(1, "", "hoyle: no game here is for 60 players\n")


@pytest.mark.parametrize("option", [("--players", "4"), ("--by", "kind")])
def test_one_game_is_not_grouped(hoyle: Hoyle, option: tuple[str, str]) -> None:
    answer = hoyle("list", "whist", *option)
    assert (answer.code, answer.out) == (1, "")
    assert "--by and --players are for a list of games" in answer.err


@pytest.mark.parametrize("option", ["-o", "--out", "--output"])
@pytest.mark.parametrize("command", [("rules",), ("flatten",), ("graph",), ("sim", "--games", "2")])
def test_every_command_that_writes_a_file_takes_its_name_alike(
    hoyle: Hoyle, tmp_path: Path, command: tuple[str, ...], option: str
) -> None:
    ends = {"rules": "txt", "flatten": "game.yaml", "graph": "svg", "sim": "csv"}
    file = tmp_path / f"some.{ends[command[0]]}"
    assert hoyle(*command, "kuhn-poker", option, file).code == 0
    assert file.stat().st_size > 0


def test_list_of_a_game_shows_its_options_in_sentences(hoyle: Hoyle) -> None:
    answer = hoyle("list", "bonus-20")
    assert answer.code == 0
    assert "leader_may_draw" in answer.out
    assert "The leader may draw instead; then the next player leads." in " ".join(answer.out.split())


def test_check_of_a_good_game_says_so(hoyle: Hoyle) -> None:
    assert hoyle("check", "bonus-20") == Answer(0, "1 file, no problems\n", "")


def test_check_of_a_folder_checks_every_game_in_it(hoyle: Hoyle, broken: Path) -> None:
    broken.with_name("other.game.yaml").write_text(broken.read_text(), encoding="utf-8")
    answer = hoyle("check", broken.parent)
    assert answer.code == 1
    assert "broken.game.yaml:2:1" in answer.out
    assert "other.game.yaml:2:1" in answer.out
    assert answer.out.splitlines()[-1].endswith("in 2 files")


def test_check_counts_errors_in_the_closing_line(hoyle: Hoyle, broken: Path) -> None:
    answer = hoyle("check", broken)
    errors = answer.out.count("error[")
    assert errors
    assert answer.out.splitlines()[-1].startswith(f"{errors} error")


def test_check_as_json_gives_code_and_place(hoyle: Hoyle, broken: Path) -> None:
    answer = hoyle("check", "--format", "json", broken)
    assert answer.code == 1
    found = json.loads(answer.out)
    assert all(diagnostic["code"] in CODES for diagnostic in found)
    assert any(diagnostic["line"] == 2 and diagnostic["file"].endswith("broken.game.yaml") for diagnostic in found)


def test_check_and_test_know_json_by_the_flag_of_the_other_commands(hoyle: Hoyle, broken: Path) -> None:
    for command in (["check", str(broken)], ["test", "docs/examples/rolling-stone"]):
        assert hoyle(*command, "--json") == hoyle(*command, "--format", "json")
        assert hoyle(*command, "--format", "text") == hoyle(*command)


def test_check_of_a_good_game_as_json_is_an_empty_list(hoyle: Hoyle) -> None:
    assert json.loads(hoyle("check", "bonus-20", "--format", "json").out) == []


def test_check_of_a_folder_without_games_is_a_problem(hoyle: Hoyle, tmp_path: Path) -> None:
    answer = hoyle("check", tmp_path)
    assert answer.code == 1
    assert "no rule files" in answer.err


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"[" * 20_000, b"game: [", b"- 1\n", b"\x00"])
@pytest.mark.parametrize("command", ["check", "ir", "play", "sim", "list"])
def test_a_file_of_rubbish_gives_diagnostics_and_never_our_own_fault(
    hoyle: Hoyle, tmp_path: Path, command: str, content: bytes
) -> None:
    path = tmp_path / "rubbish.game.yaml"
    path.write_bytes(content)
    answer = hoyle(command, path)
    assert answer.code == 1
    assert "error[" in answer.out + answer.err


@pytest.mark.parametrize("command", ["ir", "play", "sim"])
def test_a_broken_game_is_not_played(hoyle: Hoyle, broken: Path, command: str) -> None:
    answer = hoyle(command, broken)
    assert answer.code == 1
    assert answer.out == ""
    assert "broken.game.yaml:2:1" in answer.err


def test_explain_tells_the_meaning_and_both_examples(hoyle: Hoyle) -> None:
    code = next(code for code in CODES.values() if code.wrong and code.right)
    answer = hoyle("explain", code.slug)
    assert answer.code == 0
    assert code.meaning.split()[0] in answer.out
    assert "Wrong:" in answer.out
    assert "Right:" in answer.out


def test_explain_fits_a_narrow_terminal(hoyle: Hoyle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    meaning = hoyle("explain", "overlapping-cases").out.partition("Wrong:")[0]
    assert max(map(len, meaning.splitlines())) <= 40


def test_explain_takes_a_code_as_messages_show_it(hoyle: Hoyle) -> None:
    slug = next(iter(CODES))
    assert hoyle("explain", f"error[{slug}]:") == hoyle("explain", slug)


def test_explain_without_a_code_lists_them_all(hoyle: Hoyle) -> None:
    assert [line.split()[0] for line in hoyle("explain").out.splitlines()] == sorted(CODES)


def test_explain_of_an_unknown_code_suggests_the_nearest(hoyle: Hoyle) -> None:
    answer = hoyle("explain", "emtpy-file")
    assert answer.code == 1
    assert "did you mean `empty-file`?" in answer.err


def test_ir_prints_text_and_json(hoyle: Hoyle) -> None:
    text = hoyle("ir", "bonus-20", "--players", "3")
    data = hoyle("ir", "bonus-20", "--players", "3", "--json")
    assert (text.code, data.code) == (0, 0)
    assert text.out.strip()
    assert isinstance(json.loads(data.out), dict)


@pytest.mark.parametrize(
    ("form", "shown"), [("--low", ", entry:"), ("--python", "def play("), ("--c", "int32_t run(Pos *P, Ask *A)")]
)
def test_a_program_is_printed_in_every_form_it_takes(hoyle: Hoyle, form: str, shown: str) -> None:
    answer = hoyle("ir", "cribbage", form)
    assert answer.code == 0
    assert shown in answer.out


def test_ir_depends_on_the_options_set(hoyle: Hoyle) -> None:
    usual = hoyle("ir", "bonus-20", "--json")
    changed = hoyle("ir", "bonus-20", "--json", "--set", "leader_may_draw=yes")
    assert changed.code == 0
    assert usual.out != changed.out


@pytest.mark.parametrize("setting", ["nonsense", "=3", ""])
def test_a_setting_without_option_or_value_is_wrong_usage(hoyle: Hoyle, setting: str) -> None:
    answer = hoyle("ir", "bonus-20", "--set", setting)
    assert answer.code == 2
    assert "option=value" in answer.err


def test_an_option_set_twice_is_refused(hoyle: Hoyle) -> None:
    answer = hoyle("sim", "cribbage", "--games", "1", "--set", "target=61", "--set", "target=31")
    assert answer.code == 2
    assert "`target` is set twice" in answer.err


@pytest.mark.parametrize("setting", ["no_such_option=1", "leader_may_draw=perhaps", "match_deals=0", "match_deals=x"])
def test_an_option_unknown_or_out_of_range_is_refused(hoyle: Hoyle, setting: str) -> None:
    answer = hoyle("ir", "bonus-20", "--set", setting)
    assert answer.code == 1
    assert setting.partition("=")[0] in answer.err


@pytest.mark.parametrize("players", ["1", "10", "1000000000"])
def test_a_number_of_players_the_game_does_not_allow_is_refused(hoyle: Hoyle, players: str) -> None:
    answer = hoyle("ir", "bonus-20", "--players", players)
    assert answer.code == 1
    assert "players" in answer.err


def test_a_number_of_players_below_one_is_wrong_usage(hoyle: Hoyle) -> None:
    assert hoyle("ir", "bonus-20", "--players", "0").code == 2


@pytest.mark.skipif(importlib.util.find_spec("hoyle.authoring.testing") is None, reason="examples cannot be run yet")
def test_test_runs_the_examples_of_a_game(hoyle: Hoyle) -> None:
    answer = hoyle("test", "bonus-20")
    assert answer.code == 0
    assert answer.out.endswith(" passed, 0 failed\n")


def test_test_with_nothing_to_run_fails(hoyle: Hoyle, tmp_path: Path) -> None:
    for style in ("text", "json", "junit"):
        assert hoyle("test", str(tmp_path), "--format", style).code == 1
        assert hoyle("test", "docs/examples/rolling-stone", "-k", "no such name", "--format", style).code == 1


# ------------------------------------------------------------------------------------------------ odd words
def test_examples_that_passed_are_run_again_once_anything_they_hang_on_has_changed(
    hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    monkeypatch.setenv("HOYLE_CACHE", str(cache))
    shutil.copytree("docs/examples/rolling-stone", tmp_path / "game")
    game = tmp_path / "game"
    examples, parent, child = (game / f"rolling-stone{kind}.yaml" for kind in (".test", ".game", "-mercy.game"))
    runs: list[str] = []
    monkeypatch.setattr(running, "run_example", lambda *given, run=running.run_example: runs.append("") or run(*given))

    def count(*more: str) -> int:
        runs.clear()
        hoyle("test", game, *more)
        return len(runs)

    everything = count()
    assert everything > 2
    answer = hoyle("test", game, "--json")
    assert count() == 0
    assert hoyle("test", game, "--json") == answer
    assert hoyle("test", game, "-k", "no such name").code == 1
    child.write_text(child.read_text() + "\n# a remark\n")
    assert 0 < count() < everything
    parent.write_text(parent.read_text() + "\n# a remark\n")
    assert count() == everything
    wrong = "  - name: a wrong one\n    eval: [{evaluate: 1, gives: 2}]\n"
    examples.write_text(examples.read_text() + wrong)
    assert count() == count() > 0  # what has failed is shown in full each time


@pytest.mark.parametrize("command", ["check", "test", "list", "sim"])
def test_a_folder_named_like_a_shipped_game_does_not_hide_it(
    command: str, hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bonus-20").mkdir()
    monkeypatch.chdir(tmp_path)
    more = ("-n", "1", *("--set", "match_length=some_deals", "--set", "match_deals=1")) if command == "sim" else ()
    assert hoyle(command, "bonus-20", *more).code == 0


@pytest.mark.parametrize("command", ["check", "test", "play", "sim", "ir"])
def test_an_empty_word_names_no_game(command: str, hoyle: Hoyle) -> None:
    answer = hoyle(command, "")
    assert answer.code == 1
    assert "no game named" in answer.err


@pytest.mark.parametrize("arguments", [("play", "bonus-20", "--auto", "--delay", "nan"),
                                       ("sim", "bonus-20", "-n", "1", "--errors", "nan")])  # fmt: skip
def test_what_is_not_a_number_is_refused(arguments: tuple[str, ...], hoyle: Hoyle) -> None:
    answer = hoyle(*arguments)
    assert answer.code == 2
    assert "not a number" in answer.err


def test_list_groups_games_by_family_players_or_kind(hoyle: Hoyle) -> None:
    by_family = hoyle("list").out.split("\n\n")
    tricks = next(group for group in by_family if group.startswith("tricks\n"))
    assert "\n  hearts " in tricks and "\n  cheat " not in tricks
    assert any(group.startswith("4 players\n") for group in hoyle("list", "--by", "players").out.split("\n\n"))
    with_partners = next(g for g in hoyle("list", "--by", "kind").out.split("\n\n") if g.startswith("with partners\n"))
    assert "\n  whist " in with_partners and "\n  hearts " not in with_partners
    assert " whist " not in hoyle("list", "--players", "3").out


def test_a_game_is_found_by_its_other_names(hoyle: Hoyle, tmp_path: Path) -> None:
    assert hoyle("list", "Twenty-One").out.startswith("Blackjack,")
    assert hoyle("list", "texas hold'em").out.startswith("Texas Hold'em,")
    assert "did you mean `hearts`" in hoyle("play", "blak lady").err
    variant = tmp_path / "lady.game.yaml"
    text = "game: lady\ntitle: Lady\nextends: hearts\nalso: [Dame]\noptions: {limit: 50}\n"
    variant.write_text(text, encoding="utf-8")
    assert hoyle("check", str(variant)).code == 0
    assert hoyle("list", str(variant)).out.splitlines()[1] == "also called Dame"


def test_a_folder_of_ones_own_is_not_hidden_by_a_shipped_game(
    hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "bonus-20"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    assert hoyle("list", "bonus-20").out.startswith("Bonus 20,")  # nothing there that could be meant
    for path in (Path(__file__).parents[2] / "docs" / "examples" / "rolling-stone").glob("*.yaml"):
        (folder / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert hoyle("test", "bonus-20").out == "11 passed, 0 failed\n"
    assert hoyle("check", "bonus-20", "--no-trial").out == "2 files, no problems\n"
    refused = hoyle("show", "bonus-20")
    assert (refused.code, "name one of its files" in refused.err) == (1, True)
    (folder / "rolling-stone-mercy.game.yaml").unlink()
    assert hoyle("show", "bonus-20").out.startswith("game: rolling-stone")


AS_JSON = (
    "list", "list kuhn-poker", "explain", "explain article", "cite CRIB-10", "why kuhn-poker", "words",
    "words kuhn-poker",
    "eval kuhn-poker (count|of|hand) --seat 0", "show kuhn-poker", "diff kuhn-poker leduc-poker", "graph kuhn-poker",
    "check kuhn-poker --no-trial", "test kuhn-poker", "test --parent russian", "resume --list",
    f"fmt --check {shipped.games_folder() / 'kuhn-poker'}",
)  # fmt: skip


@pytest.mark.parametrize("asked", AS_JSON)
def test_what_a_command_finds_is_there_as_json(asked: str, hoyle: Hoyle) -> None:
    answer = hoyle(*(word.strip("()").replace("|", " ") for word in asked.split()), "--json")
    assert answer.code in (0, 1) and json.loads(answer.out) is not None, answer.err


def test_a_file_that_is_not_there_is_a_wrong_input_of_every_command(hoyle: Hoyle, tmp_path: Path) -> None:
    for command in (["check"], ["fmt"], ["play"], ["replay"], ["resume"], ["train", "kuhn-poker", "--begin-with"]):
        missing = hoyle(*command, tmp_path / "none.yaml")
        assert (missing.code, f"no file {tmp_path}" in missing.err) == (1, True), missing.err
        folder = hoyle(*command, tmp_path)
        assert (folder.code, f"{tmp_path}" in folder.err and "no game named" not in folder.err) == (1, True), folder.err


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_exit_codes_and_short_options_mean_the_same_everywhere(command: str, hoyle: Hoyle) -> None:
    assert hoyle(command, "--no-such-option").code == 2
    known = importlib.import_module(f"hoyle.front.cli.{command}").command
    if any(parameter.name == "game" and parameter.required for parameter in known.params):
        more = ["1"] if command == "eval" else ["hearts"] if command == "compare" else []
        answer = hoyle(command, "no-such-game", *more)
        assert (answer.code, "no game named" in answer.err) == (1, True), answer.err
    for option in known.params:
        short = [each for each in option.opts if len(each) == 2]
        assert set(short) <= SHORT.keys() and all(SHORT[each] in option.opts for each in short if SHORT[each])


SHORT = {
    "-f": "--format", "-j": "--jobs", "-k": "", "-n": "--games", "-o": "--out", "-p": "--players", "-s": "--set",
    "-t": "--tables", "-v": "--verbose",
}  # fmt: skip


def test_an_unknown_path_is_answered_by_a_whole_one(hoyle: Hoyle) -> None:
    assert "did you mean `options.target`?" in hoyle("show", "cribbage", "options.targe").err
    assert "there are actions.lay_away, " in hoyle("show", "cribbage", "actions.zzz").err


def test_a_variant_is_played_by_the_formats_of_the_game_it_is_made_from(hoyle: Hoyle, tmp_path: Path) -> None:
    path = tmp_path / "bunco-here.game.yaml"
    path.write_text("game: bunco-here\ntitle: Bunco here\nextends: bunco-short\n", encoding="utf-8")
    answer = hoyle("tournament", path, "--tables", "2", "--games", "1")
    assert answer.code == 0, answer.err
    assert "Bunco here" in answer.out
    assert "`progressive`" in hoyle("tournament", path, "--format", "progresive").err
