import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTripChat } from "../../examples/trip-chat/server.ts";
import { startBrowser, type TestBrowser, type WatchedPage, whyNoBrowser } from "../support/browser.ts";
import { notRun } from "../support/not-run.ts";

const reason = whyNoBrowser();

describe.skipIf(reason !== undefined)(`the trip chat in a real browser${notRun(reason)}`, () => {
  let server: Server;
  let browser: TestBrowser;
  let watched: WatchedPage;
  const log: string[] = [];

  beforeAll(async () => {
    server = await startTripChat({ port: 0, log: (line) => log.push(line) });
    browser = await startBrowser();
    watched = await browser.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await watched.page.waitForSelector("body[data-ready]");
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  /** Sends a message, waits for the end of the reply, and returns the visible text. */
  async function sendMessage(message: string): Promise<{ chips: string[]; text: string }> {
    const { page } = watched;
    const before = await page.locator("article").count();
    await page.fill("#question", message);
    await page.click("#send");
    await page.waitForFunction(
      `document.querySelectorAll("article").length === ${before + 2} && document.querySelector("#send:not([disabled])") !== null`,
    );
    const reply = page.locator("article").last();
    return {
      chips: await reply.locator(".chip").allInnerTexts(),
      text: (await reply.locator("p").allInnerTexts()).join("\n"),
    };
  }

  it("takes a missing location from the trip", async () => {
    expect(await sendMessage("Where can I eat?")).toEqual({
      chips: ["search_places: Chez Nous, Le Petit Pont"],
      text: "Try Chez Nous.",
    });
  });

  it("shows an error chip for a failing tool, without its exception text", async () => {
    const { chips, text } = await sendMessage("What is the weather?");
    expect(chips).toEqual([
      "get_weather: 'get_weather' could not be completed.",
      "get_weather: 'get_weather' could not be completed.",
    ]);
    expect(text).toBe("I could not get the weather.");
    expect(await watched.page.content()).not.toContain("hunter2");
    expect(log.join("\n")).toContain("hunter2");
  });

  it("replies after a permanent failure and after an unknown tool", async () => {
    expect((await sendMessage("Book a table.")).text).toBe("I cannot book tables here.");
    expect(await sendMessage("Translate this.")).toEqual({
      chips: ["translate_text: The assistant tried to use a tool that does not exist."],
      text: "I have no tool for translations.",
    });
  });

  it("executes a leaked call and never shows its tag", async () => {
    const { chips, text } = await sendMessage("Any sights?");
    expect(chips).toEqual(["search_places: Bouchon des Halles"]);
    // Two turns are two paragraphs, live as after a reload.
    expect(text).toBe("Let me look.\nThere is the Bouchon des Halles.");
    expect(await watched.page.content()).not.toContain("tool_call>");
  });

  it("shows every call once and in the same state after a reload", async () => {
    const chips = (): Promise<string[]> => watched.page.locator(".chip").allInnerTexts();
    const live = await chips();
    const liveText = await watched.page.locator("main").innerText();
    await watched.page.reload();
    await watched.page.waitForSelector("body[data-ready]");
    expect(await chips()).toEqual(live);
    expect(await watched.page.locator("main").innerText()).toBe(liveText);
    expect(live).toHaveLength(6);
    expect(watched.problems).toEqual([]);
  });
});
