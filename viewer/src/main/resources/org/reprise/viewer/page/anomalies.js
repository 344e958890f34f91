import { drawTasks, ROW, taskLegend, taskSvg } from "./drawing/tasks.js";
import { initTheme, toggleTheme } from "./drawing/theme.js";
import { arrangeTasks, matching } from "./layout/tasks.js";
import { counted } from "./layout/scale.js";
import { byId, download, element, row, table } from "./panels/dom.js";

/**
 * The page of what reprise check found: tasks as lanes from fork to join, and in them the accesses that met. The texts of the
 * findings are in the page already, for those who read without scripts, too; one at a time is shown.
 *
 * @typedef {import("./layout/tasks.js").Finding} Finding
 * @typedef {"selection" | "findings"} Tab
 */

/** With more lanes than that the tasks of one finding are shown. */
const LANES_MAX = 60;
const LABELS = 300;

/** @type {Tab[]} */
const TABS = ["selection", "findings"];

/** @type {Array<[string, string]>} */
const KEYS = [
  ["n N", "next and previous finding"],
  ["[ ]", "to the first and to the second of its accesses"],
  ["W S", "zoom in and out; so does the wheel"],
  ["A D", "left and right; so does dragging"],
  ["0", "the whole run"],
  ["F", "zoom to the selected finding"],
  ["O", "the tasks of all findings, or of the selected one"],
  ["/", "search"],
  ["E", "the findings as a table"],
  ["T", "light or dark"],
  ["Esc", "select nothing"],
  ["?", "this help"],
];

class AnomaliesPage {
  constructor() {
    /** @type {{subject: string, summary: string, findings: Finding[]}} */
    const { subject, summary, findings } = JSON.parse(byId("findings").textContent ?? "");
    this.findings = findings;
    this.selected = -1;
    /** @type {Tab} */
    this.tab = "selection";
    this.query = "";
    this.from = 0;
    this.to = 1;
    this.alone = false;
    this.articles = /** @type {HTMLElement[]} */ ([...byId("panel").querySelectorAll("article")]);
    this.summary = element("section", {}, ...[...byId("panel").children].filter((one) => one.tagName !== "ARTICLE"));
    document.title = `${subject} · Reprise`;
    byId("title").textContent = subject;
    byId("counts").replaceChildren(element("span", { class: findings.length > 0 ? "race" : "" }, summary));
    byId("legend").replaceChildren(...taskLegend());
    byId("status").textContent = findings.length > 0 ? "n for the next finding · ? for keys" : "? for keys";
    this.fillHelp();
    this.makeTabs();
    this.listen();
    this.restore();
  }

  get picture() {
    const all = arrangeTasks(this.findings, () => true);
    if (!this.alone && all.lanes.length <= LANES_MAX) return all;
    const shown = Math.max(0, this.selected);
    return arrangeTasks(this.findings, (finding) => finding === shown);
  }

  makeTabs() {
    byId("tabs").replaceChildren(
      ...TABS.map((tab) => element("button", { type: "button", role: "tab", id: `tab-${tab}`, "aria-controls": "panel", onclick: () => this.show({ tab }) }, tab)),
    );
    byId("tabs").addEventListener("keydown", (event) => {
      if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
      event.preventDefault();
      const next = TABS[1 - TABS.indexOf(this.tab)];
      this.show({ tab: next });
      byId(`tab-${next}`).focus();
    });
  }

  fillHelp() {
    byId("help").replaceChildren(
      element("h2", { id: "help-title" }, "What can be done here"),
      element("p", {}, "Each lane is a task, from where it was forked to where it was joined. Time goes from left to right only along forks and joins: tasks that nothing orders stand above each other. Click a ring to see both accesses."),
      element("dl", {}, ...KEYS.flatMap(([keys, what]) => [element("dt", {}, ...keys.split(" ").flatMap((key) => [element("kbd", {}, key), " "])), element("dd", {}, what)])),
      element("form", { method: "dialog" }, element("button", { autofocus: true }, "close")),
    );
  }

  /**
   * @param {Partial<{selected: number, tab: Tab, query: string}>} change
   */
  show(change) {
    Object.assign(this, change);
    if (location.hash !== this.hash()) history.pushState(null, "", this.hash() || location.pathname + location.search);
    this.draw();
  }

  hash() {
    const fields = new URLSearchParams();
    if (this.selected >= 0) fields.set("finding", String(this.selected + 1));
    if (this.tab !== "selection") fields.set("tab", this.tab);
    if (this.query) fields.set("search", this.query);
    if (this.alone) fields.set("alone", "1");
    const { columns } = this.picture;
    if (this.from > -0.5 || this.to < columns - 0.5) {
      fields.set("from", this.from.toFixed(3));
      fields.set("to", this.to.toFixed(3));
    }
    const text = fields.toString();
    return text ? `#${text}` : "";
  }

  restore() {
    const fields = new URLSearchParams(location.hash.replace(/^#/, ""));
    const number = Number(fields.get("finding"));
    this.selected = Number.isInteger(number) && number >= 1 && number <= this.findings.length ? number - 1 : -1;
    this.tab = fields.get("tab") === "findings" ? "findings" : "selection";
    this.query = fields.get("search") ?? "";
    this.alone = fields.get("alone") === "1";
    /** @type {HTMLInputElement} */ (byId("query")).value = this.query;
    const from = Number.parseFloat(fields.get("from") ?? "");
    const to = Number.parseFloat(fields.get("to") ?? "");
    if (to > from) this.look(from, to);
    else this.whole();
  }

  draw() {
    const { picture } = this;
    const stage = byId("picture");
    const { scrollTop } = stage;
    const width = stage.clientWidth;
    const labels = Math.min(LABELS, width / 3);
    const sight = { from: this.from, to: this.to, width, labels, selected: this.selected };
    stage.replaceChildren(
      picture.lanes.length > 0
        ? drawTasks(picture, this.findings, sight, (finding) => this.show({ selected: finding, tab: "selection" }))
        : element("div", { class: "empty" }, element("strong", {}, "Nothing met.")),
    );
    stage.scrollTop = scrollTop;
    stage.dataset.lanes = String(picture.lanes.length);
    stage.dataset.accesses = String(picture.marks.length);
    stage.setAttribute("aria-label", `Tasks from fork to join: ${counted(picture.lanes.length, "task")}, ${counted(picture.marks.length, "access", "accesses")}`);
    this.showPanel();
  }

  showPanel() {
    const panel = byId("panel");
    for (const tab of TABS) {
      byId(`tab-${tab}`).setAttribute("aria-selected", String(tab === this.tab));
      byId(`tab-${tab}`).tabIndex = tab === this.tab ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", `tab-${this.tab}`);
    if (this.tab === "findings") panel.replaceChildren(...this.list());
    else if (this.selected >= 0) panel.replaceChildren(this.articles[this.selected]);
    else panel.replaceChildren(...this.firstVisit());
  }

  firstVisit() {
    const { findings } = this;
    return [
      element("h2", {}, findings.length > 0 ? "Nothing is selected" : "Nothing was found"),
      findings.length > 0
        ? element("p", {}, "Each lane is a task, and a ring is an access that met another. ", element("button", { type: "button", onclick: () => this.next(1) }, "go to the first finding (n)"))
        : element("p", {}, "No two accesses of this run depend on the schedule for their order."),
      this.summary,
      ...(findings.length > 0 ? this.list().slice(1) : []),
    ];
  }

  list() {
    const found = matching(this.findings, this.query);
    const rows = found.map((i) => {
      const { id, title, rule, place } = this.findings[i];
      const open = element("button", { type: "button", class: "link", onclick: () => this.show({ selected: i, tab: "selection" }) }, title);
      const made = row(open, place, rule, id);
      if (i === this.selected) made.className = "chosen";
      return made;
    });
    return [
      element("h2", {}, this.query ? `${counted(found.length, "finding")} for ${this.query}` : counted(found.length, "finding")),
      found.length > 0 ? table(["what", "place", "rule", "id"], "select one to see both accesses", rows) : element("p", {}, "Try fewer words."),
    ];
  }

  /** @param {number} by */
  next(by) {
    const found = matching(this.findings, this.query);
    if (found.length === 0) return;
    const at = found.indexOf(this.selected);
    this.show({ selected: found[at < 0 ? (by > 0 ? 0 : found.length - 1) : (at + by + found.length) % found.length], tab: "selection" });
    this.reveal();
  }

  reveal() {
    const { picture } = this;
    const marks = picture.marks.filter((mark) => mark.finding === this.selected);
    if (marks.length === 0) return;
    const at = marks.map((mark) => mark.at);
    if (Math.min(...at) < this.from || Math.max(...at) > this.to) this.focus();
    byId("picture").scrollTop = Math.max(0, Math.min(...marks.map((mark) => mark.lane)) * ROW - ROW);
  }

  focus() {
    const at = this.picture.marks.filter((mark) => mark.finding === this.selected).map((mark) => mark.at);
    if (at.length > 0) this.look(Math.min(...at) - 2, Math.max(...at) + 2);
  }

  whole() {
    this.look(-Infinity, Infinity);
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  look(from, to) {
    const { columns } = this.picture;
    const most = columns + 1;
    const length = Math.max(2, Math.min(to - from, most));
    const middle = Number.isFinite(from + to) ? (from + to) / 2 : columns / 2 - 0.5;
    this.from = Math.max(-1, Math.min(middle - length / 2, columns - length));
    this.to = this.from + length;
    history.replaceState(null, "", this.hash() || location.pathname + location.search);
    this.draw();
  }

  /**
   * @param {number} factor
   * @param {number} at
   */
  zoom(factor, at = (this.from + this.to) / 2) {
    this.look(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }

  /** @param {number} share */
  pan(share) {
    const by = share * (this.to - this.from);
    this.look(this.from + by, this.to + by);
  }

  save() {
    const svg = byId("picture").querySelector("svg");
    if (svg) download(new Blob([taskSvg(svg)], { type: "image/svg+xml" }), "tasks.svg");
  }

  /** @param {number} which of the two accesses */
  access(which) {
    if (this.selected < 0) return;
    const sections = [...this.articles[this.selected].querySelectorAll("section")];
    // The text begins with the one that came to light last.
    const section = sections[sections.length - 1 - which] ?? sections[0];
    section.tabIndex = -1;
    section.focus();
    section.scrollIntoView({ block: "nearest" });
  }

  /** @type {Record<string, () => void>} */
  actions = {
    n: () => this.next(1),
    N: () => this.next(-1),
    "[": () => this.access(0),
    "]": () => this.access(1),
    w: () => this.zoom(0.7),
    s: () => this.zoom(1 / 0.7),
    a: () => this.pan(-0.15),
    d: () => this.pan(0.15),
    0: () => this.whole(),
    f: () => this.focus(),
    o: () => {
      this.alone = !this.alone;
      this.whole();
    },
    "/": () => byId("query").focus(),
    e: () => this.show({ tab: "findings" }),
    t: () => toggleTheme(),
    "?": () => /** @type {HTMLDialogElement} */ (byId("help")).showModal(),
    Escape: () => this.show({ selected: -1 }),
  };

  listen() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || /** @type {HTMLDialogElement} */ (byId("help")).open) return;
      if (event.target instanceof HTMLInputElement) {
        if (event.key === "Escape") byId("picture").focus();
        return;
      }
      const act = this.actions[event.key.length === 1 && event.key !== "N" ? event.key.toLowerCase() : event.key];
      if (act) {
        event.preventDefault();
        act();
      }
    });
    byId("search").addEventListener("submit", (event) => {
      event.preventDefault();
      this.show({ query: /** @type {HTMLInputElement} */ (byId("query")).value.trim(), tab: "findings" });
    });
    byId("whole").addEventListener("click", () => this.whole());
    byId("theme").addEventListener("click", () => toggleTheme());
    byId("help-open").addEventListener("click", () => this.actions["?"]());
    byId("save-svg").addEventListener("click", () => this.save());
    window.addEventListener("popstate", () => this.restore());
    const picture = byId("picture");
    picture.addEventListener("wheel", (event) => {
      if (event.altKey || picture.scrollHeight > picture.clientHeight + 1 && !event.shiftKey && !event.ctrlKey) return;
      event.preventDefault();
      const share = event.offsetX / picture.clientWidth;
      this.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.0022))), this.from + share * (this.to - this.from));
    }, { passive: false });
    let held = false;
    picture.addEventListener("pointerdown", () => {
      held = true;
    });
    window.addEventListener("pointerup", () => {
      held = false;
    });
    picture.addEventListener("pointermove", (event) => {
      if (held && event.buttons === 1) this.pan(-event.movementX / picture.clientWidth);
    });
    new ResizeObserver(() => this.draw()).observe(picture);
  }
}

initTheme();
new AnomaliesPage();
