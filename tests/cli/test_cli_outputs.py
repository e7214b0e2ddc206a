"""What commands write for other programs: SARIF, JUnit, JSON, hooks for pre-commit; and `check --strict`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from hoyle.front.cli import run

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tests" / "language" / "invalid"
WARNED = next(iter(sorted(SAMPLES.glob("never-done*.game.yaml"))))
WRONG = SAMPLES / "article-in-block.game.yaml"


def test_warnings_fail_a_strict_check_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sample.game.yaml"
    path.write_bytes(WARNED.read_bytes())
    assert run(["check", str(path)]) == 0
    assert "1 warning in 1 file" in capsys.readouterr().out
    assert run(["check", "--strict", str(path)]) == 1
    assert "1 warning in 1 file" in capsys.readouterr().out
    assert run(["check", "--strict", "bonus-20"]) == 0


def test_sarif_names_the_rule_the_place_and_the_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--format", "sarif", str(WRONG), str(WARNED)]) == 1
    log = json.loads(capsys.readouterr().out)
    assert log["version"] == "2.1.0"
    (done,) = log["runs"]
    rules = [rule["id"] for rule in done["tool"]["driver"]["rules"]]
    results = done["results"]
    assert {result["level"] for result in results} == {"error", "warning"}
    for result in results:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert (ROOT / place["artifactLocation"]["uri"]).exists() or Path(place["artifactLocation"]["uri"]).exists()
        region = place["region"]
        assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
    assert any(result.get("fixes") for result in results)


def test_sarif_of_a_good_file_has_no_results(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--format", "sarif", "bonus-20"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["results"] == []


def test_a_checked_file_is_a_case_of_junit(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--format", "junit", "bonus-20", str(WRONG), str(WARNED)]) == 1
    root = ElementTree.fromstring(capsys.readouterr().out)
    cases = {case.get("name", ""): case for case in root.iter("testcase")}
    failed = [name for name, case in cases.items() if case.find("failure") is not None]
    assert len(cases) == 3
    assert [Path(name).name for name in failed] == [WRONG.name]
    assert (root.get("tests"), root.get("failures")) == ("3", "1")


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    path = tmp_path / "x.test.yaml"
    path.write_text(
        "tests: bonus-20\nexamples:\n"
        "  - {name: 'two < three & \"so\"', evaluate: {2 < 3: true}}\n"
        "  - {name: two is three, cite: BONUS-1, evaluate: {2 = 3: true}}\n",
        encoding="utf-8",
    )
    return path


def test_an_example_is_a_case_of_junit(capsys: pytest.CaptureFixture[str], examples: Path) -> None:
    assert run(["test", "--format", "junit", str(examples)]) == 1
    root = ElementTree.fromstring(capsys.readouterr().out)
    first, second = root.iter("testcase")
    assert first.get("name") == 'two < three & "so"'
    assert first.find("failure") is None
    failure = second.find("failure")
    assert failure is not None
    assert failure.text is not None
    assert "false" in failure.text
    assert second.get("line") == "4"


def test_outcomes_of_examples_as_json(capsys: pytest.CaptureFixture[str], examples: Path) -> None:
    assert run(["test", "--format", "json", str(examples)]) == 1
    first, second = json.loads(capsys.readouterr().out)
    assert (first["passed"], second["passed"], second["line"], second["cites"]) == (True, False, 4, ["BONUS-1"])
    assert run(["test", "--format", "json", "-k", "<", str(examples)]) == 0


def test_the_hooks_for_pre_commit_are_valid_and_name_commands() -> None:
    path = ROOT / ".pre-commit-hooks.yaml"
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    hooks = {hook["id"]: hook for hook in yaml.safe_load(path.read_text(encoding="utf-8"))}
    for hook in hooks.values():
        assert run([*hook["entry"].split()[1:], "--help"]) == 0
    assert re.search(hooks["hoyle-fmt"]["files"], "games/x/rules.yaml")
    assert re.search(hooks["hoyle-check"]["files"], "x.game.yaml")
    assert not re.search(hooks["hoyle-check"]["files"], "x.test.yaml")
