import { type Fact, pickFact } from "./facts.ts";
import type { ResponseObservation, UsageObservation } from "./observation.ts";
import { HOUR } from "./rollup.ts";
import { hasTokens, mergeTokenUsage, TOKEN_KINDS, type TokenKind, type TokenUsage, tokenField } from "./token-usage.ts";

/** The token usage of one response of a model, merged from all sources that reported it. */
export interface UsageRecord {
  readonly kind: "usage-record";
  readonly project: string;
  readonly session_id: string;
  /** Identifies the response within its session; see {@link responseKey}. */
  readonly response: string;
  /** When it was first observed, in ms. */
  readonly at: number;
  readonly agent_id: Fact<string>;
  readonly model?: Fact<string>;
  readonly provider?: Fact<string>;
  readonly request_id?: Fact<string>;
  /** The turn of its calls, as in {@link CallObservation.turn}; absent without calls. */
  readonly turn?: Fact<string>;
  readonly usage: TokenUsage;
}

export interface UsageKey {
  readonly project: string;
  readonly session_id: string;
  readonly response: string;
}

export function usageKeyText({ project, session_id, response }: UsageKey): string {
  return `${project}\u0000${session_id}\u0000${response}`;
}

type Reported = (ResponseObservation | UsageObservation) & { readonly usage: TokenUsage };

/** Whether an observation reports the tokens of a response. */
export function reportsUsage(observation: ResponseObservation | UsageObservation): observation is Reported {
  return observation.usage !== undefined && hasTokens(observation.usage);
}

/**
 * Identifies a response in the same way in every source that can observe it. Claude Code writes the id of the response
 * into its transcripts. Codex writes none, but its input grows with every response, so the counts identify it. All
 * other clients have only one source, and their servers may reuse ids.
 */
export function responseKey({ client, response_id, request_id, usage }: Reported): string {
  if (client === "codex") {
    const { input_tokens = 0, output_tokens = 0, cached_tokens = 0, reasoning_tokens = 0 } = usage;
    return `counts/${input_tokens}/${output_tokens}/${cached_tokens}/${reasoning_tokens}`;
  }
  const id = client === "claude-code" ? (response_id ?? request_id) : (request_id ?? response_id);
  return id ?? "";
}

/** Ranks of sources. The proxy read the response itself. */
export const USAGE_RANK = { proxy: 3, library: 2, hook: 1, transcript: 1, mcp: 1 } as const;

export function usageRecordOf(observation: Reported): UsageRecord {
  const { project, session_id, occurred_at: at, source, model, provider, request_id, turn, agent_id } = observation;
  const fact = (value: string): Fact<string> => ({ value, rank: USAGE_RANK[source], at });
  return {
    kind: "usage-record",
    project,
    session_id,
    response: responseKey(observation),
    at,
    agent_id: fact(agent_id),
    ...(model !== undefined && { model: fact(model) }),
    ...(provider !== undefined && { provider: fact(provider) }),
    ...(request_id !== undefined && { request_id: fact(request_id) }),
    ...(turn !== undefined && { turn: fact(turn) }),
    usage: observation.usage,
  };
}

const FACTS = ["agent_id", "model", "provider", "request_id", "turn"] as const;

/** Returns `a` if `b` adds nothing. */
export function mergeUsages(a: UsageRecord, b: UsageRecord): UsageRecord {
  const usage = mergeTokenUsage(a.usage, b.usage);
  const facts = FACTS.map((name) => [name, pickFact(a[name], b[name])] as const);
  if (usage === a.usage && a.at <= b.at && facts.every(([name, fact]) => fact === a[name])) return a;
  const known = facts.filter(([, fact]) => fact !== undefined);
  return { ...a, ...Object.fromEntries(known), at: Math.min(a.at, b.at), usage };
}

/** A usage record before and after a batch. */
export interface UsageChange {
  readonly before: UsageRecord | undefined;
  readonly after: UsageRecord;
  /** Whether live traffic contained it. */
  readonly live: boolean;
}

/** Dimensions of token totals. */
export interface TokenKey {
  readonly project: string;
  readonly hour: number;
  readonly provider: string;
  readonly model_name: string;
  readonly kind: TokenKind;
}

export interface TokenDelta {
  readonly key: TokenKey;
  readonly tally: { readonly responses: number; readonly tokens: number };
}

/** The amounts that records add to the token totals, or subtract from them. One row for each kind that was reported. */
export function tokenDeltas(
  moves: Iterable<{ readonly record: UsageRecord; readonly times: 1 | -1 }>,
): readonly TokenDelta[] {
  const sums = new Map<string, { readonly key: TokenKey; readonly tally: { responses: number; tokens: number } }>();
  for (const { record, times } of moves) {
    const { project, at, usage } = record;
    const [provider, model_name] = [record.provider?.value ?? "", record.model?.value ?? ""];
    const hour = at - (at % HOUR);
    for (const kind of TOKEN_KINDS) {
      const tokens = usage[tokenField(kind)];
      if (tokens === undefined) continue;
      const text = [project, hour, provider, model_name, kind].join("\u0000");
      let sum = sums.get(text);
      if (sum === undefined) {
        sum = { key: { project, hour, provider, model_name, kind }, tally: { responses: 0, tokens: 0 } };
        sums.set(text, sum);
      }
      sum.tally.responses += times;
      sum.tally.tokens += times * tokens;
    }
  }
  return [...sums.values()].filter(({ tally }) => tally.responses !== 0 || tally.tokens !== 0);
}

export function changesOfTokens(changes: readonly UsageChange[]): readonly TokenDelta[] {
  return tokenDeltas(
    changes.flatMap(({ before, after }) => [
      ...(before === undefined ? [] : [{ record: before, times: -1 as const }]),
      { record: after, times: 1 as const },
    ]),
  );
}
