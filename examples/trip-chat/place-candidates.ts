/** First words of a request rather than of a place name. */
const COMMANDS: ReadonlySet<string> = new Set(
  "find search show get look give tell help recommend suggest list fetch what where which who how can could would please".split(
    " ",
  ),
);
const MAX_PLACE_CHARS = 80;
const MAX_PLACE_WORDS = 6;

/** First place of a list such as `Paris, France; London; +2 more`. */
export function firstPlace(list: string | null | undefined): string | undefined {
  return (list ?? "")
    .split(";")
    .map((part) => part.trim())
    .find((part) => part !== "" && !/^\+\s*\d+ more$/i.test(part));
}

/** Whether a short reply could be the name of a place, in any script. */
export function looksLikePlace(reply: string): boolean {
  const text = reply.trim();
  if (text === "" || text.length > MAX_PLACE_CHARS || /[?？؟]$/.test(text)) return false;
  const words = text.split(/\s+/);
  if (words.length > MAX_PLACE_WORDS || COMMANDS.has((words[0] ?? "").toLowerCase().replace(/[^\p{L}]/gu, "")))
    return false;
  return /[\p{L}\p{N}]/u.test(text);
}

export interface PlaceSources {
  /** Destinations of the trip, separated by `;`. */
  readonly destination?: string | null | undefined;
  readonly stops?: readonly (string | null | undefined)[] | undefined;
  /** The user's last message. */
  readonly reply?: string | null | undefined;
}

/**
 * Places a search can fall back to, in order: the trip's destination or else its first stop, then the user's short
 * reply.
 *
 * @example
 * fallback: (failure, { context }) => placeCandidates(context.trip).map((location) => ({ location }))
 */
export function placeCandidates({ destination, stops = [], reply }: PlaceSources): string[] {
  const stop = stops.map((place) => place?.trim() ?? "").find((place) => place !== "");
  const candidates = [
    firstPlace(destination) ?? stop,
    reply != null && looksLikePlace(reply) ? reply.trim() : undefined,
  ];
  const seen = new Set<string>();
  return candidates.filter((place): place is string => {
    if (place === undefined || seen.has(place.toLowerCase())) return false;
    seen.add(place.toLowerCase());
    return true;
  });
}
