/** The frame round all pages: it holds the worker in which Hoyle runs, and the address with all that is in it. */

import { readLink } from "./links.js";

const GIVEN = "hoyle.given";
const SLOW = 8000; // milliseconds after which a person is offered to stop what the worker does
const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("frame"));
const bar = /** @type {HTMLElement} */ (document.getElementById("bar"));
const done = /** @type {HTMLProgressElement} */ (document.getElementById("done"));
const said = /** @type {HTMLElement} */ (document.getElementById("said"));
const stop = /** @type {HTMLButtonElement} */ (document.getElementById("stop"));
// The only addresses of scripts that are made here: they are constants.
/** @type {(name: string) => any} */
const script = (() => {
  const types = /** @type {any} */ (window).trustedTypes;
  const policy = types?.createPolicy("hoyle", { createScriptURL: (/** @type {string} */ name) => new URL(name, document.baseURI).href });
  return (name) => policy ? policy.createScriptURL(name) : name;
})();

// ------------------------------------------------------------------------------------------------ the worker
/** @type {Worker} */
let worker;
let ready = false, number = 0;
/** @type {Map<number, {text: string, answer: (answer: {status: number, data: any}) => void}>} */
const asked = new Map();
/** @type {Map<number, {heard: (text: string) => void, closed: (code: number) => void}>} */
const lines = new Map();
/** @type {string[]} */
let early = [];

function begin() {
  ready = false;
  worker = new Worker(script("worker.js"), { type: "module" });
  worker.onmessage = (event) => hear(event.data);
  worker.onerror = (event) => fail(event.message || "the worker could not be started");
}

/** @param {any} message */
function hear(message) {
  if (message.progress !== undefined) tell(message.progress, message.say);
  else if (message.failed) fail(message.failed);
  else if (message.ready) {
    ready = true;
    bar.hidden = true;
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
    for (const text of early.splice(0)) worker.postMessage(text);
  } else if (message.id !== undefined) {
    asked.get(message.id)?.answer({ status: message.status, data: message.data });
    asked.delete(message.id);
    if (!asked.size) quiet();
  } else if (message.line !== undefined) {
    const line = lines.get(message.line);
    if (message.closed !== undefined) { lines.delete(message.line); line?.closed(message.closed); } else line?.heard(message.text);
  }
}

/** @param {string} text */
function post(text) {
  if (ready) worker.postMessage(text);
  else early.push(text);
}

/** @param {number} part @param {string} what */
function tell(part, what) {
  bar.hidden = false;
  bar.classList.remove("bad");
  done.value = part;
  said.textContent = what;
}

/** @param {string} why */
function fail(why) {
  bar.hidden = false;
  bar.classList.add("bad");
  said.textContent = `Hoyle could not be started: ${why} Load the page again to try once more.`;
}

/** What takes long can be stopped: the worker starts anew, with all that is kept. @param {number} since */
function watch(since) {
  setTimeout(() => {
    if (!ready || !asked.size || ![...asked.keys()].some((id) => id <= since)) return;
    bar.hidden = false;
    done.removeAttribute("value");
    said.textContent = "This takes long.";
    stop.hidden = false;
    stop.textContent = "Stop it";
  }, SLOW);
}

function quiet() {
  if (stop.hidden) return;
  stop.hidden = true;
  bar.hidden = true;
}

stop.addEventListener("click", () => {
  worker.terminate();
  for (const { answer } of asked.values()) answer({ status: 409, data: { why: "stopped", detail: "It was stopped." } });
  asked.clear();
  lines.clear();
  quiet();
  begin();
  frame.contentWindow?.location.reload();
});

// What the pages in the frame call, as they would call a server.
/** @type {any} */ (window).hoyle = {
  /** @param {string} path @param {string} [body] @returns {Promise<{status: number, data: any}>} */
  ask(path, body) {
    const id = ++number, text = JSON.stringify({ id, ask: path, ...(body === undefined ? {} : { body }) });
    if (ready) watch(id);
    return new Promise((answer) => { asked.set(id, { text, answer }); post(text); });
  },
  /** @param {string} key @param {string} language @param {(text: string) => void} heard @param {(code: number) => void} closed */
  sit(key, language, heard, closed) {
    const line = ++number;
    lines.set(line, { heard, closed });
    post(JSON.stringify({ line, sit: key, lang: language }));
    return {
      say: (/** @type {string} */ text) => post(JSON.stringify({ line, text })),
      end: () => { lines.delete(line); post(JSON.stringify({ line, text: null })); },
    };
  },
  go: (/** @type {string} */ hash) => { location.hash = hash; },
  given: () => { const text = sessionStorage.getItem(GIVEN); return text === null ? null : JSON.parse(text); },
  give: (/** @type {any} */ rules) => sessionStorage.setItem(GIVEN, JSON.stringify(rules)),
};

// ------------------------------------------------------------------------------------------------ the address
/** The page of an address. @param {string} hash */
async function find(hash) {
  const at = hash.indexOf("="), kind = hash.slice(1, at < 0 ? undefined : at), value = at < 0 ? "" : hash.slice(at + 1);
  if (kind === "table") return `table.html#${value}`;
  if (kind === "game") return `lobby.html?game=${value}`;
  if (kind === "edit") return `edit.html?game=${value}`;
  if (kind === "rules" || kind === "play") {
    const link = await readLink(value);
    if (kind === "rules" && typeof link.text === "string") {
      /** @type {any} */ (window).hoyle.give(link);
      return "edit.html?given";
    }
    const { status, data } = await /** @type {any} */ (window).hoyle.ask("/api/open", JSON.stringify(link));
    if (status !== 200) throw new Error((data.detail || (await import("./static/words.js")).say(data.why)).split("\n\n")[0]);
    return `table.html#${data.key}`;
  }
  return "lobby.html";
}

/** The address of a page. @param {Location} place */
function name(place) {
  const page = place.pathname.split("/").pop(), game = new URLSearchParams(place.search).get("game");
  if (page === "table.html") return `#table=${place.hash.slice(1)}`;
  if (page === "edit.html") return game === null ? "#rules" : `#edit=${encodeURIComponent(game)}`;
  return game === null ? "#" : `#game=${encodeURIComponent(game)}`;
}

async function show() {
  let page = "lobby.html";
  try {
    page = await find(location.hash === "#rules" ? "#rules=" : location.hash);
  } catch (error) {
    if (location.hash !== "#rules") alertLater(`The link cannot be opened: ${/** @type {Error} */ (error).message}`);
    else page = "edit.html?given";
  }
  const wanted = new URL(page, document.baseURI).href;
  if (frame.contentWindow?.location.href !== wanted) frame.contentWindow?.location.replace(wanted);
}

/** @param {string} text */
function alertLater(text) {
  bar.hidden = false;
  bar.classList.add("bad");
  said.textContent = text;
  setTimeout(() => { if (said.textContent === text) { bar.hidden = ready; bar.classList.remove("bad"); } }, 12000);
}

let shown = "";
frame.addEventListener("load", () => {
  const inner = frame.contentWindow;
  if (!inner || inner.location.protocol === "about:") return;
  const follow = () => {
    shown = name(inner.location);
    document.title = inner.document.title || "Hoyle";
    if (location.hash !== shown) history.replaceState(null, "", shown === "#" ? location.pathname + location.search : shown);
  };
  follow();
  inner.addEventListener("hashchange", follow);
  new MutationObserver(follow).observe(inner.document.head, { subtree: true, childList: true, characterData: true });
});
addEventListener("hashchange", () => { if (location.hash !== shown) show(); });

begin();
show();
navigator.serviceWorker?.register(script("sw.js")).catch(() => { /* without one, the site needs its host each time */ });
