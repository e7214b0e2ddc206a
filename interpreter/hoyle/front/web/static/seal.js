/** Works out the seal of a deal (PBKDF2 with HMAC-SHA-256). Browsers do so themselves only where the connection is secure,
 * which that to a table in the same room is not. */

import { h } from "./dom.js";
import { places } from "./net.js";
import { say } from "./words.js";

const ROUNDS = 100_000;

/** The first bits of the fractional parts of roots of the first primes. @param {number} count @param {(n: number) => number} root */
function listFractions(count, root) {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  return Int32Array.from(primes, (prime) => ((root(prime) % 1) * 2 ** 32) | 0);
}

const BEGIN = listFractions(8, Math.sqrt), ADDED = listFractions(64, Math.cbrt), mixed = new Int32Array(64);

/** @param {Int32Array} state @param {ArrayLike<number>} block sixteen words */
function compress(state, block) {
  for (let at = 0; at < 64; at++) {
    if (at < 16) { mixed[at] = block[at]; continue; }
    const x = mixed[at - 15], y = mixed[at - 2];
    mixed[at] = (mixed[at - 16] + mixed[at - 7] + ((x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3) + ((y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10)) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at++) {
    const one = (h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (e & f ^ ~e & g) + ADDED[at] + mixed[at]) | 0;
    const two = (((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ a & c ^ b & c)) | 0;
    h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
  }
  return Int32Array.of(state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e, state[5] + f, state[6] + g, state[7] + h);
}

/** Take in the rest of a message, of which one block is in the state already. @param {Int32Array} state @param {Uint8Array} rest */
function finish(state, rest) {
  const size = Math.ceil((rest.length + 9) / 64) * 64, padded = new DataView(new ArrayBuffer(size));
  rest.forEach((byte, at) => padded.setUint8(at, byte));
  padded.setUint8(rest.length, 128);
  padded.setUint32(size - 4, (64 + rest.length) * 8);
  for (let from = 0; from < size; from += 64) state = compress(state, Array.from({ length: 16 }, (_, at) => padded.getInt32(from + 4 * at)));
  return state;
}

/** @param {Int32Array} words */
function toBytes(words) {
  const view = new DataView(new ArrayBuffer(32));
  words.forEach((word, at) => view.setInt32(4 * at, word));
  return new Uint8Array(view.buffer);
}

/** The seal that belongs to a seed. @param {number|string} seed @param {string} table */
export function sealOf(seed, table) {
  const encoder = new TextEncoder(), key = new DataView(new ArrayBuffer(64));
  encoder.encode(String(seed)).forEach((byte, at) => key.setUint8(at, byte));
  const [inner, outer] = [0x36363636, 0x5c5c5c5c].map((pad) => compress(BEGIN, Array.from({ length: 16 }, (_, at) => key.getInt32(4 * at) ^ pad)));
  let last = finish(outer, toBytes(finish(inner, Uint8Array.of(...encoder.encode(table), 0, 0, 0, 1))));
  const sum = last.slice(), block = new Int32Array(16);
  block[8] = 1 << 31;
  block[15] = 96 * 8;
  for (let round = 1; round < ROUNDS; round++) {
    block.set(last);
    block.set(compress(inner, block));
    last = compress(outer, block);
    for (let at = 0; at < 8; at++) sum[at] ^= last[at];
  }
  return [...toBytes(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** How it is worked out, for whoever would rather do so elsewhere. @param {number|string} seed @param {string} table */
export function sayFormula(seed, table) {
  return `PBKDF2-HMAC-SHA256(${seed}, ${table}, ${ROUNDS})`;
}

/** The page that tells whether a seal and a seed belong together; its address may name them. @param {HTMLElement} page */
export function showSealPage(page) {
  const given = new URLSearchParams(location.hash.slice(1)), found = h("p", { role: "status" }), formula = h("p.hint.sealed");
  const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (h("input", { id: name, value: given.get(name) ?? "", required: true, autocomplete: "off", spellcheck: "false" }));
  const fields = { table: field("table"), seal: field("seal"), seed: field("seed") };
  const verify = () => {
    const [table, seal, seed] = [fields.table, fields.seal, fields.seed].map((each) => each.value.trim());
    const fits = sealOf(seed, table) === seal.toLowerCase();
    found.replaceChildren(h("strong", { class: fits ? "" : "bad" }, say(fits ? "seal_fits" : "seal_differs")));
    formula.textContent = sayFormula(seed, table);
  };
  document.title = say("verify");
  page.replaceChildren(h("main.welcome", null, h("h1", null, say("verify")), h("p", null, say("sealed_text")), h("p.hint", null, say("verify_text")),
    h("form.card-form", { submit: (/** @type {Event} */ event) => { event.preventDefault(); verify(); } },
      ...Object.entries(fields).flatMap(([name, each]) => [h("label", { for: name }, say(name === "table" ? "table_id" : name)), each]),
      h("button.primary", { type: "submit" }, say("verify")), found, formula),
    h("p", null, h("a.button", { href: places.lobby }, say("lobby")))));
  if (given.get("seed")) verify();
}
