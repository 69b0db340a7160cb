import { batch, signal } from "@preact/signals";
import { fetchSnapshot, type Snapshot } from "./api.ts";
import { readView, type View, viewSearch } from "./view.ts";

const PATIENCE_MS = 15_000;

export const view = signal<View>(readView(location.search));
/** The last numbers that arrived; undefined only before the first. */
export const snapshot = signal<Snapshot | undefined>(undefined);
/** Why the numbers are not newer; undefined when they are as new as they can be. */
export const problem = signal<string | undefined>(undefined);
export const connection = signal<"connecting" | "open" | "lost">("connecting");
/** Moves by itself, so that "5 min ago" stays true on an idle page. */
export const now = signal(Date.now());

let typing = false;
let loading = new AbortController();

/** Shows something else, and puts it into the address: a step of its own for Back, except for each letter of one filter. */
export function show(change: Partial<View>): void {
  const next = { ...view.peek(), ...change };
  const search = viewSearch(next);
  if (search === viewSearch(view.peek())) return;
  const isFilter = change.filter !== undefined;
  history[typing && isFilter ? "replaceState" : "pushState"](null, "", `${location.pathname}${search}`);
  typing = isFilter;
  setView(next);
}

addEventListener("popstate", () => {
  typing = false;
  setView(readView(location.search));
});

function setView(next: View): void {
  const moved = next.range !== view.peek().range;
  view.value = next;
  // What was asked about the old range is of no use any more.
  if (moved) void refresh();
}

/** Fetches everything anew. Never throws: what went wrong is shown, and what was there stays. */
export async function refresh(): Promise<void> {
  loading.abort();
  const mine = new AbortController();
  loading = mine;
  try {
    const signal = AbortSignal.any([mine.signal, AbortSignal.timeout(PATIENCE_MS)]);
    const fresh = await fetchSnapshot(view.peek().range, signal);
    if (mine.signal.aborted) return;
    batch(() => {
      snapshot.value = fresh;
      problem.value = undefined;
      now.value = Date.now();
    });
  } catch (error) {
    if (!mine.signal.aborted) problem.value = (error as Error).message;
  }
}
