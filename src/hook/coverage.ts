/** What can be asked of a way of watching an agent. */
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
] as const;
export type CoverageTopic = (typeof COVERAGE_TOPICS)[number];

/** `partly`: see the note. */
export type CoverageLevel = "yes" | "partly" | "no";

/** One way of watching, and what it shows. No data is not health: what is not seen must be said. */
export interface Coverage {
  readonly id: string;
  readonly title: string;
  readonly topics: Readonly<Record<CoverageTopic, CoverageLevel>>;
  readonly note: string;
  /** `measured`: on recordings of the real agent. `documented`: by its published payloads; not run against the agent. */
  readonly basis: "measured" | "documented";
}

const ALL = { successes: "yes", failed_runs: "yes", wrong_calls: "yes", denied: "yes" } as const;

/** The same table as in docs/hooks.md. */
export const COVERAGE: readonly Coverage[] = [
  {
    ...{ id: "proxy", title: "Proxy", basis: "measured" },
    topics: {
      ...{ ...ALL, unfinished: "partly", model: "yes", duration: "no" },
      ...{ prompts: "partly", subagents: "yes", leaks: "yes" },
    },
    note: "Sees what the model is told. How long a tool ran is not on the wire: only the time between answer and next request.",
  },
  {
    ...{ id: "hook:claude-code", title: "Claude Code hooks", basis: "measured" },
    topics: {
      ...{ ...ALL, unfinished: "partly", model: "no", duration: "yes" },
      ...{ prompts: "yes", subagents: "yes", leaks: "no" },
    },
    note: "Calls that never came to an end are seen with --pre-tool-use. The model comes from the transcript when a turn ends, or from the proxy.",
  },
  {
    ...{ id: "transcript:claude-code", title: "Claude Code transcripts", basis: "measured" },
    topics: {
      ...{ ...ALL, unfinished: "yes", model: "yes", duration: "partly" },
      ...{ prompts: "yes", subagents: "yes", leaks: "no" },
    },
    note: "Only some tools write down how long they ran.",
  },
  {
    ...{ id: "hook:codex", title: "Codex CLI hooks", basis: "documented" },
    topics: {
      ...{ successes: "yes", failed_runs: "partly", wrong_calls: "no", denied: "no" },
      ...{ unfinished: "partly", model: "yes", duration: "no", prompts: "yes", subagents: "partly", leaks: "no" },
    },
    note: "There is no event for failures and no flag: what a tool printed is all there is. Its rollouts, read when a turn ends, show the rest.",
  },
  {
    ...{ id: "hook:opencode", title: "opencode plugin", basis: "documented" },
    topics: {
      ...{ successes: "yes", failed_runs: "yes", wrong_calls: "partly", denied: "partly" },
      ...{ unfinished: "yes", model: "yes", duration: "yes", prompts: "yes", subagents: "partly", leaks: "no" },
    },
    note: "Read from the states of tool parts; a refused or misspelt call is an error without a kind, told by its words. A subagent is a session of its own.",
  },
  {
    ...{ id: "hook:gemini", title: "Gemini CLI hooks", basis: "documented" },
    topics: {
      ...{ successes: "yes", failed_runs: "yes", wrong_calls: "no", denied: "no" },
      ...{ unfinished: "no", model: "no", duration: "no", prompts: "yes", subagents: "no", leaks: "no" },
    },
    note: "Events carry no call id: one is made of time, tool and arguments, so they join nothing that another channel saw.",
  },
];
