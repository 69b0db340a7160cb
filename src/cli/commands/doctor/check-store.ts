import { existsSync } from "node:fs";
import { codeOf, messageOf } from "../../../core/model/errors.ts";
import { isSuspensionActive } from "../../../core/repair/index.ts";
import { REPAIR_MODE_TEXT } from "../../../core/repair/modes.ts";
import { dataFolder } from "../../../ingest/data-folder.ts";
import { suspensionOf } from "../../../proxy/repair/repair-watch.ts";
import type { StoreReader } from "../../../store/port.ts";
import { isBrokenFile, isMarkedDamaged, listSetAside } from "../../../store/sqlite/set-aside.ts";
import { commandLine } from "../../command-line.ts";
import { type Config, repairOf } from "../../config.ts";
import { pluralize } from "../../format.ts";
import { recoveryAdvice, storeName } from "../../open-store.ts";
import { readRuntimeSettings } from "../../runtime-settings.ts";
import type { CheckResult } from "./check-machine.ts";

export async function checkStore(config: Config): Promise<CheckResult> {
  const check = "store";
  const folder = dataFolder(config.data);
  const where = storeName({ folder, url: config.store });
  if (config.store === undefined && isMarkedDamaged(folder.database))
    return { check, status: "failed", detail: `${where} is damaged`, advice: START_SETS_ASIDE };
  try {
    const reader = await readerOf(config);
    if (reader === undefined) return { check, status: "ok", detail: "empty: nothing recorded yet" };
    const { calls, sessions } = await reader.summary({}).finally(() => reader.close());
    const shared = config.store === undefined ? "" : ` in ${where}`;
    const detail = `${pluralize(calls, "call")} in ${pluralize(sessions, "session")}${shared}`;
    const [broken] = config.store === undefined ? listSetAside(folder.database) : [];
    if (broken === undefined) return { check, status: "ok", detail };
    return {
      check,
      status: "warning",
      detail: `${detail}; an earlier database was broken and is kept as ${broken}`,
      advice: `${recoveryAdvice(folder, broken)} Delete the broken file when you no longer need it.`,
    };
  } catch (error) {
    const code = codeOf(error);
    const message = messageOf(error);
    // These messages already contain the fix.
    if (code === "newer-schema" || code === "unreadable-store") return { check, status: "failed", detail: message };
    const advice =
      config.store === undefined
        ? fileAdvice(error)
        : "Check that the database is running and that TOOLMEND_STORE points to it. Until then, new records wait in the journal.";
    return { check, status: "failed", detail: `${where}: ${message}`, advice };
  }
}

const START_SETS_ASIDE = `The next \`${commandLine("start")}\` sets the file aside and begins a new one; the journal and the event files are not affected.`;

function fileAdvice(error: unknown): string {
  if (isBrokenFile(error)) return START_SETS_ASIDE;
  return "Check the permissions of the file and its folder, or choose another folder with --data.";
}

/** Reports where repair is suspended because an upstream rejected a repaired call and no later override resumed it. */
export async function checkRepair(config: Config, now: number): Promise<CheckResult> {
  const folder = dataFolder(config.data);
  const overrides = readRuntimeSettings(folder).repair;
  const { mode, suspendForMs = 0 } = repairOf(config);
  const check = "repair";
  const overridden =
    overrides.length === 0
      ? ""
      : ` (from the configuration; ${pluralize(overrides.length, "override")} set at run time)`;
  const fine: CheckResult = { check, status: "ok", detail: `${mode}: ${REPAIR_MODE_TEXT[mode]}${overridden}` };
  try {
    const reader = await readerOf(config);
    if (reader === undefined) return fine;
    const rejections = await reader.suspensions({ since: now - suspendForMs }).finally(() => reader.close());
    const open = rejections.filter((row) => isSuspensionActive(suspensionOf(row), overrides, suspendForMs, now));
    const [newest] = open;
    if (newest === undefined) return fine;
    const places = new Set(open.map(({ provider, model }) => `${provider ?? "?"} ${model ?? "?"}`));
    const reason = newest.message === null ? "" : `: ${newest.message}`;
    return {
      check,
      status: "warning",
      detail: `suspended for ${[...places].slice(0, 5).join(", ")}; the upstream rejected a repaired call with ${newest.http_status}${reason}`,
      advice: `\`${commandLine(`repair ${mode}`)}\` resumes it; \`${commandLine("repair off")}\` turns it off.`,
    };
  } catch {
    // `checkStore` reports what is wrong with the store. A store of an older version lacks this table.
    return fine;
  }
}

/** Opens the store for reading, or returns undefined if nothing was ever recorded. */
export async function readerOf({ data, store }: Config): Promise<StoreReader | undefined> {
  const { database } = dataFolder(data);
  if (store === undefined) {
    if (!existsSync(database)) return undefined;
    // Imported here, so that a Node without `node:sqlite` still gets the report instead of an import error.
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
