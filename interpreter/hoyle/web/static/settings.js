/** User preferences, kept in the browser's local storage. */

/** @type {{theme: string, motion: string, forced: boolean, timer: number, language: string, name: string, confirm: boolean}} */
const DEFAULTS = { theme: "auto", motion: "auto", forced: true, timer: 10, language: "", name: "", confirm: false };
const PLACE = "hoyle.settings";
const TABLES = "hoyle.tables";

export const settings = { ...DEFAULTS, ...read(PLACE, {}) };

/** @param {string} place @param {any} otherwise */
function read(place, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {Partial<typeof DEFAULTS>} changed */
export function change(changed) {
  Object.assign(settings, changed);
  try {
    localStorage.setItem(PLACE, JSON.stringify(settings));
  } catch { /* storage is disabled or full */ }
  apply();
}

export function apply() {
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  root.dataset.motion = moves() ? "on" : "off";
}

/** Whether to animate cards. */
export function moves() {
  if (settings.motion !== "auto") return settings.motion === "on";
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The language to use: the one chosen, or else the browser's first supported one. */
export function wantedLanguage() {
  if (settings.language) return settings.language;
  return navigator.languages.map((each) => each.slice(0, 2)).find((each) => each === "en" || each === "fr") ?? "en";
}

/** @returns {{key: string, title: string, when: number, over: boolean}[]} the tables this browser has opened, latest first */
export function listTables() {
  const found = read(TABLES, []);
  return Array.isArray(found) ? found : [];
}

/** @param {string} key @param {string} title @param {boolean} over */
export function noteTable(key, title, over) {
  const others = listTables().filter((each) => each.key !== key);
  try {
    localStorage.setItem(TABLES, JSON.stringify([{ key, title, when: Date.now(), over }, ...others].slice(0, 12)));
  } catch { /* storage is disabled or full */ }
}

/** @param {string} key */
export function forgetTable(key) {
  try {
    localStorage.setItem(TABLES, JSON.stringify(listTables().filter((each) => each.key !== key)));
  } catch { /* storage is disabled or full */ }
}
