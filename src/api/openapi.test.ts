import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openApi } from "./openapi.ts";

const FOLDER = new URL(".", import.meta.url);

/** Returns every route in the sources of this folder, such as `GET /api/tools`. */
function routes(): readonly string[] {
  const sources = readdirSync(FOLDER).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const texts = sources.map((name) => readFileSync(new URL(name, FOLDER), "utf8"));
  return texts.flatMap((text) =>
    [...text.matchAll(/"((?:GET|POST|PUT|DELETE) \/api\/[^"]*)"/g)].map(([, key]) => `${key}`),
  );
}

describe("/api/openapi.json", () => {
  it("describes every route", () => {
    const described = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const found = routes().filter((route) => route !== "GET /api/openapi.json");
    expect(found.length).toBeGreaterThan(8);
    expect(found.filter((route) => !described.includes(route))).toEqual([]);
  });
});
