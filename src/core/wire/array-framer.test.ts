import { expect, it } from "vitest";
import { ArrayFramer } from "./array-framer.ts";

const split = (source: Buffer, size: number): { readonly data: (string | undefined)[]; readonly bytes: Buffer } => {
  const framer = new ArrayFramer();
  const frames = [];
  for (let at = 0; at < source.length; at += size) frames.push(...framer.push(source.subarray(at, at + size)));
  const bytes = Buffer.concat([...frames.map(({ raw }) => raw), framer.end()]);
  return { data: frames.map(({ data }) => data), bytes };
};

it("ArrayFramer splits an array into its objects and reproduces the bytes, however it is cut", () => {
  const source = Buffer.from('[{\n  "a": "}]\\"{é"\n}\n,\r\n{"b": [1, {"c": {}}]}\n]\n');
  for (let size = 1; size <= source.length; size += 1) {
    const { data, bytes } = split(source, size);
    expect(data).toEqual(['{\n  "a": "}]\\"{é"\n}', '{"b": [1, {"c": {}}]}']);
    expect(bytes).toEqual(source);
  }
});

it.each(['{"error":{"code":400}}', "[]", "", "not JSON ]}]", '["a", 1]', "[[{}]]"])(
  "ArrayFramer passes on what is not an array of objects: %s",
  (text) => {
    const { data, bytes } = split(Buffer.from(text), 3);
    expect(data).toEqual([]);
    expect(bytes.toString()).toBe(text);
  },
);
