/** What a source can or cannot observe about an agent. */
export const COVERAGE_TOPICS = [
  "successes",
  "failed_runs",
  "wrong_calls",
  "denied",
  "unfinished",
  "model",
  "duration",
  "prompts",
  "subagents",
  "leaks",
  "tokens",
] as const;
export type CoverageTopic = (typeof COVERAGE_TOPICS)[number];

/** `partly`: see the note. */
export type CoverageLevel = "yes" | "partly" | "no";

/** What one source can observe. Published so that users do not mistake missing data for missing failures. */
export interface Coverage {
  readonly id: string;
  readonly title: string;
  readonly topics: Readonly<Record<CoverageTopic, CoverageLevel>>;
  readonly note: string;
  /** `measured`: tested on recordings of the real agent. `documented`: follows the published payloads only. */
  readonly basis: "measured" | "documented";
}

const ALL = { successes: "yes", failed_runs: "yes", wrong_calls: "yes", denied: "yes" } as const;

/** The same table as in docs/hooks.md. */
export const COVERAGE: readonly Coverage[] = [
  {
    ...{ id: "proxy", title: "Proxy", basis: "measured" },
    topics: {
      ...{ ...ALL, unfinished: "partly", model: "yes", duration: "no" },
      ...{ prompts: "partly", subagents: "yes", leaks: "yes", tokens: "partly" },
    },
    note: "Records everything the model receives. The API does not carry tool durations, only the time between a response and the next request. Chat streams contain tokens only if the client requests them.",
  },
  {
    ...{ id: "hook:claude-code", title: "Claude Code hooks", basis: "measured" },
    topics: {
      ...{ ...ALL, unfinished: "partly", model: "no", duration: "yes" },
      ...{ prompts: "yes", subagents: "yes", leaks: "no", tokens: "no" },
    },
    note: "Unfinished calls require --pre-tool-use. The model name comes from the transcript when a turn ends, or from the proxy.",
  },
  {
    ...{ id: "transcript:claude-code", title: "Claude Code transcripts", basis: "measured" },
    topics: {
      ...{ ...ALL, unfinished: "yes", model: "yes", duration: "partly" },
      ...{ prompts: "yes", subagents: "yes", leaks: "no", tokens: "yes" },
    },
    note: "Only some tools write their duration to the transcript.",
  },
  {
    ...{ id: "hook:codex", title: "Codex CLI hooks", basis: "measured" },
    topics: {
      ...{ successes: "yes", failed_runs: "partly", wrong_calls: "no", denied: "no" },
      ...{
        unfinished: "partly",
        model: "yes",
        duration: "no",
        prompts: "yes",
        subagents: "partly",
        leaks: "no",
        tokens: "no",
      },
    },
    note: "Codex runs hooks only after the user has reviewed them. They have neither a failure event nor a flag, so outcomes depend on the tool's output. Rollouts, read when a turn ends, supply the rest.",
  },
  {
    ...{ id: "hook:opencode", title: "opencode plugin", basis: "measured" },
    topics: {
      ...{ successes: "yes", failed_runs: "yes", wrong_calls: "partly", denied: "partly" },
      ...{
        unfinished: "yes",
        model: "yes",
        duration: "yes",
        prompts: "yes",
        subagents: "partly",
        leaks: "no",
        tokens: "no",
      },
    },
    note: "Based on the states of tool parts, which contain the exit codes that opencode's requests do not. Refused and invalid calls are plain errors, classified by their text. Each subagent is a separate session.",
  },
  {
    ...{ id: "hook:gemini", title: "Gemini CLI hooks", basis: "measured" },
    topics: {
      ...{ ...ALL, unfinished: "partly", model: "yes", duration: "no" },
      ...{ prompts: "yes", subagents: "partly", leaks: "no", tokens: "yes" },
    },
    note: "Events have no call id. Everything comes from the transcript, which is read when a turn ends.",
  },
  {
    ...{ id: "hook:qwen", title: "Qwen Code hooks", basis: "measured" },
    topics: {
      ...{ ...ALL, unfinished: "partly", model: "yes", duration: "yes" },
      ...{ prompts: "yes", subagents: "partly", leaks: "no", tokens: "yes" },
    },
    note: "The event after each batch contains every call with its status. Prompts, model, durations and tokens come from the transcript, which is read when a turn ends.",
  },
  {
    ...{ id: "hook:copilot", title: "Copilot CLI hooks", basis: "measured" },
    topics: {
      ...{ ...ALL, unfinished: "partly", model: "yes", duration: "no" },
      ...{ prompts: "yes", subagents: "partly", leaks: "no", tokens: "yes" },
    },
    note: "Events of tools have no call id. Everything comes from the transcript, which is read when a turn ends.",
  },
  {
    ...{ id: "hook:cline", title: "Cline CLI hooks", basis: "measured" },
    topics: {
      ...{ successes: "yes", failed_runs: "yes", wrong_calls: "partly", denied: "no" },
      ...{
        unfinished: "no",
        model: "no",
        duration: "yes",
        prompts: "no",
        subagents: "partly",
        leaks: "no",
        tokens: "no",
      },
    },
    note: "Unknown tools have no event. The proxy or an import of the transcripts supplies the rest.",
  },
];
