import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser, type TestBrowser, whyNoBrowser } from "../support/browser.ts";
import { notRun } from "../support/not-run.ts";
import { type Running, startBoth } from "../support/running.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, refuse, respond } from "../support/upstream/turn.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const OTHER = "<function=read>\n<parameter=path>\na.txt\n</parameter>\n</function>";
const noBrowser = whyNoBrowser();

describe.skipIf(noBrowser !== undefined)(`leaks and failed requests in the dashboard${notRun(noBrowser)}`, () => {
  let world: Running;
  let browser: TestBrowser;

  beforeAll(async () => {
    const turns = [respond("", call("read", { path: "b.txt" }, "call_1")), refuse(429), respond(LEAK), respond(OTHER)];
    world = await startBoth(inOrder(...turns), { repair: { mode: "observe" } });
    browser = await startBrowser();
    await send([]);
    const history = [
      {
        role: "assistant",
        tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"b.txt"}' } }],
      },
      { role: "tool", tool_call_id: "call_1", content: "text of b" },
    ];
    await send(history);
    await send(history);
    await send([], "s2");
    await world.server.drain();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  const send = async (history: readonly object[], session = "s1"): Promise<void> => {
    const response = await fetch(`${world.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-toolmend-session": session },
      body: JSON.stringify({
        model: "m",
        messages: [{ role: "user", content: "Read." }, ...history],
        tools: [{ type: "function", function: { name: "read", parameters: { type: "object" } } }],
      }),
    });
    await response.text();
  };

  it("a leak that stayed text is on the page with its tool, the reason and the model's text", async () => {
    const { page, problems } = await browser.open(`${world.url}/session?id=s1`);
    const leak = page.getByRole("list", { name: "Leaks left as text" }).getByRole("listitem");
    expect((await leak.locator("summary").innerText()).trim()).toBe(
      "! Leaked call left as text after call 1: read · repair mode is observe",
    );
    await leak.locator("summary").click();
    expect(await leak.locator("pre").innerText()).toBe(LEAK);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("a request that the upstream rejected is on the page with its status", async () => {
    const { page } = await browser.open(`${world.url}/session?id=s1`);
    const failed = page.getByRole("list", { name: "Failed requests" }).getByRole("listitem");
    await failed.waitFor();
    expect(await failed.allInnerTexts()).toEqual(["✕ HTTP 429 from openai after call 1"]);
    await page.close();
  });

  it.each([1200, 1440, 390])(
    "leaks of one model in two formats are distinguishable on the models page, %d px wide",
    async (width) => {
      const { page } = await browser.open("about:blank");
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${world.url}/models`);
      const rows = page.getByRole("table", { name: "Leaks by model and format" }).locator("tbody tr");
      await rows.nth(1).waitFor();
      const formats = await rows.locator("code:visible").allInnerTexts();
      expect(formats.toSorted()).toEqual(["hermes-json", "qwen3coder-xml"]);
      await page.close();
    },
  );
});
