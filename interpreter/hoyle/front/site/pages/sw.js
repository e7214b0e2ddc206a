/** Keeps the files of the site that `build.py` lists, so that it works offline after the first visit. A new build
 * replaces all of them. */

const VERSION = "@@VERSION@@";
const FILES = /** @type {string[]} */ (JSON.parse('@@FILES@@'));
const POLICY = "@@POLICY@@";
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)).then(() => worker.skipWaiting()));
});
worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith("hoyle-") && name !== VERSION).map((name) => caches.delete(name)))).then(() => worker.clients.claim()));
});
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(find(event.request));
});

/** @param {Request} request */
async function find(request) {
  const cache = await caches.open(VERSION);
  const known = await cache.match(request, { ignoreSearch: true });
  if (known) return request.destination === "worker" ? guard(known) : known;
  const answer = await fetch(request);
  if (answer.ok && new URL(request.url).href.startsWith(worker.registration.scope)) cache.put(request, answer.clone()).catch(() => {});
  return answer;
}

/** The policy is sent as a header to a worker, which has none otherwise. @param {Response} answer */
function guard(answer) {
  const headers = new Headers(answer.headers);
  headers.set("Content-Security-Policy", POLICY);
  return new Response(answer.body, { status: answer.status, headers });
}
