import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  createStreamMender,
  type LeakReport,
  type MendedCall,
  type MendOptions,
  mendJson,
  observeText,
  type RepairSettings,
  readMendOptions,
} from "../core/mend/index.ts";
import type { Api, DecodedResponse } from "../core/wire/index.ts";
import { parseJson } from "../core/wire/json.ts";
import type { ReadBody } from "./exchange-reader.ts";
import type { AnswerPath } from "./forward.ts";
import { type MendedBody, mendBody } from "./mend-body.ts";
import { mendStream } from "./mend-stream.ts";

const ENCODINGS = new Set(["", "identity", "gzip", "x-gzip", "deflate", "br", "zstd"]);
const BODY_LIMIT = 16 << 20;
const KEEP_ALIVE_MS = 5000;

export interface ExchangeRepairOptions {
  readonly settings: RepairSettings;
  readonly keepAliveMs?: number;
}

/** What repair did in one answer. */
export interface Repaired {
  readonly leaks: readonly LeakReport[];
  readonly calls: readonly MendedCall[];
}

/** Decides for one exchange whether its answer may be changed, and remembers what was. */
export class ExchangeRepair {
  readonly #api: Api;
  readonly #options: ExchangeRepairOptions;
  #mend: MendOptions | undefined;
  #repaired: Repaired | undefined;

  constructor(api: Api, options: ExchangeRepairOptions) {
    this.#api = api;
    this.#options = options;
  }

  /** Looks for leaks at all. */
  get isOn(): boolean {
    return this.#options.settings.mode !== "off";
  }

  /** May change answers at all, so that they had better not be compressed. */
  get isActive(): boolean {
    const { mode } = this.#options.settings;
    return mode === "known" || mode === "any";
  }

  /** Told before the answer begins to leave: only what it decides on is looked at. */
  onBody({ body, restore, reread }: ReadBody): void {
    this.#mend = readMendOptions(this.#api, body, {
      settings: this.#options.settings,
      letters: randomLetters,
      restore,
      reread,
    });
  }

  /** The way of an answer that may be mended; undefined: straight through. */
  pathFor(answer: IncomingMessage): AnswerPath | undefined {
    try {
      return this.#pathFor(answer);
    } catch {
      // Whatever is wrong with us, the answer goes straight through.
      this.#mend = undefined;
      return undefined;
    }
  }

  #pathFor({ statusCode = 0, headers }: IncomingMessage): AnswerPath | undefined {
    const mend = this.#mend;
    if (mend === undefined || mend.blocked !== undefined || statusCode < 200 || statusCode >= 300) return undefined;
    if (!ENCODINGS.has((headers["content-encoding"] ?? "").trim().toLowerCase())) return undefined;
    const type = headers["content-type"] ?? "";
    if (/^text\/event-stream\b/i.test(type)) return this.#streamPath(mend);
    return /^application\/json\b/i.test(type) ? this.#bodyPath(mend) : undefined;
  }

  /** What became of the leaks of an answer; those of one that went straight through are looked for now. */
  repaired(answer: DecodedResponse | undefined): Repaired | undefined {
    const mend = this.#mend;
    if (this.#repaired !== undefined || mend === undefined || answer === undefined || answer.text === "")
      return this.#repaired;
    const leaks = observeText(this.#api, answer.text, { ...mend, blocked: mend.blocked ?? "passed" });
    return { leaks, calls: [] };
  }

  #streamPath(mend: MendOptions): AnswerPath {
    const mender = createStreamMender(this.#api, mend);
    const onEnd = (): void => {
      this.#repaired = { leaks: mender.leaks, calls: mender.calls };
      this.#mend = undefined;
    };
    const keepAliveMs = this.#options.keepAliveMs ?? KEEP_ALIVE_MS;
    this.#repaired = { leaks: [], calls: [] };
    return (answer, response, tap, end) => mendStream(answer, response, tap, end, { mender, keepAliveMs, onEnd });
  }

  #bodyPath(options: MendOptions): AnswerPath {
    this.#repaired = { leaks: [], calls: [] };
    const mend = (text: string): MendedBody => {
      const json = parseJson(text);
      const mended = mendJson(this.#api, text, options, json);
      if (mended.kind !== "unchanged")
        this.#repaired = { leaks: mended.leaks, calls: mended.kind === "mended" ? mended.calls : [] };
      if (mended.kind !== "mended") return { kind: "unchanged", json };
      return { kind: "mended", text: mended.text, calls: mended.calls.length };
    };
    return (answer, response, tap, end) => mendBody(answer, response, tap, end, { mend, limit: BODY_LIMIT });
  }
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function randomLetters(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
