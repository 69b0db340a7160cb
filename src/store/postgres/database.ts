// The only file that speaks to the driver.
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { backoffMs } from "../../core/model/backoff.ts";
import { arrayText } from "./array-text.ts";
import { ConnectGate, type Pool } from "./connect-gate.ts";
import { isContentProblem, isLostConnection, isTransient } from "./errors.ts";

export type Value = string | number | null | readonly (string | number | null)[];
export type Row = Record<string, unknown>;

/** Something that answers SQL: the database, or one transaction of it. Values stand where `?` stands. */
export interface Queries {
  all(sql: string, ...values: readonly Value[]): Promise<readonly Row[]>;
}

export interface Transactions extends Queries {
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}

export interface PostgresOptions {
  /** Connections at once. */
  readonly connections?: number;
  /** Done before anything else is asked, and tried again until it has succeeded. */
  readonly prepareSchema?: (db: Transactions) => Promise<void>;
  /** After so long without an answer the connection counts as lost: a cut network says nothing. */
  readonly responseTimeoutMs?: number;
}

const CONNECTIONS = 4;
const QUERY_TIMEOUT_MS = 30_000;
/** A new schema for much data takes its time. */
const SCHEMA_MS = 3_600_000;
const CONNECT_SECONDS = 10;
/** A transaction whose client is gone gives its locks back after this long. */
const ABANDONED_MS = 5000;
const ECHO_MS = 250;
const RETRY = { firstMs: 40, longestMs: 1000 };
const MAX_ATTEMPTS = 8;
const MAX_CONNECT_ATTEMPTS = 2;

/** A pool of connections that is replaced as a whole when the other side has gone silent. */
export class PostgresDatabase implements Transactions {
  readonly #url: string;
  readonly #connections: number;
  readonly #patienceMs: number;
  readonly #prepareSchema: PostgresOptions["prepareSchema"];
  readonly #gate = new ConnectGate();
  readonly #listeners: (readonly [channel: string, onNews: () => void])[] = [];
  #schema: Promise<void> | undefined;
  #gaveUpAt = Number.NEGATIVE_INFINITY;
  /** Transactions have a connection of their own: its statements stay prepared, and questions never wait behind a batch. */
  readonly #pools: { queries: postgres.Sql; transactions: postgres.Sql };
  /** Off behind a pooler that knows no prepared statements: `?prepare=false` in the URL. */
  readonly #prepare: boolean;
  #closed = false;
  /** How often something was tried again: deadlocks, lost connections. */
  retries = 0;

  constructor(url: string, options: PostgresOptions = {}) {
    this.#url = url;
    this.#connections = options.connections ?? CONNECTIONS;
    this.#patienceMs = options.responseTimeoutMs ?? QUERY_TIMEOUT_MS;
    this.#prepareSchema = options.prepareSchema;
    this.#pools = { queries: this.#connect("queries"), transactions: this.#connect("transactions") };
    this.#prepare = this.#pools.queries.options.prepare;
  }

  async all(sql: string, ...values: readonly Value[]): Promise<readonly Row[]> {
    await this.ready();
    return await this.#all(sql, ...values);
  }

  /** Runs the work again when others were in the way or the connection was lost: it must not mind. */
  async transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    await this.ready();
    return await this.#transaction(work);
  }

  /** Connected, and with its schema up to date. */
  async ready(): Promise<void> {
    const plain: Transactions = {
      all: this.#all.bind(this),
      transaction: (work) => this.#transaction(work, SCHEMA_MS),
    };
    this.#schema ??= (this.#prepareSchema?.(plain) ?? Promise.resolve()).catch((error: unknown) => {
      this.#schema = undefined;
      throw error;
    });
    await this.#schema;
  }

  #all(sql: string, ...values: readonly Value[]): Promise<readonly Row[]> {
    return this.#withRetries("queries", (pool) => ask(pool, sql, values, this.#prepare));
  }

  #transaction<T>(work: (queries: Queries) => Promise<T>, patienceMs = this.#patienceMs): Promise<T> {
    return this.#withRetries(
      "transactions",
      (pool, alive) =>
        pool.begin((one) => {
          const queries: Queries = {
            all: (sql, ...values) => ask(one, sql, values, this.#prepare).finally(alive),
          };
          // Sent with what follows: costs no way back and forth.
          const bound = queries.all(BOUNDS, String(ABANDONED_MS), String(patienceMs));
          return Promise.all([work(queries), bound]).then(([result]) => result);
        }),
      patienceMs,
    ) as Promise<T>;
  }

  /** Removes dead rows. Runs outside transactions, and without the usual timeout: the server sends nothing until it is done. */
  async vacuum(tables: readonly string[]): Promise<void> {
    await this.ready();
    await this.#withRetries("queries", (pool) => ask(pool, `VACUUM ${tables.join(", ")}`, [], false), SCHEMA_MS);
  }

  /** Calls back for each notification, and whenever the connection that listens was made anew. */
  async listen(channel: string, onNews: () => void): Promise<void> {
    // The driver opens a connection of its own for this, also from a pool that has ended, and then nothing ends it.
    if (this.#closed) return;
    await this.#listen(channel, onNews);
    this.#listeners.push([channel, onNews]);
  }

  async #listen(channel: string, onNews: () => void): Promise<void> {
    await this.#pools.queries.listen(channel, onNews, () => {
      this.#gate.noteSuccess();
      onNews();
    });
  }

  /** The connection of transactions is of no use any more. What giving it up leads to is not taken for another reason to do so. */
  giveUpConnection(): void {
    const now = performance.now();
    if (now - this.#gaveUpAt < ECHO_MS) return;
    this.#gaveUpAt = now;
    this.#replace("transactions", this.#pools.transactions);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(Object.values(this.#pools).map((pool) => pool.end({ timeout: 5 })));
  }

  #connect(use: Use): postgres.Sql {
    const pool: postgres.Sql = postgres(this.#url, {
      max: use === "transactions" ? 1 : Math.max(1, this.#connections - 1),
      connect_timeout: CONNECT_SECONDS,
      // Whoever asks again decides when; see the recorder.
      backoff: () => 0.1 + Math.random() / 5,
      onnotice: () => undefined,
      // Lists are written by us, and none is read: the driver need not ask which types there are.
      fetch_types: false,
      connection: { application_name: "toolmend" },
      ...{ socket: (options: Pool) => this.#gate.open(options, () => !this.#closed && this.#pools[use] === pool) },
    });
    return pool;
  }

  async #withRetries<T>(
    use: Use,
    work: (pool: postgres.Sql, alive: () => void) => PromiseLike<T>,
    patienceMs = this.#patienceMs,
  ): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        const result = await this.#whileAlive(use, work, patienceMs);
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

  /** However long it takes, as long as there are answers. */
  async #whileAlive<T>(
    use: Use,
    work: (pool: postgres.Sql, alive: () => void) => PromiseLike<T>,
    patienceMs: number,
  ): Promise<T> {
    const pool = this.#pools[use];
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.#replace(use, pool);
        reject(new PostgresError("PostgreSQL does not answer", "no-answer"));
      }, patienceMs);
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
      for (const [channel, onNews] of this.#listeners) this.#listen(channel, onNews).catch(() => undefined);
    }
    void silent.end({ timeout: 0 }).catch(() => undefined);
  }
}

type Use = "queries" | "transactions";

/**
 * Whatever a transaction of ours asks for, it asks for by key. A plan made while tables were empty would read them whole, and is kept; plans anew for every
 * statement, over all partitions, take longer than the statement.
 */
const BY_KEY = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit"].map(
  (name) => `set_config('${name}', 'off', true)`,
);
/**
 * A client that vanishes between the messages of one statement leaves a backend that no timeout of the server ends before
 * version 17: it keeps its locks, and all other writers wait, until TCP finds out. The system's default for that is two hours.
 */
const KEEPALIVE = Object.entries({ idle: 5, interval: 2, count: 3 }).map(
  ([name, value]) => `set_config('tcp_keepalives_${name}', '${value}', true)`,
);
const BOUNDS = `SELECT set_config('idle_in_transaction_session_timeout', ?, true), set_config('statement_timeout', ?, true),
  ${KEEPALIVE.join(", ")},
  set_config('plan_cache_mode', 'force_generic_plan', true), ${BY_KEY.join(", ")}`;

async function ask(
  pool: postgres.Sql | postgres.TransactionSql,
  sql: string,
  values: readonly Value[],
  prepare: boolean,
): Promise<readonly Row[]> {
  const parameters = values.map((value) => (Array.isArray(value) ? arrayText(value) : value));
  return await pool.unsafe(numbered(sql), parameters as never[], { prepare });
}

const NUMBERED = new Map<string, string>();

/** The same text as the server wants it: `$1` for the first `?`. No literal of ours holds one. */
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

/** A problem with the database, without anything that the driver knows of the connection. */
export class PostgresError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.name = "PostgresError";
    this.code = code;
  }
}

function readable(error: unknown): unknown {
  const { message, code } = error as { message?: string; code?: string };
  if (error instanceof PostgresError || typeof code !== "string") return error;
  if (isContentProblem(error) || !isLostConnection(error))
    return new PostgresError(`PostgreSQL: ${message ?? code}`, code);
  return new PostgresError(`PostgreSQL is not available (${code})`, code);
}
