import { barBox, xScale } from "../layout/scene.js";
import { drawHead, trace } from "./canvas.js";

/**
 * Draws what the selection and the pointer add to the picture: the selected call, its message, what it could have got
 * instead, its past and future, and a consistent cut.
 *
 * @typedef {import("../layout/scene.js").Frame} Frame
 * @typedef {import("../layout/scene.js").Curve} Curve
 * @typedef {import("../model/types.js").EventDetails} EventDetails
 * @typedef {import("../model/types.js").EventSummary} EventSummary
 * @typedef {import("../model/types.js").Cone} Cone
 * @typedef {import("./theme.js").Theme} Theme
 */

/** More dashed curves than that would be an area; all of them are in the details below. */
const ALTERNATIVES_MAX = 24;

/**
 * @param {EventSummary} event
 * @param {{axis: import("../model/types.js").AxisKind}} on
 */
export function span(event, { axis }) {
  return axis === "time"
    ? { start: event.start, end: event.end }
    : { start: event.orderStart, end: event.orderEnd };
}

/**
 * @param {Frame} frame
 * @param {EventSummary} send
 * @param {EventSummary} arrival
 * @returns {Curve | null}
 */
function curveBetween(frame, send, arrival) {
  const x = xScale(frame);
  const from = frame.lanes.of(send.rank);
  const to = frame.lanes.of(arrival.rank);
  if (!from || !to) return null;
  return {
    x1: x(span(send, frame).start),
    y1: from.y + from.height / 2 - frame.top,
    x2: x(span(arrival, frame).end),
    y2: to.y + to.height / 2 - frame.top,
    count: 1,
    marks: 0,
    send: send.event,
    arrival: arrival.event,
    stub: "",
  };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Frame} frame
 * @param {EventDetails} event
 * @param {Theme} theme
 */
export function drawSelection(context, frame, event, theme) {
  const { message, race } = event;
  const arrival = message?.arrival ?? message?.receive;
  if (race) {
    const into = race.racing.event === message?.receive?.event && arrival ? arrival : race.racing;
    for (const { send, arrival: went } of race.alternatives.slice(0, ALTERNATIVES_MAX)) {
      const taken = went && curveBetween(frame, send, went);
      if (taken) drawCurve(context, taken, theme.message, [1.5, 4], 1.3, theme);
      const instead = curveBetween(frame, send, into);
      if (instead) drawCurve(context, instead, theme.race, [6, 4], 2, theme);
    }
  }
  if (message && arrival) {
    const curve = curveBetween(frame, message.send, arrival);
    if (curve) drawCurve(context, curve, race ? theme.race : theme.accent, [], 2.6, theme);
  }
  outline(context, frame, event, theme.accent, 2.5);
  if (message) {
    for (const other of [message.send, arrival]) {
      if (other && other.event !== event.event) outline(context, frame, other, theme.accent, 1.5);
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Curve} curve
 * @param {string} colour
 * @param {number[]} dash
 * @param {number} width
 * @param {Theme} theme
 */
export function drawCurve(context, curve, colour, dash, width, theme) {
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  trace(context, curve);
  context.stroke();
  context.setLineDash([]);
  drawHead(context, curve, theme);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Frame} frame
 * @param {EventSummary} event
 * @param {string} colour
 * @param {number} width
 */
function outline(context, frame, event, colour, width) {
  const lane = frame.lanes.of(event.rank);
  if (!lane) return;
  const x = xScale(frame);
  const { start, end } = span(event, frame);
  const { y, h } = barBox(lane);
  const x1 = Math.max(-20, x(start));
  const w = Math.max(3, Math.min(frame.width + 20, x(end)) - x1);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.strokeRect(x1 - 2, y - frame.top - 2, w + 4, h + 4);
}

/**
 * The causal past is shaded up to where it ends on each lane, the future from where it begins; what is neither is
 * concurrent with the event.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Frame} frame
 * @param {Cone} cone
 * @param {"past" | "future" | "both"} which
 * @param {Theme} theme
 */
export function drawCone(context, frame, cone, which, theme) {
  const x = xScale(frame);
  const { past, future } = cone[frame.axis];
  for (const lane of frame.lanes.lanes) {
    const { ranks } = lane;
    const y = lane.y - frame.top;
    if (which !== "future") {
      const edge = Math.max(...ranks.map((rank) => past[rank]));
      context.fillStyle = theme.past;
      if (edge >= 0) context.fillRect(0, y, Math.max(0, x(edge)), lane.height);
    }
    if (which !== "past") {
      const edge = Math.min(...ranks.map((rank) => future[rank]));
      const left = Math.max(0, x(edge));
      context.fillStyle = theme.future;
      if (edge < frame.length) context.fillRect(left, y, frame.width - left, lane.height);
    }
  }
}

/**
 * Where this run first differs from another, on each rank: a flag, filled where it began.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Frame} frame
 * @param {Array<{original: boolean, event: EventSummary}>} differences
 * @param {Theme} theme
 */
export function drawDifferences(context, frame, differences, theme) {
  const x = xScale(frame);
  for (const { original, event } of differences) {
    const lane = frame.lanes.of(event.rank);
    if (!lane) continue;
    const at = x(span(event, frame).start);
    const y = lane.y - frame.top;
    context.strokeStyle = theme.race;
    context.lineWidth = original ? 2.5 : 1.5;
    context.setLineDash(original ? [] : [4, 3]);
    context.beginPath();
    context.moveTo(at, y + 1);
    context.lineTo(at, y + lane.height - 1);
    context.stroke();
    context.setLineDash([]);
    if (lane.height < 16) continue;
    const text = original ? "≠ began here" : "≠";
    context.font = "600 12px system-ui, sans-serif";
    const width = context.measureText(text).width + 10;
    context.fillStyle = original ? theme.race : theme.ground;
    context.fillRect(at, y + 1, width, 16);
    context.strokeRect(at, y + 1, width, 16);
    context.fillStyle = original ? theme.ground : theme.race;
    context.fillText(text, at + 5, y + 13);
  }
}

/**
 * A cut that was drawn by hand; one at which no run can be is loud, with what crosses it.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Frame} frame
 * @param {import("../model/types.js").HandCut} hand
 * @param {Theme} theme
 */
export function drawHandCut(context, frame, hand, theme) {
  const x = xScale(frame);
  const colour = hand.consistent ? theme.accent : theme.race;
  context.strokeStyle = colour;
  context.lineWidth = 2.2;
  context.setLineDash(hand.consistent ? [] : [7, 4]);
  context.beginPath();
  for (const lane of [...frame.lanes.lanes].sort((a, b) => a.y - b.y)) {
    const at = x(hand.cut[frame.axis][lane.ranks[0]]);
    context.lineTo(at, lane.y - frame.top + lane.height * 0.1);
    context.lineTo(at, lane.y - frame.top + lane.height * 0.9);
  }
  context.stroke();
  context.setLineDash([]);
  for (const { awaited, returned } of hand.crossings ?? []) {
    const curve = curveBetween(frame, awaited, returned);
    if (curve) drawCurve(context, curve, theme.race, [], 2.4, theme);
  }
}

/**
 * A line while it is drawn.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Array<{x: number, y: number}>} line
 * @param {Theme} theme
 */
export function drawLine(context, line, theme) {
  context.strokeStyle = theme.accent;
  context.lineWidth = 2;
  context.beginPath();
  for (const { x, y } of line) context.lineTo(x, y);
  context.stroke();
}

/**
 * The cut through an event: the last moment that each rank must have come to.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Frame} frame
 * @param {Cone} cone
 * @param {Theme} theme
 */
export function drawCut(context, frame, cone, theme) {
  const x = xScale(frame);
  const { past } = cone[frame.axis];
  context.strokeStyle = theme.accent;
  context.lineWidth = 1.8;
  context.setLineDash([8, 3, 2, 3]);
  context.beginPath();
  for (const lane of [...frame.lanes.lanes].sort((a, b) => a.y - b.y)) {
    const at = x(Math.max(0, past[lane.ranks[0]]));
    context.lineTo(at, lane.y - frame.top + lane.height * 0.15);
    context.lineTo(at, lane.y - frame.top + lane.height * 0.85);
  }
  context.stroke();
  context.setLineDash([]);
}
