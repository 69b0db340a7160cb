import {
  type AggregateDeltas,
  addSessionHours,
  type Count,
  type FacetKey,
  type FingerprintSeen,
  type SessionHour,
  textOf,
} from "../../core/model/aggregates.ts";
import { noCounts } from "../../core/model/counts.ts";
import { sessionKeyText } from "../../core/model/fold.ts";
import {
  DAY,
  type DurationKey,
  type FingerprintFacetKey,
  type FingerprintKey,
  type RollupKey,
  type WorkflowKey,
} from "../../core/model/rollup.ts";
import { addTally, EMPTY_TALLY, type Tally } from "../../core/model/session-record.ts";
import { breakdownRows, type CategorySum, seriesPoints, toolModelRows } from "../breakdown-rows.ts";
import {
  type Breakdown,
  type BreakdownQuery,
  checkFilters,
  type FingerprintQuery,
  type Range,
  type RollupQuery,
  type SeriesQuery,
} from "../queries.ts";
import type { BreakdownRow, FingerprintRow, SeriesPoint, ToolModelRow } from "../rows.ts";
import { workflowOfSession } from "../session-row.ts";
import { hoursOf, previousRange } from "../spans.ts";

type RollupBreakdown = Exclude<Breakdown, "session">;

/** All sums by hour. */
export class MemoryFigures {
  readonly #rollups = new Map<string, { readonly key: RollupKey; readonly tally: Tally }>();
  readonly #workflows = new Map<string, { readonly key: WorkflowKey; readonly tally: Tally }>();
  readonly #durations = new Map<string, Count<DurationKey>>();
  readonly #fingerprints = new Map<string, Count<FingerprintKey>>();
  readonly #fingerprintFacets = new Map<string, Count<FingerprintFacetKey>>();
  readonly #sessionHours = new Map<string, SessionHour>();
  readonly #seen = new Map<string, FingerprintSeen>();
  readonly #facets = new Map<string, Map<string, Count<FacetKey>>>();

  move(changes: AggregateDeltas): void {
    for (const { key, tally } of changes.rollups) addTallies(this.#rollups, key, tally);
    for (const { key, tally } of changes.workflows) addTallies(this.#workflows, key, tally);
    for (const { key, count } of changes.durations) addCounts(this.#durations, key, count);
    for (const { key, count } of changes.fingerprints) addCounts(this.#fingerprints, key, count);
    for (const { key, count } of changes.fingerprintFacets) addCounts(this.#fingerprintFacets, key, count);
    for (const { key, count } of changes.facets) {
      const session = sessionKeyText(key);
      const facets = this.#facets.get(session) ?? new Map<string, Count<FacetKey>>();
      this.#facets.set(session, facets);
      addCounts(facets, key, count);
    }
    for (const seen of changes.seen) this.#see(seen);
  }

  moveSessions(hours: readonly SessionHour[]): void {
    for (const { key, tally } of hours) {
      const known = this.#sessionHours.get(textOf(key))?.tally;
      this.#sessionHours.set(textOf(key), { key, tally: known === undefined ? tally : addSessionHours(known, tally) });
    }
  }

  sessionTotals(range: Range): SessionHour["tally"] {
    return [...this.#sessionHours.values()]
      .filter(({ key }) => isIn(range, key))
      .reduce((sum, { tally }) => addSessionHours(sum, tally), { sessions: 0, requests: 0, unhealthy: 0 });
  }

  total(query: RollupQuery): Tally {
    return this.#matching(query).reduce((sum, { tally }) => addTally(sum, tally), EMPTY_TALLY);
  }

  breakdown(by: RollupBreakdown, query: BreakdownQuery): readonly BreakdownRow[] {
    if (by === "workflow") checkFilters("by workflow", query);
    const before = query.previous === true ? previousRange(query) : undefined;
    return breakdownRows(this.#sumsBy(by, query), {
      ...(before !== undefined && { previous: this.#sumsBy(by, before) }),
      ...(by === "tool" && { durations: this.#durationsBy(query) }),
    });
  }

  series(query: SeriesQuery): readonly SeriesPoint[] {
    return seriesPoints(
      this.#matching(query).map(({ key, tally }) => ({
        ...tally,
        at: query.step === "day" ? key.hour - (key.hour % DAY) : key.hour,
        category: key.category,
      })),
    );
  }

  toolModel(query: RollupQuery): readonly ToolModelRow[] {
    return toolModelRows(
      this.#matching(query).map(({ key, tally }) => ({
        ...tally,
        tool: key.tool_name,
        model: key.model_name,
        category: key.category,
      })),
    );
  }

  fingerprints(query: FingerprintQuery): readonly FingerprintRow[] {
    checkFilters("fingerprints", query);
    const { tool, model, ...rest } = query;
    const counts = new Map<string, Count<FingerprintKey>>();
    for (const { key, count } of this.#fingerprints.values()) {
      if (!isIn(rest, key)) continue;
      const text = `${key.project}\u0000${key.fingerprint}`;
      counts.set(text, { key, count: (counts.get(text)?.count ?? 0) + count });
    }
    return [...counts]
      .filter(([, { count }]) => count > 0)
      .map(([text, { key, count }]) => this.#fingerprintRow(text, key, count))
      .filter(({ tools, models }) => (tool === undefined || tool in tools) && (model === undefined || model in models))
      .sort(
        (a, b) =>
          b.count - a.count || (textOf([a.project, a.fingerprint]) < textOf([b.project, b.fingerprint]) ? -1 : 1),
      )
      .slice(0, query.limit ?? 50);
  }

  #fingerprintRow(text: string, key: FingerprintKey, count: number): FingerprintRow {
    const seen = this.#seen.get(text);
    const [tools, models] = [noCounts(), noCounts()];
    for (const facet of this.#fingerprintFacets.values()) {
      if (facet.count <= 0 || `${facet.key.project}\u0000${facet.key.fingerprint}` !== text) continue;
      const { tool_name: tool } = facet.key;
      const model = facet.key.model_name === "" ? "unknown" : facet.key.model_name;
      tools[tool] = (tools[tool] ?? 0) + facet.count;
      models[model] = (models[model] ?? 0) + facet.count;
    }
    return {
      project: key.project,
      fingerprint: key.fingerprint,
      category: key.category,
      count,
      first_at: seen === undefined ? null : new Date(seen.first_at).toISOString(),
      last_at: seen === undefined ? null : new Date(seen.last_at).toISOString(),
      sample: seen?.sample ?? "",
      tools,
      models,
    };
  }

  /** Which values of a kind occur in a session. */
  facets(
    session: { readonly project: string; readonly session_id: string },
    kind: FacetKey["kind"],
  ): readonly string[] {
    const all = [...(this.#facets.get(sessionKeyText(session))?.values() ?? [])];
    return all.filter(({ key, count }) => key.kind === kind && count > 0).map(({ key }) => key.value);
  }

  workflow(session: { readonly project: string; readonly session_id: string }): string | null {
    const all = [...(this.#facets.get(sessionKeyText(session))?.values() ?? [])];
    const own = all.filter(({ key, count }) => key.kind === "workflow" && count > 0);
    return workflowOfSession(own.map(({ key, count }) => [key.value, count]));
  }

  forgetFacets(session: string): void {
    this.#facets.delete(session);
  }

  #matching(query: RollupQuery): readonly { readonly key: RollupKey; readonly tally: Tally }[] {
    return [...this.#rollups.values()].filter(({ key }) => isIn(query, key));
  }

  #sumsBy(by: RollupBreakdown, query: RollupQuery): readonly CategorySum[] {
    const from =
      by === "workflow"
        ? [...this.#workflows.values()]
            .filter(({ key }) => isIn(query, key))
            .map((one) => ({ ...one, name: one.key.workflow }))
        : this.#matching(query).map((one) => ({ ...one, name: nameOf(by, one.key) }));
    const sums = from.map(({ key, tally, name }) => ({
      ...tally,
      key: name === "" && (by === "model" || by === "provider" || by === "workflow") ? "unknown" : name,
      phase: key.phase,
      category: key.category,
    }));
    return by === "category" || by === "phase" ? sums.filter((sum) => sum.key !== "") : sums;
  }

  #durationsBy({ project, since, until, tool }: RollupQuery): ReadonlyMap<string, ReadonlyMap<number, number>> {
    const query = {
      ...(project !== undefined && { project }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(tool !== undefined && { tool }),
    };
    const byTool = new Map<string, Map<number, number>>();
    for (const { key, count } of this.#durations.values()) {
      if (!isIn(query, key)) continue;
      const classes = byTool.get(key.tool_name) ?? new Map<number, number>();
      byTool.set(key.tool_name, classes.set(key.bucket, (classes.get(key.bucket) ?? 0) + count));
    }
    return byTool;
  }

  #see(next: FingerprintSeen): void {
    const text = `${next.project}\u0000${next.fingerprint}`;
    const known = this.#seen.get(text);
    const better =
      known === undefined || (next.sample !== "" && (next.first_at < known.first_at || known.sample === ""));
    this.#seen.set(text, {
      ...next,
      sample: better ? next.sample : known.sample,
      first_at: Math.min(next.first_at, known?.first_at ?? next.first_at),
      last_at: Math.max(next.last_at, known?.last_at ?? next.last_at),
    });
  }
}

function nameOf(by: Exclude<RollupBreakdown, "workflow">, key: RollupKey): string {
  switch (by) {
    case "tool":
      return key.tool_name;
    case "model":
      return key.model_name;
    case "provider":
      return key.provider;
    case "category":
      return key.category;
    case "phase":
      return key.phase;
    case "day":
      return new Date(key.hour).toISOString().slice(0, 10);
  }
}

interface AnyKey extends Partial<Omit<RollupKey, "project" | "hour">> {
  readonly project: string;
  readonly hour: number;
}

function isIn(query: RollupQuery, key: AnyKey): boolean {
  const [hours] = hoursOf(query);
  const is = (wanted: string | undefined, value: string | undefined): boolean =>
    wanted === undefined || wanted === value;
  const orUnknown = (wanted: string | undefined): string | undefined => (wanted === "unknown" ? "" : wanted);
  return (
    key.hour >= (hours?.from ?? 0) &&
    key.hour < (hours?.to ?? 0) &&
    is(query.project, key.project) &&
    is(query.tool, key.tool_name) &&
    is(orUnknown(query.model), key.model_name) &&
    is(orUnknown(query.provider), key.provider) &&
    is(query.category, key.category) &&
    is(query.phase, key.phase)
  );
}

function addTallies<K extends object>(
  to: Map<string, { readonly key: K; readonly tally: Tally }>,
  key: K,
  tally: Tally,
): void {
  const text = textOf(key);
  to.set(text, { key, tally: addTally(to.get(text)?.tally ?? EMPTY_TALLY, tally) });
}

function addCounts<K extends object>(to: Map<string, Count<K>>, key: K, count: number): void {
  const text = textOf(key);
  to.set(text, { key, count: (to.get(text)?.count ?? 0) + count });
}
