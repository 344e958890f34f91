import { SCALE_HEIGHT } from "../drawing/canvas.js";
import { HEADING } from "../layout/lanes.js";
import { byId, element } from "./dom.js";
import { toggleGroup } from "./keys.js";

/**
 * The names of the lanes, beside them. A click on a rank hides the others' arrows, on a group it opens it.
 *
 * @typedef {import("../app.js").App} App
 * @typedef {import("../layout/scene.js").Frame} Frame
 */

const APART_MIN = 17;

/**
 * @param {App} app
 * @param {Frame} frame
 */
export function showLabels(app, frame) {
  const box = byId("labels");
  const chosen = app.event?.rank;
  const key = `${app.view.arrangement} ${app.groups.size} ${frame.top} ${frame.height} ${chosen} ${app.view.hidden.size} ${frame.lanes.lanes.map((lane) => `${lane.ranks[0]}${lane.pinned ? "p" : ""}`).join()}`;
  if (box.dataset.shown === key) return;
  box.dataset.shown = key;
  const labels = [];
  let last = -Infinity;
  for (const lane of frame.lanes.lanes) {
    const y = lane.y - frame.top;
    if (y + lane.height < 0 || y > frame.height || (lane.y + lane.height / 2 - last < APART_MIN && !lane.heading)) continue;
    last = lane.y + lane.height / 2;
    const height = Math.max(lane.height, APART_MIN);
    const begins = app.groups.get(lane.ranks[0]);
    const label = element(
      "button",
      {
        type: "button",
        class: `label${lane.pinned ? " pinned" : ""}${chosen !== undefined && lane.ranks.includes(chosen) ? " chosen" : ""}`,
        title: (begins ? `${begins}; ` : "") + (lane.group ? "open this group" : "select its first event; H hides it, P pins it, J and K move it"),
        onclick: () => {
          if (lane.group) {
            toggleGroup(app, lane);
            app.changed(true);
          } else if (app.run.sizes[lane.ranks[0]] > 0) {
            void app.select(`${lane.ranks[0]}:0`, false);
          }
        },
      },
      lane.label,
    );
    if (begins && lane.heading) {
      const heading = element("p", { class: "heading", title: begins }, begins);
      heading.style.top = `${SCALE_HEIGHT + y - HEADING}px`;
      labels.push(heading);
    }
    label.style.top = `${SCALE_HEIGHT + y + (lane.height - height) / 2}px`;
    label.style.height = `${height}px`;
    labels.push(label);
  }
  if (app.view.hidden.size > 0) {
    const more = element(
      "button",
      { type: "button", class: "label", onclick: () => {
        app.view.hidden.clear();
        app.changed(true);
      } },
      `${app.view.hidden.size} hidden (U)`,
    );
    more.style.top = "0px";
    more.style.height = `${SCALE_HEIGHT}px`;
    labels.push(more);
  }
  box.replaceChildren(...labels);
}
