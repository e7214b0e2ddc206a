/** Draws cards of any deck as SVG from their attributes: corner index, pips or a large figure, colours, backs. */

import { drawCourt } from "./courts.js";
import { s } from "./dom.js";

const W = 100, H = 140;

/** Paths of glyphs, in a square from -10 to 10; other glyphs are drawn as text. */
const SHAPES = {
  "♥": "M0 9.500C-4 5.500-10 1-10-4.200C-10-8-7.400-9.500-5-9.500C-2.600-9.500-.8-8 0-5.800C.8-8 2.600-9.500 5-9.500C7.400-9.500 10-8 10-4.200C10 1 4 5.500 0 9.500Z",
  "♦": "M0-10C2.200-6 5-2.600 8 0C5 2.600 2.200 6 0 10C-2.200 6-5 2.600-8 0C-5-2.600-2.200-6 0-10Z",
  "♠": "M0-10C3-5.500 10-2 10 3.300C10 6.200 7.800 7.700 5.600 7.700C3.600 7.700 1.900 6.700 1 5.200C1.200 7.300 2 9 3.600 10H-3.600C-2 9-1.200 7.300-1 5.200C-1.900 6.700-3.600 7.700-5.600 7.700C-7.800 7.700-10 6.200-10 3.300C-10-2-3-5.500 0-10Z",
  "♣": "M0-10A4.400 4.400 0 0 1 3-2.400A4.400 4.400 0 1 1 1.100 4.500C1.300 7.200 2.100 9 3.600 10H-3.600C-2.100 9-1.300 7.200-1.100 4.500A4.400 4.400 0 1 1-3-2.400A4.400 4.400 0 0 1 0-10Z",
  "★": "M0-10L2.600-3.300L9.700-3.100L4.100 1.300L6.100 8.200L0 4.200L-6.100 8.200L-4.100 1.300L-9.700-3.100L-2.600-3.300Z",
  "●": "M-8.500 0A8.500 8.500 0 1 1 8.500 0A8.500 8.500 0 1 1-8.500 0Z",
  "▲": "M0-9L9.800 8.200H-9.800Z",
  "■": "M-8-8H8V8H-8Z",
  "⚱": "M-8.500-9H8.500C8.500-2 5.500 1.200 1.800 2.200V6.500C4 6.800 5.500 7.800 5.800 9.500H-5.800C-5.500 7.800-4 6.800-1.800 6.500V2.200C-5.500 1.200-8.500-2-8.500-9Z",
  "†": "M0-10L2.200-7V2.600H6.500V5.400H2.200V10H-2.200V5.400H-6.500V2.600H-2.200V-7Z",
  "|": "M-3.200-10H3.200L4.400-6.500L2.600-5L3 8.500C3 9.500 2 10 0 10S-3 9.500-3 8.500L-2.600-5L-4.400-6.500Z",
  "✚": "M-3.200-9.200H3.200V-3.200H9.200V3.200H3.200V9.200H-3.200V3.200H-9.200V-3.200H-3.200Z",
};

/** Positions of pips, by their number: columns -1, 0, 1, rows from -3 to 3; those below the middle are upside down. */
const PIPS = [
  [], [[0, 0]], [[0, -3], [0, 3]], [[0, -3], [0, 0], [0, 3]], [[-1, -3], [1, -3], [-1, 3], [1, 3]],
  [[-1, -3], [1, -3], [0, 0], [-1, 3], [1, 3]], [[-1, -3], [1, -3], [-1, 0], [1, 0], [-1, 3], [1, 3]],
  [[-1, -3], [1, -3], [0, -1.5], [-1, 0], [1, 0], [-1, 3], [1, 3]],
  [[-1, -3], [1, -3], [0, -1.5], [-1, 0], [1, 0], [0, 1.5], [-1, 3], [1, 3]],
  [[-1, -3], [1, -3], [-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1], [-1, 3], [1, 3]],
  [[-1, -3], [1, -3], [0, -2], [-1, -1], [1, -1], [-1, 1], [1, 1], [0, 2], [-1, 3], [1, 3]],
];

/** @param {string} glyph @param {number} x @param {number} y @param {number} size @param {boolean} [turned] */
function sign(glyph, x, y, size, turned = false) {
  const place = `translate(${x} ${y}) scale(${size / 20})${turned ? " rotate(180)" : ""}`;
  const shape = /** @type {Object<string, string>} */ (SHAPES)[glyph];
  if (shape) return s("path", { d: shape, transform: place });
  return s("text", { transform: place, "font-size": 20, "text-anchor": "middle", y: 7 }, glyph);
}

/** The parts of a face that determine the drawing. @param {import("./types.js").Face} face */
function read(face) {
  const shown = face.prints.filter((print) => print.short !== "");
  const suit = shown.find((print) => print.glyph) ?? null;
  const tint = suit ?? shown.find((print) => print.colour) ?? null;
  const rank = shown.find((print) => print !== tint) ?? null;
  const rest = shown.filter((print) => print !== tint && print !== rank);
  return { suit, tint, rank, rest };
}

/** Whether cards are drawn with large indices. */
function hasLargeIndex() {
  return document.documentElement.dataset.index === "large";
}

/** The printed form of a rank: a ten is `T` when typed, but 10 on the card. @param {{short: string, value: string, text?: string}} print */
export function figureOf(print) {
  return print.short === "T" && (print.value === "10" || print.text === "T") ? "10" : print.short;
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A card as words, for screen readers. @param {import("./types.js").Face|undefined} face @param {string} code */
export function sayCard(face, code) {
  if (!face) return code;
  if (face.name) return capital(face.name);
  const { tint, rank, rest } = read(face);
  const figure = rank ? (rank.short !== rank.text && !/^\d+$/.test(rank.text) ? rank.text : figureOf(rank)) : "";
  const words = [figure, tint?.text ?? "", ...rest.map((print) => print.text)].filter(Boolean);
  return words.length ? words.join(" ") : face.text;
}

/** Each card as it was drawn first: most of a table looks as it did before, and to copy is faster. @type {WeakMap<object, SVGElement>} */
let drawn = new WeakMap();
const BACK = {};
let drawnLarge = false;

/**
 * Draw a card face up, or a card back without a face.
 *
 * @param {import("./types.js").Face|null|undefined} face
 * @returns {SVGElement}
 */
export function drawCard(face) {
  if (drawnLarge !== hasLargeIndex()) { drawn = new WeakMap(); drawnLarge = !drawnLarge; }
  const model = drawn.get(face ?? BACK) ?? (face ? drawFace(face) : drawBack());
  drawn.set(face ?? BACK, model);
  return /** @type {SVGElement} */ (model.cloneNode(true));
}

function drawBack() {
  return s("svg.card.back", { viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true" },
    s("rect.paper", { x: 0.75, y: 0.75, width: W - 1.5, height: H - 1.5, rx: 9 }),
    s("rect.ground", { x: 6, y: 6, width: W - 12, height: H - 12, rx: 6 }),
    s("path.lattice", { d: lattice() }),
    s("rect.frame", { x: 10, y: 10, width: W - 20, height: H - 20, rx: 4 }),
    s("circle.medal", { cx: 50, cy: 70, r: 17 }),
    s("g.mark", null, sign("♠", 50, 61, 11), sign("♥", 59, 70, 11), sign("♣", 50, 79, 11), sign("♦", 41, 70, 11)));
}

let lines = "";
function lattice() {
  if (lines) return lines;
  const low = 11, right = W - 11, bottom = H - 11, step = 9;
  for (let at = -bottom; at < right + bottom; at += step) {
    // Two families of diagonals, clipped to the frame.
    const x1 = Math.max(low, at + low), x2 = Math.min(right, at + bottom);
    if (x2 > x1) lines += `M${x1} ${x1 - at}L${x2} ${x2 - at}`;
    const u1 = Math.max(low, at - bottom + 0), u2 = Math.min(right, at - low);
    if (u2 > u1) lines += `M${u1} ${at - u1}L${u2} ${at - u2}`;
  }
  return lines;
}

/** @param {import("./types.js").Face} face */
function drawFace(face) {
  const { suit, tint, rank, rest } = read(face);
  const colour = tint?.colour || "black";
  const bold = tint !== null && suit === null;  // a colour without a glyph fills the card
  const index = rank ? figureOf(rank) : face.name ? face.text : tint?.short ?? face.text;
  const large = hasLargeIndex();
  const corner = large ? [
    s("text.index", { x: 18, y: 31, "font-size": fit(index, 34, 1.3), "text-anchor": "middle" }, index),
    suit ? sign(suit.glyph, 18, 48, 20) : null,
  ] : [
    s("text.index", { x: 12.5, y: 22.5, "font-size": fit(index, 23, 1.45), "text-anchor": "middle" }, index),
    suit ? sign(suit.glyph, 12.5, 35.5, 14) : null,
  ];
  return s("svg.card.face", { viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true", class: `ink-${colour}${bold ? " bold" : ""}${suit ? ` suit-${suit.value}` : ""}${large ? " large" : ""}` },
    s("rect.paper", { x: 0.75, y: 0.75, width: W - 1.5, height: H - 1.5, rx: 9 }),
    bold ? s("rect.field", { x: 6, y: 6, width: W - 12, height: H - 12, rx: 6 }) : null,
    s("g.corner", null, ...corner),
    s("g.corner", { transform: `rotate(180 ${W / 2} ${H / 2})` }, ...corner.map((each) => each?.cloneNode(true) ?? null)),
    ...(large && suit ? [sign(suit.glyph, 62, 88, 50)] : middle(face, suit, rank, bold)),
    ...rest.slice(0, 2).map((print, line) => s("text.small", { x: 50, y: 112 + line * 11, "text-anchor": "middle", "font-size": 9 }, print.text)));
}

/**
 * @param {import("./types.js").Face} face
 * @param {import("./types.js").Print|null} suit
 * @param {import("./types.js").Print|null} rank
 * @param {boolean} bold
 */
function middle(face, suit, rank, bold) {
  if (face.name && !rank && !suit) return drawName(face.name);
  const figure = rank ? figureOf(rank) : "";
  const places = figure === "A" ? PIPS[1] : /^[1-9]\d*$/.test(figure) ? PIPS[Number(figure)] : undefined;
  if (suit && places) {
    const size = places.length === 1 ? 40 : 18;
    return places.map(([x, y]) => sign(suit.glyph, 50 + x * 16.5, 70 + y * 14, size, y > 0));
  }
  if (suit && figure) {
    const court = "♠♥♦♣".includes(suit.glyph) ? drawCourt(figure) : null;
    if (court) return [...court, sign(suit.glyph, 30.5, 19.5, 10), sign(suit.glyph, 69.5, 120.5, 10, true)];
    return [s("rect.court", { x: 27, y: 22, width: 46, height: 96, rx: 5 }),
      s("text.figure", { x: 50, y: 69, "font-size": fit(figure, 40, 1.6), "text-anchor": "middle" }, figure),
      sign(suit.glyph, 50, 92, 26)];
  }
  if (suit) return [sign(suit.glyph, 50, 70, 44)];
  if (face.name) return [...drawName(face.name, 84), s("text.figure", { x: 50, y: 66, "font-size": fit(figure, 36, 2), "text-anchor": "middle" }, figure)];
  const text = figure || face.text;
  return [bold ? s("ellipse.oval", { cx: 50, cy: 70, rx: 30, ry: 44, transform: "rotate(20 50 70)" }) : s("rect.court", { x: 26, y: 36, width: 48, height: 68, rx: 24 }),
    s("text.figure", { x: 50, y: 70, dy: "0.36em", "font-size": fit(text, 46, 1.5), "text-anchor": "middle" }, text)];
}

/** Draw a name, one word per line. @param {string} name @param {number} [from] */
function drawName(name, from = 0) {
  const words = capital(name).split(/[\s_]+/).slice(0, 4);
  const top = from || 75 - (words.length - 1) * 8;
  return [from ? null : s("rect.court", { x: 14, y: 44, width: 72, height: 52, rx: 10 }),
    ...words.map((word, line) => s("text.name", { x: 50, y: top + line * 17, "text-anchor": "middle", "font-size": Math.min(17, 110 / Math.max(word.length, 4)) }, word))];
}

/** A font size at which a text longer than `signs` fits the same width. @param {string} text @param {number} size @param {number} signs */
function fit(text, size, signs) {
  return text.length > signs ? Math.max(9, (size * signs) / text.length) : size;
}

/** Draw a stack of chips for an amount. @param {number} amount */
export function drawChips(amount) {
  const high = Math.min(6, amount <= 0 ? 0 : 1 + Math.floor(Math.log2(amount)));
  const chips = [];
  for (let each = 0; each < high; each++) {
    const y = 34 - each * 4.5;
    chips.push(s("ellipse.chip", { cx: 24, cy: y, rx: 17, ry: 8, class: `chip${each % 3}` }),
      s("path.notch", { d: `M10 ${y - 3.4}l4 2.200M38 ${y - 3.4}l-4 2.200M24 ${y + 8}v-3.600` }));
  }
  return s("svg.chips", { viewBox: "0 0 48 46", "aria-hidden": "true" },
    s("ellipse.shade", { cx: 24, cy: 37, rx: 18, ry: 7 }), ...chips);
}

/**
 * Draw the score track as a peg board: streets of thirty holes, with a row for each team.
 *
 * @param {number} holes
 * @param {import("./types.js").Side[]} sides
 * @returns {SVGElement}
 */
export function drawBoard(holes, sides) {
  const street = Math.min(30, holes), streets = Math.ceil(holes / street);
  const lane = 9, gap = 10, left = 12;
  const high = streets * (sides.length * lane + gap) + 4;
  const wide = left * 2 + street * 8 + Math.floor((street - 1) / 5) * 4;
  /** @param {number} hole @param {number} side */
  const find = (hole, side) => {
    const row = Math.min(streets - 1, Math.floor((hole - 1) / street));
    let column = (hole - 1) - row * street;
    if (row % 2) column = street - 1 - column;  // streets alternate in direction
    return [left + 4 + column * 8 + Math.floor(column / 5) * 4, 8 + row * (sides.length * lane + gap) + side * lane];
  };
  const made = [s("rect.wood", { x: 0, y: 0, width: wide, height: high, rx: 8 })];
  sides.forEach((side, number) => {
    let dots = "";
    for (let hole = 1; hole <= holes; hole++) {
      const [x, y] = find(hole, number);
      dots += `M${x - 1.5} ${y}a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0`;
    }
    made.push(s("path.holes", { d: dots }));
    for (const [kind, hole] of /** @type {[string, number][]} */ ([["rear", side.before], ["front", side.score]])) {
      if (hole < 1) continue;
      const [x, y] = find(Math.min(hole, holes), number);
      made.push(s("circle.peg", { cx: x, cy: y, r: 3.3, class: `${kind} side${number % 6}` }, s("title", null, `${side.name}: ${hole}`)));
    }
  });
  return s("svg.board", { viewBox: `0 0 ${wide} ${high}`, role: "img",
    "aria-label": sides.map((side) => `${side.name} ${side.score}`).join(", ") }, ...made);
}
