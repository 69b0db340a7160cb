import { isExcused, isUnrecovered, type ScoredCall } from "../score/scores.ts";
import type { CallLinks } from "./call-links.ts";
import { type CallRecord, isCounted, recordStatus, settledAt, toolName, workflowOf } from "./call-record.ts";
import { EMPTY_TALLY, type Tally } from "./session-record.ts";
import type { CallOrigin } from "./tool-call.ts";

export const HOUR = 3_600_000;
export const DAY: number = 24 * HOUR;

/** Dimensions of the main rollup. */
export interface RollupKey {
  readonly project: string;
  /** Start of the hour in which the call settled, in ms. */
  readonly hour: number;
  readonly provider: string;
  readonly model_name: string;
  readonly tool_name: string;
  readonly phase: string;
  readonly category: string;
}

export interface RollupDelta {
  readonly key: RollupKey;
  readonly tally: Tally;
}

/** Dimensions for comparing repaired with native calls. */
export interface OriginKey {
  readonly project: string;
  readonly hour: number;
  /** `native`: all calls that are not repaired. */
  readonly origin: CallOrigin;
  readonly phase: string;
}

export interface OriginDelta {
  readonly key: OriginKey;
  readonly tally: Tally;
}

export function originKeyOf(record: CallRecord): OriginKey {
  const origin = record.facts.origin?.value === "recovered" ? "recovered" : "native";
  return { project: record.key.project, hour: hourOf(record), origin, phase: failureOf(record).phase };
}

/** A record's contribution to the rollups; undefined if it is not counted. */
export function rollupOf(record: CallRecord, links: CallLinks | undefined): RollupDelta | undefined {
  if (!isCounted(record)) return undefined;
  return { key: rollupKeyOf(record), tally: tallyOf(record, links) };
}

export function rollupKeyOf(record: CallRecord): RollupKey {
  const { phase, category } = failureOf(record);
  return {
    project: record.key.project,
    hour: hourOf(record),
    provider: record.facts.provider?.value ?? "",
    model_name: record.facts.model?.value ?? "",
    tool_name: toolName(record),
    phase,
    category,
  };
}

export function hourOf(record: CallRecord): number {
  const at = settledAt(record) ?? record.first_at;
  return at - (at % HOUR);
}

/** Empty for soft failures: they have a category but count as ok. */
export function failureOf(record: CallRecord): { readonly phase: string; readonly category: string } {
  const outcome = record.facts.result?.value.outcome;
  const failed = outcome?.status === "failed";
  return { phase: failed ? (outcome.phase ?? "") : "", category: failed ? (outcome.category ?? "") : "" };
}

/** A call's contribution to every tally. */
export function tallyOf(record: CallRecord, links: CallLinks | undefined): Tally {
  if (!isCounted(record)) return EMPTY_TALLY;
  const status = recordStatus(record);
  const soft = record.facts.result?.value.outcome.soft === true;
  if (status === "ok" && links?.retry_of === undefined && !soft) return ONE_OK;
  const call = scoredCallOf(record, links);
  const failed = status === "failed";
  return {
    calls: 1,
    ok: Number(status === "ok"),
    failed: Number(failed),
    unknown: Number(status === "unknown"),
    soft: Number(soft),
    recovered: Number(failed && links?.recovered_by !== undefined),
    follow_on: Number(failed && links?.cascade_of !== undefined),
    retries: Number(links?.retry_of !== undefined),
    unrecovered: Number(isUnrecovered(call)),
    excused: Number(isExcused(call)),
  };
}

/** The tally of most calls; shared to avoid allocations. */
export const ONE_OK: Tally = { ...EMPTY_TALLY, calls: 1, ok: 1 };

export function scoredCallOf(record: CallRecord, links: CallLinks | undefined): ScoredCall {
  const { category, severity, phase } = record.facts.result?.value.outcome ?? {};
  return {
    status: recordStatus(record),
    ...(category !== undefined && { category }),
    ...(severity !== undefined && { severity }),
    ...(phase !== undefined && { phase }),
    ...links,
  };
}

/** Dimensions of totals and time series. */
export interface TotalKey {
  readonly project: string;
  readonly hour: number;
  readonly phase: string;
  readonly category: string;
}

export function totalKeyOf(record: CallRecord): TotalKey {
  return { project: record.key.project, hour: hourOf(record), ...failureOf(record) };
}

/** Dimensions of totals by workflow. */
export interface WorkflowKey {
  readonly project: string;
  readonly hour: number;
  readonly workflow: string;
  readonly phase: string;
  readonly category: string;
}

export function workflowKeyOf(record: CallRecord): WorkflowKey {
  return {
    project: record.key.project,
    hour: hourOf(record),
    workflow: workflowOf(record) ?? "",
    ...failureOf(record),
  };
}

/** Dimensions of the execution time histogram. */
export interface DurationKey {
  readonly project: string;
  readonly hour: number;
  readonly tool_name: string;
  readonly bucket: number;
}

/** Each bucket is 20 % wider than the previous one: precise enough for percentiles, and few enough to store. */
const LOG_BUCKET_RATIO = Math.log(1.2);

/** Undefined if the execution time was not measured. */
export function durationKeyOf(record: CallRecord): DurationKey | undefined {
  const ms = record.facts.execution_time_ms?.value;
  if (ms === undefined || !(ms >= 0)) return undefined;
  const bucket = Math.round(Math.log(Math.max(1, ms)) / LOG_BUCKET_RATIO);
  return { project: record.key.project, hour: hourOf(record), tool_name: toolName(record), bucket };
}

/** The center of a bucket, in ms. */
export function durationOf(bucket: number): number {
  return Math.round(Math.exp(bucket * LOG_BUCKET_RATIO));
}

/** Dimensions of failures by fingerprint. */
export interface FingerprintKey {
  readonly project: string;
  readonly hour: number;
  readonly fingerprint: string;
  readonly category: string;
}

export function fingerprintKeyOf(record: CallRecord): FingerprintKey | undefined {
  const outcome = record.facts.result?.value.outcome;
  if (outcome?.status !== "failed" || outcome.fingerprint === undefined) return undefined;
  return {
    project: record.key.project,
    hour: hourOf(record),
    fingerprint: outcome.fingerprint,
    category: outcome.category ?? "",
  };
}

/** The tools and models with a fingerprint, over all time. */
export interface FingerprintFacetKey {
  readonly project: string;
  readonly fingerprint: string;
  readonly tool_name: string;
  readonly model_name: string;
}

export function fingerprintFacetOf(record: CallRecord, { project, fingerprint }: FingerprintKey): FingerprintFacetKey {
  return { project, fingerprint, tool_name: toolName(record), model_name: record.facts.model?.value ?? "" };
}
