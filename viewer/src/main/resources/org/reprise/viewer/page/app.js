import { Backdrop } from "./drawing/backdrop.js";
import { drawGround, drawScale, fit, paintScene, PreviewImages, SCALE_HEIGHT } from "./drawing/canvas.js";
import { drawOverview } from "./drawing/overview.js";
import { savePng, saveSvg } from "./drawing/save.js";
import { drawCone, drawCurve, drawCut, drawDifferences, drawHandCut, drawLine, drawSelection, span } from "./drawing/selection.js";
import { currentTheme, toggleTheme } from "./drawing/theme.js";
import { moments } from "./layout/cut.js";
import { arrange, groupSize, ranksPerLane } from "./layout/lanes.js";
import { count, counted, duration } from "./layout/scale.js";
import { compose } from "./layout/scene.js";
import { indices, shiftFor, TileCache } from "./model/tiles.js";
import { ARRANGEMENTS, View } from "./model/view.js";
import { byId, element } from "./panels/dom.js";
import { listenToKeys } from "./panels/keys.js";
import { showLabels } from "./panels/labels.js";
import { listenToPointer } from "./panels/pointer.js";
import { Tabs } from "./panels/tabs.js";
import { revealed } from "./panels/travel.js";

/**
 * The page: holds the view, asks for what is in sight, and has it drawn. Model, layout and drawing know nothing of it.
 *
 * @typedef {import("./model/source.js").Source} Source
 * @typedef {import("./model/types.js").Run} Run
 * @typedef {import("./model/types.js").AxisKind} AxisKind
 * @typedef {import("./model/types.js").EventDetails} EventDetails
 * @typedef {import("./model/types.js").Cone} Cone
 * @typedef {import("./model/types.js").HandCut} HandCut
 * @typedef {import("./model/view.js").Arrangement} Arrangement
 * @typedef {import("./model/tiles.js").Window} Window
 * @typedef {import("./model/tiles.js").Tile} Tile
 * @typedef {import("./layout/scene.js").Frame} Frame
 * @typedef {import("./layout/scene.js").Scene} Scene
 * @typedef {import("./layout/scene.js").Curve} Curve
 * @typedef {import("./layout/lanes.js").Lanes} Lanes
 * @typedef {import("./drawing/backdrop.js").Sight} Sight
 */

/** The overview has fewer lanes than that. */
const OVERVIEW_LANES = 32;

/** Tabs that are lists of events stay when one is selected; its place is seen in the picture. */
const KEPT_TABS = ["events"];

/** Pauses between changes of the address: browsers allow a hundred in half a minute. */
const ADDRESS_MILLIS = 400;

export class App {
  /**
   * @param {Source} source
   * @param {Run} run
   */
  constructor(source, run) {
    this.source = source;
    this.run = run;
    this.view = new View(run);
    this.still = /** @type {HTMLCanvasElement} */ (byId("still"));
    this.live = /** @type {HTMLCanvasElement} */ (byId("live"));
    this.picture = byId("picture");
    this.overview = /** @type {HTMLCanvasElement} */ (byId("overview"));
    this.images = new PreviewImages();
    this.theme = currentTheme();
    const cache = (/** @type {string} */ question) =>
      new TileCache(
        (window) => source.table(question, { ...window }),
        (key) => {
          this.backdrop.outdate(`${question} ${key}`);
          this.redraw();
        },
      );
    this.lanes = cache("lanes");
    this.messages = cache("messages");
    this.backdrop = new Backdrop((sight) => this.paint(sight));
    /** @type {Partial<Record<AxisKind, import("./model/columns.js").Table>>} */
    this.whole = {};
    /** @type {Set<AxisKind>} of which an overview was asked for */
    this.overviewAsked = new Set();
    /** @type {EventDetails | null} */
    this.event = null;
    /** @type {Cone | null} */
    this.cone = null;
    /** @type {HandCut | null} the cut that was drawn by hand, and what the server says of it */
    this.hand = null;
    /** @type {Array<{x: number, y: number}>} a cut while it is drawn */
    this.line = [];
    /** @type {Map<number, string>} by its first rank: a group of ranks that belong together */
    this.groups = new Map();
    /** @type {number[][]} where lanes are groups: ranks that belong together */
    this.together = [];
    /** @type {Arrangement} what these come from */
    this.apart = "rank";
    /** @type {(() => void) | null} is called whenever the picture was drawn */
    this.watcher = null;
    /** @type {((name: string | null) => void) | null} is called when an event is selected */
    this.chosen = null;
    /** @type {Curve | null} */
    this.pointed = null;
    /** @type {Frame | null} */
    this.frame = null;
    /** @type {Scene | null} what is in sight, once somebody asked */
    this.composed = null;
    /** @type {{wishes: string, lanes: Lanes} | null} */
    this.arranged = null;
    this.tabs = new Tabs(this);
    this.drawing = false;
    this.tell = (/** @type {string} */ message) => {
      byId("status").textContent = message;
    };
    /** By rank: the number of its first event among all. */
    this.firsts = [0];
    for (const size of run.sizes) this.firsts.push(this.firsts[this.firsts.length - 1] + size);
  }

  async start() {
    this.describe();
    if (this.source.isAlone) await this.loadAll();
    this.view.restore(location.hash || (document.documentElement.dataset.tab === "races" ? "#axis=order&tab=races" : ""));
    listenToKeys(this);
    listenToPointer(this);
    this.listen();
    this.restored();
  }

  /** After the view was taken from the address. */
  restored() {
    void this.loadSelection(false);
    void this.loadCut();
    void this.loadGroups();
    this.tabs.show();
    this.redraw();
  }

  /** A page without a server has both axes as one tile each, which has every call. */
  async loadAll() {
    for (const axis of /** @type {AxisKind[]} */ (["time", "order"])) {
      const whole = { axis, shift: this.run.axes[axis].shift, index: 0, first: 0, ranks: this.run.ranks, per: 1 };
      await this.lanes.request(whole);
      await this.messages.request(whole);
    }
  }

  listen() {
    byId("axis-time").addEventListener("click", () => this.setAxis("time"));
    byId("axis-order").addEventListener("click", () => this.setAxis("order"));
    byId("whole").addEventListener("click", () => this.showAll());
    byId("theme").addEventListener("click", () => this.switchTheme());
    byId("help-open").addEventListener("click", () => this.help());
    byId("save-svg").addEventListener("click", () => saveSvg(this));
    byId("save-png").addEventListener("click", () => void savePng(this));
    byId("search").addEventListener("submit", (event) => {
      event.preventDefault();
      this.search(/** @type {HTMLInputElement} */ (byId("query")).value.trim());
    });
    window.addEventListener("popstate", () => {
      this.view.restore(location.hash);
      this.restored();
    });
    byId("arrange").addEventListener("change", () => this.arrangeBy(/** @type {Arrangement} */ (/** @type {HTMLSelectElement} */ (byId("arrange")).value)));
    new ResizeObserver(() => this.redraw()).observe(this.picture);
  }

  describe() {
    const { run } = this;
    document.title = `${run.name} · Reprise`;
    byId("title").textContent = run.name;
    byId("counts").replaceChildren(
      `${counted(run.ranks, "rank")} · ${counted(run.events, "event")} · `,
      element("button", { type: "button", class: "link", onclick: () => this.search("sent") }, counted(run.messages, "message")),
      " · ",
      element("button", { type: "button", class: `link${run.races ? " race" : ""}`, onclick: () => this.tabs.choose("races") }, counted(run.races, "race")),
    );
    this.tabs.describeLegend();
    const empty = byId("empty");
    if (run.events === 0) {
      empty.hidden = false;
      empty.replaceChildren(
        element("strong", {}, "This run has no events."),
        element("span", {}, "reprise events learns them from a replay; then open this page again."),
      );
    }
  }

  /** Keeps the view in the address; as a step to go back to if it is one. */
  remember(step = false) {
    const hash = this.view.hash() || location.pathname + location.search;
    if (step) {
      clearTimeout(this.remembering);
      if (location.hash !== this.view.hash()) history.pushState(null, "", hash);
      return;
    }
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => history.replaceState(null, "", this.view.hash() || location.pathname + location.search), ADDRESS_MILLIS);
  }

  /** Draws at the next frame; however often it is asked for, once. */
  redraw() {
    if (this.drawing) return;
    this.drawing = true;
    if (this.picture.dataset.pending === "0") this.picture.dataset.pending = "1";
    requestAnimationFrame(() => {
      this.drawing = false;
      this.draw();
    });
  }

  draw() {
    const { context, width, height } = fit(this.still);
    const sight = this.sight(width, height - SCALE_HEIGHT);
    this.frame = null;
    this.composed = null;
    context.save();
    context.beginPath();
    context.rect(0, SCALE_HEIGHT, width, sight.height);
    context.clip();
    context.translate(0, SCALE_HEIGHT);
    const again = this.backdrop.show(context, sight, this.theme.ground, performance.now());
    context.restore();
    drawScale(context, sight, this.theme);
    this.frame = this.makeFrame(sight);
    showLabels(this, this.frame);
    this.drawLive();
    this.drawOverview();
    this.report(this.backdrop.isExact(sight));
    this.watcher?.();
    if (again) this.redraw();
  }

  /**
   * @param {Sight} sight
   */
  paint(sight) {
    /** @type {Set<string>} */
    const missing = new Set();
    this.lanes.forget();
    this.messages.forget();
    const frame = this.makeFrame(sight, missing);
    const { theme, images } = this;
    const paint = function* (/** @type {CanvasRenderingContext2D} */ context) {
      drawGround(context, frame, theme);
      yield 1;
      yield* paintScene(context, compose(frame), theme, images);
    };
    return { missing, paint };
  }

  /** What is in sight, and where it stands. */
  get scene() {
    if (this.frame && !this.composed) this.composed = compose(this.frame);
    return this.composed;
  }

  drawLive() {
    const { frame } = this;
    if (!frame) return;
    const { context, width, height } = fit(this.live);
    context.clearRect(0, 0, width, height);
    context.save();
    context.beginPath();
    context.rect(0, SCALE_HEIGHT, width, height - SCALE_HEIGHT);
    context.clip();
    context.translate(0, SCALE_HEIGHT);
    if (this.cone && this.view.cone !== "none") drawCone(context, frame, this.cone, this.view.cone, this.theme);
    if (this.event) drawSelection(context, frame, this.event, this.theme);
    if (this.cone && this.view.cut) drawCut(context, frame, this.cone, this.theme);
    if (this.hand) drawHandCut(context, frame, this.hand, this.theme);
    if (this.run.differences.length > 0) drawDifferences(context, frame, this.run.differences, this.theme);
    if (this.line.length > 1) drawLine(context, this.line, this.theme);
    if (this.pointed) drawCurve(context, this.pointed, this.theme.accent, [], 2.4, this.theme);
    context.restore();
  }

  drawOverview() {
    const { axis, extent } = this.view;
    const table = this.whole[axis];
    if (!table) {
      let per = 1;
      while (this.run.ranks / per > OVERVIEW_LANES) per *= 2;
      const asked = { axis, shift: extent.shift, index: 0, first: 0, ranks: this.run.ranks, per, preview: 1 };
      if (!this.overviewAsked.has(axis)) {
        this.overviewAsked.add(axis);
        this.source.table("lanes", asked).then(
          (made) => {
            this.whole[axis] = made;
            this.redraw();
          },
          (error) => this.tell(String(error.message ?? error)),
        );
      }
    }
    drawOverview(this.overview, table ?? null, this.view, this.theme);
  }

  /**
   * What the view is to show.
   *
   * @param {number} width
   * @param {number} height
   * @returns {Sight}
   */
  sight(width, height) {
    const { view } = this;
    const { hidden, pinned, order, open } = view;
    const wishes = `${height} ${[...hidden]} ${[...pinned]} ${order} ${[...open]} ${this.apart} ${this.groups.size}`;
    if (this.arranged?.wishes !== wishes) this.arranged = { wishes, lanes: arrange(this.wishes, height) };
    const { lanes } = this.arranged;
    view.top = Math.max(0, Math.min(view.top, lanes.height - height));
    const looks = `${this.theme.ground} ${window.devicePixelRatio}`;
    return { axis: view.axis, from: view.from, to: view.to, width, height, top: view.top, lanes, length: view.extent.length, looks };
  }

  /** @returns {import("./layout/lanes.js").Wishes} */
  get wishes() {
    const { hidden, pinned, order, open } = this.view;
    return { ranks: this.run.ranks, hidden, pinned, order, open, groups: this.together, begins: new Set(this.groups.keys()) };
  }

  /**
   * A sight with the tiles that are there for it.
   *
   * @param {Sight} sight
   * @param {Set<string>} [missing] gets the others, which are asked for
   * @returns {Frame}
   */
  makeFrame(sight, missing) {
    const { view, run } = this;
    const { axis } = sight;
    const most = run.axes[axis].shift;
    const shift = shiftFor((sight.to - sight.from) / sight.width, most);
    const { seen, beside } = indices(sight.from, sight.to, shift, most);
    const per = ranksPerLane(run.ranks);
    const by = this.apart === "rank" ? {} : { by: this.apart };
    const all = { first: 0, ranks: run.ranks, per, ...by };
    const blocks = [all];
    const open = per > 1 ? [...view.open].sort((a, b) => a - b) : [];
    for (const first of open) blocks.push({ ...all, first, ranks: groupSize(this.wishes, first), per: 1 });
    const ends = open.length > 0 ? { open: open.join(".") } : {};
    /** @type {Set<Tile>} */
    const tiles = new Set();
    /** @type {Set<Tile>} */
    const messages = new Set();
    const add = (/** @type {"lanes" | "messages"} */ question, /** @type {Window} */ window, /** @type {Set<Tile>} */ to) => {
      const tile = this[question].get(window, most, missing !== undefined);
      if (tile) to.add(tile);
      if (!tile || (tile.window.shift !== shift && !tile.table.fields.complete)) missing?.add(`${question} ${TileCache.key(window)}`);
    };
    for (const index of seen) {
      for (const block of blocks) add("lanes", { axis, shift, index, ...block }, tiles);
      add("messages", { axis, shift, index, ...all, ...ends }, messages);
    }
    if (missing?.size === 0) {
      // Asked ahead, so that panning finds it there.
      for (const index of beside) this.lanes.get({ axis, shift, index, ...all }, most, true);
    }
    return { ...sight, tiles: [...tiles], messages: [...messages], ends: new Map(run.cutShort.map((end) => [end.rank, end[axis]])) };
  }

  /**
   * Says in words what the picture shows, when it has come to rest: for screen readers, and for tests.
   *
   * @param {boolean} isExact whether it shows all that there is
   */
  report(isExact) {
    const data = this.picture.dataset;
    const pending = this.lanes.pending + this.messages.pending;
    const failure = this.lanes.failure ?? this.messages.failure;
    if (failure) this.tell(`cannot load: ${failure}`);
    data.pending = String(isExact ? pending : Math.max(1, pending));
    if (!isExact || pending > 0) return;
    const scene = /** @type {Scene} */ (this.scene);
    const lanes = /** @type {Frame} */ (this.frame).lanes.lanes.length;
    const arrows = scene.curves.length;
    data.lanes = String(lanes);
    data.calls = String(scene.bars.length);
    data.arrows = String(arrows);
    data.races = String(scene.rings.reduce((sum, ring) => sum + ring.count, 0));
    data.bands = String(scene.bands.length);
    const previews = scene.previews.length > 0 ? ", with previews" : `, ${counted(scene.bars.length, "call")}`;
    this.picture.setAttribute(
      "aria-label",
      `Space-time diagram: ${counted(lanes, "lane")}${previews}, ${counted(arrows, "curve")}, ${data.races} races in sight`,
    );
    if (failure) return;
    if (scene.left > 0) this.tell(`${count(scene.left)} messages in thin bundles not drawn: zoom in`);
    else this.tell(`${duration(this.view.axis === "time" ? this.view.length : 0)}`.replace(/^0 ns$/, "logical order") + " in sight · ? for keys");
    byId("axis-time").setAttribute("aria-pressed", String(this.view.axis === "time"));
    byId("axis-order").setAttribute("aria-pressed", String(this.view.axis === "order"));
  }

  /**
   * @param {AxisKind} axis
   */
  setAxis(axis) {
    const around = this.event
      ? axis === "time"
        ? { start: this.event.start, end: this.event.end }
        : { start: this.event.orderStart, end: this.event.orderEnd }
      : null;
    this.view.setAxis(axis, around);
    this.changed(true);
  }

  /** After the view was changed. */
  changed(step = false) {
    this.remember(step);
    this.redraw();
    this.tabs.viewChanged();
  }

  showAll() {
    this.view.showAll();
    this.changed();
  }

  switchTheme() {
    toggleTheme();
    this.theme = currentTheme();
    this.redraw();
    this.tabs.show();
  }

  help() {
    const dialog = /** @type {HTMLDialogElement} */ (byId("help"));
    if (!dialog.open) dialog.showModal();
  }

  /**
   * @param {string | null} name
   * @param {boolean} reveal whether to bring it into sight
   */
  select(name, reveal) {
    if (name && !KEPT_TABS.includes(this.view.tab)) this.view.tab = "selection";
    this.view.selected = name;
    if (!name) {
      this.view.cone = "none";
      this.view.cut = false;
    }
    this.remember(true);
    this.chosen?.(name);
    return this.loadSelection(reveal);
  }

  /** @param {number} event its number among all */
  nameOf(event) {
    let rank = 0;
    while (this.firsts[rank + 1] <= event) rank++;
    return `${rank}:${event - this.firsts[rank]}`;
  }

  /** @param {boolean} reveal */
  async loadSelection(reveal) {
    const name = this.view.selected;
    this.cone = null;
    if (!name) {
      this.event = null;
      this.tabs.show();
      this.redraw();
      return;
    }
    try {
      /** @type {EventDetails} */
      const event = await this.source.json("event", { event: name });
      if (this.view.selected !== name) return;
      this.event = event;
      if (reveal) revealed(this, event);
      this.tabs.show();
      this.redraw();
      if (this.view.cone !== "none" || this.view.cut) await this.loadCone();
    } catch (error) {
      this.tell(error instanceof Error ? error.message : String(error));
    }
  }

  async loadCone() {
    const name = this.view.selected;
    if (!name) return;
    const cone = await this.source.json("cone", { event: name });
    if (this.view.selected === name) {
      this.cone = cone;
      this.redraw();
    }
  }

  /** @param {"none" | "past" | "future" | "both"} which */
  showCone(which) {
    if (!this.event) return;
    this.view.cone = which;
    this.remember(true);
    this.tabs.show();
    if (which === "none" || this.cone) this.redraw();
    else void this.loadCone();
  }

  /** @param {boolean} shown */
  showCut(shown) {
    if (!this.event) return;
    this.view.cut = shown;
    this.remember(true);
    this.tabs.show();
    if (!shown || this.cone) this.redraw();
    else void this.loadCone();
  }

  /** Takes the line that was drawn as a cut. */
  drawCut() {
    const { frame, line } = this;
    this.line = [];
    if (frame && line.length > 1) void this.askCut({ axis: frame.axis, at: moments(frame, line) });
  }

  /** A cut straight down, through the selected event or the middle: the way to draw one by keyboard. */
  drawStraightCut() {
    const { frame } = this;
    if (!frame) return;
    const at = this.event ? span(this.event, frame).end : (frame.from + frame.to) / 2;
    const x = ((at - frame.from) / (frame.to - frame.from)) * frame.width;
    this.line = [{ x, y: -frame.top }, { x, y: frame.lanes.height - frame.top }];
    this.drawCut();
  }

  /** @param {string} text of a cut; empty for none */
  setCut(text) {
    this.view.hand = text;
    this.remember(true);
    void this.loadCut();
  }

  async loadCut() {
    const { hand } = this.view;
    if (!hand) {
      this.hand = null;
      this.tabs.show();
      this.redraw();
    } else if (this.hand?.cut.text !== hand) {
      await this.askCut({ cut: hand });
    }
  }

  /** @param {Record<string, string>} asked */
  async askCut(asked) {
    try {
      this.hand = /** @type {HandCut} */ (await this.source.json("cut", asked));
      this.view.hand = this.hand.cut.text;
      this.view.tab = "cut";
      this.remember(true);
      this.tell(this.hand.consistent ? "a run can be here" : "no run can be here: see what crosses it");
    } catch (error) {
      this.hand = null;
      this.tell(error instanceof Error ? error.message : String(error));
    }
    this.tabs.show();
    this.redraw();
  }

  /** @param {Arrangement} by */
  arrangeBy(by) {
    this.view.arrangement = by;
    this.view.order = [];
    this.view.open.clear();
    this.remember(true);
    return this.loadGroups();
  }

  /** By rank, by communicator, by behaviour, and round again. */
  arrangeNext() {
    void this.arrangeBy(ARRANGEMENTS[(ARRANGEMENTS.indexOf(this.view.arrangement) + 1) % ARRANGEMENTS.length]);
  }

  async loadGroups() {
    const by = this.view.arrangement;
    /** @type {HTMLSelectElement} */ (byId("arrange")).value = by;
    this.groups = new Map();
    this.together = [];
    this.apart = "rank";
    if (by !== "rank") {
      try {
        const groups = /** @type {import("./model/types.js").RankGroup[]} */ (await this.source.json("groups", { by }));
        if (this.view.arrangement !== by) return;
        if (ranksPerLane(this.run.ranks) > 1) {
          this.together = groups.map((group) => group.ranks);
          this.apart = by;
        } else if (this.view.order.length === 0) {
          this.view.order = groups.flatMap((group) => group.ranks);
        }
        for (const group of groups) this.groups.set(group.ranks[0], `${group.name}: ${counted(group.ranks.length, "rank")}`);
      } catch (error) {
        this.tell(error instanceof Error ? error.message : String(error));
      }
    }
    this.redraw();
  }

  /** @param {string} query */
  search(query) {
    this.view.query = query;
    this.view.tab = "events";
    this.remember(true);
    this.tabs.show();
  }
}
