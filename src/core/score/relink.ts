import type { CallLinks } from "../model/call-links.ts";
import { sameValue } from "../model/facts.ts";
import { present } from "../model/narrow.ts";
import { areSiblings, type ChainCall, LINK_WINDOW } from "./chain-call.ts";
import { type LinkedCall, linkCall } from "./link-call.ts";
import { withoutLoop } from "./link-loop.ts";

/** A call with its current links; undefined for a new call. */
export interface KnownCall {
  readonly call: ChainCall;
  readonly links: CallLinks | undefined;
}

/** The changed links of one call. */
export interface NewLinks {
  readonly id: string;
  readonly before: CallLinks | undefined;
  readonly after: CallLinks;
}

export interface Relinked {
  /** Only calls whose links changed. */
  readonly changes: readonly NewLinks[];
  /** False if later calls may change too: then the caller must repeat this with more calls. */
  readonly settled: boolean;
}

export interface RelinkRange {
  /** The number of calls that must be relinked because calls among them changed or were removed. */
  readonly atLeast: number;
  /** Whether the last given call is the last of its thread. */
  readonly complete: boolean;
  /** Ids that are no longer in the thread. */
  readonly removed: ReadonlySet<string>;
}

/**
 * Relinks a part of a thread.
 *
 * @param before at most {@link LINK_WINDOW} calls before the first change, with valid links
 * @param from all calls from the first change on
 */
export function relink(
  before: readonly KnownCall[],
  from: readonly KnownCall[],
  { atLeast, complete, removed: gone }: RelinkRange,
): Relinked {
  // Only calls from the first change on can be without links.
  const work = new Recovery(before as readonly LinkedCall[]);
  let unchanged = 0;
  let at = 0;
  for (; at < from.length && (at < atLeast || unchanged < LINK_WINDOW); at += 1) {
    const { call, links } = present(from[at]);
    const same = sameApartFromRecovery(links, work.add(call));
    unchanged = at < atLeast || !same ? 0 : unchanged + 1;
  }
  const done = work.finish();
  let relinkedIds: ReadonlySet<string> | undefined;
  const isRelinked = (id: string): boolean => {
    relinkedIds ??= new Set(done.map(({ call }) => call.id));
    return relinkedIds.has(id);
  };
  const moves: NewLinks[] = [];
  for (const [index, { call, links }] of done.entries()) {
    const old = (index < before.length ? before[index] : from[index - before.length])?.links;
    if (old === links) continue;
    const by = links.recovered_by ?? old?.recovered_by;
    // Calls after the relinked ones did not change: one of them may still be the retry that recovered this call.
    const isValid = by !== undefined && (by === links.recovered_by || !(gone.has(by) || isRelinked(by)));
    const next = isValid ? { ...links, recovered_by: by } : links;
    if (!sameValue(old, next)) moves.push({ id: call.id, before: old, after: next });
  }
  return { changes: moves, settled: complete || unchanged >= LINK_WINDOW };
}

/** Links calls in order, and sets `recovered_by` of failures when a retry succeeds. */
class Recovery {
  readonly #calls: LinkedCall[];

  constructor(before: readonly LinkedCall[]) {
    const recovered = before.some(({ links }) => links.recovered_by !== undefined);
    const ids = new Set(recovered ? before.map(({ call }) => call.id) : []);
    this.#calls = before.map((one) =>
      one.links.recovered_by === undefined || ids.has(one.links.recovered_by)
        ? one
        : { call: one.call, links: withoutRecovery(one.links) },
    );
  }

  add(call: ChainCall): CallLinks {
    const links = linkCall(call, this.#calls.slice(-LINK_WINDOW));
    if (call.pair !== undefined && links.loop === undefined) this.#endLoopOfTurn(call);
    this.#calls.push({ call, links });
    if (call.status === "ok" && links.retry_of !== undefined) this.#recover(links.retry_of, call.id);
    return links;
  }

  /** A turn that brings anything new is not a repeat, and neither are its earlier calls. */
  #endLoopOfTurn(call: ChainCall): void {
    for (let at = this.#calls.length - 1; at >= 0; at -= 1) {
      const one = present(this.#calls[at]);
      if (!areSiblings(one.call, call)) return;
      if (one.links.loop !== undefined) this.#calls[at] = { call: one.call, links: withoutLoop(one.links) };
    }
  }

  finish(): readonly LinkedCall[] {
    return this.#calls;
  }

  /** Marks all attempts within the window as recovered. */
  #recover(failed: string, by: string): void {
    let failedId: string | undefined = failed;
    const end = Math.max(0, this.#calls.length - 1 - LINK_WINDOW);
    for (let at = this.#calls.length - 2; at >= end && failedId !== undefined; at -= 1) {
      const one = present(this.#calls[at]);
      if (one.call.id !== failedId) continue;
      if (one.links.recovered_by === undefined)
        this.#calls[at] = { call: one.call, links: { ...one.links, recovered_by: by } };
      failedId = one.links.retry_of;
    }
  }
}

function withoutRecovery({ recovered_by: _later, ...links }: CallLinks): CallLinks {
  return links;
}

function sameApartFromRecovery(a: CallLinks | undefined, b: CallLinks): boolean {
  return a !== undefined && sameValue(withoutRecovery(a), withoutRecovery(b));
}

/** The context of one call in its chain, for users of the library. */
export interface ToolChainContext {
  readonly position: number;
  readonly precedingTool?: string;
  readonly precedingSuccess?: boolean;
  readonly isRetry: boolean;
  readonly retryCount: number;
  readonly isCascadeFailure: boolean;
  readonly links: CallLinks;
}

/**
 * The chain context of every call of one thread, in order.
 *
 * @example
 * chainContext([{ id: "1", tool: "Bash", status: "failed" }, { id: "2", tool: "Edit", status: "failed"
 * }])[1]?.isCascadeFailure; // true
 */
export function chainContext(calls: readonly ChainCall[]): readonly ToolChainContext[] {
  const { changes: moves } = relink(
    [],
    calls.map((call) => ({ call, links: undefined })),
    { atLeast: calls.length, complete: true, removed: new Set() },
  );
  const links = new Map(moves.map(({ id, after }) => [id, after]));
  return calls.map(({ id }) => contextOf(present(links.get(id))));
}

function contextOf(links: CallLinks): ToolChainContext {
  return {
    position: links.position,
    ...(links.preceding_tool !== undefined && { precedingTool: links.preceding_tool }),
    ...(links.preceding_success !== undefined && { precedingSuccess: links.preceding_success }),
    isRetry: links.retry_of !== undefined,
    retryCount: links.retry_count,
    isCascadeFailure: links.is_cascade_failure,
    links,
  };
}
