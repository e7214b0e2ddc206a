/** Replay of a match: navigate to any choice, from the seats that may be shown, and continue playing from there. */

import { showRules } from "./dialogs.js";
import { drawTable, fit } from "./draw.js";
import { drawLog } from "./log.js";
import { drawScores } from "./scores.js";
import { clearToasts, h, toast } from "./dom.js";
import { finish, fly, measure } from "./motion.js";
import { ask, places } from "./net.js";
import { wantedLanguage } from "./settings.js";
import { say, sayRefusal, speak } from "./words.js";

const STEP = 1100;

/**
 * @param {HTMLElement} page
 * @param {string} key
 * @param {(() => void)|null} back returns to the table, if the replay was opened from there
 * @param {boolean} [analysed] whether to judge the choices of the own seat at once
 */
export async function showReplay(page, key, back, analysed = false) {
  const begin = await ask(`/api/replay/${encodeURIComponent(key)}?at=0&legend=yes&lang=${wantedLanguage()}`);
  const last = begin.choices;
  /** @type {import("./types.js").Legend} */
  const legend = begin.legend;
  speak(legend.language);
  const own = begin.view.seat, open = begin.open;
  let at = back ? last : 0, seat = own !== null ? String(own) : open ? "all" : "none", playing = 0, wanted = -1;
  /** @type {import("./draw.js").Kept} */
  const kept = { calls: [], talks: false, order: {}, taker: null, lastTrick: null, room: { wide: 0, high: 0 }, scale: 1, tall: ["", 0] };
  const holder = h("div.table-holder"), scores = h("div.scores"), list = h("ol.log", { tabindex: 0 }), step = h("p.status", { role: "status" });
  const slider = /** @type {HTMLInputElement} */ (h("input", { type: "range", min: 0, max: last, value: at, "aria-label": say("replay"), input: () => go(Number(slider.value)) }));
  const seats = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": say("as_seen_by"), change: () => { seat = seats.value; go(at, true); } },
    ...begin.view.players.map((/** @type {import("./types.js").Player} */ player) => h("option", { value: player.seat, selected: String(player.seat) === seat }, player.name)),
    h("option", { value: "none", selected: seat === "none" }, say("everyone")), h("option", { value: "all", selected: seat === "all" }, say("all_hands"))));
  const button = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {() => void} */ done) => h("button", { type: "button", title: say(name), "aria-label": say(name), click: done }, sign);
  const play = h("button.primary", { type: "button", title: say("run"), "aria-label": say("run"), click: () => toggle() }, "▶");

  const go = async (/** @type {number} */ to, still = false) => {
    at = Math.min(Math.max(to, 0), last);
    slider.value = String(at);
    if (wanted >= 0) { wanted = at; return; }  // one request at a time; the latest target follows
    wanted = at;
    try {
      for (;;) {
        const asked = wanted, from = seat;
        const found = await ask(`/api/replay/${encodeURIComponent(key)}?at=${asked}&seat=${from}&lang=${legend.language}`);
        draw(found, still);
        if (wanted === asked && seat === from) break;
      }
    } catch (refused) {
      toast(sayRefusal(/** @type {any} */ (refused)), { kind: "bad" });
    }
    wanted = -1;
  };
  const draw = (/** @type {any} */ found, /** @type {boolean} */ still) => {
    const before = measure(holder);
    /** @type {import("./types.js").View} */
    const view = found.view;
    const room = { wide: holder.clientWidth, high: holder.clientHeight };
    if (room.wide !== kept.room.wide || room.high !== kept.room.high) Object.assign(kept, { room, scale: 1 });
    holder.replaceChildren(drawTable(view, legend, [], null, kept));
    fit(holder, view, kept);
    scores.replaceChildren(...drawScores(view));
    list.replaceChildren(...drawLog(view.news, legend));
    step.textContent = say("step", { at: found.at, n: last });
    if (!still) fly(holder, before, view.news, legend);
  };
  const analyse = async () => {
    const { showAnalysis } = await import("./analysis.js");
    await showAnalysis(key, /^\d/.test(seat) ? Number(seat) : own ?? 0, legend, (choice) => go(choice));
  };
  const toggle = () => {
    clearInterval(playing);
    playing = playing ? 0 : setInterval(() => { if (at >= last) toggle(); else go(at + 1); }, STEP);
    play.textContent = playing ? "❚❚" : "▶";
    if (playing && at >= last) go(0);
  };
  const stop = () => { clearInterval(playing); playing = 0; finish(); document.removeEventListener("keydown", press); removeEventListener("popstate", leave); };
  const leave = () => { stop(); back?.(); };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (/** @type {HTMLElement} */ (event.target).matches("input, select") || document.querySelector("dialog[open]")) return;
    if (event.key === "ArrowRight") go(at + 1);
    else if (event.key === "ArrowLeft") go(at - 1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(last);
    else if (event.key === "Escape" && back) history.back();
  };
  document.addEventListener("keydown", press);
  if (back) addEventListener("popstate", leave);
  page.replaceChildren(
    h("header.top", null, h("a.brand", { href: places.lobby, title: say("lobby") }, h("img", { src: places.icon, alt: say("lobby"), width: 30, height: 30 })),
      h("div.titles", null, h("h1", null, say("replay_of", { title: legend.title })), step),
      h("nav.bar", { "aria-label": say("menu") },
        back ? h("button", { type: "button", click: () => history.back() }, say("back")) : null,
        h("button", { type: "button", click: () => showRules(legend, begin.options) }, h("span.sign", { "aria-hidden": "true" }, "§"), h("span.text", null, say("rules"))))),
    h("main.room", null,
      h("div.play", null, holder,
        h("section.actions", { "aria-label": say("replay") },
          h("div.reel", null, button("first", "«", () => go(0)), button("previous", "‹", () => go(at - 1)), play, button("next", "›", () => go(at + 1)), button("last", "»", () => go(last)), slider),
          h("div.buttons", null, open ? h("label.row", null, h("span", null, say("as_seen_by")), seats) : null,
            begin.what_if ? h("button", { type: "button", click: async () => {
              try {
                const { key: made } = await ask("/api/go-on", { key, at, seat: /^\d/.test(seat) ? Number(seat) : own ?? 0 });
                location.assign(places.table(made));
              } catch (refused) {
                toast(sayRefusal(/** @type {any} */ (refused)), { kind: "bad" });
              }
            } }, `${say("what_if")} ${say("play_on")}`) : null,
            open ? h("button", { type: "button", click: () => analyse() }, say("analysis")) : null,
            open ? h("a.button", { href: places.file(key), download: `${legend.game}.match.jsonl` }, say("save_file")) : null))),
      h("aside.side-panel", null, h("section", null, h("h2", null, say("scores")), scores), h("section.log-section", null, h("h2", null, say("log")), list))));
  clearToasts();
  await go(at, true);
  if (analysed) analyse();
}
