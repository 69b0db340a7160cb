// The only file that imports node:sqlite, so that a change of its API affects one file.
import { closeSync, openSync } from "node:fs";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { SQLITE } from "../sql/dialect.ts";
import type { Statement, Step, Values, Work } from "../sql/work.ts";

export type Value = SQLInputValue;
export type Row = Record<string, unknown>;

export interface DatabaseOptions {
  readonly readOnly?: boolean;
  /** The file does not change and its folder is not writable: read it without locks. */
  readonly unchanging?: boolean;
  /** How long a write waits for other writers. */
  readonly busyMs?: number;
  /** `wal` allows readers beside a writer; `memory` writes no file. */
  readonly journalMode?: "wal" | "memory";
}

/** Used as path: a database in memory. */
export const IN_MEMORY = ":memory:";

/** SQLite's code for a database that another connection has locked, and for one that it recovers after a crash. */
const SQLITE_BUSY = 5;
const SQLITE_BUSY_RECOVERY = 261;

/** Whether a write failed because another connection has locked the database. */
export function isBusy(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: unknown };
  return errcode === SQLITE_BUSY || errcode === SQLITE_BUSY_RECOVERY;
}

/** Another connection prevents what only a lone one can do. Treated as SQLite's own error. */
export class BusyError extends Error {
  readonly code = "busy";
  readonly errcode: number = SQLITE_BUSY;
  constructor(message: string) {
    super(message);
    this.name = "BusyError";
  }
}

/** A statement and the parameters of its placeholders. */
interface Compiled {
  readonly sql: string;
  /** The index of each parameter, or how many of the first ones. */
  readonly order: readonly number[] | number;
}

const sqlite = loadSqlite();

/** Loaded without the warning of Node 22 that the module is experimental: users can do nothing about it. */
function loadSqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

function open(path: string, { unchanging, readOnly, busyMs = 5000 }: DatabaseOptions): DatabaseSync {
  const settings = { timeout: busyMs, readOnly: readOnly === true };
  if (unchanging !== true) return new sqlite.DatabaseSync(path, settings);
  try {
    return new sqlite.DatabaseSync(new URL("?immutable=1", pathToFileURL(path)), settings);
  } catch (error) {
    // Before version 22.15, Node takes only paths. A database without a write-ahead log can be read that way, too.
    if (!(error instanceof TypeError)) throw error;
    return new sqlite.DatabaseSync(path, settings);
  }
}

/** A connection with its prepared statements. */
export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, options: DatabaseOptions = {}) {
    // SQLite copies the permissions of the database to its side files, so only the owner can read all of them.
    if (options.readOnly !== true && path !== IN_MEMORY) closeSync(openSync(path, "a", 0o600));
    this.#db = open(path, options);
    // Older versions of Node ignore the option of that name.
    this.exec(`PRAGMA busy_timeout=${options.busyMs ?? 5000}`);
    if (options.readOnly === true) return;
    if (options.journalMode === "memory") this.exec("PRAGMA journal_mode=MEMORY");
    else
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

  get(sql: string, ...values: Value[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.#prepare(sql).all(...values);
  }

  /**
   * Always IMMEDIATE: a deferred transaction that starts to write after reading fails beside other writers, despite the
   * timeout.
   */
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

  /** After some errors, such as a full disk, SQLite has already rolled back. The first error is the one to report. */
  #rollBack(): void {
    try {
      this.exec("ROLLBACK");
    } catch {
      // No open transaction.
    }
  }

  /** Runs work to its end. */
  perform<T>(work: Work<T>): T {
    let step = work.next();
    while (step.done !== true) step = work.next(this.#execute(step.value));
    return step.value;
  }

  #execute(step: Step): unknown {
    switch (step.kind) {
      case "query":
        return this.all(step.sql, ...(step.values as Value[]));
      case "select": {
        const { sql, order } = this.#compile(step.statement);
        return step.rows.map((row) => this.all(sql, ...inOrder(row, order)));
      }
      case "change": {
        const { sql, order } = this.#compile(step.statement);
        const prepared = this.#prepare(sql);
        for (const row of step.rows) prepared.run(...inOrder(row, order));
        return undefined;
      }
      case "together":
        return step.parts.map((part) => this.perform(part));
    }
  }

  #compile(statement: Statement): Compiled {
    let compiled = COMPILED.get(statement);
    if (compiled === undefined) {
      compiled = compile(statement);
      COMPILED.set(statement, compiled);
    }
    return compiled;
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

const COMPILED = new Map<Statement, Compiled>();

function compile({ parameters, sql }: Statement): Compiled {
  const names = Object.keys(parameters);
  const order: number[] = [];
  const value = (name: string): string => {
    order.push(names.indexOf(name));
    return "?";
  };
  const insert = (some: readonly string[]): string => `VALUES (${some.map(value).join(", ")})`;
  const text = sql({ value, insert, join: () => "" }, SQLITE);
  // Usually the first parameters, in their order: columns that only PostgreSQL has come last.
  const isPrefix = order.every((parameter, at) => parameter === at);
  return { sql: text, order: isPrefix ? order.length : order };
}

function inOrder(row: Values, order: Compiled["order"]): Values {
  if (typeof order === "number") return row.length === order ? row : row.slice(0, order);
  return order.map((parameter) => row[parameter] ?? null);
}
