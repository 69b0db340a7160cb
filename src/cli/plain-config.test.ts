import { describe, expect, it } from "vitest";
import { configSchema } from "./config-schema.ts";
import { plainConfig } from "./plain-config.ts";

const EMPTY_PARTS = { upstreams: {}, repair: { calls: {} }, guard: {}, secondChance: {}, export: {} };

describe("plainConfig", () => {
  it.each([
    [{}],
    [EMPTY_PARTS],
    [{ ...EMPTY_PARTS, host: "0.0.0.0", port: "4200", data: "/srv/toolmend" }],
    [{ port: 0 }],
    [{ port: 65_535 }],
    [{ capture: undefined, repair: { cleanHistory: undefined } }],
  ])("reads %j as the schema does", (given) => {
    expect(plainConfig(given)).toEqual(configSchema.parse(given));
    expect(plainConfig(given)).toBeDefined();
  });

  it.each([
    [{ port: "" }],
    [{ port: "65536" }],
    [{ port: 1.5 }],
    [{ port: -1 }],
    [{ port: null }],
    [{ host: "" }],
    [{ host: 1 }],
    [{ data: "" }],
    [{ logLevel: "info" }],
    [{ upstreams: { own: "http://localhost:1" } }],
    [{ repair: { mode: "off" } }],
    [{ repair: [] }],
    [{ guard: null }],
    [{ watch: {} }],
    [{ token: undefined }],
    [{ repair: { unknown: undefined } }],
    [[]],
    [null],
    ["text"],
  ])("leaves %j to the schema", (given) => {
    expect(plainConfig(given)).toBeUndefined();
  });
});
