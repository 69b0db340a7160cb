/**
 * Do two calls work on the same message of the user? One in between starts something new. Where it is not known who asked, nothing speaks
 * against it; nor where two channels told of the calls, and each names messages in its own way.
 */
export function mayBeSamePrompt(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b || namingOf(a) !== namingOf(b);
}

/** How a message is named where the client gives no id for it. */
const NAMINGS = [
  /** By its place in the history that a request carries, and its words. */
  /^\d{1,9}-[0-9a-f]{12}$/,
  /** By its number in a transcript. */
  /^\d{1,9}$/,
  /** By its words, in a hook. */
  /^[0-9a-f]{16}$/,
] as const;

/** -1: by the client's own id. */
function namingOf(prompt: string): number {
  return NAMINGS.findIndex((naming) => naming.test(prompt));
}
