import { expect, it } from "vitest";
import { dataFolder } from "../ingest/data-folder.ts";
import { storeName } from "./open-store.ts";

it("names a store without its password and options", () => {
  const folder = dataFolder("/d");
  expect(storeName({ folder, url: "postgres://me:hunter22@db:5433/x?password=hunter22" })).toBe(
    "postgres://me@db:5433/x",
  );
  expect(storeName({ folder, url: "postgres://db/x" })).toBe("postgres://db/x");
  expect(storeName({ folder })).toBe("/d/toolmend.db");
});
