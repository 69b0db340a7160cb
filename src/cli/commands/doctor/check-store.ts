import { existsSync } from "node:fs";
import { isSuspensionActive } from "../../../core/repair/index.ts";
import { dataFolder } from "../../../ingest/data-folder.ts";
import { suspensionOf } from "../../../proxy/repair/repair-watch.ts";
import type { StoreReader } from "../../../store/port.ts";
import { type Config, repairOf } from "../../config.ts";
import { pluralize } from "../../format.ts";
import { storeName } from "../../open-store.ts";
import { readRepairChoices } from "../../runtime-settings.ts";
import type { CheckResult } from "./check-result.ts";

export async function checkStore(config: Config): Promise<CheckResult> {
  const check = "store";
  const where = storeName({ folder: dataFolder(config.data), url: config.store });
  try {
    const reader = await readerOf(config);
    if (reader === undefined) return { check, status: "ok", detail: "empty: nothing recorded yet" };
    const { calls, sessions } = await reader.summary({}).finally(() => reader.close());
    const shared = config.store === undefined ? "" : ` in ${where}`;
    return { check, status: "ok", detail: `${pluralize(calls, "call")} in ${pluralize(sessions, "session")}${shared}` };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // These say what to do themselves.
    if (code === "newer-schema" || code === "unreadable-store") return { check, status: "failed", detail: message };
    const advice =
      config.store === undefined
        ? fileAdvice(error)
        : "Is the database running, and does TOOLMEND_STORE name it? Meanwhile the journal holds what is recorded.";
    return { check, status: "failed", detail: `${where}: ${message}`, advice };
  }
}

/** SQLite's codes for a file that holds no database, or a damaged one: nothing is lost that could still be read. */
const DAMAGED = new Set([11, 26]);

function fileAdvice(error: unknown): string {
  return DAMAGED.has((error as { readonly errcode?: number }).errcode ?? 0)
    ? "Move the file away to start afresh; the journal and the events beside it stay."
    : "Check the rights of the file and its folder, or choose another with --data.";
}

/** Where an upstream did not take back a mended call, and nobody has switched repair on again since. */
export async function checkRepair(config: Config, now: number): Promise<CheckResult> {
  const folder = dataFolder(config.data);
  const choices = readRepairChoices(folder);
  const { mode, suspendForMs = 0 } = repairOf(config);
  const check = "repair";
  const chosen = choices.length === 0 ? "" : ` in the configuration; ${choices.length} chosen at run time`;
  const fine: CheckResult = { check, status: "ok", detail: `${mode}${chosen}` };
  try {
    const reader = await readerOf(config);
    if (reader === undefined) return fine;
    const refusals = await reader.suspensions({ since: now - suspendForMs }).finally(() => reader.close());
    const open = refusals.filter((row) => isSuspensionActive(suspensionOf(row), choices, suspendForMs, now));
    const [newest] = open;
    if (newest === undefined) return fine;
    const places = new Set(open.map(({ provider, model }) => `${provider ?? "?"} ${model ?? "?"}`));
    const said = newest.message === null ? "" : `: ${newest.message}`;
    return {
      check,
      status: "warning",
      detail: `suspended for ${[...places].slice(0, 5).join(", ")}; the upstream answered ${newest.http_status} to a mended call${said}`,
      advice: `\`toolmend repair ${mode}\` switches it on again; \`toolmend repair off\` leaves answers alone.`,
    };
  } catch {
    // The store's own finding says what is wrong with it; one of an older version has no such table yet.
    return fine;
  }
}

/** What was recorded; undefined when nothing ever was. */
async function readerOf({ data, store }: Config): Promise<StoreReader | undefined> {
  const { database } = dataFolder(data);
  if (store === undefined) {
    if (!existsSync(database)) return undefined;
    // Loaded here, so that a Node without it gets as far as being told so.
    const { openSqliteReader } = await import("../../../store/sqlite/sqlite-store.ts");
    return openSqliteReader(database);
  }
  const { openPostgresReader } = await import("../../../store/postgres/postgres-store.ts");
  const reader = openPostgresReader(store);
  const empty = await reader.isEmpty().catch(async (error: unknown) => {
    await reader.close();
    throw error;
  });
  if (!empty) return reader;
  await reader.close();
  return undefined;
}
