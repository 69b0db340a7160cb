import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as proxy from "../../src/entry/proxy.ts";
import * as store from "../../src/entry/store.ts";

// The public names of the package. Adding one is safe; removing or renaming one breaks users.

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-doors-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("public names of the server entry points", () => {
  it("the public names equal this list", () => {
    expect(Object.keys(proxy)).toEqual(["startToolmend"]);
    expect(Object.keys(store)).toEqual(["openReader"]);
  });

  it("toolmend/proxy runs the server in a program, and toolmend/store reads its records", async () => {
    const data = join(folder, "records");
    await expect(store.openReader({ data })).rejects.toThrow(`No recorded data found in ${data}.`);
    const running = await proxy.startToolmend({ port: 0, data, logLevel: "silent" }, {});
    expect(running.url).toBe(`http://127.0.0.1:${running.port}`);
    const line = { session_id: "s", tool_call_id: "c", tool_name: "search", content: "no answer", is_error: true };
    const headers = { "content-type": "application/json" };
    await fetch(`${running.url}/api/ingest`, { method: "POST", headers, body: JSON.stringify(line) });
    await running.drain();
    const reader = await store.openReader({ data });
    expect(await reader.summary({})).toMatchObject({ calls: 1, failed: 1, failure_rate: 1 });
    expect((await reader.breakdown("tool", {})).map(({ key, failed }) => [key, failed])).toEqual([["search", 1]]);
    await reader.close();
    await running.close();
    await expect(fetch(running.url)).rejects.toThrow();
  });

  it("toolmend/store names what is wrong with its arguments", async () => {
    const open = (location: object) => store.openReader(location as store.StoreLocation);
    await expect(open({})).rejects.toThrow("openReader: pass { data: folder } or { store: 'postgres://…' }.");
    await expect(open({ data: 5 })).rejects.toThrow("openReader: pass { data: folder }");
    await expect(open({ store: "mysql://x" })).rejects.toThrow("openReader: 'store' must be a URL like postgres://");
    const data = join(folder, "columns");
    await (await proxy.startToolmend({ port: 0, data, logLevel: "silent" }, {})).close();
    const reader = await store.openReader({ data });
    await expect(reader.breakdown("tools" as "tool", {})).rejects.toThrow(
      'breakdown: must be one of tool, model, provider, category, phase, workflow, day, session, but is "tools".',
    );
    await reader.close();
  });

  it("toolmend/proxy closes once, however often it is asked to", async () => {
    const running = await proxy.startToolmend({ port: 0, data: join(folder, "closed"), logLevel: "silent" }, {});
    await Promise.all([running.close(), running.close()]);
    await running.close();
  });

  it("toolmend/proxy accepts the shorthands of the configuration file", async () => {
    const data = join(folder, "short");
    const settings: proxy.ToolmendSettings = {
      ...{ port: 0, data, logLevel: "silent" },
      repair: "off",
      guard: "note",
      secondChance: "on",
      export: "otlp",
    };
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
    const running = await proxy.startToolmend(settings, environment);
    const state = async (path: string) => (await (await fetch(`${running.url}/api/${path}`)).json()) as object;
    expect(await state("repair")).toMatchObject({ mode: "off" });
    expect(await state("guard")).toMatchObject({ mode: "note" });
    expect(await state("export")).toMatchObject({ targets: [{ target: "otlp" }] });
    await running.close();
    const calls: proxy.ToolmendSettings = { port: 0, data, repair: { calls: "observe" }, export: ["otlp"] };
    await expect(proxy.startToolmend(calls, {})).rejects.toThrow("OTEL_EXPORTER_OTLP_ENDPOINT");
    // @ts-expect-error: not a mode
    await expect(proxy.startToolmend({ port: 0, data, repair: "of" }, {})).rejects.toThrow(
      "repair.mode: must be one of",
    );
  });

  it("toolmend/proxy validates its settings like the command line does", async () => {
    const data = join(folder, "never");
    await expect(proxy.startToolmend({ port: "x", data }, {})).rejects.toThrow("port: must be a whole number");
    await expect(proxy.startToolmend({ host: "0.0.0.0", port: 0, data }, {})).rejects.toThrow("a token is required");
  });
});
