import assert from "node:assert/strict";
import test from "node:test";
import { decode } from "../../main/resources/org/reprise/viewer/page/model/columns.js";

test("columns of all types are found at multiples of eight bytes", () => {
  const head = new TextEncoder().encode(
    JSON.stringify({
      fields: { complete: 1 },
      columns: [
        { name: "a", type: "UINT8", length: 3 },
        { name: "b", type: "INT32", length: 3 },
        { name: "c", type: "FLOAT64", length: 2 },
      ],
    }),
  );
  const begin = Math.ceil((4 + head.length) / 8) * 8;
  const buffer = new ArrayBuffer(begin + 8 + 16 + 16);
  const view = new DataView(buffer);
  view.setUint32(0, head.length, true);
  new Uint8Array(buffer).set(head, 4);
  [1, 2, 255].forEach((value, i) => view.setUint8(begin + i, value));
  [-1, 7, 2 ** 30].forEach((value, i) => view.setInt32(begin + 8 + 4 * i, value, true));
  [0.5, 2 ** 53].forEach((value, i) => view.setFloat64(begin + 24 + 8 * i, value, true));
  const { fields, columns } = decode(buffer);
  assert.equal(fields.complete, 1);
  assert.deepEqual([...columns.a], [1, 2, 255]);
  assert.deepEqual([...columns.b], [-1, 7, 2 ** 30]);
  assert.deepEqual([...columns.c], [0.5, 2 ** 53]);
});
