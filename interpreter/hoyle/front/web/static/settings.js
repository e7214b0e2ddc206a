/** User preferences, kept in the browser's local storage. */

import { listLanguages } from "./words.js";

/** @type {{theme: string, motion: string, forced: boolean, timer: number, language: string, name: string, confirm: boolean, speed: string, colours: string, index: string, back: string, sound: boolean, guide: boolean, favourites: string[]}} */
const DEFAULTS = { theme: "auto", motion: "auto", forced: true, timer: 10, language: "", name: "", confirm: false, speed: "", colours: "two", index: "usual", back: "blue", sound: false, guide: true, favourites: [] };
const PLACE = "hoyle.settings";
const TABLES = "hoyle.tables";

export const settings = { ...DEFAULTS, ...read(PLACE, {}) };

/** @param {string} place @param {any} otherwise */
export function read(place, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} place @param {any} value */
export function write(place, value) {
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch { /* storage is disabled or full */ }
}

/** @param {Partial<typeof DEFAULTS>} changed */
export function change(changed) {
  Object.assign(settings, changed);
  write(PLACE, settings);
  apply();
}

export function apply() {
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  Object.assign(root.dataset, { colours: settings.colours, index: settings.index, back: settings.back });
  root.dataset.motion = moves() ? "on" : "off";
}

/** Whether to animate cards. */
export function moves() {
  if (settings.motion !== "auto") return settings.motion === "on";
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The speeds of a table: how long bots wait before they play, in milliseconds, and how long what happens stands. */
const SPEEDS = { slow: [1500, 1.7], usual: [700, 1], fast: [300, 0.45], none: [0, 0] };
let pace = SPEEDS.usual[0];

/** The speed in force: the one chosen, or else that of the table. @returns {keyof typeof SPEEDS} */
export function speedNow() {
  const known = /** @type {(keyof typeof SPEEDS)[]} */ (Object.keys(SPEEDS));
  return known.find((each) => each === settings.speed) ?? known.find((each) => SPEEDS[each][0] <= pace) ?? "none";
}

export function listSpeeds() {
  return Object.keys(SPEEDS);
}

/** Take note of how long the bots of this table wait. @param {number} wait @returns {number} how long they are to wait */
export function notePace(wait) {
  pace = wait;
  return settings.speed ? SPEEDS[speedNow()][0] : wait;
}

/** The factor on the time for which something stands. */
export function pauseFactor() {
  return SPEEDS[speedNow()][1];
}

/** The language to use: the one chosen, or else the browser's first supported one. */
export function wantedLanguage() {
  if (settings.language) return settings.language;
  const known = listLanguages().map(([code]) => code);
  return navigator.languages.map((each) => each.slice(0, 2)).find((each) => known.includes(each)) ?? "en";
}

/** @returns {{key: string, title: string, when: number, over: boolean}[]} the tables this browser has opened, latest first */
export function listTables() {
  const found = read(TABLES, []);
  return Array.isArray(found) ? found : [];
}

/** @param {string} key @param {string} title @param {boolean} over */
export function noteTable(key, title, over) {
  if (/\/edit(\.html)?$/.test(parent.location.pathname)) return; // the table of the playground goes with its text
  const others = listTables().filter((each) => each.key !== key);
  write(TABLES, [{ key, title, when: Date.now(), over }, ...others].slice(0, 12));
}

/** @param {string} key */
export function forgetTable(key) {
  write(TABLES, listTables().filter((each) => each.key !== key));
}
