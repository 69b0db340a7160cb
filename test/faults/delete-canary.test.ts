import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findWords, WordSession, wordScript } from "../support/canary-session.ts";
import { runCommand } from "../support/run-command.ts";
import { type Running, startBoth, startInFrontOf, temporaryFolder } from "../support/running.ts";

let data = "";
beforeEach(() => {
  data = temporaryFolder();
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const CANARY = ["canary"];

/** A server with one session to delete and one to keep, everything written out. */
async function recorded(options: Parameters<typeof startInFrontOf>[1] = {}): Promise<Running> {
  const both = await startBoth(wordScript, { data, ...options });
  await new WordSession("canary").talk(both.url);
  await new WordSession("steady").talk(both.url);
  await both.server.drain();
  expect(findWords(data, CANARY).length).toBeGreaterThan(2);
  return both;
}

const now = { now: Date.now };
const restart = async (): Promise<void> => {
  const again = await startInFrontOf("http://127.0.0.1:9", { data });
  await again.server.drain();
  await again.close();
};

describe("no byte of a deleted session is left in the data folder", () => {
  it("after a delete while the server runs, after its stop, and after another start", async () => {
    const both = await recorded();
    const { code } = await runCommand(["delete", "canarysession", "--data", data], now);
    expect(code).toBe(0);
    expect(findWords(data, CANARY)).toEqual([]);
    await both.close();
    expect(findWords(data, CANARY)).toEqual([]);
    await restart();
    expect(findWords(data, CANARY)).toEqual([]);
    expect(findWords(data, ["steadyresult"]).length).toBeGreaterThan(0);
  });

  it("after a delete without a server, and after a start", async () => {
    await (await recorded()).close();
    expect((await runCommand(["delete", "canarysession", "--data", data], now)).code).toBe(0);
    expect(findWords(data, CANARY)).toEqual([]);
    await restart();
    expect(findWords(data, CANARY)).toEqual([]);
    expect(findWords(data, ["steadyresult"]).length).toBeGreaterThan(0);
  });
});
