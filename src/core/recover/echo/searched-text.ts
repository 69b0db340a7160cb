import type { Budget } from "./budget.ts";
import { type Mention, windowsOf } from "./mention.ts";
import { isObscured, reveal } from "./obscured.ts";
import { chunksOf, type Window } from "./windows.ts";

/** Making the words of a character visible, in steps of the budget. */
const REVEALING_COST = 100;

interface Revealed {
  readonly window: Window;
  readonly visible: string;
}

/** A text in which calls are searched for without decoding more of it than must be. */
export class SearchedText {
  readonly text: string;
  /** Parts whose words cannot be searched for as they are, with their words visible. */
  #revealed: readonly Revealed[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The parts that may hold the call. */
  windows(mention: Mention, budget: Budget): readonly Window[] {
    budget.left -= this.text.length;
    this.#revealed ??= revealed(this.text, budget);
    const hidden = this.#revealed.filter(({ visible }) => windowsOf(visible, mention, budget).length > 0);
    return [...windowsOf(this.text, mention, budget), ...hidden.map(({ window }) => window)];
  }
}

function revealed(text: string, budget: Budget): readonly Revealed[] {
  if (!isObscured(text)) return [];
  return chunksOf(text).flatMap((window) => {
    const chunk = text.slice(window.start, window.end);
    if (!isObscured(chunk)) return [];
    budget.left -= chunk.length * REVEALING_COST;
    return [{ window, visible: reveal(chunk) }];
  });
}
