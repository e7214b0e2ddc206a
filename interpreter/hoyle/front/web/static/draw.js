/** Renders a table from its data: seats round the middle, zones, cards, pots, facts. Nothing here knows a game. */

import { directionOf, placeSeats, sizeCards, widthOfMiddle } from "./arrange.js";
import { drawCard, drawChips, sayCard } from "./cards.js";
import { h } from "./dom.js";
import { writeCards } from "./log.js";
import { isScore } from "./scores.js";
import { cards as sayCards, say } from "./words.js";

/**
 * The interaction callbacks of a table; a table without them is read-only.
 *
 * @typedef {{
 *   card: (zone: string, place: number) => {can: boolean, other: boolean, picked: boolean, hinted: boolean},
 *   pickCard: (zone: string, place: number) => void,
 *   zone: (zone: string) => {can: boolean, picked: boolean, hinted: boolean},
 *   pickZone: (zone: string) => void,
 *   seat: (seat: number) => {can: boolean, picked: boolean, hinted: boolean},
 *   pickSeat: (seat: number) => void,
 *   asked: boolean,
 *   lit: Set<string>,
 *   explains: (zone: import("./types.js").Zone) => boolean,
 *   explain: (zone: string, place: number) => void,
 * }} Touch
 *
 * What the page remembers of a table beyond its present state: what each seat has called since cards were last played, and
 * whether any ever has, the cards that the reader has put in an order of his own, the seat that is about to take the trick, and
 * the last trick.
 *
 * @typedef {{calls: {seat: number, text: string}[], talks: boolean, order: Object<string, string[]>, taker: number|null,
 *   lastTrick: (() => void)|null, room: {wide: number, high: number}, scale: number, tall: [string, number]}} Kept
 */

const MOST_MINI = 8, NOTHING = { can: false, other: false, picked: false, hinted: false }, CALLS_IN_GRID = 4;

/**
 * @param {import("./types.js").View} view
 * @param {import("./types.js").Legend} legend
 * @param {import("./types.js").Seated[]} seated
 * @param {Touch|null} touch
 * @param {Kept} kept
 * @returns {HTMLElement}
 */
export function drawTable(view, legend, seated, touch, kept) {
  return new Drawing(view, legend, seated, touch, kept).table();
}

/**
 * Make a table fit its room by smaller cards; what was once too large stays smaller, so that sizes do not jump.
 *
 * @param {HTMLElement} holder
 * @param {import("./types.js").View} view
 * @param {Kept} kept
 */
export function fit(holder, view, kept) {
  const felt = /** @type {HTMLElement|null} */ (holder.firstElementChild);
  if (!felt) return;
  setSizes(felt, view, kept);
  while (kept.scale > 0.5 && (holder.scrollHeight > holder.clientHeight + 1 || felt.scrollWidth > felt.clientWidth + 1)) {
    kept.scale *= 0.93;
    setSizes(felt, view, kept);
  }
}

/** @param {HTMLElement} felt @param {import("./types.js").View} view @param {Kept} kept */
function setSizes(felt, view, kept) {
  const sizes = sizeCards(view, kept.room, kept.scale);
  felt.style.setProperty("--w", `${sizes.middle}px`);
  felt.style.setProperty("--hand", `${sizes.hand}px`);
  felt.style.setProperty("--seat", `${sizes.seat}px`);
  // Long columns are pushed together where the table ends: where they begin is measured once, since styles are slow.
  const column = felt.querySelector(".alone > .middle .column .cards"), size = `${kept.room.high} ${sizes.middle}`;
  if (column && kept.tall[0] !== size) kept.tall = [size, kept.room.high - column.getBoundingClientRect().top + felt.getBoundingClientRect().top - 12];
  if (column) felt.style.setProperty("--tall", `${kept.tall[1]}px`);
}

class Drawing {
  /**
   * @param {import("./types.js").View} view
   * @param {import("./types.js").Legend} legend
   * @param {import("./types.js").Seated[]} seated
   * @param {Touch|null} touch
   * @param {Kept} kept
   */
  constructor(view, legend, seated, touch, kept) {
    this.view = view;
    this.legend = legend;
    this.seated = seated;
    this.touch = touch;
    this.kept = kept;
    this.own = view.players.find((player) => player.you) ?? null;
  }

  table() {
    const { view, own } = this;
    const others = view.players.filter((player) => player !== own).sort((a, b) => this.turnOf(a.seat) - this.turnOf(b.seat));
    const { left, right } = placeSeats(others.length, this.kept.room, view.zones.some((zone) => zone.ring));
    const last = others.length - right;
    const side = (/** @type {string} */ name, /** @type {import("./types.js").Player[]} */ players) => (players.length
      ? h("div.others", { class: name }, ...players.map((player) => this.player(player))) : null);
    const alone = view.players.length === 1;
    const style = { "--wide": `${widthOfMiddle(this.kept.room, left + right > 0)}px` };
    return h("div.felt", { style, class: `players-${Math.min(view.players.length, 9)} ${alone ? "alone" : ""}` },
      side("at-left", others.slice(0, left)), side("at-top", others.slice(left, last)), side("at-right", others.slice(last)),
      this.middle(),
      own ? this.ownPart(own, alone) : null);
  }

  /** The place of a seat in turn order from the reader's. @param {number} seat */
  turnOf(seat) {
    const count = this.view.players.length;
    return (seat - (this.view.seat ?? 0) + count) % count;
  }

  /** @param {import("./types.js").Player} player */
  player(player) {
    const zones = this.view.zones.filter((zone) => zone.owner === player.seat && (!player.retired || zone.cards.length));
    return h("section.player", { "data-seat": player.seat, class: `${player.turn ? "turn" : ""} ${player.retired ? "retired" : ""}`, "aria-label": player.name },
      this.plate(player), this.kept.talks ? h("div.said", null, this.call(player.seat)) : null,
      zones.length ? h("div.zones", null, ...zones.map((zone) => this.zone(zone, true))) : null,
      player.retired ? null : this.pots(player.seat));
  }

  /** @param {import("./types.js").Player} player @param {boolean} alone whether there is no other */
  ownPart(player, alone) {
    const zones = this.view.zones.filter((zone) => zone.owner === player.seat);
    // Hands are fans, also one that lies open for now; where nobody has one, what lies in rows before the seats is held.
    const owned = this.view.zones.filter((zone) => zone.owner !== null), fanned = owned.filter((zone) => zone.form === "fan");
    const hands = new Set((fanned.length ? fanned : owned.filter((zone) => zone.form === "row").slice(0, 1)).map((zone) => zone.name));
    const fans = zones.filter((zone) => hands.has(zone.name)), rest = zones.filter((zone) => !hands.has(zone.name));
    if (alone && !zones.length && !this.view.pots.length) return null;
    return h("section.mine", { "data-seat": player.seat, class: player.turn ? "turn" : "", "aria-label": player.name },
      h("div.mine-top", null, alone ? null : h("div.plated", null, this.plate(player), this.call(player.seat)), this.pots(player.seat),
        rest.length ? h("div.zones", null, ...rest.map((zone) => this.zone(zone, false))) : null),
      ...fans.map((zone) => this.zone({ ...zone, form: "fan" }, false)));
  }

  /** What a seat has said last. @param {number} seat */
  call(seat) {
    const said = this.kept.calls.findLast((call) => call.seat === seat);
    return said ? h("div.bubble", { "aria-hidden": "true" }, this.write(said.text)) : null;
  }

  /** Name, roles and score. @param {import("./types.js").Player} player */
  plate(player) {
    const seated = this.seated[player.seat];
    const state = this.touch?.seat(player.seat);
    const missing = seated && seated.player === "person" && !seated.here;
    const content = [
      h("span.avatar", { "aria-hidden": "true", class: `tone${player.seat % 6}` }, [...player.name][0] ?? "?"),
      h("span.who", null, h("span.name", { title: player.name, dir: "auto" }, player.name),
        player.marks.length || missing || player.counts.length ? h("span.marks", null, ...player.marks.map((mark) => h("span.mark", null, mark)),
          missing ? h("span.mark.away", null, say(seated.open ? "waiting_for" : "away")) : null,
          ...player.counts.map((fact) => h("span.mark.count", null, `${fact.label} ${fact.value}`))) : null),
      this.view.scores.sides.length === 1 && this.view.players.length > 1 ? null // all have one
        : h("span.points", { title: say("score"), "aria-label": `${say("score")} ${player.score}` }, player.score),
    ];
    if (state?.can) {
      return h("button.plate.can", { type: "button", class: `${state.picked ? "picked" : ""} ${state.hinted ? "hinted" : ""}`, "data-focus": `seat:${player.seat}`,
        "aria-pressed": String(state.picked), click: () => this.touch?.pickSeat(player.seat) }, ...content);
    }
    return h("div.plate", null, ...content);
  }

  middle() {
    const shared = this.view.zones.filter((zone) => zone.owner === null);
    const columns = shared.filter((zone) => zone.form === "column");
    const others = [...shared.filter((zone) => zone.place !== "centre"), ...shared.filter((zone) => zone.place === "centre" && zone.form !== "column")];
    const facts = this.view.facts.filter((fact) => fact.by === null);
    const pots = this.view.pots.filter((pot) => typeof pot.owner !== "number");
    const staked = this.view.pots.reduce((sum, pot) => sum + (typeof pot.owner !== "number" || isScore(this.view, pot.name) ? 0 : pot.amount), 0);
    const ring = shared.find((zone) => zone.ring);
    const few = !columns.length && others.length <= 3 && others.every((zone) => zone.form === "pile" || zone.form === "stack");
    return h("section.middle", { "aria-label": this.view.title },
      facts.length ? h("ul.facts", null, ...facts.map((fact) => h("li", { class: fact.counted ? "counted" : "" }, ...(fact.value ? [h("span", null, fact.label), " ", h("b", null, this.write(fact.value))] : [h("b", null, fact.label)])))) : null,
      others.length ? h("div.centre", { class: few ? "few" : "" }, ...this.families(others)) : null,
      this.tray(),
      columns.length ? h("div.centre.columns", null, ...this.families(columns)) : null,
      ring && !ring.cards.length && this.kept.calls.length >= CALLS_IN_GRID ? this.callGrid() : null,
      ring && this.kept.lastTrick ? h("button.last-trick", { type: "button", "data-focus": "last-trick", click: this.kept.lastTrick }, say("last_trick")) : null,
      pots.length ? h("ul.pots", null, ...pots.map((pot) => drawPot(pot)), staked && pots.length === 1 ? h("li.pot", null, drawChips(staked + pots[0].amount), h("b", null, staked + pots[0].amount), h("span", null, say("staked"))) : null) : null);
  }

  /** What one seat offers another, between the two of them. */
  tray() {
    const terms = this.view.facts.filter((fact) => fact.by !== null), maker = this.view.players[terms[0]?.by ?? -1], asked = this.view.players[this.view.turn ?? -1];
    if (!maker) return null;
    const side = (/** @type {import("./types.js").Player} */ player) => h("span.avatar", { class: `tone${player.seat % 6}`, title: player.name, "aria-hidden": "true" }, [...player.name][0] ?? "?");
    return h("section.tray", { "aria-label": asked && asked !== maker ? say("offered_to", { from: maker.name, to: asked.name }) : maker.name }, side(maker),
      h("ul", null, ...terms.map((fact) => h("li", null, h("span", null, fact.label), " ", h("b", null, this.write(fact.value))))),
      ...(asked && asked !== maker ? [h("span.towards", { "aria-hidden": "true" }, "▸"), side(asked)] : []));
  }

  /** The calls of an auction, a row for each time round. */
  callGrid() {
    const { players } = this.view;
    const first = this.kept.calls[0].seat;
    const order = players.map((_, turn) => players[(first + turn) % players.length]);
    /** @type {string[][]} */
    const rows = [];
    for (const call of this.kept.calls) {
      const at = order.findIndex((player) => player.seat === call.seat);
      if (!rows.length || rows[rows.length - 1].length > at) rows.push([]);
      const row = rows[rows.length - 1];
      while (row.length < at) row.push("");
      row.push(call.text);
    }
    return h("table.calls", { "aria-label": say("calls") }, h("thead", null, h("tr", null, ...order.map((player) => h("th", { scope: "col" }, player.name)))),
      h("tbody", null, ...rows.slice(-5).map((row) => h("tr", null, ...order.map((_, at) => h("td", null, this.write(row[at] ?? "")))))));
  }

  /** Format a value, with glyphs for cards and suits in it. @param {string} value */
  write(value) {
    const faces = Object.values(this.legend.faces);
    const named = value.split(/, | /).filter((word) => faces.some((face) => face.text === word));
    const glyphs = new Map(faces.flatMap((face) => face.prints.filter((print) => print.glyph).map((print) => [print.text, print])));
    const written = writeCards(value, named, this.legend);
    return written.split(/(\p{L}+)/u).map((word) => {
      const print = glyphs.get(word);
      return print ? h("span.suit", { class: `ink-${print.colour}`, title: word }, `${print.glyph}\uFE0E`) : word;
    });
  }

  /** Render zones in order, grouping families without an owning player. @param {import("./types.js").Zone[]} zones */
  families(zones) {
    return [...new Set(zones.map((zone) => zone.name))].flatMap((name) => {
      const family = zones.filter((zone) => zone.name === name);
      if (family.length < 2 || !family.every((zone) => zone.member)) return family.map((zone) => this.zone(zone, false));
      return [h("div.family", { role: "group", "aria-label": family[0].short, class: `of-${family[0].form}`, style: { "--members": family.length } },
        h("div.members", null, ...family.map((zone) => this.zone(zone, false, zone.member))), h("span.family-label", { "aria-hidden": "true" }, family[0].short))];
    });
  }

  /** @param {number} seat */
  pots(seat) {
    const pots = this.view.pots.filter((pot) => pot.owner === seat && !isScore(this.view, pot.name));
    return pots.length ? h("ul.pots", null, ...pots.map((pot) => drawPot(pot))) : null;
  }

  /** @param {import("./types.js").Zone} zone @param {boolean} small @param {string} [called] the label to use instead of the zone's own */
  zone(zone, small, called = "") {
    const state = this.touch?.zone(zone.id) ?? NOTHING;
    const covered = zone.cards.length > 0 && zone.cards.every((card) => card === null);
    const classes = `${zone.form} ${zone.ring ? "ring" : ""} ${zone.cards.length > MOST_MINI ? "many" : ""} ${small ? "small" : ""} ${state.can ? "can" : ""} ${state.picked ? "picked" : ""} ${state.hinted ? "hinted" : ""} ${!zone.cards.length ? "empty" : covered ? "covered" : ""}`;
    const text = called || (small || zone.owner === this.view.seat ? zone.short : zone.label);
    const name = `${zone.label}, ${zone.cards.length ? sayCards(zone.cards.length) : say("empty")}`;
    const label = state.can
      ? h("button.zone-label", { type: "button", "data-focus": `zone:${zone.id}`, "aria-pressed": String(state.picked), "aria-label": name,
        click: (/** @type {Event} */ event) => { event.stopPropagation(); this.touch?.pickZone(zone.id); } }, text)
      : h("span.zone-label", null, text);
    const made = h("div.zone", { class: classes, "data-zone": zone.id, role: "group", "aria-label": name, title: this.legend.zones[zone.name] || null },
      h("div.cards", { style: { "--n": Math.max(1, zone.places, this.shown(zone, small).length) } }, ...this.cards(zone, small), this.named(zone)), label);
    if (state.can) made.addEventListener("click", (event) => {
      if (!/** @type {Element} */ (event.target).closest("button")) this.touch?.pickZone(zone.id);
    });
    return made;
  }

  /** What was named with the top card of a pile, such as a suit, as a large sign on it. @param {import("./types.js").Zone} zone */
  named(zone) {
    const fact = this.view.facts.find((each) => each.zone === zone.id && each.value);
    return fact ? h("span.named-sign", { title: fact.label, "aria-hidden": "true" }, this.write(fact.value)) : null;
  }

  /** The places of a zone to render, in order. @param {import("./types.js").Zone} zone @param {boolean} small */
  shown(zone, small) {
    if (zone.form === "pile" || zone.form === "stack") return zone.cards.length ? [zone.cards.length - 1] : [];
    if (small && zone.cards.every((card) => card === null)) return zone.order.slice(0, MOST_MINI);
    const own = this.kept.order[zone.id];
    if (!own) return zone.order;
    const rank = (/** @type {number} */ place) => { const at = own.indexOf(zone.cards[place] ?? ""); return at < 0 ? own.length : at; };
    return [...zone.order].sort((a, b) => rank(a) - rank(b));
  }

  /** @param {import("./types.js").Zone} zone @param {boolean} small */
  cards(zone, small) {
    const count = zone.cards.length;
    const place = () => h("span.place", { "aria-hidden": "true" }, ...this.write(zone.member).filter((part) => part instanceof Element));
    const open = zone.ring ? 0 : Math.max(zone.places - count, count ? 0 : 1);
    if (!count) return Array.from({ length: open }, place);
    const piled = zone.form === "pile" || zone.form === "stack";
    const made = this.shown(zone, small).map((place, at) => this.card(zone, place, at, piled && zone.form === "stack", small));
    made.at(-1)?.classList.add("last");
    let end = 0;
    for (const part of this.kept.order[zone.id] ? [] : zone.parts.slice(0, -1)) made[(end += part) - 1].classList.add("ends-part");
    if (piled) {
      const under = Math.min(3, Math.ceil((count - 1) / 8));
      made.unshift(...Array.from({ length: under }, (_, depth) => h("span.under", { "aria-hidden": "true", style: { "--depth": under - depth } }, drawCard(null))));
    }
    made.push(...Array.from({ length: open }, place));
    const hidden = zone.form === "fan" && zone.cards.every((card) => card === null);
    const tricks = zone.unit > 1 && zone.form === "stack" ? Math.floor(count / zone.unit) : 0;
    if (tricks) made.push(h("span.number", { title: say(tricks === 1 ? "trick_1" : "tricks_n", { n: tricks }) }, tricks));
    else if (piled ? count > 1 : small && hidden) made.push(h("span.number", { "aria-hidden": "true" }, count));
    return made;
  }

  /**
   * @param {import("./types.js").Zone} zone
   * @param {number} place
   * @param {number} at
   * @param {boolean} down whether to draw it face down even if its face is known
   * @param {boolean} small whether there is only room for what is printed in corners
   */
  card(zone, place, at, down, small) {
    const code = down ? null : zone.cards[place];
    const face = code === null ? null : this.legend.faces[code];
    const layer = zone.laid_by.length ? zone.laid_by[place] : null;
    const style = { "--i": at, ...(zone.ring && layer !== null ? this.towards(layer) : {}) };
    const known = { "data-zone-card": zone.id, "data-code": code ?? "", "data-place": place, style, title: face?.note || null };
    const state = this.touch?.card(zone.id, place) ?? NOTHING;
    const marks = zone.marks.length ? zone.marks[place] : [];
    const words = (code === null ? say("hidden") : sayCard(face ?? undefined, code) + (face?.note ? `, ${face.note}` : "")) + (layer === null ? "" : `, ${this.view.players[layer].name}`) + (zone.marks.length ? `, ${[at + 1, ...marks].join(", ")}` : "");
    const content = [drawCard(face), layer === null ? null : this.layer(layer),
      zone.marks.length ? h("span.noted", { "aria-hidden": "true" }, h("span.nth", null, at + 1), ...marks.map((mark) => h("span.note", null, small ? this.abbreviate(mark) : mark))) : null];
    const own = this.view.seat !== null && zone.owner === this.view.seat && code !== null;
    const part = `${zone.ring && layer === this.kept.taker && layer !== null ? "takes" : ""} ${zone.ring && at === 0 ? "led" : ""} ${state.hinted ? "hinted" : ""} ${code !== null && this.touch?.lit.has(code) ? "lit" : ""}`;
    if (!this.touch?.asked || (!state.can && !state.picked && !own)) {
      const asks = this.touch?.explains(zone) && code !== null;
      const said = code !== null || layer !== null || zone.marks.length > 0;  // how many lie there unseen the place says
      return h("span.card-slot", { ...known, role: said ? "img" : null, "aria-label": said ? words : null, "aria-hidden": said ? null : "true", class: `${part} ${asks ? "asks" : ""}`,
        click: asks ? () => this.touch?.explain(zone.id, place) : null }, ...content);
    }
    const classes = `${part} ${state.can ? "can" : "cannot"} ${state.picked ? "picked" : state.other ? "other" : ""}`;
    return h("button.card-slot", { ...known, type: "button", class: classes, "data-focus": `card:${zone.id}:${place}`,
      "aria-label": words + (state.can ? `, ${say("playable")}` : ""), "aria-pressed": state.can || state.picked ? String(Boolean(state.picked)) : null,
      click: (/** @type {Event} */ event) => { event.stopPropagation(); this.touch?.pickCard(zone.id, place); } }, ...content);
  }

  /** A mark as cards print it. @param {string} mark */
  abbreviate(mark) {
    for (const face of Object.values(this.legend.faces)) for (const print of face.prints) if (print.text === mark) return print.short || mark;
    return mark;
  }

  /** Where a card of a ring lies: towards the seat that laid it. @param {number} seat */
  towards(seat) {
    const { x, y } = directionOf(this.turnOf(seat), this.view.players.length);
    return { "--x": x.toFixed(3), "--y": y.toFixed(3) };
  }

  /** A badge of the player who played a card, as on their plate. @param {number} seat */
  layer(seat) {
    const { name } = this.view.players[seat];
    return h("span.layer", { "aria-hidden": "true", class: `tone${seat % 6}`, title: name }, [...name][0] ?? "?");
  }
}

/** @param {import("./types.js").Pot} pot */
function drawPot(pot) {
  return h("li.pot", { title: pot.label, class: pot.amount ? "" : "bare" }, drawChips(pot.amount), h("b", null, pot.amount), h("span", null, pot.short));
}

