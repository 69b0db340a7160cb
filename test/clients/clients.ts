import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientFolders, DrivenClient } from "./driven-client.ts";

/** Fails with exit code 3 and a text on stderr. */
const FAILS = "echo 'the widget is stuck' >&2; exit 3";
const MISSING_PROGRAM = "frobnicate-nothing --now";

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

const missing = ({ work }: ClientFolders): string => join(work, "missing.txt");

/** A file for tools that edit. */
function notes({ work }: ClientFolders): string {
  write(work, "notes.txt", "first line\nsecond line\n");
  return join(work, "notes.txt");
}

const CLAUDE_CODE: DrivenClient = {
  ...{ name: "claude-code", title: "Claude Code", profile: "claude-code", bin: "claude" },
  ...{ package: "@anthropic-ai/claude-code", version: "2.1.326", model: "claude-sonnet-4-5" },
  environment: {
    ANTHROPIC_API_KEY: "test-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    IS_SANDBOX: "1",
  },
  arguments: (prompt) => ["-p", prompt, "--model", "claude-sonnet-4-5", "--dangerously-skip-permissions"],
  continueArguments: (prompt) => [
    ...["-p", prompt, "--continue", "--model", "claude-sonnet-4-5", "--dangerously-skip-permissions"],
  ],
  hooks: { agent: "claude-code" },
  shell: (command) => ({ tool: "Bash", arguments: { command, description: "Run it" } }),
  calls: (folders) => [
    { what: "shell, exit 0", tool: "Bash", arguments: { command: "echo fine" }, status: "ok" },
    { what: "shell, exit 3", tool: "Bash", arguments: { command: FAILS }, status: "failed", category: "exit_code" },
    {
      what: "shell, silent exit 1",
      tool: "Bash",
      arguments: { command: "false" },
      status: "failed",
      category: "exit_code",
    },
    {
      what: "program not found",
      tool: "Bash",
      arguments: { command: MISSING_PROGRAM },
      status: "failed",
      category: "not_found",
    },
    { what: "grep without a match", tool: "Bash", arguments: { command: "grep zebra /etc/hostname" }, status: "ok" },
    {
      what: "missing file",
      tool: "Read",
      arguments: { file_path: missing(folders) },
      status: "failed",
      category: "not_found",
    },
    {
      what: "edit of an unread file",
      tool: "Edit",
      arguments: { file_path: notes(folders), old_string: "third", new_string: "x" },
      status: "failed",
      category: "precondition",
    },
    { what: "unknown tool", tool: "Telepathy", arguments: { thought: 1 }, status: "failed", category: "unknown_tool" },
    {
      what: "missing parameter",
      tool: "Read",
      arguments: { path: "x" },
      status: "failed",
      category: "invalid_arguments",
    },
  ],
};

const CODEX: DrivenClient = {
  ...{ name: "codex", title: "Codex", profile: "codex", bin: "codex" },
  ...{ package: "@openai/codex", version: "0.169.0", model: "gpt-5.2-codex" },
  environment: { CODEX_API_KEY: "test-key", OPENAI_API_KEY: "test-key" },
  arguments: (prompt) => [
    ...["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-m", "gpt-5.2-codex", prompt],
  ],
  continueArguments: (prompt) => [
    ...["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-m", "gpt-5.2-codex"],
    ...["resume", "--last", prompt],
  ],
  hooks: { agent: "codex", moreArguments: ["--dangerously-bypass-hook-trust"] },
  shell: (command) => ({ tool: "exec_command", arguments: { cmd: command } }),
  calls: () => [
    { what: "shell, exit 0", tool: "exec_command", arguments: { cmd: "echo fine" }, status: "ok" },
    { what: "shell, exit 3", tool: "exec_command", arguments: { cmd: FAILS }, status: "failed", category: "exit_code" },
    {
      what: "shell, silent exit 1",
      tool: "exec_command",
      arguments: { cmd: "false" },
      status: "failed",
      category: "exit_code",
    },
    {
      what: "program not found",
      tool: "exec_command",
      arguments: { cmd: MISSING_PROGRAM },
      status: "failed",
      category: "not_found",
    },
    {
      what: "grep without a match",
      tool: "exec_command",
      arguments: { cmd: "grep zebra /etc/hostname" },
      status: "ok",
    },
    {
      what: "missing file",
      tool: "view_image",
      arguments: { path: "/nowhere/missing.png" },
      status: "failed",
      category: "not_found",
    },
    { what: "unknown tool", tool: "telepathy", arguments: { thought: 1 }, status: "failed", category: "unknown_tool" },
    {
      what: "missing parameter",
      tool: "exec_command",
      arguments: { command: "x" },
      status: "failed",
      category: "invalid_arguments",
    },
  ],
};

const OPENCODE: DrivenClient = {
  ...{ name: "opencode", title: "opencode", profile: "opencode", bin: "opencode" },
  ...{ package: "opencode-ai", version: "1.18.33", model: "claude-sonnet-4-5" },
  environment: { ANTHROPIC_API_KEY: "test-key", OPENCODE_DISABLE_AUTOUPDATE: "1" },
  arguments: (prompt) => ["run", "--model", "anthropic/claude-sonnet-4-5", prompt],
  continueArguments: (prompt) => ["run", "--continue", "--model", "anthropic/claude-sonnet-4-5", prompt],
  hooks: { agent: "opencode" },
  shell: (command) => ({ tool: "bash", arguments: { command, description: "Run it" } }),
  calls: (folders) => [
    {
      what: "shell, exit 0",
      tool: "bash",
      arguments: { command: "echo fine", description: "d" },
      status: "unknown",
      inTranscript: { status: "ok" },
    },
    {
      what: "shell, exit 3",
      tool: "bash",
      arguments: { command: FAILS, description: "d" },
      status: "unknown",
      inTranscript: { status: "failed", category: "exit_code" },
    },
    {
      what: "program not found",
      tool: "bash",
      arguments: { command: MISSING_PROGRAM, description: "d" },
      status: "failed",
      category: "not_found",
    },
    {
      what: "timeout",
      tool: "bash",
      arguments: { command: "sleep 30", description: "d", timeout: 1000 },
      status: "failed",
      category: "timeout",
    },
    {
      what: "missing file",
      tool: "read",
      arguments: { filePath: missing(folders) },
      status: "failed",
      category: "not_found",
    },
    {
      what: "edit without a match",
      tool: "edit",
      arguments: { filePath: notes(folders), oldString: "third", newString: "x" },
      status: "failed",
      category: "precondition",
    },
    { what: "unknown tool", tool: "telepathy", arguments: { thought: 1 }, status: "failed", category: "unknown_tool" },
    {
      what: "missing parameter",
      tool: "read",
      arguments: { path: "x" },
      status: "failed",
      category: "invalid_arguments",
    },
  ],
};

const QWEN_CODE: DrivenClient = {
  ...{ name: "qwen-code", title: "Qwen Code", profile: "qwen-code", bin: "qwen" },
  ...{ package: "@qwen-code/qwen-code", version: "0.24.4", model: "qwen3-coder" },
  environment: { OPENAI_API_KEY: "test-key", OPENAI_MODEL: "qwen3-coder" },
  arguments: (prompt) => ["-p", prompt, "--yolo", "--auth-type", "openai"],
  continueArguments: (prompt) => ["-p", prompt, "--yolo", "--auth-type", "openai", "--continue"],
  hooks: { agent: "qwen" },
  shell: (command) => ({ tool: "run_shell_command", arguments: { command, is_background: false } }),
  calls: (folders) => [
    {
      what: "shell, exit 0",
      tool: "run_shell_command",
      arguments: { command: "echo fine", is_background: false },
      status: "ok",
    },
    {
      what: "shell, exit 3",
      tool: "run_shell_command",
      arguments: { command: FAILS, is_background: false },
      status: "failed",
      category: "exit_code",
    },
    {
      what: "shell, silent exit 1",
      tool: "run_shell_command",
      arguments: { command: "false", is_background: false },
      status: "failed",
      category: "exit_code",
    },
    {
      what: "program not found",
      tool: "run_shell_command",
      arguments: { command: MISSING_PROGRAM, is_background: false },
      status: "failed",
      category: "not_found",
    },
    {
      what: "missing file",
      tool: "read_file",
      arguments: { file_path: missing(folders) },
      status: "failed",
      category: "not_found",
    },
    {
      what: "edit of an unread file",
      tool: "edit",
      arguments: { file_path: notes(folders), old_string: "third", new_string: "x" },
      status: "failed",
      category: "precondition",
    },
    { what: "unknown tool", tool: "telepathy", arguments: { thought: 1 }, status: "failed", category: "unknown_tool" },
    {
      what: "missing parameter",
      tool: "read_file",
      arguments: { limit: 3 },
      status: "failed",
      category: "invalid_arguments",
    },
  ],
};

const PI: DrivenClient = {
  ...{ name: "pi", title: "pi", profile: "pi", bin: "pi" },
  ...{ package: "@mariozechner/pi-coding-agent", version: "0.73.1", model: "scripted" },
  environment: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" },
  configure: ({ home }, url) =>
    write(
      home,
      ".pi/agent/models.json",
      JSON.stringify({
        providers: {
          toolmend: {
            baseUrl: `${url}/v1`,
            api: "openai-completions",
            apiKey: "test-key",
            models: [{ id: "scripted" }],
          },
        },
      }),
    ),
  arguments: (prompt) => ["-p", "--provider", "toolmend", "--model", "scripted", prompt],
  continueArguments: (prompt) => ["-p", "--continue", "--provider", "toolmend", "--model", "scripted", prompt],
  shell: (command) => ({ tool: "bash", arguments: { command } }),
  calls: (folders) => [
    { what: "shell, exit 0", tool: "bash", arguments: { command: "echo fine" }, status: "ok" },
    { what: "shell, exit 3", tool: "bash", arguments: { command: FAILS }, status: "failed", category: "exit_code" },
    {
      what: "shell, silent exit 1",
      tool: "bash",
      arguments: { command: "false" },
      status: "failed",
      category: "exit_code",
    },
    {
      what: "program not found",
      tool: "bash",
      arguments: { command: MISSING_PROGRAM },
      status: "failed",
      category: "not_found",
    },
    {
      what: "timeout",
      tool: "bash",
      arguments: { command: "sleep 30", timeout: 1 },
      status: "failed",
      category: "timeout",
    },
    {
      what: "missing file",
      tool: "read",
      arguments: { path: missing(folders) },
      status: "failed",
      category: "not_found",
    },
    {
      what: "edit without a match",
      tool: "edit",
      arguments: { path: notes(folders), edits: [{ oldText: "third", newText: "x" }] },
      status: "failed",
      category: "precondition",
    },
    { what: "unknown tool", tool: "telepathy", arguments: { thought: 1 }, status: "failed", category: "unknown_tool" },
    {
      what: "missing parameter",
      tool: "read",
      arguments: { limit: 3 },
      status: "failed",
      category: "invalid_arguments",
    },
  ],
};

const COPILOT: DrivenClient = {
  ...{ name: "copilot", title: "Copilot CLI", profile: "copilot", bin: "copilot" },
  ...{ package: "@github/copilot", version: "1.0.102", model: "scripted" },
  environment: {
    COPILOT_PROVIDER_WIRE_API: "completions",
    COPILOT_PROVIDER_API_KEY: "test-key",
    COPILOT_MODEL: "scripted",
    COPILOT_AUTO_UPDATE: "false",
  },
  arguments: (prompt) => ["-p", prompt, "--allow-all-tools", "--allow-all-paths", "--no-color"],
  continueArguments: (prompt) => ["-p", prompt, "--continue", "--allow-all-tools", "--allow-all-paths", "--no-color"],
  hooks: { agent: "copilot" },
  shell: (command) => ({ tool: "bash", arguments: { command, description: "Run it" } }),
  calls: (folders) => [
    { what: "shell, exit 0", tool: "bash", arguments: { command: "echo fine", description: "d" }, status: "ok" },
    {
      what: "shell, exit 3",
      tool: "bash",
      arguments: { command: FAILS.replace("exit", "(exit").concat(")"), description: "d" },
      status: "failed",
      category: "exit_code",
    },
    {
      what: "shell, silent exit 1",
      tool: "bash",
      arguments: { command: "false", description: "d" },
      status: "failed",
      category: "exit_code",
    },
    {
      what: "program not found",
      tool: "bash",
      arguments: { command: MISSING_PROGRAM, description: "d" },
      status: "failed",
      category: "not_found",
    },
    {
      what: "missing file",
      tool: "view",
      arguments: { path: missing(folders) },
      status: "failed",
      category: "not_found",
    },
    {
      what: "edit without a match",
      tool: "edit",
      arguments: { path: notes(folders), old_str: "third", new_str: "x" },
      status: "failed",
      category: "precondition",
    },
    { what: "unknown tool", tool: "telepathy", arguments: { thought: 1 }, status: "failed", category: "unknown_tool" },
    {
      what: "missing parameter",
      tool: "view",
      arguments: { limit: 3 },
      status: "failed",
      category: "invalid_arguments",
    },
  ],
};

const CONTINUE: DrivenClient = {
  ...{ name: "continue", title: "Continue CLI", profile: "continue", bin: "cn" },
  ...{ package: "@continuedev/cli", version: "1.5.47", model: "scripted" },
  environment: { CONTINUE_TELEMETRY_ENABLED: "0", CONTINUE_METRICS_ENABLED: "0" },
  configure: ({ home }, url) =>
    write(
      home,
      ".continue/config.yaml",
      `name: test\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: scripted\n    provider: openai\n    model: scripted\n    apiKey: test-key\n    apiBase: ${url}/v1\n    roles: [chat]\n    capabilities: [tool_use]\n`,
    ),
  arguments: (prompt) => ["-p", prompt, "--auto"],
  continueArguments: (prompt) => ["-p", prompt, "--auto", "--resume"],
  shell: (command) => ({ tool: "Bash", arguments: { command } }),
  calls: (folders) => [
    { what: "shell, exit 0", tool: "Bash", arguments: { command: "echo fine" }, status: "unknown" },
    { what: "shell, exit 3", tool: "Bash", arguments: { command: FAILS }, status: "failed", category: "exit_code" },
    { what: "shell, silent exit 1", tool: "Bash", arguments: { command: "false" }, status: "unknown" },
    {
      what: "program not found",
      tool: "Bash",
      arguments: { command: MISSING_PROGRAM },
      status: "failed",
      category: "not_found",
    },
    {
      what: "missing file",
      tool: "Read",
      arguments: { filepath: missing(folders) },
      status: "failed",
      category: "not_found",
    },
    {
      what: "edit of an unread file",
      tool: "Edit",
      arguments: { file_path: notes(folders), old_string: "third", new_string: "x" },
      status: "failed",
      category: "precondition",
    },
    { what: "unknown tool", tool: "telepathy", arguments: { thought: 1 }, status: "failed", category: "unknown_tool" },
    {
      what: "missing parameter",
      tool: "Read",
      arguments: { limit: 3 },
      status: "failed",
      category: "invalid_arguments",
    },
  ],
};

const CLINE: DrivenClient = {
  ...{ name: "cline", title: "Cline CLI", profile: "cline", bin: "cline" },
  ...{ package: "cline", version: "3.0.65", model: "scripted" },
  configure: ({ home }, url) => {
    const settings = { provider: "openai-compatible", apiKey: "test-key", model: "scripted", baseUrl: `${url}/v1` };
    const providers = {
      "openai-compatible": { settings, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" },
    };
    write(
      home,
      ".cline/data/settings/providers.json",
      JSON.stringify({ version: 1, lastUsedProvider: "openai-compatible", modes: {}, providers }),
    );
  },
  arguments: (prompt) => ["-P", "openai-compatible", "-m", "scripted", prompt],
  hooks: { agent: "cline" },
  shell: (command) => ({ tool: "run_commands", arguments: { commands: [command] } }),
  calls: (folders) => [
    { what: "shell, exit 0", tool: "run_commands", arguments: { commands: ["echo fine"] }, status: "ok" },
    {
      what: "shell, exit 3",
      tool: "run_commands",
      arguments: { commands: [FAILS] },
      status: "failed",
      category: "exit_code",
    },
    {
      what: "shell, silent exit 1",
      tool: "run_commands",
      arguments: { commands: ["false"] },
      status: "failed",
      category: "exit_code",
    },
    {
      what: "program not found",
      tool: "run_commands",
      arguments: { commands: [MISSING_PROGRAM] },
      status: "failed",
      category: "not_found",
    },
    {
      what: "second command fails",
      tool: "run_commands",
      arguments: { commands: ["echo fine", "exit 4"] },
      status: "failed",
      category: "exit_code",
    },
    {
      what: "missing file",
      tool: "read_files",
      arguments: { files: [{ path: missing(folders) }] },
      status: "failed",
      category: "not_found",
    },
    {
      what: "edit without a match",
      tool: "editor",
      arguments: { path: notes(folders), old_text: "third", new_text: "x" },
      status: "failed",
      category: "precondition",
    },
    { what: "unknown tool", tool: "telepathy", arguments: { thought: 1 }, status: "failed", category: "unknown_tool" },
    {
      what: "missing parameter",
      tool: "editor",
      arguments: { limit: 3 },
      status: "failed",
      category: "invalid_arguments",
    },
  ],
};

const GEMINI_CLI: DrivenClient = {
  ...{ name: "gemini-cli", title: "Gemini CLI", profile: "gemini-cli", bin: "gemini" },
  ...{ package: "@google/gemini-cli", version: "0.61.0", model: "gemini-2.5-pro" },
  environment: { GEMINI_API_KEY: "test-key", GEMINI_CLI_TRUST_WORKSPACE: "true" },
  configure: ({ home }) =>
    write(
      home,
      ".gemini/settings.json",
      JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    ),
  arguments: (prompt) => ["-p", prompt, "--yolo", "-m", "gemini-2.5-pro"],
  api: "gemini",
  // No continueArguments: after an error it resumes with a call that has no result, which the API refuses.
  hooks: { agent: "gemini" },
  shell: (command) => ({ tool: "run_shell_command", arguments: { command } }),
  calls: (folders) => [
    { what: "shell, exit 0", tool: "run_shell_command", arguments: { command: "echo fine" }, status: "ok" },
    {
      what: "shell, exit 3",
      tool: "run_shell_command",
      arguments: { command: FAILS },
      status: "failed",
      category: "exit_code",
    },
    {
      what: "shell, silent exit 1",
      tool: "run_shell_command",
      arguments: { command: "false" },
      status: "failed",
      category: "exit_code",
    },
    {
      what: "program not found",
      tool: "run_shell_command",
      arguments: { command: MISSING_PROGRAM },
      status: "failed",
      category: "not_found",
    },
    {
      what: "missing file",
      tool: "read_file",
      arguments: { file_path: missing(folders) },
      status: "failed",
      category: "not_found",
    },
    {
      what: "edit without a match",
      tool: "replace",
      arguments: { file_path: notes(folders), old_string: "third", new_string: "x", instruction: "x" },
      status: "failed",
      category: "precondition",
    },
    { what: "unknown tool", tool: "telepathy", arguments: { thought: 1 }, status: "failed", category: "unknown_tool" },
    {
      what: "missing parameter",
      tool: "read_file",
      arguments: { limit: 3 },
      status: "failed",
      category: "invalid_arguments",
    },
  ],
};

/** Every client that `npm run test:clients` drives, with the version it drives. */
export const CLIENTS: readonly DrivenClient[] = [
  CLAUDE_CODE,
  CODEX,
  OPENCODE,
  QWEN_CODE,
  GEMINI_CLI,
  PI,
  COPILOT,
  CONTINUE,
  CLINE,
];
