import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "../../src/agent/index.ts";
import { placeCandidates } from "./place-candidates.ts";

/** What the tools know of the trip that is being planned. */
export interface TripContext {
  readonly destination: string;
  readonly stops: readonly string[];
  /** What the user wrote last. */
  readonly reply: string;
}

const PLACES: { readonly [city: string]: readonly string[] } = {
  "paris, france": ["Chez Nous", "Le Petit Pont"],
  lyon: ["Bouchon des Halles"],
};

/** Knows two cities. Without one it looks at the trip; where even that does not help, it asks. */
const searchPlaces = defineTool({
  name: "search_places",
  description: "Finds restaurants and sights near a location.",
  input: z.object({ location: z.string(), query: z.string().optional() }),
  run: ({ location, query }) => {
    const places = PLACES[location.toLowerCase()];
    return places === undefined ? { error: `Could not geocode location: ${location}` } : { location, query, places };
  },
  fallback: (_, { context }: ToolContext<TripContext>) => placeCandidates(context).map((location) => ({ location })),
  question: "Which place should I search near?",
});

/** Always down, and talkative about it: none of this may reach model or page. */
const getWeather = defineTool({
  name: "get_weather",
  description: "The weather at a location.",
  input: z.object({ location: z.string() }),
  run: () => {
    throw new Error("connect ECONNREFUSED postgres://weather:hunter2@10.0.0.7/forecast");
  },
});

/** Fails for good: no use in trying again. */
const bookTable = defineTool({
  name: "book_table",
  description: "Books a table.",
  input: z.object({ restaurant: z.string() }),
  run: () => ({ error: "Booking is not part of this plan.", retryable: false }),
});

export const TOOLS: readonly Tool[] = [searchPlaces, getWeather, bookTable];
