import { bytes, count, counted, duration } from "../layout/scale.js";
import { RACING } from "../model/types.js";
import { element, row, table } from "./dom.js";
import { eventLink } from "./selection.js";

/**
 * Events as a table: those in sight, which is the picture for those who do not see it, or those that were searched for.
 *
 * @typedef {import("../app.js").App} App
 * @typedef {import("../model/types.js").EventSummary} EventSummary
 */

/**
 * @param {App} app
 * @returns {Promise<Node[]>}
 */
export async function eventsPanel(app) {
  return app.view.query ? found(app) : inSight(app);
}

/**
 * @param {App} app
 * @returns {Promise<Node[]>}
 */
async function inSight(app) {
  const { view } = app;
  const { rows, all } = await app.source.json("events", {
    axis: view.axis,
    from: Math.max(0, Math.floor(view.from)),
    to: Math.ceil(view.to),
    first: 0,
    ranks: app.run.ranks,
  });
  const shown = rows.length < all ? `the first ${count(rows.length)} of ` : "";
  return [
    element("h2", {}, "Events in sight"),
    eventTable(app, rows, `${shown}${counted(all, "event")} between ${place(app, view.from)} and ${place(app, view.to)}, rank by rank`),
  ];
}

/**
 * @param {App} app
 * @param {number} at
 */
function place(app, at) {
  return app.view.axis === "time" ? duration(Math.max(0, at)) : count(Math.round(Math.max(0, at)));
}

/**
 * @param {App} app
 * @returns {Promise<Node[]>}
 */
async function found(app) {
  const { hits, count: all, unknown } = await app.source.json("search", { query: app.view.query, after: -1 });
  if (unknown.length > 0) {
    return [
      element("h2", {}, `What is ${unknown.join(" and ")}?`),
      element("p", {}, "Words are parts of a call's name or of its place in the source; or racing, forced, unreceived, wildcard; or rank:2, peer:3, tag:5, size>1k, longer>1ms."),
    ];
  }
  const shown = [...hits];
  const list = element("div", {});
  const more = element("button", { type: "button" });
  const show = () => {
    list.replaceChildren(eventTable(app, shown, shown.length < all ? `the first ${count(shown.length)} of ${count(all)}` : "all of them"));
    more.hidden = shown.length >= all;
    more.textContent = `show ${count(Math.min(all - shown.length, hits.length))} more`;
  };
  more.addEventListener("click", async () => {
    const next = await app.source.json("search", { query: app.view.query, after: shown[shown.length - 1].event });
    shown.push(...next.hits);
    show();
  });
  show();
  return [
    element("h2", {}, `${counted(all, "event")} found for ${app.view.query}`),
    element("div", { class: "row" }, element("button", { type: "button", onclick: () => app.search("") }, "show the events in sight instead")),
    ...(all === 0 ? [element("p", {}, "Try fewer words.")] : [list, more]),
  ];
}

/**
 * @param {App} app
 * @param {EventSummary[]} events
 * @param {string} caption
 */
export function eventTable(app, events, caption) {
  return table(
    ["event", "call", "with", "tag", "#size", "#begins", "#takes", "races", "place"],
    caption,
    events.map((event) => {
      const made = row(
        eventLink(app, event),
        event.call,
        event.peer === undefined ? "" : `rank ${event.peer}`,
        event.tag === undefined ? "" : String(event.tag),
        `#${event.kind === "polls" ? counted(event.bytes, "poll") : bytes(event.bytes)}`,
        `#${duration(event.start)}`,
        `#${duration(event.end - event.start)}`,
        (event.marks & RACING) !== 0 ? element("strong", { class: "race" }, "yes") : "",
        event.place ?? "",
      );
      if (event.name === app.view.selected) made.className = "chosen";
      return made;
    }),
  );
}
