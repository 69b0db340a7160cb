import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../core/model/backoff.ts";
import type { RepairOverride } from "../core/repair/index.ts";
import { type DataFolder, hasSalt, prepareDataFolder, readOrCreateSalt, replaceSalt } from "../ingest/data-folder.ts";
import type { SharedStore, Store } from "../store/port.ts";
import { CliError } from "./errors.ts";
import { openStore } from "./open-store.ts";
import { parseRepairChoices } from "./runtime-settings.ts";

/**
 * The salt of a data folder; the same for all servers of a shared store, or hashes of equal things would differ. A server that knows it may start
 * while the store is away.
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
      `The store is not available: ${(error as Error).message}. The first start with this data folder needs it; later ones do not.`,
    );
  }
}

/** The same for a command that opens the store only when it has something to store. */
export async function takeOverSalt(folder: DataFolder, url: string): Promise<void> {
  prepareDataFolder(folder);
  const store = await openStore({ folder, url });
  try {
    await saltFor(folder, store);
  } finally {
    await store.close();
  }
}

export interface OtherServersOptions {
  readonly shared: SharedStore;
  /** There may be new events. */
  readonly onNews: () => void;
  /** From time to time: there may be something that changes seldom. */
  readonly onLook: () => void;
  readonly now: () => number;
  readonly random?: () => number;
  /** How repair stands after somebody chose something. */
  readonly onChoices: (choices: readonly RepairOverride[]) => void;
  readonly onProblem: (message: string) => void;
}

const CHOICES = "repair";
const BACKOFF = { firstMs: 1000, longestMs: 10_000 };
const LOOK_MS = 2000;

/** Keeps a server in step with the others on its store. */
export class ServerSync {
  readonly #options: OtherServersOptions;
  #closed = false;
  #known: string | undefined;
  /** Chosen here, and not yet told. */
  #untold: string | undefined;
  #following: Promise<void> | undefined;

  constructor(options: OtherServersOptions) {
    this.#options = options;
  }

  start(): void {
    this.#following ??= this.#follow();
  }

  /** Told at once, or as soon as the store can be reached. */
  tellChoices(choices: readonly RepairOverride[]): void {
    this.#untold = JSON.stringify({ repair: choices });
    void this.#shareChoices().catch((error: Error) => this.#options.onProblem(error.message));
  }

  close(): void {
    this.#closed = true;
  }

  async #follow(): Promise<void> {
    const { shared, onNews, onLook, onProblem, now, random = Math.random } = this.#options;
    let lookedAt = Number.NEGATIVE_INFINITY;
    let failures = 0;
    while (!this.#closed) {
      try {
        if (Math.abs(now() - lookedAt) >= LOOK_MS) {
          await this.#shareChoices();
          lookedAt = now();
          onLook();
        }
        failures = 0;
        await shared.waitForChanges();
        if (!this.#closed) onNews();
      } catch (error) {
        if (this.#closed) return;
        onProblem((error as Error).message);
        failures += 1;
        await sleep(backoffMs(BACKOFF, failures, random), undefined, { ref: false });
      }
    }
  }

  async #shareChoices(): Promise<void> {
    const { shared, onChoices } = this.#options;
    const untold = this.#untold;
    if (untold !== undefined) {
      await shared.saveSetting(CHOICES, untold);
      this.#known = untold;
      if (this.#untold === untold) this.#untold = undefined;
      return;
    }
    const told = await shared.setting(CHOICES);
    if (told === undefined || told === this.#known || this.#untold !== undefined) return;
    this.#known = told;
    onChoices(parseRepairChoices(told));
  }
}
