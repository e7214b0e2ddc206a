/** What the player has picked of the menu so far, by clicks, drags and keys, and what follows from it. */

import { quickWay, wayFrom, waysOfCard, waysOfCards, wayTo } from "./handles.js";
import { findWay, itemsAt, listImplied, narrow, wayAt } from "./picking.js";
import { settings } from "./settings.js";

const DOUBLE = 400;

export class Selection {
  /** @param {import("./table.js").Seat} seat */
  constructor(seat) {
    this.seat = seat;
    /** @type {{item: number, zone: string, place: number, implied?: boolean}[]} */
    this.picked = [];
    /** @type {string|null} */
    this.act = null;
    /** The card clicked last, and when. */
    this.clicked = { zone: "", place: -1, at: 0 };
  }

  get menu() {
    return this.seat.menu;
  }

  get shown() {
    return this.seat.shown;
  }

  /** Begin anew, without a redraw; what was lit as the reason for something is no longer. */
  reset() {
    this.picked = [];
    this.act = null;
    this.seat.lit.clear();
  }

  /** @returns {import("./draw.js").Touch} */
  touch() {
    const menu = this.menu;
    const picking = menu ? narrow(menu, this.items, this.act) : null;
    const hinted = new Set(menu && this.seat.hint ? this.seat.hint.way?.picks.flat() ?? [] : []);
    const lit = menu && this.seat.hint && !hinted.size ? findWay(menu, this.seat.hint.choice)?.way.moved?.source[0] ?? null : null;
    /** Cards that can begin another move stay enabled during a selection; zones only if they continue the selection. */
    const fresh = menu ? narrow(menu, [], this.act) : null;
    const can = (/** @type {number} */ item) => Boolean(picking?.items.has(item) || (this.picked.length && fresh?.items.has(item)));
    const find = (/** @type {string} */ kind, /** @type {(item: import("./types.js").Item) => boolean} */ fits) =>
      menu ? menu.items.findIndex((item) => item.kind === kind && fits(item)) : -1;
    const state = (/** @type {number} */ item) => ({ can: item >= 0 && Boolean(picking?.items.has(item) || this.items.includes(item)), picked: this.items.includes(item), hinted: hinted.has(item) });
    return {
      asked: menu !== null,
      lit: this.seat.lit,
      card: (zone, place) => {
        if (!menu) return { can: false, other: false, picked: false, hinted: false };
        const items = this.itemsAt(menu, zone, place);
        if (this.wayAt(menu, zone, place)) return { can: true, other: false, picked: false, hinted: this.seat.hint?.number === this.countFromTop(zone, place) };
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
        if (handle && !state(item).can) this.seat.choose(handle.way.choice, null);
        else this.pick(item);
      },
      seat: (seat) => state(find("seat", (item) => item.seat === seat)),
      pickSeat: (seat) => this.pick(find("seat", (item) => item.seat === seat)),
      // Explain why a shared card cannot be used only where some shared cards can be.
      explains: (zone) => zone.owner === null && !state(find("zone", (item) => item.zone === zone.id)).can && this.playsCommon(),
      explain: (zone, place) => this.seat.line.send({ do: "why", zone, place }),
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

  /** What a dragged card takes along, and where it may go: what lies on it, or else what was picked to go with it.
   * @param {string} zone @param {number} place */
  lift(zone, place) {
    const { menu } = this, from = this.findZone(zone);
    const ways = menu && from ? waysOfCard(menu, from, place) : [];
    const joined = this.joinedBy(zone, place), several = menu && joined ? waysOfCards(menu, joined, this.act).ways : [];
    const along = several.length && menu && joined ? joined.map((item) => menu.items[item].card) : [];
    return { cards: along.length > 1 ? along : ways[0]?.way.moved?.cards.slice() ?? along,
      targets: [...new Set([...ways, ...several].map(({ way }) => way.moved?.target[0] ?? ""))] };
  }

  /** The picked items and that of a card, if it can be picked with them. @param {string} zone @param {number} place */
  joinedBy(zone, place) {
    const { menu, items } = this, here = menu ? this.itemsAt(menu, zone, place) : [];
    if (!menu || !here.length || here.some((item) => items.includes(item))) return here.length ? items : null;
    const picking = narrow(menu, items, this.act), next = here.find((item) => picking.items.has(item));
    return next === undefined ? null : [...items, next];
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
    const prints = this.seat.legend?.faces[shown?.cards[place] ?? ""]?.prints ?? [];
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

  /** @param {string} zone @param {number} place */
  pickCard(zone, place) {
    if (!this.menu) return;
    const way = this.wayAt(this.menu, zone, place);
    if (way) {
      const nth = this.countFromTop(zone, place);
      const field = settings.confirm ? this.seat.actions?.querySelector(`[data-focus="number:${way.choice}"]`) : null;
      if (!(field instanceof HTMLInputElement)) { this.seat.choose(way.choice, nth); return; }
      field.value = String(nth);
      field.dispatchEvent(new Event("input"));
      field.focus();
      return;
    }
    const again = this.clicked.zone === zone && this.clicked.place === place && performance.now() - this.clicked.at < DOUBLE;
    this.clicked = { zone, place, at: performance.now() };
    const from = this.findZone(zone), quick = again && from ? quickWay(waysOfCard(this.menu, from, place), this.shown?.view.zones ?? []) : null;
    if (quick) { this.seat.choose(quick.way.choice, null); return; }
    const picking = narrow(this.menu, this.items, this.act);
    const target = this.menu.items.findIndex((item) => item.kind === "zone" && item.zone === zone);
    if (this.picked.length && !this.picked.some((pick) => pick.zone === zone)) {
      const goes = !this.itemsAt(this.menu, zone, place).some((item) => picking.items.has(item));
      if (goes && picking.items.has(target)) { this.pick(target); return; }
      const handle = goes ? this.handleOf(zone) : null;
      if (handle) { this.seat.choose(handle.way.choice, null); return; }
    }
    const held = this.picked.find((pick) => pick.zone === zone && pick.place === place);
    if (held && !picking.items.has(held.item)) { this.unpick(held.item); return; }
    const items = this.itemsAt(this.menu, zone, place);
    const next = items.find((item) => picking.items.has(item)) ?? items.find((item) => !this.items.includes(item));
    if (next === undefined && items.length) { this.unpick(items[0]); return; }  // its rank was picked elsewhere
    if (next === undefined) {
      this.seat.line.send({ do: "why", zone, place });
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
    if (!menu || this.seat.sent === menu.turn) return false;
    const ways = waysOfCard(menu, from, place);
    const found = wayTo(ways, onto);
    if (found && !settings.confirm) { this.seat.choose(found.way.choice, null); return true; }
    const joined = this.joinedBy(zone, place), several = joined ? waysOfCards(menu, joined, this.act) : null;
    const whole = several && (wayTo(several.complete, onto) ?? wayTo(several.ways, onto));
    if (whole && !settings.confirm) { this.seat.choose(whole.way.choice, null); return true; }
    if (ways.length && !found && ![...ways, ...several?.ways ?? []].some(({ way }) => way.moved?.target[0] === onto)) return false;
    if (!this.itemsAt(menu, zone, place).length) return false;
    if (!this.picked.some((pick) => pick.zone === zone && pick.place === place)) this.pickCard(zone, place);
    if (this.menu?.turn !== menu.turn || this.seat.sent === menu.turn) return true;
    const item = menu.items.findIndex((each) => each.kind === "zone" && each.zone === onto);
    if (item >= 0 && narrow(menu, this.items, this.act).items.has(item)) this.pick(item);
    return true;
  }

  /** Put a card of the own hand beside another one. @param {import("./types.js").Zone} zone @param {number} place @param {string|null} beside */
  putBeside(zone, place, beside) {
    const code = zone.cards[place];
    if (zone.owner === null || zone.owner !== this.shown?.view.seat || !code || beside === null || beside === code) return false;
    const rank = this.seat.kept.order[zone.id] ?? zone.order.map((each) => zone.cards[each] ?? "");
    const others = rank.filter((each) => each !== code), at = others.indexOf(beside);
    others.splice(rank.indexOf(code) < rank.indexOf(beside) ? at + 1 : at, 0, code);
    this.seat.kept.order[zone.id] = others;
    this.seat.draw();
    return true;
  }

  /** @param {number} item */
  unpick(item) {
    this.putBack(item);
    this.picked = this.picked.filter((pick) => !pick.implied);
    this.seat.draw();
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
    if (only && !only.number && !several && !settings.confirm) this.seat.choose(only.choice, null);
    else this.seat.draw();
  }

  clear() {
    this.reset();
    this.seat.draw();
  }

  /** Toggle an action; keep the selection if it fits. @param {string} name */
  pickAct(name) {
    this.act = this.act === name ? null : name;
    this.picked = this.picked.filter((pick) => !pick.implied);
    if (this.menu && !narrow(this.menu, this.items, this.act).ways.length) this.picked = [];
    this.seat.draw();
  }
}
