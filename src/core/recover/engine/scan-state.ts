import type { ReadAll } from "../echo/read-part.ts";
import type { RejectReason } from "../types.ts";
import { hasVisible } from "./blanks.ts";
import { Candidates } from "./candidates.ts";
import { type Context, newContext } from "./context.ts";
import { Outbox } from "./outbox.ts";
import type { Settings } from "./settings.ts";
import type { Waker } from "./waker.ts";

/** Where the scanner is in the text it still holds, what it waits for, and the ways it moves on. */
export class ScanState {
  text = "";
  pos = 0;
  /** End of the last markup of the message: no word that leads an opener reaches back over it. */
  passed = 0;
  /** What the candidate at `pos` waits for. */
  waker: Waker | undefined;
  /** The scanner waits, but not for a call: text need not wait with it. */
  idle = false;
  readonly context: Context;
  readonly settings: Settings;
  readonly outbox: Outbox;
  readonly candidates: Candidates;

  constructor(settings: Settings, readAll: ReadAll) {
    this.settings = settings;
    this.context = newContext(settings.startsInThink);
    this.outbox = new Outbox(settings, readAll);
    this.candidates = new Candidates(settings, this.outbox);
  }

  /** Passes over text that is no markup. */
  walk(to: number): void {
    const { context, outbox } = this;
    if (to <= this.pos) return;
    context.first = false;
    if ((!context.visible || outbox.waits) && hasVisible(this.text, this.pos, to)) {
      if (context.think === undefined) context.visible = true;
      outbox.visibleText(this.text);
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

  /** From here on the model plays the other side, unless it only speaks of it. */
  invented(): void {
    if (this.place() === undefined) this.context.invented = true;
  }
}
