import { span } from "../drawing/selection.js";
import { nextRing, racesOf } from "../model/races.js";

/**
 * From one event to another: along a rank, along a message, to the next race; and the view goes with it.
 *
 * @typedef {import("../app.js").App} App
 * @typedef {import("../model/types.js").EventDetails} EventDetails
 */

const ZOOM_MILLIS = 150;

/**
 * Brings an event into sight.
 *
 * @param {App} app
 * @param {EventDetails} event
 */
export function revealed(app, event) {
  const { view } = app;
  const at = span(event, view);
  const margin = view.length * 0.08;
  const visible = at.end > view.from + margin && at.start < view.to - margin;
  if (!visible) {
    const middle = (at.start + at.end) / 2;
    glide(app, middle - view.length / 2, middle + view.length / 2);
  }
  const lane = app.frame?.lanes.of(event.rank);
  const space = app.frame?.height ?? 0;
  if (lane && (lane.y < view.top || lane.y + lane.height > view.top + space)) view.top = lane.y - space / 2;
}

/**
 * Moves to a stretch so that the eye can follow.
 *
 * @param {App} app
 * @param {number} from
 * @param {number} to
 */
function glide(app, from, to) {
  const { view } = app;
  const began = { from: view.from, to: view.to, at: performance.now() };
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    view.show(from, to);
    app.changed();
    return;
  }
  const move = (/** @type {number} */ now) => {
    const share = Math.min(1, Math.max(0, now - began.at) / ZOOM_MILLIS);
    const eased = share * (2 - share);
    view.show(began.from + (from - began.from) * eased, began.to + (to - began.to) * eased);
    app.redraw();
    if (share < 1) requestAnimationFrame(move);
    else app.changed();
  };
  requestAnimationFrame(move);
}

/**
 * Zooms to the selected event, its message, and what it could have got.
 *
 * @param {App} app
 */
export function focus(app) {
  if (!app.event) return;
  const { message, race } = app.event;
  const all = [app.event, message?.send, message?.arrival, ...(race?.alternatives ?? []).map((one) => one.send)]
    .filter((one) => one !== undefined)
    .map((one) => span(one, app.view));
  const from = Math.min(...all.map((one) => one.start));
  const to = Math.max(...all.map((one) => one.end));
  const margin = Math.max(2, (to - from) * 0.4);
  glide(app, from - margin, to + margin);
}

/**
 * @param {App} app
 * @param {number} by events of the rank
 */
export function step(app, by) {
  if (!app.event) return;
  const number = app.event.number + by;
  if (number >= 0 && number < app.run.sizes[app.event.rank]) void app.select(`${app.event.rank}:${number}`, true);
}

/**
 * @param {App} app
 * @param {number} direction -1 to the send, 1 to the receive
 */
export function follow(app, direction) {
  const message = app.event?.message;
  const other = direction < 0 ? message?.send : message?.arrival ?? message?.receive;
  if (other) void app.select(other.name, true);
  else app.tell("no message to follow");
}

/**
 * @param {App} app
 * @param {boolean} back
 */
export async function nextRace(app, back) {
  if (app.run.races === 0) {
    app.tell("nothing races in this run");
    return;
  }
  const { view, event, source } = app;
  const at = event ? span(event, view).end : -1;
  if (source.isAlone) {
    const next = nextRing(everyRing(app), at, back);
    if (next) await goToRace(app, app.nameOf(next.event));
    return;
  }
  const ask = (/** @type {number} */ moment, /** @type {string} */ after) =>
    source.json("race", { axis: view.axis, moment, event: after, back: back ? 1 : 0 });
  let next = await ask(at, event?.race?.racing.name ?? event?.name ?? "none");
  if (!next.name) next = await ask(back ? view.extent.length : -1, "none");
  if (next.name) await goToRace(app, next.name);
}

/**
 * @param {App} app
 * @param {string} name
 */
async function goToRace(app, name) {
  app.view.tab = "selection";
  await app.select(name, true);
}

/**
 * Every race of the run, where a tile has every call.
 *
 * @param {App} app
 */
function everyRing({ view, run, lanes }) {
  const whole = { axis: view.axis, shift: view.extent.shift, index: 0, first: 0, ranks: run.ranks, per: 1 };
  const tile = lanes.get(whole, whole.shift, true);
  return tile ? racesOf(tile) : [];
}
