/** A tournament: its page, with the links to seats, and its standings beside a table. */

import { link } from "./dialogs.js";
import { h } from "./dom.js";
import { ask, places } from "./net.js";
import { say } from "./words.js";

const EVERY = 3000;

/** @param {HTMLElement} page @param {string} key */
export async function showParty(page, key) {
  const party = await ask(`/api/party/${encodeURIComponent(key)}`);
  document.title = `${party.title}: ${party.of}`;
  const shown = JSON.stringify(party);
  if (page.dataset.party !== shown) {  // what is selected or focused stays as long as nothing has changed
    page.dataset.party = shown;
    page.replaceChildren(h("main.welcome.party", null, h("h1", null, `${party.title}: ${party.of}`), ...drawStandings(party),
      ...party.tables.map((/** @type {any} */ table) => h("section", null, h("h2", null, say("party_table", { n: table.number })),
        h("ul", null, ...table.seats.map((/** @type {any} */ seat) => h("li", { class: seat.person ? "person" : "" },
          `${seat.name}${seat.person ? seat.key ? ` – ${say("waiting_for")}` : seat.here ? "" : ` – ${say("away")}` : ` – ${say("bot")}`}`,
          seat.key ? link(say("invite_seat", { who: seat.name }), seat.key) : null))),
        h("p", null, h("a", { href: places.table(table.watch) }, say("party_watch"))))),
      h("p", null, h("a.button", { href: places.lobby }, say("lobby")))));
  }
  if (!party.over) setTimeout(() => showParty(page, key).catch(() => setTimeout(() => location.reload(), EVERY)), EVERY);
}

/** Which game it is, how it ended, and who stands where. @param {import("./types.js").Party} party */
export function drawStandings(party) {
  return [
    h("p.lead", null, sayParty(party)),
    party.results.length ? h("ul.told", null, ...party.results.map((result, at) => h("li", null, sayResult(result, at + 1)))) : "",
    h("table.gains", null, h("thead", null, h("tr", null, h("td"), h("td"), h("th", { scope: "col" }, party.called))),
      h("tbody", null, ...party.standings.map(([rank, name, points]) => h("tr", null, h("td", null, rank), h("th", { scope: "row" }, name), h("td", null, h("b", null, points)))))),
  ];
}

/** Who was awarded at a table, and by what cut. @param {import("./types.js").Party["results"][0]} result @param {number} n */
function sayResult({ awarded, cuts }, n) {
  const who = awarded.length ? new Intl.ListFormat(document.documentElement.lang).format(awarded) : say("party_nobody");
  const cut = cuts.map((each) => each.map(([name, card]) => `${name} ${card}`).join(", ")).join("; ");
  return `${say("party_table", { n })}: ${who}${cut && ` (${say("party_cut", { cut })})`}`;
}

/** @param {import("./types.js").Party} party */
export function sayParty(party) {
  const game = say("party_game", { n: party.game, of: party.games });
  if (party.over) return `${game} ${say("party_over")}`;
  if (!party.ended) return game;
  return `${game} ${party.stopped_by === null ? say("party_ended") : say("party_stopped", { n: party.stopped_by + 1 })}`;
}
