import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { requireInCi } from "./not-run.ts";
import { findProgram, missingPrograms } from "./programs.ts";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  // Without these, Chromium itself contacts other hosts at every start.
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Why browser tests cannot run here; undefined when they can. In CI a missing browser is an error, not a reason to
 * skip.
 */
export function whyNoBrowser(): string | undefined {
  return requireInCi(missingPrograms("Chromium")?.text);
}

/** A page that records its errors and the hosts it contacted. */
export interface WatchedPage {
  readonly page: Page;
  /** Script and console errors (including violations of the content security policy), failed and rejected requests. */
  readonly problems: readonly string[];
  /** Every origin that received a request. */
  readonly origins: ReadonlySet<string>;
}

export interface TestBrowser {
  readonly context: BrowserContext;
  open(url: string): Promise<WatchedPage>;
  close(): Promise<void>;
}

export async function startBrowser(): Promise<TestBrowser> {
  const folder = mkdtempSync(join(tmpdir(), "toolmend-browser-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: findProgram("Chromium") as string,
    // Chromium writes files to the home folder, which may be read-only.
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder } as Record<string, string>,
    headless: true,
    chromiumSandbox: false,
    viewport: { width: 1440, height: 900 },
    args: FLAGS,
  });
  return {
    context,
    async open(url) {
      const watched = watch(await context.newPage());
      await watched.page.goto(url);
      return watched;
    },
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function watch(page: Page): WatchedPage {
  const problems: string[] = [];
  const origins = new Set<string>();
  page.on("pageerror", (error) => problems.push(`script: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    origins.add(new URL(request.url()).origin);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`status ${response.status()}: ${response.url()}`);
  });
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    // The page itself aborted a request, or a reload ended the live feed.
    if (why !== "net::ERR_ABORTED") problems.push(`${why}: ${request.url()}`);
  });
  return { page, problems, origins };
}
