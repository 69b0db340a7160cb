import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "../../src/agent/index.ts";
import { placeCandidates } from "./place-candidates.ts";

/** Trip data available to the tools. */
export interface TripContext {
  readonly destination: string;
  readonly stops: readonly string[];
  /** The user's last message. */
  readonly reply: string;
}

const PLACES: { readonly [city: string]: readonly string[] } = {
  "paris, france": ["Chez Nous", "Le Petit Pont"],
  lyon: ["Bouchon des Halles"],
};

/** Knows two cities. Without a location it falls back to the trip; if that fails, it asks the user. */
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

/** Always fails with an error that contains secrets, none of which may reach the model or the page. */
const getWeather = defineTool({
  name: "get_weather",
  description: "The weather at a location.",
  input: z.object({ location: z.string() }),
  run: () => {
    throw new Error("connect ECONNREFUSED postgres://weather:hunter2@10.0.0.7/forecast");
  },
});

/** Fails permanently: no arguments help, so the tool is not called again in this run. */
const bookTable = defineTool({
  name: "book_table",
  description: "Books a table.",
  input: z.object({ restaurant: z.string() }),
  run: () => ({ error: "Booking is not part of this plan.", permanent: true }),
});

export const TOOLS: readonly Tool[] = [searchPlaces, getWeather, bookTable];
