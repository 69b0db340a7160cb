import type { CallLinks } from "../model/call-links.ts";
import type { ChainCall } from "./chain-call.ts";
import { relink } from "./relink.ts";

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
  return calls.map(({ id }) => contextOf(links.get(id) as CallLinks));
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
