/** The page of a table, for players and spectators: server state, selection, and messages to the server. */

import { link, showHelp, showLinks, showLog, showReason, showRules, showScores, showSeal, showSettings, showTrick } from "./dialogs.js";
import { figureOf } from "./cards.js";
import { Beats } from "./beats.js";
import { drawTable, fit } from "./draw.js";
import { drawLog, writeCards } from "./log.js";
import { drawGains, drawScores } from "./scores.js";
import { h, openDialog, toast } from "./dom.js";
import { letDrag } from "./dragging.js";
import { finishingWay, quickWay, wayFrom, waysOfCard, wayTo } from "./handles.js";
import { finish, fly, measure } from "./motion.js";
import { ask, Line, places } from "./net.js";
import { findGrid, forcedChoice, itemsAt, listImplied, listRows, narrow, wayAt } from "./picking.js";
import { findRecord, noteResult, noteSeal } from "./records.js";
import { change, notePace, noteTable, settings, wantedLanguage } from "./settings.js";
import { ring, rustle } from "./sound.js";
import { say, sayLevel, sayRecord, sayRefusal, speak } from "./words.js";

const FORCED_AFTER = 450, FINISHED_AFTER = 130, DOUBLE = 400, LONGEST_LOG = 1000, MOST_SAID = 6, LATEST = 3, MOST_RECALLED = 16;
const SIGNS = ["👍", "👏", "😄", "😮", "🤔", "😢"], REACTED = 4000;

/** @param {import("./types.js").Item} item */
function sayItem(item) {
  return item.attribute ? figureOf({ short: item.text, value: item.value }) : item.text;
}

/** @param {HTMLElement} page @param {string} key @param {string} role */
export function showTable(page, key, role) {
  new Seat(page, key, role);
}

class Seat {
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
    /** @type {{item: number, zone: string, place: number, implied?: boolean}[]} */
    this.picked = [];
    /** @type {string|null} */
    this.act = null;
    /** @type {import("./types.js").Hint|null} */
    this.hint = null;
    this.beats = new Beats((shown, next) => this.update(shown, next));
    /** The scores with which the round began, by side; null where the page was opened in its midst. @type {number[]|null} */
    this.began = null;
    /** The card clicked last, and when. */
    this.clicked = { zone: "", place: -1, at: 0 };
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
    this.kept = { calls: [], order: {}, taker: null, lastTrick: null, room: { wide: 0, high: 0 }, scale: 1 };
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
      lift: (zone, place) => this.lift(zone, place),
      face: (code) => (code === null ? null : this.legend?.faces[code] ?? null),
      drop: (zone, place, onto, beside) => this.drop(zone, place, onto, beside),
    });
    this.actions = h("section.actions", { "aria-label": say("choose") });
    this.recall = h("section.recall", { hidden: true });
    // The last lines of the log, where there is no room for all of it; `tell` announces them to screen readers.
    this.latest = h("button.latest", { type: "button", "aria-label": say("log"), hidden: true, click: () => this.legend && showLog(this.log, this.legend) });
    this.scores = h("div.scores");
    this.list = h("ol.log");
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
        if (message.reason && this.legend) showReason(message.reason, this.legend, this.options);
        else toast(say(this.menu && this.itemsAt(this.menu, message.zone, message.place).length ? "nothing_wrong" : "not_asked"));
        break;
      case "hint":
        this.takeHint(message);
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
        this.drawActions();
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
    if (this.menu?.turn !== turn) { this.picked = []; this.act = null; this.sent = -1; }
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
    if (shown.view.over && !this.toldEnd) { this.toldEnd = true; setTimeout(() => this.showEnd(), first ? 0 : 1200); }
    if (!shown.view.over) this.toldEnd = false;
  }

  /** @param {import("./types.js").Shown} shown */
  sayStatus(shown) {
    const watchers = shown.watchers ? ` · ${shown.watchers === 1 ? say("watchers_1") : say("watchers", { n: shown.watchers })}` : "";
    const status = shown.view.status.charAt(0).toUpperCase() + shown.view.status.slice(1);
    return `${shown.view.seat === null ? `${say("watching")} ` : ""}${status}${watchers}`;
  }

  /** @param {import("./types.js").Shown} shown @param {number|undefined} turn the own turn before, if it was */
  sound(shown, turn) {
    const { seat, result, over } = shown.view;
    if (over) { if (!this.toldEnd) ring(seat !== null && result?.winners.includes(seat) ? "won" : "lost"); return; }
    rustle(shown.log.reduce((sum, news) => sum + news.moves.reduce((cards, move) => cards + move.cards.length, 0), 0));
    if (shown.pause === "round") ring("scored");
    else if (this.menu && this.menu.turn !== turn) ring("turn");
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
    const told = this.log.slice(this.findRound() + 1).filter((news) => ["scored", "paid", "marked", "announced", "retired"].includes(news.kind)).slice(-MOST_RECALLED), counted = told.some((news) => news.kind === "scored");
    const on = h("button.primary", { type: "button", "data-focus": "go-on", click: () => this.beats.skip() }, say("next_round"));
    this.recall.setAttribute("aria-label", title);
    this.recall.replaceChildren(h("h2", null, title), drawGains(view.scores.sides, this.began), told.length ? h("ol.told", null, ...drawLog(counted ? told.filter((news) => news.kind !== "paid") : told.slice(-LATEST), this.legend)) : "", on);
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
    this.table.replaceChildren(drawTable(this.shown.view, this.legend, this.listSeats(this.shown), this.touch(), this.kept));
    this.drawBar();
    this.drawActions();
    fit(this.table, this.shown.view, this.kept);
    this.play?.style.setProperty("--hand", this.table.firstElementChild instanceof HTMLElement ? this.table.firstElementChild.style.getPropertyValue("--hand") : "");
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

  /** @returns {import("./draw.js").Touch} */
  touch() {
    const menu = this.menu;
    const picking = menu ? narrow(menu, this.items, this.act) : null;
    const hinted = new Set(menu && this.hint ? this.hint.way?.picks.flat() ?? [] : []);
    const lit = menu && this.hint && !hinted.size ? this.findWay(menu, this.hint.choice)?.way.moved?.source[0] ?? null : null;
    /** Cards that can begin another move stay enabled during a selection; zones only if they continue the selection. */
    const fresh = menu ? narrow(menu, [], this.act) : null;
    const can = (/** @type {number} */ item) => Boolean(picking?.items.has(item) || (this.picked.length && fresh?.items.has(item)));
    const find = (/** @type {string} */ kind, /** @type {(item: import("./types.js").Item) => boolean} */ fits) =>
      menu ? menu.items.findIndex((item) => item.kind === kind && fits(item)) : -1;
    const state = (/** @type {number} */ item) => ({ can: item >= 0 && Boolean(picking?.items.has(item) || this.items.includes(item)), picked: this.items.includes(item), hinted: hinted.has(item) });
    return {
      asked: menu !== null,
      card: (zone, place) => {
        if (!menu) return { can: false, other: false, picked: false, hinted: false };
        const items = this.itemsAt(menu, zone, place);
        if (this.wayAt(menu, zone, place)) return { can: true, other: false, picked: false, hinted: this.hint?.number === this.countFromTop(zone, place) };
        return { can: items.some(can), other: this.picked.length > 0 && !items.some((item) => picking?.items.has(item)), picked: this.picked.some((pick) => pick.zone === zone && pick.place === place) || items.some((item) => menu.items[item].kind === "value" && this.items.includes(item)), hinted: items.some((item) => hinted.has(item)) };
      },
      pickCard: (zone, place) => this.pickCard(zone, place),
      zone: (zone) => {
        const item = find("zone", (each) => each.zone === zone), found = state(item);
        // A target lights up once it is clear what goes there.
        if (item >= 0 && menu && !this.picked.length && found.can) found.can = menu.acts.some((act) => act.ways.some(({ picks }) => picks.flat().includes(item) && !picks.flat().some((other) => menu.items[other].kind === "card")));
        return { ...found, can: found.can || this.handleOf(zone) !== null, hinted: found.hinted || lit === zone };
      },
      pickZone: (zone) => {
        const item = find("zone", (each) => each.zone === zone), handle = this.handleOf(zone);
        if (handle && !state(item).can) this.choose(handle.way.choice, null);
        else this.pick(item);
      },
      seat: (seat) => state(find("seat", (item) => item.seat === seat)),
      pickSeat: (seat) => this.pick(find("seat", (item) => item.seat === seat)),
      // Explain why a shared card cannot be used only where some shared cards can be.
      explains: (zone) => zone.owner === null && !state(find("zone", (item) => item.zone === zone.id)).can && this.playsCommon(),
      explain: (zone, place) => this.line.send({ do: "why", zone, place }),
    };
  }

  /** The way that a click on a zone takes: what was picked goes there, or its top card comes away. @param {string} zone */
  handleOf(zone) {
    const { menu } = this, at = this.findZone(zone);
    if (!menu || !at) return null;
    if (!this.picked.length) return wayFrom(menu, at);
    return wayTo(narrow(menu, this.items, this.act).complete, zone);
  }

  /** @param {string} zone */
  findZone(zone) {
    return this.shown?.view.zones.find((each) => each.id === zone) ?? null;
  }

  /** What a dragged card takes along, and where it may go. @param {string} zone @param {number} place */
  lift(zone, place) {
    const from = this.findZone(zone);
    const ways = this.menu && from ? waysOfCard(this.menu, from, place) : [];
    return { cards: ways[0]?.way.moved?.cards.slice() ?? [], targets: [...new Set(ways.map(({ way }) => way.moved?.target[0] ?? ""))] };
  }

  /** Whether the menu has shared cards. */
  playsCommon() {
    const zones = new Set(this.shown?.view.zones.filter((zone) => zone.owner === null).map((zone) => zone.id));
    return Boolean(this.menu?.items.some((item) => item.kind === "card" && item.zone !== null && zones.has(item.zone)));
  }

  get items() {
    return this.picked.map((pick) => pick.item);
  }

  /** The items a card stands for: itself, or its rank in menus with ranks but without cards. @param {import("./types.js").Menu} menu @param {string} zone @param {number} place */
  itemsAt(menu, zone, place) {
    const found = itemsAt(menu, zone, place);
    if (found.length || menu.items.some((item) => item.kind === "card")) return found;
    const shown = this.shown?.view.zones.find((each) => each.id === zone && each.owner !== null && each.owner === this.shown?.view.seat);
    const prints = this.legend?.faces[shown?.cards[place] ?? ""]?.prints ?? [];
    return menu.items.flatMap((item, number) =>
      item.attribute && prints.some((print) => print.attribute === item.attribute && print.value === item.value) ? [number] : []);
  }

  /** @param {string} zone @param {number} place */
  countFromTop(zone, place) {
    return (this.shown?.view.zones.find((each) => each.id === zone)?.cards.length ?? 0) - place;
  }

  /** @param {import("./types.js").Menu} menu @param {string} zone @param {number} place */
  wayAt(menu, zone, place) {
    return wayAt(menu, zone, this.countFromTop(zone, place));
  }

  // ---------------------------------------------------------------------------------------------- picking
  /** @param {string} zone @param {number} place */
  pickCard(zone, place) {
    if (!this.menu) return;
    const way = this.wayAt(this.menu, zone, place);
    if (way) {
      const nth = this.countFromTop(zone, place);
      const field = settings.confirm ? this.actions?.querySelector(`[data-focus="number:${way.choice}"]`) : null;
      if (!(field instanceof HTMLInputElement)) { this.choose(way.choice, nth); return; }
      field.value = String(nth);
      field.dispatchEvent(new Event("input"));
      field.focus();
      return;
    }
    const again = this.clicked.zone === zone && this.clicked.place === place && performance.now() - this.clicked.at < DOUBLE;
    this.clicked = { zone, place, at: performance.now() };
    const from = this.findZone(zone), quick = again && from ? quickWay(waysOfCard(this.menu, from, place), this.shown?.view.zones ?? []) : null;
    if (quick) { this.choose(quick.way.choice, null); return; }
    const picking = narrow(this.menu, this.items, this.act);
    const target = this.menu.items.findIndex((item) => item.kind === "zone" && item.zone === zone);
    if (this.picked.length && !this.picked.some((pick) => pick.zone === zone)) {
      const goes = !this.itemsAt(this.menu, zone, place).some((item) => picking.items.has(item));
      if (goes && picking.items.has(target)) { this.pick(target); return; }
      const handle = goes ? this.handleOf(zone) : null;
      if (handle) { this.choose(handle.way.choice, null); return; }
    }
    const held = this.picked.find((pick) => pick.zone === zone && pick.place === place);
    if (held && !picking.items.has(held.item)) { this.unpick(held.item); return; }
    const items = this.itemsAt(this.menu, zone, place);
    const next = items.find((item) => picking.items.has(item)) ?? items.find((item) => !this.items.includes(item));
    if (next === undefined && items.length) { this.unpick(items[0]); return; }  // its rank was picked elsewhere
    if (next === undefined) {
      this.line.send({ do: "why", zone, place });
      return;
    }
    this.pick(next, zone, place);
  }

  /** @param {number} item @param {string} [zone] @param {number} [place] */
  pick(item, zone = "", place = -1) {
    if (!this.menu || item < 0) return;
    if (this.items.includes(item) && !narrow(this.menu, this.items, this.act).items.has(item)) { this.unpick(item); return; }
    const one = { item, zone, place };
    const together = narrow(this.menu, [...this.items, item], this.act).ways.length > 0;
    this.picked = together ? [...this.picked, one] : [one];
    if (!narrow(this.menu, this.items, this.act).ways.length) { this.act = null; }
    if (this.act === null && ["value", "number"].includes(this.menu.items[item].kind)) this.act = this.findAct();
    if (together) this.picked.push(...listImplied(this.menu, this.items, this.act).map((each) => ({ item: each, zone: "", place: -1, implied: true })));
    this.settle();
  }

  /** If the selection fits several actions that ask for more than one item, the first of them, so that the page asks about
   * one at a time; none where the selection is complete for several, since then which is meant is asked. */
  findAct() {
    if (!this.menu || this.items.some((item) => this.menu?.items[item].kind === "seat")) return null;
    const { ways, complete } = narrow(this.menu, this.items, null);
    if (complete.length > 1) return null;
    const acts = new Set(ways.map(({ act }) => act));
    return acts.size > 1 ? [...acts][0].name : null;
  }

  /** Toggle an item that is not on the table; in rows for a single item, it replaces the one picked before. @param {number} item @param {{many: boolean, chosen: number[]}} row */
  pickLoose(item, row) {
    if (row.chosen.includes(item)) { this.unpick(item); return; }
    this.picked = this.picked.filter((pick) => !pick.implied);
    if (!row.many) for (const each of row.chosen) this.putBack(each);
    this.pick(item);
  }

  /** Take the way that a dropped card means; false where there is none, and it springs back.
   * @param {string} zone @param {number} place @param {string|null} onto @param {string|null} beside */
  drop(zone, place, onto, beside) {
    const { menu } = this, from = this.findZone(zone);
    if (!from || onto === null) return false;
    if (onto === zone) return this.putBeside(from, place, beside);
    if (!menu || this.sent === menu.turn) return false;
    const ways = waysOfCard(menu, from, place);
    const found = wayTo(ways, onto);
    if (found && !settings.confirm) { this.choose(found.way.choice, null); return true; }
    if (ways.length && !found && !ways.some(({ way }) => way.moved?.target[0] === onto)) return false;
    if (!this.itemsAt(menu, zone, place).length) return false;
    if (!this.picked.some((pick) => pick.zone === zone && pick.place === place)) this.pickCard(zone, place);
    if (this.menu?.turn !== menu.turn || this.sent === menu.turn) return true;
    const item = menu.items.findIndex((each) => each.kind === "zone" && each.zone === onto);
    if (item >= 0 && narrow(menu, this.items, this.act).items.has(item)) this.pick(item);
    return true;
  }

  /** Put a card of the own hand beside another one. @param {import("./types.js").Zone} zone @param {number} place @param {string|null} beside */
  putBeside(zone, place, beside) {
    const code = zone.cards[place];
    if (zone.owner === null || zone.owner !== this.shown?.view.seat || !code || beside === null || beside === code) return false;
    const rank = this.kept.order[zone.id] ?? zone.order.map((each) => zone.cards[each] ?? "");
    const others = rank.filter((each) => each !== code), at = others.indexOf(beside);
    others.splice(rank.indexOf(code) < rank.indexOf(beside) ? at + 1 : at, 0, code);
    this.kept.order[zone.id] = others;
    this.draw();
    return true;
  }

  /** @param {number} item */
  unpick(item) {
    this.putBack(item);
    this.picked = this.picked.filter((pick) => !pick.implied);
    this.draw();
  }

  /** Remove one occurrence of an item from the selection. @param {number} item */
  putBack(item) {
    const last = this.items.lastIndexOf(item);
    this.picked = this.picked.filter((_, at) => at !== last);
  }

  /** Send the selection if it is unambiguous and complete; otherwise show what can be added. */
  settle() {
    if (!this.menu) return;
    const { complete, items } = narrow(this.menu, this.items, this.act);
    const only = complete.length === 1 && items.size === 0 ? complete[0].way : null;
    const several = only !== null && (only.chosen !== undefined || only.picks.some((pick) => pick.length > 1));
    if (only && !only.number && !several && !settings.confirm) this.choose(only.choice, null);
    else this.draw();
  }

  clear() {
    this.picked = [];
    this.act = null;
    this.draw();
  }

  /** @param {number} choice @param {number|null} number @param {number[]} [items] the cards of a group @param {boolean} [alone] whether the page makes it automatically */
  choose(choice, number, items = [], alone = false) {
    const turn = this.menu?.turn;
    if (turn === undefined || this.sent === turn) return;
    if (!this.line.send({ do: "choose", turn, choice, ...(number === null ? {} : { number }), ...(items.length ? { items } : {}) })) return;
    this.sent = turn;
    clearTimeout(this.timer);
    document.getElementById("toasts")?.replaceChildren();
    this.draw();
  }

  /** @param {import("./types.js").Menu} menu @param {number} choice */
  findWay(menu, choice) {
    for (const act of menu.acts) for (const way of act.ways) if (way.choice === choice) return { act, way };
    return null;
  }

  // ---------------------------------------------------------------------------------------------- actions
  drawActions() {
    const { menu, shown } = this;
    if (!this.actions || !shown) return;
    const made = [];
    if (shown.broken) made.push(h("p.bad", { role: "alert" }, say("broken"), h("br"), shown.broken));
    if (shown.unstored) made.push(h("p.bad", { role: "alert" }, say("not_stored"), h("br"), shown.unstored));
    if (shown.undo) made.push(this.drawUndo(shown.undo));
    if (shown.view.over) made.push(...this.drawEnd());
    else if (menu && this.sent !== menu.turn) made.push(...this.drawMenu(menu));
    else if (shown.view.seat !== null && shown.links.seats && Object.keys(shown.links.seats).length) {
      made.push(h("p.prompt", null, say("new_seat_links")), h("button", { type: "button", click: () => this.invite() }, say("invite_now")));
    }
    this.actions.replaceChildren(...made);
    this.actions.classList.toggle("idle", !made.length);
  }

  /** @param {import("./types.js").Menu} menu */
  drawMenu(menu) {
    const { complete, items } = narrow(menu, this.items, this.act);
    const said = complete.length > 1 && items.size === 0;  // all but which of them
    const drawn = (/** @type {import("./types.js").Item} */ item) => (item.kind === "card" && item.places.length > 0 && this.isDrawn(item))
      || (item.kind === "zone" && this.shown?.view.zones.some((zone) => zone.id === item.zone)) || item.kind === "seat";
    const slotted = menu.acts.filter((act) => act.slots.length && act.ways.some((way) => way.group || way.picks.flat().length));
    // Items not on the table are offered once the action is clear: `3` can be a rank in one action and a place in another.
    const clear = slotted.length < 2 || this.act !== null || this.picked.length > 0;
    // An action with a single way is one button.
    const single = clear && !this.picked.length ? slotted.filter((act) => (this.act === null || act.name === this.act) && act.ways.length === 1
      && !act.ways[0].group && !act.ways[0].picks.flat().some((item) => drawn(menu.items[item]))) : [];
    const grid = said || this.picked.some((pick) => !pick.implied) ? null : findGrid(menu, slotted.filter((act) => clear && (this.act === null || act.name === this.act)), (item) => drawn(menu.items[item]));
    const rows = said || grid ? [] : listRows(menu, this.items, this.act, (item) => (clear && !drawn(menu.items[item])) || menu.items[item].kind === "seat")
      .filter((row) => !single.some((act) => row.items.every((item) => act.ways[0].picks.flat().includes(item))));
    const made = [];
    if (menu.window && settings.timer > 0 && menu.decline !== null) made.push(h("div.timer", { style: { "--seconds": `${settings.timer}s` } }));
    made.push(this.drawPrompt(menu));
    const row = h("div.buttons");
    if (slotted.length > 1) {
      row.append(h("div.acts", { role: "group" }, ...slotted.map((act) => h("button.act", { type: "button", title: act.text, "data-focus": `act:${act.name}`, "aria-pressed": String(this.act === act.name),
        click: () => this.pickAct(act.name) }, act.label))));
    }
    if (rows.length) {
      made.push(h("div.rows", null, ...rows.map((each) => h("div.row-of", { role: "group", "aria-label": each.label }, h("span.row-label", { "aria-hidden": "true" }, each.label),
        h("div.buttons", null, ...each.items.map((item) => h("button", { type: "button", "data-focus": `item:${item}`, "aria-pressed": String(each.chosen.includes(item)), class: `${each.chosen.includes(item) ? "picked" : ""} ${this.isHinted(item) ? "hinted" : ""}`,
          click: () => this.pickLoose(item, each) }, sayItem(menu.items[item]))))))));
    }
    if (grid) made.push(this.drawGrid(menu, grid));
    const whole = [...complete, ...single.map((act) => ({ act, way: act.ways[0] }))];
    for (const { act, way } of whole) {
      const hinted = this.hint && (this.hint.choice === way.choice || this.hint.way?.text === way.text) ? "hinted" : "";
      const main = this.picked.length || !(rows.length || grid) ? "primary" : "";  // not the default while rows await input
      if (way.number && way.number[0] < way.number[1]) row.append(this.drawAmount(way));
      else row.append(h("button", { type: "button", title: act.text, class: `${main} ${hinted}`, "data-focus": `way:${way.choice}`, click: () => this.choose(way.choice, null, way.chosen) }, this.write(menu, way), way.note ? h("small", null, ` (${way.note})`) : null));
    }
    if (menu.decline !== null) {
      const choice = menu.decline;
      row.append(h("button.decline", { type: "button", class: this.hint?.choice === choice ? "hinted" : "", "aria-keyshortcuts": "P", "data-focus": "decline", click: () => this.choose(choice, null) }, say("decline")));
    }
    if (this.shown && finishingWay(menu, this.shown.view)) row.append(h("button.primary", { type: "button", "data-focus": "finish", click: () => { this.finishing = true; this.waitOrGoOn(); } }, say("finish")));
    if (this.picked.some((pick) => !pick.implied) || this.act) row.append(h("button.quiet", { type: "button", "data-focus": "clear", click: () => this.clear() }, say("clear")));
    made.push(row);
    return made;
  }

  /** A table of the ways of an action that asks for two values, such as the bids of an auction.
   * @param {import("./types.js").Menu} menu @param {import("./picking.js").Grid} grid */
  drawGrid(menu, { act, across, down, ways }) {
    const figure = (/** @type {number} */ item) => {
      const { text } = menu.items[item], print = this.findPrint(text);
      if (print) return h("span", { class: `code ink-${print.colour}` }, `${print.glyph}\uFE0E`);
      return text.includes(" ") ? h("span.code", null, ...text.split(" ").map((word) => word.charAt(0).toUpperCase())) : sayItem(menu.items[item]);
    };
    return h("table.rows.grid", { "aria-label": act.label }, h("tbody", null, ...down.map((low) => h("tr", null, ...across.map((high) => {
      const way = ways.get(`${high},${low}`), hinted = way !== undefined && this.hint?.choice === way.choice ? "hinted" : "";
      return h("td", null, way ? h("button", { type: "button", class: hinted, title: way.text, "aria-label": way.text, "data-focus": `way:${way.choice}`, click: () => this.choose(way.choice, null) }, figure(high), figure(low)) : null);
    })))));
  }

  /** How cards show a value that has a sign, such as a suit. @param {string} text */
  findPrint(text) {
    for (const face of Object.values(this.legend?.faces ?? {})) for (const print of face.prints) if (print.text === text && print.glyph) return print;
    return null;
  }

  /** Toggle an action; keep the selection if it fits. @param {string} name */
  pickAct(name) {
    this.act = this.act === name ? null : name;
    this.picked = this.picked.filter((pick) => !pick.implied);
    if (this.menu && !narrow(this.menu, this.items, this.act).ways.length) this.picked = [];
    this.draw();
  }

  /** Format a way, with glyphs for its cards. @param {import("./types.js").Menu} menu @param {{text: string, picks: number[][]}} way */
  write(menu, way) {
    return this.legend ? writeCards(way.text, way.picks.flat().map((item) => menu.items[item]?.card ?? ""), this.legend) : way.text;
  }

  /** Describe the actions; many are described by the titles of their buttons instead. @param {import("./types.js").Menu} menu */
  drawPrompt(menu) {
    const acts = menu.acts.filter((act) => act.text && (this.act === null || act.name === this.act));
    const text = acts.length === 1 ? acts[0].text : say("what_now");
    return h("p.prompt", { title: acts.length > 1 ? acts.map((act) => `${act.label}: ${act.text}`).join("\n") : null }, text);
  }

  /** @param {import("./types.js").Item} item */
  isDrawn(item) {
    const zone = this.shown?.view.zones.find((each) => each.id === item.zone);
    if (!zone) return false;
    if (zone.form === "stack") return false;
    if (zone.form === "pile") return item.places.includes(zone.cards.length - 1);
    return true;
  }

  /** @param {number} item */
  isHinted(item) {
    return Boolean(this.hint?.way?.picks.flat().includes(item));
  }

  /** A number input with a slider and a text field. @param {import("./types.js").Way} way */
  drawAmount(way) {
    const [low, high] = /** @type {[number, number]} */ (way.number);
    const start = this.hint?.choice === way.choice && this.hint.number !== null ? this.hint.number : low;
    const slider = /** @type {HTMLInputElement} */ (h("input", { type: "range", min: low, max: high, value: start, "aria-label": say("amount"), "data-focus": `range:${way.choice}`, input: () => { field.value = slider.value; name(); } }));
    const field = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: low, max: high, value: start, inputmode: "numeric", "aria-label": say("amount"), "data-focus": `number:${way.choice}`, input: () => { slider.value = field.value; name(); } }));
    const label = (this.menu ? this.write(this.menu, way) : way.text).replace(/\s*-?\d+\.\.-?\d+$/, "");
    const button = /** @type {HTMLButtonElement} */ (h("button.primary", { type: "submit", "data-focus": `way:${way.choice}` }));
    const name = () => { button.textContent = `${label} ${field.value}`; button.disabled = !field.validity.valid || field.value === ""; };
    name();
    const pot = this.shown?.view.pots.filter((each) => typeof each.owner !== "number").reduce((sum, each) => sum + each.amount, 0) ?? 0;
    /** @type {[string, number][]} */
    const quick = pot ? [["least", low], ["half_pot", Math.ceil(pot / 2)], ["whole_pot", pot], ["all_of_it", high]] : [];
    const marks = quick.filter(([, value], at) => low <= value && value <= high && quick.findIndex((other) => other[1] === value) === at)
      .map(([word, value]) => h("button.quiet", { type: "button", "data-focus": `${word}:${way.choice}`, click: () => { slider.value = field.value = String(value); name(); } }, say(word)));
    return h("form.amount", { submit: (/** @type {Event} */ event) => { event.preventDefault(); this.choose(way.choice, Number(field.value)); } }, marks.length > 1 ? h("span.marks-of", null, ...marks) : null, slider, field, button);
  }

  /** @param {{seat: number, ask: boolean}} undo */
  drawUndo(undo) {
    const who = this.shown?.seats[undo.seat].name ?? "";
    if (!undo.ask) return h("p.prompt", { role: "status" }, say("undo_waiting"));
    return h("div.asked", { role: "alert" }, h("p.prompt", null, say("undo_asked", { who })), h("div.buttons", null,
      h("button.primary", { type: "button", click: () => this.line.send({ do: "agree", yes: true }) }, say("agree")),
      h("button", { type: "button", click: () => this.line.send({ do: "agree", yes: false }) }, say("refuse"))));
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
        const found = this.menu ? this.findWay(this.menu, forced) : null;
        const text = this.menu && found ? this.write(this.menu, found.way) : "";
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
    toast(h("div", null, h("p", null, h("strong", null, say("hint_text", { bot: sayLevel(hint.bot), what: this.spell(menu, hint) }))), rows.length ? table : null), { lasts: 20000, kind: "hint-toast", close: say("close") });
    this.draw();
  }

  /** @param {import("./types.js").Menu} menu @param {{choice: number, number: number|null, way?: {text: string, picks: number[][]}|null}} chosen */
  spell(menu, { choice, number, way }) {
    if (choice === menu.decline) return say("decline");
    const found = way ?? this.findWay(menu, choice)?.way;
    const text = found ? this.write(menu, found) : "";
    return number === null ? text : text.replace(/-?\d+\.\.-?\d+$/, String(number));
  }

  // ---------------------------------------------------------------------------------------------- the end
  drawEnd() {
    const result = this.shown?.view.result;
    return [h("p.verdict", null, h("strong", null, result?.verdict ?? say("won")), result?.reason ? h("span", null, ` ${result.reason}`) : null),
      h("div.buttons", null,
        h("button.primary", { type: "button", "data-focus": "again", click: () => this.again() }, say("again")),
        h("button", { type: "button", "data-focus": "see-again", click: () => this.replay() }, say("replay")),
        places.invites ? h("button", { type: "button", "data-focus": "seal", click: () => this.showSeal() }, say("sealed")) : null,
        this.shown?.view.seat === null ? null : h("button", { type: "button", "data-focus": "share", click: () => this.line.send({ do: "share" }) }, say("share")),
        h("a.button", { href: places.lobby }, say("lobby")))];
  }

  showEnd() {
    if (!this.shown?.view.over || this.ended) return;
    const { result, game, seat } = this.shown.view;
    const dialog = openDialog(result?.verdict ?? say("won"), [result?.reason ? h("p.lead", null, result.reason) : null, ...drawScores(this.shown.view, Boolean(result?.reason)),
      seat === null ? null : h("p.hint", null, sayRecord(findRecord(game))),
      h("div.buttons", null, h("button.primary", { type: "button", click: () => { dialog.close(); this.again(); } }, say("again")),
        h("button", { type: "button", click: () => { dialog.close(); this.replay(); } }, say("replay")))], { close: say("close"), kind: "wide end" });
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

  async replay() {
    try {
      const { showReplay } = await import("./replay.js");
      this.leave();
      history.pushState({ replay: true }, "");  // so that the back button leads to the table
      await showReplay(this.page, this.key, () => showTable(this.page, this.key, this.role));
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
    if (this.legend) showRules(this.legend, this.options, null, this.about);
  }

  openSettings() {
    if (!this.shown || !this.legend) return;
    const seat = this.shown.view.seat;
    showSettings({ languages: this.languages, language: this.legend.language, name: seat === null ? null : this.shown.seats[seat].name }, {
      speed: () => { if (this.shown && seat !== null) this.line.send({ do: "pace", wait: notePace(this.shown.pace) }); },
      cards: () => this.draw(),
      language: (code) => { this.shown = null; this.line.speak(code); },
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
      s: () => this.shown && showScores(this.shown.view), "?": () => showHelp(), escape: () => { if (!this.beats.skip()) this.clear(); },
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

