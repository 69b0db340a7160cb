import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { main } from "./main.ts";
import { withNewFlags } from "./renamed-names.ts";

function warnings(): { readonly list: string[]; readonly warn: (message: string) => void } {
  const list: string[] = [];
  return { list, warn: (message) => list.push(message) };
}

describe("old option names", () => {
  it("withNewFlags replaces old options, keeps their values and warns", () => {
    const { list, warn } = warnings();
    expect(withNewFlags(["start", "--quiet-after", "2h", "--port=1"], warn)).toEqual([
      ...["start", "--idle-timeout", "2h", "--port=1"],
    ]);
    expect(withNewFlags(["--quiet-after=2h"], warn)).toEqual(["--idle-timeout=2h"]);
    expect(withNewFlags(["import", "--again"], warn)).toEqual(["import", "--force"]);
    expect(list).toEqual([
      "--quiet-after is now called --idle-timeout. The old name will be removed.",
      "--quiet-after is now called --idle-timeout. The old name will be removed.",
      "--again is now called --force. The old name will be removed.",
    ]);
  });

  it("withNewFlags leaves arguments after -- alone: they belong to another program", () => {
    expect(withNewFlags(["run", "--", "prog", "--again"], () => undefined)).toEqual(["run", "--", "prog", "--again"]);
  });

  it("withNewFlags accepts --older-than as a synonym of --older without a warning", () => {
    const { list, warn } = warnings();
    expect(withNewFlags(["delete", "--older-than", "7d"], warn)).toEqual(["delete", "--older", "7d"]);
    expect(list).toEqual([]);
  });

  it("an old option works from the command line, with a warning", async () => {
    let errors = "";
    const io = { out: () => undefined, err: (text: string) => (errors += text) };
    const code = await main(["import", "--again", "--help"], io as never);
    expect([code, errors]).toEqual([0, "--again is now called --force. The old name will be removed.\n"]);
  });

  it.each([
    ["start", "--idle-timeout <span>"],
    ["import", "--force"],
    ["export", "--force"],
  ])("the new option is the one that %s has: %s", async (command, option) => {
    let help = "";
    const io = { out: (text: string) => (help += text), err: () => undefined };
    await main([command, "--help"], io as never);
    expect(help).toContain(`  ${option}`);
    expect(help).not.toMatch(/--(?:quiet-after|again)/);
  });
});

it("An old variable sets the new setting, and the new variable wins", async () => {
  const { list, warn } = warnings();
  expect((await readConfig({}, { TOOLMEND_QUIET_AFTER: "2h" }, warn)).idleTimeout).toBe("2h");
  expect((await readConfig({}, { TOOLMEND_QUIET_AFTER: "2h", TOOLMEND_IDLE_TIMEOUT: "3h" }, warn)).idleTimeout).toBe(
    "3h",
  );
  expect(list).toEqual(
    Array(2).fill("TOOLMEND_QUIET_AFTER is now called TOOLMEND_IDLE_TIMEOUT. The old name will be removed."),
  );
});

it("Old keys of the configuration file set the new settings, with one warning each", async () => {
  const { list, warn } = warnings();
  const config = join(mkdtempSync(join(tmpdir(), "toolmend-names-")), "config.json");
  writeFileSync(
    config,
    JSON.stringify({ quietAfter: "2h", health: { fewestCalls: 9 }, repair: { mode: "any", maxCandidate: 2048 } }),
  );
  const { idleTimeout, health, repair } = await readConfig({ config }, {}, warn);
  expect([idleTimeout, health.minCalls, repair.mode, repair.maxCandidateChars]).toEqual(["2h", 9, "any", 2048]);
  expect(list).toEqual([
    "quietAfter in the configuration is now called idleTimeout. The old name will be removed.",
    "health.fewestCalls in the configuration is now called minCalls. The old name will be removed.",
    "repair.maxCandidate in the configuration is now called maxCandidateChars. The old name will be removed.",
  ]);
});
