import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readConfig } from "../../src/cli/config.ts";
import { packageRoot } from "../../src/cli/version.ts";
import { temporaryFolder } from "../support/running.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync(join(packageRoot, "docs", "configuration.md"), "utf8");
const shown = /^## All settings$[\s\S]*?^```json\n([\s\S]*?)^```$/m.exec(page)?.[1] as string;

it("the example file on the configuration page is valid and contains every setting", async () => {
  const file = join(folder, "toolmend.config.json");
  writeFileSync(file, shown);
  // Parsing adds defaults, so the result has every setting; two have no default.
  expect(await readConfig({ config: file }, {})).toEqual(JSON.parse(shown));
  expect(JSON.parse(shown)).toMatchObject({ store: expect.any(String), token: expect.any(String) });
});
