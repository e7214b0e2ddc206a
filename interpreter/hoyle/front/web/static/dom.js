/** Creates DOM elements without parsing HTML, so that text can never be interpreted as markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Create an element from its name with classes (`button.big`), attributes and children. Attributes that are false or
 * null are omitted; functions become event listeners; `style` takes an object of properties, set by a method that the
 * Content-Security-Policy allows.
 *
 * @param {string} kind
 * @param {Object<string, any>|null} [known]
 * @param {...(Node|string|number|null|undefined|false|any[])} children
 * @returns {HTMLElement}
 */
export function h(kind, known, ...children) {
  const [name, ...classes] = kind.split(".");
  return /** @type {HTMLElement} */ (fill(document.createElement(name), classes, known, children));
}

/**
 * @param {string} kind
 * @param {Object<string, any>|null} [known]
 * @param {...(Node|string|number|null|undefined|false|any[])} children
 * @returns {SVGElement}
 */
export function s(kind, known, ...children) {
  const [name, ...classes] = kind.split(".");
  return /** @type {SVGElement} */ (fill(document.createElementNS(SVG, name), classes, known, children));
}

/**
 * @param {Element} made
 * @param {string[]} classes
 * @param {Object<string, any>|null|undefined} known
 * @param {any[]} children
 */
function fill(made, classes, known, children) {
  if (classes.length) made.classList.add(...classes);
  for (const [name, value] of Object.entries(known ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    else if (name === "style") for (const [key, each] of Object.entries(value)) /** @type {any} */ (made).style.setProperty(key, String(each));
    else if (name === "class") made.classList.add(...String(value).split(" ").filter(Boolean));
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    made.append(child instanceof Node ? child : String(child));
  }
  return made;
}

/**
 * Open a modal dialog, closed by Escape, its button, or a click on the backdrop; closing restores the focus.
 *
 * @param {string} title
 * @param {any[]} content
 * @param {{close: string, kind?: string}} known
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, content, { close, kind = "" }) {
  const held = /** @type {HTMLElement|null} */ (document.activeElement);
  const dialog = /** @type {HTMLDialogElement} */ (
    h("dialog", { class: kind, "aria-label": title },
      h("header", null, h("h2", null, title),
        h("button.icon", { type: "button", "aria-label": close, title: close, click: () => dialog.close() }, "×")),
      h("div.body", { tabindex: "-1" }, ...content)));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => { dialog.remove(); if (held?.isConnected) held.focus(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Show a short message that disappears by itself; with `lasts` 0, it stays.
 *
 * @param {any} content
 * @param {{lasts?: number, kind?: string, close?: string}} [known]
 */
export function toast(content, { lasts = 5000, kind = "", close = "" } = {}) {
  const holder = /** @type {HTMLElement} */ (document.getElementById("toasts"));
  const made = h("div.toast", { class: kind }, content,
    h("button.icon", { type: "button", "aria-label": close || "×", click: () => made.remove() }, "×"));
  holder.replaceChildren(made);
  if (lasts) setTimeout(() => made.remove(), lasts);
}

/** Remove all messages. */
export function clearToasts() {
  document.getElementById("toasts")?.replaceChildren();
}
