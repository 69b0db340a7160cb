import { type Config, type Flags, readConfig } from "../config.ts";
import { CliError, throwIfUnauthorized } from "../errors.ts";
import type { Io } from "../io.ts";
import { serverUrl } from "../server-url.ts";
import { oneLineText } from "../table.ts";

export interface RepairFlags extends Omit<Flags, "upstream"> {
  readonly upstream?: string;
  readonly model?: string;
  readonly json?: boolean;
}

interface Choice {
  readonly mode: string;
  readonly upstream?: string;
  readonly model?: string;
  readonly at: string | number;
}

/** What `/api/repair` answers. */
interface Status {
  readonly mode: string;
  readonly upstreams: Readonly<Record<string, string>>;
  readonly models: Readonly<Record<string, string>>;
  readonly overrides: readonly Choice[];
  readonly suspended: readonly { readonly provider: string; readonly model: string; readonly at: string }[];
}

/** Shows how repair stands in the running server, or chooses another mode there. */
export async function repairCommand(mode: string, flags: RepairFlags, io: Io): Promise<number> {
  const { upstream, model, json, ...rest } = flags;
  if (mode === "status" && (upstream !== undefined || model !== undefined))
    throw new CliError("--upstream and --model go with a mode: toolmend repair off --upstream NAME.", 2);
  const config = readConfig(rest, io.environment);
  const status =
    mode === "status"
      ? await asked(config, "/api/repair")
      : await asked(config, "/api/settings/repair", { mode, upstream, model });
  io.out(json === true ? `${JSON.stringify(status, null, 2)}\n` : asText(status));
  return 0;
}

async function asked(config: Config, path: string, choice?: object): Promise<Status> {
  const url = serverUrl(config);
  const response = await fetch(url + path, {
    signal: AbortSignal.timeout(5000),
    headers: {
      ...(config.token !== undefined && { "x-toolmend-token": config.token }),
      ...(choice !== undefined && { "content-type": "application/json" }),
    },
    ...(choice !== undefined && { method: "POST", body: JSON.stringify(choice) }),
  }).catch(() => {
    throw new CliError(
      `Toolmend is not running at ${url}. Start it with \`toolmend start\`, or set "repair" in toolmend.config.json.`,
    );
  });
  throwIfUnauthorized(response.status);
  const body = (await response.json().catch(() => undefined)) as (Status & ErrorBody) | undefined;
  if (response.ok && body !== undefined) return body;
  throw new CliError(body?.error?.message ?? `${url} answered ${response.status}. Is it Toolmend?`);
}

interface ErrorBody {
  readonly error?: { readonly message?: string };
}

function asText({ mode, upstreams, models, overrides: choices, suspended }: Status): string {
  const row = (what: string, value: string): string => `${oneLineText(what).padEnd(32)} ${oneLineText(value)}\n`;
  const parts = [
    row("everything", mode),
    ...Object.entries(upstreams).map(([name, value]) => row(`upstream ${name}`, value)),
    ...Object.entries(models).map(([pattern, value]) => row(`model ${pattern}`, value)),
  ];
  const chosen = [...choices].reverse().map((choice) => `  ${oneLineText(formatOverride(choice))}\n`);
  const resting = suspended.map(({ provider, model, at }) => `  ${oneLineText(`${provider} ${model}, since ${at}`)}\n`);
  return [
    "Configuration\n",
    ...parts.map((line) => `  ${line}`),
    ...(chosen.length === 0
      ? []
      : ["Chosen at run time, kept in the data folder; the first that fits decides\n", ...chosen]),
    ...(resting.length === 0 ? [] : ["Suspended: the upstream did not take a mended call back\n", ...resting]),
  ].join("");
}

/** A choice as one would say it. */
export function formatOverride({ mode, upstream, model, at }: Choice): string {
  const where = [upstream && `upstream ${upstream}`, model && `model ${model}`].filter(Boolean).join(", ");
  return `${mode} for ${where === "" ? "everything" : where}, chosen ${new Date(at).toISOString()}`;
}
