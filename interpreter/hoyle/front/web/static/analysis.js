/** Goes through the choices of a seat in a match that is over, and lists those to which a long search knew a better one. */

import { h, openDialog, toast } from "./dom.js";
import { writeCards } from "./log.js";
import { ask } from "./net.js";
import { say, sayRefusal } from "./words.js";

/** @typedef {{number: number|null, way: {text: string}|null}} Spelt */

/**
 * @param {string} key @param {number} seat @param {import("./types.js").Legend} legend
 * @param {(at: number) => void} go shows the match as it stood before a choice
 */
export async function showAnalysis(key, seat, legend, go) {
  const told = h("p", { role: "status" }), bar = /** @type {HTMLProgressElement} */ (h("progress", { "aria-label": say("analysis"), value: 0, max: 1 })), list = h("ol.judged");
  const dialog = openDialog(say("analysis"), [told, bar, list, h("p.hint", null, say("analysis_text"))], { close: say("close"), kind: "wide" });
  const get = (/** @type {string} */ what) => ask(`/api/judgement/${encodeURIComponent(key)}?lang=${legend.language}&${what}`);
  try {
    const { choices } = await get(`seat=${seat}`);
    let good = 0;
    for (const [done, at] of choices.entries()) {
      told.textContent = say("analysing", { n: done + 1, of: choices.length });
      const { made, better, gain, points } = await get(`at=${at}`);
      if (!dialog.isConnected) return;
      bar.value = (done + 1) / choices.length;
      if (!better) good += 1;
      else list.append(h("li", null, h("button", { type: "button", click: () => { dialog.close(); go(at); } }, h("b", null, `${at + 1}.`), h("span", null, spell(made, legend)),
        h("strong", null, points === null ? say("was_better", { better: spell(better, legend), n: Math.round(100 * gain) }) : say("was_better_by", { better: spell(better, legend), n: (Math.round(10 * points) / 10).toLocaleString(legend.language) })))));
    }
    told.textContent = say("judged_good", { n: good, of: choices.length });
    bar.remove();
  } catch (refused) {
    dialog.close();
    toast(sayRefusal(/** @type {any} */ (refused)), { kind: "bad" });
  }
}

/** @param {Spelt} choice @param {import("./types.js").Legend} legend */
function spell({ number, way }, legend) {
  if (!way) return say("decline");
  const text = number === null ? way.text : way.text.replace(/-?\d+\.\.-?\d+$/, String(number));
  const words = new Set(text.split(" "));
  return writeCards(text, Object.values(legend.faces).filter((face) => words.has(face.text)).map((face) => face.code), legend);
}
