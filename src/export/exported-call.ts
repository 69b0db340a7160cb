/** A number, a yes or no, or a word about a call or a session. */
export interface ExportedScore {
  readonly id: string;
  readonly name: string;
  readonly data_type: "NUMERIC" | "BOOLEAN" | "CATEGORICAL";
  readonly value: number | string;
}

/** A settled call as other systems are told about it. Texts are there only where the user asked for them. */
export interface ExportedCall {
  /** 16 hex digits: the id of its span, and the first half of its scores' ids. */
  readonly record_id: string;
  readonly project: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly started_at: number;
  readonly ended_at: number;
  readonly status: "ok" | "failed" | "unknown";
  readonly category?: string;
  readonly status_message?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly client?: string;
  /** Chain, retry, workflow and recovery, by the names under which they are kept everywhere. */
  readonly metadata: Readonly<Record<string, string | number | boolean>>;
  readonly arguments?: string;
  readonly result?: string;
  readonly scores: readonly ExportedScore[];
}

/** A session whose scores may be told, and told again when they change. */
export interface ExportedSession {
  readonly project: string;
  readonly session_id: string;
  readonly at: number;
  readonly scores: readonly ExportedScore[];
}
