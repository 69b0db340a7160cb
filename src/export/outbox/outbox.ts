import { formatStatusMessage } from "../../core/detect/status-message.ts";
import type { Category } from "../../core/model/outcome.ts";
import type { TokenUsage } from "../../core/model/token-usage.ts";
import { readTokenUsage } from "../../core/model/token-usage.ts";
import type { OutboxRow, OutboxStore, SessionRow, Waiting } from "../../store/port.ts";
import type { Exported, ExportedCall, ExportedSession } from "../export-target.ts";

/** A call, a response or a session with changes that the target has not received. */
export interface OutboxItem {
  readonly id: string;
  /** Incremented by every change. Sending marks the item as sent up to a version. */
  readonly version: number;
  readonly about: Exported;
  /** Of the span that was sent last; 0 if none was. */
  readonly span_digest: number;
  /** The last values sent to the target, by score name. */
  readonly sent_scores: Readonly<Record<string, number | string>>;
}

/** What was sent of an item. */
export interface Sent {
  readonly id: string;
  readonly version: number;
  readonly span_digest: number;
  readonly sent_scores: Readonly<Record<string, number | string>>;
}

/** The queue of items to send; part of the store, so that it survives restarts and is shared by replicas. */
export interface Outbox {
  /** Leases due items until `leaseUntil`, so that other replicas do not send them. */
  claimDue(target: string, now: number, leaseUntil: number, limit: number): Promise<readonly OutboxItem[]>;
  markSent(target: string, sent: readonly Sent[]): Promise<void>;
  /** Drops items queued before that time. Returns their number. */
  dropExpired(target: string, queuedBefore: number): Promise<number>;
}

/**
 * Adapts the outbox of the store to the pump.
 *
 * @param content whether to send text too: arguments, results, prompts, and what status messages quote of results
 */
export function storeOutbox(store: OutboxStore, content: boolean): Outbox {
  /** The session of each claimed item: the pump passes back ids only. */
  const sessions = new Map<string, Pick<OutboxRow, "project" | "session_id">>();
  return {
    async claimDue(target, now, leaseUntil, limit) {
      const rows = await store.claimDue(target, now, leaseUntil, limit);
      sessions.clear();
      return rows.map(({ project, session_id, about, ...item }) => {
        sessions.set(item.id, { project, session_id });
        return { ...item, about: exported(item.id, about, content) };
      });
    },
    async markSent(target, sent) {
      const rows = sent.flatMap((one) => {
        const session = sessions.get(one.id);
        return session === undefined ? [] : [{ ...one, ...session }];
      });
      await store.markSent(target, rows);
    },
    dropExpired: (target, queuedBefore) => store.dropExpired(target, queuedBefore),
  };
}

function exported(id: string, about: Waiting, content: boolean): Exported {
  if (about.kind === "call") return exportedCall(about, content);
  if (about.kind === "session") return exportedSession(about, content);
  const { project, session_id, response } = about;
  return { kind: "response", response: id, project, session_id, ...response, scores: [] };
}

/** Fields of a call that are sent as metadata. */
export const METADATA = [
  ...(["position", "preceding_tool", "preceding_success", "retry_of", "retry_count", "recovered_by"] as const),
  ...(["cascade_of", "cascade_rule", "workflow", "phase", "fingerprint", "soft", "origin", "format"] as const),
  ...(["source", "occurrence", "exit_code", "retryable", "turnaround_ms", "request_id"] as const),
] as const;

function exportedCall(
  { project, session_id, call }: Extract<Waiting, { kind: "call" }>,
  content: boolean,
): ExportedCall {
  const settled = Date.parse(call.settled_at ?? call.at);
  const ran = call.execution_time_ms;
  const message = content ? call.status_message : messageWithoutText(call);
  const metadata: Record<string, string | number | boolean> = { is_retry: call.retry_of !== null };
  for (const name of METADATA) {
    const value = call[name];
    if (value !== null) metadata[name] = value;
  }
  return {
    kind: "call",
    record_id: call.id,
    project,
    session_id,
    agent_id: call.agent_id,
    tool_call_id: call.tool_call_id,
    tool_name: call.tool_name,
    // The measured time, if a hook or the library reported it; else from the response with the call to the request with
    // its result.
    started_at: ran === null ? Date.parse(call.at) : settled - ran,
    ended_at: settled,
    status: call.status === "pending" ? "unknown" : call.status,
    ...(call.category !== null && { category: call.category }),
    ...(message !== null && { status_message: message }),
    ...(call.model_name !== null && { model: call.model_name }),
    ...(call.provider !== null && { provider: call.provider }),
    ...(call.client !== null && { client: call.client }),
    metadata,
    ...(content && call.arguments_preview !== null && { arguments: call.arguments_preview }),
    ...(content && call.excerpt !== null && { result: call.excerpt }),
    scores: call.scores,
  };
}

/** Category, tool, exit code and duration. The stored message also quotes the result. */
function messageWithoutText(call: Extract<Waiting, { kind: "call" }>["call"]): string | null {
  const { category, exit_code, execution_time_ms, tool_name, status_message } = call;
  if (status_message === null) return null;
  return (
    formatStatusMessage(
      {
        status: call.status === "pending" ? "unknown" : call.status,
        // The store contains only categories.
        ...(category !== null && { category: category as Category }),
        ...(exit_code !== null && { exitCode: exit_code }),
        ...(execution_time_ms !== null && { durationMs: execution_time_ms }),
      },
      tool_name,
    ) ?? null
  );
}

function exportedSession(
  { session, finished, prompt, scores }: Extract<Waiting, { kind: "session" }>,
  content: boolean,
): ExportedSession {
  const { project, session_id, client, provider, model_used, workflow, calls, failed, requests } = session;
  return {
    kind: "session",
    project,
    session_id,
    started_at: Date.parse(session.started_at),
    at: Date.parse(session.last_at),
    finished,
    ...(client !== null && { client }),
    ...(provider !== null && { provider }),
    ...(model_used !== null && { model: model_used }),
    usage: usageOf(session),
    ...(content && prompt !== undefined && { prompt }),
    metadata: { ...(workflow !== null && { workflow }), calls, failed, requests },
    scores,
  };
}

function usageOf(session: SessionRow): TokenUsage {
  const { input_tokens, output_tokens, cached_tokens, cache_write_tokens, reasoning_tokens } = session;
  return readTokenUsage({ input_tokens, output_tokens, cached_tokens, cache_write_tokens, reasoning_tokens });
}
