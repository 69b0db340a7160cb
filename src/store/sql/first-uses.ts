import { DAY, HOUR } from "../../core/model/rollup.ts";
import type { FirstUse, FirstUseQuery } from "../first-use.ts";
import type { SqlDriver } from "./driver.ts";
import { rollupRows } from "./rollup-queries.ts";

/** A model counts as new if it was not used for this long before the range. */
const LOOK_BACK_MS = 30 * DAY;
/** More would make a chart unreadable. */
const MAX_MODELS = 20;
/** Each version costs one step through an index. */
const MAX_VERSIONS = 500;
const MAX_TIME = 8.64e15;

/**
 * Models and versions of clients that were first used in a range. Those of the first day of all records are left out:
 * nothing is known of the time before.
 */
export async function firstUses(db: SqlDriver, query: FirstUseQuery): Promise<readonly FirstUse[]> {
  const [oldest] = await db.all("SELECT min(settled_at) AS at FROM calls WHERE call_count = 1");
  if (oldest === undefined || oldest.at === null) return [];
  const known = Number(oldest.at) + DAY;
  const step = query.step === "day" ? DAY : HOUR;
  const from = Math.max(known, (query.since ?? 0) - ((query.since ?? 0) % step));
  const uses = [...(await newModels(db, query, from)), ...(await newVersions(db, query, from))];
  return uses.toSorted((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
}

async function newModels(db: SqlDriver, query: FirstUseQuery, since: number): Promise<readonly FirstUse[]> {
  const { project, until = MAX_TIME, step } = query;
  const filter = project === undefined ? {} : { project };
  const start = since - (since % DAY);
  const [days, values] = rollupRows("rollups", filter, [{ span: DAY, from: start - LOOK_BACK_MS, to: until }]);
  const rows = await db.all(
    `SELECT model_name, min(start) AS first FROM ${days} WHERE calls > 0 AND model_name <> ''
     GROUP BY model_name HAVING min(start) >= ? ORDER BY 2, 1 LIMIT ?`,
    ...[...values, start, MAX_MODELS],
  );
  const uses = await Promise.all(
    rows.map(async (row): Promise<FirstUse> => {
      const use = { kind: "model", name: String(row.model_name), version: null } as const;
      const day = Number(row.first);
      if (step === "day") return { ...use, at: day };
      const [hours, of] = rollupRows("rollups", { ...filter, model: use.name }, [
        { span: HOUR, from: day, to: day + DAY },
      ]);
      const [first] = await db.all(`SELECT min(start) AS at FROM ${hours} WHERE calls > 0`, ...of);
      return { ...use, at: Number(first?.at ?? day) };
    }),
  );
  return uses.filter(({ at }) => at >= since - (since % (step === "day" ? DAY : HOUR)) && at < until);
}

/** Steps from version to version, because the number of calls of each must not matter. */
async function newVersions(db: SqlDriver, query: FirstUseQuery, since: number): Promise<readonly FirstUse[]> {
  const { project, until = MAX_TIME, step } = query;
  const uses: FirstUse[] = [];
  let [client, version] = ["", ""];
  for (let steps = 0; steps < MAX_VERSIONS; steps += 1) {
    const [row] = await db.all(
      `SELECT client, client_version, settled_at FROM calls
       WHERE call_count = 1 AND client_version IS NOT NULL AND (client, client_version) > (?, ?)
       ${project === undefined ? "" : "AND project = ?"} ORDER BY client, client_version, settled_at LIMIT 1`,
      ...[client, version, ...(project === undefined ? [] : [project])],
    );
    if (row === undefined) break;
    [client, version] = [String(row.client), String(row.client_version)];
    const at = Number(row.settled_at);
    if (at < since || at >= until) continue;
    uses.push({ kind: "client", name: client, version, at: at - (at % (step === "day" ? DAY : HOUR)) });
  }
  return uses;
}
