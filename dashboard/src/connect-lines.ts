export interface ConnectLine {
  readonly client: string;
  readonly line: string;
}

/** The exact line that points a client at this server. */
export function connectLines(origin: string): readonly ConnectLine[] {
  return [
    {
      client: "Claude Code",
      line: `ANTHROPIC_BASE_URL=${origin} ENABLE_TOOL_SEARCH=true CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK=1 claude`,
    },
    { client: "Codex", line: `codex -c openai_base_url="${origin}/v1"` },
    { client: "Any OpenAI-compatible client", line: `OPENAI_BASE_URL=${origin}/v1` },
  ];
}
