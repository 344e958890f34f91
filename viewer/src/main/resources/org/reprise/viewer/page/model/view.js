/**
 * What the user looks at: axis, stretch, lanes, selection. The address of the page holds all of it, so that a view can be
 * kept, shared, and gone back to.
 *
 * @typedef {import("./types.js").AxisKind} AxisKind
 * @typedef {import("./types.js").Run} Run
 */

export const TABS = ["selection", "races", "events", "statistics", "times", "cut"];

/** @typedef {"rank" | "communicator" | "behaviour"} Arrangement */

/** @type {Arrangement[]} */
export const ARRANGEMENTS = ["rank", "communicator", "behaviour"];

/** The stretch is never shorter than that. */
const SHORTEST = 4;

export class View {
  /** @param {Run} run */
  constructor(run) {
    this.run = run;
    /** @type {AxisKind} */
    this.axis = "time";
    this.from = 0;
    this.to = 1;
    /** @type {string | null} rank and number of the selected event */
    this.selected = null;
    /** @type {"none" | "past" | "future" | "both"} which cones of the selected event are shown */
    this.cone = "none";
    /** Whether the consistent cut through the selected event is shown. */
    this.cut = false;
    /** A cut that was drawn by hand, in words; empty if none was. */
    this.hand = "";
    /** @type {Arrangement} what the order of the ranks comes from */
    this.arrangement = "rank";
    this.tab = "selection";
    this.query = "";
    /** @type {Set<number>} */
    this.hidden = new Set();
    /** @type {Set<number>} */
    this.pinned = new Set();
    /** @type {number[]} ranks that were moved, in their order before all others */
    this.order = [];
    /** @type {Set<number>} groups of ranks that were opened, by their first place */
    this.open = new Set();
    /** How far the lanes are scrolled, in pixels. */
    this.top = 0;
    this.showAll();
  }

  get extent() {
    return this.run.axes[this.axis];
  }

  get length() {
    return this.to - this.from;
  }

  showAll() {
    const margin = this.extent.length * 0.015;
    this.from = -margin;
    this.to = this.extent.length + margin;
  }

  get isWhole() {
    return this.from <= 0 && this.to >= this.extent.length;
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  show(from, to) {
    const whole = this.extent.length * 1.03;
    const length = Math.min(whole, Math.max(SHORTEST, to - from));
    const least = -this.extent.length * 0.015;
    const middle = (from + to) / 2;
    this.from = Math.max(least, Math.min(middle - length / 2, least + whole - length));
    this.to = this.from + length;
  }

  /**
   * Zooms around a point that stays where it is.
   *
   * @param {number} at
   * @param {number} factor
   */
  zoom(at, factor) {
    const length = Math.min(this.extent.length * 1.03, Math.max(SHORTEST, this.length * factor));
    const share = (at - this.from) / this.length;
    this.from = at - share * length;
    this.to = this.from + length;
    this.show(this.from, this.to);
  }

  /** @param {number} share of the stretch */
  pan(share) {
    this.show(this.from + share * this.length, this.to + share * this.length);
  }

  /**
   * Goes to the other axis and keeps about the same part of the run in sight.
   *
   * @param {AxisKind} axis
   * @param {{start: number, end: number} | null} around where the selected event is there
   */
  setAxis(axis, around) {
    if (axis === this.axis) return;
    const share = this.length / this.extent.length;
    this.axis = axis;
    if (share >= 0.98) {
      this.showAll();
    } else {
      const middle = around ? (around.start + around.end) / 2 : this.extent.length / 2;
      const half = (share * this.extent.length) / 2;
      this.show(middle - half, middle + half);
    }
  }

  /** The view as the end of an address. */
  hash() {
    const fields = new URLSearchParams();
    if (this.axis !== "time") fields.set("axis", this.axis);
    if (!this.isWhole) {
      fields.set("from", this.from.toPrecision(15).replace(/\.?0+$/, ""));
      fields.set("to", this.to.toPrecision(15).replace(/\.?0+$/, ""));
    }
    if (this.selected) fields.set("event", this.selected);
    if (this.cone !== "none") fields.set("cone", this.cone);
    if (this.cut) fields.set("cut", "1");
    if (this.hand) fields.set("hand", this.hand);
    if (this.arrangement !== "rank") fields.set("by", this.arrangement);
    if (this.tab !== "selection") fields.set("tab", this.tab);
    if (this.query) fields.set("search", this.query);
    if (this.hidden.size) fields.set("hide", [...this.hidden].join("."));
    if (this.pinned.size) fields.set("pin", [...this.pinned].join("."));
    if (this.order.length) fields.set("order", this.order.join("."));
    if (this.open.size) fields.set("open", [...this.open].join("."));
    const text = fields.toString();
    return text ? `#${text.replaceAll("%3A", ":").replaceAll("%2C", ",")}` : "";
  }

  /** @param {string} hash */
  restore(hash) {
    const fields = new URLSearchParams(hash.replace(/^#/, ""));
    const ranks = (/** @type {string} */ name) =>
      (fields.get(name) ?? "")
        .split(".")
        .filter((text) => /^\d+$/.test(text))
        .map(Number)
        .filter((rank) => rank < this.run.ranks);
    this.axis = fields.get("axis") === "order" ? "order" : "time";
    const from = Number.parseFloat(fields.get("from") ?? "");
    const to = Number.parseFloat(fields.get("to") ?? "");
    if (Number.isFinite(from) && Number.isFinite(to) && to > from) this.show(from, to);
    else this.showAll();
    const event = fields.get("event") ?? "";
    this.selected = /^\d+:\d+$/.test(event) ? event : null;
    const cone = fields.get("cone");
    this.cone = cone === "past" || cone === "future" || cone === "both" ? cone : "none";
    this.cut = fields.get("cut") === "1";
    const hand = fields.get("hand") ?? "";
    this.hand = /^[\d,+]*$/.test(hand) ? hand : "";
    this.arrangement = ARRANGEMENTS.find((one) => one === fields.get("by")) ?? "rank";
    const tab = fields.get("tab") ?? "selection";
    this.tab = TABS.includes(tab) ? tab : "selection";
    this.query = fields.get("search") ?? "";
    this.hidden = new Set(ranks("hide"));
    this.pinned = new Set(ranks("pin"));
    this.order = [...new Set(ranks("order"))];
    this.open = new Set(ranks("open"));
  }
}
