import { messageOf } from "../../core/model/errors.ts";
import type { Observation, ObservationBase, SuspensionObservation } from "../../core/model/observation.ts";
import type { StoreReader, SuspensionRow } from "../../store/port.ts";
import type { RepairControl } from "./repair-control.ts";

/** A request that an upstream rejected. */
export interface Rejection {
  readonly base: ObservationBase & { readonly request_id: string };
  readonly status: number;
  /** Ids of all calls in its history. */
  readonly ids: readonly string[];
  readonly message: string | undefined;
}

export interface RepairWatchOptions {
  readonly reader: Pick<StoreReader, "recoveredCalls" | "suspensions">;
  readonly control: RepairControl;
  /** Waits until everything acknowledged is stored. */
  readonly waitUntilStored: () => Promise<void>;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  /** Redacts a text for storage. Returns undefined if it must not be stored. */
  readonly redactText: (text: string) => string | undefined;
  readonly onSuspended?: (suspension: SuspensionObservation) => void;
  readonly onProblem?: (message: string) => void;
}

/** Statuses of a request that the upstream considers malformed. */
export const REJECTION_STATUSES: ReadonlySet<number> = new Set([400, 422]);
/**
 * Rejections not caused by a call: the context is too long, or the account has no credit. Matches the providers'
 * wordings, because most of them send the same code for every rejected request.
 */
const UNRELATED_REJECTIONS = /prompt is too long|context[ _](?:length|window)|maximum context|credit balance/i;
const MAX_REPAIRED_IDS = 10_000;
const MAX_LOADED_SUSPENSIONS = 1000;

/** Suspends repair after an upstream rejects a request that contains a repaired call. */
export class RepairWatch {
  readonly #options: RepairWatchOptions;
  /** Recent repaired ids, to avoid {@link StoreReader.recoveredCalls} for the next request of the same client. */
  readonly #repairedIds = new Set<string>();
  readonly #pending = new Set<Promise<void>>();

  constructor(options: RepairWatchOptions) {
    this.#options = options;
  }

  /** Loads suspensions of earlier runs and of other servers on the same store. */
  async load(): Promise<void> {
    const { reader, control } = this.#options;
    const rows = await reader.suspensions({ since: control.horizon, limit: MAX_LOADED_SUSPENSIONS });
    control.suspend(rows.map(suspensionOf));
  }

  onRepaired(ids: readonly string[]): void {
    for (const id of ids) this.#repairedIds.add(id);
    for (const id of this.#repairedIds) {
      if (this.#repairedIds.size <= MAX_REPAIRED_IDS) break;
      this.#repairedIds.delete(id);
    }
  }

  onRejected(rejection: Rejection): void {
    if (rejection.ids.length === 0 || UNRELATED_REJECTIONS.test(rejection.message ?? "")) return;
    const work = this.#suspend(rejection)
      .catch((error: unknown) => this.#options.onProblem?.(messageOf(error)))
      .finally(() => this.#pending.delete(work));
    this.#pending.add(work);
  }

  /** Waits until all rejections reported so far are handled. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  async #suspend(rejection: Rejection): Promise<void> {
    const { control, record, redactText, onSuspended } = this.#options;
    const ids = await this.#findRepairedIds(rejection);
    if (ids.length === 0) return;
    const message = rejection.message === undefined ? undefined : redactText(rejection.message);
    const suspension: SuspensionObservation = {
      ...rejection.base,
      kind: "suspension",
      http_status: rejection.status,
      tool_call_ids: ids.slice(0, 100),
      ...(message !== undefined && { message }),
    };
    const { project, session_id, provider = "", model = "", occurred_at: at } = suspension;
    control.suspend([{ project, session_id, provider, model, at }]);
    onSuspended?.(suspension);
    await record([suspension]);
  }

  async #findRepairedIds({ base, ids }: Rejection): Promise<readonly string[]> {
    const known = ids.filter((id) => this.#repairedIds.has(id));
    if (known.length > 0) return known;
    await this.#options.waitUntilStored();
    return await this.#options.reader.recoveredCalls(base.project, ids);
  }
}

export function suspensionOf(row: SuspensionRow): {
  readonly project: string;
  readonly session_id: string;
  readonly provider: string;
  readonly model: string;
  readonly at: number;
} {
  const { project, session_id, provider, model, at } = row;
  return { project, session_id, provider: provider ?? "", model: model ?? "", at: Date.parse(at) };
}
