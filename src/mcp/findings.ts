import { faultText } from "../core/repair/calls/fault-text.ts";
import type { ListedCall } from "../store/port.ts";
import type { KnownServer } from "./known-servers.ts";

/** The order in which findings are listed. */
const FINDING_KINDS = [
  "called_wrong",
  "invalid_output",
  "oversized",
  "noise",
  "no_description",
  "never_called",
] as const;

/** A problem that the author of an MCP server can fix. */
export interface McpFinding {
  readonly kind: (typeof FINDING_KINDS)[number];
  readonly server: string;
  readonly tool: string | null;
  /** Number of calls, or of lines of noise. */
  readonly count: number;
  /** Failed calls that would have worked with repaired arguments. */
  readonly would_have_worked?: number;
  readonly detail: string;
}

/** The fields of a call that findings depend on. */
export type FindingCall = Pick<
  ListedCall,
  "mcp_server" | "mcp_tool" | "mcp_output" | "status" | "phase" | "category" | "repair" | "output_size_bytes"
>;

/** Clients truncate or reject results of about this size. */
const MAX_RESULT_BYTES = 25_000;
const MAX_CAUSES = 3;

/** Findings about all servers, the most frequent of each kind first. */
export function mcpFindings(servers: readonly KnownServer[], calls: readonly FindingCall[]): readonly McpFinding[] {
  const tools = new Map<string, { readonly server: string; readonly tool: string; readonly calls: FindingCall[] }>();
  for (const call of calls) {
    if (call.mcp_server === null || call.mcp_tool === null) continue;
    const key = keyOf(call.mcp_server, call.mcp_tool);
    const known = tools.get(key) ?? { server: call.mcp_server, tool: call.mcp_tool, calls: [] };
    known.calls.push(call);
    tools.set(key, known);
  }
  const found = [
    ...[...tools.values()].flatMap(({ server, tool, calls: made }) => callFindings(server, tool, made)),
    ...servers.flatMap((server) => serverFindings(server, (tool) => tools.has(keyOf(server.server, tool)))),
  ];
  return found.sort(
    (a, b) => FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind) || b.count - a.count || compare(a, b),
  );
}

function callFindings(server: string, tool: string, calls: readonly FindingCall[]): readonly McpFinding[] {
  const wrong = calls.filter(isCalledWrong);
  const repairable = wrong.filter(({ status, repair }) => status === "failed" && repair?.reason === "observe").length;
  const rejected = calls.filter(({ mcp_output }) => mcp_output !== null && mcp_output !== OVERSIZED);
  const large = calls.filter(isOversized);
  const largest = Math.max(0, ...large.map(({ output_size_bytes }) => output_size_bytes ?? 0));
  const of = `of ${calls.length}`;
  return [
    ...(wrong.length === 0
      ? []
      : [
          {
            ...{ kind: "called_wrong" as const, server, tool, count: wrong.length, would_have_worked: repairable },
            detail: `${wrong.length} ${of} calls: ${causes(wrong.map(causeOf))}`,
          },
        ]),
    ...(rejected.length === 0
      ? []
      : [
          {
            ...{ kind: "invalid_output" as const, server, tool, count: rejected.length },
            detail: `${rejected.length} ${of} results: ${causes(rejected.map(({ mcp_output }) => mcp_output ?? ""))}`,
          },
        ]),
    ...(large.length === 0
      ? []
      : [
          {
            ...{ kind: "oversized" as const, server, tool, count: large.length },
            detail: `${large.length} ${of} results exceed ${MAX_RESULT_BYTES} bytes, the largest has ${largest}`,
          },
        ]),
  ];
}

function serverFindings(
  { server, tools, noise }: KnownServer,
  isCalled: (tool: string) => boolean,
): readonly McpFinding[] {
  const about = (kind: McpFinding["kind"], tool: string, detail: string): McpFinding => ({
    ...{ kind, server, tool, count: 0, detail },
  });
  const noisy = noise !== undefined && noise.lines > 0;
  return [
    ...(noisy
      ? [
          {
            ...{ kind: "noise" as const, server, tool: null, count: noise.lines },
            detail: `lines that are not messages: ${noise.lines} in the last run; clients may close the connection`,
          },
        ]
      : []),
    ...tools.flatMap(({ name, has_description }) =>
      has_description ? [] : [about("no_description", name, "the model sees only the name")],
    ),
    ...tools.flatMap(({ name }) =>
      isCalled(name) ? [] : [about("never_called", name, "listed, but not called in this range")],
    ),
  ];
}

/** The text that the wrapper reports for results that are too long to read. */
const OVERSIZED = "oversized";

function isOversized({ output_size_bytes, mcp_output }: FindingCall): boolean {
  return (output_size_bytes ?? 0) > MAX_RESULT_BYTES || mcp_output === OVERSIZED;
}

/** The arguments do not fit the schema, or the server rejected them. */
function isCalledWrong({ repair, status, phase, category }: FindingCall): boolean {
  return repair !== null || (status === "failed" && phase === "call" && category === "invalid_arguments");
}

function causeOf({ repair }: FindingCall): string {
  const [fault] = repair?.classes ?? [];
  return fault === undefined ? (repair?.problem ?? "rejected by the server") : `the model ${faultText(fault)}`;
}

/** Most frequent first. */
function causes(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CAUSES)
    .map(([text, count]) => `${text} (${count})`)
    .join("; ");
}

function keyOf(server: string, tool: string): string {
  return `${server}\u0000${tool}`;
}

function compare(a: McpFinding, b: McpFinding): number {
  return keyOf(a.server, a.tool ?? "") < keyOf(b.server, b.tool ?? "") ? -1 : 1;
}
