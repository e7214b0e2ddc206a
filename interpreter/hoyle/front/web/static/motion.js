/** Animates moving cards: ghosts fly over the new table while the real cards stay hidden. */

import { drawCard } from "./cards.js";
import { moves as mayMove } from "./settings.js";
import { h } from "./dom.js";

const FLIGHT = 340, HOLD = 520, STAGGER = 45, MOST = 60;

/** Measure the current positions of all zones and cards. @param {HTMLElement} table */
export function measure(table) {
  const zones = new Map(), cards = new Map();
  for (const zone of table.querySelectorAll("[data-zone]")) {
    const holder = zone.querySelector(".cards") ?? zone;
    zones.set(zone.getAttribute("data-zone"), holder.getBoundingClientRect());
  }
  for (const card of table.querySelectorAll("[data-zone-card]")) {
    const code = card.getAttribute("data-code");
    if (code) cards.set(`${card.getAttribute("data-zone-card")} ${code}`, (card.firstElementChild ?? card).getBoundingClientRect());
  }
  return { zones, cards };
}

/** @type {(() => void)|null} */
let ending = null;

/** Finish a running animation at once. */
export function finish() {
  ending?.();
}

/**
 * @param {HTMLElement} table the table after the moves
 * @param {ReturnType<typeof measure>} before the positions before them
 * @param {import("./types.js").News[]} news
 * @param {import("./types.js").Legend} legend
 */
export function fly(table, before, news, legend) {
  finish();
  const steps = news.filter((each) => each.moves.length);
  if (!mayMove() || document.hidden || !steps.length || !("animate" in table)) return;
  const after = measure(table);
  const layer = h("div.flights", { "aria-hidden": "true" });
  document.body.append(layer);
  /** @type {Map<string, {ghost: HTMLElement, at: DOMRect, done: number}>} */
  const ghosts = new Map();
  const hidden = new Set();
  let clock = 0, flown = 0, last = 0;
  for (const step of steps) {
    let late = 0;
    for (const move of step.moves) {
      move.cards.forEach((code, number) => {
        if (flown++ > MOST) return;
        const source = move.source[number], target = move.target[number];
        const to = (code && after.cards.get(`${target} ${code}`)) || after.zones.get(target) || before.zones.get(target);
        const known = code ? `${code}` : `${flown}`;
        const held = code ? ghosts.get(known) : undefined;
        const from = held?.at ?? ((code && before.cards.get(`${source} ${code}`)) || before.zones.get(source) || after.zones.get(source));
        if (!from || !to || source === target) return;
        const start = Math.max(clock + late, held ? held.done + HOLD : 0);
        late += STAGGER;
        const size = cardSize(table, to);
        const ghost = held?.ghost ?? h("div.ghost", null, drawCard(code ? legend.faces[code] : null));
        if (!held) layer.append(ghost);
        const path = [place(from, size), place(to, size)];
        const flight = ghost.animate(path, { duration: FLIGHT, delay: start, easing: "cubic-bezier(.3,.7,.3,1)", fill: held ? "forwards" : "both" });
        if (held) flight.id = "on";
        ghosts.set(known, { ghost, at: to, done: start + FLIGHT });
        last = Math.max(last, start + FLIGHT);
        if (code) for (const card of table.querySelectorAll(`[data-zone-card="${CSS.escape(target)}"][data-code="${CSS.escape(code)}"]`)) hidden.add(card);
      });
    }
    clock = Math.max(clock, last - FLIGHT / 2);
  }
  for (const card of hidden) card.classList.add("flying");
  const timer = setTimeout(() => finish(), last);
  ending = () => {
    clearTimeout(timer);
    ending = null;
    layer.remove();
    for (const card of hidden) card.classList.remove("flying");
  };
}

/** The size of a card at its target. @param {HTMLElement} table @param {DOMRect} to */
function cardSize(table, to) {
  const usual = table.querySelector(".card-slot .card")?.getBoundingClientRect();
  const high = Math.min(to.height || 80, usual ? Math.max(usual.height, 50) : 90);
  return { high, wide: (high * 100) / 140 };
}

/** @param {DOMRect} rect @param {{wide: number, high: number}} size */
function place(rect, size) {
  const x = rect.x + rect.width / 2 - size.wide / 2, y = rect.y + rect.height / 2 - size.high / 2;
  return { transform: `translate(${x}px, ${y}px)`, width: `${size.wide}px`, height: `${size.high}px` };
}
