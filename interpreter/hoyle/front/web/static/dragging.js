/** Drag and drop of cards with mouse, pen and finger: a card takes along what moves with it, and springs back from a wrong place. */

import { drawCard } from "./cards.js";
import { h } from "./dom.js";
import { moves } from "./settings.js";

const FAR = 7;  // distance in pixels from which a press is a drag, not a click
const STEP = 0.34;  // of a card's width, between cards dragged together
const BACK = 190;  // milliseconds of springing back

/**
 * @typedef {{
 *   lift: (zone: string, place: number) => {cards: (string|null)[], targets: string[]},
 *   face: (code: string|null) => import("./types.js").Face|null,
 *   drop: (zone: string, place: number, onto: string|null, beside: string|null) => boolean,
 * }} Hand `lift` says what a card takes along and where it may go, `drop` whether a place takes it; `beside` is the card of
 *   the same zone on which it is dropped
 */

/** @param {HTMLElement} table @param {Hand} hand */
export function letDrag(table, hand) {
  /** @type {{card: HTMLElement, zone: string, place: number, x: number, y: number, ghost: HTMLElement|null, from: DOMRect, targets: string[]}|null} */
  let held = null;
  table.addEventListener("pointerdown", (event) => {
    const card = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest(".card-slot"));
    if (!card || event.button !== 0 || !event.isPrimary) return;
    const zone = card.dataset.zoneCard ?? "", place = Number(card.dataset.place);
    if (!card.matches("button") && !hand.lift(zone, place).cards.length) return;
    const picture = card.querySelector("svg");
    if (picture) held = { card, zone, place, x: event.clientX, y: event.clientY, ghost: null, from: picture.getBoundingClientRect(), targets: [] };
  });
  addEventListener("pointermove", (event) => {
    if (!held) return;
    const dx = event.clientX - held.x, dy = event.clientY - held.y;
    if (!held.ghost) {
      if (Math.hypot(dx, dy) < FAR) return;
      const { cards, targets } = hand.lift(held.zone, held.place);
      const wide = held.card.offsetWidth ? Math.min(held.from.width, held.card.querySelector("svg")?.clientWidth ?? held.from.width) : held.from.width;
      const code = held.card.dataset.code || null;
      held.ghost = h("div.dragged", { style: { left: `${held.from.x}px`, top: `${held.from.y}px` } },
        ...(cards.length ? cards : [code]).map((each, at) => { const drawn = drawCard(hand.face(each)); drawn.style.width = `${wide}px`; drawn.style.top = `${at * wide * STEP}px`; return drawn; }));
      document.body.append(held.ghost);
      held.targets = targets;
      const beside = /** @type {NodeListOf<HTMLElement>} */ (held.card.parentElement?.querySelectorAll(".card-slot") ?? []);
      for (const each of beside) if (each === held.card || (cards.length > 1 && cards.includes(each.dataset.code ?? ""))) each.classList.add("lifted");
      for (const each of targets) table.querySelector(`[data-zone="${CSS.escape(each)}"]`)?.classList.add("target");
    }
    held.ghost.style.transform = `translate(${dx}px, ${dy}px)`;
  });
  const end = (/** @type {PointerEvent} */ event) => {
    if (!held) return;
    const { card, zone, place, ghost, targets } = held;
    held = null;
    if (!ghost) return;
    for (const each of table.querySelectorAll(".target")) each.classList.remove("target");
    // Suppress the click event that the release itself triggers, but not a later click of the user.
    const swallow = (/** @type {Event} */ click) => click.stopImmediatePropagation();
    const forget = () => table.removeEventListener("click", swallow, { capture: true });
    table.addEventListener("click", swallow, { capture: true });
    addEventListener("pointerdown", forget, { capture: true, once: true });
    setTimeout(forget);
    const under = event.type === "pointercancel" ? [] : document.elementsFromPoint(event.clientX, event.clientY).filter((each) => table.contains(each));
    let onto = under.map((each) => each.closest("[data-zone]")?.getAttribute("data-zone") ?? null).find((each) => each !== null) ?? null;
    // What can go to one place only is thrown anywhere into the middle.
    if (onto === null && targets.length === 1 && under.some((each) => each.closest(".middle"))) onto = targets[0];
    const beside = onto === zone ? under.map((each) => each.closest(".card-slot")).find((each) => each && each !== card)?.getAttribute("data-code") ?? null : null;
    const put = () => {
      ghost.remove();
      for (const each of table.querySelectorAll(".lifted")) each.classList.remove("lifted");
    };
    if (under.length && hand.drop(zone, place, onto, beside)) put();
    else if (!moves()) put();
    else ghost.animate([{ transform: ghost.style.transform }, { transform: "none" }], { duration: BACK, easing: "ease-out" }).finished.then(put, put);
  };
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
  addEventListener("dragstart", (event) => event.preventDefault());
}
