/** Communication with Hoyle in this browser: the same requests and lines as with a server, by way of the shell's worker. */

import { writeLink } from "../links.js";

/** Longer addresses do not pass every messenger. */
const LONGEST = 10_000;

const FILES = "hoyle.files";
/** @type {Promise<any>|undefined} */
let optionsOfGames;
let listed = "en"; // the language in which games were listed

/** @returns {any} the shell round this page; a page opened by itself is opened in the shell instead */
function findShell() {
  for (let at = /** @type {Window} */ (window); ; at = at.parent) {
    if (/** @type {any} */ (at).hoyle) return /** @type {any} */ (at).hoyle;
    if (at === at.parent) break;
  }
  const page = location.pathname.split("/").pop(), game = new URLSearchParams(location.search).get("game");
  const hash = page === "table.html" ? `#table=${location.hash.slice(1)}` : game === null ? "" : `#${page === "edit.html" ? "edit" : "game"}=${encodeURIComponent(game)}`;
  location.replace(new URL(`./${hash}`, document.baseURI));
  return { ask: () => new Promise(() => {}), sit: () => ({ say() {}, end() {} }) };
}
const shell = findShell();

/** Where pages and files are on this host. */
export const places = {
  lobby: "lobby.html",
  icon: "static/icon.svg",
  table: (/** @type {string} */ key) => `table.html#${key}`,
  game: (/** @type {string} */ name) => `lobby.html?game=${encodeURIComponent(name)}`,
  edit: (/** @type {string} */ name) => `edit.html?game=${encodeURIComponent(name)}`,
  file: (/** @type {string} */ key) => `#file=${key}`,
  /** The key of the table that this page shows; null on the lobby's page. */
  key: () => location.pathname.endsWith("/table.html") ? location.hash.slice(1) : null,
  /** What can be sent to others: the game, its deal and all that was played, in the address. */
  link: async (/** @type {string} */ key) => tellLink("play", await ask(`/api/recipe/${encodeURIComponent(key)}`)),
  /** Whether others can be invited to a table: nobody else is here. */
  invites: false,
  /** Where the lobby leads besides; the first at its top, the others below the games. */
  pages: [
    { name: "write_game", act: () => location.assign("edit.html?game=crazy-eights") },
    { name: "documentation", act: () => window.open("docs/index.html") },
    { name: "save_all", act: () => saveAll() },
    { name: "restore_all", act: () => restoreAll() },
    { name: "licences", act: () => location.assign("licences.html") },
  ],
  /** The options of a game, which come after the list: the lobby is drawn without them. @type {(name: string) => Promise<any[]>} */
  options: async (name) => {
    optionsOfGames ??= fetch(`options.${listed}.json`).then((answer) => answer.json());
    return (await optionsOfGames)[name] ?? [];
  },
  /** What a table offers besides. @type {{name: string, sign: string, act: (key: string) => void}[]} */
  more: [
    { name: "share", sign: "➦", act: (key) => share("play", ask(`/api/recipe/${encodeURIComponent(key)}`)) },
    { name: "change_game", sign: "✎", act: async (key) => {
      const { game, text, beside } = await ask(`/api/recipe/${encodeURIComponent(key)}`);
      if (text === undefined) { location.assign(places.edit(game)); return; }
      shell.give({ text, beside });
      location.assign("edit.html?given");
    } },
  ],
};

/** @param {string} kind @param {any} data */
async function tellLink(kind, data) {
  return `${new URL("./", document.baseURI).href}#${kind}=${await writeLink(data)}`;
}

/** Copy a link, or offer a file where it would be too long. @param {string} kind @param {Promise<any>|any} promised */
export async function share(kind, promised) {
  const { toast } = await import("./dom.js");
  try {
    const data = await promised, address = await tellLink(kind, data);
    if (address.length > LONGEST) {
      if (data.text !== undefined) save(`${data.name ?? "game"}.game.yaml`, data.text);
      toast(`This is too long for a link (${address.length.toLocaleString()} characters; ${LONGEST.toLocaleString()} are sure to work). ${data.text === undefined ? "" : "The rule file was saved instead: send that."}`, { kind: "bad", lasts: 0 });
      return;
    }
    const place = /** @type {any} */ (navigator);
    document.documentElement.dataset.shared = address;
    if (place.share && matchMedia("(pointer: coarse)").matches) await place.share({ url: address, title: document.title }).catch(() => {});
    else if (await copy(address)) toast("The link is copied: whoever opens it has this game.", { lasts: 3000 });
    else prompt("Copy this link:", address);
  } catch (refused) {
    toast(/** @type {any} */ (refused).detail || String(refused), { kind: "bad" });
  }
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}

const OWN = "hoyle."; // what the pages keep in the local storage begins so
const LARGEST_SAVED = 20_000_000;

/** Everything that this browser keeps, as one file. */
async function saveAll() {
  const stored = Object.fromEntries(Object.entries(localStorage).filter(([name]) => name.startsWith(OWN)));
  save("hoyle.json", JSON.stringify({ ...await ask("/api/kept"), stored }));
}

/** Take in such a file: what is here already stays, unless the file has it, too. */
async function restoreAll() {
  const { toast } = await import("./dom.js");
  const field = document.createElement("input");
  field.type = "file";
  field.accept = ".json";
  field.addEventListener("change", async () => {
    try {
      const file = field.files?.[0];
      if (!file || file.size > LARGEST_SAVED) throw new Error("The file is too large.");
      const { stored, ...kept } = JSON.parse(await file.text());
      const { tables, files } = await ask("/api/keep", kept);
      for (const [name, value] of Object.entries(stored ?? {})) if (name.startsWith(OWN) && typeof value === "string") localStorage.setItem(name, value);
      toast(`Taken in: ${tables} tables, ${files} rule files.`, { lasts: 4000 });
      setTimeout(() => location.reload(), 1500);
    } catch (error) {
      toast(`This is no file of what Hoyle keeps. ${/** @type {Error} */ (error).message}`, { kind: "bad" });
    }
  });
  field.click();
}

/** @param {string} name @param {string} text */
export function save(name, text) {
  const made = document.createElement("a");
  made.href = URL.createObjectURL(new Blob([text]));
  made.download = name;
  made.click();
  setTimeout(() => URL.revokeObjectURL(made.href), 60_000);
}

addEventListener("click", async (event) => {
  const link = /** @type {HTMLElement} */ (event.target)?.closest?.("a[href^='#file=']");
  if (!link) return;
  event.preventDefault();
  save(link.getAttribute("download") || "match.jsonl", await ask(`/api/file/${link.getAttribute("href")?.slice(6)}`));
});

/** The request was refused: a code for the reason, and optional details. */
export class Refused extends Error {
  /** @param {string} why @param {string} [detail] */
  constructor(why, detail = "") {
    super(detail || why);
    this.why = why;
    this.detail = detail;
  }
}

/**
 * @param {string} path
 * @param {any} [body] sent as JSON; without one it is a GET
 * @returns {Promise<any>}
 */
export async function ask(path, body) {
  const games = path.match(/^\/api\/games\?lang=(en|fr)$/);
  if (games && !localStorage.getItem(FILES)) { // with files of the visitor's own, the list is the worker's
    if (listed !== games[1]) optionsOfGames = undefined;
    listed = games[1];
    const answer = await fetch(`games.${listed}.json`).catch(() => null);
    if (answer?.ok) return answer.json();
  }
  const { status, data } = await shell.ask(path, body === undefined || typeof body === "string" ? body : JSON.stringify(body));
  if (status !== 200) throw new Refused(data.why ?? "no_server", data.detail);
  if (["/api/files", "/api/open", "/api/keep", "/api/edit/save"].includes(path)) localStorage.setItem(FILES, "some");
  return data;
}

/** The file that the playground begins with. @returns {Promise<any>} */
export async function openFile() {
  const game = new URLSearchParams(location.search).get("game");
  if (game !== null) return ask(`/api/edit/choose?game=${encodeURIComponent(game)}`);
  const given = shell.given();
  return given === null ? ask("/api/edit/choose?game=crazy-eights") : ask("/api/edit/begin", { text: given.text, beside: given.beside ?? null });
}

/** What the playground offers besides. @type {(rules: () => any) => {name: string, act: () => void}[]} */
export const offerLinks = (rules) => [
  { name: "Games", act: () => location.assign(places.lobby) },
  { name: "Share", act: () => share("rules", rules()) },
  { name: "Play", act: async () => {
    const { key } = await ask("/api/open", { text: rules().text });
    location.assign(places.table(key));
  } },
];

/** A line to a table. */
export class Line {
  /**
   * @param {string} key
   * @param {string} language
   * @param {(message: any) => void} heard
   * @param {(state: "open"|"lost"|"closed") => void} changed
   */
  constructor(key, language, heard, changed) {
    this.key = key;
    this.language = language;
    this.heard = heard;
    this.changed = changed;
    addEventListener("pagehide", () => this.end());
    this.open();
  }

  open() {
    this.line = shell.sit(this.key, this.language, (/** @type {string} */ text) => this.heard(JSON.parse(text)), () => this.changed("closed"));
    this.changed("open");
  }

  hurry() {}

  /** @param {any} message @returns {boolean} whether it could be sent */
  send(message) {
    this.line.say(JSON.stringify(message));
    return true;
  }

  /** @param {string} language */
  speak(language) {
    this.language = language;
    this.line.end();
    this.open();
  }

  end() {
    this.line.end();
  }
}
