import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { codexTrust } from "./codex-trust.ts";

const folder = mkdtempSync(join(tmpdir(), "toolmend-trust-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hooks = join(folder, "hooks.json");
const groups = { PostToolUse: [{ hooks: [] }], Stop: [{ hooks: [] }] };
const entry = (event: string, lines: string): string => `[hooks.state."${hooks}:${event}:0:0"]\n${lines}\n`;
const HASH = 'trusted_hash = "sha256:00ff"';

it.each([
  ["without a configuration", undefined, "unreviewed"],
  ["with another configuration", 'model = "x"\n[features]\nhooks = true\n', "unreviewed"],
  ["if one event is missing", entry("post_tool_use", HASH), "unreviewed"],
  ["if an entry has no hash", entry("post_tool_use", HASH) + entry("stop", ""), "unreviewed"],
  ["if all events were reviewed", entry("post_tool_use", HASH) + entry("stop", HASH), "reviewed"],
  ["if one is switched off", entry("post_tool_use", HASH) + entry("stop", `${HASH}\nenabled = false`), "disabled"],
  [
    "if a hash belongs to another table",
    `${entry("post_tool_use", HASH)}${entry("stop", "")}[other]\n${HASH}\n`,
    "unreviewed",
  ],
])("hooks of Codex %s are %s", (_case, toml, trust) => {
  const config = join(folder, "config.toml");
  rmSync(config, { force: true });
  if (toml !== undefined) writeFileSync(config, toml);
  expect(codexTrust(hooks, groups)).toBe(trust);
});
