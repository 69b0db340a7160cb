import { describe, expect, it } from "vitest";
import { redact } from "../../src/core/redact/redact.ts";
import { makeOrdinaryFiles, ORDINARY_TEXTS } from "../support/ordinary-texts.ts";
import { findSurvivor, makeSecretCases, SECRET_KINDS, type SecretCase } from "../support/secret-kinds/index.ts";
import { PLACEMENTS } from "../support/secret-kinds/placements.ts";
import { FURTHER_KINDS } from "../support/secret-kinds/second-set.ts";
import { THIRD_KINDS } from "../support/secret-kinds/third-set.ts";
import { lintSecrets } from "../support/secrets.ts";

const SEEDS = [1, 2, 3];
const CASES = SEEDS.flatMap((seed) => makeSecretCases(seed));

/** The percentage of cases that are redacted completely. */
function removedPercent(cases: readonly SecretCase[]): number {
  const removed = cases.filter(({ text, secrets }) => findSurvivor(redact(text), secrets) === undefined);
  return (100 * removed.length) / cases.length;
}

describe("redaction of generated secrets", () => {
  it("the generated secrets cover at least 500 kinds at six placements or more", () => {
    expect(SECRET_KINDS.length).toBeGreaterThanOrEqual(500);
    expect(new Set(SECRET_KINDS.map(({ title }) => title)).size).toBe(SECRET_KINDS.length);
    expect(CASES.length).toBeGreaterThanOrEqual(SECRET_KINDS.length * 6 * SEEDS.length);
    for (const { text, secrets } of CASES) expect(findSurvivor(text, secrets)).not.toBe(undefined);
  });

  it.each(PLACEMENTS)("at least 97 % are removed at the placement %s", (placement) => {
    expect(removedPercent(CASES.filter((one) => one.placement === placement))).toBeGreaterThanOrEqual(97);
  });

  it.each(["token", "named", "line", "block"] as const)("at least 97 %% of the kind %s are removed", (kind) => {
    expect(removedPercent(CASES.filter((one) => one.kind === kind))).toBeGreaterThanOrEqual(97);
  });

  it.each([
    ["84 kinds", FURTHER_KINDS],
    ["138 kinds, with passwords as people choose them", THIRD_KINDS],
  ])("at least 97 %% of a list written after the rules are removed: %s", (_list, kinds) => {
    expect(removedPercent(SEEDS.flatMap((seed) => makeSecretCases(seed, kinds)))).toBeGreaterThanOrEqual(97);
  });

  it("every secret of the first seed is removed", () => {
    const left = makeSecretCases(1).filter(({ text, secrets }) => findSurvivor(redact(text), secrets) !== undefined);
    expect(left.map(({ title, placement }) => `${title}: ${placement}`)).toEqual([]);
  });

  it("eight secrets are removed from one text", () => {
    const groups = Array.from({ length: Math.floor(CASES.length / 8 / 3) }, (_, group) =>
      Array.from({ length: 8 }, (_none, index) => CASES[(group * 8 + index * 1237) % CASES.length] as SecretCase),
    );
    // A truncated private key hides everything after it.
    const whole = groups.map((group) => group.filter(({ title }) => title !== "key cut off"));
    const left = whole.flatMap((group) => {
      const redacted = redact(JSON.stringify({ content: group.map(({ text }) => text).join("\n"), last: true }));
      return group.filter(({ secrets }) => findSurvivor(redacted, secrets) !== undefined);
    });
    expect((100 * left.length) / whole.flat().length).toBeLessThanOrEqual(1);
  });

  it("redaction changes nothing when applied twice", () => {
    for (const { text } of CASES) {
      const redacted = redact(text);
      expect(redact(redacted)).toBe(redacted);
    }
  });

  it("redaction leaves no token that secretlint reports", async () => {
    const tokens = makeSecretCases(1).filter(({ kind }) => kind === "token");
    const before = await lintSecrets(tokens.map(({ text }) => text).join("\n\n"));
    expect(before.length).toBeGreaterThan(100);
    expect(await lintSecrets(tokens.map(({ text }) => redact(text)).join("\n\n"))).toEqual([]);
  });
});

describe("redaction of ordinary texts", () => {
  const ordinary = [...ORDINARY_TEXTS, ...SEEDS.flatMap(makeOrdinaryFiles)];

  it.each([
    ["unchanged", (text: string) => text],
    ["inside JSON", (text: string) => JSON.stringify({ content: text })],
    ["inside JSON inside JSON", (text: string) => JSON.stringify({ a: JSON.stringify({ content: text }) })],
  ])("at most 2 %% of ordinary texts change, %s", (_how, around) => {
    const touched = ordinary.map(around).filter((text) => redact(text) !== text);
    expect((100 * touched.length) / ordinary.length).toBeLessThanOrEqual(2);
  });

  it("all plain texts are left unchanged", () => {
    expect(ordinary.filter((text) => redact(text) !== text)).toEqual([]);
  });
});
