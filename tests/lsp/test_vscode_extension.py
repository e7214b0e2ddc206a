"""The extension for VS Code, without VS Code: its grammar in the editor's own tokenizer, its code as it is loaded."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("npm") is None, reason="no npm found (Debian: apt install npm)"),
]
TOKENIZE = """
const fs = require("fs"), path = require("path");
const { Registry, INITIAL } = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");
const [ours, text] = process.argv.slice(2);
const wasm = fs.readFileSync(path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm")).buffer;
oniguruma.loadWASM(wasm).then(async () => {
  const known = Object.fromEntries((await import("@shikijs/langs/yaml")).default.map((each) => [each.scopeName, each]));
  const injected = JSON.parse(fs.readFileSync(ours, "utf8"));
  known[injected.scopeName] = injected;
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (name) => known[name],
    getInjections: (name) => (name === "source.yaml" ? [injected.scopeName] : []),
  });
  const yaml = await registry.loadGrammar("source.yaml");
  let state = INITIAL;
  const found = text.split("\\n").flatMap((line) => {
    const read = yaml.tokenizeLine(line, state);
    state = read.ruleStack;
    return read.tokens.map((each) => [line.slice(each.startIndex, each.endIndex).trim(), each.scopes.at(-1)]);
  });
  console.log(JSON.stringify(found));
});
"""
LOAD = """
const Module = require("module");
const started = [], stopped = [], said = [], listening = [], registered = {};
class LanguageClient {
  constructor(id, name, server, options) { Object.assign(this, { server, options }); }
  async start() {
    started.push(this);
    if (this.server.command === "nowhere") throw new Error("not found");
  }
  stop() { stopped.push(this); return Promise.resolve(); }
}
let command = "";
const known = {
  vscode: {
    commands: { registerCommand: (name, run) => { registered[name] = run; } },
    window: { showWarningMessage: (text) => said.push(text) },
    workspace: {
      textDocuments: [{ uri: { path: "/a/compose.yaml" } }],
      getConfiguration: () => ({ get: () => command }),
      onDidChangeConfiguration: () => {},
      onDidOpenTextDocument: (listener) => listening.push(listener),
    },
  },
  "vscode-languageclient/node": { LanguageClient },
};
const load = Module._load;
Module._load = (name, ...more) => known[name] ?? load(name, ...more);
const extension = require(process.argv[2]);
(async () => {
  await extension.activate({ subscriptions: [] });
  const before = started.length;
  for (let times = 0; times < 2; times++) await listening[0]({ uri: { path: "/a/my.game.yaml" } });
  command = "nowhere";
  await registered["hoyle.restart"]();
  await extension.deactivate();
  const { server, options } = started[0];
  const patterns = options.documentSelector.map((each) => each.pattern);
  console.log(JSON.stringify([before, server, patterns, started.length, stopped.length, said]));
})();
"""


RULES = """\
# what stands in the head of the file
steps:
  deal: |
    shuffle pack
    repeat 2 times: move count of hand cards to pile   [STONE-6]
  score: 5
"""


def read_package() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    return found


def run_node(folder: Path, script: str, *arguments: str) -> list[Any]:
    path = folder / "script.js"
    path.write_text(script, encoding="utf-8")
    done = subprocess.run(["node", path, *arguments], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def test_the_grammar_colours_rules_in_the_tokenizer_of_the_editor(tmp_path: Path) -> None:
    wanted = ["vscode-textmate", "vscode-oniguruma", "@shikijs/langs"]  # the last has the editor's grammar of YAML
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", *wanted]
    done = subprocess.run(install, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        pytest.skip(f"the tokenizer cannot be installed here: {done.stderr[-200:]}")
    grammar = str(EXTENSION / read_package()["contributes"]["grammars"][0]["path"])
    found = run_node(tmp_path, TOKENIZE, grammar, RULES)
    kinds = dict(found)
    assert kinds["shuffle"] == kinds["move"] == kinds["repeat"] == "keyword.control.hoyle"
    assert kinds["count"] == "support.function.hoyle"
    assert kinds["of"] == kinds["to"] == "keyword.operator.word.hoyle"
    assert kinds["STONE-6"] == "constant.other.reference.hoyle"
    keys = [kind for text, kind in found if text in ("core", "eal", "teps")]  # YAML takes the first letter apart
    assert keys == ["entity.name.tag.yaml"] * 3, "keys are keys"
    assert all(not kind.endswith(".hoyle") for text, kind in found if "of the file" in text), "comments are comments"


def test_the_extension_is_loaded_and_starts_the_server_for_rule_files_alone(tmp_path: Path) -> None:
    package = read_package()
    assert {"name", "version", "publisher", "engines", "main", "contributes"} <= set(package)
    before, server, patterns, started, stopped, said = run_node(tmp_path, LOAD, str(EXTENSION / package["main"]))
    assert (before, started, stopped) == (0, 2, 2)
    assert (server, patterns) == ({"command": "hoyle", "args": ["lsp"]}, ["**/*.game.yaml", "**/*.test.yaml"])
    assert len(said) == 1 and "`nowhere lsp` cannot be started" in said[0] and "pip install" in said[0]
    offered = {each["command"] for each in package["contributes"]["commands"]}
    assert offered == set(re.findall(r'registerCommand\("([\w.]+)"', (EXTENSION / package["main"]).read_text("utf-8")))


def test_the_extension_is_packed_by_one_command(tmp_path: Path) -> None:
    for name in ("Makefile", "LICENSE", "editors/vscode"):
        put = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        put(ROOT / name, tmp_path / name)
    done = subprocess.run(["make", "extension"], cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode != 0 and "npm error" in done.stdout + done.stderr:
        pytest.skip(f"what packs it cannot be installed here: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(tmp_path / "dist" / "hoyle.vsix") as packed:
        names = set(packed.namelist())
        assert json.loads(packed.read("extension/package.json"))["name"] == "hoyle"
    assert {"extension/extension.js", "extension/syntaxes/hoyle.tmLanguage.json"} <= names
    assert "extension/node_modules/vscode-languageclient/node.js" in names
    assert not list((tmp_path / "editors").rglob("node_modules")), "nothing is left among the sources"
