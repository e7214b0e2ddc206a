/** What can be done with the hand: which ways a card, a pile or a target stands for, by what each way moves. */

import { narrow } from "./picking.js";

/** @typedef {{act: import("./types.js").Act, way: import("./types.js").Way}} Handle */

/** The ways that need no number and of which it is known what they move. @param {import("./types.js").Menu} menu @returns {Handle[]} */
function listMoving(menu) {
  return menu.acts.flatMap((act) => act.ways.filter((way) => way.moved && !way.number && !way.group).map((way) => ({ act, way })));
}

/**
 * The ways that move a card, alone or with those that lie on it: those that pick it and no other card, and those that pick
 * nothing and take it from its pile.
 *
 * @param {import("./types.js").Menu} menu @param {import("./types.js").Zone} zone @param {number} place
 * @returns {Handle[]}
 */
export function waysOfCard(menu, zone, place) {
  const top = place === zone.cards.length - 1;
  return listMoving(menu).filter(({ way }) => {
    const items = way.picks.flat().map((item) => menu.items[item]);
    const cards = items.filter((item) => item.kind === "card");
    if (items.some((item) => item.kind !== "card" && item.kind !== "zone")) return false;
    if (cards.length) return cards.length === 1 && cards[0].zone === zone.id && cards[0].places.includes(place);
    return top && items.length === 0 && way.moved?.source[0] === zone.id && (zone.form === "pile" || zone.form === "stack");
  });
}

/**
 * The ways that move these cards together, alone or with more, such as a group that is laid out.
 *
 * @param {import("./types.js").Menu} menu @param {number[]} items @param {string|null} act
 * @returns {{ways: Handle[], complete: Handle[]}}
 */
export function waysOfCards(menu, items, act) {
  const together = (/** @type {Handle[]} */ ways) => ways.filter(({ way }) => way.moved && !way.number && !way.group
    && way.picks.flat().length > 1 && way.picks.flat().every((item) => menu.items[item].kind === "card"));
  const { ways, complete } = narrow(menu, items, act);
  return { ways: together(ways), complete: together(complete) };
}

/** The way that picks nothing and takes its cards from a zone, or fills it where it is empty, if there is exactly one. @param {import("./types.js").Menu} menu @param {import("./types.js").Zone} zone @returns {Handle|null} */
export function wayFrom(menu, zone) {
  const ways = listMoving(menu).filter(({ way }) => !way.picks.flat().length && (zone.cards.length ? way.moved?.source : way.moved?.target)?.[0] === zone.id);
  return ways.length === 1 ? ways[0] : null;
}

/** The way among these that goes to a zone, if there is exactly one. @param {Handle[]} ways @param {string} zone @returns {Handle|null} */
export function wayTo(ways, zone) {
  const found = ways.filter(({ way }) => way.moved?.target[0] === zone);
  return found.length === 1 ? found[0] : null;
}

/**
 * What a double click on a card does: it puts the card where nothing is built on, if there is one such place.
 *
 * @param {Handle[]} ways @param {import("./types.js").Zone[]} zones
 */
export function quickWay(ways, zones) {
  const away = ways.filter(({ way }) => way.picks.flat().length && zones.find((zone) => zone.id === way.moved?.target[0])?.form !== "column");
  return away.length === 1 ? away[0] : null;
}

/**
 * What finishes a game by itself: with every card open, the next card that a double click would put away.
 *
 * @param {import("./types.js").Menu} menu @param {import("./types.js").View} view
 */
export function finishingWay(menu, view) {
  if (view.players.length > 1 || !view.zones.some((zone) => zone.form === "column")) return null;
  if (view.zones.some((zone) => zone.cards.includes(null))) return null;
  for (const zone of view.zones) {
    const found = zone.cards.length ? quickWay(waysOfCard(menu, zone, zone.cards.length - 1), view.zones) : null;
    if (found) return found;
  }
  return null;
}
