import type { RedactLevel } from "../../core/redact/redact.ts";
import type { HealthThresholds } from "../../core/score/health.ts";
import type { DetectSettings } from "../../ingest/observe/detect-settings.ts";
import type { Capture } from "../../ingest/observe/observe-call.ts";
import type { RepairConfig } from "../../proxy/repair/repair-control.ts";
import type { Upstream } from "../../proxy/upstreams.ts";
import type { ExportConfig } from "../export-config.ts";
import type { Logger } from "../logger.ts";

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  /** `postgres://…`: the store of several servers; else SQLite in the data folder. */
  readonly storeUrl?: string;
  /** After so long without an answer a PostgreSQL counts as gone (30 s unless told). */
  readonly storePatienceMs?: number;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly capture: Capture;
  /** What is removed from all that is kept; absent: secrets. */
  readonly redact?: RedactLevel;
  readonly detect?: DetectSettings;
  /** What the health of sessions is judged by; absent: the default. */
  readonly thresholds?: HealthThresholds | undefined;
  readonly allowedHosts: readonly string[];
  readonly token?: string;
  /** Folders of transcripts to follow. */
  readonly watch?: readonly string[];
  readonly durable?: boolean;
  /** By default leaked calls of declared tools are mended. */
  readonly repair?: RepairConfig;
  readonly keepAliveMs?: number;
  /** Idle timeout of a request body in ms; default 90 s. */
  readonly bodyTimeoutMs?: number;
  /** Further folders in which transcripts that hooks speak of may lie. */
  readonly transcripts?: readonly string[];
  /** Other systems that are told of every call. */
  readonly exporting?: ExportConfig;
  /** Sessions whose last sign of life is older are removed; absent: none is. */
  readonly keepMs?: number;
  /** Sessions that say nothing for so long have ended (30 minutes unless told). */
  readonly idleTimeoutMs?: number;
  /** How often sessions are looked through that have ended, gone quiet or grown old. */
  readonly sweepMs?: number;
  /** Report uncaught exceptions instead of ending the process. */
  readonly containUncaught?: boolean;
  readonly logger: Logger;
  readonly now?: () => number;
}
