import { TABS } from "../model/view.js";
import { cutPanel } from "./cut.js";
import { byId, element } from "./dom.js";
import { eventsPanel } from "./events.js";
import { fillHelp } from "./help.js";
import { racesPanel } from "./races.js";
import { selectionPanel } from "./selection.js";
import { statisticsPanel } from "./statistics.js";
import { timesPanel } from "./times.js";

/**
 * The details below the picture, a tab at a time.
 *
 * @typedef {import("../app.js").App} App
 */

/** A table of what is in sight follows the view when it has come to rest. */
const REST_MILLIS = 250;

export class Tabs {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.shown = 0;
    fillHelp(/** @type {HTMLDialogElement} */ (byId("help")));
    const tabs = byId("tabs");
    tabs.replaceChildren(
      ...TABS.map((tab) =>
        element(
          "button",
          { type: "button", role: "tab", id: `tab-${tab}`, "aria-controls": "panel", onclick: () => this.choose(tab) },
          tab,
        ),
      ),
    );
    tabs.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      const next = TABS[(TABS.indexOf(app.view.tab) + by + TABS.length) % TABS.length];
      this.choose(next);
      byId(`tab-${next}`).focus();
    });
  }

  /** @param {string} tab */
  choose(tab) {
    this.app.view.tab = tab;
    this.app.remember(true);
    this.show();
  }

  show() {
    const { view } = this.app;
    for (const tab of TABS) {
      const button = byId(`tab-${tab}`);
      button.setAttribute("aria-selected", String(tab === view.tab));
      button.tabIndex = tab === view.tab ? 0 : -1;
    }
    byId("panel").setAttribute("aria-labelledby", `tab-${view.tab}`);
    const number = ++this.shown;
    const panel = byId("panel");
    Promise.resolve(this.content()).then(
      (nodes) => {
        if (number !== this.shown) return;
        panel.replaceChildren(...nodes);
        panel.dataset.tab = view.tab;
      },
      (error) => {
        if (number === this.shown) panel.replaceChildren(element("p", {}, String(error.message ?? error)));
      },
    );
  }

  /** @returns {Promise<Node[]> | Node[]} */
  content() {
    const { app } = this;
    switch (app.view.tab) {
      case "races":
        return racesPanel(app);
      case "events":
        return eventsPanel(app);
      case "statistics":
        return statisticsPanel(app);
      case "times":
        return timesPanel(app);
      case "cut":
        return cutPanel(app);
      default:
        return selectionPanel(app, app.event);
    }
  }

  viewChanged() {
    const { tab, query } = this.app.view;
    if (tab !== "times" && (tab !== "events" || query)) return;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.show(), REST_MILLIS);
  }

  describeLegend() {
    const swatch = (/** @type {string} */ state, /** @type {string} */ words) => {
      const box = element("i", {});
      box.style.background = `var(--state-${state})`;
      return element("span", {}, box, words);
    };
    const ring = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    ring.setAttribute("viewBox", "0 0 22 14");
    ring.setAttribute("aria-hidden", "true");
    const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [name, value] of [["cx", "11"], ["cy", "7"], ["r", "5"], ["fill", "none"], ["stroke", "var(--race)"], ["stroke-width", "2"]]) circle.setAttribute(name, value);
    ring.append(circle);
    byId("legend").replaceChildren(
      swatch("computing", "computing"),
      swatch("calling", "in a send or another short call"),
      swatch("polling", "polling"),
      swatch("collective", "in a collective"),
      swatch("waiting", "in a wait"),
      swatch("receiving", "in a receive"),
      element("span", {}, ring, "a receive that could have got another message"),
      ...(this.app.run.cutShort.length > 0 ? [element("span", {}, "⌇ the rank ends here")] : []),
    );
  }
}
