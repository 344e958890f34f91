import { bytes, count, counted, duration } from "../layout/scale.js";
import { element, row, table } from "./dom.js";
import { eventLink, words } from "./selection.js";

/**
 * The run in numbers; each of them leads to its events.
 *
 * @typedef {import("../app.js").App} App
 * @typedef {import("../model/types.js").EventSummary} EventSummary
 * @typedef {{count: number, nanos: number, longest: Array<{waited: number, event: EventSummary}>}} Waits
 *
 * @typedef {object} Totals
 * @property {{per: number, groups: number, counts: number[], bytes: number[]}} matrix
 * @property {Array<{least: number, below: number, count: number, bytes: number}>} sizes
 * @property {number} siteCount
 * @property {Array<{call: string, place: string, count: number, nanos: number}>} sites
 * @property {Array<{call: string, place: string, succeeded: number, failed: number}>} polls
 * @property {Waits} lateSenders
 * @property {Waits} lateReceivers
 * @property {{nanos: number, links: number, handedOver: number, calls: Waits, between: Waits}} criticalPath
 */

/**
 * @param {App} app
 * @returns {Promise<Node[]>}
 */
export async function statisticsPanel(app) {
  /** @type {Totals} */
  const totals = await app.source.json("statistics");
  return [
    element("h2", {}, "The run in numbers"),
    element(
      "div",
      { class: "two" },
      element("div", {}, matrix(app, totals), sizes(app, totals), polls(app, totals)),
      element("div", {}, path(app, totals), ...late(app, totals), sites(app, totals)),
    ),
  ];
}

/**
 * A number that shows the events behind it.
 *
 * @param {App} app
 * @param {string} text
 * @param {string} query
 */
function found(app, text, query) {
  return element("button", { type: "button", class: "link", onclick: () => app.search(query), title: `search: ${query}` }, text);
}

/**
 * @param {App} app
 * @param {Totals} totals
 */
function matrix(app, totals) {
  const { per, groups, counts, bytes: sizes } = totals.matrix;
  const most = Math.max(1, ...counts);
  const name = (/** @type {number} */ group) => String(group * per);
  const ranks = (/** @type {number} */ group) =>
    per === 1 ? `rank ${group}` : `ranks ${group * per} to ${Math.min(app.run.ranks, (group + 1) * per) - 1}`;
  const body = [];
  for (let source = 0; source < groups; source++) {
    const cells = [element("th", { scope: "row" }, name(source))];
    for (let target = 0; target < groups; target++) {
      const at = source * groups + target;
      const cell = element("td", {});
      if (counts[at] > 0) {
        const button = element(
          "button",
          {
            type: "button",
            title: `${counted(counts[at], "message")} from ${ranks(source)} to ${ranks(target)}, ${bytes(sizes[at])}`,
            "aria-label": `${counted(counts[at], "message")} from ${ranks(source)} to ${ranks(target)}`,
            onclick: () =>
              app.search(per === 1 ? `sent rank:${source} peer:${target}` : `sent rank>${source * per - 1} rank<${(source + 1) * per} peer>${target * per - 1} peer<${(target + 1) * per}`),
          },
          groups <= 12 ? count(counts[at]) : "·",
        );
        const share = 0.08 + 0.5 * Math.sqrt(counts[at] / most);
        button.style.background = `color-mix(in srgb, var(--state-collective) ${Math.round(share * 100)}%, transparent)`;
        cell.append(button);
      }
      cells.push(cell);
    }
    body.push(element("tr", {}, ...cells));
  }
  return element(
    "div",
    {},
    element("h3", {}, "Messages by pair of ranks"),
    element("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": "Messages by pair of ranks" }, element(
      "table",
      { class: "matrix" },
      element("caption", {}, per === 1 ? "rows send, columns receive; click a number to see its sends" : `groups of ${per} ranks, by the first of them; rows send, columns receive`),
      element("thead", {}, element("tr", {}, element("td", {}), ...Array.from({ length: groups }, (_, group) => element("th", { scope: "col", class: "number" }, name(group))))),
      element("tbody", {}, ...body),
    )),
  );
}

/**
 * @param {App} app
 * @param {Totals} totals
 */
function sizes(app, totals) {
  return element(
    "div",
    {},
    element("h3", {}, "Messages by size"),
    table(
      ["size", "#messages", "#bytes in all"],
      "each row up to the next power of two",
      totals.sizes.map((one) =>
        row(one.below <= 1 ? "empty" : `${bytes(one.least)} – ${bytes(one.below - 1)}`, found(app, count(one.count), `sent size>${one.least - 1} size<${one.below}`), `#${bytes(one.bytes)}`),
      ),
    ),
  );
}

/**
 * @param {App} app
 * @param {Totals} totals
 */
function sites(app, totals) {
  const shown = totals.sites.length < totals.siteCount ? `the ${totals.sites.length} that took longest of ${count(totals.siteCount)}` : "those that took longest first";
  return element(
    "div",
    {},
    element("h3", {}, "Calls by place in the source"),
    table(
      ["call", "place", "#calls", "#time in all"],
      shown,
      totals.sites.map((site) => row(site.call, site.place, found(app, count(site.count), query(site)), `#${duration(site.nanos)}`)),
    ),
  );
}

/** @param {{call: string, place: string}} site */
function query(site) {
  const line = site.place.split(" ").pop() ?? "";
  return `${site.call.toLowerCase()} ${line}`.trim();
}

/**
 * @param {App} app
 * @param {Totals} totals
 */
function polls(app, totals) {
  const body = totals.polls.map((site) =>
    row(site.call, site.place, found(app, count(site.succeeded), `hits ${query(site)}`), found(app, count(site.failed), `polls ${query(site)}`), `#${((100 * site.succeeded) / Math.max(1, site.succeeded + site.failed)).toFixed(1)} %`),
  );
  return element(
    "div",
    {},
    element("h3", {}, "Polls"),
    body.length === 0 ? element("p", { class: "soft" }, "This run did not poll.") : table(["call", "place", "#succeeded", "#failed", "#hit rate"], "calls that ask whether something has come", body),
  );
}

/**
 * @param {App} app
 * @param {Totals} totals
 */
function late(app, totals) {
  const one = (/** @type {string} */ title, /** @type {string} */ none, /** @type {Waits} */ waits, /** @type {string} */ term) =>
    element(
      "div",
      {},
      element("h3", {}, title),
      waits.count === 0 ? null : element("p", {}, found(app, counted(waits.count, "call"), term), ` waited ${duration(waits.nanos)} together`),
      waits.count === 0
        ? element("p", { class: "soft" }, none)
        : table(["event", "call", "#waited"], "the longest", waits.longest.map(({ event, waited }) => row(eventLink(app, event), words(event), `#${duration(waited)}`))),
    );
  return [
    one("Late senders", "No receive waited for its message to be sent.", totals.lateSenders, "late-sender"),
    one("Late receivers", "No send waited for its receive.", totals.lateReceivers, "late-receiver"),
  ];
}

/**
 * @param {App} app
 * @param {Totals} totals
 */
function path(app, totals) {
  const { nanos, links, handedOver, calls, between } = totals.criticalPath;
  const rows = [
    ...calls.longest.map(({ event, waited }) => ({ event, waited, text: words(event) })),
    ...between.longest.map(({ event, waited }) => ({ event, waited, text: `computing, before ${event.call}` })),
  ].sort((a, b) => b.waited - a.waited);
  return element(
    "div",
    {},
    element("h3", {}, "Critical path"),
    element("p", {}, `${duration(nanos)} over `, found(app, counted(links, "call"), "critical"), `, from rank to rank ${counted(handedOver, "time")}: ${duration(calls.nanos)} in calls, ${duration(between.nanos)} between them`),
    table(
      ["event", "what", "#of the path"],
      "what took longest",
      rows.slice(0, 12).map(({ event, waited, text }) => row(eventLink(app, event), text, `#${((100 * waited) / Math.max(1, nanos)).toFixed(1)} %`)),
    ),
  );
}
