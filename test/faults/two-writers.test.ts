import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { openSqliteReader } from "../../src/store/sqlite/sqlite-store.ts";
import { callObservation, FAILED, lines, OK, result } from "../support/observations.ts";
import { temporaryFolder } from "../support/running.ts";

const CHILD = fileURLToPath(new URL("../support/writer-child.ts", import.meta.url));
const folder = temporaryFolder();
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("two processes with separate journals on one store count every call once", async () => {
  const calls = Array.from({ length: 400 }, (_, at) =>
    callObservation({
      session_id: `s${at % 7}`,
      tool_call_id: `toolu_shared${String(at).padStart(6, "0")}`,
      result: result(`text ${at}`, at % 4 === 0 ? FAILED : OK),
    }),
  );
  const children = [0, 1].map((which) => {
    mkdirSync(join(folder, `journal-${which}`));
    // Both record most calls, each in its own order.
    const ordered = calls
      .filter((_, at) => at % 10 !== which)
      .sort((a, b) => (which === 0 ? 1 : -1) * (a.tool_call_id < b.tool_call_id ? -1 : 1));
    writeFileSync(join(folder, `lines-${which}`), lines(...ordered));
    return spawn(
      process.execPath,
      [CHILD, join(folder, "store.db"), join(folder, `journal-${which}`), join(folder, `lines-${which}`)],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
  });
  const counted = await Promise.all(
    children.map(async (child) => {
      let out = "";
      child.stdout.on("data", (chunk: Buffer) => {
        out += chunk.toString();
      });
      const [code] = (await once(child, "close")) as [number];
      expect(code).toBe(0);
      return Number(out);
    }),
  );
  const reader = openSqliteReader(join(folder, "store.db"));
  expect(await reader.summary({})).toMatchObject({ calls: 400, failed: 100, ok: 300, sessions: 7 });
  expect((counted[0] as number) + (counted[1] as number)).toBe(400);
  await reader.close();
});
