/** What this browser keeps of the matches it has played: results by game, and the seals of deals. */

import { read, write } from "./settings.js";

const RECORDS = "hoyle.records", SEALS = "hoyle.seals", MOST_SEALS = 50, MOST_COUNTED = 200;

/** @typedef {{played: number, won: number, best: number|null, streak: number}} Record */

/** The results of one game. @param {string} game @returns {Record|null} */
export function findRecord(game) {
  const { games } = readRecords();
  return games[game] ?? null;
}

/** @returns {{games: Object<string, Record>, counted: string[]}} */
function readRecords() {
  const kept = read(RECORDS, null);
  return kept && typeof kept.games === "object" && Array.isArray(kept.counted) ? kept : { games: {}, counted: [] };
}

/** Count a match that is over, once. @param {string} key of the seat @param {import("./types.js").View} view */
export function noteResult(key, view) {
  const kept = readRecords(), { seat, result, scores } = view;
  if (seat === null || !result || kept.counted.includes(key)) return;
  const won = result.winners.includes(seat), score = scores.sides.find((side) => side.seats.includes(seat))?.score ?? 0;
  const old = kept.games[view.game] ?? { played: 0, won: 0, best: null, streak: 0 };
  const best = !scores.best ? null : old.best === null ? score : scores.best === "lowest" ? Math.min(old.best, score) : Math.max(old.best, score);
  kept.games[view.game] = { played: old.played + 1, won: old.won + Number(won), best, streak: won ? old.streak + 1 : 0 };
  kept.counted = [key, ...kept.counted].slice(0, MOST_COUNTED);
  write(RECORDS, kept);
}

/** Keep the seal of a table as it was told before the match was over. @param {string} table @param {string} seal */
export function noteSeal(table, seal) {
  const seals = read(SEALS, []);
  if (!Array.isArray(seals) || seals.some((each) => each.table === table)) return;
  write(SEALS, [{ table, seal }, ...seals].slice(0, MOST_SEALS));
}

/** @param {string} table @returns {string|null} */
export function findSeal(table) {
  const seals = read(SEALS, []);
  return Array.isArray(seals) ? seals.find((each) => each.table === table)?.seal ?? null : null;
}
