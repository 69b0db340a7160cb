import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { BodyCopy } from "./body-copy.ts";

it.each([
  [['{"tools":[]}'], true],
  [['{"to', 'ols":[]}'], true],
  [['{"', "t", "o", "o", "l", "s", '":[]}'], true],
  [['{"tool":', '"s"}'], false],
  [[], false],
])("BodyCopy.includes finds a text across the chunks %j: %s", (parts, found) => {
  const copy = new BodyCopy();
  for (const part of parts) copy.add(Buffer.from(part));
  expect(copy.includes('"tools"')).toBe(found);
});
