import type { LeakMatch, LeakScanner, RecoveredCall, RecoverOptions, RejectReason } from "../../core/recover/index.ts";

/** How leaked calls are looked for; everything else comes from the conversation. */
export type RecoverSettings = Pick<
  RecoverOptions,
  "mode" | "formats" | "think" | "startsInThink" | "maxCandidateChars" | "strictCommands"
>;

/** A call that was tried and could not be read. */
export interface RejectedCall {
  readonly format: string;
  readonly reason: RejectReason;
  readonly name?: string;
}

export interface LeakReading {
  /** What is still to be shown. */
  readonly rest: string;
  /** The whole text of the turn, without what became calls. */
  readonly text: string;
  readonly calls: readonly RecoveredCall[];
  readonly rejected: readonly RejectedCall[];
}

/** Something was to be called, and it went wrong. The other reasons mean that nothing was to be called. */
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
 * Keeps leaked calls out of the text while it streams. Text is given out as soon as it cannot belong to a call; from the
 * first call on it waits for the end of the turn, because only a turn without native calls is mended.
 */
export class LeakReader {
  readonly #options: RecoverOptions;
  readonly #warn: (cause: unknown) => void;
  #scanner: LeakScanner | undefined;
  #isOff: boolean;
  #raw = "";
  #shown = 0;
  /** Text behind the first call. */
  #behind = "";
  readonly #before: string[] = [];
  readonly #calls: RecoveredCall[] = [];
  readonly #matches: LeakMatch[] = [];

  constructor(options: RecoverOptions | false, warn: (cause: unknown) => void) {
    this.#isOff = options === false;
    this.#options = options === false ? {} : options;
    this.#warn = warn;
  }

  /** Takes text in and says what may be shown now. */
  async push(text: string): Promise<string> {
    this.#raw += text;
    if (!this.#isOff && this.#scanner === undefined) await this.#load();
    if (this.#scanner === undefined) return this.#show(text);
    return this.#show(this.#take(this.#scanner.push(text)));
  }

  /** A native call came, or the turn did not end as turns do: all of it is text. */
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

  /** The one place where text is read for leaked calls. */
  async #load(): Promise<void> {
    try {
      const { createLeakScanner } = await import("../../core/recover/index.ts");
      this.#scanner = createLeakScanner(this.#options);
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

  /** Not just a tag that is talked about: it names a tool, begins its line, or has a payload. */
  #isAttempt({ span, name }: LeakMatch & { readonly kind: "rejected" }): boolean {
    if (name !== undefined && this.#options.tools?.some((tool) => tool.name === name) === true) return true;
    const line = this.#raw.slice(Math.max(0, span.start - 80), span.start);
    if (/(?:^|\n)[ \t]*$/.test(line) && (span.start <= 80 || line.includes("\n"))) return true;
    return /^[^\n]{0,60}[>\]|]\s{0,4}[{[]/.test(this.#raw.slice(span.start, span.start + 120));
  }
}
