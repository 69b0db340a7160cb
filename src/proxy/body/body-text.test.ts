import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyText } from "./body-text.ts";

/** Expects the value that parsing the body as UTF-8 gives. */
function expectSame(bytes: Buffer): void {
  const half = bytes.length >> 1;
  const { text, restore } = bodyText([bytes.subarray(0, half), bytes.subarray(half)]);
  expect(restore(JSON.parse(text))).toEqual(JSON.parse(bytes.toString("utf8")));
}

function escaped(json: string): string {
  return json.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

describe("bodyText", () => {
  const json = fc.json({ stringUnit: "binary" });

  it("preserves every character", () => {
    fc.assert(fc.property(json, (text) => expectSame(Buffer.from(text))));
  });

  it("preserves characters when all or some are escaped", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expectSame(Buffer.from(escaped(a)));
        expectSame(Buffer.from(`[${escaped(a)},${b}]`));
      }),
    );
  });

  it("decodes invalid UTF-8 like a UTF-8 decoder", () => {
    fc.assert(
      fc.property(fc.uint8Array({ min: 0x80, maxLength: 20 }), (noise) =>
        expectSame(Buffer.concat([Buffer.from('{"é":"'), noise, Buffer.from('"}')])),
      ),
    );
  });

  it("preserves escaped control characters", () => {
    expectSame(Buffer.from(JSON.stringify({ out: "\u001b[31m— rød\u001b[0m\u007f", ключ: ["é", "\u0000"] })));
  });
});
