/** The context of the next character. */
export interface Context {
  /** Inside a fenced block: the fence's character and length. */
  fence: { readonly char: string; readonly length: number } | undefined;
  /** Length of the backtick run that opened inline code; 0 outside inline code. */
  inline: number;
  /** The backtick run is on this line. */
  inlineHere: boolean;
  quote: boolean;
  /** Keys that end the current thinking block. */
  think: readonly string[] | undefined;
  /** The model has begun to write the turns of the user or the tools. */
  invented: boolean;
  /** Visible text has occurred, so later text is not the whole message. */
  visible: boolean;
  /** The start of this line has not been examined yet. */
  lineStart: boolean;
  /** This line contains only whitespace so far. */
  first: boolean;
  /** The line before has text, so that an indented line continues its paragraph. */
  isParagraph: boolean;
  /** Indentation of this line; a tab counts as 4. */
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
    isParagraph: false,
    indent: 0,
  };
}

/** Resets the state of the line. An empty line ends the paragraph, and with it inline code. */
export function breakLine(context: Context): void {
  if (context.first) context.inline = 0;
  context.isParagraph = !context.first && continuesParagraph(context.isParagraph, context.indent);
  context.lineStart = true;
  context.first = true;
  context.inlineHere = false;
  context.quote = false;
  context.indent = 0;
}

/** Whether a line with text belongs to a paragraph. Indented behind an empty line, it is code. */
export function continuesParagraph(isParagraph: boolean, indent: number): boolean {
  return isParagraph || indent < 4;
}
