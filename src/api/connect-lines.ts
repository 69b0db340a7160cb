/** Settings that point one client at this server. */
export interface ConnectLine {
  readonly client: string;
  readonly title: string;
  /** Environment variables in display order. */
  readonly environment: readonly (readonly [name: string, value: string])[];
  /** The client's program. Absent if the settings apply to any program. */
  readonly command?: string;
  /** Additional arguments, before the user's own. */
  readonly arguments?: readonly string[];
}

/** Settings for each client, shown at startup, by `toolmend env` and on the empty dashboard. */
export function connectLines(origin: string): readonly ConnectLine[] {
  return [
    {
      client: "claude-code",
      title: "Claude Code",
      environment: [
        ["ANTHROPIC_BASE_URL", origin],
        ["ENABLE_TOOL_SEARCH", "true"],
        ["CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK", "1"],
      ],
      command: "claude",
    },
    // Codex no longer reads a base URL from the environment, only from its configuration.
    {
      client: "codex",
      title: "Codex",
      environment: [],
      command: "codex",
      arguments: ["-c", `openai_base_url=${origin}/v1`],
    },
    { client: "openai", title: "OpenAI-compatible", environment: [["OPENAI_BASE_URL", `${origin}/v1`]] },
  ];
}

/** Formats the settings as a shell command. */
export function oneLine({ environment, command, arguments: more = [] }: ConnectLine): string {
  const variables = environment.map(([name, value]) => `${name}=${value}`);
  return [...variables, ...(command === undefined ? [] : [command]), ...more].join(" ");
}
