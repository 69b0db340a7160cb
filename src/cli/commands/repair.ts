import { CALL_REPAIR_MODES, REPAIR_MODE_TEXT, REPAIR_MODES } from "../../core/repair/modes.ts";
import { commandLine } from "../command-line.ts";
import { type Config, type Flags, readConfig } from "../config.ts";
import { CliError, throwIfUnauthorized } from "../errors.ts";
import type { Io } from "../io.ts";
import { serverUrl } from "../server-url.ts";
import { oneLineText } from "../table.ts";

export interface RepairFlags extends Omit<Flags, "upstream"> {
  readonly calls?: boolean;
  readonly upstream?: string;
  readonly model?: string;
  readonly json?: boolean;
}

interface Override {
  readonly of?: string;
  readonly mode: string;
  readonly upstream?: string;
  readonly model?: string;
  readonly at: string | number;
}

interface Modes {
  readonly mode: string;
  readonly upstreams: Readonly<Record<string, string>>;
  readonly models: Readonly<Record<string, string>>;
}

/** Response of `/api/repair`, `/api/guard` and `/api/second-chance`. */
interface Status extends Modes {
  /** Absent in servers that do not repair native calls. */
  readonly calls?: Modes;
  readonly overrides: readonly Override[];
  readonly suspended?: readonly { readonly provider: string; readonly model: string; readonly at: string }[];
}

/** Shows the mode of a feature on the running server, or overrides it. */
export async function modeCommand(
  feature: "repair" | "guard" | "second-chance",
  mode: string,
  flags: RepairFlags,
  io: Io,
): Promise<number> {
  const { upstream, model, json, calls, ...rest } = flags;
  const of = calls === true ? "calls" : undefined;
  if (mode === "status" && (upstream !== undefined || model !== undefined))
    throw new CliError(
      `--upstream and --model need a mode, for example: \`${commandLine(`${feature} off --upstream NAME`)}\`.`,
      {
        exitCode: 2,
      },
    );
  if (feature === "repair") checkRepairMode(mode, calls === true);
  const config = await readConfig(rest, io.environment);
  const status =
    mode === "status"
      ? await fetchStatus(config, feature, `/api/${feature}`)
      : await fetchStatus(config, feature, `/api/settings/${feature}`, { of, mode, upstream, model });
  io.out(json === true ? `${JSON.stringify(status, null, 2)}\n` : asText(status, feature));
  return 0;
}

/** Leaks and native calls have different modes. */
function checkRepairMode(mode: string, isOfCalls: boolean): void {
  const modes: readonly string[] = [...(isOfCalls ? CALL_REPAIR_MODES : REPAIR_MODES), "config"];
  if (mode === "status" || modes.includes(mode)) return;
  throw new CliError(`${isOfCalls ? "With" : "Without"} --calls, mode must be one of ${modes.join(", ")}.`, {
    exitCode: 2,
  });
}

async function fetchStatus(config: Config, feature: string, path: string, choice?: object): Promise<Status> {
  const url = serverUrl(config);
  const response = await fetch(url + path, {
    signal: AbortSignal.timeout(5000),
    headers: {
      ...(config.token !== undefined && { "x-toolmend-token": config.token }),
      ...(choice !== undefined && { "content-type": "application/json" }),
    },
    ...(choice !== undefined && { method: "POST", body: JSON.stringify(choice) }),
  }).catch((error: unknown) => {
    throw new CliError(
      `Toolmend is not running at ${url}. Start it with \`${commandLine("start")}\`, or set "${feature === "second-chance" ? "secondChance" : feature}" in toolmend.config.json.`,
      { cause: error },
    );
  });
  throwIfUnauthorized(response.status);
  const body = (await response.json().catch(() => undefined)) as (Status & ErrorBody) | undefined;
  if (response.ok && body !== undefined) return body;
  throw new CliError(
    body?.error?.message ?? `${url} returned HTTP ${response.status}. Check that Toolmend is running there.`,
  );
}

interface ErrorBody {
  readonly error?: { readonly message?: string };
}

function asText({ overrides: choices, suspended = [], calls, ...leaks }: Status, feature: string): string {
  const row = (what: string, value: string): string => `${oneLineText(what).padEnd(32)} ${oneLineText(value)}\n`;
  const modeRows = ({ mode, upstreams, models }: Modes, of = ""): readonly string[] => [
    row(`everything${of}`, mode === "follow" ? "as for leaks" : mode),
    ...Object.entries(upstreams).map(([name, value]) => row(`upstream ${name}${of}`, value)),
    ...Object.entries(models).map(([pattern, value]) => row(`model ${pattern}${of}`, value)),
  ];
  const parts = [...modeRows(leaks), ...(calls === undefined ? [] : modeRows(calls, ", native calls"))];
  const overrides = [...choices].reverse().map((choice) => `  ${oneLineText(formatOverride(choice))}\n`);
  const suspensions = suspended.map(
    ({ provider, model, at }) => `  ${oneLineText(`${provider} ${model}, since ${at}`)}\n`,
  );
  return [
    "Configuration\n",
    ...parts.map((line) => `  ${line}`),
    ...(overrides.length === 0
      ? []
      : ["Overrides set at run time, stored in the data folder; the first match applies\n", ...overrides]),
    ...(suspensions.length === 0 ? [] : ["Suspended (the upstream rejected a repaired call):\n", ...suspensions]),
    ...(feature === "repair" ? explainModes(leaks, choices) : []),
  ].join("");
}

/** What the modes of leaks mean, as far as they are shown. */
function explainModes({ mode, upstreams, models }: Modes, overrides: readonly Override[]): readonly string[] {
  const ofOverrides = overrides.filter(({ of }) => of !== "calls").map((one) => one.mode);
  const shown = new Set([mode, ...Object.values(upstreams), ...Object.values(models), ...ofOverrides]);
  const lines = REPAIR_MODES.filter((one) => shown.has(one)).map(
    (one) => `  ${one.padEnd(8)} ${REPAIR_MODE_TEXT[one]}\n`,
  );
  return lines.length === 0 ? [] : ["Modes\n", ...lines];
}

/** Formats an override for people. */
export function formatOverride({ of, mode, upstream, model, at }: Override): string {
  const where = [upstream && `upstream ${upstream}`, model && `model ${model}`].filter(Boolean).join(", ");
  return `${mode} for ${where === "" ? "everything" : where}${of === "calls" ? ", native calls" : ""}, set ${new Date(at).toISOString()}`;
}
