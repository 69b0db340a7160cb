/** Finds the next of a few rare words, each searched once per stretch of text so that none is searched twice. */
export class WordFinder {
  private readonly words: readonly string[];
  private readonly next: number[];

  /** Words with whatever may lead them. */
  private readonly heads: readonly string[];

  constructor(words: readonly { readonly text: string; readonly leads: readonly string[] }[]) {
    this.words = words.map((word) => word.text);
    this.heads = words.flatMap((word) => [word.text, ...word.leads.map((lead) => lead + word.text)]);
    this.next = words.map(() => -1);
  }

  /** The text has changed. */
  reset(): void {
    this.next.fill(-1);
  }

  /** Position of the first word at or behind `from`, or the text's length. */
  find(text: string, from: number): number {
    let first = text.length;
    for (let k = 0; k < this.words.length; k++) {
      let at = this.next[k] as number;
      if (at < from) {
        at = text.indexOf(this.words[k] as string, from);
        if (at === -1) at = text.length;
        this.next[k] = at;
      }
      if (at < first) first = at;
    }
    return first;
  }

  /** How many characters at the end of the text might begin a word. */
  partial(text: string, from: number): number {
    let longest = 0;
    for (const word of this.heads) {
      const most = Math.min(word.length - 1, text.length - from);
      for (let size = most; size > longest; size--) {
        if (text.charCodeAt(text.length - size) === word.charCodeAt(0) && word.startsWith(text.slice(-size)))
          longest = size;
      }
    }
    return longest;
  }
}
