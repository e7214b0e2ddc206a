/** The page of a table, for players and spectators: what the server says, what is sent to it, and the dialogs. */

import { link, showHelp, showLinks, showLog, showReason, showRules, showScores, showSeal, showSettings, showTrick } from "./dialogs.js";
import { Beats } from "./beats.js";
import { drawTable, fit } from "./draw.js";
import { findGoal, findTip, isGuided } from "./guide.js";
import { drawLog } from "./log.js";
import { drawGains, drawScores } from "./scores.js";
import { h, openDialog, toast } from "./dom.js";
import { letDrag } from "./dragging.js";
import { finishingWay } from "./handles.js";
import { finish, fly, measure } from "./motion.js";
import { ask, Line, places } from "./net.js";
import { findWay, forcedChoice } from "./picking.js";
import { findRecord, noteResult, noteSeal } from "./records.js";
import { drawStandings, sayParty, sayTitle } from "./party.js";
import { change, notePace, noteTable, settings, wantedLanguage } from "./settings.js";
import { Selection } from "./selection.js";
import { ring, rustle } from "./sound.js";
import { Strip } from "./strip.js";
import { learn, say, sayLevel, sayRecord, sayRefusal, speak } from "./words.js";

const FORCED_AFTER = 450, FINISHED_AFTER = 130, LONGEST_LOG = 1000, MOST_SAID = 6, LATEST = 3, MOST_RECALLED = 16;
const SIGNS = ["👍", "👏", "😄", "😮", "🤔", "😢"], REACTED = 4000;

/** @param {HTMLElement} page @param {string} key @param {string} role */
export function showTable(page, key, role) {
  new Seat(page, key, role);
}

export class Seat {
  /** @param {HTMLElement} page @param {string} key @param {string} role */
  constructor(page, key, role) {
    this.page = page;
    this.key = key;
    this.role = role;
    /** @type {import("./types.js").Legend|null} */
    this.legend = null;
    /** @type {import("./types.js").Shown|null} */
    this.shown = null;
    /** @type {import("./types.js").News[]} */
    this.log = [];
    /** The cards by which the rule decides that was told last, by code. @type {Set<string>} */
    this.lit = new Set();
    /** What somebody who learns the game is told at this decision. @type {import("./guide.js").Tip|null} */
    this.tip = null;
    this.selection = new Selection(this);
    this.strip = new Strip(this);
    /** @type {import("./types.js").Hint|null} */
    this.hint = null;
    this.beats = new Beats((shown, next) => this.update(shown, next));
    /** The scores with which the round began, by side; null where the page was opened in its midst. @type {number[]|null} */
    this.began = null;
    this.finishing = this.inviting = false;
    /** What the game is about, and how it is won. @type {string[]} */
    this.about = [];
    this.options = {};
    /** @type {string[]} */
    this.languages = [];
    this.timer = 0;
    /** The id of the table, and the seal of its deal. */
    this.id = this.seal = "";
    this.sized = new ResizeObserver(() => this.measureRoom());
    /** @type {import("./draw.js").Kept} */
    this.kept = { calls: [], talks: false, order: {}, taker: null, lastTrick: null, room: { wide: 0, high: 0 }, scale: 1, tall: ["", 0] };
    this.sent = -1;
    /** Whether the focused element has vanished while others play; the next turn restores the focus. */
    this.strayed = false;
    this.ended = false;
    this.toldEnd = false;
    this.build();
    this.line = new Line(key, wantedLanguage(), (message) => this.hear(message), (state) => this.connect(state));
    this.keys = (/** @type {KeyboardEvent} */ event) => this.press(event);
    document.addEventListener("keydown", this.keys);
  }

  leave() {
    this.ended = true;
    clearTimeout(this.timer);
    this.beats.clear();
    finish();
    this.sized.disconnect();
    this.line.end();
    document.removeEventListener("keydown", this.keys);
  }

  // ---------------------------------------------------------------------------------------------- the page
  build() {
    this.title = h("h1", null, "Hoyle");
    this.status = h("p.status", { role: "status" }, this.shown ? "" : say("loading"));
    this.bar = h("nav.bar", { "aria-label": say("menu") });
    this.table = h("div.table-holder");
    this.sized.disconnect();
    this.sized.observe(this.table);
    this.table.addEventListener("click", () => { if (!this.beats.isHeld) this.beats.skip(); });
    letDrag(this.table, {
      lift: (zone, place) => this.selection.lift(zone, place),
      face: (code) => (code === null ? null : this.legend?.faces[code] ?? null),
      drop: (zone, place, onto, beside) => this.selection.drop(zone, place, onto, beside),
    });
    this.actions = h("section.actions", { "aria-label": say("choose") });
    this.recall = h("section.recall", { hidden: true });
    // The last lines of the log, where there is no room for all of it; `tell` announces them to screen readers.
    this.latest = h("button.latest", { type: "button", "aria-label": say("log"), hidden: true, click: () => this.legend && showLog(this.log, this.legend) });
    this.scores = h("div.scores");
    this.list = h("ol.log", { tabindex: 0 });  // so that keys scroll it
    this.banner = h("div.banner", { role: "alert", hidden: true });
    this.page.replaceChildren(
      h("header.top", null, h("a.brand", { href: places.lobby, title: say("lobby") }, h("img", { src: places.icon, alt: say("lobby"), width: 30, height: 30 })),
        h("div.titles", null, this.title, this.status), this.bar),
      this.banner,
      h("main.room", null,
        this.play = h("div.play", null, this.recall, this.table, this.latest, this.actions),
        h("aside.side-panel", { "aria-label": say("scores") }, h("section", null, h("h2", null, say("scores")), this.scores),
          h("section.log-section", null, h("h2", null, say("log")), this.list))));
    this.drawBar();
  }

  drawBar() {
    const seated = this.shown ? this.shown.view.seat !== null : this.role === "seat";
    /** @param {string} name @param {string} sign @param {() => void} done @param {string} letter @param {boolean} [can] @param {string} [kind] */
    const button = (name, sign, done, letter, can = true, kind = "") => h("button", { type: "button", class: kind, disabled: !can, title: letter ? `${say(name)} (${letter})` : say(name), "aria-keyshortcuts": letter || null, "data-focus": `bar:${name}`, click: done },
      h("span.sign", { "aria-hidden": "true" }, sign), h("span.text", null, say(name)));
    this.bar?.replaceChildren(...[
      seated ? button("undo", "↶", () => this.undo(), "U", Boolean(this.shown?.can_undo)) : null,
      seated && this.shown?.can_redo ? button("redo", "↷", () => this.line.send({ do: "redo" }), "Y", true, "optional") : null,
      seated ? button("hint", "✦", () => this.askHint(), "H", Boolean(this.menu)) : null,
      button("rules", "§", () => this.openRules(), "R"),
      button("scores", "№", () => this.shown && showScores(this.shown.view), "S", true, "narrow"),
      this.shown?.party ? button("standings", "♛", () => this.showStandings(), "", true, "optional") : null,
      button("log", "≡", () => this.legend && showLog(this.log, this.legend), "L", true, "narrow"),
      button("replay", "⟲", () => this.replay(), ""),
      places.invites && this.shown && seated && (this.shown.links.watch || Object.keys(this.shown.links.seats ?? {}).length) ? button("links", "⇄", () => this.invite(), "", true, Object.keys(this.shown.links.seats ?? {}).length ? "" : "optional") : null,
      ...places.more.map(({ name, sign, act }) => button(name, sign, () => act(this.key), "", true, "optional")),
      seated && places.invites && this.hasCompany() ? button("react", "☺", () => this.react(), "", true, "optional") : null,
      button("settings", "⚙", () => this.openSettings(), ""),
    ].filter((each) => each !== null));
  }

  /** @param {"open"|"lost"|"closed"} state */
  connect(state) {
    if (this.ended || !this.banner) return;
    if (state === "open" && !this.banner.hidden) toast(say("connected"), { lasts: 2000 });
    this.banner.hidden = state !== "lost";
    this.banner.textContent = state === "lost" ? say("connection_lost") : "";
    if (state === "lost") { clearTimeout(this.timer); this.sent = -1; }
  }

  // ---------------------------------------------------------------------------------------------- messages
  /** @param {any} message */
  hear(message) {
    if (this.ended) return;
    switch (message.is) {
      case "legend":
        this.legend = message.legend;
        this.options = message.options;
        this.about = message.about;
        this.languages = message.languages;
        this.id = message.table;
        this.seal = message.seal;
        speak(message.legend.language);
        this.build();
        break;
      case "table":
        this.beats.take(message);
        break;
      case "why":
        this.lit = new Set(message.reason?.cards ?? []);
        this.draw();
        if (message.reason && this.legend) showReason(message.reason, this.legend, this.options);
        else toast(say(this.menu && this.selection.itemsAt(this.menu, message.zone, message.place).length ? "nothing_wrong" : "not_asked"));
        break;
      case "hint":
        this.takeHint(message);
        break;
      case "guide":
        if (message.turn === this.menu?.turn && this.shown && !this.tip) this.guide(findTip(this.shown.view.game, message.tips));
        break;
      case "reaction":
        this.showReaction(message.seat, message.sign);
        break;
      case "again":
        toast(h("div", null, h("p", null, say("plays_again", { who: message.who })), h("a.button.primary", { href: places.table(message.key) }, say("join"))), { lasts: 600000, close: say("close") });
        break;
      case "shared":
        this.showShare(message.key);
        break;
      case "refused":
        this.sent = -1;
        toast(sayRefusal(message), { kind: "bad" });
        this.strip.draw();
        break;
      case "closed":
        this.fail(message);
        break;
    }
  }

  /** @param {{why: string, detail?: string}} refused */
  fail(refused) {
    this.leave();
    this.page.replaceChildren(h("main.welcome", null, h("h1", null, "Hoyle"), h("p.lead", { role: "alert" }, sayRefusal(refused)),
      h("p", null, h("a.button.primary", { href: places.lobby }, say("lobby")))));
  }

  /** @param {import("./types.js").Shown} shown @param {import("./types.js").Shown|null} next what will be shown after it, if it is known */
  update(shown, next) {
    if (!this.legend || !this.table || !this.title || !this.status) return;
    const before = measure(this.table);
    const first = this.shown === null || shown.fresh;
    const turn = this.menu?.turn;
    this.shown = shown;
    if (shown.fresh) this.log = [];
    this.log = [...this.log.slice(0, this.log.length - shown.dropped), ...shown.log].slice(-LONGEST_LOG);
    if (this.menu?.turn !== turn) { this.selection.reset(); this.sent = -1; this.tip = null; }
    if (this.hint && this.hint.turn !== this.menu?.turn) this.hint = null;
    this.noteCalls(shown, next);
    this.title.textContent = shown.view.title;
    document.title = `${shown.view.menu ? "● " : ""}${shown.view.title}`;
    this.status.textContent = this.sayStatus(shown);
    this.status.classList.toggle("turn", shown.view.menu !== null);
    this.draw();
    this.scores?.replaceChildren(...drawScores(shown.view));
    this.drawLog(first || shown.dropped ? this.log : shown.log, first || shown.dropped > 0);
    if (first || shown.log.some((news) => news.kind === "round_began")) {
      const since = this.log.slice(this.findRound()).some((news) => news.kind === "scored");
      this.began = since ? null : shown.view.scores.sides.map((side) => side.score);
    }
    this.drawRecall();
    if (!first) {
      fly(this.table, before, shown.log, this.legend);
      this.tell(shown.log);
      this.sound(shown, turn);
    }
    if (!shown.view.over) noteSeal(this.id, this.seal);
    else noteResult(this.key, shown.view);
    if (this.inviting) { this.inviting = false; this.invite(); }
    noteTable(this.key, shown.view.title, shown.view.over);
    const wait = notePace(shown.pace);
    if (wait !== shown.pace && shown.view.seat !== null && first) this.line.send({ do: "pace", wait });
    this.waitOrGoOn();
    if (this.menu && this.menu.turn !== turn && isGuided(shown.view) && forcedChoice(this.menu) === null) {
      this.guide(findGoal(shown.view.game, this.about));
      if (!this.tip) this.line.send({ do: "guide" });
    }
    const ended = shown.party ? shown.party.ended : shown.view.over;
    if (ended && !this.toldEnd) { this.toldEnd = true; setTimeout(() => this.showEnd(), first ? 0 : 1200); }
    if (!ended) this.toldEnd = false;
  }

  /** @param {import("./types.js").Shown} shown */
  sayStatus(shown) {
    const watchers = shown.watchers ? ` · ${shown.watchers === 1 ? say("watchers_1") : say("watchers", { n: shown.watchers })}` : "";
    if (shown.party && (shown.party.ended || shown.view.over)) return sayParty(shown.party);
    const status = shown.view.status.charAt(0).toUpperCase() + shown.view.status.slice(1);
    return `${shown.view.seat === null ? `${say("watching")} ` : ""}${status}${watchers}`;
  }

  /** @param {import("./types.js").Shown} shown @param {number|undefined} turn the own turn before, if it was */
  sound(shown, turn) {
    const { seat, result, over } = shown.view;
    if (over || shown.party?.ended) { if (!this.toldEnd) ring(seat !== null && result?.winners.includes(seat) ? "won" : "lost"); return; }
    rustle(shown.log.reduce((sum, news) => sum + news.moves.reduce((cards, move) => cards + move.cards.length, 0), 0));
    if (shown.pause === "round") ring("scored");
    else if (this.menu && this.menu.turn !== turn) ring("turn");
  }

  /** Tell what matters at this decision, and light the cards by which it does. @param {import("./guide.js").Tip|null} tip */
  guide(tip) {
    if (!tip) return;
    this.tip = tip;
    this.lit = new Set(tip.cards);
    this.draw();
  }

  // ---------------------------------------------------------------------------------------------- company
  /** Whether somebody else sits here or watches. */
  hasCompany() {
    return Boolean(this.shown && (this.shown.watchers || this.shown.seats.filter((seated) => seated.player === "person").length > 1));
  }

  react() {
    const dialog = openDialog(say("react"), [h("div.signs", null, ...SIGNS.map((sign) => h("button", { type: "button", click: () => { dialog.close(); this.line.send({ do: "react", sign }); } }, sign)))], { close: say("close") });
  }

  /** Show a sign at a seat for a while. @param {number} seat @param {string} sign */
  showReaction(seat, sign) {
    const player = this.shown?.view.players[seat], place = this.table?.querySelector(`[data-seat="${seat}"]`);
    if (!player || !place) return;
    ring("reaction");
    const shownSign = h("div.reaction", { role: "status", "aria-label": `${player.name}: ${sign}` }, sign), at = place.getBoundingClientRect();
    shownSign.style.setProperty("left", `${at.x + at.width / 2}px`);
    shownSign.style.setProperty("top", `${at.y + Math.min(at.height, 40)}px`);
    document.body.append(shownSign);
    setTimeout(() => shownSign.remove(), REACTED);
  }

  /** Announce news to screen readers. @param {import("./types.js").News[]} news */
  tell(news) {
    const said = document.getElementById("said");
    if (!said || !news.length) return;
    said.append(h("p", null, news.slice(-MOST_SAID).map((each) => each.text).join(". ")));
    if (this.menu && this.shown) said.append(h("p", null, this.shown.view.status));
    while (said.childElementCount > 20) said.firstElementChild?.remove();
  }

  /** @param {import("./types.js").News[]} news @param {boolean} whole */
  drawLog(news, whole) {
    if (!this.list || !this.legend) return;
    const made = drawLog(news, this.legend);
    if (whole) this.list.replaceChildren(...made);
    else this.list.append(...made);
    while (this.list.childElementCount > LONGEST_LOG) this.list.firstElementChild?.remove();
    this.list.scrollTop = this.list.scrollHeight;
    this.latest?.replaceChildren(h("ol", null, ...drawLog(this.log.slice(-LATEST), this.legend)));
    if (this.latest) this.latest.hidden = !this.log.length;
  }

  /** Remember what has been called since cards were last played, who takes the trick, and the last trick.
   * @param {import("./types.js").Shown} shown @param {import("./types.js").Shown|null} next */
  noteCalls(shown, next) {
    const { kept } = this;
    const since = this.log.findLastIndex((news) => news.kind === "round_began" || (news.kind === "chose" && news.moves.length > 0));
    kept.calls = this.log.slice(since + 1).flatMap(({ kind, seat, text }) => {
      if (kind !== "chose" || seat === null) return [];
      return [{ seat, text: text.replace(/^\S+ /u, "") }];
    });
    kept.talks ||= kept.calls.length > 0;
    const ring = shown.view.zones.find((zone) => zone.ring);
    kept.taker = null;
    if (!ring || shown.pause !== "full") return;
    const move = next?.log.flatMap((news) => news.moves).find((each) => each.source.includes(ring.id));
    kept.taker = shown.view.zones.find((zone) => zone.id === move?.target[0])?.owner ?? null;
    kept.lastTrick = () => this.legend && showTrick(ring, shown.view, this.legend);
  }

  /** The place in the log at which this round begins. */
  findRound() {
    return Math.max(0, this.log.map((news) => news.kind).lastIndexOf("round_began"));
  }

  /** Show how a round has ended, until the player goes on. */
  drawRecall() {
    if (!this.recall || !this.shown || !this.legend) return;
    const { view, pause } = this.shown;
    this.recall.hidden = pause !== "round";
    if (this.recall.hidden) { this.recall.replaceChildren(); return; }
    const title = say("round_ended", { n: view.round });
    const told = this.log.slice(this.findRound() + 1).filter((news) => ["scored", "gained", "shown", "marked", "announced", "retired"].includes(news.kind)).slice(-MOST_RECALLED), counted = told.some((news) => news.kind === "scored");
    const on = h("button.primary", { type: "button", "data-focus": "go-on", click: () => this.beats.skip() }, say("next_round"));
    this.recall.setAttribute("aria-label", title);
    this.recall.replaceChildren(h("h2", null, title), drawGains(view.scores.sides, this.began), told.length ? h("ol.told", null, ...drawLog(counted ? told.filter((news) => news.kind !== "gained") : told, this.legend)) : "", on);
    on.focus({ preventScroll: true });
  }

  // ---------------------------------------------------------------------------------------------- drawing
  get menu() {
    return this.shown?.view.menu ?? null;
  }

  /** Take note of the room that there is for the table; cards keep their size as long as it stays. */
  measureRoom() {
    if (!this.table) return;
    const room = { wide: this.table.clientWidth, high: this.table.clientHeight };
    if (room.wide === this.kept.room.wide && room.high === this.kept.room.high) return;
    Object.assign(this.kept, { room, scale: 1 });
    this.draw();
  }

  /** Redraw the table and restore the focus. */
  draw() {
    if (!this.shown || !this.legend || !this.table) return;
    const held = /** @type {HTMLElement|null} */ (document.activeElement);
    const focus = held?.dataset?.focus ?? null;
    const inside = held !== null && (this.table.contains(held) || (this.actions?.contains(held) ?? false) || (this.strayed && held === document.body));
    if (!this.kept.room.wide) this.kept.room = { wide: this.table.clientWidth, high: this.table.clientHeight };
    this.table.replaceChildren(drawTable(this.shown.view, this.legend, this.listSeats(this.shown), this.selection.touch(), this.kept));
    this.drawBar();
    this.strip.draw();
    fit(this.table, this.shown.view, this.kept);
    this.actions?.style.setProperty("--own", `${/** @type {HTMLElement|null} */ (this.table.querySelector(".mine"))?.offsetHeight ?? 0}px`);
    if (focus || inside) this.restore(focus, inside);
    this.strayed = inside && document.activeElement === document.body;
  }

  /** Who sits where; `open` are the seats nobody has taken yet. @param {import("./types.js").Shown} shown */
  listSeats(shown) {
    return shown.seats.map((seated, seat) => ({ ...seated, open: String(seat) in (shown.links.seats ?? {}) }));
  }

  /** @param {string|null} focus @param {boolean} inside */
  restore(focus, inside) {
    const found = focus ? /** @type {HTMLElement|null} */ (this.page.querySelector(`[data-focus="${CSS.escape(focus)}"]`)) : null;
    if (found && !(/** @type {any} */ (found).disabled)) found.focus({ preventScroll: true });
    else if (inside && this.menu) /** @type {HTMLElement|null} */ ((this.page.querySelector("button.card-slot.can") ?? this.page.querySelector(".zone-label[data-focus], .actions button")))?.focus({ preventScroll: true });
  }

  /** @param {number} choice @param {number|null} number @param {number[]} [items] the cards of a group @param {boolean} [alone] whether the page makes it automatically */
  choose(choice, number, items = [], alone = false) {
    const turn = this.menu?.turn;
    if (turn === undefined || this.sent === turn) return;
    if (!this.line.send({ do: "choose", turn, choice, ...(number === null ? {} : { number }), ...(items.length ? { items } : {}) })) return;
    this.sent = turn;
    clearTimeout(this.timer);
    document.getElementById("toasts")?.replaceChildren();
    this.strip.draw();  // the table itself follows with the answer
  }

  // ---------------------------------------------------------------------------------------------- timers, undo, hints
  /** Start the timer of a forced move or of declining a response window, as far as the settings ask for it. */
  waitOrGoOn() {
    clearTimeout(this.timer);
    const { menu } = this;
    if (!menu || this.sent === menu.turn || this.shown?.undo) return;
    const last = this.finishing && this.shown ? finishingWay(menu, this.shown.view) : null;
    this.finishing = last !== null;
    if (last) {
      this.timer = setTimeout(() => this.choose(last.way.choice, null), FINISHED_AFTER);
      return;
    }
    const forced = settings.forced && !menu.window ? forcedChoice(menu) : null;
    if (forced !== null) {
      this.timer = setTimeout(() => {
        const found = this.menu ? findWay(this.menu, forced) : null;
        const text = this.menu && found ? this.strip.write(this.menu, found.way) : "";
        this.choose(forced, null, [], true);
        if (text) toast(say("made_forced", { what: text }), { lasts: 2500, kind: "brief" });
      }, FORCED_AFTER);
    } else if (menu.window && menu.decline !== null && settings.timer > 0) {
      const choice = menu.decline;
      this.timer = setTimeout(() => this.choose(choice, null, [], true), settings.timer * 1000);
    }
  }

  /** Show the links, and those of bots' seats as soon as they are made. */
  invite() {
    if (this.shown) showLinks(this.shown, (seat) => { this.inviting = true; this.line.send({ do: "offer", seat }); });
  }

  undo() {
    if (this.shown?.can_undo) { clearTimeout(this.timer); this.line.send({ do: "undo" }); }
  }

  askHint() {
    if (this.menu) { clearTimeout(this.timer); this.line.send({ do: "hint" }); }
  }

  /** Show the adviser's choice with the visits and mean values of its search. @param {import("./types.js").Hint} hint */
  takeHint(hint) {
    const { menu } = this;
    if (!menu || menu.turn !== hint.turn) return;
    this.hint = hint;
    const rows = hint.tried.map((each) => h("tr", { class: each.choice === hint.choice && each.number === hint.number ? "best" : "" },
      h("th", { scope: "row" }, this.spell(menu, each)), h("td", null, each.visits),
      h("td", null, h("meter", { min: 0, max: 1, value: each.value, "aria-hidden": "true" }), ` ${Math.round(100 * each.value)}`)));
    const table = h("table.weighed", null, h("thead", null, h("tr", null, h("th", { scope: "col" }, say("hint_choice")), h("th", { scope: "col" }, say("hint_tried", { n: hint.visits })),
      h("th", { scope: "col" }, say("hint_value")))), h("tbody", null, ...rows));
    toast(h("div", null, h("p", null, h("strong", null, say("hint_text", { bot: sayLevel(hint.bot), what: this.spell(menu, hint) }))),
      hint.equal > 1 ? h("p", null, say(hint.equal < hint.tried.length ? "hint_same" : "hint_all_same", { n: hint.equal })) : null, rows.length ? table : null), { lasts: 20000, kind: "hint-toast", close: say("close") });
    this.draw();
  }

  /** @param {import("./types.js").Menu} menu @param {{choice: number, number: number|null, way?: {text: string, picks: number[][]}|null}} chosen */
  spell(menu, { choice, number, way }) {
    if (choice === menu.decline) return say("decline");
    const found = way ?? findWay(menu, choice)?.way;
    const text = found ? this.strip.write(menu, found) : "";
    return number === null ? text : text.replace(/-?\d+\.\.-?\d+$/, String(number));
  }

  // ---------------------------------------------------------------------------------------------- the end

  showEnd() {
    if (this.shown?.party) { this.showStandings(); return; }
    if (!this.shown?.view.over || this.ended) return;
    const { result, game, seat } = this.shown.view;
    const dialog = openDialog(result?.verdict ?? say("won"), [result?.reason ? h("p.lead", null, result.reason) : null, ...drawScores(this.shown.view, Boolean(result?.reason)),
      seat === null ? null : h("p.hint", null, sayRecord(findRecord(game))),
      h("div.buttons", null, h("button.primary", { type: "button", click: () => { dialog.close(); this.again(); } }, say("again")),
        h("button", { type: "button", click: () => { dialog.close(); this.replay(); } }, say("replay")),
        seat === null ? null : h("button", { type: "button", "data-focus": "analysis", click: () => { dialog.close(); this.replay(true); } }, say("analysis")))], { close: say("close"), kind: "wide end" });
  }

  /** Show how the tournament stands, and lead to its next game. */
  showStandings() {
    const party = this.shown?.party;
    if (!party || this.ended) return;
    const on = party.ended && !party.over ? h("div.buttons", null, h("button.primary", { type: "button", "data-focus": "next-game", click: () => this.again() }, say("party_next"))) : "";
    openDialog(sayTitle(party), [...drawStandings(party), on], { close: say("close"), kind: "wide end" });
  }

  showSeal() {
    const seed = this.shown?.seed;
    if (typeof seed === "number") showSeal(this.id, seed);
  }

  async again() {
    try {
      const { key } = await ask("/api/again", { key: this.key, name: "" });
      location.assign(places.table(key));
    } catch (refused) {
      toast(sayRefusal(/** @type {any} */ (refused)), { kind: "bad" });
    }
  }

  /** @param {boolean} [analysed] */
  async replay(analysed = false) {
    try {
      const { showReplay } = await import("./replay.js");
      this.leave();
      history.pushState({ replay: true }, "");  // so that the back button leads to the table
      await showReplay(this.page, this.key, () => showTable(this.page, this.key, this.role), analysed);
    } catch (refused) {
      if (this.ended) this.fail(/** @type {any} */ (refused));
      else toast(say("no_server"), { kind: "bad" });
    }
  }

  /** @param {string} key */
  showShare(key) {
    openDialog(say("shared_by"), [h("p", null, say("share_text")), link(say("share"), key)], { close: say("close") });
  }

  // ---------------------------------------------------------------------------------------------- dialogs and keys
  openRules() {
    if (this.legend) showRules(this.legend, this.options);
  }

  openSettings() {
    if (!this.shown || !this.legend) return;
    const seat = this.shown.view.seat;
    showSettings({ languages: this.languages, language: this.legend.language, name: seat === null ? null : this.shown.seats[seat].name }, {
      speed: () => { if (this.shown && seat !== null) this.line.send({ do: "pace", wait: notePace(this.shown.pace) }); },
      cards: () => this.draw(),
      language: async (code) => { await learn(code); this.shown = null; this.line.speak(code); },
      name: (name) => { change({ name }); this.line.send({ do: "name", name }); },
      again: () => this.again(),
    });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
    const done = {
      u: () => this.undo(), y: () => { if (this.shown?.can_redo) this.line.send({ do: "redo" }); }, h: () => this.askHint(), r: () => this.openRules(), l: () => this.legend && showLog(this.log, this.legend),
      s: () => this.shown && showScores(this.shown.view), "?": () => showHelp(), escape: () => { if (!this.beats.skip()) this.selection.clear(); },
      p: () => { if (this.menu && this.menu.decline !== null) this.choose(this.menu.decline, null); },
    }[event.key.toLowerCase()];
    if (done) { event.preventDefault(); done(); return; }
    if (event.key.startsWith("Arrow") && this.table) { if (this.walk(event.key)) event.preventDefault(); }
  }

  /** Move the focus with the arrow keys: left and right within all controls, up and down to the next group. @param {string} key */
  walk(key) {
    const all = /** @type {HTMLElement[]} */ ([...this.page.querySelectorAll(".table-holder button, .actions button, .actions input")]).filter((each) => !(/** @type {any} */ (each).disabled));
    if (!all.length) return false;
    const here = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (here < 0) { (all.find((each) => each.matches(".can")) ?? all[0]).focus(); return true; }
    if (key === "ArrowRight" || key === "ArrowLeft") { all[(here + (key === "ArrowRight" ? 1 : all.length - 1)) % all.length].focus(); return true; }
    const group = (/** @type {HTMLElement} */ each) => each.closest("[data-zone], .row-of, .actions, .player") ?? each;
    const own = group(all[here]);
    const step = key === "ArrowDown" ? 1 : all.length - 1;
    for (let at = (here + step) % all.length; at !== here; at = (at + step) % all.length) if (group(all[at]) !== own) { all[at].focus(); return true; }
    return false;
  }
}
