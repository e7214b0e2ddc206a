/** Communication with the server: requests, and a WebSocket that reconnects automatically. */

/** Where pages and files are on this host. */
export const places = {
  lobby: "/",
  icon: "/static/icon.svg",
  seal: "/seal",
  table: (/** @type {string} */ key) => `/t/${encodeURIComponent(key)}`,
  game: (/** @type {string} */ name) => `/?game=${encodeURIComponent(name)}`,
  file: (/** @type {string} */ key) => `/api/file/${encodeURIComponent(key)}`,
  /** The key of the table that this page shows; null on the lobby's page. */
  key: () => location.pathname.startsWith("/t/") ? decodeURIComponent(location.pathname.slice(3)) : null,
  /** What can be sent to others. @type {(key: string) => string|Promise<string>} */
  link: (key) => new URL(places.table(key), location.href).href,
  /** Whether others can be invited to a table. */
  invites: true,
  /** Where the lobby leads besides. @type {{name: string, act: () => void}[]} */
  pages: [],
  /** The options of a game whose entry in the list lacks them. @type {(name: string) => Promise<any[]>} */
  options: async () => [],
  /** What a table offers besides. @type {{name: string, sign: string, act: (key: string) => void}[]} */
  more: [],
};

/** The file that the playground begins with. @returns {Promise<any>} */
export const openFile = () => ask("/api/edit");

/** What the playground offers besides, such as to send the rules as a link. @type {(rules: () => any) => {name: string, act: () => void}[]} */
export const offerLinks = () => [];

/** The server refused a request: a code for the reason, and optional details. */
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
  let answer;
  try {
    answer = await fetch(path, body === undefined ? {} : {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  } catch {
    throw new Refused("no_server");
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(data.why ?? "no_server", data.detail);
  return data;
}

/** A connection to a table, which reconnects with exponential backoff. */
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
    this.wait = 300;
    this.ended = false;
    /** @type {WebSocket|null} */
    this.socket = null;
    this.retry = 0;
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.hurry(); });
    this.open();
  }

  open() {
    const secure = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${secure}//${location.host}/ws/${encodeURIComponent(this.key)}?lang=${this.language}`);
    this.socket = socket;
    socket.addEventListener("open", () => { this.wait = 300; this.changed("open"); });
    socket.addEventListener("message", (event) => this.heard(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      if (socket !== this.socket || this.ended) return;
      if (event.code >= 4000 && event.code < 4010) { this.ended = true; this.changed("closed"); return; }
      this.changed("lost");
      this.retry = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 1.7, 8000);
    });
  }

  /** Reconnect immediately, when the page becomes visible or the browser goes online. */
  hurry() {
    if (this.ended || !this.socket || this.socket.readyState < 2) return;
    clearTimeout(this.retry);
    this.wait = 300;
    this.open();
  }

  /** @param {any} message @returns {boolean} whether it could be sent */
  send(message) {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** @param {string} language */
  speak(language) {
    this.language = language;
    this.socket?.close();
    this.hurry();
  }

  end() {
    this.ended = true;
    clearTimeout(this.retry);
    this.socket?.close();
  }
}
