/**
 * Answers in binary columns: the length of a JSON text, the text, then the columns, each at a multiple of eight bytes.
 *
 * @typedef {Uint8Array | Int32Array | Float64Array} Column
 * @typedef {{fields: Record<string, number>, columns: Record<string, Column>}} Table
 */

const ALIGNMENT = 8;

/** @param {number} bytes */
const aligned = (bytes) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/**
 * @param {ArrayBuffer} buffer
 * @returns {Table}
 */
export function decode(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  /** @type {Record<string, Column>} */
  const columns = {};
  let at = aligned(4 + length);
  for (const { name, type, length: size } of head.columns) {
    const column =
      type === "UINT8"
        ? new Uint8Array(buffer, at, size)
        : type === "INT32"
          ? new Int32Array(buffer, at, size)
          : new Float64Array(buffer, at, size);
    columns[name] = column;
    at += aligned(column.byteLength);
  }
  return { fields: head.fields, columns };
}
