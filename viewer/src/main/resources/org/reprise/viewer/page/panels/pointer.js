import { SCALE_HEIGHT } from "../drawing/canvas.js";
import { bytes, count, counted, duration } from "../layout/scale.js";
import { hit } from "../layout/scene.js";
import { byId } from "./dom.js";
import { focus } from "./travel.js";

/**
 * Wheel, drag, click and hover.
 *
 * @typedef {import("../app.js").App} App
 * @typedef {import("../layout/scene.js").Bar} Bar
 * @typedef {import("../layout/scene.js").Curve} Curve
 */

/** A press that moves less is a click. */
const CLICK_PIXELS = 4;

/** @param {App} app */
export function listenToPointer(app) {
  const { picture, view } = app;
  const at = (/** @type {MouseEvent} */ event) => {
    const box = picture.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top - SCALE_HEIGHT, width: box.width };
  };
  /** @type {{x: number, y: number, from: number, to: number, top: number, moved: boolean} | null} */
  let drag = null;

  picture.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { x, width } = at(event);
      const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (event.altKey) view.top += event.deltaY;
      else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) view.pan((sideways / width) * 0.9);
      else view.zoom(view.from + (x / width) * view.length, Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.0022))));
      app.changed();
    },
    { passive: false },
  );
  byId("labels").addEventListener("wheel", (event) => {
    event.preventDefault();
    view.top += event.deltaY;
    app.redraw();
  }, { passive: false });

  picture.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    picture.setPointerCapture(event.pointerId);
    const { x, y } = at(event);
    if (event.shiftKey) {
      app.line = [{ x, y }];
      return;
    }
    drag = { x, y, from: view.from, to: view.to, top: view.top, moved: false };
  });
  picture.addEventListener("pointermove", (event) => {
    const { x, y, width } = at(event);
    if (app.line.length > 0) {
      app.line.push({ x, y });
      app.drawLive();
      return;
    }
    if (!drag) {
      point(app, x, y);
      return;
    }
    drag.moved ||= Math.hypot(x - drag.x, y - drag.y) > CLICK_PIXELS;
    if (drag.moved) {
      picture.classList.add("dragging");
      const by = ((drag.x - x) / width) * (drag.to - drag.from);
      view.show(drag.from + by, drag.to + by);
      view.top = drag.top + drag.y - y;
      app.changed();
    }
  });
  picture.addEventListener("pointerup", (event) => {
    const { x, y } = at(event);
    if (app.line.length > 0) app.drawCut();
    else if (drag && !drag.moved) click(app, x, y);
    drag = null;
    picture.classList.remove("dragging");
  });
  picture.addEventListener("pointerleave", () => point(app, -1000, -1000));
  picture.addEventListener("dblclick", () => focus(app));
  listenToOverview(app);
  listenToDivider();
}

/**
 * @param {App} app
 * @param {number} x
 * @param {number} y
 */
function click(app, x, y) {
  const found = app.scene && hit(app.scene, x, y);
  if (!found) void app.select(null, false);
  else if (found.bar) void app.select(`${found.bar.rank}:${found.bar.number}`, false);
  else if (found.ring) void app.select(app.nameOf(found.ring.event), false);
  else if (found.curve && found.curve.send >= 0) void app.select(app.nameOf(found.curve.arrival >= 0 ? found.curve.arrival : found.curve.send), false);
}

/**
 * @param {App} app
 * @param {number} x
 * @param {number} y
 */
function point(app, x, y) {
  const found = y < 0 ? null : app.scene && hit(app.scene, x, y);
  const hover = byId("hover");
  app.picture.classList.toggle("pointing", Boolean(found));
  const curve = found?.curve ?? null;
  if (curve !== app.pointed) {
    app.pointed = curve;
    app.drawLive();
  }
  hover.hidden = !found;
  if (!found) return;
  hover.textContent = found.bar ? barWords(app, found.bar) : found.curve ? curveWords(app, found.curve) : found.ring ? ringWords(app, found.ring.count) : "";
  const box = app.picture.getBoundingClientRect();
  hover.style.left = `${Math.min(x + 14, box.width - hover.offsetWidth - 8)}px`;
  hover.style.top = `${Math.min(y + SCALE_HEIGHT + 18, box.height - hover.offsetHeight - 6)}px`;
}

/**
 * @param {App} app
 * @param {Bar} bar
 */
function barWords(app, bar) {
  const call = app.run.calls[bar.call] ?? `call ${bar.call}`;
  const peer = bar.peer >= 0 ? `, rank ${bar.peer}` : "";
  const tag = bar.tag >= 0 ? `, tag ${bar.tag}` : "";
  const took = app.view.axis === "time" ? ` · ${duration(bar.end - bar.start)}` : "";
  return `${bar.rank}:${bar.number} ${call}${peer}${tag}${bar.bytes > 0 ? `, ${bytes(bar.bytes)}` : ""}${took}${bar.marks & 8 ? " · races" : ""}`;
}

/**
 * @param {App} app
 * @param {Curve} curve
 */
function curveWords(app, curve) {
  if (curve.send < 0) return `${counted(curve.count, "message")}: zoom in to see each`;
  const send = app.nameOf(curve.send);
  return curve.arrival >= 0 ? `message of ${send}, received by ${app.nameOf(curve.arrival)}` : `message of ${send}, which nobody received`;
}

/**
 * @param {App} app
 * @param {number} races
 */
function ringWords(app, races) {
  return races === 1 ? "a receive that could have got another message" : `${count(races)} receives that could have got another message`;
}

/** @param {App} app */
function listenToOverview(app) {
  const { overview, view } = app;
  const moveTo = (/** @type {PointerEvent} */ event) => {
    const box = overview.getBoundingClientRect();
    const middle = ((event.clientX - box.left) / box.width) * view.extent.length;
    view.show(middle - view.length / 2, middle + view.length / 2);
    app.changed();
  };
  overview.addEventListener("pointerdown", (event) => {
    overview.setPointerCapture(event.pointerId);
    moveTo(event);
  });
  overview.addEventListener("pointermove", (event) => {
    if (event.buttons) moveTo(event);
  });
}

function listenToDivider() {
  const divider = byId("divider");
  const details = byId("details");
  const set = (/** @type {number} */ height) => {
    const clamped = Math.max(80, Math.min(800, window.innerHeight - 240, height));
    details.style.height = `${clamped}px`;
    divider.setAttribute("aria-valuenow", String(Math.round(clamped)));
  };
  divider.addEventListener("pointerdown", (event) => divider.setPointerCapture(event.pointerId));
  divider.addEventListener("pointermove", (event) => {
    if (event.buttons) set(details.getBoundingClientRect().bottom - event.clientY);
  });
  divider.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowUp" ? 30 : event.key === "ArrowDown" ? -30 : 0;
    if (by) {
      event.preventDefault();
      event.stopPropagation();
      set(details.offsetHeight + by);
    }
  });
}
