import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importOffer } from "./start.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "toolmend-start-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function offer(calls: number): Promise<string | undefined> {
  const store = { summary: async () => ({ calls, pending: 0 }) };
  return importOffer({ store } as never, { CLAUDE_CONFIG_DIR: join(home, "claude"), CODEX_HOME: join(home, "codex") });
}

describe("what start says about transcripts on this machine", () => {
  it("names the command that stores them while nothing is stored", async () => {
    const project = join(home, "claude", "projects", "-work");
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, "a.jsonl"), "{}\n");
    writeFileSync(join(project, "b.jsonl"), "{}\n");
    expect(await offer(0)).toBe(
      "Found 2 transcripts of coding agents on this machine. Store them with: npm run -s toolmend -- import\n",
    );
    expect(await offer(1)).toBeUndefined();
  });

  it("is nothing without transcripts", async () => {
    expect(await offer(0)).toBeUndefined();
  });
});
