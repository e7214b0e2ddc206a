/** A numbered rule as a question at a small table: a position found by playing, in which that rule decides. */

import { drawTable, fit } from "./draw.js";
import { drawLog } from "./log.js";
import { h, openDialog, toast } from "./dom.js";
import { ask, places } from "./net.js";
import { say, sayRefusal } from "./words.js";

/**
 * @typedef {{seat: number, view: import("./types.js").View, later?: import("./types.js").View, asks: "cards"|"action"|"follows"|"begins", what?: string,
 *   answers: {zone: string, place: number, reason: import("./types.js").Reason|null}[], reason: import("./types.js").Reason|null, news: import("./types.js").News[]}} Lesson
 */

const NOTHING = { can: false, other: false, picked: false, hinted: false };

/** @param {string} key of a table @param {import("./types.js").Rule} rule @param {import("./types.js").Legend} legend */
export async function showLesson(key, rule, legend) {
  const told = h("div.answer", { role: "status" }, h("p", null, say("seeking_lesson"))), question = h("p.lead"), holder = h("div.table-holder.lesson"), buttons = h("div.buttons");
  const dialog = openDialog(say("rule", { id: rule.id }), [h("p.quote", null, rule.text), question, holder, told, buttons], { close: say("close"), kind: "wide lesson" });
  /** @type {Lesson} */
  let lesson;
  try {
    lesson = await ask(`/api/lesson/${encodeURIComponent(key)}?rule=${encodeURIComponent(rule.id)}&lang=${legend.language}`);
  } catch (refused) {
    told.replaceChildren(h("p", null, sayRefusal(/** @type {any} */ (refused))));
    return;
  }
  if (!dialog.isConnected) return;
  /** @type {import("./draw.js").Kept} */
  const kept = { calls: [], talks: false, order: {}, taker: null, lastTrick: null, room: { wide: holder.clientWidth, high: holder.clientHeight }, scale: 1, tall: ["", 0] };
  /** @type {Set<string>} */
  let lit = new Set();
  /** @type {Set<string>} */
  const tried = new Set();
  const find = (/** @type {string} */ zone, /** @type {number} */ place) => lesson.answers.find((each) => each.zone === zone && each.place === place);
  const cite = (/** @type {string[]} */ ids) => ids.map((id) => say("rule", { id })).join(", ");
  const explain = (/** @type {import("./types.js").Reason|null} */ reason) => told.replaceChildren(h("p", null, h("strong", null, reason?.text ?? say("lesson_may"))), reason?.because ? h("p", null, reason.because) : "",
    reason?.cite.length ? h("p.hint", null, cite(reason.cite)) : "",
    reason?.otherwise.length ? h("ul.hint", { "aria-label": say("otherwise") }, ...reason.otherwise.map((way) => h("li", null, `${say("otherwise")} ${way.text || way.path.split(".").at(-1)?.replaceAll("_", " ")} (${cite(way.cite)})`))) : "");
  const draw = (/** @type {import("./types.js").View} */ view) => {
    holder.replaceChildren(drawTable(view, legend, [], {
      card: (zone, place) => (find(zone, place) ? { can: true, other: false, picked: tried.has(`${zone}:${place}`) && !find(zone, place)?.reason, hinted: false } : NOTHING),
      pickCard: (zone, place) => {
        const answer = find(zone, place);
        if (!answer) return;
        tried.add(`${zone}:${place}`);
        lit = new Set(answer.reason?.cards ?? []);
        explain(answer.reason);
        draw(view);
        /** @type {HTMLElement|null} */ (holder.querySelector(`[data-focus="card:${CSS.escape(zone)}:${place}"]`))?.focus({ preventScroll: true });
      },
      zone: () => NOTHING, pickZone: () => {}, seat: () => NOTHING, pickSeat: () => {}, asked: lesson.answers.length > 0, lit, explains: () => false, explain: () => {},
    }, kept));
    fit(holder, view, kept);
  };
  draw(lesson.view);
  const player = lesson.view.players[lesson.seat].name;
  question.textContent = { cards: say("lesson_cards"), action: say("lesson_action", { what: lesson.what ?? "" }), follows: say("lesson_follows", { who: player, what: lesson.what || say("decline") }), begins: say("lesson_begins") }[lesson.asks];
  told.replaceChildren();
  const answer = h("button.primary", { type: "button", "data-focus": "answer", click: () => {
    answer.remove();
    if (lesson.asks === "action") { lit = new Set(lesson.reason?.cards ?? []); explain(lesson.reason); draw(lesson.view); return; }
    told.replaceChildren(h("ol.told", null, ...drawLog(lesson.news, legend)));
    if (lesson.later) draw(lesson.later);
  } }, say("lesson_answer"));
  if (lesson.asks !== "cards") buttons.append(answer);
  buttons.append(h("button", { type: "button", "data-focus": "practise", click: async () => {
    try {
      const { key: made } = await ask("/api/practise", { key, rule: rule.id });
      location.assign(places.table(made));
    } catch (refused) {
      toast(sayRefusal(/** @type {any} */ (refused)), { kind: "bad" });
    }
  } }, say("play_on")));
}
