/** What this browser keeps: tables and rule files, each as one record, so that two tabs do not write over each other. */

/** @type {Promise<IDBDatabase>} */
const opened = new Promise((resolve, reject) => {
  const asked = indexedDB.open("hoyle", 1);
  asked.onupgradeneeded = () => { asked.result.createObjectStore("tables"); asked.result.createObjectStore("files"); };
  asked.onsuccess = () => resolve(asked.result);
  asked.onerror = () => reject(asked.error);
});
opened.catch(() => { /* private windows may keep nothing */ });

/** @param {string} place @param {string} key @param {any} value null removes it */
async function put(place, key, value) {
  try {
    const store = (await opened).transaction(place, "readwrite").objectStore(place);
    if (value === null) store.delete(key);
    else store.put(value, key);
  } catch { /* storage is disabled or full */ }
}

/** @param {string} table @param {any} record */
export const keepTable = (table, record) => put("tables", table, record);
/** @param {string} name @param {string|null} text */
export const keepFile = (name, text) => put("files", name, text);

/** Everything kept, as JSON. @returns {Promise<string>} */
export async function readAll() {
  /** @type {any} */
  const found = { tables: {}, files: {} };
  try {
    const base = await opened;
    for (const place of ["tables", "files"]) {
      await new Promise((resolve, reject) => {
        const cursor = base.transaction(place).objectStore(place).openCursor();
        cursor.onerror = () => reject(cursor.error);
        cursor.onsuccess = () => {
          const at = cursor.result;
          if (!at) { resolve(null); return; }
          found[place][String(at.key)] = at.value;
          at.continue();
        };
      });
    }
  } catch { /* storage is disabled */ }
  return JSON.stringify(found);
}
