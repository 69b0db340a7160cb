import { Surroundings } from "../decision/surroundings.ts";
import type { ReadAll } from "../echo/read-part.ts";
import type { RejectReason } from "../types.ts";
import { Candidates } from "./candidates.ts";
import { type Context, newContext } from "./context.ts";
import { EmitBuffer } from "./emit-buffer.ts";
import type { ReparseGate } from "./reparse-gate.ts";
import type { Settings } from "./settings.ts";
import { hasVisible } from "./whitespace.ts";

/** Where the scanner is in the text it still holds, what it waits for, and the ways it moves on. */
export class ScanState {
  text = "";
  pos = 0;
  /** End of the last markup of the message: no word that leads an opener reaches back over it. */
  passed = 0;
  /** What the candidate at `pos` waits for. */
  waker: ReparseGate | undefined;
  /** The scanner waits, but not for a call: text need not wait with it. */
  idle = false;
  readonly context: Context;
  readonly settings: Settings;
  readonly outbox: EmitBuffer;
  readonly surroundings: Surroundings;
  readonly candidates: Candidates;

  constructor(settings: Settings, readAll: ReadAll) {
    this.settings = settings;
    this.context = newContext(settings.startsInThink);
    this.surroundings = new Surroundings();
    this.outbox = new EmitBuffer(settings, readAll, this.surroundings);
    this.candidates = new Candidates(settings, this.outbox);
  }

  /** Passes over text that is no markup. */
  walk(to: number): void {
    const { context, outbox } = this;
    if (to <= this.pos) return;
    context.first = false;
    if ((!context.visible || outbox.waits) && hasVisible(this.text, this.pos, to)) {
      if (context.think === undefined) context.visible = true;
      if (!context.invented) outbox.visibleText(this.text);
    }
    this.pos = to;
  }

  /** Markup of the message is passed without being seen. */
  pass(to: number): void {
    this.pos = to;
    this.passed = to;
    this.context.first = false;
  }

  /** Forgets the text that has gone out and been scanned. */
  cut(): void {
    const cut = Math.min(this.outbox.released, this.pos);
    if (cut <= 0) return;
    if (!this.settings.ungated) this.surroundings.hand(this.text.slice(0, cut), this.outbox.offset);
    this.text = this.text.slice(cut);
    this.pos -= cut;
    this.passed -= cut;
    this.outbox.shift(cut);
  }

  /** Why nothing is a call here, or undefined where everything can be. */
  place(): RejectReason | undefined {
    const { context, settings } = this;
    if (settings.ungated) return undefined;
    if (context.invented) return "after-invented-result";
    if (context.fence !== undefined || (context.inline > 0 && (context.inlineHere || !context.first))) return "in-code";
    if (context.indent >= 4 && context.visible && context.first) return "in-code";
    if (context.quote) return "in-quote";
    return context.think === undefined ? undefined : "in-think";
  }

  /** Everything before was thinking whose opener is not part of the text. */
  endThoughts(to: number): void {
    const { context, outbox } = this;
    outbox.endThoughts(to);
    this.pos = to;
    this.passed = to;
    context.lineStart = true;
    context.first = true;
    this.startAnswer();
  }

  /** The answer begins here, whether or not a line does; what was thought before it does not lead to its calls. */
  startAnswer(): void {
    const { outbox, surroundings, text, pos, settings } = this;
    if (!settings.ungated) surroundings.restart(text, outbox.offset, outbox.offset + pos);
  }

  /** From here on the model plays the other side, unless it only speaks of it. */
  invented(): void {
    if (this.place() !== undefined) return;
    this.context.invented = true;
    this.outbox.endAnswer(this.pos);
  }
}
