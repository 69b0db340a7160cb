import type { ComponentChildren } from "preact";
import { count } from "../format.ts";
import type { Query } from "../route.ts";
import { Link } from "./link.tsx";

interface CallsLinkProps {
  /** What is counted. */
  readonly calls: number;
  /** Filters of the list that contains exactly these calls. */
  readonly query: Query;
  readonly class?: string;
  readonly label?: string;
  readonly children?: ComponentChildren;
}

/** A number that links to the calls it counts. Zero has no link. */
export function CallsLink({ calls, query, class: name = "", label, children = count(calls) }: CallsLinkProps) {
  if (calls === 0) return <>{children}</>;
  return (
    <Link page="calls" query={query} class={`plain ${name}`} calls={calls} {...(label !== undefined && { label })}>
      {children}
    </Link>
  );
}

/** Calls with a known outcome, the denominator of failure rates. */
export const KNOWN = { status: "ok,failed" } as const;
export const FAILED_CALLS = { status: "failed" } as const;

/** All calls of a session: its numbers do not depend on the time range. */
export function ofSession({
  project,
  session_id: session,
}: {
  readonly project: string;
  readonly session_id: string;
}): Query {
  return { session, ...(project !== "default" && { project }), range: "all" };
}
