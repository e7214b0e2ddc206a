/** The playground: edits a rule file beside its table, with highlighting and diagnostics from the server. */

import { h, toast } from "./dom.js";
import { ask, offerLinks, openFile, places } from "./net.js";
import { apply, wantedLanguage } from "./settings.js";
import { moveMarks, paint } from "./ink.js";
import { learn, say, speak } from "./words.js";

const PAUSE = 250; // debounce interval of requests, in milliseconds

/**
 * @typedef {{start: number, end: number, kind: string}} Mark
 * @typedef {{code: string, severity: string, message: string, hints: string[], line: number, start: number, end: number,
 *   fix: {start: number, end: number, text: string}|null}} Found
 */

class Workbench {
  /** @param {HTMLElement} page @param {{name: string, place: string, text: string, saved: string}} file */
  constructor(page, file) {
    this.file = file;
    this.saved = file.saved;
    this.savedText = file.text;
    this.seenText = file.text;
    /** @type {Mark[]} */
    this.pieces = [];
    /** @type {Found[]} */
    this.problems = [];
    this.asking = false;
    this.waiting = 0;
    this.leaving = false;
    this.state = h("p.state", { role: "status" });
    this.keep = /** @type {HTMLButtonElement} */ (h("button.primary", { type: "button", title: "Ctrl+S", click: () => this.save() }, say("edit_save")));
    this.numbers = h("pre.lines", { "aria-hidden": "true" });
    this.ink = h("pre.ink", { "aria-hidden": "true" });
    this.text = /** @type {HTMLTextAreaElement} */ (h("textarea", {
      "aria-label": file.name, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      input: () => this.change(), scroll: () => this.scroll(), keydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
      keyup: () => this.explainSoon(), mouseup: () => this.explainSoon(),
    }));
    this.list = h("ul.problems", { "aria-label": say("edit_problems") });
    this.meaning = h("p.meaning", { role: "note" });
    this.note = h("p.note", { hidden: true }, say("edit_old_table"));
    this.frame = /** @type {HTMLIFrameElement} */ (h("iframe", { title: say("edit_beside") }));
    this.answer = h("div.answer", { hidden: true, tabindex: 0, role: "region", "aria-label": say("edit_answer") });
    this.tabs = h("nav.tabs", { "aria-label": say("edit_tabs") }, ...["table", "test", "simulate", "rules", "graph"].map((what) =>
      h("button", { type: "button", "data-what": what, "aria-pressed": String(what === "table"), click: () => this.inquire(what) }, say(`edit_tab_${what}`))));
    this.line = /** @type {HTMLInputElement} */ (h("input", { type: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      "aria-label": say("edit_line"), placeholder: say("edit_line_like") }));
    this.value = h("output", { hidden: true });
    this.trial = h("form.trial", { submit: (/** @type {Event} */ event) => { event.preventDefault(); this.tryLine(); } },
      this.value, this.line, h("button", { type: "submit" }, say("edit_try")));
    this.beside = h("section.beside", { "aria-label": say("edit_beside") }, this.tabs, this.frame, this.answer, this.note, this.trial);
    page.replaceChildren(h("main.workbench", null,
      h("header", null, h("h1", null, file.name), this.state,
        ...offerLinks(() => ({ text: this.text.value, name: file.name.replace(/\.game\.yaml$/, "") })).map(({ name, act }) => h("button", { type: "button", "data-link": name, click: act }, say(name.toLowerCase()))), this.keep),
      h("section.writing", { "aria-label": say("edit_text") }, h("div.paper", null, this.numbers, this.ink, this.text), this.list, this.meaning),
      this.beside));
    document.title = `${file.name} – Hoyle`;
    this.text.value = file.text;
    addEventListener("beforeunload", (event) => { if (this.changed) event.preventDefault(); });
    this.draw();
    this.say();
    this.look();
  }

  get changed() {
    return this.text.value !== this.savedText;
  }

  // ---------------------------------------------------------------------------------------------- editing
  change() {
    this.draw();
    this.say();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.look(), PAUSE);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
      event.preventDefault();
      this.save();
    } else if (event.key === "Escape") {
      this.leaving = true; // the next Tab moves the focus out of the text
    } else if (event.key === "Tab" && !this.leaving && !event.shiftKey) {
      event.preventDefault();
      this.insert("  ");
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const line = this.text.value.slice(0, this.text.selectionStart).split("\n").pop() ?? "";
      this.insert(`\n${line.match(/^ */)?.[0] ?? ""}`);
    } else if (event.key !== "Tab") {
      this.leaving = false;
    }
  }

  /** Insert text at the cursor so that the browser's undo works; `setRangeText` is the fallback. @param {string} words */
  insert(words) {
    this.text.focus();
    if (!document.execCommand("insertText", false, words)) {
      this.text.setRangeText(words, this.text.selectionStart, this.text.selectionEnd, "end");
      this.change();
    }
  }

  /** @param {number} start @param {number} end @param {string} words */
  put(start, end, words) {
    this.text.focus();
    this.text.setSelectionRange(start, end);
    this.insert(words);
  }

  // ---------------------------------------------------------------------------------------------- requests
  async look() {
    if (this.asking) return; // one request at a time; its completion checks for newer text
    this.asking = true;
    const text = this.text.value;
    try {
      const seen = await ask("/api/edit/look", { text });
      this.seenText = text;
      this.pieces = seen.pieces.map((/** @type {[number, number, string]} */ [start, end, kind]) => ({ start, end, kind }));
      this.problems = seen.problems;
      if (seen.table) {
        this.table = seen.table;
        this.frame.src = places.table(seen.table);
      }
      this.beside.classList.toggle("stale", !seen.table);
      this.note.hidden = Boolean(seen.table) || !this.frame.src;
      this.draw();
      this.list.replaceChildren(...this.problems.map((found) => this.tell(found)));
      this.say();
    } catch (refused) {
      toast(sayWhy(/** @type {any} */ (refused)), { kind: "bad" });
    } finally {
      this.asking = false;
    }
    if (this.text.value !== text) this.look();
  }

  /** Show the table, or the answer to a question about the text. @param {string} what */
  async inquire(what) {
    for (const each of this.tabs.querySelectorAll("button")) each.setAttribute("aria-pressed", String(each.dataset.what === what));
    this.answer.hidden = what === "table";
    this.frame.hidden = what !== "table";
    if (what === "table") return;
    this.answer.replaceChildren(h("p.loading", { role: "status" }, say(what === "simulate" ? "edit_playing" : "edit_working")));
    const waits = this.answer.firstElementChild;
    let made;
    try {
      const { drawAnswer } = await import("./answers.js");
      made = drawAnswer(what, await ask("/api/edit/inquire", { text: this.text.value, what, games: 10000 }));
    } catch (refused) {
      made = [h("p", { role: "alert" }, sayWhy(/** @type {any} */ (refused)))];
    }
    if (waits?.isConnected) this.answer.replaceChildren(...made);  // or something else was asked meanwhile
  }

  /** Work out an expression where the table stands. */
  async tryLine() {
    if (!this.line.value.trim() || !this.table) return;
    let told;
    try {
      told = await ask("/api/edit/try", { text: this.seenText, line: this.line.value, table: this.table });
    } catch (refused) {
      told = { value: [], why: sayWhy(/** @type {any} */ (refused)) };
    }
    this.value.hidden = false;
    this.value.classList.toggle("bad", !told.value.length);
    this.value.textContent = told.value.join("\n") || told.why;
  }

  async save() {
    const text = this.text.value;
    try {
      const { saved } = await ask("/api/edit/save", { text, saved: this.saved });
      this.saved = saved;
      this.savedText = text;
      this.say();
    } catch (refused) {
      toast(sayWhy(/** @type {any} */ (refused)), { kind: "bad", lasts: 0 });
    }
  }

  explainSoon() {
    clearTimeout(this.explaining);
    this.explaining = setTimeout(() => this.explain(), PAUSE);
  }

  /** Show the explanation of the word at the cursor. */
  async explain() {
    const found = await ask("/api/edit/explain", { text: this.text.value, at: this.text.selectionStart }).catch(() => null);
    if (!found) return;
    const types = found.types.map((/** @type {string} */ each) => each.replaceAll("`", ""));
    this.meaning.textContent = [found.means.replaceAll(/\*\*|```/g, "").replaceAll(/\n+/g, "\n").trim(), ...types].filter(Boolean).join("\n");
  }

  // ---------------------------------------------------------------------------------------------- rendering
  draw() {
    const text = this.text.value;
    const squiggles = this.problems.map(({ start, end, severity }) => ({ start, end: Math.max(end, start + 1), kind: severity === "error" ? "wrong" : "doubtful" }));
    paint(this.ink, text, moveMarks(this.pieces, this.seenText, text), moveMarks(squiggles, this.seenText, text));
    const count = text.split("\n").length;
    if (this.numbers.childElementCount !== count) {
      this.numbers.replaceChildren(...Array.from({ length: count }, (_, line) => h("div", null, line + 1)));
    }
    this.scroll();
  }

  scroll() {
    this.ink.scrollTop = this.numbers.scrollTop = this.text.scrollTop;
    this.ink.scrollLeft = this.text.scrollLeft;
  }

  say() {
    const errors = this.problems.filter((found) => found.severity === "error").length;
    const [n, kind] = errors ? [errors, "error"] : [this.problems.length, "warning"];
    const count = n ? say(`edit_${kind}${n === 1 ? "_1" : "s"}`, { n }) : say(this.pieces.length ? "edit_fine" : "edit_checking");
    this.state.textContent = `${count}${this.changed ? `, ${say("edit_unsaved")}` : ""}`;
    this.state.classList.toggle("bad", errors > 0);
    this.keep.disabled = !this.changed;
  }

  /** @param {Found} found */
  tell(found) {
    const { fix } = found;
    return h("li", { class: found.severity },
      h("button.goes-to", { type: "button", click: () => this.goTo(found) }, say("edit_at_line", { n: found.line })),
      h("span.said", null, found.message, ...found.hints.map((hint) => h("small", null, hint))),
      fix ? h("button.fix", { type: "button", click: () => { if (this.text.value === this.seenText) this.put(fix.start, fix.end, fix.text); } }, say("edit_mend")) : null);
  }

  /** @param {Found} found */
  goTo(found) {
    this.text.focus();
    this.text.setSelectionRange(found.start, found.end);
    const high = this.text.scrollHeight / this.text.value.split("\n").length;
    this.text.scrollTop = Math.max(0, (found.line - 4) * high);
  }
}

/** @param {{why?: string, detail?: string}} refused */
function sayWhy(refused) {
  const { why = "", detail = "" } = refused;
  if (["changed_on_disk", "no_server", "has_errors"].includes(why)) return say(why, { file: detail });
  return detail || why || String(refused);
}

apply();
const page = /** @type {HTMLElement} */ (document.getElementById("page"));
learn(wantedLanguage()).then(() => { speak(wantedLanguage()); return openFile(); }).then((file) => new Workbench(page, file), (refused) => page.replaceChildren(h("p.loading", { role: "alert" }, sayWhy(refused))));
