import fc from "fast-check";
import { expect, it } from "vitest";
import { present } from "../../model/narrow.ts";
import { itemSpans, JsonSpans, memberSpans, spanAt } from "./json-spans.ts";

it("spanAt finds the value that JSON.parse finds, at any path", () => {
  const paths = (value: unknown, path: (string | number)[] = []): (string | number)[][] =>
    value === null || typeof value !== "object"
      ? [path]
      : [
          path,
          ...Object.entries(value).flatMap(([key, inner]) =>
            paths(inner, [...path, Array.isArray(value) ? Number(key) : key]),
          ),
        ];
  const at = (value: unknown, path: readonly (string | number)[]): unknown =>
    path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], value);
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, "\t"), (value, space) => {
      const source = JSON.stringify(value, null, space);
      const parsed = JSON.parse(source);
      for (const path of paths(parsed)) {
        const span = spanAt(source, path);
        expect(JSON.parse(source.slice(span?.start, span?.end))).toEqual(at(parsed, path));
      }
    }),
  );
});

it("memberSpans uses the last of two members with the same name, as JSON.parse does", () => {
  const source = '{"a": 1, "\\u0061": 2}';
  const span = memberSpans(source, 0)?.get("a");
  expect(source.slice(span?.start, span?.end)).toBe("2");
});

it("memberSpans handles deeply nested values without recursion", () => {
  const source = `[${"[".repeat(100_000)}${"]".repeat(100_000)}, 7]`;
  expect(itemSpans(source, 0)).toHaveLength(2);
});

it("spanAt returns undefined for a missing value", () => {
  expect(memberSpans("[1]", 0)).toBeUndefined();
  expect(itemSpans("{}", 0)).toBeUndefined();
  expect(spanAt('{"a": 1}', ["b", "c"])).toBeUndefined();
});

it("one path to each of very many items takes linear time", () => {
  const items = Array.from({ length: 20_000 }, (_, index) => `{"input":{"path":"file-${index}"}}`);
  const source = `{"content":[${items.join(",")}]}`;
  const spans = new JsonSpans(source);
  const found = items.map((_, index) => present(spans.at(["content", index, "input", "path"])));
  expect(found.every(({ start, end }, index) => source.slice(start, end) === `"file-${index}"`)).toBe(true);
});
