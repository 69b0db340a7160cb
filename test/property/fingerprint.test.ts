import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CATEGORIES } from "../../src/core/model/outcome.ts";
import { errorTemplate, fingerprintOf } from "../../src/core/score/fingerprint/error-template.ts";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

const lower = [..."abcdefghijklmnopqrstuvwxyz"];
const wordly = [...lower, ..."ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"];
const hexes = [..."0123456789abcdef"];
const text = (chars: readonly string[], minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...chars), minLength, maxLength });

const segment = text([...wordly, "-", ".", "@"], 1, 12).filter((one) => !/^\.*$/.test(one));
const segments = fc.array(segment, { minLength: 1, maxLength: 6 });
const position = fc.constantFrom("", ":12", ":3:14");

/** The parts of a message that vary between occurrences, by kind. */
const SLOTS = {
  path: fc.oneof(
    fc
      .tuple(fc.constantFrom("/", "./", "../", "~/", "src/"), segments, position)
      .map(([a, b, c]) => a + b.join("/") + c),
    segments.map((parts) => `C:\\${parts.join("\\")}`),
    fc
      .tuple(text(lower, 2, 12), fc.constantFrom("ts", "py", "json", "c", "html"), position)
      .map(([a, b, c]) => `${a}.${b}${c}`),
  ),
  number: fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map(String),
    fc.nat().map((n) => n.toLocaleString("en-US")),
  ),
  id: fc.oneof(
    fc.uuid(),
    text(hexes, 8, 64),
    fc.tuple(text(wordly, 16, 40), fc.nat(9)).map(([a, b]) => a + b),
    fc
      .tuple(fc.constantFrom("toolu_", "call_", "req_"), text(wordly, 16, 24), fc.nat(9))
      .map((parts) => parts.join("")),
  ),
  hex: text(hexes, 1, 16).map((one) => `0x${one}`),
  port: fc.integer({ min: 1, max: 65_535 }).map(String),
  address: fc.tuple(fc.ipV4(), fc.integer({ min: 1, max: 65_535 })).map(([ip, port]) => `${ip}:${port}`),
  url: fc.webUrl({ withQueryParameters: true, withFragments: false }).map((url) => url.replace(/['"`().,;!?]/g, "")),
  duration: fc.oneof(
    fc
      .tuple(fc.nat(9999), fc.constantFrom("ms", "s", "m", " ms", " s", " seconds", " minutes", " hours"))
      .map((one) => one.join("")),
    fc.tuple(fc.nat(9), fc.nat(59)).map(([m, s]) => `${m}m${s}s`),
    fc.tuple(fc.nat(9), fc.nat(999)).map(([s, f]) => `${s}.${f}s`),
  ),
  time: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") }).map((one) => one.toISOString()),
  quoted: fc
    .tuple(fc.constantFrom("''", '""', "``", "“”"), text([...wordly, " ", "/", ":", ".", "-", "(", "="], 0, 40))
    .map(([marks, inner]) => marks.charAt(0) + inner + marks.charAt(1)),
};
type Slot = keyof typeof SLOTS;

const SKELETONS = [
  "ENOENT: no such file or directory, open {quoted}",
  "cat: {path}: No such file or directory",
  "connect ECONNREFUSED {address}",
  "listen EADDRINUSE: address already in use :::{port}",
  "Command timed out after {duration}",
  "request {id} failed with status {number}",
  "{path}: error TS2345: Argument of type {quoted} is not assignable to {quoted}",
  "panic: runtime error: index out of range [{number}] with length {number}",
  "segfault at {hex} ip {hex} in {path}",
  "GET {url} answered {number} in {duration}",
  "{time} ERROR job {id} gave up (attempt {number} of {number})",
  "File {quoted}, line {number}, in <module>",
  "don't know key={quoted} of {path}, try again in {duration}",
  "disk {path} is full: {number} bytes needed; {number} left",
  "Could not reach localhost:{port}: {quoted}",
] as const;

const filled = (skeleton: string): fc.Arbitrary<string> => {
  const names = [...skeleton.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as Slot);
  return fc.tuple(...names.map((name) => SLOTS[name])).map((values) => {
    let at = 0;
    return skeleton.replace(/\{\w+\}/g, () => values[at++] as string);
  });
};

describe("the fingerprint of a failure", () => {
  it.each(SKELETONS)("the fingerprint stays the same for any value of %j", (skeleton) => {
    fc.assert(
      fc.property(filled(skeleton), filled(skeleton), (one, other) => {
        expect(errorTemplate(other)).toBe(errorTemplate(one));
        expect(fingerprintOf("error", other, hash)).toBe(fingerprintOf("error", one, hash));
      }),
      { numRuns: 300 },
    );
  });

  it("the fingerprint differs between any two of these messages", () => {
    const templates = SKELETONS.map((skeleton) =>
      errorTemplate(fc.sample(filled(skeleton), { numRuns: 1, seed: 7 })[0] as string),
    );
    expect(new Set(templates).size).toBe(SKELETONS.length);
  });

  it("the fingerprint differs between any two categories", () => {
    const category = fc.constantFrom(...CATEGORIES);
    fc.assert(
      fc.property(category, category, fc.string(), fc.string(), (one, other, a, b) => {
        fc.pre(one !== other);
        // Even with a hash function that returns the same value for everything.
        expect(fingerprintOf(one, a, () => "0".repeat(64))).not.toBe(fingerprintOf(other, b, () => "0".repeat(64)));
      }),
    );
  });

  it("the fingerprint stays short and printable for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (message) => {
        expect(fingerprintOf("invalid_arguments", message, hash)).toMatch(/^invalid_arguments-[0-9a-f]{12}$/);
        expect(errorTemplate(message).length).toBeLessThanOrEqual(160);
      }),
    );
  });
});
