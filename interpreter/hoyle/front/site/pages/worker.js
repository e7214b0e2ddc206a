/** The worker in which Hoyle runs: it loads Python, tells how far it is, and passes messages on. */

// @ts-expect-error: fetched from npm when the site is built
import { loadPyodide } from "./pyodide/pyodide.mjs";
import * as kept from "./kept.js";

/** @type {any} */
const self_ = self;
const HOME = "/home/hoyle";
/** @type {any} */
let python;
/** @type {any} */
let local;

// ------------------------------------------------------------------------------------------------ progress
const sizes = await fetch("sizes.json").then((answer) => answer.json());
const wanted = sizes.first;
let got = 0, told = -1;

/** @param {number} part @param {string} say */
function tell(part, say) {
  if (Math.floor(part) === told) return;
  told = Math.floor(part);
  postMessage({ progress: part, say });
}

// Pyodide fetches its files itself: what arrives is counted on the way, unless it is here already: browsers keep what they
// have compiled of an answer as it came.
const fetchAsIs = fetch, here = Boolean((await self_.caches?.keys())?.length);
self_.fetch = async (/** @type {any} */ wish, /** @type {any} */ how) => {
  const answer = await fetchAsIs(wish, how);
  if (here || !answer.body || told < 0 || python) return answer;
  const counted = new TransformStream({ transform(part, out) {
    got += part.byteLength;
    tell(Math.min(70, 70 * got / wanted), `Fetching Hoyle: ${(Math.min(got, wanted) / 1e6).toFixed(1)} of ${(wanted / 1e6).toFixed(1)} MB`);
    out.enqueue(part);
  } });
  return new Response(answer.body.pipeThrough(counted), { status: answer.status, headers: answer.headers });
};

// ------------------------------------------------------------------------------------------------ files
/** @param {string} name */
async function unzip(name) {
  const answer = await self_.fetch(name);
  if (!answer.ok) throw new Error(`${name} is missing on this host.`);
  return new Uint8Array(await new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

/** Unpack a tar of plain files. @param {Uint8Array} bytes */
function unpack(bytes) {
  const text = new TextDecoder(), made = new Set();
  for (let at = 0; at + 512 <= bytes.length && bytes[at]; ) {
    const field = (/** @type {number} */ from, /** @type {number} */ length) => text.decode(bytes.subarray(at + from, at + from + length)).replace(/\0.*$/s, "");
    const start = field(345, 155), path = `${HOME}/python/${start ? `${start}/` : ""}${field(0, 100)}`, size = parseInt(field(124, 12), 8);
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(folder)) { python.FS.mkdirTree(folder); made.add(folder); }
    python.FS.writeFile(path, bytes.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  python.runPython("import importlib; importlib.invalidate_caches()");
}

/** Bring the modules that are not needed at first, while Python waits for one of them. */
function bringRest() {
  const wish = new XMLHttpRequest();
  wish.open("GET", "rest.pack", false);
  wish.responseType = "arraybuffer";
  wish.send();
  if (wish.status !== 200) throw new Error("rest.pack is missing on this host.");
  unpack(python.pyimport("gzip").decompress(python.toPy(new Uint8Array(wish.response))).toJs());
}

const FIND_REST = `
import sys
from importlib.machinery import PathFinder

class Rest:
    def find_spec(name, path=None, target=None):
        if not name.startswith("hoyle."):
            return None
        bring_rest()
        sys.meta_path.remove(Rest)
        return PathFinder.find_spec(name, path, target)

sys.meta_path.append(Rest)
`;

/** Bring what was made beforehand for a game. @param {string} name */
async function bring(name) {
  if (!/^[a-z0-9-]+$/.test(name) || !sizes.games.includes(name)) return "{}";
  const answer = await fetchAsIs(`baked/${name}.json`).catch(() => null);
  if (!answer?.ok) return "{}";
  const text = await answer.text(), { library } = JSON.parse(text);
  if (sizes.native.includes(name)) {
    const native = await fetchAsIs(`baked/${name}.wasm`).catch(() => null);
    if (native?.ok) python.FS.writeFile(`${HOME}/cache/${library}`, new Uint8Array(await native.arrayBuffer()), { mode: 0o600 });
  }
  return text;
}

// ------------------------------------------------------------------------------------------------ messages
/** What Python says. @param {string} text */
function send(text) {
  const message = JSON.parse(text);
  if (message.keep_table !== undefined) kept.keepTable(message.keep_table, message.record);
  else if (message.keep_file !== undefined) kept.keepFile(message.keep_file, message.text);
  else postMessage(message);
}

onmessage = (event) => local.hear(event.data); // nothing is sent before all is ready

try {
  tell(0, "Fetching Hoyle");
  const first = unzip("first.pack"), before = kept.readAll();
  const made = await loadPyodide({ lockFileContents: sizes.lock, env: { HOME, HOYLE_CACHE: `${HOME}/cache`, PYTHONDONTWRITEBYTECODE: "1" } });
  python = made;
  tell(75, "Laying out the cards");
  unpack(await first);
  python.FS.mkdirTree(`${HOME}/cache`);
  python.FS.chmod(`${HOME}/cache`, 0o700);
  tell(85, "Shuffling");
  python.runPython(FIND_REST, { globals: python.toPy({ bring_rest: bringRest }) });
  python.runPython(`import os, sys; os.chdir("${HOME}"); sys.path.insert(0, "${HOME}/python")\nfrom hoyle.front.web.local import Local`);
  local = python.globals.get("Local")(send, bring, HOME);
  local.start(await before);
  postMessage({ ready: true });
} catch (error) {
  postMessage({ failed: String(/** @type {Error} */ (error).message ?? error).split("\n").slice(-3).join(" ") });
}
