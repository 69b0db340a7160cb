/** Where the scanner is: what surrounds the next character. */
export interface Context {
  /** Inside a fenced block: the fence's character and length. */
  fence: { readonly char: string; readonly length: number } | undefined;
  /** Length of the backtick run that opened inline code, 0 outside. */
  inline: number;
  /** Did that run stand on this line? */
  inlineHere: boolean;
  quote: boolean;
  /** Keys that end the thinking we are in. */
  think: readonly string[] | undefined;
  /** The model has begun to play the other side. */
  invented: boolean;
  /** Something visible has come: the rest is not the whole message. */
  visible: boolean;
  /** The start of this line has not been looked at yet. */
  lineStart: boolean;
  /** Only blanks so far on this line. */
  first: boolean;
  /** Blanks at the start of this line; a tab counts as four. */
  indent: number;
}

export function newContext(startsInThink: boolean): Context {
  return {
    fence: undefined,
    inline: 0,
    inlineHere: false,
    quote: false,
    think: startsInThink ? ["think", "thinking", "|end_thinking|"] : undefined,
    invented: false,
    visible: false,
    lineStart: true,
    first: true,
    indent: 0,
  };
}

/** A line break: what does not outlive the line ends here, what does not outlive the paragraph at an empty one. */
export function breakLine(context: Context): void {
  if (context.first) context.inline = 0;
  context.lineStart = true;
  context.first = true;
  context.inlineHere = false;
  context.quote = false;
  context.indent = 0;
}
