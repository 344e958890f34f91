import { counted } from "../layout/scale.js";
import { element } from "./dom.js";
import { nextRace } from "./travel.js";

/**
 * The racing receives by their place in the source.
 *
 * @typedef {import("../app.js").App} App
 * @typedef {{place: string, call: string, count: number, forced: number, events: string[]}} Group
 */

const SHOWN = 40;

/**
 * @param {App} app
 * @returns {Promise<Node[]>}
 */
export async function racesPanel(app) {
  const report = /** @type {HTMLTemplateElement | null} */ (document.getElementById("report"));
  const findings = report ? [element("section", {}, element("h2", {}, "Findings"), document.importNode(report.content, true))] : [];
  return [...(await bySites(app)), ...findings];
}

/**
 * @param {App} app
 * @returns {Promise<Node[]>}
 */
async function bySites(app) {
  if (app.run.races === 0) {
    return [element("h2", {}, "No races"), element("p", {}, "No receive or probe of this run could have got another message.")];
  }
  /** @type {Group[]} */
  const groups = await app.source.json("races");
  return [
    element("h2", {}, `${counted(app.run.races, "racing receive")} at ${counted(groups.length, "place")}`),
    element("div", { class: "row" },
      element("button", { type: "button", onclick: () => nextRace(app, true) }, "◂ previous race (N)"),
      element("button", { type: "button", onclick: () => nextRace(app, false) }, "next race (n) ▸")),
    ...groups.map((group) =>
      element(
        "section",
        {},
        element("h3", {}, `${group.call} at ${group.place}`),
        element("p", { class: "soft" }, `${counted(group.count, "time")}; a replay must force ${group.forced}`),
        element(
          "div",
          { class: "row" },
          ...group.events.slice(0, SHOWN).map((name) =>
            element("button", { type: "button", class: "link", onclick: () => app.select(name, true) }, name),
          ),
          group.count > SHOWN ? element("span", { class: "soft" }, `and ${group.count - Math.min(SHOWN, group.events.length)} more: search "racing"`) : null,
        ),
      ),
    ),
  ];
}
