/** What can be picked next, and when what is picked is a whole move: the same rules as `hoyle.table.narrow`. */

/**
 * @param {import("./types.js").Menu} menu
 * @param {number[]} picked places in `menu.items`
 * @param {string|null} act only this action, if one has been chosen
 * @returns {{ways: {act: import("./types.js").Act, way: import("./types.js").Way}[], items: Set<number>,
 *   complete: {act: import("./types.js").Act, way: import("./types.js").Way}[]}}
 */
export function narrow(menu, picked, act) {
  const ways = [], complete = [], items = new Set();
  for (const each of menu.acts) {
    if (act !== null && each.name !== act) continue;
    for (const way of each.ways) {
      const held = new Set(way.picks.flat());
      if (!picked.every((item) => held.has(item))) continue;
      ways.push({ act: each, way });
      if (held.size === picked.length) complete.push({ act: each, way });
      else for (const item of held) if (!picked.includes(item)) items.add(item);
    }
  }
  return { ways, items, complete };
}

/**
 * The items that a card at a place of a zone stands for: several if there are equal cards that are told apart.
 *
 * @param {import("./types.js").Menu} menu
 * @param {string} zone
 * @param {number} place
 * @returns {number[]}
 */
export function itemsAt(menu, zone, place) {
  return menu.items.flatMap((item, number) =>
    item.kind === "card" && item.zone === zone && item.places.includes(place) ? [number] : []);
}

/** How many ways there are, declining among them. @param {import("./types.js").Menu} menu */
export function countWays(menu) {
  return menu.acts.reduce((sum, act) => sum + act.ways.length, 0) + (menu.decline === null ? 0 : 1);
}

/**
 * The only thing that can be done, if there is but one and nothing is left to say.
 *
 * @param {import("./types.js").Menu} menu
 * @returns {number|null} its choice
 */
export function forcedChoice(menu) {
  if (countWays(menu) !== 1) return null;
  if (menu.decline !== null) return menu.decline;
  const way = menu.acts[0].ways[0];
  return way.number && way.number[0] !== way.number[1] ? null : way.choice;
}
