/** Drag and drop of cards with the mouse: equivalent to clicking the card and then its target. */

const FAR = 7;  // distance in pixels from which a press is a drag, not a click

/**
 * @param {HTMLElement} table
 * @param {(zone: string, place: number, onto: string|null) => void} dropped `onto` is the zone under the pointer
 */
export function letDrag(table, dropped) {
  /** @type {{card: HTMLElement, x: number, y: number, ghost: HTMLElement|null}|null} */
  let held = null;
  table.addEventListener("pointerdown", (event) => {
    const card = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("button.card-slot.can"));
    if (!card || event.button !== 0 || event.pointerType === "touch") return;
    held = { card, x: event.clientX, y: event.clientY, ghost: null };
  });
  addEventListener("pointermove", (event) => {
    if (!held) return;
    const dx = event.clientX - held.x, dy = event.clientY - held.y;
    if (!held.ghost) {
      if (Math.hypot(dx, dy) < FAR) return;
      const rect = held.card.getBoundingClientRect();
      const picture = held.card.querySelector("svg");
      if (!picture) return;
      held.ghost = document.createElement("div");
      held.ghost.className = "dragged";
      held.ghost.append(picture.cloneNode(true));
      held.ghost.style.width = `${picture.getBoundingClientRect().width}px`;
      held.ghost.style.left = `${rect.x}px`;
      held.ghost.style.top = `${rect.y}px`;
      document.body.append(held.ghost);
      held.card.classList.add("flying");
    }
    held.ghost.style.transform = `translate(${dx}px, ${dy}px) rotate(3deg)`;
  });
  addEventListener("pointerup", (event) => {
    if (!held) return;
    const { card, ghost } = held;
    held = null;
    if (!ghost) return;
    ghost.remove();
    card.classList.remove("flying");
    const over = document.elementFromPoint(event.clientX, event.clientY);
    const onto = over?.closest("[data-zone]")?.getAttribute("data-zone") ?? null;
    const own = card.getAttribute("data-zone-card");
    // Suppress the click event that the release itself triggers, but not a later click of the user.
    const swallow = (/** @type {Event} */ click) => click.stopImmediatePropagation();
    const forget = () => card.removeEventListener("click", swallow, { capture: true });
    card.addEventListener("click", swallow, { capture: true });
    addEventListener("pointerdown", forget, { capture: true, once: true });
    setTimeout(() => { forget(); if (own !== null && onto !== own && over && table.contains(over)) dropped(own, Number(card.dataset.place), onto); });
  });
  addEventListener("dragstart", (event) => event.preventDefault());
}
