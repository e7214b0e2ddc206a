/** Renders a table from its data: players, zones, pots, facts, scores. Nothing here knows a game. */

import { drawBoard, drawCard, drawChips, figureOf, sayCard } from "./cards.js";
import { h } from "./dom.js";
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
 *   explains: (zone: import("./types.js").Zone) => boolean,
 *   explain: (zone: string, place: number) => void,
 * }} Touch
 */

const MOST_MINI = 12;

/**
 * @param {import("./types.js").View} view
 * @param {import("./types.js").Legend} legend
 * @param {import("./types.js").Seated[]} seated
 * @param {Touch|null} touch
 * @returns {HTMLElement}
 */
export function drawTable(view, legend, seated, touch) {
  const draw = new Drawing(view, legend, seated, touch);
  const own = view.players.find((player) => player.you) ?? null;
  const first = view.seat ?? 0;
  const others = view.players.filter((player) => player !== own)
    .sort((a, b) => turn(a.seat - first, view.players.length) - turn(b.seat - first, view.players.length));
  return h("div.felt", { class: `players-${Math.min(view.players.length, 9)}` },
    h("section.others", { "aria-label": say("players") }, ...others.map((player) => draw.player(player))),
    draw.middle(),
    own ? draw.own(own) : null);
}

/**
 * Make a table fit its container, so that the player's own hand does not cover the middle: first with smaller cards and
 * plates, then with face-down cards closer together, then with just their number.
 *
 * @param {HTMLElement} holder
 */
export function fit(holder) {
  const felt = holder.firstElementChild;
  if (!felt) return;
  felt.classList.remove("many", "close", "crowded");
  for (const level of ["many", "close", "crowded"]) {
    if (holder.scrollHeight <= holder.clientHeight + 1) return;
    felt.classList.add(level);
  }
}

/** @param {number} number @param {number} whole */
function turn(number, whole) {
  return ((number % whole) + whole) % whole;
}

class Drawing {
  /**
   * @param {import("./types.js").View} view
   * @param {import("./types.js").Legend} legend
   * @param {import("./types.js").Seated[]} seated
   * @param {Touch|null} touch
   */
  constructor(view, legend, seated, touch) {
    this.view = view;
    this.legend = legend;
    this.seated = seated;
    this.touch = touch;
  }

  /** @param {import("./types.js").Player} player */
  player(player) {
    const zones = this.view.zones.filter((zone) => zone.owner === player.seat);
    return h("section.player", { class: `${player.turn ? "turn" : ""} ${player.retired ? "retired" : ""}`, "aria-label": player.name },
      this.plate(player),
      h("div.zones", null, ...zones.map((zone) => this.zone(zone, true))),
      this.pots(player.seat));
  }

  /** @param {import("./types.js").Player} player */
  own(player) {
    const zones = this.view.zones.filter((zone) => zone.owner === player.seat);
    const fans = zones.filter((zone) => zone.form === "fan"), rest = zones.filter((zone) => zone.form !== "fan");
    return h("section.mine", { class: player.turn ? "turn" : "", "aria-label": player.name },
      h("div.mine-top", null, this.plate(player), this.pots(player.seat),
        rest.length ? h("div.zones", null, ...rest.map((zone) => this.zone(zone, false))) : null),
      ...fans.map((zone) => this.zone(zone, false)));
  }

  /** Name, roles and score. @param {import("./types.js").Player} player */
  plate(player) {
    const seated = this.seated[player.seat];
    const state = this.touch?.seat(player.seat);
    const missing = seated && seated.player === "person" && !seated.here;
    const content = [
      h("span.avatar", { "aria-hidden": "true", class: `tone${player.seat % 6}` }, [...player.name][0] ?? "?"),
      h("span.who", null, h("span.name", { title: player.name, dir: "auto" }, player.name),
        h("span.marks", null, ...player.marks.map((mark) => h("span.mark", null, mark)),
          missing ? h("span.mark.away", null, say(seated.open ? "waiting_for" : "away")) : null,
          ...player.counts.map((fact) => h("span.mark.count", null, `${fact.label} ${fact.value}`)))),
      this.view.pots.some((pot) => pot.owner === player.seat && pot.amount === player.score) ? null // the chips are the score
        : h("span.points", { title: say("score"), "aria-label": `${say("score")} ${player.score}` }, player.score),
    ];
    if (state?.can) {
      return h("button.plate.can", { type: "button", class: `${state.picked ? "picked" : ""} ${state.hinted ? "hinted" : ""}`, "data-focus": `seat:${player.seat}`,
        "aria-pressed": String(state.picked), click: () => this.touch?.pickSeat(player.seat) }, ...content);
    }
    return h("div.plate", null, ...content);
  }

  middle() {
    const centre = this.view.zones.filter((zone) => zone.owner === null && zone.place === "centre");
    const side = this.view.zones.filter((zone) => zone.owner === null && zone.place !== "centre");
    const facts = this.view.facts;
    const pots = this.view.pots.filter((pot) => typeof pot.owner !== "number");
    return h("section.middle", { "aria-label": this.view.title },
      facts.length ? h("ul.facts", null, ...facts.map((fact) => h("li", { class: fact.counted ? "counted" : "" }, ...(fact.value ? [h("span", null, fact.label), " ", h("b", null, this.write(fact.value))] : [h("b", null, fact.label)])))) : null,
      h("div.centre", null,
        side.length ? h("div.side", null, ...this.families(side)) : null,
        ...this.families(centre)),
      pots.length ? h("ul.pots", null, ...pots.map((pot) => drawPot(pot))) : null);
  }

  /** Format a value, with glyphs for cards in it. @param {string} value */
  write(value) {
    const named = value.split(/, | /).filter((word) => Object.values(this.legend.faces).some((face) => face.text === word));
    return writeCards(value, named, this.legend);
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
    const pots = this.view.pots.filter((pot) => pot.owner === seat);
    return pots.length ? h("ul.pots", null, ...pots.map((pot) => drawPot(pot))) : null;
  }

  /** @param {import("./types.js").Zone} zone @param {boolean} small @param {string} [called] the label to use instead of the zone's own */
  zone(zone, small, called = "") {
    const state = this.touch?.zone(zone.id) ?? { can: false, picked: false, hinted: false };
    const classes = `${zone.form} ${small ? "small" : ""} ${state.can ? "can" : ""} ${state.picked ? "picked" : ""} ${state.hinted ? "hinted" : ""} ${!zone.cards.length ? "empty" : zone.cards.every((card) => card === null) ? "covered" : ""}`;
    const text = called || (small || zone.owner === this.view.seat ? zone.short : zone.label);
    const name = `${zone.label}, ${zone.cards.length ? sayCards(zone.cards.length) : say("empty")}`;
    const label = state.can
      ? h("button.zone-label", { type: "button", "data-focus": `zone:${zone.id}`, "aria-pressed": String(state.picked), "aria-label": name,
        click: (/** @type {Event} */ event) => { event.stopPropagation(); this.touch?.pickZone(zone.id); } }, text)
      : h("span.zone-label", null, text);
    const made = h("div.zone", { class: classes, "data-zone": zone.id, role: "group", "aria-label": name, title: this.legend.zones[zone.name] || null },
      h("div.cards", { style: { "--n": Math.max(1, this.shown(zone, small).length) } }, ...this.cards(zone, small)), label);
    if (state.can) made.addEventListener("click", (event) => {
      if (!/** @type {Element} */ (event.target).closest("button")) this.touch?.pickZone(zone.id);
    });
    return made;
  }

  /** The places of a zone to render. @param {import("./types.js").Zone} zone @param {boolean} small */
  shown(zone, small) {
    if (zone.form === "pile" || zone.form === "stack") return zone.cards.length ? [zone.cards.length - 1] : [];
    if (small && zone.cards.every((card) => card === null)) return zone.order.slice(0, MOST_MINI);
    return zone.order;
  }

  /** @param {import("./types.js").Zone} zone @param {boolean} small */
  cards(zone, small) {
    const count = zone.cards.length;
    if (!count) return [h("span.place", { "aria-hidden": "true" })];
    const piled = zone.form === "pile" || zone.form === "stack";
    const made = this.shown(zone, small).map((place, at) => this.card(zone, place, at, piled && zone.form === "stack"));
    made.at(-1)?.classList.add("last");
    if (piled) {
      const under = Math.min(3, Math.ceil((count - 1) / 8));
      made.unshift(...Array.from({ length: under }, (_, depth) => h("span.under", { "aria-hidden": "true", style: { "--depth": under - depth } }, drawCard(null))));
    }
    const hidden = zone.form === "fan" && zone.cards.every((card) => card === null);
    if (piled ? count > 1 : small && hidden) made.push(h("span.number", { "aria-hidden": "true" }, count));
    return made;
  }

  /**
   * @param {import("./types.js").Zone} zone
   * @param {number} place
   * @param {number} at
   * @param {boolean} down whether to draw it face down even if its face is known
   */
  card(zone, place, at, down) {
    const code = down ? null : zone.cards[place];
    const face = code === null ? null : this.legend.faces[code];
    const known = { "data-zone-card": zone.id, "data-code": code ?? "", style: { "--i": at } };
    const state = this.touch?.card(zone.id, place);
    const layer = zone.laid_by.length ? zone.laid_by[place] : null;
    const marks = zone.marks.length ? zone.marks[place] : [];
    const words = (code === null ? say("hidden") : sayCard(face ?? undefined, code)) + (layer === null ? "" : `, ${this.view.players[layer].name}`) + (zone.marks.length ? `, ${[at + 1, ...marks].join(", ")}` : "");
    const content = [drawCard(face), layer === null ? null : this.layer(layer),
      zone.marks.length ? h("span.noted", { "aria-hidden": "true" }, h("span.nth", null, at + 1), ...marks.map((mark) => h("span.note", null, mark))) : null];
    const own = this.view.seat !== null && zone.owner === this.view.seat && code !== null;
    if (!this.touch?.asked || (!state?.can && !state?.picked && !own)) {
      const asks = this.touch?.explains(zone) && code !== null;
      const said = code !== null || layer !== null || zone.marks.length > 0;  // how many lie there unseen the place says
      return h("span.card-slot", { ...known, role: said ? "img" : null, "aria-label": said ? words : null, "aria-hidden": said ? null : "true", class: asks ? "asks" : "",
        click: asks ? () => this.touch?.explain(zone.id, place) : null }, ...content);
    }
    const classes = `${state?.can ? "can" : "cannot"} ${state?.picked ? "picked" : state?.other ? "other" : ""} ${state?.hinted ? "hinted" : ""}`;
    return h("button.card-slot", { ...known, type: "button", class: classes, "data-focus": `card:${zone.id}:${place}`, "data-place": place,
      "aria-label": words + (state?.can ? `, ${say("playable")}` : ""), "aria-pressed": state?.can || state?.picked ? String(Boolean(state?.picked)) : null,
      click: (/** @type {Event} */ event) => { event.stopPropagation(); this.touch?.pickCard(zone.id, place); } }, ...content);
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

/**
 * Render the scores: the board if there is one, and the sheet, or else a line for each team.
 *
 * @param {import("./types.js").View} view
 * @param {boolean} [told] whether the reader already knows which score wins
 * @returns {HTMLElement[]}
 */
export function drawScores(view, told = false) {
  const { sides, holes, sheet, best } = view.scores;
  const made = [];
  if (holes) made.push(h("div.board-holder", null, drawBoard(holes, sides)));
  if (sheet) made.push(drawSheet(view, sheet));
  const top = Math.max(...sides.map((side) => Math.abs(side.score)), 1);
  if (!sheet) {
    made.push(h("ul.sides", null, ...sides.map((side, number) => h("li", { class: `side${number % 4}` },
      h("span.name", null, side.name), h("b", null, side.score),
      holes ? null : h("span.bar", { style: { "--part": Math.max(0, side.score) / top } })))));
  }
  if (best && !told) made.push(h("p.hint", null, say(best === "lowest" ? "low_wins" : "high_wins")));
  return made;
}

/** @param {import("./types.js").View} view @param {import("./types.js").Sheet} sheet */
function drawSheet(view, sheet) {
  const columns = Math.max(1, sheet.columns.length);
  const names = view.players.map((player) => player.name);
  const line = (/** @type {import("./types.js").SheetLine} */ each) => {
    const cells = each.entries.map((entry) => (entry === null ? "" : String(entry)));
    if (each.marks.length) {
      const free = cells.lastIndexOf("");
      cells[free >= 0 ? free : cells.length - 1] = [free >= 0 ? "" : cells.at(-1), each.marks.join(" ")].filter(Boolean).join(" ");
    }
    return (cells.length ? cells : [each.marks.join(" ")]).map((cell) => h("td", { class: each.struck ? "struck" : "" }, cell));
  };
  return h("div.sheet", { tabindex: "0", role: "region", "aria-label": say("scores") }, h("table", null,
    h("thead", null,
      h("tr", null, h("th", { scope: "col" }, say("round")), ...names.map((name) => h("th", { scope: "colgroup", colspan: columns }, name))),
      sheet.columns.length ? h("tr.columns", null, h("th"), ...names.flatMap(() => sheet.columns.map((column) => h("th", { scope: "col" }, column)))) : null),
    h("tbody", null, ...sheet.lines.map((row, number) => h("tr", null, h("th", { scope: "row" }, number + 1), ...row.flatMap(line)))),
    h("tfoot", null,
      sheet.columns.length ? h("tr", null, h("th", { scope: "row" }, ""), ...sheet.totals.flatMap((totals) => totals.map((total) => h("td", null, total)))) : null,
      h("tr.total", null, h("th", { scope: "row" }, say("total")), ...sheet.scores.map((score) => h("td", { colspan: columns }, score))))));
}

/**
 * Render the event log, latest last; the class of an item is its kind, so that styles can set rounds apart.
 *
 * @param {import("./types.js").News[]} news
 * @param {import("./types.js").Legend} legend
 */
export function drawLog(news, legend) {
  return news.map((each) => h("li", { class: `${each.kind} ${each.seat === null ? "" : `tone${each.seat % 6}`}` }, markCards(each, legend)));
}

/**
 * Render a sentence with its cards in their colours.
 *
 * @param {import("./types.js").News} news
 * @param {import("./types.js").Legend} legend
 */
function markCards(news, legend) {
  const found = news.cards.map((code) => legend.faces[code]).filter(Boolean);
  /** @type {(string|HTMLElement)[]} */
  let parts = [news.text];
  for (const face of new Set(found)) {
    const print = face.prints.find((each) => each.glyph) ?? face.prints.find((each) => each.colour);
    // Mark only as many occurrences as the sentence has such cards (several with two packs): others are, for example,
    // the number of a pile.
    let left = news.cards.filter((code) => code === face.code).length;
    parts = parts.flatMap((part) => {
      if (typeof part !== "string") return [part];
      const found = [];
      for (let at = findWord(part, face.text); at >= 0 && left > 0; at = findWord(part, face.text)) {
        left -= 1;
        found.push(part.slice(0, at), h("span.code", { class: `ink-${print?.colour || "black"}` }, signed(face)));
        part = part.slice(at + face.text.length);
      }
      return [...found, part];
    });
  }
  return parts;
}

/** Replace card codes in a text by forms with glyphs. @param {string} text @param {string[]} codes @param {import("./types.js").Legend} legend */
export function writeCards(text, codes, legend) {
  for (const code of new Set(codes)) {
    const face = legend.faces[code];
    if (!face || signed(face) === face.text) continue;
    for (let at = findWord(text, face.text); at >= 0; at = findWord(text, face.text)) text = text.slice(0, at) + signed(face) + text.slice(at + face.text.length);
  }
  return text;
}

/** A card as text with its glyph. @param {import("./types.js").Face} face */
function signed(face) {
  const print = face.prints.find((each) => each.glyph);
  const rank = face.prints.find((each) => each !== print && each.short);
  return print ? `${rank ? figureOf(rank) : ""}${print.glyph}\uFE0E` : face.text;
}

/** The index of the first occurrence as a whole word, or -1. @param {string} text @param {string} word */
function findWord(text, word) {
  let at = text.indexOf(word);
  const letter = /[\p{L}\p{N}]/u;
  while (at >= 0) {
    if (!(at > 0 && letter.test(text[at - 1])) && !letter.test(text[at + word.length] ?? "")) return at;
    at = text.indexOf(word, at + 1);
  }
  return -1;
}
