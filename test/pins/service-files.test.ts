import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ALL_SERVICE_FILES } from "../service-files.ts";

/** Imports and calls of a test file that starts something outside its own process. */
const STARTS_SOMETHING =
  /node:child_process|kept\.spawn\(|support\/(?:browser|postgres|postgres-stores|promtool|reader-process|server-process|small-disk|store-lock)\.ts/;

it("test/service-files.ts lists every test file that starts a service or a process", () => {
  const found = globSync("{src,dashboard/src,test}/**/*.test.ts").filter((file) =>
    STARTS_SOMETHING.test(readFileSync(file, "utf8")),
  );
  expect(
    found.filter((file) => !ALL_SERVICE_FILES.includes(file) && file !== "test/pins/service-files.test.ts"),
  ).toEqual([]);
  expect(ALL_SERVICE_FILES.filter((file) => !existsSync(file))).toEqual([]);
});
