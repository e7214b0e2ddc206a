/** Entry point: the lobby, or the table whose key the address has. The modules of each are loaded on demand. */

import { h } from "./dom.js";
import { ask, places } from "./net.js";
import { apply, change, forgetTable, settings, wantedLanguage } from "./settings.js";
import { learn, say, sayRefusal, speak } from "./words.js";

const page = /** @type {HTMLElement} */ (document.getElementById("page"));

async function start() {
  apply();
  await learn(wantedLanguage());
  speak(wantedLanguage());
  const key = places.key();
  if (location.pathname === places.seal) { (await import("./seal.js")).showSealPage(page); return; }
  if (key === null) {
    const { showLobby } = await import("./lobby.js");
    await showLobby(page);
    return;
  }
  page.replaceChildren(h("p.loading", { role: "status" }, say("loading")));
  const { role, title, with: people } = await ask(`/api/key/${encodeURIComponent(key)}?lang=${wantedLanguage()}`);
  if (role === "invitation") showInvitation(key, title, people);
  else if (role === "party") await (await import("./party.js")).showParty(page, key);
  else if (role === "replay") await (await import("./replay.js")).showReplay(page, key, null);
  else (await import("./table.js")).showTable(page, key, role);
}

/** @param {string} key @param {string} title @param {string[]} people who sits there already */
function showInvitation(key, title, people) {
  const field = /** @type {HTMLInputElement} */ (h("input", { id: "name", maxlength: 24, value: settings.name, autocomplete: "nickname" }));
  page.replaceChildren(h("main.welcome", null,
    h("h1", null, "Hoyle"), h("p.lead", null, say(people.length ? "invited_by" : "invited", { title, who: people.join(", ") })), h("p", null, say("join_text")),
    h("form.card-form", { submit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        change({ name: field.value });
        const { key: own } = await ask("/api/claim", { key, name: field.value });
        history.replaceState(null, "", places.table(own));
        (await import("./table.js")).showTable(page, own, "seat");
      } catch (refused) {
        fail(/** @type {any} */ (refused));
      }
    } }, h("label", { for: "name" }, say("your_name")), field, h("button.primary", { type: "submit" }, say("join")))));
  field.focus();
}

/** @param {{why?: string, detail?: string}} refused */
function fail(refused) {
  if (refused.why === "no_such_table") forgetTable(places.key() ?? "");
  page.replaceChildren(h("main.welcome", null, h("h1", null, "Hoyle"),
    h("p.lead", { role: "alert" }, refused.why ? sayRefusal(/** @type {any} */ (refused)) : String(refused)),
    h("p", null, h("a.button.primary", { href: places.lobby }, say("lobby")))));
  if (!refused.why) throw refused;
}

start().catch(fail);
// A lobby that comes back with the back button knows nothing of the table that was set meanwhile, and its form is shut.
addEventListener("pageshow", (event) => { if (event.persisted && places.key() === null) start().catch(fail); });
