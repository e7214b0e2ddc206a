/** The lobby: the list of games, the form for a new table, and the tables opened before. */

import { h, toast } from "./dom.js";
import { drawCard } from "./cards.js";
import { ask } from "./net.js";
import { change, forgetTable, listTables, settings, wantedLanguage } from "./settings.js";
import { LANGUAGES, say, sayLevel, sayRefusal, speak } from "./words.js";

/** @param {HTMLElement} page */
export async function showLobby(page) {
  page.replaceChildren(h("p.loading", { role: "status" }, say("loading")));
  const { games, levels, upload } = await ask(`/api/games?lang=${wantedLanguage()}`);
  document.title = "Hoyle";
  const families = new Map();
  for (const game of games) families.set(game.family, [...(families.get(game.family) ?? []), game]);
  const holder = h("div.setup");
  const list = h("div.games", { role: "list" });
  const ordered = [...families.values()].sort(([a], [b]) => Number(b.own) - Number(a.own) || a.title.localeCompare(b.title, document.documentElement.lang));
  for (const family of ordered) {
    const first = family[0];
    const button = h("button.game", { type: "button", click: () => choose(family, button) },
      emblem(first.title), h("span.title", null, first.title), h("span.meta", null, sayPlayers(first)));
    const words = family.flatMap((/** @type {import("./types.js").Game} */ each) => [each.title, each.name, each.kind, ...each.also]).join("\n");
    list.append(h("div", { role: "listitem", "data-words": plain(words) }, button));
  }
  const nothing = h("p.hint", { role: "status" });
  const sought = /** @type {HTMLInputElement} */ (h("input.seek", { type: "search", "aria-label": say("seek"), placeholder: say("seek"), input: () => {
    const wanted = plain(sought.value).trim();
    const all = /** @type {HTMLElement[]} */ ([...list.children]);
    for (const each of all) each.hidden = !each.dataset.words?.includes(wanted);
    nothing.textContent = all.every((each) => each.hidden) ? say("no_such_game") : "";
  } }));
  /** @param {import("./types.js").Game[]} family @param {HTMLElement} button */
  const choose = (family, button) => {
    for (const each of list.querySelectorAll("button")) each.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    holder.replaceChildren(makeForm(family, levels));
    if (matchMedia("(max-width: 900px)").matches) holder.scrollIntoView({ behavior: "smooth" });
  };
  page.replaceChildren(
    h("header.lobby-top", null, h("a.brand", { href: "/" }, h("img", { src: "/static/icon.svg", alt: "", width: 36, height: 36 }), h("span", null, "Hoyle")),
      h("p", null, say("tagline")), pickLanguage(() => showLobby(page))),
    h("main.lobby", null,
      ...listOwn(page),
      h("section", { "aria-label": say("games") }, h("div.list-top", null, h("h2", null, say("games")), sought), list, nothing, upload ? makeUpload(page) : null), holder));
  const wanted = new URLSearchParams(location.search).get("game");
  const at = ordered.findIndex((family) => family.some((/** @type {any} */ each) => each.name === wanted));
  const first = list.querySelectorAll("button")[Math.max(at, 0)];
  if (first && (at >= 0 || !matchMedia("(max-width: 900px)").matches)) first.click();
}

/** Normalize a text for search: without case and accents. @param {string} text */
function plain(text) {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
}

/** An emblem for a game: a card with the first letter of its title. @param {string} title */
function emblem(title) {
  const colours = ["red", "green", "blue", "magenta", "orange", "black"];
  const sum = [...title].reduce((all, sign) => all + sign.charCodeAt(0), 0);
  const glyphs = ["♥", "♠", "♦", "♣", "★"];
  const print = { attribute: "", value: "", text: "", short: "x", glyph: glyphs[sum % glyphs.length], colour: colours[sum % colours.length] };
  const figure = { attribute: "", value: "", text: "", short: title.charAt(0).toUpperCase(), glyph: "", colour: "" };
  return drawCard({ code: "", text: "", name: "", prints: [figure, print] });
}

/** @param {import("./types.js").Game} game */
function sayPlayers(game) {
  const [low, high] = game.usual;
  return high === 1 ? say("player_1") : `${low === high ? low : `${low}–${high}`} ${say("players").toLowerCase()}`;
}

/** @param {() => void} changed */
function pickLanguage(changed) {
  const select = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": say("language"), change: () => {
    change({ language: select.value });
    speak(select.value);
    changed();
  } }, ...Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, selected: code === wantedLanguage() }, name))));
  return select;
}

/** A language as the browser is set to write it: the day comes first in some countries, the month in others. @param {string} language */
function regionOf(language) {
  return navigator.languages.find((each) => each.startsWith(language)) ?? language;
}

/** @param {HTMLElement} page */
function listOwn(page) {
  const tables = listTables();
  if (!tables.length) return [];
  return [h("section.own", { "aria-label": say("your_tables") }, h("h2", null, say("your_tables")),
    h("ul", null, ...tables.slice(0, 6).map((table) => h("li", null,
      h("a", { href: `/t/${table.key}` }, h("strong", null, table.title),
        h("span.meta", null, `${new Date(table.when).toLocaleString(regionOf(document.documentElement.lang), { dateStyle: "short", timeStyle: "short" })}${table.over ? ` · ${say("finished")}` : ""}`)),
      h("button.icon", { type: "button", "aria-label": say("forget"), title: say("forget"), click: () => { forgetTable(table.key); showLobby(page); } }, "×")))))];
}

/** @param {HTMLElement} page */
function makeUpload(page) {
  const field = /** @type {HTMLInputElement} */ (h("input", { type: "file", accept: ".yaml,.yml", id: "file", change: async () => {
    const file = field.files?.[0];
    if (!file) return;
    try {
      const { name } = await ask("/api/files", await file.text());
      history.replaceState(null, "", `/?game=${encodeURIComponent(name)}`);
      await showLobby(page);
    } catch (refused) {
      toast(sayRefusal(/** @type {any} */ (refused)), { kind: "bad" });
    }
  } }));
  return h("p.upload", null, h("label.button", { for: "file" }, say("upload")), field);
}

/**
 * The form for a new table: variant, number of players, seats, options.
 *
 * @param {import("./types.js").Game[]} family
 * @param {{name: string, text: string}[]} levels
 */
function makeForm(family, levels) {
  let game = family[0];
  let players = game.usual[0];
  const seats = h("div.seats"), options = h("div.options"), problem = h("pre.problem", { role: "alert", hidden: true });
  const folded = /** @type {HTMLDetailsElement} */ (h("details", null, h("summary", null, say("options")), options));
  options.addEventListener("invalid", () => { folded.open = true; }, true);  // what the browser objects to can be seen
  const name = /** @type {HTMLInputElement} */ (h("input", { id: "name", maxlength: 24, value: settings.name, autocomplete: "nickname", placeholder: say("you") }));
  const count = /** @type {HTMLSelectElement} */ (h("select", { id: "players", change: () => { players = Number(count.value); drawSeats(); } }));
  const variant = /** @type {HTMLSelectElement} */ (h("select", { id: "variant", change: () => {
    game = family.find((each) => each.name === variant.value) ?? game;
    drawAll();
  } }, ...family.map((each) => h("option", { value: each.name }, each.title))));
  const usual = levels.find((level) => level.name === "medium")?.name ?? levels[0].name;

  const drawSeats = () => {
    const kept = [...seats.querySelectorAll("select")].map((each) => each.value);
    seats.replaceChildren(...Array.from({ length: players }, (_, seat) => {
      const wanted = kept[seat] ?? (seat === 0 ? "me" : usual);
      const choices = [["me", say("you")], ["person", say("person")], ...levels.map((level) => [level.name, say("bot_of", { level: sayLevel(level.name) })])];
      const select = /** @type {HTMLSelectElement} */ (h("select", { id: `seat${seat}`, change: () => {
        if (select.value !== "me") return;
        for (const other of seats.querySelectorAll("select")) if (other !== select && other.value === "me") other.value = usual;
      } }, ...choices.map(([value, text]) => h("option", { value, selected: value === wanted }, text))));
      return h("label.row", { for: `seat${seat}` }, h("span", null, say("seat", { n: seat + 1 })), select);
    }));
  };
  const drawAll = () => {
    const [low, high] = game.allowed;
    players = Math.min(Math.max(players, game.usual[0]), high);
    count.replaceChildren(...Array.from({ length: high - low + 1 }, (_, more) => low + more).map((number) =>
      h("option", { value: number, selected: number === players }, number >= game.usual[0] && number <= game.usual[1] ? `${number}` : say("unusual", { n: number }))));
    drawSeats();
    options.replaceChildren(...game.options.map(makeOption));
    folded.hidden = !game.options.length;
  };
  drawAll();
  const form = h("form", { submit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    const start = /** @type {HTMLButtonElement} */ (form.querySelector("button[type=submit]"));
    start.disabled = true;
    change({ name: name.value });
    const sitting = [...seats.querySelectorAll("select")].map((each) => each.value);
    try {
      const { key } = await ask("/api/tables", {
        game: game.name, players, options: readOptions(options), language: wantedLanguage(),
        name: name.value || (sitting.includes("person") ? "" : say("you")),  // with other people at the table, a player must not be named "you"
        seats: sitting,
      });
      location.assign(`/t/${key}`);
    } catch (refused) {
      problem.hidden = false;
      problem.textContent = sayRefusal(/** @type {any} */ (refused));
      problem.scrollIntoView({ block: "nearest" });
      start.disabled = false;
    }
  } },
    h("h2", null, game.title),
    family.length > 1 ? h("label.row", { for: "variant" }, h("span", null, say("variants")), variant) : null,
    h("label.row", { for: "name" }, h("span", null, say("your_name")), name),
    h("label.row", { for: "players" }, h("span", null, say("players")), count),
    h("fieldset", null, h("legend", null, say("seats_title")), seats),
    folded,
    problem,
    h("button.primary.big", { type: "submit" }, say("play")));
  return form;
}

/** @param {import("./types.js").Option} option */
function makeOption(option) {
  const id = `option-${option.name}`;
  const title = option.name.replaceAll("_", " ");
  /** @type {string[][]} */
  const values = option.kind === "truth" ? [["true", say("yes")], ["false", say("no")]] : option.values.map(([value]) => [value, value.replaceAll("_", " ")]);
  const usual = option.kind === "truth" ? { yes: "true", no: "false" }[option.default] ?? option.default : option.default;
  // What is reckoned from the number of players and the like stands in no field: an empty one leaves it to the file.
  const stands = option.kind === "number" ? /^-?\d+$/.test(usual) || option.or_none && usual === "none" : values.some(([value]) => value === usual);
  const known = { id, "data-option": option.name, "data-default": stands ? usual : "" };
  const field = option.kind === "number"
    ? h("input", { ...known, type: option.or_none ? "text" : "number", min: option.low, max: option.high, value: stands ? usual : "", placeholder: say("default"), inputmode: "numeric" })
    : h("select", known, ...(stands ? values : [["", say("default")], ...values]).map(([value, text]) => h("option", { value, selected: stands && value === usual }, text)));
  const texts = option.values.filter(([, text]) => text).map(([value, text]) => h("li", null, h("b", null, value.replaceAll("_", " ")), ` – ${text}`));
  return h("div.option", null, h("label", { for: id }, title), field, h("p.hint", null, option.text), stands ? null : h("p.hint", null, say("reckoned", { what: option.default })),
    texts.length ? h("ul.hint", null, ...texts) : null);
}

/** Read the options that differ from their defaults; an empty field leaves its option to the file. @param {HTMLElement} options */
function readOptions(options) {
  /** @type {Object<string, string>} */
  const found = {};
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (options.querySelectorAll("[data-option]"))) {
    const { option, default: usual } = field.dataset;
    if (option && field.value.trim() && field.value !== usual) found[option] = field.value;
  }
  return found;
}
