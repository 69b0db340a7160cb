import { connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { backoffMs } from "../../core/model/backoff.ts";

/** The driver's options of one pool: its hosts and its number of connections. */
export interface Pool {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | undefined;
  readonly max: number;
}

export interface ConnectGateOptions {
  readonly now?: () => number;
  readonly random?: () => number;
}

interface Attempts {
  /** Number of successes before these attempts. */
  readonly since: number;
  count: number;
  notBefore: number;
  /** Why the last one failed. */
  problem: Error;
}

const BACKOFF = { firstMs: 100, longestMs: 2000 };
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens connections with a backoff while none succeeds; in between, connections fail immediately. The driver alone
 * would reconnect 1000 times a second to a server that accepts and closes connections, while the query keeps waiting.
 */
export class ConnectGate {
  readonly #now: () => number;
  readonly #random: () => number;
  /** Per pool, so that one with many queries does not use up the attempts of the others. */
  readonly #attempts = new WeakMap<Pool, Attempts>();
  #successes = 0;
  #host = 0;

  constructor({ now = () => performance.now(), random = Math.random }: ConnectGateOptions = {}) {
    this.#now = now;
    this.#random = random;
  }

  /** Resets the backoff of all pools after a successful query. */
  noteSuccess(): void {
    this.#successes += 1;
  }

  /** Returns an open connection, or one that fails on first use. `isWanted` returns false once the pool was closed. */
  async open(pool: Pool, isNeeded: () => boolean): Promise<Duplex> {
    const attempts = this.#attemptsOf(pool);
    if (!this.#mayOpen(pool, attempts)) return failing(attempts.problem);
    const { host, port, path } = pool;
    const at = this.#host % Math.max(1, host.length);
    this.#host += 1;
    const socket: Socket = path ? connect(path) : connect(port[at] ?? 5432, host[at]);
    attempts.problem = (await connected(socket)) ?? new NoAnswerError("CONNECTION_CLOSED");
    if (socket.connecting || socket.destroyed || !isNeeded()) {
      socket.destroy();
      return failing(attempts.problem);
    }
    socket.on("close", (hadError) => {
      // The driver does not treat this as an error and would keep the query waiting.
      if (!hadError && socket.bytesRead === 0) socket.emit("error", new NoAnswerError("CONNECTION_CLOSED"));
    });
    // The driver verifies the certificate against `host`.
    return Object.assign(socket, { host: host[at], port: port[at] });
  }

  #attemptsOf(pool: Pool): Attempts {
    const known = this.#attempts.get(pool);
    if (known?.since === this.#successes) return known;
    const none: Attempts = {
      ...{ since: this.#successes, count: 0, notBefore: 0 },
      problem: new NoAnswerError("CONNECTION_CLOSED"),
    };
    this.#attempts.set(pool, none);
    return none;
  }

  /** Allows all connections of a pool, then one after each pause. */
  #mayOpen({ max }: Pool, attempts: Attempts): boolean {
    const now = this.#now();
    if (attempts.count >= max && now < attempts.notBefore) return false;
    attempts.count += 1;
    attempts.notBefore = now + backoffMs(BACKOFF, attempts.count - max + 1, this.#random);
    return true;
  }
}

/** Waits until a connection is open. Resolves with the error if it cannot be. */
function connected(socket: Socket): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(new NoAnswerError("CONNECT_TIMEOUT")), CONNECT_TIMEOUT_MS);
    socket.once("connect", () => resolve(undefined));
    // Stays attached: an error after the timeout must be handled, too.
    socket.on("error", resolve);
    socket.once("close", () => clearTimeout(timer));
    socket.once("connect", () => clearTimeout(timer));
  });
}

/**
 * Fails on the first write, not before: a connection that closes while the driver has a write pending never writes
 * again.
 */
function failing(error: Error): Duplex {
  const stream = new Duplex({
    read: () => undefined,
    write(_chunk, _encoding, done) {
      done();
      stream.destroy(error);
    },
  });
  return stream;
}

class NoAnswerError extends Error {
  readonly code: "CONNECTION_CLOSED" | "CONNECT_TIMEOUT";
  constructor(code: NoAnswerError["code"]) {
    super("no response from the database");
    this.name = "NoAnswerError";
    this.code = code;
  }
}
