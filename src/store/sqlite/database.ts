// The only file that names node:sqlite's class, should it ever be renamed.
import { closeSync, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

export type Value = SQLInputValue;
export type Row = Record<string, unknown>;

export interface DatabaseOptions {
  readonly readOnly?: boolean;
  /** Nobody writes it and nothing may be written beside it: it is read without locks. */
  readonly unchanging?: boolean;
  /** How long to wait for other writers. */
  readonly busyMs?: number;
  /** `wal` lets readers and a writer work at once; `delete` is SQLite's plain mode. */
  readonly journalMode?: "wal" | "delete";
}

/** In place of a path: a database that forgets. */
export const IN_MEMORY = ":memory:";

/** A connection with its prepared statements. */
export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, options: DatabaseOptions = {}) {
    // SQLite gives its side files the rights of the database: for the owner alone, from the first byte on.
    if (options.readOnly !== true && path !== IN_MEMORY) closeSync(openSync(path, "a", 0o600));
    const file = options.unchanging === true ? new URL("?immutable=1", pathToFileURL(path)) : path;
    this.#db = new DatabaseSync(file, { timeout: options.busyMs ?? 5000, readOnly: options.readOnly === true });
    if (options.readOnly === true || options.journalMode === "delete") return;
    this.exec(
      "PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16384; PRAGMA wal_autocheckpoint=2000; PRAGMA secure_delete=ON;",
    );
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  run(sql: string, ...values: Value[]): void {
    this.#prepare(sql).run(...values);
  }

  /** The same with a list: rows have up to fifty values. */
  runAll(sql: string, values: readonly Value[]): void {
    this.#prepare(sql).run(...values);
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.#prepare(sql).all(...values);
  }

  /** Always IMMEDIATE: a deferred transaction that turns from reading to writing fails under other writers, whatever the timeout. */
  transaction<T>(work: () => T): T {
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** On some errors, a full disk among them, SQLite has rolled back already; what went wrong is the first error, not this. */
  #rollBack(): void {
    try {
      this.exec("ROLLBACK");
    } catch {
      // There is no transaction any more.
    }
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
