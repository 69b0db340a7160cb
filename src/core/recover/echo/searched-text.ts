import { findMentions, type Mention } from "./mention.ts";
import { isObscured, reveal } from "./views.ts";
import type { Budget } from "./windows.ts";
import { chunksOf, type Window } from "./windows.ts";

/** Fixed cost of searching a text, in units of the budget. */
const SEARCHING_COST = 1000;
/** Cost of revealing one character, in units of the budget. */
const REVEALING_COST = 100;

interface Revealed {
  readonly window: Window;
  readonly visible: string;
}

/** Searches a text for calls and decodes only the parts that need it. */
export class SearchedText {
  readonly text: string;
  /** The obscured parts, with their words made searchable. */
  #revealed: readonly Revealed[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Finds the parts that may contain the call. `visible`: parts of decoded text, which have no position in the
   * original.
   */
  find(mention: Mention, budget: Budget): { readonly windows: readonly Window[]; readonly visible: readonly string[] } {
    budget.left -= SEARCHING_COST + this.text.length;
    this.#revealed ??= revealed(this.text, budget);
    const { windows, bareWindows } = findMentions(this.text, mention, budget);
    const all = [...windows, ...bareWindows];
    const bare: string[] = [];
    for (const { window, visible } of this.#revealed) {
      const hidden = findMentions(visible, mention, budget);
      if (hidden.windows.length > 0) all.push(window);
      for (const { start, end } of hidden.bareWindows) bare.push(visible.slice(start, end));
    }
    return { windows: all, visible: bare };
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
