import type { CallLinks } from "../model/call-links.ts";
import { sameValue } from "../model/facts.ts";
import { type ChainCall, LINK_WINDOW } from "./chain-call.ts";
import { type LinkedCall, linkCall } from "./link-call.ts";

/** A call of a thread and the links it has so far; none for a new one. */
export interface KnownCall {
  readonly call: ChainCall;
  readonly links: CallLinks | undefined;
}

/** New links of one call. */
export interface LinkMove {
  readonly id: string;
  readonly before: CallLinks | undefined;
  readonly after: CallLinks;
}

export interface Relinked {
  /** Only of calls whose links are not what they were. */
  readonly moves: readonly LinkMove[];
  /** False when calls behind the last given one may change too: then all of this must be asked again with more of them. */
  readonly settled: boolean;
}

export interface Stretch {
  /** So many of the calls must be looked at: something changed among them, or something between them is gone. */
  readonly atLeast: number;
  /** The last call given is the last of its thread. */
  readonly complete: boolean;
  /** Ids that are no longer in the thread. */
  readonly gone: ReadonlySet<string>;
}

/**
 * Links a stretch of a thread anew. `before` are the (at most {@link LINK_WINDOW}) calls in front of the first change, with valid links; `from` are all
 * calls from there on.
 */
export function relink(
  before: readonly KnownCall[],
  from: readonly KnownCall[],
  { atLeast, complete, gone }: Stretch,
): Relinked {
  const work = new Recovery(before as readonly LinkedCall[]);
  let unchanged = 0;
  let at = 0;
  for (; at < from.length && (at < atLeast || unchanged < LINK_WINDOW); at += 1) {
    const { call, links } = from[at] as KnownCall;
    const same = sameApartFromRecovery(links, work.add(call));
    unchanged = at < atLeast || !same ? 0 : unchanged + 1;
  }
  const done = work.finish();
  let seen: ReadonlySet<string> | undefined;
  const wasSeen = (id: string): boolean => {
    seen ??= new Set(done.map(({ call }) => call.id));
    return seen.has(id);
  };
  const moves: LinkMove[] = [];
  for (let index = 0; index < done.length; index += 1) {
    const { call, links } = done[index] as LinkedCall;
    const old = (index < before.length ? before[index] : from[index - before.length])?.links;
    if (old === links) continue;
    const by = links.recovered_by ?? old?.recovered_by;
    // What lies behind is as it was: it may be what put a call right that was looked at here.
    const kept = by !== undefined && (by === links.recovered_by || !(gone.has(by) || wasSeen(by)));
    const next = kept ? { ...links, recovered_by: by } : links;
    if (!sameValue(old, next)) moves.push({ id: call.id, before: old, after: next });
  }
  return { moves, settled: complete || unchanged >= LINK_WINDOW };
}

/** Links calls one after the other, and tells failures by which later try they were put right. */
class Recovery {
  readonly #calls: LinkedCall[];

  constructor(before: readonly LinkedCall[]) {
    const recovered = before.some(({ links }) => links.recovered_by !== undefined);
    const ids = new Set(recovered ? before.map(({ call }) => call.id) : []);
    this.#calls = before.map((one) =>
      one.links.recovered_by === undefined || ids.has(one.links.recovered_by)
        ? one
        : { call: one.call, links: open(one.links) },
    );
  }

  add(call: ChainCall): CallLinks {
    const links = linkCall(call, this.#calls.slice(-LINK_WINDOW));
    this.#calls.push({ call, links });
    if (call.status === "ok" && links.retry_of !== undefined) this.#recover(links.retry_of, call.id);
    return links;
  }

  finish(): readonly LinkedCall[] {
    return this.#calls;
  }

  /** All tries of the chain that are still in reach. */
  #recover(failed: string, by: string): void {
    let wanted: string | undefined = failed;
    const end = Math.max(0, this.#calls.length - 1 - LINK_WINDOW);
    for (let at = this.#calls.length - 2; at >= end && wanted !== undefined; at -= 1) {
      const one = this.#calls[at] as LinkedCall;
      if (one.call.id !== wanted) continue;
      if (one.links.recovered_by === undefined)
        this.#calls[at] = { call: one.call, links: { ...one.links, recovered_by: by } };
      wanted = one.links.retry_of;
    }
  }
}

function open({ recovered_by: _later, ...links }: CallLinks): CallLinks {
  return links;
}

function sameApartFromRecovery(a: CallLinks | undefined, b: CallLinks): boolean {
  return a !== undefined && sameValue(open(a), open(b));
}
