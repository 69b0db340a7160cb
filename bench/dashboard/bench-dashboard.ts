import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateStore } from "../../scripts/generate-store.ts";
import { startBrowser, type TestBrowser, whyNoBrowser } from "../../test/support/browser.ts";
import { buildDashboard } from "../../test/support/build-dashboard.ts";
import type { BenchOptions } from "../frame/benchmark.ts";
import { type Child, startChild } from "../frame/child.ts";
import { createRandom } from "../frame/random.ts";
import { interleaved } from "../frame/rounds.ts";
import { type Row, row } from "../frame/row.ts";
import { median } from "../frame/statistics.ts";
import { watchFeed } from "./watch-feed.ts";

const SMALL = 10_000;
const LARGE = 1_000_000;
const QUICK_LARGE = 100_000;
const DAYS = 30;
/** Each page with an element that exists once its numbers are painted. */
const PAGES = {
  overview: ["/?range=30d", ".card-value"],
  tools: ["/tools?range=30d", "tbody [data-row]"],
  sessions: ["/sessions?range=30d", "tbody [data-row]"],
} as const;
type PageName = keyof typeof PAGES;

/** Measures the dashboard in a real browser, with many stored calls and with many incoming ones. */
export async function benchDashboard(options: BenchOptions): Promise<readonly Row[]> {
  const missing = whyNoBrowser();
  if (missing !== undefined) return [row({ name: "dashboard", against: "", value: 0, unit: "", void: missing })];
  buildDashboard();
  const browser = await startBrowser();
  try {
    return [...(await benchPaint(browser, options)), ...(await benchFeed(browser, options))];
  } finally {
    await browser.close();
  }
}

async function benchPaint(browser: TestBrowser, options: BenchOptions): Promise<readonly Row[]> {
  const large = options.quick ? QUICK_LARGE : LARGE;
  const folders = { small: await storeOf(SMALL, options), large: await storeOf(large, options) };
  const servers = { small: await serverOf(folders.small), large: await serverOf(folders.large) };
  try {
    const rounds = options.quick ? 3 : 9;
    const rows: Row[] = [];
    for (const name of Object.keys(PAGES) as PageName[]) {
      options.progress(`first paint of ${name}`);
      for (const size of ["small", "large"] as const) await paintMs(browser, servers[size], name);
      const times = await interleaved(["small", "large"] as const, rounds, createRandom(options.seed), (size) =>
        paintMs(browser, servers[size], name),
      );
      const [small, many] = [median(times.get("small") ?? []), median(times.get("large") ?? [])];
      rows.push(
        row({ name: `${name}: numbers painted, ${SMALL} calls`, against: "", value: small, unit: "ms" }),
        row({
          ...{ name: `${name}: numbers painted, ${large} calls`, against: `${SMALL} calls`, value: many, unit: "ms" },
          ...{ ratio: many / small, reach: { atMost: 5 } },
        }),
      );
    }
    return rows;
  } finally {
    await servers.small.end();
    await servers.large.end();
    for (const folder of Object.values(folders)) if (!isKept(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

/** Generated once if TOOLMEND_BENCH_STORES names a folder for them. */
async function storeOf(calls: number, options: BenchOptions): Promise<string> {
  const { TOOLMEND_BENCH_STORES: storesFolder } = process.env;
  if (storesFolder !== undefined) return join(storesFolder, String(calls));
  const folder = mkdtempSync(join(tmpdir(), "toolmend-bench-"));
  await generateStore(folder, calls, DAYS, options.progress);
  return folder;
}

function isKept(folder: string): boolean {
  const { TOOLMEND_BENCH_STORES: storesFolder } = process.env;
  return storesFolder !== undefined && folder.startsWith(storesFolder);
}

function serverOf(data: string): Promise<Child> {
  const parameters = { upstream: "http://127.0.0.1:9", data };
  return startChild(new URL("../proxy/toolmend.ts", import.meta.url), { core: undefined, parameters });
}

/** From navigation to the first frame with numbers. */
async function paintMs(browser: TestBrowser, server: Child, name: PageName): Promise<number> {
  const [path, sign] = PAGES[name];
  const { page } = await browser.open("about:blank");
  try {
    await page.goto(`${await server.request<string>("url")}${path}`, { waitUntil: "commit" });
    const script = `new Promise((painted) => {
      const look = () => document.querySelector(${JSON.stringify(sign)}) === null
        ? requestAnimationFrame(look) : requestAnimationFrame(() => painted(performance.now()));
      look();
    })`;
    return (await page.evaluate(script)) as number;
  } finally {
    await page.close();
  }
}

async function benchFeed(browser: TestBrowser, options: BenchOptions): Promise<readonly Row[]> {
  const data = mkdtempSync(join(tmpdir(), "toolmend-bench-"));
  const server = await serverOf(data);
  try {
    const url = await server.request<string>("url");
    const seconds = options.quick ? 5 : 20;
    const rows: Row[] = [];
    for (const path of ["/live", "/", "/tools"]) {
      options.progress(`${seconds} s of live feed on ${path}`);
      const { page } = await browser.open(`${url}${path}`);
      const feed = await watchFeed(page, url, seconds);
      await page.close();
      const name = `feed on ${path}`;
      const blind = { void: feed.blind };
      rows.push(
        row({ name: `${name}: events`, against: "", value: feed.eventsPerSecond, unit: "/s", reach: { atLeast: 500 } }),
        row({
          ...blind,
          name: `${name}: longest task`,
          against: "",
          value: feed.longestMs,
          unit: "ms",
          reach: { atMost: 100 },
        }),
        row({
          ...blind,
          name: `${name}: in long tasks`,
          against: "",
          value: feed.longShare,
          unit: "%",
          reach: { atMost: 5 },
        }),
        row({ name: `${name}: most nodes`, against: "", value: feed.mostNodes, unit: "", reach: { atMost: 3000 } }),
      );
    }
    return rows;
  } finally {
    await server.end();
    rmSync(data, { recursive: true, force: true });
  }
}
