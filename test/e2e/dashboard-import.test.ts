import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser, type TestBrowser, whyNoBrowser } from "../support/browser.ts";
import { bash, ClaudeTranscript } from "../support/claude-transcript.ts";
import { cards, SOON } from "../support/dashboard-reader.ts";
import { type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";

const noBrowser = whyNoBrowser();

describe.skipIf(noBrowser !== undefined)(
  `the import on the dashboard${noBrowser === undefined ? "" : ` (not run: ${noBrowser})`}`,
  () => {
    let folder: string;
    let server: Running;
    let browser: TestBrowser;

    beforeAll(async () => {
      folder = temporaryFolder();
      mkdirSync(join(folder, "-work"));
      server = await startInFrontOf("http://127.0.0.1:9", { agentFolders: [folder] });
      browser = await startBrowser();
    });
    afterAll(async () => {
      await server?.close();
      await browser?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it("the import is not offered on a machine without transcripts", async () => {
      const { page, problems } = await browser.open(server.url);
      await page.getByRole("heading", { name: "Connect a client" }).waitFor();
      await page.waitForLoadState("load");
      expect(await page.getByRole("button", { name: /^Import/ }).count()).toBe(0);
      expect(problems).toEqual([]);
      await page.close();
    });

    it("says when transcripts contain no tool calls", async () => {
      const empty = new ClaudeTranscript({ session: "5e551011-0000-4000-8000-000000000009" });
      writeFileSync(join(folder, "-work", "empty.jsonl"), empty.raw('{"type":"summary"}').text());
      const { page } = await browser.open(server.url);
      await page.getByRole("button", { name: "Import 1 transcript" }).click();
      await page.getByText("No tool calls found in these transcripts.").waitFor();
      await page.close();
    });

    it("takes one click, and then the page shows the data", async () => {
      const transcript = new ClaudeTranscript({ start: Date.now() - 3_600_000 })
        .prompt("fix it")
        .calls([bash("toolu_a"), bash("toolu_b")])
        .ok("toolu_a")
        .failed("toolu_b", "Exit code 9\nboom");
      writeFileSync(join(folder, "-work", "session.jsonl"), transcript.text());
      const { page, problems } = await browser.open(server.url);
      await page.evaluate("window.notReloaded = true");
      await page.getByText("Found 2 transcripts of coding agents on this machine").waitFor();
      await page.getByRole("button", { name: "Import 2 transcripts" }).click();
      await expect.poll(() => cards(page), SOON).toMatchObject({ Calls: "2", Failed: "1" });
      expect(await page.getByRole("button", { name: /^Import/ }).count()).toBe(0);
      expect(await page.evaluate("window.notReloaded")).toBe(true);
      expect(problems).toEqual([]);
    });
  },
);
