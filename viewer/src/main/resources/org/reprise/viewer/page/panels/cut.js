import { counted } from "../layout/scale.js";
import { command, element } from "./dom.js";
import { eventLink, words } from "./selection.js";

/**
 * A cut that was drawn by hand: whether a run can be there, and how to get there.
 *
 * @typedef {import("../app.js").App} App
 * @typedef {import("../model/types.js").HandCut} HandCut
 */

/**
 * @param {App} app
 * @returns {Node[]}
 */
export function cutPanel(app) {
  const { hand } = app;
  if (!hand) {
    return [
      element("h2", {}, "No cut is drawn"),
      element("p", {}, "A cut says for each rank how far it has got. Hold Shift and draw a line down through the lanes, or press B to draw it through the selected event, or through the middle."),
      element("p", {}, "A cut at which a run can be is a breakpoint for reprise debug. Any other is refused, with what crosses it."),
      element("div", { class: "row" }, element("button", { type: "button", onclick: () => app.drawStraightCut() }, "draw one here (B)")),
    ];
  }
  return hand.consistent ? possible(app, hand) : impossible(app, hand);
}

/**
 * @param {App} app
 * @param {HandCut} hand
 */
function possible(app, hand) {
  const run = app.run.replay.replace("reprise replay ", "");
  return [
    element("h2", {}, "A run can be here"),
    element("p", {}, `${counted(hand.underWay ?? 0, "message")} under way: sent, and not yet received.`),
    ...(app.run.debuggable ? [element("h3", {}, "Stop all ranks here"), command(`reprise debug ${run} -e 'goto ${hand.cut.text}'`, app.tell)] : []),
    element("h3", {}, "As a question to the graph"),
    command(`reprise graph ${run} --cut ${hand.cut.text}`, app.tell),
    element("div", { class: "row" }, element("button", { type: "button", onclick: () => app.setCut("") }, "remove it (Shift B)")),
  ];
}

/**
 * @param {App} app
 * @param {HandCut} hand
 */
function impossible(app, hand) {
  const { crossings = [], crossingCount = 0, within, around } = hand;
  return [
    element("h2", { class: "race" }, "No run can be here"),
    ...crossings.map(({ awaited, returned }) =>
      element(
        "p",
        {},
        eventLink(app, returned, returned.name),
        ` ${words(returned)} has returned, but `,
        eventLink(app, awaited, awaited.name),
        ` ${words(awaited)}, which it waited for, has not begun.`,
      ),
    ),
    crossingCount > crossings.length ? element("p", { class: "soft" }, `and ${crossingCount - crossings.length} more`) : element("span", {}),
    element(
      "div",
      { class: "row" },
      within ? element("button", { type: "button", onclick: () => app.setCut(within.text) }, "the furthest within it that is possible") : null,
      around ? element("button", { type: "button", onclick: () => app.setCut(around.text) }, "the nearest around it") : null,
      element("button", { type: "button", onclick: () => app.setCut("") }, "remove it (Shift B)"),
    ),
    element("p", { class: "soft" }, `drawn: ${hand.cut.text}`),
  ];
}
