import type { LeakMatch, LeakScanner, RecoveredCall, RecoverOptions, RejectReason } from "../../core/recover/index.ts";
import type { Message } from "../model/message.ts";

/** Settings for extracting leaked calls; everything else comes from the conversation. */
export type RecoverSettings = Pick<
  RecoverOptions,
  "mode" | "formats" | "think" | "startsInThink" | "maxCandidateChars" | "strictCommands"
>;

/** A leaked call that could not be parsed. */
export interface RejectedCall {
  readonly format: string;
  readonly reason: RejectReason;
  readonly name?: string;
}

export interface LeakReading {
  /** Text that was not shown before. */
  readonly rest: string;
  /** The whole text of the turn, without the extracted calls. */
  readonly text: string;
  readonly calls: readonly RecoveredCall[];
  readonly rejected: readonly RejectedCall[];
}

/** Reasons that mean a failed attempt to call a tool. All other reasons mean that no call was intended. */
const FAILED_ATTEMPTS: ReadonlySet<RejectReason> = new Set([
  "malformed",
  "truncated",
  "not-an-object",
  "invalid-name",
  "schema",
  "too-large",
  "too-costly",
  "unsafe-key",
]);

/**
 * Removes leaked calls from streaming text. Text is released as soon as it cannot be part of a call. After the first
 * call, text is buffered until the end of the turn, because only turns without native calls are repaired.
 */
export class LeakReader {
  readonly #options: RecoverOptions;
  readonly #warn: (cause: unknown) => void;
  readonly #messages: readonly Pick<Message, "role" | "content">[];
  #scanner: LeakScanner | undefined;
  #isOff: boolean;
  #raw = "";
  #shown = 0;
  /** Text after the first call. */
  #behind = "";
  readonly #before: string[] = [];
  readonly #calls: RecoveredCall[] = [];
  readonly #matches: LeakMatch[] = [];

  /** `messages`: the input of the model; calls that repeat it are not made. */
  constructor(
    options: RecoverOptions | false,
    warn: (cause: unknown) => void,
    messages: readonly Pick<Message, "role" | "content">[] = [],
  ) {
    this.#isOff = options === false;
    this.#options = options === false ? {} : options;
    this.#warn = warn;
    this.#messages = messages;
  }

  /** Returns the text that can be shown now. */
  async push(text: string): Promise<string> {
    this.#raw += text;
    if (!this.#isOff && this.#scanner === undefined) await this.#load();
    if (this.#scanner === undefined) return this.#show(text);
    return this.#show(this.#take(this.#scanner.push(text)));
  }

  /** Stops extracting after a native call or an abnormal end of the turn: all text stays text. */
  giveUp(): string {
    this.#isOff = true;
    this.#scanner = undefined;
    this.#calls.length = 0;
    return this.#show(this.#raw.slice(this.#shown));
  }

  end(): LeakReading {
    if (this.#scanner === undefined) return { rest: "", text: this.#raw, calls: [], rejected: [] };
    const rest = this.#take(this.#scanner.end()) + this.#behind;
    const text = this.#before.join("") + rest;
    return { rest, text, calls: this.#calls, rejected: this.#calls.length > 0 ? [] : this.#attempts() };
  }

  /** The only place in the agent that loads the leak scanner. */
  async #load(): Promise<void> {
    try {
      const [{ createLeakScanner }, { contextTexts }] = await Promise.all([
        import("../../core/recover/index.ts"),
        import("../../core/repair/context-texts.ts"),
      ]);
      const messages = this.#messages.map(({ role, content }) => ({ role, content }));
      const context = contextTexts("chat", { messages }, Number.POSITIVE_INFINITY) ?? [];
      this.#scanner = createLeakScanner({ ...this.#options, context });
    } catch (cause) {
      this.#isOff = true;
      this.#warn(cause);
    }
  }

  #take(events: ReturnType<LeakScanner["push"]>): string {
    let now = "";
    for (const event of events) {
      if (event.kind === "call") this.#calls.push(event.call);
      else if (event.kind === "match") this.#matches.push(event.match);
      else if (this.#calls.length > 0) this.#behind += event.text;
      else now += event.text;
    }
    return now;
  }

  #show(text: string): string {
    this.#shown += text.length;
    if (text !== "") this.#before.push(text);
    return text;
  }

  #attempts(): RejectedCall[] {
    return this.#matches.flatMap((match) => {
      if (match.kind !== "rejected" || !FAILED_ATTEMPTS.has(match.reason) || !this.#isAttempt(match)) return [];
      const { format, reason, name } = match;
      return [{ format, reason, ...(name !== undefined && { name }) }];
    });
  }

  /** Excludes tags that are only mentioned: an attempt names a tool, starts its line, or has a payload. */
  #isAttempt({ span, name }: LeakMatch & { readonly kind: "rejected" }): boolean {
    if (name !== undefined && this.#options.tools?.some((tool) => tool.name === name) === true) return true;
    const line = this.#raw.slice(Math.max(0, span.start - 80), span.start);
    if (/(?:^|\n)[ \t]*$/.test(line) && (span.start <= 80 || line.includes("\n"))) return true;
    return /^[^\n]{0,60}[>\]|]\s{0,4}[{[]/.test(this.#raw.slice(span.start, span.start + 120));
  }
}
