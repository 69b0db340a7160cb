import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../core/model/backoff.ts";
import { messageOf } from "../core/model/errors.ts";
import { type DataFolder, hasSalt, prepareDataFolder, readOrCreateSalt, replaceSalt } from "../ingest/data-folder.ts";
import type { SharedStore, Store } from "../store/port.ts";
import { CliError } from "./errors.ts";
import { openStore } from "./open-store.ts";
import { parseRuntimeSettings, type RuntimeSettings } from "./runtime-settings.ts";

/**
 * Returns the salt of a data folder. All servers of a shared store use the same one: otherwise hashes of equal values
 * would differ. A server that already has it can start while the store is unavailable.
 */
export async function saltFor(folder: DataFolder, { shared }: Pick<Store, "shared">): Promise<string> {
  if (shared === undefined) return readOrCreateSalt(folder);
  const known = hasSalt(folder);
  try {
    const salt = await shared.setSettingIfAbsent("salt", readOrCreateSalt(folder));
    replaceSalt(folder, salt);
    return salt;
  } catch (error) {
    if (known) return readOrCreateSalt(folder);
    replaceSalt(folder, undefined);
    throw new CliError(
      `The store is not available: ${messageOf(error)}. The first start with this data folder needs it; later ones do not.`,
      { cause: error },
    );
  }
}

/** Fetches the salt for a command that opens the store only when it has something to write. */
export async function fetchSalt(folder: DataFolder, url: string): Promise<void> {
  prepareDataFolder(folder);
  const store = await openStore({ folder, url });
  try {
    await saltFor(folder, store);
  } finally {
    await store.close();
  }
}

export interface ServerSyncOptions {
  readonly shared: SharedStore;
  /** New events may be available. */
  readonly onChange: () => void;
  /** Called periodically, for state that changes rarely. */
  readonly onPoll: () => void;
  readonly now: () => number;
  readonly random?: () => number;
  /** Called with the new overrides of a feature after another server changed them. */
  readonly onOverrides: Readonly<Record<keyof RuntimeSettings, (settings: RuntimeSettings) => void>>;
  readonly onProblem: (message: string) => void;
}

const FEATURES: readonly (keyof RuntimeSettings)[] = ["repair", "guard", "secondChance"];
const BACKOFF = { firstMs: 1000, longestMs: 10_000 };
const POLL_INTERVAL_MS = 2000;

/** Keeps a server in sync with the other servers of its store. */
export class ServerSync {
  readonly #options: ServerSyncOptions;
  #closed = false;
  readonly #known = new Map<keyof RuntimeSettings, string>();
  /** Overrides set here and not yet published. */
  readonly #unpublished = new Map<keyof RuntimeSettings, string>();
  #following: Promise<void> | undefined;

  constructor(options: ServerSyncOptions) {
    this.#options = options;
  }

  start(): void {
    this.#following ??= this.#follow();
  }

  /** Publishes overrides now, or as soon as the store is available. */
  publish<F extends keyof RuntimeSettings>(feature: F, overrides: RuntimeSettings[F]): void {
    this.#unpublished.set(feature, JSON.stringify({ [feature]: overrides }));
    void this.#syncOverrides().catch((error: unknown) => this.#options.onProblem(messageOf(error)));
  }

  close(): void {
    this.#closed = true;
  }

  async #follow(): Promise<void> {
    const { shared, onChange, onPoll, onProblem, now, random = Math.random } = this.#options;
    let polledAt = Number.NEGATIVE_INFINITY;
    let failures = 0;
    while (!this.#closed) {
      try {
        if (Math.abs(now() - polledAt) >= POLL_INTERVAL_MS) {
          await this.#syncOverrides();
          polledAt = now();
          onPoll();
        }
        failures = 0;
        await shared.waitForChanges();
        if (!this.#closed) onChange();
      } catch (error) {
        if (this.#closed) return;
        onProblem(messageOf(error));
        failures += 1;
        await sleep(backoffMs(BACKOFF, failures, random), undefined, { ref: false });
      }
    }
  }

  async #syncOverrides(): Promise<void> {
    for (const feature of FEATURES) await this.#sync(feature);
  }

  async #sync(feature: keyof RuntimeSettings): Promise<void> {
    const { shared, onOverrides } = this.#options;
    const unpublished = this.#unpublished.get(feature);
    if (unpublished !== undefined) {
      await shared.saveSetting(feature, unpublished);
      this.#known.set(feature, unpublished);
      if (this.#unpublished.get(feature) === unpublished) this.#unpublished.delete(feature);
      return;
    }
    const published = await shared.setting(feature);
    if (published === undefined || published === this.#known.get(feature) || this.#unpublished.has(feature)) return;
    this.#known.set(feature, published);
    onOverrides[feature](parseRuntimeSettings(published));
  }
}
