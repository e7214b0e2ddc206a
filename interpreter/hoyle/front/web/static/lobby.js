/** The lobby: the list of games, the form for a new table, and the tables opened before. */

import { h, toast } from "./dom.js";
import { drawCard } from "./cards.js";
import { ask, places } from "./net.js";
import { change, forgetTable, listTables, settings, wantedLanguage } from "./settings.js";
import { findRecord } from "./records.js";
import { learn, listLanguages, say, sayLevel, sayRecord, sayRefusal, speak } from "./words.js";

/** @param {HTMLElement} page */
export async function showLobby(page) {
  page.replaceChildren(h("p.loading", { role: "status" }, say("loading")));
  const { games, levels, played: counted, upload } = await ask(`/api/games?lang=${wantedLanguage()}`);
  document.title = "Hoyle";
  /** @type {Map<string, import("./types.js").Game[]>} */
  const families = new Map();
  for (const game of games) families.set(game.family, [...(families.get(game.family) ?? []), game]);
  const holder = h("div.setup");
  const list = h("div.families");
  const ordered = [...families.values()].sort(([a], [b]) => a.title.localeCompare(b.title, document.documentElement.lang));
  const played = listTables().map((table) => table.title);
  /** @param {string} title @param {import("./types.js").Game[][]} group */
  const section = (title, group) => {
    if (!group.length) return;
    list.append(h("section", { "aria-label": title }, h("h3", null, title), h("div.games", { role: "list" }, ...group.map((family) => {
      const first = family[0];
      const button = h("button.game", { type: "button", "data-game": first.name, click: () => choose(family, button) },
        picture(first), h("span.about", null, h("span.title", null, first.title), h("span.meta", null, sayPlayers(first)), first.goal || first.about ? h("span.goal", null, first.goal || first.about) : null));
      const star = h("button.icon.star", { type: "button", "aria-pressed": String(settings.favourites.includes(first.name)), "aria-label": say("favourite", { title: first.title }), title: say("favourite", { title: first.title }), click: () => {
        const kept = settings.favourites.filter((/** @type {string} */ name) => name !== first.name);
        change({ favourites: kept.length < settings.favourites.length ? kept : [...kept, first.name] });
        showLobby(page);
      } }, settings.favourites.includes(first.name) ? "★" : "☆");
      return h("div", { role: "listitem", "data-words": wordsOf(family), "data-players": `${first.allowed[0]} ${first.allowed[1]}` }, button, star);
    }))));
  };
  const liked = ordered.filter(([first]) => settings.favourites.includes(first.name));
  const recent = ordered.filter(([first]) => played.includes(first.title) && !liked.some(([each]) => each === first));
  section(say("own_files"), ordered.filter(([first]) => first.own));
  section(say("favourites"), liked);
  section(say("played_last"), recent.slice(0, 4));
  const rest = ordered.filter(([first]) => !first.own);
  const kinds = [...new Set(rest.map(([first]) => first.kind))].sort((a, b) => rest.filter(([first]) => first.kind === b).length - rest.filter(([first]) => first.kind === a).length);
  for (const kind of kinds) section(sayKind(kind), rest.filter(([first]) => first.kind === kind && !liked.some(([each]) => each === first) && !recent.slice(0, 4).some(([each]) => each === first)));
  const nothing = h("p.hint", { role: "status" });
  const sought = /** @type {HTMLInputElement} */ (h("input.seek", { type: "search", "aria-label": say("seek"), placeholder: say("seek"), input: () => {
    const all = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=listitem]")]);
    for (const each of all) each.hidden = !matches(sought.value, each.dataset.words ?? "", (each.dataset.players ?? "").split(" ").map(Number));
    for (const each of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("section"))) each.hidden = [...each.querySelectorAll("[role=listitem]")].every((item) => /** @type {HTMLElement} */ (item).hidden);
    nothing.textContent = all.every((each) => each.hidden) ? say("no_such_game") : "";
  } }));
  /** @param {import("./types.js").Game[]} family @param {HTMLElement} button */
  const choose = (family, button) => {
    for (const each of list.querySelectorAll("button")) each.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    holder.replaceChildren(makeForm(family, levels, places.invites ? counted : {}));
    if (matchMedia("(max-width: 900px)").matches) holder.scrollIntoView({ behavior: "smooth" });
  };
  const lead = (/** @type {{name: string, act: () => void}} */ { name, act }) => h("button", { type: "button", class: "page", click: act }, say(name));
  page.replaceChildren(
    h("header.lobby-top", null, h("a.brand", { href: places.lobby }, h("img", { src: places.icon, alt: "", width: 36, height: 36 }), h("h1", null, "Hoyle")),
      h("p", null, say("tagline")), ...places.pages.slice(0, 1).map(lead), pickLanguage(() => showLobby(page))),
    h("main.lobby", null,
      ...listOwn(page),
      h("section", { "aria-label": say("games") }, h("div.list-top", null, h("h2", null, say("games")), sought), list, nothing, upload ? makeUpload(page) : null, h("p.pages", null, ...places.pages.slice(1).map(lead))), holder));
  const wanted = new URLSearchParams(location.search).get("game");
  const asked = ordered.find((family) => family.some((each) => each.name === wanted))?.[0];
  const first = /** @type {HTMLElement|null} */ (list.querySelector(asked ? `[data-game="${CSS.escape(asked.name)}"]` : ".game"));
  if (first && (asked || !matchMedia("(max-width: 900px)").matches)) first.click();
}

/** Normalize a text for search: without case, accents and signs. @param {string} text */
function plain(text) {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[^\p{L}\p{N}\n]+/gu, " ").trim();
}

/** What a family of games is found by. @param {import("./types.js").Game[]} family */
function wordsOf(family) {
  const words = plain(family.flatMap((each) => [each.title, each.name, each.kind, ...each.also]).join("\n"));
  return `${words}\n${words.replaceAll(" ", "")}`;
}

/** Numbers that are also written as words, in names of games. @type {[string, string][]} */
const NUMBERS = [["2", "two"], ["3", "three"], ["4", "four"], ["8", "eight"], ["20", "twenty"], ["21", "twenty one"], ["500", "five hundred"]];

/**
 * Whether a game is meant by what is sought: its names, or a number of players ("2 players", "for 4").
 *
 * @param {string} sought @param {string} words @param {number[]} players the fewest and the most that can play
 */
function matches(sought, words, players) {
  const wanted = plain(sought);
  const count = wanted.match(/^(?:for )?(\d+) ?(?:players?|joueurs?|people|persons?)$|^(?:for|pour) (\d+)$/u);
  if (count) return players[0] <= Number(count[1] ?? count[2]) && Number(count[1] ?? count[2]) <= players[1];
  if (words.includes(wanted) || words.includes(wanted.replaceAll(" ", ""))) return true;
  const spelt = NUMBERS.reduce((text, [sign, word]) => text.replace(new RegExp(`\\b${sign}\\b`, "u"), word), wanted);
  return spelt !== wanted && words.includes(spelt);
}

/** A picture of a game: three cards as its kind lays them. @param {import("./types.js").Game} game */
function picture(game) {
  const sum = [...game.title].reduce((all, sign) => all + sign.charCodeAt(0), 0);
  const suits = /** @type {[string, string, string][]} */ ([["♥", "red", "hearts"], ["♠", "black", "spades"], ["♦", "red", "diamonds"], ["♣", "black", "clubs"]]);
  const ranks = ["A", "K", "Q", "J", "10", "9"];
  const card = (/** @type {number} */ at) => {
    const [glyph, colour, value] = suits[(sum + at) % 4], rank = ranks[(sum + at * 2) % ranks.length];
    return drawCard({ code: "", text: "", name: "", prints: [{ attribute: "", value: /^\d+$/.test(rank) ? rank : "", text: rank, short: rank, glyph: "", colour: "" },
      { attribute: "", value, text: value, short: "x", glyph, colour }] });
  };
  return h("span.picture", { "aria-hidden": "true", class: `of-${game.kind}` }, card(0), card(1), game.kind === "shedding" || game.kind === "banking" ? drawCard(null) : card(2));
}

/** @param {string} kind */
function sayKind(kind) {
  const said = say(`kind_${kind}`);
  return said.startsWith("kind_") ? kind.charAt(0).toUpperCase() + kind.slice(1) || say("games") : said;
}

/** @param {import("./types.js").Game} game */
function sayPlayers(game) {
  const [low, high] = game.usual;
  return high === 1 ? say("player_1") : `${low === high ? low : `${low}–${high}`} ${say("players").toLowerCase()}`;
}

/** @param {() => void} changed */
function pickLanguage(changed) {
  const select = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": say("language"), change: async () => {
    change({ language: select.value });
    await learn(select.value);
    speak(select.value);
    changed();
  } }, ...listLanguages().map(([code, name]) => h("option", { value: code, selected: code === wantedLanguage() }, name))));
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
      h("a", { href: places.table(table.key) }, h("strong", null, table.title),
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
      history.replaceState(null, "", places.game(name));
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
 * @param {Object<string, number[]>} counted by game: matches on this server, people in them, and how many won
 */
function makeForm(family, levels, counted) {
  let game = family[0];
  let players = game.usual[0];
  const seats = h("div.seats"), options = h("div.options"), problem = h("pre.problem", { role: "alert", hidden: true });
  const folded = /** @type {HTMLDetailsElement} */ (h("details", null, h("summary", null, say("options")), options));
  options.addEventListener("invalid", () => { folded.open = true; }, true);  // what the browser objects to can be seen
  const name = /** @type {HTMLInputElement} */ (h("input", { id: "name", maxlength: 24, value: settings.name, autocomplete: "nickname", placeholder: say("you") }));
  const count = /** @type {HTMLSelectElement} */ (h("select", { id: "players", change: () => { players = Number(count.value); drawSeats(); } }));
  const variant = /** @type {HTMLSelectElement} */ (h("select", { id: "variant", change: () => {
    game = family.find((each) => each.name === variant.value) ?? game;
    goal.textContent = game.about || game.goal;
    drawAll();
  } }, ...family.map((each) => h("option", { value: each.name }, each.title))));
  const grade = /** @type {HTMLSelectElement} */ (h("select", { id: "grade" }, ...["", "winnable", "easy", "hard"].map((each) => h("option", { value: each }, say(`deal_${each || "any"}`)))));
  const deal = h("label.row", { for: "grade" }, h("span", null, say("deal")), grade);
  const usual = levels.find((level) => level.name === "medium")?.name ?? levels[0].name;

  const drawSeats = () => {
    const kept = [...seats.querySelectorAll("select")].map((each) => each.value);
    seats.replaceChildren(...Array.from({ length: players }, (_, seat) => {
      const wanted = kept[seat] ?? (seat === 0 ? "me" : usual);
      const choices = [["me", say("you")], ...(places.invites ? [["person", say("person")]] : []), ...levels.map((level) => [level.name, say("bot_of", { level: sayLevel(level.name) })])];
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
    deal.hidden = high > 1 || game.kind !== "patience";
    if (game.options) drawOptions(game.options);
    else places.options(game.name).then(drawOptions);
  };
  const drawOptions = (/** @type {import("./types.js").Option[]} */ known) => {
    options.replaceChildren(...known.map(makeOption));
    folded.hidden = !known.length;
  };
  drawAll();
  const record = findRecord(game.name), goal = h("p.hint", null, game.goal || game.about), [matches, people, won] = counted[game.name] ?? [0, 0, 0];
  const kept = h("p.hint", { hidden: !record && !matches }, [record ? sayRecord(record) : "", matches ? say("record_server", { n: matches, won, people }) : ""].filter(Boolean).join(" · "));
  const form = h("form", { submit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    const start = /** @type {HTMLButtonElement} */ (form.querySelector("button[type=submit]"));
    start.disabled = true;
    start.textContent = say(deal.hidden || !grade.value ? "play" : "seeking_deal");
    change({ name: name.value });
    const sitting = [...seats.querySelectorAll("select")].map((each) => each.value);
    try {
      const { key } = await ask("/api/tables", {
        game: game.name, players, options: readOptions(options), language: wantedLanguage(),
        name: name.value || (sitting.includes("person") ? "" : say("you")),  // with other people at the table, a player must not be named "you"
        seats: sitting, ...(deal.hidden || !grade.value ? {} : { grade: grade.value }),
      });
      location.assign(places.table(key));
    } catch (refused) {
      problem.hidden = false;
      problem.textContent = sayRefusal(/** @type {any} */ (refused));
      problem.scrollIntoView({ block: "nearest" });
      start.disabled = false;
      start.textContent = say("play");
    }
  } },
    h("h2", null, game.title), goal, kept,
    family.length > 1 ? h("label.row", { for: "variant" }, h("span", null, say("variants")), variant) : null,
    h("label.row", { for: "name" }, h("span", null, say("your_name")), name),
    h("label.row", { for: "players" }, h("span", null, say("players")), count),
    deal,
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
