/** Which items can be picked next, and when a selection is a complete move: mirrors `hoyle.play.table.narrow`. */

const MOST_ACROSS = 10, MOST_DOWN = 6;  // of a table of ways

/**
 * @param {import("./types.js").Menu} menu
 * @param {number[]} picked indices into `menu.items`; an item that two slots need occurs twice
 * @param {string|null} act restricts the result to this action, if given
 * @returns {{ways: {act: import("./types.js").Act, way: import("./types.js").Way}[], items: Set<number>,
 *   complete: {act: import("./types.js").Act, way: import("./types.js").Way}[]}}
 */
export function narrow(menu, picked, act) {
  const ways = [], complete = [], items = new Set();
  for (const each of menu.acts) {
    if (act !== null && each.name !== act) continue;
    for (const way of each.ways) {
      const held = way.picks.flat(), rest = without(picked, held), open = without(held, picked);
      if (!fitsGroup(way, rest)) continue;
      ways.push({ act: each, way });
      for (const item of open) items.add(item);
      if (way.group && rest.length < way.group.high) for (const item of without(way.group.items, rest)) items.add(item);
      if (open.length) continue;
      if (!way.group) complete.push({ act: each, way });
      else if (rest.length >= way.group.low) complete.push({ act: each, way: pickGroup(menu, each, way, rest) });
    }
  }
  return { ways, items, complete };
}

/** Multiset difference of two lists. @param {number[]} items @param {number[]} others */
function without(items, others) {
  const rest = [...items];
  for (const item of others) if (rest.includes(item)) rest.splice(rest.indexOf(item), 1);
  return rest;
}

/** Whether the items beyond a way's fixed ones can be part of its group. @param {import("./types.js").Way} way @param {number[]} rest */
function fitsGroup({ group }, rest) {
  return rest.length <= (group?.high ?? 0) && !without(rest, group?.items ?? []).length;
}

/**
 * Resolve the group of a way to the cards picked.
 *
 * @param {import("./types.js").Menu} menu
 * @param {import("./types.js").Act} act
 * @param {import("./types.js").Way} way
 * @param {number[]} rest
 * @returns {import("./types.js").Way}
 */
function pickGroup(menu, act, way, rest) {
  const cards = [...rest].sort((a, b) => a - b);
  const text = [act.label, ...[...way.picks.flat(), ...cards].map((item) => menu.items[item].text)].join(" ");
  return { ...way, picks: [...way.picks.slice(0, -1), cards], text, group: null, chosen: cards };
}

/**
 * List the items that every remaining way needs and that are not on the table: they can be picked automatically.
 *
 * @param {import("./types.js").Menu} menu
 * @param {number[]} picked
 * @param {string|null} act
 * @returns {number[]}
 */
export function listImplied(menu, picked, act) {
  const { ways } = narrow(menu, picked, act);
  if (!ways.length) return [];
  return without(ways[0].way.picks.flat(), picked).filter((item) => !["card", "zone"].includes(menu.items[item].kind)
    && ways.every(({ way }) => without(way.picks.flat(), picked).includes(item)));
}

/**
 * Arrange the items that are not on the table in rows, one per slot, such as a rank and then a number. A slot that
 * shares items with an open one before it waits for that. `chosen` are the items picked in a row.
 *
 * @param {import("./types.js").Menu} menu
 * @param {number[]} picked
 * @param {string|null} act
 * @param {(item: number) => boolean} offered whether to offer an item in a row
 * @returns {{label: string, many: boolean, items: number[], chosen: number[]}[]}
 */
export function listRows(menu, picked, act, offered) {
  /** @type {Map<string, {label: string, many: boolean, items: Set<number>, chosen: number[]}>} */
  const rows = new Map();
  for (const each of menu.acts) {
    if (act !== null && each.name !== act) continue;
    let ways = waysWith(each, picked), left = picked;
    const above = new Set();
    for (const [number, slot] of each.slots.entries()) {
      const open = itemsOf(ways, number);
      const fitting = left.filter((item) => open.has(item)), chosen = slot.many ? fitting : fitting.slice(0, 1);
      left = without(left, chosen);
      if (!chosen.length && open.size === 1 && ways.length > 1 && !slot.many) continue;  // implied
      if (!chosen.length && [...open].some((item) => above.has(item))) break;
      const all = chosen.length && !slot.many ? itemsOf(waysWith(each, without(picked, chosen)), number) : open;
      const items = [...all].filter(offered);
      const label = each.slots.length > 1 ? slot.label : each.label;
      if (items.length) {
        const row = rows.get(label) ?? { label, many: slot.many, items: new Set(), chosen: [] };
        rows.set(label, row);
        for (const item of items) row.items.add(item);
        row.chosen = [...new Set([...row.chosen, ...chosen])];
      }
      if (chosen.length) ways = ways.filter((way) => chosen.some((item) => way.picks[number].includes(item)) || way.group);
      else for (const item of open) above.add(item);
    }
  }
  return [...rows.values()].map((row) => ({ ...row, items: [...row.items].sort((a, b) => a - b) }));
}

/** An action as a table: its ways by the two items that each picks, the longer list across.
 * @typedef {{act: import("./types.js").Act, across: number[], down: number[], ways: Map<string, import("./types.js").Way>}} Grid */

/**
 * The only action left, as a table, if each of its ways picks one of a few values and then another.
 *
 * @param {import("./types.js").Menu} menu
 * @param {import("./types.js").Act[]} acts
 * @param {(item: number) => boolean} drawn whether an item is on the table
 * @returns {Grid|null}
 */
export function findGrid(menu, acts, drawn) {
  if (acts.length !== 1 || acts[0].slots.length !== 2) return null;
  const { ways } = acts[0];
  const onTable = (/** @type {number} */ item) => drawn(item) || menu.items[item].places.length > 0 || ["card", "zone", "seat"].includes(menu.items[item].kind);
  if (ways.some(({ group, number, picks }) => group || number || picks.length !== 2 || picks.some((pick) => pick.length !== 1 || onTable(pick[0])))) return null;
  const [first, second] = [0, 1].map((slot) => [...itemsOf(ways, slot)].sort((a, b) => a - b));
  if (ways.length < 2 || Math.max(first.length, second.length) > MOST_ACROSS || Math.min(first.length, second.length) > MOST_DOWN) return null;
  if (first.some((item) => second.includes(item))) return null;
  const turned = second.length > first.length;
  return { act: acts[0], across: turned ? second : first, down: turned ? first : second,
    ways: new Map(ways.map((way) => [(turned ? [...way.picks].reverse() : way.picks).flat().join(","), way])) };
}

/** The ways of an action compatible with the selection. @param {import("./types.js").Act} act @param {number[]} picked */
function waysWith(act, picked) {
  return act.ways.filter((way) => fitsGroup(way, without(picked, way.picks.flat())));
}

/** The items of a slot over all ways. @param {import("./types.js").Way[]} ways @param {number} slot */
function itemsOf(ways, slot) {
  return new Set(ways.flatMap((way) => [...(way.picks[slot] ?? []), ...(way.group && slot === way.picks.length - 1 ? way.group.items : [])]));
}

/**
 * The items that a card at a place of a zone stands for: several for equal cards that the game distinguishes, a number
 * if cards are picked by their places.
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
 * The way that picks a face-down card by its place, if the `nth` card from the top is in its range.
 *
 * @param {import("./types.js").Menu} menu
 * @param {string} zone
 * @param {number} nth
 */
export function wayAt(menu, zone, nth) {
  for (const act of menu.acts) for (const way of act.ways) if (way.zone === zone && way.number && way.number[0] <= nth && nth <= way.number[1]) return way;
  return null;
}

/** The number of ways, declining included. @param {import("./types.js").Menu} menu */
export function countWays(menu) {
  return menu.acts.reduce((sum, act) => sum + act.ways.length, 0) + (menu.decline === null ? 0 : 1);
}

/**
 * The only legal choice, if there is exactly one.
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

/** @param {import("./types.js").Menu} menu @param {number} choice */
export function findWay(menu, choice) {
  for (const act of menu.acts) for (const way of act.ways) if (way.choice === choice) return { act, way };
  return null;
}
