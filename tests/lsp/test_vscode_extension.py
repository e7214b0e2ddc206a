"""The extension for VS Code, without VS Code: its grammar in the editor's own tokenizer, its code as it is loaded."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("npm") is None, reason="no npm found (Debian: apt install npm)"),
]
TOKENIZE = """
const fs = require("fs"), path = require("path");
const { Registry, INITIAL } = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");
const [file, line] = process.argv.slice(2);
const grammar = JSON.parse(fs.readFileSync(file, "utf8"));
const yaml = { scopeName: "source.yaml", patterns: [] };
const wasm = fs.readFileSync(path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm")).buffer;
oniguruma.loadWASM(wasm).then(async () => {
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (name) => (name === "source.yaml" ? yaml : grammar),
    getInjections: (name) => (name === "source.yaml" ? [grammar.scopeName] : []),
  });
  const found = (await registry.loadGrammar("source.yaml")).tokenizeLine(line, INITIAL).tokens;
  const pieces = found.map((each) => [line.slice(each.startIndex, each.endIndex).trim(), each.scopes.at(-1)]);
  console.log(JSON.stringify(pieces));
});
"""
LOAD = """
const Module = require("module");
const started = [];
class LanguageClient {
  constructor(id, name, server, options) { Object.assign(this, { server, options }); }
  start() { started.push(this); return Promise.resolve(); }
  stop() {}
}
const known = {
  vscode: { workspace: { getConfiguration: () => ({ get: () => "" }) }, window: {} },
  "vscode-languageclient/node": { LanguageClient },
};
const load = Module._load;
Module._load = (name, ...more) => known[name] ?? load(name, ...more);
const extension = require(process.argv[2]);
extension.activate({ subscriptions: [] }).then(() => {
  extension.deactivate();
  console.log(JSON.stringify([started[0].server, started[0].options.documentSelector.map((each) => each.pattern)]));
});
"""


def run_node(folder: Path, script: str, *arguments: str) -> list[Any]:
    path = folder / "script.js"
    path.write_text(script, encoding="utf-8")
    done = subprocess.run(["node", path, *arguments], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def test_the_grammar_colours_rules_in_the_tokenizer_of_the_editor(tmp_path: Path) -> None:
    wanted = ["npm", "install", "--silent", "--no-audit", "--no-fund", "vscode-textmate", "vscode-oniguruma"]
    done = subprocess.run(wanted, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        pytest.skip(f"the tokenizer cannot be installed here: {done.stderr[-200:]}")
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    grammar = str(EXTENSION / package["contributes"]["grammars"][0]["path"])
    line = "      move count of hand cards to pile   [STONE-6]"
    found = dict(run_node(tmp_path, TOKENIZE, grammar, line))
    assert found["move"] == "keyword.control.hoyle"
    assert found["count"] == "support.function.hoyle"
    assert found["of"] == found["to"] == "keyword.operator.word.hoyle"
    assert found["STONE-6"] == "constant.other.reference.hoyle"
    assert dict(run_node(tmp_path, TOKENIZE, grammar, "  score: 5"))["score: 5"] == "source.yaml"


def test_the_extension_is_loaded_and_starts_the_server(tmp_path: Path) -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    assert {"name", "version", "engines", "main", "contributes"} <= set(package) and "vscode" in package["engines"]
    started = run_node(tmp_path, LOAD, str(EXTENSION / package["main"]))
    assert started == [{"command": "hoyle", "args": ["lsp"]}, ["**/*.game.yaml", "**/*.test.yaml"]]
