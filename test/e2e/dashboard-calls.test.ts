import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser, type TestBrowser, whyNoBrowser } from "../support/browser.ts";
import { addressOf, names, rowOf, rows, SOON } from "../support/dashboard-reader.ts";
import { startWorld, TROUBLED } from "../support/dashboard-world.ts";
import { notRun } from "../support/not-run.ts";
import { getJson, type Running } from "../support/running.ts";

const noBrowser = whyNoBrowser();

/** A link to the list of calls, and how many calls it promises. */
interface CountedLink {
  readonly from: string;
  readonly href: string;
  readonly calls: number;
}

describe.skipIf(noBrowser !== undefined)(`the list of calls${notRun(noBrowser)}`, () => {
  let world: Running;
  let browser: TestBrowser;

  beforeAll(async () => {
    world = await startWorld("plain");
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  const openLoaded = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${world.url}${path}`);
    await page.locator("main [data-calls]").first().waitFor();
    await expect.poll(() => page.locator('main [aria-busy="true"]').count(), SOON).toBe(0);
  };

  const linksOn = async (page: Page, from: string): Promise<readonly CountedLink[]> => {
    const found = (await page.evaluate(`[...document.querySelectorAll("main a[data-calls]")]
      .map((link) => ({ href: link.getAttribute("href"), calls: Number(link.dataset.calls) }))`)) as CountedLink[];
    return found.map((link) => ({ ...link, from }));
  };

  /** Selects each column of the chart, which changes the links of its legend. */
  const linksOfColumns = async (page: Page, from: string): Promise<readonly CountedLink[]> => {
    const area = page.locator(".chart-area").first();
    await area.focus();
    const columns = Number(await area.getAttribute("aria-valuemax"));
    const links: CountedLink[] = [];
    for (let column = columns; column > 0; column -= 1) {
      await page.keyboard.press("ArrowLeft");
      links.push(...(await linksOn(page, `${from}, column ${column}`)));
    }
    return links;
  };

  const sorted = (href: string): string => {
    const url = new URL(href, world.url);
    url.searchParams.sort();
    return `${url.pathname}${url.search}`;
  };

  /** The number of calls according to the API, with the filters of a link. */
  const totalOf = async (href: string): Promise<number> => {
    const { range = "24h", ...filters } = Object.fromEntries(new URL(href, world.url).searchParams);
    const query = new URLSearchParams({ ...(range !== "all" && { since: range }), ...filters, limit: "1" });
    return (await getJson<{ total: number }>(`${world.url}/api/calls?${query}`)).total;
  };

  /** Follows a link within the page, and reads the number of calls in the title of the list. */
  const totalAt = async (page: Page, href: string): Promise<number> => {
    await page.evaluate(`history.pushState(null, "", ${JSON.stringify(href)}); dispatchEvent(new PopStateEvent("popstate"));
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`);
    await page.locator('section[aria-label="Calls"][aria-busy="false"]').waitFor();
    const note = await page.locator('section[aria-label="Calls"] .note').innerText();
    return Number(note.replaceAll(",", "").split(" ").at(-1));
  };

  it.each(["24h", "7d", "all"])(
    "the list has exactly as many calls as every number of every page counts, range %s",
    async (range) => {
      const { page, problems } = await browser.open("about:blank");
      const links: CountedLink[] = [];
      const paths = ["/", "/tools", "/models", "/errors", "/sessions", "/tool?name=Bash", `/session?id=${TROUBLED}`];
      for (const path of paths) {
        await openLoaded(page, `${path}${path.includes("?") ? "&" : "?"}range=${range}`);
        links.push(...(await linksOn(page, path)));
        if (path === "/" || path.startsWith("/tool?")) links.push(...(await linksOfColumns(page, path)));
      }
      await page.goto(`${world.url}/errors?range=${range}`);
      await page.locator("tbody [data-row]").first().click();
      await page.locator("aside [data-calls]").first().waitFor();
      links.push(...(await linksOn(page, "an error")));

      const different = new Map(links.map((link) => [sorted(link.href), link]));
      // Equal filters must not promise different numbers either.
      for (const link of links) expect([link, different.get(sorted(link.href))?.calls]).toEqual([link, link.calls]);
      expect(different.size).toBeGreaterThan(100);
      const all = [...different];
      await Promise.all(
        all.map(async ([href, link]) => {
          expect({ ...link, calls: await totalOf(href) }).toEqual(link);
        }),
      );
      // The page asks the same question.
      await page.goto(`${world.url}/setup`);
      for (const [href, link] of all.filter((_, at) => at % 15 === 0))
        expect({ ...link, calls: await totalAt(page, href) }).toEqual(link);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it("every card, heatmap cell, chart legend entry and count of a table links to its calls", async () => {
    const { page } = await browser.open("about:blank");
    const unlinked = async (path: string, selector: string): Promise<unknown> => {
      await openLoaded(page, path);
      return page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})]
        .filter((one) => !/^[–·0]?$|^0%$/.test(one.innerText.trim()) && one.querySelector("a") === null)
        .map((one) => one.innerText)`);
    };
    expect(await unlinked("/", ".card-value, .legend > ul > li, .legend-when .faint")).toEqual([]);
    expect(await unlinked("/", "table td.num:not(.rate)")).toEqual([]);
    expect(await unlinked("/models", ".heat td")).toEqual([]);
    expect(await unlinked("/tool?name=Bash", ".share-end")).toEqual([]);
    expect(await unlinked("/sessions", "td.num:nth-child(2), td.num:nth-child(3), td.num:nth-child(4)")).toEqual([]);
    await page.close();
  });

  it("filters, opens a call beside the list, and leads to the call in its session", async () => {
    const { page, problems } = await browser.open(`${world.url}/calls?session=${TROUBLED}&range=all`);
    await expect.poll(async () => (await names(page, "Calls")).length, SOON).toBe(14);
    await page.getByRole("combobox", { name: "Status" }).selectOption("failed");
    await page.getByRole("combobox", { name: "Tool" }).selectOption("Glob");
    await expect.poll(() => names(page, "Calls"), SOON).toEqual(["Glob", "Glob"]);
    await rowOf(page, "Calls", "Glob").first().getByRole("button").click();
    await page.getByRole("complementary").getByText("no such folder").first().waitFor();
    await page.getByRole("link", { name: "This call in its session" }).click();
    expect(addressOf(page)).toMatch(/^\/session\?range=all&id=troubled&open=[0-9a-f]+$/);
    await page.goBack();
    await page.getByRole("button", { name: "Remove the filter Session" }).click();
    await expect.poll(() => addressOf(page), SOON).toBe("/calls?range=all&status=failed&tool=Glob");
    await page.getByRole("button", { name: "Clear filters" }).click();
    expect(addressOf(page)).toBe("/calls?range=all");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("continues on the next page, and a search starts from the first one", async () => {
    const { page } = await browser.open(`${world.url}/calls?range=all`);
    await page.getByRole("button", { name: "Next page" }).click();
    await expect.poll(() => addressOf(page), SOON).toMatch(/^\/calls\?range=all&cursor=/);
    await page.getByRole("button", { name: "First page" }).click();
    expect(addressOf(page)).toBe("/calls?range=all");
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByRole("searchbox").fill("no such folder");
    await expect.poll(() => names(page, "Calls"), SOON).toEqual(["Glob", "Glob"]);
    expect(addressOf(page)).toBe("/calls?range=all&text=no+such+folder");
    await page.close();
  });

  it("an error page lists every occurrence, and its state changes for all users", async () => {
    const { page, problems } = await browser.open(`${world.url}/errors?range=all`);
    await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator("tbody [data-row]").first().click();
    await page.getByRole("link", { name: "Open the error page" }).click();
    await page.getByRole("region", { name: "Occurrences by day" }).waitFor();
    const title = await page.locator(".page-title bdi").innerText();
    await page.getByRole("table", { name: "Calls" }).locator("tbody [data-row]").first().waitFor();
    for (const link of await linksOn(page, "an error page"))
      expect({ ...link, calls: await totalOf(link.href) }).toEqual(link);
    await page.getByRole("button", { name: "Copy as Markdown" }).click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()"), SOON).toContain(`# ${title}`);
    await page.getByRole("button", { name: "Resolve" }).click();
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    const other = await browser.open(`${world.url}/errors?range=all&state=resolved`);
    await expect.poll(async () => (await names(other.page, "Errors")).length, SOON).toBe(1);
    await page.getByRole("button", { name: "Reopen" }).click();
    await page.getByRole("button", { name: "Resolve" }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
    await other.page.close();
  });

  it("opens the calls of an MCP server by their number", async () => {
    const { page } = await browser.open("about:blank");
    await openLoaded(page, "/tools?range=all");
    const number = rowOf(page, "MCP servers", "postgres").locator("a[data-calls]").first();
    const calls = await number.innerText();
    await number.click();
    await expect.poll(() => addressOf(page), SOON).toBe("/calls?range=all&server=postgres");
    await page.getByRole("button", { name: "Remove the filter MCP server" }).waitFor();
    await expect.poll(async () => new Set(await names(page, "Calls")), SOON).toEqual(new Set(["mcp__postgres__query"]));
    expect(await page.locator('section[aria-label="Calls"] .note').innerText()).toBe(calls);
    await page.close();
  });

  it("sorts tables by a click on a title, on the page or by the server", async () => {
    const { page } = await browser.open("about:blank");
    await openLoaded(page, "/errors?range=all");
    const times = async (): Promise<readonly number[]> => (await rows(page, "Errors")).map(([, n]) => Number(n));
    const head = page.getByRole("columnheader", { name: "Times" });
    for (const [order, sign] of [
      ["descending", -1],
      ["ascending", 1],
    ] as const) {
      await head.getByRole("button").click();
      await expect.poll(() => head.getAttribute("aria-sort"), SOON).toBe(order);
      const shown = await times();
      expect(shown).toEqual(shown.toSorted((a, b) => sign * (a - b)));
    }
    expect(addressOf(page)).toBe("/errors?range=all&sort=times");
    await openLoaded(page, "/sessions?range=all");
    await page.getByRole("columnheader", { name: "Failed" }).getByRole("button").click();
    await expect.poll(() => addressOf(page), SOON).toBe("/sessions?range=all&sort=failures");
    await expect.poll(async () => Number((await rows(page, "Sessions"))[0]?.[2]), SOON).toBe(10);
    await page.close();
  });

  it("marks the first use of a model and of a client's version in the chart", async () => {
    const { page } = await browser.open("about:blank");
    await openLoaded(page, "/?range=7d");
    const text = await page.locator(".first-uses").first().innerText();
    expect(text).toContain("First used:");
    expect(await page.locator(".chart-labels .mark").count()).toBeGreaterThan(0);
    await page.close();
  });

  it("names a session that only the proxy saw after the folder in which its client works", async () => {
    const { page } = await browser.open(`${world.url}/sessions?range=all&text=firmware`);
    await expect.poll(() => names(page, "Sessions"), SOON).toEqual(["firmware · openai-sdk"]);
    await page.close();
  });

  it("opens the calls of a chart column by a click", async () => {
    const { page } = await browser.open("about:blank");
    await openLoaded(page, "/?range=7d");
    const plot = page.locator(".chart-plot").first();
    const box = await plot.boundingBox();
    if (box === null) throw new Error("The chart is not visible.");
    await page.mouse.click(box.x + box.width - 4, box.y + box.height / 2);
    await expect.poll(() => addressOf(page), SOON).toMatch(/^\/calls\?range=7d&since=.*&until=.*&status=ok%2Cfailed$/);
    await page.close();
  });
});
