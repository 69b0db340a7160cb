import { mkdirSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { detectCommand } from "../../src/cli/commands/detect.ts";
import { recoverCommand } from "../../src/cli/commands/recover.ts";
import type { Io } from "../../src/cli/io.ts";
import { main } from "../../src/cli/main.ts";
import { dataFolder } from "../../src/ingest/data-folder.ts";
import { BREAKDOWNS } from "../../src/store/port.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import {
  callObservation,
  FAILED,
  leakObservation,
  lines,
  NOON,
  requestObservation,
  result,
  suspensionObservation,
} from "../support/observations.ts";
import { startInFrontOf, temporaryFolder } from "../support/running.ts";

/** Clears the screen, sets the title, hides the following text, moves back in the line, reverses the text direction. */
const EVIL = "e\u001b[2J\u001b]0;x\u0007\u009b8m\r\n\b\u202evil";
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;
const names = { name: EVIL, model: EVIL, provider: EVIL, client: EVIL, workflow: EVIL, prompt: EVIL };

let data: string;
beforeAll(async () => {
  data = temporaryFolder();
  mkdirSync(data, { recursive: true });
  const store = openSqliteStore(dataFolder(data).database);
  const failed = { ...FAILED, category: EVIL as never, status_message: EVIL, fingerprint: EVIL, excerpt: EVIL };
  const about = { model: EVIL, provider: EVIL, client: EVIL };
  const text = lines(
    requestObservation({ ...about, request_id: EVIL }),
    callObservation({ ...names, tool_call_id: `${EVIL}1`, result: result("a", failed) }),
    callObservation({ ...names, tool_call_id: `${EVIL}2`, result: result("b", failed), occurred_at: NOON + 1 }),
    leakObservation({ ...about, tool_names: [EVIL], before: EVIL, format: EVIL }),
    suspensionObservation({ ...about, message: EVIL }),
  );
  const { rejected } = await store.apply({ journal: "j", position: "1", live: true, lines: text });
  expect(rejected).toEqual([]);
  await store.close();
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

async function run(...args: readonly string[]): Promise<string> {
  let output = "";
  const write = (text: string): void => {
    output += text;
  };
  const io: Io = { out: write, err: write, environment: {}, isTerminal: false, width: 200, now: () => NOON + 1000 };
  await main([...args, "--data", data], io);
  return output;
}

describe("text from models, tools and upstreams contains no control characters in the output of", () => {
  it.each([
    ...BREAKDOWNS.map((by) => ["report", "--by", by, "--csv"]),
    ...BREAKDOWNS.map((by) => ["report", "--by", by]),
    ["report", "--by", "fingerprint"],
    ["sessions"],
    ["sessions", "--csv"],
    ["show", "s1"],
    ["show", EVIL],
    ["delete", EVIL],
    ["doctor"],
  ])("toolmend %s %s %s %s", async (...args) => {
    const output = await run(...args.filter((arg) => arg !== undefined));
    expect(output.length).toBeGreaterThan(10);
    // CSV may contain line breaks inside quotes.
    expect(args.includes("--csv") ? output.replace(/[\r\t]/g, "").replace(/\u202e/g, "") : output).not.toMatch(
      CONTROLS,
    );
  });

  it.each([false, true])("toolmend detect and toolmend recover, with --jsonl %j", async (jsonl) => {
    const text = `Error: ${EVIL} \u007f\u0085 <tool_call>{"name": "f", "arguments": {"a": "\u009b8m"}}</tool_call>`;
    const input = jsonl ? `${JSON.stringify({ id: EVIL, text, content: text, tool_name: EVIL })}\n` : text;
    let output = "";
    const stdout = { write: (written: string) => (output += written) };
    const io = () => ({ stdin: Readable.from([input]), stdout, stderr: stdout });
    await detectCommand({ jsonl }, io());
    await recoverCommand({ jsonl }, io());
    expect(output).toContain("\\u009b8m");
    expect(output).not.toMatch(CONTROLS);
  });

  it("toolmend repair", async () => {
    const running = await startInFrontOf("http://127.0.0.1:9", { data, now: () => NOON + 1000 });
    try {
      const suspended = await run("repair", "status");
      const request = { method: "POST", headers: { "content-type": "application/json" } };
      const body = JSON.stringify({ mode: "off", model: EVIL });
      expect((await fetch(`${running.url}/api/settings/repair`, { ...request, body })).status).toBe(200);
      const overridden = await run("repair", "status");
      expect([suspended, overridden]).toEqual([
        expect.stringContaining("Suspended"),
        expect.stringContaining("off for model"),
      ]);
      expect(suspended + overridden).not.toMatch(CONTROLS);
    } finally {
      await running.close();
    }
  });
});
