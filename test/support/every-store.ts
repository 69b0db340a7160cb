import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe } from "vitest";
import type { Store } from "../../src/store/port.ts";
import { embeddedStores } from "./embedded-stores.ts";
import { lines } from "./observations.ts";
import { postgresStores } from "./postgres-stores.ts";

/** The store of the running test: new and empty. */
export let store: Store;

let folder: string;
let position = 0;
const STORES = [...embeddedStores(() => folder), ...postgresStores()];

/** Runs the same tests with every implementation of the store. */
export function describeEveryStore(title: string, tests: () => void): void {
  describe.each(STORES)(`${title}: %s`, (_name, open) => {
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), "toolmend-store-"));
      store = await open();
    });
    afterEach(async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    });
    tests();
  });
}

/** Applies observations to the store of the running test, as one batch of live traffic. */
export const apply = (...observations: readonly object[]): ReturnType<Store["apply"]> =>
  applyText(lines(...observations));

/** Applies observations as a start does that finds them in the journal. */
export const replay = (...observations: readonly object[]): ReturnType<Store["apply"]> =>
  applyText(lines(...observations), false);

/** Applies lines of the journal. */
export function applyText(text: string, live = true): ReturnType<Store["apply"]> {
  position += 1;
  return store.apply({ journal: "j1", position: String(position), live, lines: text });
}
