/** Renders sentences of the event log, with cards in their colours. */

import { figureOf } from "./cards.js";
import { h } from "./dom.js";

/**
 * Render the event log, latest last; the class of an item is its kind, so that styles can set rounds apart.
 *
 * @param {import("./types.js").News[]} news
 * @param {import("./types.js").Legend} legend
 */
export function drawLog(news, legend) {
  return news.map((each) => h("li", { class: `${each.kind} ${each.seat === null ? "" : `tone${each.seat % 6}`}` }, markCards(each, legend)));
}

/**
 * Render a sentence with its cards in their colours.
 *
 * @param {import("./types.js").News} news
 * @param {import("./types.js").Legend} legend
 */
function markCards(news, legend) {
  const found = news.cards.map((code) => legend.faces[code]).filter(Boolean);
  /** @type {(string|HTMLElement)[]} */
  let parts = [news.text];
  for (const face of new Set(found)) {
    const print = face.prints.find((each) => each.glyph) ?? face.prints.find((each) => each.colour);
    // Mark only as many occurrences as the sentence has such cards (several with two packs): others are, for example,
    // the number of a pile.
    let left = news.cards.filter((code) => code === face.code).length;
    parts = parts.flatMap((part) => {
      if (typeof part !== "string") return [part];
      const found = [];
      for (let at = findWord(part, face.text); at >= 0 && left > 0; at = findWord(part, face.text)) {
        left -= 1;
        found.push(part.slice(0, at), h("span.code", { class: `ink-${print?.colour || "black"}` }, signed(face)));
        part = part.slice(at + face.text.length);
      }
      return [...found, part];
    });
  }
  return parts;
}

/** Replace card codes in a text by forms with glyphs. @param {string} text @param {string[]} codes @param {import("./types.js").Legend} legend */
export function writeCards(text, codes, legend) {
  for (const code of new Set(codes)) {
    const face = legend.faces[code];
    if (!face || signed(face) === face.text) continue;
    for (let at = findWord(text, face.text); at >= 0; at = findWord(text, face.text)) text = text.slice(0, at) + signed(face) + text.slice(at + face.text.length);
  }
  return text;
}

/** A card as text with its glyph. @param {import("./types.js").Face} face */
function signed(face) {
  const print = face.prints.find((each) => each.glyph);
  const rank = face.prints.find((each) => each !== print && each.short);
  return print ? `${rank ? figureOf(rank) : ""}${print.glyph}\uFE0E` : face.text;
}

/** The index of the first occurrence as a whole word, or -1. @param {string} text @param {string} word */
function findWord(text, word) {
  let at = text.indexOf(word);
  const letter = /[\p{L}\p{N}]/u;
  while (at >= 0) {
    if (!(at > 0 && letter.test(text[at - 1])) && !letter.test(text[at + word.length] ?? "")) return at;
    at = text.indexOf(word, at + 1);
  }
  return -1;
}
