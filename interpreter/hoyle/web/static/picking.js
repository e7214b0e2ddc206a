/** What can be picked next, and when what is picked is a whole move: the rules of `hoyle.table.narrow`, each item once. */

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
      if (way.group) { narrowGroup(each, way, way.group, held, picked, { ways, items, complete, menu }); continue; }
      if (!picked.every((item) => held.has(item))) continue;
      ways.push({ act: each, way });
      if (held.size === picked.length) complete.push({ act: each, way });
      else for (const item of held) if (!picked.includes(item)) items.add(item);
    }
  }
  return { ways, items, complete };
}

/**
 * A way of which some cards are still to be picked, so many of a group: what can be added, and whether it is whole.
 *
 * @param {import("./types.js").Act} act
 * @param {import("./types.js").Way} way
 * @param {import("./types.js").Group} group
 * @param {Set<number>} held
 * @param {number[]} picked
 * @param {{ways: any[], items: Set<number>, complete: any[], menu: import("./types.js").Menu}} found
 */
function narrowGroup(act, way, group, held, picked, found) {
  const chosen = picked.filter((item) => !held.has(item));
  if (chosen.length > group.high || !chosen.every((item) => group.items.includes(item))) return;
  found.ways.push({ act, way });
  for (const item of held) if (!picked.includes(item)) found.items.add(item);
  if (chosen.length < group.high) for (const item of group.items) if (!held.has(item) && !picked.includes(item)) found.items.add(item);
  if (chosen.length < group.low || ![...held].every((item) => picked.includes(item))) return;
  const cards = [...chosen].sort((a, b) => a - b);
  const text = [act.label, ...[...way.picks.flat(), ...cards].map((item) => found.menu.items[item].text)].join(" ");
  found.complete.push({ act, way: { ...way, picks: [...way.picks.slice(0, -1), cards], text, group: null, chosen: cards } });
}

/**
 * What is still to be said and can be but one thing: it need not be picked.
 *
 * @param {import("./types.js").Menu} menu
 * @param {number[]} picked
 * @param {string|null} act
 * @returns {number[]}
 */
export function listImplied(menu, picked, act) {
  const { ways } = narrow(menu, picked, act);
  if (!ways.length) return [];
  return ways[0].way.picks.flat().filter((item) => !picked.includes(item) && !["card", "zone"].includes(menu.items[item].kind)
    && ways.every(({ way }) => way.picks.flat().includes(item)));
}

/**
 * What does not lie on the table, in a row for each thing that is to be said: a rank, then how many. Two rows of which
 * the same could be meant come one after the other.
 *
 * @param {import("./types.js").Menu} menu
 * @param {number[]} picked
 * @param {string|null} act
 * @param {(item: number) => boolean} offered whether an item is to be offered here
 * @returns {{label: string, many: boolean, items: number[]}[]}
 */
export function listRows(menu, picked, act, offered) {
  /** @type {Map<string, {label: string, many: boolean, items: Set<number>}>} */
  const rows = new Map();
  for (const each of menu.acts) {
    if (act !== null && each.name !== act) continue;
    let ways = waysWith(each, picked);
    const above = new Set();
    for (const [number, slot] of each.slots.entries()) {
      const open = itemsOf(ways, number);
      const chosen = picked.filter((item) => open.has(item));
      if (!chosen.length && open.size === 1 && ways.length > 1 && !slot.many) continue;  // implied
      if (!chosen.length && [...open].some((item) => above.has(item))) break;
      const all = chosen.length && !slot.many ? itemsOf(waysWith(each, picked.filter((item) => !chosen.includes(item))), number) : open;
      const items = [...all].filter(offered);
      const label = each.slots.length > 1 ? slot.label : each.label;
      if (items.length) {
        const row = rows.get(label) ?? { label, many: slot.many, items: new Set() };
        rows.set(label, row);
        for (const item of items) row.items.add(item);
      }
      if (chosen.length) ways = ways.filter((way) => chosen.some((item) => way.picks[number].includes(item)) || way.group);
      else for (const item of open) above.add(item);
    }
  }
  return [...rows.values()].map((row) => ({ ...row, items: [...row.items].sort((a, b) => a - b) }));
}

/** The ways of an action that hold all that is picked. @param {import("./types.js").Act} act @param {number[]} picked */
function waysWith(act, picked) {
  return act.ways.filter((way) => picked.every((item) => way.picks.some((pick) => pick.includes(item)) || way.group?.items.includes(item)));
}

/** What can be picked for a slot. @param {import("./types.js").Way[]} ways @param {number} slot */
function itemsOf(ways, slot) {
  return new Set(ways.flatMap((way) => [...(way.picks[slot] ?? []), ...(way.group && slot === way.picks.length - 1 ? way.group.items : [])]));
}

/**
 * The items that a card at a place of a zone stands for: several if there are equal cards that are told apart; a number
 * if cards are named by their places.
 *
 * @param {import("./types.js").Menu} menu
 * @param {string} zone
 * @param {number} place
 * @returns {number[]}
 */
export function itemsAt(menu, zone, place) {
  return menu.items.flatMap((item, number) =>
    item.zone === zone && item.places.includes(place) ? [number] : []);
}

/**
 * The way that a card at a place stands for where its place is to be said, counted from the top, and that number.
 *
 * @param {import("./types.js").Menu} menu
 * @param {string} zone
 * @param {number} nth
 */
export function wayAt(menu, zone, nth) {
  for (const act of menu.acts) for (const way of act.ways) if (way.zone === zone && way.number && way.number[0] <= nth && nth <= way.number[1]) return way;
  return null;
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
  if (way.group) return null;
  return way.number && way.number[0] !== way.number[1] ? null : way.choice;
}
