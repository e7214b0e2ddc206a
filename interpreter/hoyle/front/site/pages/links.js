/** What an address carries: plain data, compressed. It comes from strangers, and is only ever data. */

const MOST = 60_000; // characters of an address
const LARGEST = 400_000; // bytes of what it unpacks to

/** @param {any} data @returns {Promise<string>} */
export async function writeLink(data) {
  const bytes = new TextEncoder().encode(JSON.stringify(data));
  const packed = new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
  let text = "";
  for (let at = 0; at < packed.length; at += 8192) text += String.fromCharCode(...packed.subarray(at, at + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text @returns {Promise<any>} */
export async function readLink(text) {
  if (text.length > MOST || !/^[\w-]+$/.test(text)) throw new Error("it is not complete.");
  let bytes;
  try {
    bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    bytes = await unpack(bytes);
  } catch {
    throw new Error("it is damaged, or not complete.");
  }
  let data;
  try {
    data = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error("it is damaged.");
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) throw new Error("it says nothing.");
  return data;
}

/** Unpack as far as is allowed: little data can stand for very much. @param {Uint8Array<ArrayBuffer>} bytes */
async function unpack(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  for (let total = 0; ;) {
    const { done, value } = await reader.read();
    if (done) break;
    total += value.length;
    if (total > LARGEST) throw new Error("too large");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
