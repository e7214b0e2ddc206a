/** Renders syntax colours and squiggles as elements behind the text field. */

/** @typedef {{start: number, end: number, kind: string}} Mark */

/**
 * Adjust the marks of an earlier version of a text: marks before the change stay, those after it shift, those that it
 * touches are dropped.
 *
 * @param {Mark[]} marks @param {string} old @param {string} text
 * @returns {Mark[]}
 */
export function moveMarks(marks, old, text) {
  if (old === text) return marks;
  const most = Math.min(old.length, text.length);
  let before = 0;
  while (before < most && old[before] === text[before]) before += 1;
  let after = 0;
  while (after < most - before && old[old.length - 1 - after] === text[text.length - 1 - after]) after += 1;
  const more = text.length - old.length;
  return marks.flatMap((mark) => {
    if (mark.end <= before) return [mark];
    return mark.start >= old.length - after ? [{ ...mark, start: mark.start + more, end: mark.end + more }] : [];
  });
}

/**
 * Fill an element with a text. Pieces must not overlap; squiggles can overlap pieces.
 *
 * @param {HTMLElement} holder @param {string} text @param {Mark[]} pieces @param {Mark[]} squiggles
 */
export function paint(holder, text, pieces, squiggles) {
  const cuts = new Set([0, text.length]);
  for (const { start, end } of [...pieces, ...squiggles]) { cuts.add(Math.min(start, text.length)); cuts.add(Math.min(end, text.length)); }
  const places = [...cuts].sort((one, other) => one - other);
  const made = [];
  let at = 0;
  for (let number = 0; number + 1 < places.length; number += 1) {
    const [start, end] = [places[number], places[number + 1]];
    while (at < pieces.length && pieces[at].end <= start) at += 1;
    const kinds = [];
    if (at < pieces.length && pieces[at].start <= start) kinds.push(pieces[at].kind);
    kinds.push(...squiggles.filter((mark) => mark.start <= start && start < mark.end).map((mark) => mark.kind));
    const words = text.slice(start, end);
    if (!kinds.length) { made.push(words); continue; }
    const span = document.createElement("span");
    span.className = kinds.map((kind) => `is-${kind}`).join(" ");
    span.textContent = words;
    made.push(span);
  }
  holder.replaceChildren(...made, "\n");
}
