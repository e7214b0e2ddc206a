/** Tells somebody who plays a game for the first time its rules when they matter: each once. */

import { findRecord } from "./records.js";
import { read, settings, write } from "./settings.js";

/** @typedef {{text: string, because: string, cite: string[], cards: string[]}} Tip */

const TOLD = "hoyle.told", MOST_GAMES = 40;

/** Whether the one who sits here is still learning the game. @param {import("./types.js").View} view */
export function isGuided(view) {
  return settings.guide && view.seat !== null && !view.over && !findRecord(view.game);
}

/** What the game is about, before anything else. @param {string} game @param {string[]} about @returns {Tip|null} */
export function findGoal(game, about) {
  return findTip(game, about.length ? [{ text: about.at(-1) ?? "", because: "", cite: [], cards: [] }] : []);
}

/** The first of these that has not been told yet. @param {string} game @param {(Tip & {about?: string[]})[]} tips @returns {Tip|null} */
export function findTip(game, tips) {
  const told = read(TOLD, {}), known = Array.isArray(told[game]) ? told[game] : [];
  const found = tips.find((tip) => !known.includes(tip.text));
  if (!found) return null;
  const games = Object.entries(told).filter(([name]) => name !== game).slice(-MOST_GAMES);
  write(TOLD, Object.fromEntries([...games, [game, [...known, found.text]]]));
  return found;
}
