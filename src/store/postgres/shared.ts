import { randomUUID } from "node:crypto";
import type { SharedStore } from "../port.ts";
import type { PostgresDatabase } from "./database.ts";

const CHANNEL = "toolmend";
/** Polling interval, for poolers that do not pass notifications. */
const POLL_MS = 2000;
/** Notifications are throttled: they only signal that something changed. */
const NOTIFY_INTERVAL_MS = 200;

/** Coordinates servers that share one database. */
export class PostgresShared implements SharedStore {
  readonly #db: PostgresDatabase;
  readonly #holder = randomUUID();
  readonly #waiting = new Set<() => void>();
  #listening: Promise<void> | undefined;
  #telling: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(db: PostgresDatabase) {
    this.#db = db;
  }

  /** Must be called after the commit: NOTIFY within a transaction serializes all commits. */
  notifyOthers(): void {
    if (this.#closed) return;
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#db.all("SELECT pg_notify(?, '')", CHANNEL).catch(() => undefined);
    }, NOTIFY_INTERVAL_MS).unref();
  }

  waitForChanges(): Promise<void> {
    this.#listening ??= this.#db
      .listen(CHANNEL, () => this.#wake())
      .catch(() => {
        this.#listening = undefined;
      });
    return new Promise((resolve) => {
      const timer = setTimeout(() => wake(), POLL_MS);
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      if (this.#closed) wake();
    });
  }

  async setting(name: string): Promise<string | undefined> {
    const [row] = await this.#db.all("SELECT value FROM settings WHERE name = ?", name);
    return row?.value as string | undefined;
  }

  async saveSetting(name: string, value: string): Promise<void> {
    await this.#db.all(
      "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      ...[name, value],
    );
  }

  async setSettingIfAbsent(name: string, value: string): Promise<string> {
    await this.#db.all("INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", name, value);
    return (await this.setting(name)) as string;
  }

  /** Uses the clock of the database. The holder may renew the lease; others get it when it has expired. */
  async tryAcquireLease(task: string, forMs: number): Promise<boolean> {
    const rows = await this.#db.all(
      `INSERT INTO leases (task, holder, until) VALUES (?, ?, now() + ? * interval '1 ms')
       ON CONFLICT (task) DO UPDATE SET holder = excluded.holder, until = excluded.until
         WHERE leases.holder = excluded.holder OR leases.until < now() RETURNING task`,
      ...[task, this.#holder, forMs],
    );
    return rows.length === 1;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#telling);
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
