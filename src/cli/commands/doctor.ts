import { type Flags, readConfig, upstreamsOf } from "../config.ts";
import type { Io } from "../io.ts";
import { oneLineText } from "../table.ts";
import { checkCallFaults } from "./doctor/check-call-faults.ts";
import type { CheckResult } from "./doctor/check-machine.ts";
import { checkDashboard, checkDataFolder, checkHooks, checkNode, checkVariables } from "./doctor/check-machine.ts";
import { checkServer, checkUpstream, findUnconfiguredUpstreams } from "./doctor/check-network.ts";
import { checkRepair, checkStore } from "./doctor/check-store.ts";

export interface DoctorFlags extends Flags {
  readonly json?: boolean;
}

const GLYPH = { ok: "✓", warning: "!", failed: "✗" } as const;

/** Default servers that many people do not use: checked only if they are configured. */
const OPTIONAL = new Set(["gemini", "ollama"]);

/** Checks everything `toolmend start` needs and suggests a fix for each problem. */
export async function doctorCommand(flags: DoctorFlags, io: Io): Promise<number> {
  const config = await readConfig(flags, io.environment);
  const findings = [
    checkNode(io.environment),
    checkDataFolder(config),
    await checkStore(config),
    await checkServer(config),
    await checkRepair(config, io.now()),
    ...(await checkCallFaults(config, io.now())),
    checkDashboard(),
    ...checkVariables(config, io.environment),
    ...checkHooks(io.environment),
    ...(await Promise.all(
      [...upstreamsOf(config, io.environment).values()]
        .filter(({ name }) => !OPTIONAL.has(name) || Object.hasOwn(config.upstreams, name))
        .map(({ name, url }) => checkUpstream(name, url)),
    )),
    ...(await findUnconfiguredUpstreams(config)),
  ];
  const failed = findings.some(({ status }) => status === "failed");
  if (flags.json === true) io.out(`${JSON.stringify({ ok: !failed, findings }, null, 2)}\n`);
  else for (const finding of findings) io.out(asText(finding));
  return failed ? 1 : 0;
}

function asText({ check, status, detail, advice }: CheckResult): string {
  const fix = advice === undefined ? "" : `  ${"".padEnd(22)} → ${oneLineText(advice)}\n`;
  // Model names and upstream messages are untrusted text.
  return `${GLYPH[status]} ${check.padEnd(22)} ${oneLineText(detail)}\n${fix}`;
}
