import { mkdirSync, readFileSync } from "node:fs";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { SessionDetail } from "../../src/store/port.ts";
import { startBrowser, type TestBrowser, whyNoBrowser } from "../support/browser.ts";
import { addressOf, names, numbersByName, rowOf, rows, SOON } from "../support/dashboard-reader.ts";
import { PLANTED, send, startWorld, TROUBLED } from "../support/dashboard-world.ts";
import { notRun } from "../support/not-run.ts";
import { getJson, type Running } from "../support/running.ts";

const LONG_NAME = `mcp__${"a_very_long_server_name_".repeat(8)}end`.slice(0, 200);
/** Each page with an element that exists once it is rendered. */
const PAGES = {
  overview: ["/", "Failure rate"],
  tools: ["/tools", "Bash"],
  tool: [`/tool?name=${encodeURIComponent(LONG_NAME)}`, "Operation cancelled by user"],
  errors: ["/errors", "Command timed out"],
  models: ["/models", "Model output"],
  sessions: ["/sessions", TROUBLED],
  session: [`/session?id=${TROUBLED}`, "follow-on"],
  error: ["/error?fingerprint=FINGERPRINT", "Occurrences by day"],
  calls: [`/calls?session=${TROUBLED}`, "follow-on"],
  live: ["/live", "Tool or event"],
  setup: ["/setup", "Active on all upstreams"],
} as const;
type Name = keyof typeof PAGES;
const NAMES = Object.keys(PAGES) as Name[];
/** Folder for screenshots of every page; unset, none are taken. */
const { TOOLMEND_SCREENSHOTS: PICTURES } = process.env;
const AXE = axe.source;
const MAX_TRANSFER_BYTES = 90 * 1024;

const noBrowser = whyNoBrowser();

describe.skipIf(noBrowser !== undefined)(`pages of the dashboard${notRun(noBrowser)}`, () => {
  let server: Running;
  let browser: TestBrowser;
  /** Of the most frequent error. */
  let fingerprint: string;

  beforeAll(async () => {
    if (PICTURES !== undefined) mkdirSync(PICTURES, { recursive: true });
    server = await startWorld("odd");
    const { rows } = await getJson<{ rows: readonly { fingerprint: string }[] }>(`${server.url}/api/fingerprints`);
    fingerprint = rows[0]?.fingerprint ?? "";
    browser = await startBrowser();
    browser.context.setDefaultTimeout(10_000);
  });

  afterEach(async () => {
    // A page left open by a failed test would use one of the browser's six connections per host.
    for (const page of browser.context.pages().slice(1)) await page.close();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const visit = async (page: Page, name: Name): Promise<void> => {
    const [path, sign] = PAGES[name];
    await page.goto(`${server.url}${path.replace("FINGERPRINT", fingerprint)}`);
    await page.locator("main").getByText(sign).first().waitFor();
  };

  it.each(NAMES)("%s fits windows of three widths in both themes, and a screen reader", async (name) => {
    const { page, problems } = await browser.open("about:blank");
    await page.emulateMedia({ reducedMotion: "reduce" });
    await visit(page, name);
    await page.evaluate(AXE);
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await page.evaluate("document.documentElement.scrollWidth"), `${width} ${colorScheme}`).toBe(width);
        // Dark differs only in colors, which are the same at every width.
        const isChecked = width === 1440 || colorScheme === "light";
        if (isChecked) expect(await findings(page, colorScheme === "light"), `${width} ${colorScheme}`).toEqual([]);
        if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}-${width}-${colorScheme}.png` });
      }
    }
    const { x = 0, width = 0 } = (await page.locator("nav [aria-current]").boundingBox()) ?? {};
    expect(x + width, "the page's own name in the menu is in sight").toBeLessThanOrEqual(390);
    expect(await page.locator("main").innerText()).not.toMatch(/undefined|NaN|\[object/);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("text from models and tools is shown as text everywhere", async () => {
    const { page, problems } = await browser.open("about:blank");
    const { calls } = await getJson<SessionDetail>(`${server.url}/api/sessions/planted`);
    const open = calls.find(({ tool_name }) => tool_name === PLANTED.markup)?.id ?? "";
    const tool = encodeURIComponent(PLANTED.markup);
    const paths = [
      "/tools",
      `/tool?name=${tool}`,
      "/errors",
      "/models",
      "/sessions?text=planted",
      `/session?id=planted&open=${open}`,
    ];
    for (const path of paths) {
      await page.goto(`${server.url}${path}`);
      await page.locator("main :is(bdi, pre)").getByText("planted").first().waitFor();
      expect(await page.evaluate("document.images.length"), path).toBe(0);
      expect(await page.locator("[onerror], style, script:not([src])").count(), path).toBe(0);
      expect(await page.locator("body").innerText(), path).not.toContain("\u001b");
    }
    expect(await page.evaluate("window.planted")).toBeUndefined();
    expect(await page.locator(".pane pre").first().innerText()).toContain("<script>window.planted=1</script>");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("the server sends a policy that allows neither inline code nor other hosts", async () => {
    const { headers } = await fetch(`${server.url}/session?id=x`);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  it("every number of every tool agrees with the API", async () => {
    const { page } = await browser.open(`${server.url}/tools`);
    await rowOf(page, "Tools", "Bash").waitFor();
    const { rows: tools } = await getJson<{ rows: { key: string; calls: number; failed: number }[] }>(
      `${server.url}/api/tools?since=24h`,
    );
    const shown = Object.values(await numbersByName(page, "Tools")).map((cells) => cells.slice(0, 2));
    expect(shown).toEqual(tools.map((row) => [row.calls, row.failed].map(String)));
    await page.close();
  });

  it("a session's page shows each agent's lane, retries and follow-ons, and opens a call beside them", async () => {
    const { page } = await browser.open("about:blank");
    await visit(page, "session");
    const lanes = page.getByRole("img", {
      name: "14 calls in 2 lanes, 4 retries, 2 root failures with 6 follow-ons",
    });
    await lanes.waitFor();
    expect(await lanes.locator(".lane").count()).toBe(2);
    expect(await lanes.locator(".link-retry").count()).toBe(4);
    expect(await lanes.locator(".link-follow").count()).toBe(6);
    await page.getByRole("button", { name: "→ 3 follow-ons" }).first().click();
    const pane = page.getByRole("complementary");
    expect(await pane.innerText()).toContain("[EXIT_CODE] Bash exit=2 - make: no rule for out");
    expect(addressOf(page)).toMatch(/open=/);
    // From a failure to the retry that recovered it, and back.
    await pane.getByRole("button", { name: /^call 13/ }).click();
    expect(await pane.locator("h2").innerText()).toBe("13. Bash");
    await page.goBack();
    expect(await pane.locator("h2").innerText()).toBe("3. Bash");
    await page.keyboard.press("Escape");
    await pane.waitFor({ state: "detached" });
    await page.close();
  });

  it("the keyboard navigates between rows and pages", async () => {
    const { page } = await browser.open("about:blank");
    await visit(page, "tools");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("j");
    const [, second] = await names(page, "Tools");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: second as string }).waitFor();
    expect(new URL(page.url()).searchParams.get("name")).toBe(second);
    await page.keyboard.press("5");
    await rowOf(page, "Sessions", TROUBLED).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
    await page.close();
  });

  it("session filters are combined, kept in the URL, and cleared together", async () => {
    const { page } = await browser.open("about:blank");
    await visit(page, "sessions");
    const all = (await names(page, "Sessions")).length;
    await page.getByRole("combobox", { name: "Health" }).selectOption("unhealthy");
    await page.getByRole("combobox", { name: "Tool" }).selectOption("Glob");
    await expect.poll(() => names(page, "Sessions"), SOON).toEqual([`claude-code · ${TROUBLED}`]);
    expect(addressOf(page)).toBe("/sessions?health=unhealthy&tool=Glob");
    await page.getByRole("combobox", { name: "Category" }).selectOption("auth");
    await page.getByText("No matching sessions.").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(async () => (await names(page, "Sessions")).length, SOON).toBe(all);
    await page.close();
  });

  it.each([390, 768, 1024])("the names of sessions have room in a window of %i pixels", async (width) => {
    const { page } = await browser.open("about:blank");
    await page.setViewportSize({ width, height: 844 });
    await visit(page, "sessions");
    const box = await rowOf(page, "Sessions", TROUBLED).locator("th").boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(110);
    await page.close();
  });

  it("every number and every error links to the calls behind it", async () => {
    const { page } = await browser.open("about:blank");
    const follow = async (from: Name, link: RegExp | string): Promise<string> => {
      await visit(page, from);
      await page.locator("main").getByRole("link", { name: link }).first().click();
      return addressOf(page);
    };
    expect(await follow("overview", /^Failed: /)).toBe("/calls?status=failed");
    expect(await follow("overview", /^Unrecovered: /)).toBe("/calls?link=unrecovered");
    expect(await follow("overview", "errors")).toBe("/errors");
    expect(await follow("overview", /^Unhealthy sessions: /)).toBe("/sessions?health=unhealthy");
    await visit(page, "tools");
    await rowOf(page, "Tools", "WebFetch").getByRole("link", { name: "http_server_error" }).click();
    expect(addressOf(page)).toBe("/errors?category=http_server_error&tool=WebFetch");
    await page.getByText("Request failed with status code 503").first().waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await follow("overview", "tool calls written as text")).toBe("/models?part=leaks");
    const leaks = page.getByRole("region", { name: "Leaks", exact: true });
    await expect.poll(async () => (await leaks.boundingBox())?.y ?? 9999, SOON).toBeLessThan(844);
    await page.close();
  });

  it("a tool that was not called in the range is reported, with a link to a longer range", async () => {
    const { page } = await browser.open(`${server.url}/tool?name=nobody&range=1h`);
    await page.getByText("nobody was not called in this time range").waitFor();
    expect(await page.getByRole("region").count()).toBe(0);
    await page.getByRole("button", { name: "Show all time" }).click();
    expect(addressOf(page)).toBe("/tool?name=nobody&range=all");
    await page.close();
  });

  it("a session that does not exist is reported", async () => {
    const { page } = await browser.open(`${server.url}/session?id=gone`);
    await page.getByText("Session not found").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.close();
  });

  it("an unknown path gets a 404 and a page that says so", async () => {
    const { page } = await browser.open("about:blank");
    const response = await page.goto(`${server.url}/nope`);
    expect(response?.status()).toBe(404);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.goto(`${server.url}/session/${TROUBLED}`);
    await expect.poll(() => page.title(), SOON).toMatch(/^claude-code · troubled · .* · Session · Toolmend$/);
    await page.close();
  });

  it("Ctrl K opens a list that leads to every page", async () => {
    const { page } = await browser.open("about:blank");
    await visit(page, "overview");
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: /^Go to/ });
    await field.fill("gift");
    await page
      .getByRole("option", { name: /shop-api · feature\/gift-cards/ })
      .first()
      .waitFor();
    await field.fill("webf");
    await page
      .getByRole("option", { name: /WebFetch/ })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => addressOf(page), SOON).toBe("/tool?name=WebFetch");
    await page.getByRole("dialog", { name: "Go to" }).waitFor({ state: "hidden" });
    await page.close();
  });

  it("a click anywhere in a row opens it, and sessions are found by the text of a failure", async () => {
    const { page } = await browser.open(`${server.url}/sessions?range=all&text=status%20code%20503`);
    const first = page.getByRole("table", { name: "Sessions" }).locator("tbody tr").first();
    await first.locator("td").last().click();
    await expect.poll(() => addressOf(page), SOON).toMatch(/^\/session\?range=all&id=/);
    await page.getByText("http_server_error").first().waitFor();
    await page.close();
  });

  it("dragging over a chart selects a time range, which is kept on other pages until it is left", async () => {
    const { page } = await browser.open("about:blank");
    await visit(page, "overview");
    const box = await page.locator(".chart-plot").boundingBox();
    if (box === null) throw new Error("the chart is missing");
    await page.mouse.move(box.x + box.width * 0.6, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 5, box.y + 20, { steps: 4 });
    await page.mouse.up();
    expect(addressOf(page)).toMatch(/^\/\?since=[0-9TZ%A.-]+&until=[0-9TZ%A.-]+$/);
    await page.getByRole("navigation").getByRole("link", { name: "Tools" }).click();
    expect(addressOf(page)).toMatch(/^\/tools\?since=.*&until=/);
    await page.getByRole("radio", { name: "Last 7 days" }).check({ force: true });
    expect(addressOf(page)).toBe("/tools?range=7d");
    await page.close();
  });

  it("a download contains what is shown, with the page's filter", async () => {
    const { page } = await browser.open(`${server.url}/tools?filter=webfetch`);
    await rowOf(page, "Tools", "WebFetch").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download Tools as CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("toolmend-tools.csv");
    const [head = "", ...lines] = readFileSync(await download.path(), "utf8")
      .trimEnd()
      .split("\r\n");
    expect(head.split(",")).toEqual(expect.arrayContaining(["key", "calls", "failed", "excess"]));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("WebFetch");
    await page.close();
  });

  it("the live page follows calls, pauses, filters, and shows the rate", async () => {
    const { page } = await browser.open(`${server.url}/live`);
    await page.locator("output.live").filter({ hasText: "Live" }).waitFor();
    const line = (tool: string, n: number): string =>
      JSON.stringify({
        session_id: "now",
        tool_call_id: `${tool}${n}`,
        tool_name: tool,
        content: "Error: x",
        is_error: true,
      });
    await send(server, Array.from({ length: 300 }, (_, n) => line("Hammer", n)).join("\n"));
    const list = page.getByRole("region", { name: "Newest events" });
    await list.getByText("Hammer").first().waitFor();
    expect(await list.locator("li").count()).toBeLessThan(60);
    await expect.poll(() => page.locator(".live-rate").innerText(), SOON).not.toContain("0.0");
    await page.getByRole("button", { name: "Pause" }).click();
    await send(server, line("Nail", 1));
    await page.getByRole("button", { name: /Resume \([1-9]/ }).waitFor();
    expect(await list.getByText("Nail").count()).toBe(0);
    await page.getByRole("button", { name: "Resume" }).click();
    await list.getByText("Nail").first().waitFor();
    await page.getByRole("searchbox").fill("nail");
    await expect.poll(() => list.getByText("Hammer").count(), SOON).toBe(0);
    // On a phone too: from a live event to the call in its session.
    await page.setViewportSize({ width: 390, height: 844 });
    await list.getByRole("link", { name: "Nail" }).first().click();
    await page.getByRole("complementary").getByText("Error: x").first().waitFor();
    expect(addressOf(page)).toMatch(/^\/session\?id=now&open=[0-9a-f]+$/);
    await page.close();
  });

  it("the repair mode is changed while the server runs, and suspensions are shown", async () => {
    const { page, problems } = await browser.open(`${server.url}/setup`);
    await page.getByRole("radio", { name: /^observe/ }).check();
    await expect
      .poll(async () => (await getJson<{ choices: { mode: string }[] }>(`${server.url}/api/repair`)).choices, SOON)
      .toEqual([expect.objectContaining({ mode: "observe" })]);
    await page.reload();
    await expect.poll(() => page.getByRole("radio", { name: /^observe/ }).isChecked(), SOON).toBe(true);
    const proxy = (await rows(page, "Coverage")).find(([name]) => name?.startsWith("Proxy"));
    expect(proxy?.slice(2)).toEqual(["✓", "✓", "✓", "✓", "~", "✓", "–", "~", "✓", "✓", "~"]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("colors are switched on request and the choice is remembered", async () => {
    const { page } = await browser.open(server.url);
    const ground = (): Promise<unknown> => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.emulateMedia({ colorScheme: "light" });
    const light = await ground();
    await page.getByRole("button", { name: /Change to light/ }).click();
    await page.getByRole("button", { name: /Change to dark/ }).click();
    expect(await ground()).not.toBe(light);
    await page.reload();
    expect(await ground()).not.toBe(light);
    await page.getByRole("button", { name: /Change to auto/ }).click();
    await page.close();
  });

  it("a page switches between live and paused within a second", async () => {
    const { page } = await browser.open("about:blank");
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await visit(page, "overview");
    await page.locator("output.live").filter({ hasText: "Live" }).waitFor();
    await rowOf(page, "Sessions", "min ago").first().waitFor();
    const first = await page.screenshot();
    await page.waitForTimeout(1200);
    expect((await page.screenshot()).equals(first)).toBe(true);
    await page.close();
  });
});

it.skipIf(noBrowser !== undefined)(
  `a walk through every page with the demo's data downloads at most 90 KB${notRun(noBrowser)}`,
  async () => {
    const demo = await startWorld("demo");
    const browser = await startBrowser();
    try {
      const { page } = await browser.open("about:blank");
      const client = await page.context().newCDPSession(page);
      await client.send("Network.enable");
      let bytes = 0;
      client.on("Network.loadingFinished", ({ encodedDataLength }) => {
        bytes += encodedDataLength;
      });
      // The live feed never ends, so the network never becomes idle: wait until no more data arrives.
      const settled = async (): Promise<void> => {
        for (let before = -1; before !== bytes; await page.waitForTimeout(250)) before = bytes;
      };
      // An open page polls every 15 seconds; on a slow machine that must not count as part of the walk.
      await page.addInitScript(`const every = setInterval;
        window.setInterval = (task, ms) => every(task, ms < 15000 ? ms : 1e9)`);
      await page.goto(demo.url);
      await settled();
      for (const title of ["Tools", "Errors", "Models", "Calls", "Live", "Setup", "Sessions"]) {
        await page.getByRole("navigation").getByRole("link", { name: title, exact: true }).click();
        await settled();
      }
      await page.locator("tbody a").first().click();
      await settled();
      await page.getByRole("link", { name: "Overview", exact: true }).click();
      await rowOf(page, "Tools", "Bash").getByRole("link").first().click();
      await settled();
      expect(bytes).toBeGreaterThan(40_000);
      expect(bytes).toBeLessThanOrEqual(MAX_TRANSFER_BYTES);
      process.stdout.write(`a walk through every page: ${(bytes / 1024).toFixed(1)} KB\n`);
    } finally {
      await browser.close();
      await demo.close();
    }
  },
);

/** Violations that axe rates serious or critical. */
async function findings(page: Page, byEveryRule: boolean): Promise<readonly string[]> {
  const rules = byEveryRule ? "" : ', runOnly: ["color-contrast"]';
  const script = `axe.run(document, { resultTypes: ["violations"]${rules} }).then(({ violations }) => violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" | ")))`;
  return (await page.evaluate(script)) as string[];
}
