import { connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { backoffMs } from "../../core/model/backoff.ts";

/** The driver's options of one pool: where to connect to (of several hosts any may answer), and with how many connections. */
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
  /** The last answer before these. */
  readonly since: number;
  count: number;
  notBefore: number;
  /** What became of the last one. */
  problem: Error;
}

const BACKOFF = { firstMs: 100, longestMs: 2000 };
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens the driver's connections, ever more seldom while none of them leads to an answer; in between, whoever asks is told at once. Left to
 * itself the driver connects again without a pause when a server accepts a connection and closes it: a thousand times a second, while
 * whoever asked waits.
 */
export class ConnectGate {
  readonly #now: () => number;
  readonly #random: () => number;
  /** For each pool: one that asks often must not take the turns of the others. */
  readonly #attempts = new WeakMap<Pool, Attempts>();
  #answers = 0;
  #host = 0;

  constructor({ now = () => performance.now(), random = Math.random }: ConnectGateOptions = {}) {
    this.#now = now;
    this.#random = random;
  }

  /** The database answered, whoever had asked. */
  answered(): void {
    this.#answers += 1;
  }

  /** A connection that is open, or one that fails as soon as the driver uses it. `isWanted`: is there still a pool to have it? */
  async open(pool: Pool, isWanted: () => boolean): Promise<Duplex> {
    const attempts = this.#attemptsOf(pool);
    if (!this.#mayOpen(pool, attempts)) return failing(attempts.problem);
    const { host, port, path } = pool;
    const at = this.#host % Math.max(1, host.length);
    this.#host += 1;
    const socket: Socket = path ? connect(path) : connect(port[at] ?? 5432, host[at]);
    attempts.problem = (await connected(socket)) ?? new NoAnswerError("CONNECTION_CLOSED");
    if (socket.connecting || socket.destroyed || !isWanted()) {
      socket.destroy();
      return failing(attempts.problem);
    }
    socket.on("close", (hadError) => {
      // The driver takes this for no error at all.
      if (!hadError && socket.bytesRead === 0) socket.emit("error", new NoAnswerError("CONNECTION_CLOSED"));
    });
    // As the driver's own connections have it: the name that a certificate is held against.
    return Object.assign(socket, { host: host[at], port: port[at] });
  }

  #attemptsOf(pool: Pool): Attempts {
    const known = this.#attempts.get(pool);
    if (known?.since === this.#answers) return known;
    const none: Attempts = {
      ...{ since: this.#answers, count: 0, notBefore: 0 },
      problem: new NoAnswerError("CONNECTION_CLOSED"),
    };
    this.#attempts.set(pool, none);
    return none;
  }

  /** All connections of a pool at once; then one after each pause. */
  #mayOpen({ max }: Pool, attempts: Attempts): boolean {
    const now = this.#now();
    if (attempts.count >= max && now < attempts.notBefore) return false;
    attempts.count += 1;
    attempts.notBefore = now + backoffMs(BACKOFF, attempts.count - max + 1, this.#random);
    return true;
  }
}

/** Waits until a connection is open; else why it is not. */
function connected(socket: Socket): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(new NoAnswerError("CONNECT_TIMEOUT")), CONNECT_TIMEOUT_MS);
    socket.once("connect", () => resolve(undefined));
    // Also of a connection that is not waited for any more.
    socket.on("error", resolve);
    socket.once("close", () => clearTimeout(timer));
    socket.once("connect", () => clearTimeout(timer));
  });
}

/** Fails with the first write, not before: a driver's connection that closes while something is to be written never writes again. */
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
    super("the database did not answer");
    this.name = "NoAnswerError";
    this.code = code;
  }
}
