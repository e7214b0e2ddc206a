// Starts `hoyle lsp` as soon as a rule file or a file of examples is open.
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const OURS = /\.(game|test)\.yaml$/;
let client;

function activate(context) {
  context.subscriptions.push(
    workspace.onDidOpenTextDocument(startFor),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("hoyle") && restart()),
    commands.registerCommand("hoyle.restart", restart),
  );
  return Promise.all(workspace.textDocuments.map(startFor));
}

function startFor(document) {
  return client || !OURS.test(document.uri.path) ? undefined : start();
}

function start() {
  const command = workspace.getConfiguration("hoyle").get("command") || "hoyle";
  const documents = ["**/*.game.yaml", "**/*.test.yaml"].map((pattern) => ({ scheme: "file", pattern }));
  client = new LanguageClient("hoyle", "Hoyle", { command, args: ["lsp"] }, { documentSelector: documents });
  return client.start().catch((reason) => {
    window.showWarningMessage(`Hoyle: \`${command} lsp\` cannot be started (${reason.message}). pip install 'hoyle[lsp]'`);
  });
}

async function restart() {
  await deactivate();
  return start();
}

async function deactivate() {
  const stopped = client;
  client = undefined;
  if (stopped) await stopped.stop().catch(() => {}); // one that never started cannot be stopped
}

module.exports = { activate, deactivate };
