import { describe, expect, test } from "vitest";
import { DETECT_AREAS } from "../../../test/support/detect-rows.ts";
import { classifyToolResult } from "./index.ts";

/** Share of failures that are found, by area. The wording model was trained on these rows: they guard against losses. */
const FOUND_FLOORS: Readonly<Record<string, number>> = {
  services: 0.87,
  coding: 0.94,
  acting: 0.86,
  json: 0.75,
  data: 0.78,
  files: 0.88,
  operations: 0.75,
  "public-apis": 0.86,
  business: 0.88,
  programs: 0.94,
  editors: 0.96,
  devices: 0.83,
  trades: 0.89,
  actions: 0.92,
  "customer-service": 0.94,
  apps: 0.92,
  cloud: 0.92,
  research: 0.88,
  engineering: 0.96,
  everyday: 0.8,
  forms: 0.8,
};
/** Successes of all areas that count as failures. */
const MAX_ALARMS = 42;

describe("results of many areas, labeled by their writers", () => {
  const judged = [...DETECT_AREAS].map(([area, rows]) => ({
    area,
    rows: rows.map((row) => {
      const outcome = classifyToolResult({ content: row.text }, { name: row.tool, arguments: row.args });
      return { isFailure: row.failed !== undefined, isFound: outcome.status === "failed" || outcome.soft };
    }),
  }));

  test.each(judged.filter(({ area }) => area in FOUND_FLOORS))(
    "most failures of the area $area are found",
    ({ area, rows }) => {
      const failures = rows.filter(({ isFailure }) => isFailure);
      const found = failures.filter(({ isFound }) => isFound);
      expect(failures.length).toBeGreaterThan(130);
      expect(found.length / failures.length).toBeGreaterThan(FOUND_FLOORS[area] ?? 1);
    },
  );

  test("few successes count as failures", () => {
    const fine = judged.flatMap(({ rows }) => rows).filter(({ isFailure }) => !isFailure);
    expect(fine.length).toBeGreaterThan(5000);
    expect(fine.filter(({ isFound }) => isFound).length).toBeLessThanOrEqual(MAX_ALARMS);
  });
});
