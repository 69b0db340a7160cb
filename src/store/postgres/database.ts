// The only file that uses the driver.
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { backoffMs } from "../../core/model/backoff.ts";
import { ConnectGate, type Pool } from "./connect-gate.ts";
import { isContentProblem, isLostConnection, isTransient } from "./errors.ts";

export type Value = string | number | null | readonly (string | number | null)[];
export type Row = Record<string, unknown>;

/** Runs SQL on the database or in a transaction. Placeholders are `?`. */
export interface Queries {
  all(sql: string, ...values: readonly Value[]): Promise<readonly Row[]>;
}

export interface Transactions extends Queries {
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}

export interface PostgresOptions {
  /** Maximum number of connections. */
  readonly connections?: number;
  /** Runs before the first query, and again until it succeeds. */
  readonly prepareSchema?: (db: Transactions) => Promise<void>;
  /** After this long without a response the connection counts as lost: a network failure is not always reported. */
  readonly responseTimeoutMs?: number;
}

const CONNECTIONS = 4;
const QUERY_TIMEOUT_MS = 30_000;
/** Migrating a large database takes long. */
const SCHEMA_TIMEOUT_MS = 3_600_000;
const CONNECT_TIMEOUT_SECONDS = 10;
/** The server ends an idle transaction after this long, so that a lost client releases its locks. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5000;
const REPEATED_FAILURE_MS = 250;
const RETRY = { firstMs: 40, longestMs: 1000 };
const MAX_ATTEMPTS = 8;
const MAX_CONNECT_ATTEMPTS = 2;

/** Connection pools that are replaced when the server does not respond. */
export class PostgresDatabase implements Transactions {
  readonly #url: string;
  readonly #connections: number;
  readonly #responseTimeoutMs: number;
  readonly #prepareSchema: PostgresOptions["prepareSchema"];
  readonly #gate = new ConnectGate();
  readonly #listeners: (readonly [channel: string, onNotify: () => void])[] = [];
  #schema: Promise<void> | undefined;
  #replacedAt = Number.NEGATIVE_INFINITY;
  /** Transactions have their own connection: its statements stay prepared, and queries never wait for a batch. */
  readonly #pools: { queries: postgres.Sql; transactions: postgres.Sql };
  /** Disabled by `?prepare=false` in the URL, for poolers without prepared statements. */
  readonly #prepare: boolean;
  #closed = false;
  /** Number of retries after deadlocks and lost connections. */
  retries = 0;

  constructor(url: string, options: PostgresOptions = {}) {
    this.#url = url;
    this.#connections = options.connections ?? CONNECTIONS;
    this.#responseTimeoutMs = options.responseTimeoutMs ?? QUERY_TIMEOUT_MS;
    this.#prepareSchema = options.prepareSchema;
    this.#pools = { queries: this.#connect("queries"), transactions: this.#connect("transactions") };
    this.#prepare = this.#pools.queries.options.prepare;
  }

  async all(sql: string, ...values: readonly Value[]): Promise<readonly Row[]> {
    await this.ready();
    return await this.#all(sql, ...values);
  }

  /** Repeats the work after conflicts and lost connections, so it must be repeatable. */
  async transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    await this.ready();
    return await this.#transaction(work);
  }

  /** Resolves when the schema is up to date. */
  async ready(): Promise<void> {
    const plain: Transactions = {
      all: this.#all.bind(this),
      transaction: (work) => this.#transaction(work, SCHEMA_TIMEOUT_MS),
    };
    this.#schema ??= (this.#prepareSchema?.(plain) ?? Promise.resolve()).catch((error: unknown) => {
      this.#schema = undefined;
      throw error;
    });
    await this.#schema;
  }

  #all(sql: string, ...values: readonly Value[]): Promise<readonly Row[]> {
    return this.#withRetries("queries", (pool) => runQuery(pool, sql, values, this.#prepare));
  }

  #transaction<T>(work: (queries: Queries) => Promise<T>, responseTimeoutMs = this.#responseTimeoutMs): Promise<T> {
    return this.#withRetries(
      "transactions",
      (pool, alive) =>
        pool.begin((one) => {
          const queries: Queries = {
            all: (sql, ...values) => runQuery(one, sql, values, this.#prepare).finally(alive),
          };
          // Pipelined with the first query: costs no extra round trip.
          const bound = queries.all(BOUNDS, String(IDLE_TRANSACTION_TIMEOUT_MS), String(responseTimeoutMs));
          return Promise.all([work(queries), bound]).then(([result]) => result);
        }),
      responseTimeoutMs,
    ) as Promise<T>;
  }

  /**
   * Removes dead rows. Runs outside transactions with a long timeout, because the server sends nothing until it is
   * done.
   */
  async vacuum(tables: readonly string[]): Promise<void> {
    await this.ready();
    await this.#withRetries(
      "queries",
      (pool) => runQuery(pool, `VACUUM ${tables.join(", ")}`, [], false),
      SCHEMA_TIMEOUT_MS,
    );
  }

  /** Calls back for each notification, and whenever the listening connection was reopened. */
  async listen(channel: string, onNotify: () => void): Promise<void> {
    // The driver opens a separate connection for this, even from an ended pool, and then never closes it.
    if (this.#closed) return;
    await this.#listen(channel, onNotify);
    this.#listeners.push([channel, onNotify]);
  }

  async #listen(channel: string, onNotify: () => void): Promise<void> {
    await this.#pools.queries.listen(channel, onNotify, () => {
      this.#gate.noteSuccess();
      onNotify();
    });
  }

  /** Replaces the broken connection of transactions. Ignores repeated calls that the replacement itself causes. */
  replaceConnection(): void {
    const now = performance.now();
    if (now - this.#replacedAt < REPEATED_FAILURE_MS) return;
    this.#replacedAt = now;
    this.#replace("transactions", this.#pools.transactions);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(Object.values(this.#pools).map((pool) => pool.end({ timeout: 5 })));
  }

  #connect(use: Use): postgres.Sql {
    const pool: postgres.Sql = postgres(this.#url, {
      max: use === "transactions" ? 1 : Math.max(1, this.#connections - 1),
      connect_timeout: CONNECT_TIMEOUT_SECONDS,
      // Short, because callers have their own backoff; see the recorder.
      backoff: () => 0.1 + Math.random() / 5,
      onnotice: () => undefined,
      // Arrays are formatted by `arrayText` and never read, so the driver need not query the types.
      fetch_types: false,
      connection: { application_name: "toolmend" },
      ...{ socket: (options: Pool) => this.#gate.open(options, () => !this.#closed && this.#pools[use] === pool) },
    });
    return pool;
  }

  async #withRetries<T>(
    use: Use,
    work: (pool: postgres.Sql, alive: () => void) => PromiseLike<T>,
    responseTimeoutMs = this.#responseTimeoutMs,
  ): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        const result = await this.#whileAlive(use, work, responseTimeoutMs);
        this.#gate.noteSuccess();
        return result;
      } catch (error) {
        const again = isTransient(error) ? MAX_ATTEMPTS : isLostConnection(error) ? MAX_CONNECT_ATTEMPTS : 0;
        if (this.#closed || tries >= again) throw readable(error);
        this.retries += 1;
        await sleep(backoffMs(RETRY, tries, Math.random));
      }
    }
  }

  /** Times out only if the server sends no response, however long the work takes. */
  async #whileAlive<T>(
    use: Use,
    work: (pool: postgres.Sql, alive: () => void) => PromiseLike<T>,
    responseTimeoutMs: number,
  ): Promise<T> {
    const pool = this.#pools[use];
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.#replace(use, pool);
        reject(new PostgresError("PostgreSQL does not respond", "no-answer"));
      }, responseTimeoutMs);
    });
    try {
      return await Promise.race([work(pool, () => timer?.refresh()), silence]);
    } finally {
      clearTimeout(timer);
      timer = undefined;
    }
  }

  #replace(use: Use, silent: postgres.Sql): void {
    if (this.#pools[use] !== silent || this.#closed) return;
    this.#pools[use] = this.#connect(use);
    if (use === "queries") {
      for (const [channel, onNotify] of this.#listeners) this.#listen(channel, onNotify).catch(() => undefined);
    }
    void silent.end({ timeout: 0 }).catch(() => undefined);
  }
}

type Use = "queries" | "transactions";

/**
 * Transactions read by key only. A plan made while tables were empty would scan them, and is cached; planning every
 * statement again, over all partitions, takes longer than the statement.
 */
const BY_KEY = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit"].map(
  (name) => `set_config('${name}', 'off', true)`,
);
/**
 * Before version 17, no server timeout ends the backend of a client that disappears between the messages of one
 * statement. It holds its locks, and all other writers wait, until TCP keepalive detects it: after 2 hours by default.
 */
const KEEPALIVE = Object.entries({ idle: 5, interval: 2, count: 3 }).map(
  ([name, value]) => `set_config('tcp_keepalives_${name}', '${value}', true)`,
);
const BOUNDS = `SELECT set_config('idle_in_transaction_session_timeout', ?, true), set_config('statement_timeout', ?, true),
  ${KEEPALIVE.join(", ")},
  set_config('plan_cache_mode', 'force_generic_plan', true), ${BY_KEY.join(", ")}`;

async function runQuery(
  pool: postgres.Sql | postgres.TransactionSql,
  sql: string,
  values: readonly Value[],
  prepare: boolean,
): Promise<readonly Row[]> {
  const parameters = values.map((value) => (Array.isArray(value) ? arrayText(value) : value));
  return await pool.unsafe(numbered(sql), parameters as never[], { prepare });
}

const NUMBERED = new Map<string, string>();

/** Replaces `?` by `$1`, `$2`, … No SQL literal in this project contains `?`. */
function numbered(sql: string): string {
  let text = NUMBERED.get(sql);
  if (text === undefined) {
    let at = 0;
    text = sql.replace(/\?/g, () => {
      at += 1;
      return `$${at}`;
    });
    if (NUMBERED.size < 1000) NUMBERED.set(sql, text);
  }
  return text;
}

/** A database error whose message has no details of the connection, which may contain credentials. */
export class PostgresError extends Error {
  readonly code: string;
  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause });
    this.name = "PostgresError";
    this.code = code;
  }
}

function readable(error: unknown): unknown {
  const { message, code } = error as { message?: string; code?: string };
  if (error instanceof PostgresError || typeof code !== "string") return error;
  if (isContentProblem(error) || !isLostConnection(error))
    return new PostgresError(`PostgreSQL: ${message ?? code}`, code, error);
  return new PostgresError(`PostgreSQL is not available (${code})`, code, error);
}

/** Characters that JSON and PostgreSQL quote differently: control characters and lone surrogates. */
const QUOTED_DIFFERENTLY = /[\p{Cc}\p{Cs}]/u;

/**
 * Formats a PostgreSQL array. Uses JSON.stringify for long texts with many quotes (records): it is twice as fast as
 * replacing.
 */
export function arrayText(values: readonly (string | number | null)[]): string {
  let text = "{";
  for (const value of values) {
    if (text.length > 1) text += ",";
    text += typeof value === "string" ? quoted(value) : String(value ?? "NULL");
  }
  return `${text}}`;
}

function quoted(text: string): string {
  return QUOTED_DIFFERENTLY.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : JSON.stringify(text);
}
