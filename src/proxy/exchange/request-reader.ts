import { type PathFacts, withPathFacts } from "../../core/wire/index.ts";
import { BodyCopy } from "../body/body-copy.ts";
import { BodyEncodingError, createBodyDecoder, decodeBody } from "../body/body-decoder.ts";
import type { SlowRead } from "../body/body-memory.ts";
import { type BodyText, bodyText } from "../body/body-text.ts";
import type { RememberedValue } from "../body/remembered-body.ts";

/**
 * A parsed body. Code that needs it later calls `reread` instead of keeping `body`: the text takes less memory than the
 * parsed value. Parts of the body may belong to later requests, too, so it must not be changed.
 */
export interface ReadBody {
  readonly body: unknown;
  /** Strings of the body must pass through it; see {@link bodyText}. */
  readonly restore: BodyText["restore"];
  readonly reread: () => unknown;
}

/** Reads bodies by what is known of their conversation; see the memory of bodies. */
export interface ConversationReader {
  /** Whether the last request of the conversation declared tools. */
  readonly hasTools: () => boolean;
  readonly read: (chunks: readonly Buffer[]) => RememberedValue | undefined;
  readonly readSlowly: (chunks: readonly Buffer[]) => SlowRead | undefined;
}

const SLICE_MS = 3;
/** Up to this size, parsing a body costs no more than searching it for its tools. */
const SMALL_BYTES = 8 << 10;
const TOOLS = '"tools"';

/** Keeps a copy of the request until it is parsed. Throws on malformed and on too large bodies. */
export class RequestReader {
  #copy: BodyCopy | undefined = new BodyCopy();
  #encoding: string | undefined;
  readonly #facts: Omit<PathFacts, "api">;
  readonly #conversation: ConversationReader | undefined;
  #slowRead: SlowRead | undefined;
  #hasTools: boolean | undefined;
  #size = 0;

  /** `facts`: what the path says about the request, added to its body. */
  constructor(encoding: string | undefined, facts: Omit<PathFacts, "api"> = {}, conversation?: ConversationReader) {
    this.#encoding = encoding;
    this.#facts = facts;
    this.#conversation = conversation;
  }

  /** Bytes as sent. */
  get size(): number {
    return this.#size;
  }

  /** Whether the body was too large or was dropped. */
  get isDropped(): boolean {
    return this.#copy === undefined;
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    try {
      this.#copy?.add(chunk);
    } catch (error) {
      this.#copy = undefined;
      throw error;
    }
  }

  drop(): void {
    this.#copy = undefined;
  }

  /** Whether {@link parse} needs no decompression, and the body declares tools as far as can be told without it. */
  get isPlainWithTools(): boolean {
    return this.#encoding === undefined && this.#mayHaveTools();
  }

  /** Whether {@link parse} needs no decompression, and repair may need the body or parsing it costs little. */
  get isWorthParsing(): boolean {
    return this.#encoding === undefined && (this.#size <= SMALL_BYTES || this.#mayHaveTools());
  }

  /** The last request of the conversation tells it at once; searching a long body delays the first byte. */
  #mayHaveTools(): boolean {
    if (this.#copy === undefined) return false;
    this.#hasTools ??=
      (this.#size > SMALL_BYTES && this.#conversation?.hasTools() === true) || this.#copy.includes(TOOLS);
    return this.#hasTools;
  }

  /** Whether a complete body may declare tools. Unknown for a compressed one. */
  mayDeclareTools(body: Buffer): boolean {
    return this.#encoding !== undefined || body.includes(TOOLS);
  }

  /** Decompresses the copy. The forwarded bytes stay unchanged. */
  decompress(): void {
    if (this.#encoding === undefined || this.#copy === undefined) return;
    const bytes = this.#copy.take();
    const decoded = decodeBody(this.#encoding, bytes);
    if (decoded !== undefined) this.#encoding = undefined;
    this.#copy.replace(decoded ?? bytes);
  }

  /** Reads a part of a large body, so that {@link parse} has less to do. Returns whether there is more. */
  parseSlice(): boolean {
    if (this.#encoding !== undefined || this.#copy === undefined) return false;
    this.#slowRead ??= this.#conversation?.readSlowly(this.#copy.chunks);
    if (this.#slowRead === undefined) return false;
    const until = performance.now() + SLICE_MS;
    try {
      while (this.#slowRead.step()) if (performance.now() > until) return true;
    } catch {
      // Not JSON, or unclear: `parse` decides.
      this.#slowRead = undefined;
    }
    return false;
  }

  /** Parses the body and drops the copy. Asynchronous only if the body is compressed. */
  parse(): ReadBody | Promise<ReadBody> | undefined {
    const chunks = this.#copy?.takeChunks();
    if (chunks === undefined) return undefined;
    const parse = (plain: readonly Buffer[]): ReadBody => this.#parseChunks(plain);
    return this.#encoding === undefined ? parse(chunks) : decodeChunks(this.#encoding, chunks).then(parse);
  }

  #readKnown(chunks: readonly Buffer[]): RememberedValue | undefined {
    const slow = this.#slowRead;
    this.#slowRead = undefined;
    try {
      if (slow !== undefined) return slow.end();
    } catch {
      // Read whole below.
    }
    return this.#conversation?.read(chunks);
  }

  #parseChunks(chunks: readonly Buffer[]): ReadBody {
    const known = this.#readKnown(chunks);
    if (known === undefined) return parseBody(chunks, this.#facts);
    const { body, restore } = known;
    return { body: withPathFacts(body, this.#facts), restore, reread: () => body };
  }
}

function decodeChunks(encoding: string, chunks: readonly Buffer[]): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const plain = new BodyCopy();
    const decoder = createBodyDecoder(encoding, (chunk) => plain.add(chunk));
    if (decoder === undefined) reject(new BodyEncodingError("unknown content-encoding"));
    for (const chunk of chunks) decoder?.write(chunk);
    decoder?.end((problem) =>
      problem === undefined ? resolve(plain.takeChunks()) : reject(new BodyEncodingError(problem)),
    );
  });
}

function parseBody(chunks: readonly Buffer[], facts: Omit<PathFacts, "api">): ReadBody {
  const { text, restore } = bodyText(chunks);
  return { body: withPathFacts(JSON.parse(text), facts), restore, reread: () => JSON.parse(text) };
}
