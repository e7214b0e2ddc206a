/** Renders scores: sides, the score sheet, the peg board, and what a round has brought. */

import { drawBoard } from "./cards.js";
import { h } from "./dom.js";
import { say } from "./words.js";

/**
 * Render the scores: the board if there is one, and the sheet, or else a line for each team.
 *
 * @param {import("./types.js").View} view
 * @param {boolean} [told] whether the reader already knows which score wins
 * @returns {HTMLElement[]}
 */
export function drawScores(view, told = false) {
  const { sides, holes, sheet, best } = view.scores;
  const made = [];
  if (holes) made.push(h("div.board-holder", null, drawBoard(holes, sides)));
  if (sheet) made.push(drawSheet(view, sheet));
  const top = Math.max(...sides.map((side) => Math.abs(side.score)), 1);
  if (!sheet) {
    made.push(h("ul.sides", null, ...sides.map((side, number) => h("li", { class: `side${number % 6}` },
      h("span.name", null, side.name), h("b", null, side.score),
      holes ? null : h("span.bar", { style: { "--part": Math.max(0, side.score) / top } })))));
  }
  if (best && !told) made.push(h("p.hint", null, say(best === "lowest" ? "low_wins" : "high_wins")));
  return made;
}

/** Whether what lies in a pot is the score of its owner. @param {import("./types.js").View} view @param {string} name */
export function isScore(view, name) {
  return view.pots.every((pot) => pot.name !== name || (typeof pot.owner === "number" && pot.amount === view.players[pot.owner].score));
}

/**
 * Render what each side has gained in a round, and where it stands.
 *
 * @param {import("./types.js").Side[]} sides
 * @param {number[]|null} began the scores with which the round began, if they are known
 */
export function drawGains(sides, began) {
  if (sides.every((side) => side.score === 0 && !began?.some(Boolean))) return "";
  const signed = (/** @type {number} */ gain) => (gain > 0 ? `+${gain}` : gain < 0 ? `−${-gain}` : "0");
  return h("table.gains", null, h("tbody", null, ...sides.map((side, number) => h("tr", null, h("th", { scope: "row" }, side.name),
    began ? h("td", null, signed(side.score - began[number])) : null, h("td", null, h("b", null, side.score))))));
}

/** @param {import("./types.js").View} view @param {import("./types.js").Sheet} sheet */
function drawSheet(view, sheet) {
  const columns = Math.max(1, sheet.columns.length);
  const names = view.players.map((player) => player.name);
  const line = (/** @type {import("./types.js").SheetLine} */ each) => {
    const cells = each.entries.map((entry) => (entry === null ? "" : String(entry)));
    if (each.marks.length) {
      const free = cells.lastIndexOf("");
      cells[free >= 0 ? free : cells.length - 1] = [free >= 0 ? "" : cells.at(-1), each.marks.join(" ")].filter(Boolean).join(" ");
    }
    return (cells.length ? cells : [each.marks.join(" ")]).map((cell) => h("td", { class: each.struck ? "struck" : "" }, cell));
  };
  return h("div.sheet", { tabindex: "0", role: "region", "aria-label": say("scores") }, h("table", null,
    h("thead", null,
      h("tr", null, h("th", { scope: "col" }, say("round")), ...names.map((name) => h("th", { scope: "colgroup", colspan: columns }, name))),
      sheet.columns.length ? h("tr.columns", null, h("td"), ...names.flatMap(() => sheet.columns.map((column) => h("th", { scope: "col" }, column)))) : null),
    h("tbody", null, ...sheet.lines.map((row, number) => h("tr", null, h("th", { scope: "row" }, number + 1), ...row.flatMap(line)))),
    h("tfoot", null,
      sheet.columns.length ? h("tr", null, h("td"), ...sheet.totals.flatMap((totals) => totals.map((total) => h("td", null, total)))) : null,
      h("tr.total", null, h("th", { scope: "row" }, say("total")), ...sheet.scores.map((score) => h("td", { colspan: columns }, score))))));
}
