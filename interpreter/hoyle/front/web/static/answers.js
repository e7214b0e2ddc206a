/** Draws the answers to questions about a rule file: tests, simulations, the rulebook, the graph. */

import { h } from "./dom.js";
import { say } from "./words.js";

/** @param {string} what @param {any} told @returns {HTMLElement[]} */
export function drawAnswer(what, told) {
  if (what === "test") return drawTests(told);
  if (what === "simulate") return drawGames(told);
  if (what === "graph") return [h("img", { alt: say("edit_course"), src: `data:image/svg+xml,${encodeURIComponent(told.svg)}` })];
  return [h("pre.book", null, told.text)];
}

/** @param {{passed: number, failed: number, told: {name: string, message: string}[]}} told */
function drawTests({ passed, failed, told }) {
  if (!passed && !failed) return [h("p", null, say("edit_no_examples"))];
  return [h("p", { class: failed ? "bad" : "good" }, say("edit_passed", { passed, failed })),
    h("ul.failed", null, ...told.map(({ name, message }) => h("li", null, h("b", null, name), h("pre", null, message))))];
}

/** @param {{games: number, seconds: number, faults: string[], seats: string[][], charts: {title: string, names: string[], series: [string, number][][]}[]}} told */
function drawGames({ games, seconds, faults, seats, charts }) {
  const [head, ...rows] = seats;
  const charted = charts.flatMap(({ title, names, series }) => series.map((bars, at) => {
    const highest = Math.max(...bars.map(([, height]) => height), 0) || 1;
    return h("table.chart", null, h("caption", null, names[at] ? `${title}, ${names[at]}` : title), ...bars.map(([label, height]) =>
      h("tr", null, h("th", { scope: "row" }, label), h("td", null, h("meter", { min: 0, max: highest, value: height })), h("td.number", null, String(Math.round(height * 10) / 10)))));
  }));
  return [h("p.summed", null, say("edit_simulated", { n: games.toLocaleString(document.documentElement.lang), s: seconds })), ...faults.map((fault) => h("p.bad", null, fault)),
    ...(head ? [h("table.seats", null, h("tr", null, ...head.map((each) => h("th", null, each))), ...rows.map((row) => h("tr", null, ...row.map((each) => h("td", null, each)))))] : []),
    ...charted];
}
