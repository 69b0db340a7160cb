import type { Writable } from "node:stream";
import * as ws from "ws";

type Parameters = Readonly<Record<string, unknown>>;

/** A part of `ws` that is exported without types. It is used here alone. */
interface Internals {
  readonly Receiver: new (options: {
    readonly isServer: boolean;
    readonly maxPayload: number;
    readonly extensions: Readonly<Record<string, unknown>>;
  }) => Writable & {
    on(event: "message", listener: (data: Buffer, isBinary: boolean) => void): unknown;
    on(event: "conclude", listener: () => void): unknown;
    on(event: "error", listener: (error: unknown) => void): unknown;
  };
  readonly PerMessageDeflate: {
    new (options: {
      readonly isServer: boolean;
      readonly maxPayload: number;
    }): {
      params: Parameters | null;
      accept(configurations: readonly Parameters[]): Parameters;
      cleanup(): void;
    };
    readonly extensionName: string;
  };
  readonly extension: { parse(header: string): Readonly<Record<string, readonly Parameters[]>> };
}

// The types of the package describe only its documented part.
const { Receiver, PerMessageDeflate, extension } = ws as unknown as Internals;

const MAX_MESSAGE_BYTES = 64 << 20;
/** Decompression runs beside the traffic. If it lags by more than this, reading ends. */
const MAX_LAG_BYTES = 64 << 20;

export interface MessageListener {
  onText(text: string): void;
  /** This side closes the WebSocket. */
  onClose(): void;
  /** Reading ended for good; the bytes go on. */
  onFailure(error: unknown): void;
}

/** Reads the messages of one direction of a WebSocket from copies of its bytes. */
export class MessageReader {
  readonly #receiver: Writable;
  readonly #deflate: InstanceType<Internals["PerMessageDeflate"]> | undefined;
  readonly #isMasked: boolean;
  readonly #listener: MessageListener;
  #isOver = false;

  /** `extensions`: the header with which the server accepted them. Throws if one of them is not known. */
  constructor(from: "client" | "server", extensions: string | undefined, listener: MessageListener) {
    this.#listener = listener;
    this.#isMasked = from === "client";
    const isServer = from === "client";
    this.#deflate = deflateOf(extensions, isServer);
    const receiver = new Receiver({
      isServer,
      maxPayload: MAX_MESSAGE_BYTES,
      extensions: this.#deflate === undefined ? {} : { [PerMessageDeflate.extensionName]: this.#deflate },
    });
    receiver.on("message", (data, isBinary) => {
      if (!isBinary && !this.#isOver) this.#read(data);
    });
    receiver.on("conclude", () => listener.onClose());
    receiver.on("error", (error: unknown) => this.#fail(error));
    this.#receiver = receiver;
  }

  /** Whether bytes were pushed whose messages are not known yet. */
  get isBusy(): boolean {
    return !this.#isOver && this.#receiver.writableLength > 0;
  }

  push(chunk: Buffer): void {
    // Nothing is read behind the message that closes the WebSocket.
    if (this.#isOver || this.#receiver.writableEnded) return;
    if (this.#receiver.writableLength > MAX_LAG_BYTES) {
      this.#fail(new Error("Reading of a WebSocket lags too far behind"));
      return;
    }
    // Messages of clients are unmasked in place, and these bytes may not be sent yet.
    this.#receiver.write(this.#isMasked ? Buffer.from(chunk) : chunk);
  }

  /** Calls back when everything that was pushed is read. */
  end(done: () => void): void {
    const finish = (): void => {
      this.#release();
      done();
    };
    if (this.#isOver) done();
    else if (this.#receiver.writableLength === 0) finish();
    else this.#receiver.end(finish);
  }

  #read(data: Buffer): void {
    try {
      this.#listener.onText(data.toString("utf8"));
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#release();
    this.#listener.onFailure(error);
  }

  #release(): void {
    this.#isOver = true;
    this.#deflate?.cleanup();
  }
}

function deflateOf(
  header: string | undefined,
  isServer: boolean,
): InstanceType<Internals["PerMessageDeflate"]> | undefined {
  if (header === undefined || header.trim() === "") return undefined;
  const { [PerMessageDeflate.extensionName]: deflate, ...others } = extension.parse(header);
  if (deflate === undefined || Object.keys(others).length > 0) throw new Error("Unknown WebSocket extension");
  // What the server answered applies to both directions.
  const accepted = new PerMessageDeflate({ isServer: false, maxPayload: MAX_MESSAGE_BYTES });
  accepted.accept(deflate);
  if (!isServer) return accepted;
  const own = new PerMessageDeflate({ isServer: true, maxPayload: MAX_MESSAGE_BYTES });
  own.params = accepted.params;
  return own;
}
