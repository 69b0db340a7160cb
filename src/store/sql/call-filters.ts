// The filters of the list of calls as conditions on the table `c`.
import { DAY, HOUR } from "../../core/model/rollup.ts";
import { type CallQuery, type CallStatus, type LinkFilter, SETTLED_STATUSES } from "../call-query.ts";
import type { RollupQuery } from "../queries.ts";
import type { Span } from "../spans.ts";
import type { Dialect } from "./dialect.ts";
import type { QueryValue, SqlDriver, Where } from "./driver.ts";
import { DISCARDED } from "./repair-queries.ts";
import { rollupRows, tableFor } from "./rollup-queries.ts";

export type Condition = readonly [sql: string, ...values: QueryValue[]];

/** Calls with a result, or calls without one. Each part has an index on its time. */
export interface Part {
  readonly at: "settled_at" | "first_at";
  readonly conditions: readonly Condition[];
}

/** More parts would exceed the databases' limits for one query. */
const MAX_TOOLS = 200;

/**
 * One query per tool of an MCP server, because calls are indexed by tool and time. Rollups have the names of all tools
 * with a result.
 */
export async function queriesOf(db: SqlDriver, query: CallQuery): Promise<readonly CallQuery[]> {
  const { server, since, until } = query;
  if (server === undefined) return [query];
  const prefix = `mcp__${server}__`;
  const [from, values] = rollupRows("rollups", rollupQueryOf(query), [
    { span: DAY, from: (since ?? 0) - ((since ?? 0) % DAY), to: until ?? MAX_TIME },
  ]);
  const rows = await db.all(
    `SELECT DISTINCT tool_name FROM ${from} WHERE substr(tool_name, 1, ?) = ? ORDER BY 1 LIMIT ?`,
    ...[...values, [...prefix].length, prefix, MAX_TOOLS],
  );
  return rows.map((row) => ({ ...query, tool: String(row.tool_name) }));
}

export async function partsOf(db: SqlDriver, dialect: Dialect, query: CallQuery): Promise<readonly Part[]> {
  const statuses = statusesOf(query);
  const settled = SETTLED_STATUSES.filter((status) => statuses.includes(status));
  const common = commonConditions(dialect, query);
  const parts: Part[] = [];
  if (settled.length > 0) {
    const range = await rangeOf(db, query, settled);
    if (range !== undefined) {
      const conditions = [
        settledCondition(settled, query.tool !== undefined),
        ...range,
        ...failureConditions(query),
        ...common,
      ];
      parts.push({ at: "settled_at", conditions });
    }
  }
  const [pending, discarded] = [statuses.includes("pending"), statuses.includes("discarded")];
  if (pending || discarded) {
    const which = pending && discarded ? "TRUE" : pending ? `NOT ${DISCARDED}` : DISCARDED;
    const range = [...bound("c.first_at >= ?", query.since), ...bound("c.first_at < ?", query.until)];
    parts.push({ at: "first_at", conditions: [["c.status = 'pending'"], [which], ...range, ...common] });
  }
  return parts;
}

/** Totals count categories, phases and most links of failures only: a soft failure has a category too. */
export function statusesOf({
  status = SETTLED_STATUSES,
  category,
  phase,
  fingerprint,
  link,
}: CallQuery): readonly CallStatus[] {
  const onlyFailed = (category ?? phase ?? fingerprint) !== undefined || (link !== undefined && link !== "retry");
  return onlyFailed ? status.filter((one) => one === "failed") : status;
}

/** Literals, so that the databases find the partial indexes. The index of tools also has successful calls. */
function settledCondition(statuses: readonly CallStatus[], hasTool: boolean): Condition {
  if (statuses.length === SETTLED_STATUSES.length) return ["c.call_count = 1"];
  if (statuses.length === 1 && statuses[0] === "failed" && !hasTool) return ["c.error_count = 1"];
  return [`c.call_count = 1 AND c.status IN (${statuses.map((status) => `'${status}'`).join(", ")})`];
}

const LINK_CONDITIONS = {
  retry: "c.retry_of IS NOT NULL",
  follow_on: "c.cascade_of IS NOT NULL",
  recovered: "c.recovered_by IS NOT NULL",
  unrecovered: `c.retry_of IS NULL AND c.cascade_of IS NULL AND c.recovered_by IS NULL
    AND coalesce(c.phase, '') <> 'gate' AND coalesce(c.category, '') <> 'cancelled'`,
} as const satisfies Record<LinkFilter, string>;

function failureConditions({ category, phase, link }: CallQuery): readonly Condition[] {
  return [
    ...(category === undefined
      ? []
      : [[`c.category IN (${category.map(() => "?").join(", ")})`, ...category] as const]),
    ...bound("c.phase = ?", phase),
    ...(link === undefined ? [] : [[LINK_CONDITIONS[link]] as const]),
  ];
}

type YesNo = readonly [yes: string, no: string];

/** As in rollups, every call that was not repaired from a leak is native. */
const RECOVERED: YesNo = ["c.origin = 'recovered'", "coalesce(c.origin, '') <> 'recovered'"];
/** Repaired from a leak, or a native call whose arguments were repaired. */
const REPAIRED: YesNo = [
  "(c.origin = 'recovered' OR c.call_repair = 'repaired')",
  "(coalesce(c.origin, '') <> 'recovered' AND coalesce(c.call_repair, '') <> 'repaired')",
];

function either([yes, no]: YesNo, is: boolean | undefined): readonly Condition[] {
  return is === undefined ? [] : [[is ? yes : no]];
}

function commonConditions({ noIndex }: Dialect, query: CallQuery): readonly Condition[] {
  const { project, tool, model, provider, client, session, workflow, fingerprint, origin, repaired, soft } = query;
  // SQLite would prefer an index on the project to one in the order of the list.
  const isNarrow = session !== undefined || fingerprint !== undefined;
  return [
    ...bound(`${isNarrow ? "" : noIndex}c.project = ?`, project),
    ...bound("c.session_id = ?", session),
    ...bound("c.fingerprint = ?", fingerprint),
    ...bound("c.tool_name = ?", tool),
    ...named("c.model_name", model),
    ...named("c.provider", provider),
    ...named("c.client", client),
    ...named("c.workflow", workflow),
    ...either(RECOVERED, origin === undefined ? undefined : origin === "recovered"),
    ...either(REPAIRED, repaired),
    ...bound("c.soft = ?", soft === undefined ? undefined : Number(soft)),
  ];
}

function bound(sql: string, value: QueryValue | undefined): readonly Condition[] {
  return value === undefined ? [] : [[sql, value]];
}

/** Rollups show a missing name as `unknown`. */
function named(column: string, value: string | undefined): readonly Condition[] {
  return value === "unknown" ? [[`coalesce(${column}, '') = ''`]] : bound(`${column} = ?`, value);
}

/** The project of a session or an error, because their indexes start with it; empty if several have the same id. */
export async function projectOf(db: SqlDriver, query: CallQuery): Promise<Pick<CallQuery, "project">> {
  const { project, session, fingerprint } = query;
  const id = session ?? fingerprint;
  if (project !== undefined || id === undefined) return {};
  const from = session === undefined ? "fingerprints WHERE fingerprint = ?" : "sessions WHERE session_id = ?";
  const found = await db.all(`SELECT project FROM ${from} LIMIT 2`, id);
  return found.length === 1 ? { project: String(found[0]?.project) } : {};
}

/** The time of the results; undefined if rollups count no such call. */
async function rangeOf(
  db: SqlDriver,
  query: CallQuery,
  settled: readonly CallStatus[],
): Promise<readonly Condition[] | undefined> {
  const hours = {
    since: query.since === undefined ? undefined : query.since - (query.since % HOUR),
    until: query.until === undefined ? undefined : Math.ceil(query.until / HOUR) * HOUR,
  };
  if (!mayBeRare(query, settled)) return timesBetween(hours.since, hours.until);
  const rollup = rollupQueryOf(query);
  const days = [{ span: DAY, from: (hours.since ?? 0) - ((hours.since ?? 0) % DAY), to: hours.until ?? MAX_TIME }];
  const [from, values] =
    query.workflow === undefined
      ? rollupRows(tableFor(rollup), rollup, days)
      : workflowRows(query.workflow, rollup, days);
  const [row] = await db.all(
    `SELECT min(start) AS first, max(start) AS last FROM ${from} WHERE ${fieldsOf(query, settled).join(" + ")} > 0`,
    ...values,
  );
  if (row === undefined || row.first === null) return undefined;
  return timesBetween(
    Math.max(hours.since ?? 0, Number(row.first)),
    Math.min(hours.until ?? MAX_TIME, Number(row.last) + DAY),
  );
}

const MAX_TIME = 8.64e15;

/** Rollups by workflow have fewer dimensions. */
function workflowRows(workflow: string, { project, category, phase }: RollupQuery, days: readonly Span[]): Where {
  const filters = {
    ...(project !== undefined && { project }),
    ...(category !== undefined && { category }),
    ...(phase !== undefined && { phase }),
  };
  const [from, values] = rollupRows("workflow_rollups", filters, days);
  return [`(SELECT * FROM ${from} WHERE workflow = ?) AS w`, [...values, workflow === "unknown" ? "" : workflow]];
}

function timesBetween(since: number | undefined, until: number | undefined): readonly Condition[] {
  return [...bound("c.settled_at >= ?", since), ...bound("c.settled_at < ?", until)];
}

/** Whether a page might read the whole index of times to find few calls. */
function mayBeRare(query: CallQuery, settled: readonly CallStatus[]): boolean {
  const { model, provider, workflow, soft, link, session, fingerprint } = query;
  if ((session ?? fingerprint) !== undefined) return false;
  return (model ?? provider ?? workflow ?? link) !== undefined || soft === true || settled.join() === "unknown";
}

export function rollupQueryOf({ project, tool, model, provider, category, phase }: CallQuery): RollupQuery {
  return {
    ...(project !== undefined && { project }),
    ...(tool !== undefined && { tool }),
    ...(model !== undefined && { model }),
    ...(provider !== undefined && { provider }),
    ...(category?.length === 1 && { category: category[0] as string }),
    ...(phase !== undefined && { phase }),
  };
}

const FIELD_OF_LINK = {
  retry: "retries",
  follow_on: "follow_on",
  recovered: "recovered",
  unrecovered: "unrecovered",
} as const satisfies Record<LinkFilter, string>;

/** The columns of a tally that count these calls, or more. */
export function fieldsOf({ link, soft }: CallQuery, settled: readonly CallStatus[]): readonly TallyField[] {
  if (link !== undefined) return [FIELD_OF_LINK[link]];
  if (soft === true) return ["soft"];
  return settled as readonly (typeof SETTLED_STATUSES)[number][];
}

type TallyField = (typeof FIELD_OF_LINK)[LinkFilter] | "soft" | (typeof SETTLED_STATUSES)[number];
