import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { classifyToolResult } from "../../src/core/detect/index.ts";
import { startUpstream, type Upstream } from "../../src/demo/upstream/start-upstream.ts";
import { startBrowser, type TestBrowser, type WatchedPage, whyNoBrowser } from "../support/browser.ts";
import { buildDashboard } from "../support/build-dashboard.ts";
import { busyDay } from "../support/busy-day.ts";
import { type Running, startInFrontOf } from "../support/running.ts";
import { ScriptedAgent } from "../support/scripted-agent.ts";

const MARKUP = "<img src=x onerror=alert(1)>";
const ESCAPED = "a\u001b[31mred\u202Eback";
const SOON = { timeout: 10_000, interval: 50 };

const noBrowser = whyNoBrowser();

describe.skipIf(noBrowser !== undefined)(
  `dashboard${noBrowser === undefined ? "" : ` (skipped: ${noBrowser})`}`,
  () => {
    const agent = new ScriptedAgent();
    let upstream: Upstream;
    let server: Running;
    let browser: TestBrowser;
    let watched: WatchedPage;
    let page: Page;

    beforeAll(async () => {
      buildDashboard();
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
      expect(lines).toEqual([
        `ANTHROPIC_BASE_URL=${server.url} ENABLE_TOOL_SEARCH=true CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK=1 claude`,
        `OPENAI_BASE_URL=${server.url}/v1 codex`,
        `OPENAI_BASE_URL=${server.url}/v1`,
      ]);
      expect(await page.getByText("npm run demo").isVisible()).toBe(true);
      expect(await page.title()).toBe("Toolmend");

      await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByRole("button", { name: "Copy the line for Codex" }).click();
      await expect.poll(() => page.evaluate("navigator.clipboard.readText()"), SOON).toBe(lines[1]);
    });

    it("fills by itself when agents talk through the proxy", async () => {
      await page.evaluate("window.notReloaded = true");
      await expect.poll(() => page.getByRole("status").first().innerText(), SOON).toContain("Live");
      await agent.useMessages(server.url, "11111111-2222-4333-8444-555555555555", [
        { tool: "Bash", result: "Exit code 3\nboom", isError: true },
        { tool: "Bash", result: "README.md", isError: false },
        { tool: "Read", result: "# Toolmend", isError: false },
      ]);
      await agent.useChat(server.url, "chat-session", [
        { tool: MARKUP, result: "" },
        { tool: ESCAPED, result: "" },
        { tool: "lookup", result: '{"error": "no such table: orders"}' },
      ]);

      // Texts on the Chat API have no flag: what they say is for the detector to judge.
      const lookup = classifyToolResult({ content: '{"error": "no such table: orders"}' }).status;
      const lookupRow = { ok: ["1", "0", "0", "0%"], failed: ["1", "1", "0", "100%"], unknown: ["1", "0", "1", "–"] }[
        lookup
      ];
      await expect
        .poll(() => numbersByName(page, "Tools"), SOON)
        .toEqual({
          Bash: ["2", "1", "0", "50.0%"],
          Read: ["1", "0", "0", "0%"],
          lookup: lookupRow,
          [MARKUP]: ["1", "0", "1", "–"],
          "a␛[31mred\u202Eback": ["1", "0", "1", "–"],
        });
      const failed = lookup === "failed" ? 2 : 1;
      await expect
        .poll(() => cards(page), SOON)
        .toMatchObject({ Calls: "6", Failed: String(failed), Sessions: "2", Pending: "0", Soft: "0" });
      expect(await page.title()).toBe(`${failed} failed · Toolmend`);
      expect(await page.evaluate("window.notReloaded")).toBe(true);
    });

    it("lists the sessions with their health", async () => {
      const sessions = await rows(page, "Sessions");
      expect(sessions.map((cells) => cells.slice(0, 6))).toContainEqual([
        "▲ 11111111…",
        "claude-code",
        "claude-scripted-1",
        "anthropic",
        "3",
        "1",
      ]);
      const [ours] = sessions.filter(([name]) => name?.includes("11111111"));
      expect(ours?.slice(6)).toEqual(["66.7%", "just now"]);
      const row = rowOf(page, "Sessions", "11111111");
      expect(await row.getByRole("img").getAttribute("aria-label")).toBe("degraded");
      expect(await row.locator("bdi").first().getAttribute("title")).toBe("11111111-2222-4333-8444-555555555555");
      expect(await row.locator("td time").getAttribute("title")).toMatch(/20\d\d/);
      expect(sessions.find(([name]) => name?.includes("chat-session"))?.slice(1, 5)).toEqual([
        "opencode",
        "open-scripted-1",
        "openai",
        "3",
      ]);
    });

    it("moves numbers live, without a reload and without losing the place", async () => {
      const before = await rowOf(page, "Tools", "Read").boundingBox();
      await agent.useMessages(server.url, "11111111-2222-4333-8444-555555555555", [
        { tool: "Bash", result: "Exit code 1", isError: true },
      ]);
      await expect.poll(async () => (await numbersByName(page, "Tools")).Bash, SOON).toEqual(["3", "2", "0", "66.7%"]);
      expect((await numbersByName(page, "Sessions"))["11111111…"]?.slice(3)).toEqual(["4", "2", "50.0%", "just now"]);
      expect(await rowOf(page, "Tools", "Read").boundingBox()).toEqual(before);
      expect(await page.evaluate("window.notReloaded")).toBe(true);
    });

    it("shows calls that wait for their result as pending", async () => {
      const ask = { role: "user", content: "Only the first half" };
      await fetch(`${server.url}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer k", "x-session-id": "half" },
        body: JSON.stringify({ model: "open-scripted-1", messages: [ask] }),
      });
      await expect.poll(async () => (await cards(page)).Pending, SOON).toBe("1");
    });

    it("sorts by any column, and keeps it in the address", async () => {
      const head = page.getByRole("columnheader", { name: "Tool", exact: true });
      const button = head.getByRole("button");
      expect(await page.getByRole("columnheader", { name: "Failed" }).first().getAttribute("aria-sort")).toBe(
        "descending",
      );
      await button.focus();
      await page.keyboard.press("Enter");
      expect(new URL(page.url()).search).toBe("?sort=name");
      expect(await head.getAttribute("aria-sort")).toBe("ascending");
      expect((await names(page, "Tools")).slice(-3)).toEqual(["Bash", "lookup", "Read"]);
      await button.click();
      expect(new URL(page.url()).search).toBe("?sort=-name");
      expect((await names(page, "Tools")).slice(0, 3)).toEqual(["Read", "lookup", "Bash"]);

      await page.getByRole("columnheader", { name: "Fail %" }).getByRole("button").click();
      // Without a verdict there is no rate: last, whichever way it is sorted.
      expect((await names(page, "Tools")).slice(-2)).toContain(MARKUP);
      await page.goBack();
      await page.goBack();
      expect(new URL(page.url()).search).toBe("?sort=name");
      expect((await names(page, "Tools")).at(-1)).toBe("Read");
      await page.goBack();
      expect(new URL(page.url()).search).toBe("");
    });

    it("filters tools and sessions, and keeps it in the address", async () => {
      await page.keyboard.press("/");
      await page.keyboard.type("bash");
      await expect.poll(() => names(page, "Tools"), SOON).toEqual(["Bash"]);
      expect(await page.getByText("No session matches the filter.").isVisible()).toBe(true);
      expect(new URL(page.url()).search).toBe("?filter=bash");

      // All letters of one filter are one step back.
      await page.goBack();
      expect(await page.getByRole("searchbox").inputValue()).toBe("");
      expect(await names(page, "Tools")).toHaveLength(5);
      await page.getByRole("searchbox").fill("OPENAI chat");
      expect(await names(page, "Sessions")).toEqual(["chat-session"]);
      await page.keyboard.press("Escape");
      expect(new URL(page.url()).search).toBe("");
    });

    it("asks only for the chosen time range, and keeps it in the address", async () => {
      const asked = page.waitForRequest((request) => request.url().includes("/api/tools?since=1h"));
      await page.getByRole("radio", { name: "Last hour" }).check();
      await asked;
      expect(new URL(page.url()).search).toBe("?range=1h");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      expect(new URL(page.url()).search).toBe("?range=7d");
      await page.goBack();
      await page.goBack();
      expect(await page.getByRole("radio", { name: "Last hour" }).isChecked()).toBe(true);

      // Ranges are of whole hours: two hours ago is surely beyond the last one.
      await ingest(server, [
        {
          session_id: "earlier",
          tool_call_id: "c1",
          tool_name: "Old",
          content: "x",
          is_error: true,
          occurred_at: Date.now() - 7_500_000,
        },
      ]);
      expect(await names(page, "Tools")).not.toContain("Old");
      await page.getByRole("radio", { name: "All time" }).check();
      await expect.poll(async () => (await numbersByName(page, "Tools")).Old, SOON).toEqual(["1", "1", "0", "100%"]);
    });

    it("opens a shared address as it was", async () => {
      const shared = await browser.open(`${server.url}/?range=30d&filter=l&sort=-calls`);
      await expect.poll(() => names(shared.page, "Tools"), SOON).toEqual(expect.arrayContaining(["lookup", "Old"]));
      expect(await shared.page.getByRole("radio", { name: "Last 30 days" }).isChecked()).toBe(true);
      expect(await shared.page.getByRole("searchbox").inputValue()).toBe("l");
      expect(await shared.page.getByRole("columnheader", { name: "Calls" }).first().getAttribute("aria-sort")).toBe(
        "descending",
      );
      expect(shared.problems).toEqual([]);
      await shared.page.close();
    });

    it("keeps text from models as text, and talks to nobody else", async () => {
      expect(await names(page, "Tools")).toContain(MARKUP);
      // The one picture is the logo.
      expect(await page.locator("img").count()).toBe(1);
      expect(await page.locator("[onerror], [style], style, script:not([src])").count()).toBe(0);
      expect([...watched.origins]).toEqual([server.url]);
      expect(watched.problems).toEqual([]);
    });

    it("draws the first rows of a long list, and all of them on request", async () => {
      const line = (n: number): object => ({
        session_id: "many",
        tool_call_id: `m${n}`,
        tool_name: `many_${n}`,
        content: "x",
        is_error: false,
      });
      await ingest(
        server,
        Array.from({ length: 60 }, (_, n) => line(n)),
      );
      await page.getByRole("button", { name: "Show 16 more" }).click();
      expect(await names(page, "Tools")).toHaveLength(66);
      await page.getByRole("searchbox").fill("many_59");
      expect(await names(page, "Tools")).toEqual(["many_59"]);
    });

    it("says loudly when something was not recorded", async () => {
      const troubled = await browser.open("about:blank");
      await troubled.page.route("**/api/summary*", async (route) => {
        const summary = (await (await route.fetch()).json()) as { status: object };
        const status = { ...summary.status, dropped: 1234, rejected: 2, store_problem: "database or disk is full" };
        await route.fulfill({ json: { ...summary, status } });
      });
      await troubled.page.goto(server.url);
      const alert = await troubled.page.getByRole("alert").innerText();
      expect(alert).toContain("The store takes no records: database or disk is full.");
      expect(alert).toContain("1,234 observations were dropped");
      expect(alert).toContain("2 lines were rejected");
      await troubled.page.close();
    });

    it("says what to do when the server does not answer, and comes back by itself", async () => {
      const lonely = await browser.open("about:blank");
      await lonely.page.route("**/api/**", (route) => route.abort());
      await lonely.page.goto(server.url);
      const alert = lonely.page.getByRole("alert");
      expect(await alert.innerText()).toContain(`Toolmend does not answer at ${server.url}. Is it still running?`);
      expect(await lonely.page.getByRole("status").first().innerText()).toContain("Disconnected");
      await lonely.page.unroute("**/api/**");
      await alert.waitFor({ state: "detached" });
      await expect.poll(() => lonely.page.getByRole("status").first().innerText(), SOON).toContain("Live");
      expect(await names(lonely.page, "Tools")).toContain("Bash");
      await lonely.page.close();
    });

    it("repeats what the API says when it cannot answer", async () => {
      const refused = await browser.open("about:blank");
      const message = "The store could not answer. `toolmend doctor` says more.";
      await refused.page.route("**/api/tools*", (route) =>
        route.fulfill({ status: 503, json: { error: { message } } }),
      );
      await refused.page.goto(server.url);
      expect(await refused.page.getByRole("alert").innerText()).toContain(message);
      await refused.page.close();
    });
  },
);

describe.skipIf(noBrowser !== undefined)("dashboard on a busy day", () => {
  let upstream: Upstream;
  let server: Running;
  let browser: TestBrowser;

  beforeAll(async () => {
    buildDashboard();
    upstream = await startUpstream({ script: new ScriptedAgent().script });
    server = await startInFrontOf(upstream.url);
    browser = await startBrowser();
    // The picture for the README is for eyes, not for edge cases.
    const names = process.env.TOOLMEND_SCREENSHOT === undefined ? "odd" : "plain";
    await ingest(server, busyDay(Date.now() - 90_000, names));
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await upstream?.close();
  });

  it.each([1440, 1024, 390])(
    "fits a window %i pixels wide in both themes, whatever tools are called",
    async (width) => {
      for (const colorScheme of ["light", "dark"] as const) {
        const { page, problems } = await browser.open("about:blank");
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.goto(server.url);
        await rowOf(page, "Tools", "Bash").waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        const beyond =
          "[...document.querySelectorAll('td, th, .card')].filter((e) => e.getBoundingClientRect().right > innerWidth).length";
        expect(await page.evaluate(beyond)).toBe(0);
        expect(problems).toEqual([]);
        await page.close();
      }
    },
  );

  it("agrees with the API on every number", async () => {
    const { page } = await browser.open(server.url);
    await rowOf(page, "Tools", "Bash").waitFor();
    const { rows: tools } = (await (await fetch(`${server.url}/api/tools?since=24h`)).json()) as {
      rows: { key: string; calls: number; failed: number; unknown: number }[];
    };
    const shown = await numbersByName(page, "Tools");
    const counts = Object.fromEntries(Object.entries(shown).map(([name, cells]) => [name, cells.slice(0, 3)]));
    expect(counts).toEqual(
      Object.fromEntries(tools.map((row) => [row.key, [row.calls, row.failed, row.unknown].map(String)])),
    );
    await page.close();
  });

  it("is live and still within a second, so that its picture can be taken", async () => {
    const { page } = await browser.open("about:blank");
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1440, height: 720 });
    await page.goto(server.url);
    await rowOf(page, "Tools", "Bash").waitFor();
    await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    const { TOOLMEND_SCREENSHOT: path } = process.env;
    const first = await page.screenshot({ ...(path !== undefined && { path }) });
    await page.waitForTimeout(1200);
    expect((await page.screenshot()).equals(first)).toBe(true);
    await page.close();
  });
});

type TableName = "Tools" | "Sessions";

function rowOf(page: Page, table: TableName, name: string): Locator {
  return page.getByRole("table", { name: table }).locator("tbody tr").filter({ hasText: name });
}

/** What a reader sees in each row, cell by cell. */
async function rows(page: Page, table: TableName): Promise<readonly (readonly string[])[]> {
  const script = `[...document.querySelectorAll('table[aria-label="${table}"] tbody tr:not(.no-rows)')].map((row) =>
    [...row.cells].map((cell) => cell.innerText.replaceAll(/\\s+/g, " ").trim()))`;
  return (await page.evaluate(script)) as string[][];
}

async function names(page: Page, table: TableName): Promise<readonly string[]> {
  return (await rows(page, table)).map(([name = ""]) => withoutGlyph(name));
}

/** The cells after the name: of a tool calls, failed, unknown and rate, of a session all. */
async function numbersByName(page: Page, table: TableName): Promise<Readonly<Record<string, readonly string[]>>> {
  const end = table === "Tools" ? 4 : undefined;
  return Object.fromEntries(
    (await rows(page, table)).map(([name = "", ...cells]) => [withoutGlyph(name), cells.slice(0, end)]),
  );
}

function withoutGlyph(name: string): string {
  return name.replace(/^[✓▲✕?] /, "");
}

async function cards(page: Page): Promise<Readonly<Record<string, string>>> {
  const script = `[...document.querySelectorAll(".card")].map((card) =>
    [card.querySelector("dt").innerText, card.querySelector("dd").firstChild.textContent])`;
  return Object.fromEntries((await page.evaluate(script)) as [string, string][]);
}

async function ingest(server: Running, lines: readonly object[]): Promise<void> {
  const response = await fetch(`${server.url}/api/ingest`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  expect(await response.json()).toEqual({ accepted: lines.length, dropped: 0, rejected: [] });
  await server.server.drain();
}
