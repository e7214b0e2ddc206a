/** Where seats are round the table, and how large cards are on it. Nothing here depends on the cards that lie there now. */

/** Below this width a table is a telephone's, held upright. */
const NARROW = 520;

/**
 * Place the other seats, in turn order from the left of the own one: up the left side, along the top, down the right. Upright
 * telephones have sides only where cards are played to the middle from all round.
 *
 * @param {number} count @param {{wide: number, high: number}} room @param {boolean} ring
 * @returns {{left: number, top: number, right: number}}
 */
export function placeSeats(count, room, ring) {
  if (count < 2 || (room.wide < NARROW && (!ring || count > 5))) return { left: 0, top: count, right: 0 };
  const side = Math.max(1, Math.floor(count / 3));
  return { left: side, top: count - 2 * side, right: side };
}

/**
 * The direction of a seat from the middle: own at the bottom, the others clockwise.
 *
 * @param {number} turn its place in turn order from the own seat @param {number} count
 */
export function directionOf(turn, count) {
  const angle = Math.PI / 2 + (2 * Math.PI * turn) / count;
  return { x: Math.cos(angle), y: Math.sin(angle) };
}

/**
 * The widths of cards: in the hand, in the middle, before the other seats.
 *
 * @param {import("./types.js").View} view @param {{wide: number, high: number}} room
 * @param {number} scale less than 1 where this game has once been found not to fit
 */
export function sizeCards(view, room, scale) {
  const columns = Math.max(0, ...[...new Set(view.zones.filter((zone) => zone.form === "column").map((zone) => zone.name))]
    .map((name) => view.zones.filter((zone) => zone.name === name).length));
  const alone = view.players.length === 1;
  const high = room.high, wide = room.wide;
  const middle = columns ? Math.min((wide - 12) / (columns * 1.07), high * 0.18, 122) : Math.min(wide * 0.15, high * (alone ? 0.2 : 0.145), 108);
  return {
    hand: Math.round(Math.min(wide * 0.19, high * 0.172, 118) * scale),
    middle: Math.round(middle * scale),
    seat: Math.round(Math.max(22, Math.min(middle * 0.52, high * 0.075)) * scale),
  };
}

/**
 * How wide the middle is at least: what a container would tell by itself, at the price of working out all styles in it twice.
 *
 * @param {{wide: number, high: number}} room @param {boolean} sides whether seats lie beside it
 */
export function widthOfMiddle(room, sides) {
  return room.wide - 16 - (sides ? 2 * Math.min(room.wide * 0.24, 190) : 0);
}
