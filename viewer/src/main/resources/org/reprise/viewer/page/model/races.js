import { RACE_HERE } from "./types.js";

/**
 * The races of a tile that has every call, for a page that has no server to ask.
 *
 * @typedef {import("./tiles.js").Tile} Tile
 * @typedef {{at: number, event: number}} RaceMark
 */

/**
 * @param {Tile} tile
 * @returns {RaceMark[]} in the order of the axis
 */
export function racesOf(tile) {
  const { marks, end, event } = tile.table.columns;
  const races = [];
  for (let i = 0; i < event.length; i++) {
    if ((marks[i] & RACE_HERE) !== 0) races.push({ at: end[i], event: event[i] });
  }
  return races.sort((a, b) => a.at - b.at || a.event - b.event);
}

/**
 * The race behind a place, or before it; from the other end if there is none.
 *
 * @param {RaceMark[]} races
 * @param {number} at
 * @param {boolean} back
 * @returns {RaceMark | undefined}
 */
export function nextRing(races, at, back) {
  const found = back ? races.filter((race) => race.at < at).pop() : races.find((race) => race.at > at);
  return found ?? (back ? races[races.length - 1] : races[0]);
}
