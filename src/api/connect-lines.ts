/** How one client is pointed at us. */
export interface ConnectLine {
  readonly client: string;
  readonly title: string;
  /** Environment variables, in the order to show them. */
  readonly environment: readonly (readonly [name: string, value: string])[];
  /** The program they are for; absent for any program. */
  readonly command?: string;
  /** What the program must be told besides, before its own arguments. */
  readonly arguments?: readonly string[];
}

/** The exact settings for each client; shown at the start, by `toolmend env`, and on the empty dashboard. */
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
    // It reads no address from the environment any more, only from its configuration.
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

/** As one would type it in front of the client's own command. */
export function oneLine({ environment, command, arguments: more = [] }: ConnectLine): string {
  const variables = environment.map(([name, value]) => `${name}=${value}`);
  return [...variables, ...(command === undefined ? [] : [command]), ...more].join(" ");
}
