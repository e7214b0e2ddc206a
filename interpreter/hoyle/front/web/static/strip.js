/** The strip under the table: what is asked, and the buttons, rows and fields by which it is answered. */

import { figureOf } from "./cards.js";
import { showRules } from "./dialogs.js";
import { h } from "./dom.js";
import { finishingWay } from "./handles.js";
import { writeCards } from "./log.js";
import { places } from "./net.js";
import { sayParty } from "./party.js";
import { isScore } from "./scores.js";
import { findGrid, listRows, narrow } from "./picking.js";
import { settings } from "./settings.js";
import { say } from "./words.js";

const MOST_SLID = 10_000;  // numbers on a slider; where there are more, one is written

/** @param {import("./types.js").Item} item */
function sayItem(item) {
  return item.attribute ? figureOf({ short: item.text, value: item.value }) : item.text;
}

export class Strip {
  /** @param {import("./table.js").Seat} seat */
  constructor(seat) {
    this.seat = seat;
    this.selection = seat.selection;
  }

  get menu() {
    return this.seat.menu;
  }

  get shown() {
    return this.seat.shown;
  }

  draw() {
    const { menu, shown } = this;
    if (!this.seat.actions || !shown) return;
    const made = [];
    if (shown.broken) made.push(h("p.bad", { role: "alert" }, say("broken"), h("br"), shown.broken));
    if (shown.unstored) made.push(h("p.bad", { role: "alert" }, say("not_stored"), h("br"), shown.unstored));
    if (shown.undo) made.push(this.drawUndo(shown.undo));
    if (shown.view.over || shown.party?.ended) made.push(...this.drawEnd());
    else if (menu && this.seat.sent !== menu.turn) made.push(...this.drawMenu(menu));
    else if (shown.view.seat !== null && shown.links.seats && Object.keys(shown.links.seats).length) {
      made.push(h("p.prompt", null, say("new_seat_links")), h("button", { type: "button", click: () => this.seat.invite() }, say("invite_now")));
    }
    this.seat.actions.replaceChildren(...made.filter((each) => each !== null));
    this.seat.actions.classList.toggle("over", shown.view.over);
  }

  /** @param {import("./types.js").Menu} menu */
  drawMenu(menu) {
    const { complete, items } = narrow(menu, this.selection.items, this.selection.act);
    const said = complete.length > 1 && items.size === 0;  // all but which of them
    const drawn = (/** @type {import("./types.js").Item} */ item) => (item.kind === "card" && item.places.length > 0 && this.isDrawn(item))
      || (item.kind === "zone" && this.shown?.view.zones.some((zone) => zone.id === item.zone)) || item.kind === "seat";
    const slotted = menu.acts.filter((act) => act.slots.length && act.ways.some((way) => way.group || way.picks.flat().length));
    // Items not on the table are offered once the action is clear: `3` can be a rank in one action and a place in another.
    const clear = slotted.length < 2 || this.selection.act !== null || this.selection.picked.length > 0;
    // An action with a single way is one button.
    const single = clear && !this.selection.picked.length ? slotted.filter((act) => (this.selection.act === null || act.name === this.selection.act) && act.ways.length === 1
      && !act.ways[0].group && !act.ways[0].picks.flat().some((item) => drawn(menu.items[item]))) : [];
    const grid = said || this.selection.picked.some((pick) => !pick.implied) ? null : findGrid(menu, slotted.filter((act) => clear && (this.selection.act === null || act.name === this.selection.act)), (item) => drawn(menu.items[item]));
    const rows = said || grid ? [] : listRows(menu, this.selection.items, this.selection.act, (item) => clear && (!drawn(menu.items[item]) || menu.items[item].kind === "seat"))
      .filter((row) => !single.some((act) => row.items.every((item) => act.ways[0].picks.flat().includes(item))));
    const made = [];
    if (menu.window && settings.timer > 0 && menu.decline !== null) made.push(h("div.timer", { style: { "--seconds": `${settings.timer}s` } }));
    made.push(this.drawPrompt(menu));
    const row = h("div.buttons");
    if (slotted.length > 1) {
      row.append(h("div.acts", { role: "group" }, ...slotted.map((act) => h("button.act", { type: "button", title: act.text, "data-focus": `act:${act.name}`, "aria-pressed": String(this.selection.act === act.name),
        click: () => this.selection.pickAct(act.name) }, act.label))));
    }
    if (rows.length) {
      made.push(h("div.rows", null, ...rows.map((each) => h("div.row-of", { role: "group", "aria-label": each.label }, h("span.row-label", { "aria-hidden": "true" }, each.label),
        h("div.buttons", null, ...each.items.map((item) => h("button", { type: "button", "data-focus": `item:${item}`, "aria-pressed": String(each.chosen.includes(item)), class: `${each.chosen.includes(item) ? "picked" : ""} ${this.isHinted(item) ? "hinted" : ""}`,
          click: () => this.selection.pickLoose(item, each) }, sayItem(menu.items[item]))))))));
    }
    if (grid) made.push(this.drawGrid(menu, grid));
    const whole = [...complete, ...single.map((act) => ({ act, way: act.ways[0] }))];
    for (const { act, way } of whole) {
      const hinted = this.seat.hint && (this.seat.hint.choice === way.choice || this.seat.hint.way?.text === way.text) ? "hinted" : "";
      const main = this.selection.picked.length || !(rows.length || grid) ? "primary" : "";  // not the default while rows await input
      if (way.number && way.number[0] < way.number[1]) row.append(this.drawAmount(way));
      else row.append(h("button", { type: "button", title: act.text, class: `${main} ${hinted}`, "data-focus": `way:${way.choice}`, click: () => this.seat.choose(way.choice, null, way.chosen) }, this.write(menu, way), way.note ? h("small", null, ` (${way.note})`) : null));
    }
    if (menu.decline !== null) {
      const choice = menu.decline;
      row.append(h("button.decline", { type: "button", class: this.seat.hint?.choice === choice ? "hinted" : "", "aria-keyshortcuts": "P", "data-focus": "decline", click: () => this.seat.choose(choice, null) }, say("decline")));
    }
    if (this.shown && finishingWay(menu, this.shown.view)) row.append(h("button.primary", { type: "button", "data-focus": "finish", click: () => { this.seat.finishing = true; this.seat.waitOrGoOn(); } }, say("finish")));
    if (this.selection.picked.some((pick) => !pick.implied) || this.selection.act) row.append(h("button.quiet", { type: "button", "data-focus": "clear", click: () => this.selection.clear() }, say("clear")));
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
      const way = ways.get(`${high},${low}`), hinted = way !== undefined && this.seat.hint?.choice === way.choice ? "hinted" : "";
      return h("td", null, way ? h("button", { type: "button", class: hinted, title: way.text, "aria-label": way.text, "data-focus": `way:${way.choice}`, click: () => this.seat.choose(way.choice, null) }, figure(high), figure(low)) : null);
    })))));
  }

  /** How cards show a value that has a sign, such as a suit. @param {string} text */
  findPrint(text) {
    for (const face of Object.values(this.seat.legend?.faces ?? {})) for (const print of face.prints) if (print.text === text && print.glyph) return print;
    return null;
  }

  /** Format a way, with glyphs for its cards. @param {import("./types.js").Menu} menu @param {{text: string, picks: number[][]}} way */
  write(menu, way) {
    return this.seat.legend ? writeCards(way.text, way.picks.flat().map((item) => menu.items[item]?.card ?? ""), this.seat.legend) : way.text;
  }

  /** Describe the actions, or tell what is to be learnt; many actions are described by the titles of their buttons instead. @param {import("./types.js").Menu} menu */
  drawPrompt(menu) {
    const { tip, legend, options } = this.seat;
    const acts = menu.acts.filter((act) => act.text && (this.selection.act === null || act.name === this.selection.act));
    const text = acts.length === 1 ? this.sayAct(acts[0]) : say("what_now");
    if (tip) return h("p.prompt.tip", { tabindex: 0 }, h("strong", null, tip.text), tip.because ? ` ${tip.because}` : "", tip.text === text ? "" : h("span", null, ` ${text}`), ...tip.cite.map((id) => h("button.cite", { type: "button", click: () => legend && showRules(legend, options, id) }, say("rule", { id }))));
    return h("p.prompt", { title: acts.length > 1 ? acts.map((act) => `${act.label}: ${act.text}`).join("\n") : null }, text);
  }

  /** What an action is, who gets the cards, and how many of them are picked. @param {import("./types.js").Act} act */
  sayAct(act) {
    const sizes = act.slots.length === 1 && act.slots[0].many ? new Set(act.ways.flatMap((way) => (way.group ? [way.group.low, way.group.high] : way.picks[0].length))) : new Set();
    const parts = [act.receiver === null ? "" : say("to_whom", { who: this.shown?.view.players[act.receiver].name ?? "" }),
      sizes.size === 1 && !sizes.has(1) ? `${this.selection.items.length} / ${[...sizes][0]}` : ""].filter(Boolean);
    return parts.length ? `${act.text.replace(/\.$/, "")} ${parts.join(" · ")}` : act.text;
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
    return Boolean(this.seat.hint?.way?.picks.flat().includes(item));
  }

  /** A number input with a slider and a text field. @param {import("./types.js").Way} way */
  drawAmount(way) {
    const [low, high] = /** @type {[number, number]} */ (way.number);
    const stands = Number(this.shown?.view.facts.find((fact) => fact.by !== null && /^-?\d+$/.test(fact.value))?.value ?? low);  // what was offered is answered from there
    const start = this.seat.hint?.choice === way.choice && this.seat.hint.number !== null ? this.seat.hint.number : Math.min(Math.max(low, stands), high);
    const slider = /** @type {HTMLInputElement} */ (h("input", { type: "range", hidden: high - low > MOST_SLID, min: low, max: high, value: start, "aria-label": say("amount"), "data-focus": `range:${way.choice}`, input: () => { field.value = slider.value; name(); } }));
    const field = /** @type {HTMLInputElement} */ (h("input", { type: "number", style: { "min-width": `${String(high).length + 4}ch` }, min: low, max: high, value: start, inputmode: "numeric", "aria-label": say("amount"), "data-focus": `number:${way.choice}`, input: () => { slider.value = field.value; name(); } }));
    const label = (this.menu ? this.write(this.menu, way) : way.text).replace(/\s*-?\d+\.\.-?\d+$/, "");
    const button = /** @type {HTMLButtonElement} */ (h("button.primary", { type: "submit", "data-focus": `way:${way.choice}` }));
    const name = () => { button.textContent = `${label} ${field.value}`; button.disabled = !field.validity.valid || field.value === ""; };
    name();
    const view = this.shown?.view;
    const pot = view?.pots.filter((each) => !isScore(view, each.name)).reduce((sum, each) => sum + each.amount, 0) ?? 0;  // with what is staked before the seats
    /** @type {[string, number][]} */
    const quick = pot ? [["least", low], ["half_pot", Math.ceil(pot / 2)], ["whole_pot", pot], ["all_of_it", high]] : [];
    const marks = quick.filter(([, value], at) => low <= value && value <= high && quick.findIndex((other) => other[1] === value) === at)
      .map(([word, value]) => h("button.quiet", { type: "button", "data-focus": `${word}:${way.choice}`, click: () => { slider.value = field.value = String(value); name(); } }, say(word)));
    return h("form.amount", { submit: (/** @type {Event} */ event) => { event.preventDefault(); this.seat.choose(way.choice, Number(field.value)); } }, marks.length > 1 ? h("span.marks-of", null, ...marks) : null, slider, field, button);
  }

  /** @param {{seat: number, ask: boolean}} undo */
  drawUndo(undo) {
    const who = this.shown?.seats[undo.seat].name ?? "";
    if (!undo.ask) return h("p.prompt", { role: "status" }, say("undo_waiting"));
    return h("div.asked", { role: "alert" }, h("p.prompt", null, say("undo_asked", { who })), h("div.buttons", null,
      h("button.primary", { type: "button", click: () => this.seat.line.send({ do: "agree", yes: true }) }, say("agree")),
      h("button", { type: "button", click: () => this.seat.line.send({ do: "agree", yes: false }) }, say("refuse"))));
  }

  drawEnd() {
    const result = this.shown?.view.result;
    const party = this.shown?.party;
    const again = h("button.primary", { type: "button", "data-focus": "again", click: () => this.seat.again() }, say(party ? "party_next" : "again"));
    if (party && !this.shown?.view.over) return [h("p.verdict", null, h("strong", null, sayParty(party))), h("div.buttons", null, party.over ? null : again)];
    return [h("p.verdict", null, h("strong", null, result?.verdict ?? say("won")), result?.reason ? h("span", null, ` ${result.reason}`) : null),
      party ? h("p.prompt", null, say(party.ended ? "party_ended" : "party_waits")) : null,
      h("div.buttons", null,
        party && (!party.ended || party.over) ? null : again,
        h("button", { type: "button", "data-focus": "see-again", click: () => this.seat.replay() }, say("replay")),
        places.invites ? h("button", { type: "button", "data-focus": "seal", click: () => this.seat.showSeal() }, say("sealed")) : null,
        this.shown?.view.seat === null ? null : h("button", { type: "button", "data-focus": "share", click: () => this.seat.line.send({ do: "share" }) }, say("share")),
        h("a.button", { href: places.lobby }, say("lobby")))];
  }
}
