import type { Prices } from "../../api/prices.ts";
import type { RedactLevel } from "../../core/redact/redact.ts";
import type { HealthThresholds } from "../../core/score/health.ts";
import type { DataFolder } from "../../ingest/data-folder.ts";
import type { DetectSettings } from "../../ingest/observe/detect-settings.ts";
import type { Capture } from "../../ingest/observe/observe-call.ts";
import type { GuardConfig } from "../../proxy/guard/guard-control.ts";
import type { RepairConfig } from "../../proxy/repair/repair-control.ts";
import type { SecondChanceConfig } from "../../proxy/second-chance/second-chance-control.ts";
import type { Upstream } from "../../proxy/upstreams.ts";
import type { WebSocketMode } from "../../proxy/websocket/modes.ts";
import type { Store } from "../../store/port.ts";
import type { ExportConfig } from "../export-config.ts";
import type { Logger } from "../logger.ts";
import { openServerStore, recoveryAdvice } from "../open-store.ts";
import { saltFor } from "../server-sync.ts";

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  /** `postgres://…`: store shared by several servers; otherwise SQLite in the data folder. */
  readonly storeUrl?: string;
  /** Timeout after which PostgreSQL counts as unavailable; default 30 s. */
  readonly storePatienceMs?: number;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly capture: Capture;
  /** What is redacted from stored text; default: secrets. */
  readonly redact?: RedactLevel;
  readonly detect?: DetectSettings;
  /** Thresholds of session health by rate; default: the built-in ones. */
  readonly thresholds?: HealthThresholds | undefined;
  /** Prices of models; default: none, and no cost is shown. */
  readonly prices?: Prices | undefined;
  /** How long tool names are used for results without their call; default 1 hour. */
  readonly nameTtlMs?: number;
  readonly allowedHosts: readonly string[];
  readonly token?: string;
  /** 32 bytes that encrypt repaired calls; default: from a file in the data folder, if the store is not shared. */
  readonly stateKey?: Buffer;
  /** Folders of coding agents whose transcripts a user of this server may import. Default: none. */
  readonly agentFolders?: readonly string[];
  /** Folders of transcripts to follow. */
  readonly watch?: readonly string[];
  readonly durable?: boolean;
  /** Default: leaked calls of declared tools are repaired. */
  readonly repair?: RepairConfig;
  /** Default: loops are recorded, and requests stay unchanged. */
  readonly guard?: GuardConfig;
  /** Default: no second requests. */
  readonly secondChance?: SecondChanceConfig;
  /** A command or URL that receives loops. */
  readonly notify?: string;
  /** Default: calls to MCP servers are compared with their schemas and stay unchanged. */
  readonly repairsMcpCalls?: boolean;
  /** Whether WebSockets are forwarded; default `auto`. */
  readonly websocket?: WebSocketMode;
  readonly keepAliveMs?: number;
  /** Memory in MB for the last request of each conversation; 0 parses every request completely. Default: 64. */
  readonly bodyMemoryMb?: number;
  /** Idle timeout of a request body in ms; default 90 s. */
  readonly bodyTimeoutMs?: number;
  /** Additional folders from which hooks may name transcripts. */
  readonly transcripts?: readonly string[];
  /** Systems to which calls and sessions are exported. */
  readonly exporting?: ExportConfig;
  /** Retention: sessions without activity for this long are deleted. Default: never. */
  readonly keepMs?: number;
  /** Idle time after which a session counts as ended; default 30 minutes. */
  readonly idleTimeoutMs?: number;
  /** Interval of the sweep for ended, idle and expired sessions. */
  readonly sweepMs?: number;
  /** Report uncaught exceptions instead of ending the process. */
  readonly containUncaught?: boolean;
  readonly logger: Logger;
  readonly now?: () => number;
}

/** Dependencies shared by all parts of the server. */
export interface ServerContext {
  readonly options: ServerOptions;
  readonly folder: DataFolder;
  readonly store: Store;
  readonly salt: string;
  readonly now: () => number;
  /** Where the database was moved because it was broken. */
  readonly setAside: () => string | undefined;
  /** Whether the database is open. */
  readonly isStoreOpen: () => boolean;
  /** Why the database could not be opened. */
  readonly storeProblem?: string | undefined;
}

export async function openServerContext(options: ServerOptions, folder: DataFolder): Promise<ServerContext> {
  const now = options.now ?? Date.now;
  const place = { folder, url: options.storeUrl, patienceMs: options.storePatienceMs };
  const { store, setAside, isOpen, problem } = await openServerStore(place, now, (kept) =>
    options.logger.error(
      { file: kept },
      `the database was broken and has been set aside; a new one was created. ${recoveryAdvice(folder, kept)}`,
    ),
  );
  try {
    const salt = await saltFor(folder, store);
    return { options, folder, store, salt, now, setAside, isStoreOpen: isOpen, storeProblem: problem };
  } catch (error) {
    await store.close();
    throw error;
  }
}
