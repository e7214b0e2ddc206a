// Starts `hoyle lsp` for rule files and their examples.
const { workspace, window } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate(context) {
  const command = workspace.getConfiguration("hoyle").get("command") || "hoyle";
  const documents = ["**/*.game.yaml", "**/*.test.yaml"].map((pattern) => ({ scheme: "file", pattern }));
  client = new LanguageClient("hoyle", "Hoyle", { command, args: ["lsp"] }, { documentSelector: documents });
  context.subscriptions.push({ dispose: () => client.stop() });
  return client.start().catch((reason) => {
    window.showWarningMessage(`Hoyle: \`${command} lsp\` cannot be started (${reason.message}). pip install 'hoyle[lsp]'`);
  });
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
