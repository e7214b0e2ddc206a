// Compiles the Python of a site by Pyodide itself, in Node, and parts it into what the first game needs and the rest.
// In: Pyodide's folder, a folder of modules, a folder for results, games as [[name, players], ...]. Out: first.pack and
// rest.pack, and baked/NAME.json: the files that its cache would hold.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, staged, out, games] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);

/** @param {string} script @param {string} modules */
async function run(script, modules) {
  const python = await loadPyodide({ env: { HOME: "/home/hoyle", HOYLE_CACHE: "/home/hoyle/cache", PYTHONDONTWRITEBYTECODE: "1" } });
  for (const [place, root] of [["/staged", modules], ["/out", out]]) {
    python.FS.mkdirTree(place);
    python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
  }
  python.runPython(fs.readFileSync(new URL(script, import.meta.url), "utf8"));
  await python.globals.get("main")(games);
}

try {
  await run("./bake_programs.py", staged);
  await run("./bake_packs.py", `${out}/compiled`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
process.exit(0); // the lobby would wait for messages
