/** Shows the states of a table one after the other, each for as long as it deserves to be looked at. */

import { pauseFactor } from "./settings.js";

/** How long a state stands, in milliseconds at the usual speed; a full table in the middle stands without motion, too. */
const FULL = 1200, SCORED = 1000, MOVED = 460, TOLD = 550, ROUND_WATCHED = 6000;
/** With more states than this waiting, the table has fallen behind: they pass at once. */
const MOST_WAITING = 40;

export class Beats {
  /** @param {(shown: import("./types.js").Shown, next: import("./types.js").Shown|null) => void} show */
  constructor(show) {
    this.show = show;
    /** @type {import("./types.js").Shown[]} */
    this.waiting = [];
    this.timer = 0;
    /** @type {import("./types.js").Shown|null} the state that stands now, until its time has passed */
    this.standing = null;
  }

  /** @param {import("./types.js").Shown} shown */
  take(shown) {
    if (shown.fresh) this.clear();
    this.waiting.push(shown);
    if (this.standing === null) this.goOn();
  }

  /** Whether the state that stands waits for a click. */
  get isHeld() {
    return this.standing?.pause === "round" && this.standing.view.seat !== null;
  }

  /** Pass over what stands now. */
  skip() {
    if (this.standing === null) return false;
    this.standing = null;
    this.goOn();
    return true;
  }

  goOn() {
    clearTimeout(this.timer);
    this.standing = null;
    while (this.waiting.length) {
      const shown = /** @type {import("./types.js").Shown} */ (this.waiting.shift());
      this.show(shown, this.waiting[0] ?? null);
      const time = this.timeOf(shown);
      if (time > 0) {
        this.standing = shown;
        if (!this.isHeld) this.timer = setTimeout(() => this.goOn(), time);
        return;
      }
    }
  }

  /** @param {import("./types.js").Shown} shown */
  timeOf(shown) {
    if (!shown.pause || shown.fresh) return 0;
    if (shown.pause === "round") return shown.view.seat === null ? ROUND_WATCHED * pauseFactor() : Infinity;
    if (document.hidden || this.waiting.length > MOST_WAITING) return 0;
    if (shown.pause === "full") return FULL * pauseFactor();
    const most = Math.max(0, ...shown.log.map((news) => (news.kind === "scored" ? SCORED : news.moves.length ? MOVED : TOLD)));
    return most * pauseFactor();
  }

  clear() {
    clearTimeout(this.timer);
    this.waiting = [];
    this.standing = null;
  }
}
