import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { classifyToolResult } from "../../src/core/detect/index.ts";
import { createTarget } from "../../src/export/export-settings.ts";
import { startBrowser, type TestBrowser, type WatchedPage, whyNoBrowser } from "../support/browser.ts";
import { addressOf, cards, names, numbersByName, rowOf, SOON } from "../support/dashboard-reader.ts";
import { send } from "../support/dashboard-world.ts";
import { type Running, startInFrontOf } from "../support/running.ts";
import { ScriptedAgent } from "../support/scripted-agent.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";

const PAGES = ["/", "/tools", "/errors", "/models", "/sessions", "/calls", "/live", "/setup", "/tool?name=x"];
const noBrowser = whyNoBrowser();

describe.skipIf(noBrowser !== undefined)(
  `dashboard${noBrowser === undefined ? "" : ` (not run: ${noBrowser})`}`,
  () => {
    const agent = new ScriptedAgent();
    let upstream: Upstream;
    let server: Running;
    let browser: TestBrowser;
    let watched: WatchedPage;
    let page: Page;

    beforeAll(async () => {
      upstream = await startUpstream({ script: agent.script });
      server = await startInFrontOf(upstream.url);
      browser = await startBrowser();
      watched = await browser.open(server.url);
      page = watched.page;
    });

    afterAll(async () => {
      // With the page still open: its live feed must not keep the server from stopping.
      await server?.close();
      await browser?.close();
      await upstream?.close();
    });

    it("shows how to connect a client while nothing is recorded", async () => {
      await page.getByRole("heading", { name: "Connect a client" }).waitFor();
      const lines = await page.locator(".connect code").allInnerTexts();
      const data = `--data ${server.data}`;
      expect(lines).toEqual([
        `ANTHROPIC_BASE_URL=${server.url} ENABLE_TOOL_SEARCH=true CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK=1 claude`,
        `codex -c openai_base_url=${server.url}/v1`,
        `OPENAI_BASE_URL=${server.url}/v1`,
        `npm run -s toolmend -- run ${data} -- opencode`,
        `npm run -s toolmend -- run ${data} -- qwen`,
        `npm run -s toolmend -- run ${data} -- gemini`,
        `npm run -s toolmend -- run ${data} -- copilot`,
        `npm run -s toolmend -- start --upstream vllm=http://127.0.0.1:8000/v1 ${data}`,
        `npm run -s toolmend -- hook install claude-code ${data}`,
        `npm run -s toolmend -- hook install codex ${data}`,
        `npm run -s toolmend -- hook install opencode ${data}`,
        `npm run -s toolmend -- hook install gemini ${data}`,
        `npm run -s toolmend -- hook install qwen ${data}`,
        `npm run -s toolmend -- hook install copilot ${data}`,
        `npm run -s toolmend -- hook install cline ${data}`,
        `npm run -s toolmend -- import ${data}`,
      ]);
      expect(await page.getByText("npm run -s toolmend -- demo").isVisible()).toBe(true);
      await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByRole("button", { name: "Copy the line for Codex", exact: true }).click();
      await expect.poll(() => page.evaluate("navigator.clipboard.readText()"), SOON).toBe(lines[1]);
    });

    it.each(PAGES)("shows an empty state on %s while nothing is recorded", async (path) => {
      const empty = await browser.open(`${server.url}${path}`);
      await empty.page.locator("main .empty, main .page-head").first().waitFor();
      expect(await empty.page.locator("main").innerText()).not.toMatch(/undefined|NaN|\[object/);
      expect(empty.problems).toEqual([]);
      await empty.page.close();
    });

    it("fills in without a reload when agents send requests through the proxy", async () => {
      await page.evaluate("window.notReloaded = true");
      await expect.poll(() => page.locator("output.live").innerText(), SOON).toContain("Live");
      await agent.useMessages(server.url, "11111111-2222-4333-8444-555555555555", [
        { tool: "Bash", result: "Exit code 3\nboom", isError: true },
        { tool: "Bash", result: "README.md", isError: false },
        { tool: "Read", result: "# Toolmend", isError: false },
      ]);
      await agent.useChat(server.url, "chat-session", [
        { tool: "lookup", result: '{"error": "no such table: orders"}' },
        { tool: "silent", result: "" },
      ]);
      // Results of the Chat API have no flag, so the detector classifies the text.
      const lookup = classifyToolResult({ content: '{"error": "no such table: orders"}' }).status;
      const lookupRow = { ok: ["1", "0", "0%"], failed: ["1", "1", "100%"], unknown: ["1", "0", "–"] }[lookup];
      await expect
        .poll(async () => short(await numbersByName(page, "Tools"), 3), SOON)
        .toEqual({ Bash: ["2", "1", "50.0%"], Read: ["1", "0", "0%"], lookup: lookupRow, silent: ["1", "0", "–"] });
      const failed = lookup === "failed" ? 2 : 1;
      await expect
        .poll(() => cards(page), SOON)
        .toMatchObject({ Calls: "5", Failed: String(failed), "Leaks repaired": "0", "Unhealthy sessions": "0" });
      // Without a previous week there is no comparison.
      expect(await page.getByRole("region", { name: "Regressions" }).innerText()).toContain("No comparison");
      expect(await page.evaluate("window.notReloaded")).toBe(true);
    });

    it("updates numbers live, without a reload and without losing the scroll position", async () => {
      const before = await rowOf(page, "Tools", "Read").boundingBox();
      await agent.useMessages(server.url, "11111111-2222-4333-8444-555555555555", [
        { tool: "Bash", result: "Exit code 1", isError: true },
      ]);
      await expect
        .poll(async () => (await numbersByName(page, "Tools")).Bash?.slice(0, 3), SOON)
        .toEqual(["3", "2", "66.7%"]);
      expect(await rowOf(page, "Tools", "Read").boundingBox()).toEqual(before);
      expect(await page.evaluate("window.notReloaded")).toBe(true);
    });

    it("shows calls without a result as pending", async () => {
      await fetch(`${server.url}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer k", "x-session-id": "half" },
        body: JSON.stringify({
          model: "open-scripted-1",
          messages: [{ role: "user", content: "Only the first half" }],
        }),
      });
      await page.getByText("1 pending").waitFor();
    });

    it("sorts by any column and keeps it in the URL", async () => {
      await page.getByRole("link", { name: "Tools", exact: true }).click();
      const head = page.getByRole("columnheader", { name: "Tool", exact: true });
      await head.waitFor();
      expect(await page.getByRole("columnheader", { name: "Excess" }).getAttribute("aria-sort")).toBe("descending");
      await head.getByRole("button").focus();
      await page.keyboard.press("Enter");
      expect(addressOf(page)).toBe("/tools?sort=name");
      expect(await head.getAttribute("aria-sort")).toBe("ascending");
      expect(await names(page, "Tools")).toEqual(["Bash", "lookup", "Read", "silent"]);
      await head.getByRole("button").click();
      expect(await names(page, "Tools")).toEqual(["silent", "Read", "lookup", "Bash"]);
      await page.getByRole("columnheader", { name: "Fail %" }).getByRole("button").click();
      // Without an outcome there is no rate: such rows are last in both directions.
      expect((await names(page, "Tools")).at(-1)).toBe("silent");
      await page.goBack();
      await page.goBack();
      expect(addressOf(page)).toBe("/tools?sort=name");
      await page.goBack();
      expect(addressOf(page)).toBe("/tools");
    });

    it("filters and keeps it in the URL; typing one filter is one history entry", async () => {
      await page.keyboard.press("/");
      await page.keyboard.type("bash");
      await expect.poll(() => names(page, "Tools"), SOON).toEqual(["Bash"]);
      expect(addressOf(page)).toBe("/tools?filter=bash");
      await page.goBack();
      expect(await page.getByRole("searchbox").inputValue()).toBe("");
      expect(await names(page, "Tools")).toHaveLength(4);
      await page.getByRole("searchbox").fill("LOOK");
      expect(await names(page, "Tools")).toEqual(["lookup"]);
      await page.keyboard.press("Escape");
      expect(addressOf(page)).toBe("/tools");
    });

    it("queries only the chosen time range and keeps it on other pages", async () => {
      const requested = page.waitForRequest((request) => request.url().includes("/api/tools?since=1h"));
      await page.getByRole("radio", { name: "Last hour" }).check();
      await requested;
      expect(addressOf(page)).toBe("/tools?range=1h");
      await page.getByRole("link", { name: "Sessions", exact: true }).click();
      expect(addressOf(page)).toBe("/sessions?range=1h");
      await rowOf(page, "Sessions", "chat-session").waitFor();
      // Ranges are whole hours: two hours ago is always outside the last one.
      await send(
        server,
        JSON.stringify({
          ...{ session_id: "earlier", tool_call_id: "c1", tool_name: "Old", content: "x", is_error: true },
          occurred_at: Date.now() - 7_500_000,
        }),
      );
      await server.server.drain();
      await page.goBack();
      await rowOf(page, "Tools", "Bash").waitFor();
      expect(await names(page, "Tools")).not.toContain("Old");
      await page.getByRole("radio", { name: "All time" }).check();
      await expect
        .poll(async () => (await numbersByName(page, "Tools")).Old?.slice(0, 3), SOON)
        .toEqual(["1", "1", "100%"]);
    });

    it("restores the view of a shared URL", async () => {
      const shared = await browser.open(`${server.url}/tools?range=30d&filter=l&sort=-calls`);
      await expect.poll(() => names(shared.page, "Tools"), SOON).toEqual(expect.arrayContaining(["lookup", "Old"]));
      expect(await shared.page.getByRole("radio", { name: "Last 30 days" }).isChecked()).toBe(true);
      expect(await shared.page.getByRole("searchbox").inputValue()).toBe("l");
      expect(shared.problems).toEqual([]);
      await shared.page.close();
    });

    it("renders only the rows of a long list that are near the viewport", async () => {
      const line = (n: number): string =>
        JSON.stringify({
          session_id: "many",
          tool_call_id: `m${n}`,
          tool_name: `many_${n}`,
          content: "x",
          is_error: false,
        });
      await send(server, Array.from({ length: 1000 }, (_, n) => line(n)).join("\n"));
      await server.server.drain();
      const long = await browser.open(`${server.url}/tools?sort=name`);
      await rowOf(long.page, "Tools", "many_0").first().waitFor();
      const drawn = (): Promise<unknown> =>
        long.page.evaluate("document.querySelectorAll('tbody tr:not(.space)').length");
      await expect.poll(drawn, SOON).toBeLessThan(120);
      await long.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      await rowOf(long.page, "Tools", "silent").waitFor();
      await expect.poll(drawn, SOON).toBeLessThan(120);
      expect(await long.page.evaluate("document.documentElement.scrollHeight")).toBeGreaterThan(1000 * 25);
      await long.page.close();
    });

    it("waits for a slow response instead of sending a request per call, then loads what changed meanwhile", async () => {
      const slow = await browser.open("about:blank");
      const call = (name: string): Promise<void> =>
        send(server, JSON.stringify({ session_id: "slow", tool_call_id: name, tool_name: name, content: "x" }));
      const [requestTimes, failedPaths] = [[] as number[], [] as string[]];
      await slow.page.route("**/api/tools*", async (route) => {
        requestTimes.push(Date.now());
        await sleep(requestTimes.length === 1 ? 1500 : 0);
        await route.continue();
      });
      slow.page.on("requestfailed", (request) => failedPaths.push(new URL(request.url()).pathname));
      await slow.page.goto(`${server.url}/tools?filter=during`);
      await slow.page.locator("output.live").filter({ hasText: "Live" }).waitFor();
      await call("during_1");
      await sleep(600);
      await call("during_2");
      await rowOf(slow.page, "Tools", "during_2").waitFor();
      expect(failedPaths).not.toContain("/api/tools");
      expect(requestTimes.length).toBeLessThanOrEqual(3);
      await slow.page.close();
    });

    it("never reports a lost connection while the server responds: slowly, hidden and shown again, page after page", async () => {
      const calm = await browser.open("about:blank");
      const statuses = new Set<string>();
      const look = async (): Promise<void> => {
        statuses.add((await calm.page.locator("output.live").innerText()).replace(/\W/g, ""));
        for (const alert of await calm.page.getByRole("alert").allInnerTexts()) statuses.add(alert);
      };
      const turn = (hidden: boolean): Promise<unknown> =>
        calm.page.evaluate(`Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"))`);
      await calm.page.route("**/api/live", async (route) => {
        await sleep(300);
        await route.continue();
      });
      await calm.page.goto(`${server.url}/sessions`);
      await look();
      await calm.page.locator("output.live").filter({ hasText: "Live" }).waitFor();
      for (const key of "1234567") {
        await calm.page.keyboard.press(key);
        await look();
      }
      await turn(true);
      await look();
      await turn(false);
      await look();
      await calm.page.goto(`${server.url}/api/openapi.json`);
      await calm.page.goBack();
      await calm.page.locator("output.live").waitFor();
      await look();
      await calm.page.locator("output.live").filter({ hasText: "Live" }).waitFor();
      expect([...statuses].filter((text) => text !== "Connecting" && text !== "Live")).toEqual([]);
      await calm.page.close();
    });

    it("shows a prominent warning when something was not recorded", async () => {
      const troubled = await browser.open("about:blank");
      await troubled.page.route("**/api/status", async (route) => {
        const status = (await (await route.fetch()).json()) as object;
        await route.fulfill({
          json: { ...status, dropped: 1234, rejected: 2, store_problem: "database or disk is full" },
        });
      });
      await troubled.page.goto(server.url);
      const alert = await troubled.page.getByRole("alert").innerText();
      expect(alert).toContain("Cannot write to the store: database or disk is full.");
      expect(alert).toContain("1,234 observations dropped");
      expect(alert).toContain("2 lines rejected");
      await troubled.page.close();
    });

    it("shows what to do when the server does not respond, and recovers without a reload", async () => {
      const lonely = await browser.open("about:blank");
      await lonely.page.route("**/api/**", (route) => route.abort());
      await lonely.page.goto(`${server.url}/tools`);
      const alert = lonely.page.getByRole("alert");
      expect(await alert.innerText()).toContain(`Toolmend is not reachable at ${server.url}. If it is not running,`);
      expect(await lonely.page.locator("output.live").innerText()).toContain("Disconnected");
      await lonely.page.unroute("**/api/**");
      await alert.waitFor({ state: "detached" });
      await expect.poll(() => lonely.page.locator("output.live").innerText(), SOON).toContain("Live");
      expect(await names(lonely.page, "Tools")).toContain("Bash");
      await lonely.page.close();
    });

    it("shows immediately when the server stops under an open page", async () => {
      const mortal = await startInFrontOf(upstream.url);
      const left = await browser.open(`${mortal.url}/setup`);
      await left.page.locator("output.live").filter({ hasText: "Live" }).waitFor();
      await mortal.close();
      const alert = left.page.getByRole("alert");
      await alert.waitFor({ timeout: 5000 });
      expect(await alert.innerText()).toContain(`Toolmend is not reachable at ${mortal.url}. If it is not running,`);
      await left.page.close();
    });

    it("shows the API's message when a query fails", async () => {
      const refused = await browser.open("about:blank");
      const message = "The store could not answer. `toolmend doctor` says more.";
      await refused.page.route("**/api/tools*", (route) =>
        route.fulfill({ status: 503, json: { error: { message } } }),
      );
      await refused.page.goto(server.url);
      expect(await refused.page.getByRole("alert").innerText()).toContain(message);
      await refused.page.close();
    });

    it("shows how to set up an export, and what to do about a failing one", async () => {
      await page.goto(`${server.url}/setup`);
      const none = page.getByRole("region", { name: "Export" });
      await none.getByText("No export configured.").waitFor();
      // The commands have their plain name until the server has told how it was started.
      await none.getByText("npm run -s toolmend").first().waitFor();
      expect(await none.locator("code").allInnerTexts()).toEqual([
        `LANGFUSE_PUBLIC_KEY=pk-lf-… LANGFUSE_SECRET_KEY=sk-lf-… npm run -s toolmend -- start --export langfuse --data ${server.data}`,
        `OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 npm run -s toolmend -- start --export otlp --data ${server.data}`,
      ]);
      let isLater = false;
      const targets = [createTarget("otlp", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, "1.2.3")];
      const far = await startInFrontOf(upstream.url, {
        exporting: { targets, content: false, giveUpAfterMs: 86_400_000, everyMs: 20 },
        // Calls are exported after ten seconds without changes.
        now: () => Date.now() + 3_600_000 * Number(isLater),
      });
      const visitor = await browser.open(`${far.url}/setup`);
      try {
        const target = visitor.page.getByRole("region", { name: "Export" }).getByRole("listitem");
        await target.getByText("otlp is up to date.").waitFor();
        await visitor.page
          .getByText("Earlier calls")
          .getByText("npm run -s toolmend -- export otlp --since 7d")
          .waitFor();
        await send(far, JSON.stringify({ session_id: "s", tool_call_id: "c", tool_name: "Bash", content: "x" }));
        await far.server.drain();
        isLater = true;
        const words =
          /otlp rejects items: .+\. Check that it is running and that OTEL_EXPORTER_OTLP_ENDPOINT is correct\..* [12] queued, the oldest .+; none are lost\./;
        await expect.poll(() => target.innerText(), SOON).toMatch(words);
        const recorder = await visitor.page.getByRole("region", { name: "Recorder" }).innerText();
        expect(recorder).toContain("all events imported");
        expect(visitor.problems).toEqual([]);
      } finally {
        await visitor.page.close();
        await far.close();
      }
    });

    it("accepts the token once in the URL and then by cookie", async () => {
      const guarded = await startInFrontOf(upstream.url, { token: "a-token-of-some-length" });
      const visitor = await browser.context.newPage();
      try {
        expect((await visitor.goto(`${guarded.url}/tools`))?.status()).toBe(401);
        await visitor.goto(`${guarded.url}/~a-token-of-some-length/tools?range=7d`);
        await visitor.getByRole("heading", { name: "Connect a client" }).waitFor();
        expect(addressOf(visitor)).toBe("/tools?range=7d");
        expect((await visitor.goto(`${guarded.url}/setup`))?.status()).toBe(200);
        await visitor.getByText("Active on all upstreams").waitFor();
      } finally {
        await visitor.close();
        await guarded.close();
      }
    });

    it("the dashboard sent no request to another host and caused no error on its way", () => {
      expect([...watched.origins]).toEqual([server.url]);
      expect(watched.problems).toEqual([]);
    });
  },
);

function short(
  cells: Readonly<Record<string, readonly string[]>>,
  count: number,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(cells).map(([name, all]) => [name, all.slice(0, count)]));
}
