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
  /** A step that the user must take first, for clients that read their base URL from a file only. */
  readonly setup?: ConnectSetup;
  /** Shown in every list of settings; the others only by `toolmend env`. */
  readonly isCommon?: boolean;
}

/** A command to run once, or text to add to a file. */
export type ConnectSetup =
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "file"; readonly file: string; readonly text: string };

/**
 * Settings for each client, shown at startup, by `toolmend env` and on the empty dashboard. Then a base URL for each
 * given upstream, because the clients' settings do not use these.
 */
export function connectLines(origin: string, upstreams: readonly string[] = []): readonly ConnectLine[] {
  const openai = `${origin}/v1`;
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
      isCommon: true,
    },
    // Codex no longer reads a base URL from the environment, only from its configuration.
    {
      client: "codex",
      title: "Codex",
      environment: [],
      command: "codex",
      arguments: ["-c", `openai_base_url=${openai}`],
      isCommon: true,
    },
    {
      client: "openai",
      title: "OpenAI-compatible",
      environment: [["OPENAI_BASE_URL", openai]],
      isCommon: true,
    },
    // opencode merges this with its own files; it has no environment variable for a base URL.
    {
      client: "opencode",
      title: "opencode",
      environment: [["OPENCODE_CONFIG_CONTENT", opencodeConfig(openai)]],
      command: "opencode",
    },
    { client: "qwen-code", title: "Qwen Code", environment: [["OPENAI_BASE_URL", openai]], command: "qwen" },
    {
      client: "gemini-cli",
      title: "Gemini CLI",
      environment: [["GOOGLE_GEMINI_BASE_URL", origin]],
      command: "gemini",
    },
    {
      client: "copilot",
      title: "Copilot CLI",
      environment: [
        ["COPILOT_PROVIDER_BASE_URL", openai],
        ["COPILOT_PROVIDER_TYPE", "openai"],
        ["COPILOT_PROVIDER_TRANSPORT", "http"],
      ],
      command: "copilot",
    },
    {
      client: "pi",
      title: "pi",
      environment: [],
      command: "pi",
      setup: { kind: "file", file: "~/.pi/agent/models.json", text: piModels(origin) },
    },
    {
      client: "continue",
      title: "Continue CLI",
      environment: [],
      command: "cn",
      setup: { kind: "file", file: "~/.continue/config.yaml", text: continueModel(openai) },
    },
    {
      client: "cline",
      title: "Cline CLI",
      environment: [],
      command: "cline",
      setup: {
        kind: "command",
        command: `cline auth -p openai-compatible -k "$OPENAI_API_KEY" -m MODEL -b ${openai}`,
      },
    },
    ...upstreams.map((name) => ({
      client: name,
      title: `Upstream ${name}`,
      environment: [["OPENAI_BASE_URL", `${origin}/${name}/v1`]] as const,
    })),
  ];
}

function opencodeConfig(baseURL: string): string {
  const options = { options: { baseURL } };
  return JSON.stringify({ provider: { anthropic: options, openai: options } });
}

/** Changes the base URL of pi's built-in providers; their models and keys stay unchanged. */
function piModels(origin: string): string {
  return JSON.stringify({ providers: { anthropic: { baseUrl: origin }, openai: { baseUrl: `${origin}/v1` } } });
}

function continueModel(apiBase: string): string {
  return `models: [{ name: MODEL, provider: openai, model: MODEL, apiBase: "${apiBase}", capabilities: [tool_use] }]`;
}

/** Formats the settings as a shell command. */
export function oneLine({ environment, command, arguments: more = [] }: ConnectLine): string {
  const variables = environment.map(([name, value]) => `${name}=${shellWord(value)}`);
  return [...variables, ...(command === undefined ? [] : [command]), ...more].join(" ");
}

/** Quotes a value for a shell if necessary, so that variables in it are still expanded. */
export function shellWord(value: string): string {
  return /^[\w$~:/.,=@%+-]*$/.test(value) ? value : `"${value.replaceAll(/["\\`]/g, "\\$&")}"`;
}
