import { rmSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { createTarget } from "../../src/export/export-settings.ts";
import { startInFrontOf, temporaryFolder } from "../support/running.ts";

const data = temporaryFolder();
afterEach(() => rmSync(data, { recursive: true, force: true }));

it("a start whose export cannot be prepared closes the store and its port, so that the next start succeeds", async () => {
  const keys = { LANGFUSE_PUBLIC_KEY: "pk", LANGFUSE_SECRET_KEY: "sk", LANGFUSE_HOST: "http://127.0.0.1:9" };
  // The name cannot be sent to the thread of the store.
  const broken = { ...createTarget("langfuse", keys, "1"), name: (() => "langfuse") as never };
  const exporting = { targets: [broken], content: false, giveUpAfterMs: 1000 };
  await expect(startInFrontOf("http://127.0.0.1:9", { data, exporting })).rejects.toThrow("could not be cloned");
  const next = await startInFrontOf("http://127.0.0.1:9", { data });
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
  await next.close();
});
