import { describe, expect, it } from "vitest";
import { ParameterError } from "./parameters.ts";
import { fingerprintQuery, inRange, olderQuery, rangeQuery, readQuery, sessionsQuery } from "./query-schemas.ts";

const NOW = Date.UTC(2026, 2, 10, 12);

describe("readQuery with a range", () => {
  const range = (query: string): unknown => inRange(readQuery(rangeQuery, new URLSearchParams(query)), NOW);

  it("returns only the given parameters", () => {
    expect(range("")).toEqual({});
    expect(range("project=&since=&until=")).toEqual({});
    expect(range("project=team-a&since=1h&until=2026-03-10&x=1")).toEqual({
      project: "team-a",
      since: NOW - 3_600_000,
      until: Date.UTC(2026, 2, 10),
    });
  });

  it.each(["since", "until"])("names the invalid parameter %s", (name) => {
    expect(() => range(`${name}=soon`)).toThrow(ParameterError);
    expect(() => range(`${name}=soon`)).toThrow(
      new RegExp(`^${name} must be a span such as 24h or 7d, or a date such as 2026-03-10\\.$`),
    );
  });
});

describe("readQuery with the filters of sessions", () => {
  const read = (text: string): unknown => readQuery(sessionsQuery, new URLSearchParams(text));

  it("combines filters, and treats a severity without operator as a minimum", () => {
    expect(read("rate_health=unhealthy&category=timeout&severity=0.7&tool=Bash&text=x&sort=failures")).toEqual({
      ...{ rate_health: "unhealthy", category: "timeout", severity: { is: ">=", value: 0.7 }, tool: "Bash" },
      ...{ text: "x", sort: "failures", limit: 100, offset: 0 },
    });
  });

  it("uses the default for an empty value, and the first of several values", () => {
    expect(read("sort=&limit=&offset=2&offset=3")).toEqual({ sort: "recent", limit: 100, offset: 2 });
  });

  it.each([
    [">0.7", { is: ">", value: 0.7 }],
    ["<= 0.5", { is: "<=", value: 0.5 }],
    [" =1.0 ", { is: "=", value: 1 }],
    ["0", { is: ">=", value: 0 }],
  ])("parses the severity %j", (severity, expected) => {
    expect(read(new URLSearchParams({ severity }).toString())).toMatchObject({ severity: expected });
  });

  it.each([
    ["health=fine", "health must be one of healthy, degraded, unhealthy, insufficient."],
    ["severity=much", "severity must be a number from 0 to 1, alone or compared: >0.7, <=0.5."],
    ["severity=>>1", "severity must be a number from 0 to 1, alone or compared: >0.7, <=0.5."],
    ["sort=age", "sort must be one of recent, severity, failures, unrecovered."],
    ["offset=-1", "offset must be between 0 and 1000000000."],
    [`text=${"x".repeat(501)}`, "text must not be longer than 500 characters."],
  ])("names the invalid filter: %s", (text, message) => {
    expect(() => read(text)).toThrow(new ParameterError(message));
  });
});

it("readQuery rejects a filter that the route would ignore", () => {
  expect(() => readQuery(fingerprintQuery, new URLSearchParams("provider=x"))).toThrow(
    new ParameterError("provider is not a filter of this route. Remove it."),
  );
});

it("readQuery rejects a missing or invalid age of sessions to delete", () => {
  const message = "older must be a span such as 12h, 30d or 8w.";
  expect(readQuery(olderQuery, new URLSearchParams("older=24h"))).toEqual({ older: 86_400_000 });
  for (const query of ["", "older=", "older=soon"])
    expect(() => readQuery(olderQuery, new URLSearchParams(query))).toThrow(new ParameterError(message));
});
