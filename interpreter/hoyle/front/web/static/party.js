/** A tournament: its page, with the links to seats, and its standings beside a table. */

import { link } from "./dialogs.js";
import { h } from "./dom.js";
import { ask, places } from "./net.js";
import { say } from "./words.js";

/** Of what is known in several languages, that of the page. @param {Object<string, any>|undefined} known @param {any} otherwise */
const choose = (known, otherwise) => known?.[document.documentElement.lang] ?? otherwise;
/** @param {import("./types.js").Party} party */
export const sayTitle = (party) => choose(party.labels, {}).title ?? party.title;
/** A side: a person by name, others by number. @param {import("./types.js").Party} party @param {number} side */
function saySide(party, side) {
  const who = party.people[side];
  if (who === undefined) return say(`party_${party.kind}`, { n: side + 1 });
  return party.kind === "player" ? who : say("party_side_of", { who });
}

const EVERY = 3000;

/** @param {HTMLElement} page @param {string} key */
export async function showParty(page, key) {
  const party = await ask(`/api/party/${encodeURIComponent(key)}`);
  const title = document.title = `${sayTitle(party)}: ${choose(party.titles, party.of)}`;
  const shown = JSON.stringify(party);
  if (page.dataset.party !== shown) {  // what is selected or focused stays as long as nothing has changed
    page.dataset.party = shown;
    page.replaceChildren(h("main.welcome.party", null, h("h1", null, title), ...drawStandings(party),
      ...party.tables.map((/** @type {any} */ table) => h("section", null, h("h2", null, say("party_table", { n: table.number })),
        h("ul", null, ...table.seats.map((/** @type {any} */ seat) => h("li", { class: seat.person ? "person" : "" },
          `${seat.number ? say("party_player", { n: seat.number }) : seat.name}${seat.person ? seat.key ? ` – ${say("waiting_for")}` : seat.here ? "" : ` – ${say("away")}` : ` – ${say("bot")}`}`,
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
    party.results.length ? h("ul.told", null, ...party.results.map((result, at) => h("li", null, sayResult(party, result, at + 1)))) : "",
    h("table.gains", null, h("thead", null, h("tr", null, h("td"), h("td"), h("th", { scope: "col" }, choose(party.labels, {}).called ?? party.called))),
      h("tbody", null, ...party.standings.map(([rank, side, points]) => h("tr", null, h("td", null, rank), h("th", { scope: "row" }, saySide(party, side)), h("td", null, h("b", null, points)))))),
  ];
}

/** Who was awarded at a table, and by what cut.
 * @param {import("./types.js").Party} party @param {import("./types.js").Party["results"][0]} result @param {number} n */
function sayResult(party, { awarded, cuts }, n) {
  const named = awarded.map((side) => saySide(party, side));
  const who = named.length ? new Intl.ListFormat(document.documentElement.lang).format(named) : say("party_nobody");
  const cut = cuts.map((each) => each.map(([side, card]) => `${saySide(party, side)} ${card}`).join(", ")).join("; ");
  return `${say("party_table", { n })}: ${who}${cut && ` (${say("party_cut", { cut })})`}`;
}

/** @param {import("./types.js").Party} party */
export function sayParty(party) {
  const game = say("party_game", { n: party.game, of: party.games });
  if (party.over) return `${game} ${say("party_over")}`;
  if (!party.ended) return game;
  return `${game} ${party.stopped_by === null ? say("party_ended") : say("party_stopped", { n: party.stopped_by + 1 })}`;
}
