/** Dialogs over the table: rules, reasons, the log, scores, links, settings. */

import { drawCard, sayCard } from "./cards.js";
import { drawLog } from "./log.js";
import { drawScores } from "./scores.js";
import { h, openDialog, toast } from "./dom.js";
import { ask, places } from "./net.js";
import { findSeal } from "./records.js";
import { change, listSpeeds, settings, speedNow, wantedLanguage } from "./settings.js";
import { listLanguages, say, sayRefusal } from "./words.js";

const close = () => ({ close: say("close") });

/**
 * Show the rules and options in force; scroll to a numbered rule, if given.
 *
 * @param {import("./types.js").Legend} legend
 * @param {Object<string, any>} options the options in force
 * @param {string|null} [at] the id of a rule
 */
export async function showRules(legend, options, at = null) {
  const key = places.key() ?? "", told = h("div.book", { "aria-busy": "true" }, h("p", null, "…"));
  const dialog = openDialog(say("rulebook", { title: legend.title }), [told,
    Object.keys(options).length ? h("section", null, h("h3", null, say("in_force")), h("dl.in-force", null,
      ...Object.entries(options).flatMap(([name, value]) => [h("dt", null, name.replaceAll("_", " ")), h("dd", null, sayOption(value))]))) : null,
  ], { ...close(), kind: "wide" });
  const seek = (/** @type {string} */ id) => {
    dialog.querySelector(".sought")?.classList.remove("sought");
    const found = /** @type {HTMLElement|null} */ (dialog.querySelector(`#${CSS.escape(`rule-${id}`)}`));
    found?.classList.add("sought");
    found?.scrollIntoView({ block: "center" });
    found?.focus();
  };
  /** @type {(point: import("./types.js").Point) => HTMLElement} */
  const drawPoint = (point) => {
    const rule = legend.rules[point.name];
    return h("li", rule ? { id: `rule-${rule.id}`, tabindex: "-1" } : null,
      point.name ? h("b", null, point.name) : null, point.name && point.text ? ": " : null, point.text, " ",
      ...point.cite.map((id) => (legend.rules[id]?.text ? h("a.cite", { href: `#rule-${id}`, click: (/** @type {Event} */ event) => { event.preventDefault(); seek(id); } }, id) : h("span.cite", null, id))),
      rule && legend.cited.includes(rule.id) ? h("button.quiet", { type: "button", "aria-label": `${say("lesson")}: ${rule.id}`, click: async () => (await import("./lesson.js")).showLesson(key, rule, legend) }, say("lesson")) : null,
      point.below.length ? drawPoints(point.below) : null);
  };
  const drawPoints = (/** @type {import("./types.js").Point[]} */ points) => h("ul", null, ...points.map(drawPoint));
  try {
    /** @type {{chapters: import("./types.js").Chapter[]}} */
    const { chapters } = await ask(`/api/rules/${encodeURIComponent(key)}?lang=${legend.language}`);
    told.replaceChildren(...chapters.map((each) => h("section", null, h("h3", null, each.title), drawPoints(each.points))));
  } catch (refused) {
    told.replaceChildren(h("p", { role: "alert" }, sayRefusal(/** @type {any} */ (refused))));
  }
  told.removeAttribute("aria-busy");
  if (at !== null) seek(at);
}

/** @param {any} value */
function sayOption(value) {
  return { true: say("yes"), false: say("no"), none: say("none") }[String(value)] ?? String(value).replaceAll("_", " ");
}

/**
 * Show why something is not allowed: the sentence, the rules with links into the rulebook, the deciding values, the
 * alternatives.
 *
 * @param {import("./types.js").Reason} reason
 * @param {import("./types.js").Legend} legend
 * @param {Object<string, any>} options
 */
export function showReason(reason, legend, options) {
  const cite = (/** @type {string[]} */ ids) => ids.map((id) => (!legend.rules[id]?.text ? h("span.cite", null, say("rule", { id })) : h("a.cite", { href: `#rule-${id}`, click: (/** @type {Event} */ event) => {
    event.preventDefault();
    showRules(legend, options, id);
  } }, say("rule", { id }))));
  const values = (/** @type {import("./types.js").Value[]} */ found) => (found.length
    ? h("ul.values", null, ...found.map((each) => h("li", null, `${each.text}: `, h("b", null, each.value)))) : null);
  toast(h("div.reason", null, h("p", null, h("strong", null, reason.text)),
    reason.because ? h("p", null, reason.because) : null,
    ...reason.rules.filter((rule) => rule.text && rule.text !== reason.text).slice(0, 2).map((rule) => h("p.quote", null, rule.text)),
    reason.cite.length ? h("p", null, ...cite(reason.cite)) : null,
    reason.values.length ? h("details", null, h("summary", null, say("details")), values(reason.values)) : null,
    reason.otherwise.length ? h("details", null, h("summary", null, say("otherwise")),
      h("ul", null, ...reason.otherwise.map((way) => h("li", null, way.text || way.path.split(".").at(-1)?.replaceAll("_", " ") || "", " ", ...cite(way.cite), values(way.values))))) : null,
  ), { lasts: 14000, kind: "why", close: say("close") });
}

/** @param {import("./types.js").News[]} log @param {import("./types.js").Legend} legend */
export function showLog(log, legend) {
  const dialog = openDialog(say("log"), [log.length ? h("ol.log", null, ...drawLog(log, legend)) : h("p", null, say("nothing_happened"))], close());
  dialog.querySelector("li:last-child")?.scrollIntoView();
}

/** @param {import("./types.js").View} view */
export function showScores(view) {
  openDialog(say("scores"), drawScores(view), { ...close(), kind: "wide" });
}

/** Show a trick that has been taken. @param {import("./types.js").Zone} zone @param {import("./types.js").View} view @param {import("./types.js").Legend} legend */
export function showTrick(zone, view, legend) {
  openDialog(say("last_trick"), [h("div.trick-cards", null, ...zone.cards.map((code, place) => {
    const face = code === null ? undefined : legend.faces[code], layer = zone.laid_by[place] ?? null;
    return h("figure", { "aria-label": sayCard(face, code ?? "") }, drawCard(face), h("figcaption", null, layer === null ? "" : view.players[layer].name));
  }))], close());
}

export function showHelp() {
  openDialog(say("help"), say("keys_text").split(". ").map((line) => h("p", null, line.replace(/\.?$/, "."))), close());
}

/**
 * Show the links of open invitations and for spectators.
 *
 * @param {import("./types.js").Shown} shown
 * @param {(seat: number) => void} [offer] offers the seat of a bot to a person
 */
export function showLinks(shown, offer) {
  const seats = Object.entries(shown.links.seats ?? {}).map(([seat, key]) => link(say("invite_seat", { who: shown.seats[Number(seat)].name }), key));
  const watch = shown.links.watch ? [link(say("invite_watch"), shown.links.watch), h("p.hint", null, say("invite_watch_text"))] : [];
  const free = !offer || shown.view.over ? [] : shown.seats.flatMap((seated, seat) => (seated.player === "person" || String(seat) in (shown.links.seats ?? {}) ? []
    : [h("button", { type: "button", "data-offer": seat, click: () => { dialog.close(); offer(seat); } }, say("offer_seat", { who: seated.name }))]));
  const dialog = openDialog(say("links"), [seats.length ? h("p", null, say("invite_text")) : null, ...seats, ...watch, free.length ? h("div.buttons", null, ...free) : null], close());
}

/** Show how the deal was settled before the match, and work out whether it was kept to. @param {string} table @param {number} seed */
export async function showSeal(table, seed) {
  const { sayFormula, sealOf } = await import("./seal.js"), noted = findSeal(table);
  const found = noted === null ? "seal_late" : sealOf(seed, table) === noted ? "seal_fits" : "seal_differs";
  openDialog(say("sealed"), [h("p", null, say("sealed_text")), h("dl.in-force", null, h("dt", null, say("seal")), h("dd.sealed", null, noted ?? "–"), h("dt", null, say("seed")), h("dd", null, String(seed))),
    h("p", { class: found === "seal_differs" ? "bad" : "", role: "status" }, h("strong", null, say(found))), h("p.hint.sealed", null, sayFormula(seed, table)),
    noted === null ? null : h("p", null, h("a", { href: `${places.seal}#${new URLSearchParams({ table, seal: noted, seed: String(seed) })}` }, say("verify")))], close());
}

/** @param {string} label @param {string} key */
export function link(label, key) {
  const field = /** @type {HTMLInputElement} */ (h("input", { readonly: true, "aria-label": label, focus: () => field.select() }));
  Promise.resolve(places.link(key)).then((address) => { field.value = address; });
  return h("div.link", null, h("span", null, label), h("span.link-row", null, field, h("button", { type: "button", click: async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy");
    }
    toast(say("copied"), { lasts: 1500 });
  } }, say("copy"))));
}

/**
 * @param {{languages: string[], language: string, name: string|null}} now
 * @param {{speed: () => void, cards: () => void, language: (code: string) => void, name: (name: string) => void, again: () => void}} changed
 */
export function showSettings(now, changed) {
  /** @param {string} label @param {[string, string][]} values @param {string} value @param {(value: string) => void} take */
  const select = (label, values, value, take) => {
    const field = /** @type {HTMLSelectElement} */ (h("select", { change: () => take(field.value) }, ...values.map(([each, text]) => h("option", { value: each, selected: each === value }, text))));
    return h("label.row", null, h("span", null, label), field);
  };
  const check = (/** @type {string} */ label, /** @type {boolean} */ value, /** @type {(value: boolean) => void} */ take) => {
    const field = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", change: () => take(field.checked) }));
    field.checked = value;
    return h("label.row", null, h("span", null, label), field);
  };
  const names = listLanguages().filter(([code]) => now.languages.includes(code));
  const name = now.name === null ? null : /** @type {HTMLInputElement} */ (h("input", { value: now.name, maxlength: 24, change: () => { if (name?.value) changed.name(name.value); } }));
  openDialog(say("settings"), [
    select(say("theme"), [["auto", say("theme_auto")], ["light", say("theme_light")], ["dark", say("theme_dark")]], settings.theme, (theme) => change({ theme })),
    select(say("motion"), [["auto", say("motion_auto")], ["on", say("on")], ["off", say("off")]], settings.motion, (motion) => change({ motion })),
    select(say("speed"), listSpeeds().map((each) => [each, say(`speed_${each}`)]), speedNow(), (speed) => { change({ speed }); changed.speed(); }),
    select(say("suits"), [["two", say("suits_two")], ["four", say("suits_four")]], settings.colours, (colours) => { change({ colours }); changed.cards(); }),
    select(say("index"), [["usual", say("index_usual")], ["large", say("index_large")]], settings.index, (index) => { change({ index }); changed.cards(); }),
    select(say("back_of_cards"), ["blue", "red", "green"].map((each) => [each, say(`back_${each}`)]), settings.back, (back) => { change({ back }); changed.cards(); }),
    select(say("timer"), [["0", say("timer_off")], ...["5", "10", "20", "40"].map((n) => /** @type {[string, string]} */ ([n, n]))], String(settings.timer), (timer) => change({ timer: Number(timer) })),
    check(say("forced"), settings.forced, (forced) => change({ forced })),
    check(say("guide"), settings.guide, (guide) => change({ guide })),
    check(say("sound"), settings.sound, (sound) => change({ sound })),
    check(say("confirm_setting"), settings.confirm, (confirm) => change({ confirm })),
    names.length > 1 ? select(say("language"), names, now.language, (code) => { change({ language: code }); changed.language(code); }) : null,
    now.languages.includes(wantedLanguage()) ? null : h("p.hint", null, say("no_language")),
    name ? h("label.row", null, h("span", null, say("name")), name) : null,
    ...places.more.map(({ name, act }) => h("button", { type: "button", click: () => act(places.key() ?? "") }, say(name))),
    now.name === null ? null : h("button", { type: "button", "data-focus": "new-match", click: () => changed.again() }, say("deal_again")),
  ], close());
}
