import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Category } from "../../src/core/model/outcome.ts";
import type { ClientFolders, DrivenClient, ExpectedCall, ScriptedCall } from "./driven-client.ts";

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

function ok(what: string, tool: string, args: ScriptedCall["arguments"]): ExpectedCall {
  return { what, tool, arguments: args, status: "ok" };
}

function failed(what: string, category: Category, tool: string, args: ScriptedCall["arguments"]): ExpectedCall {
  return { what, tool, arguments: args, status: "failed", category };
}

const UNKNOWN_TOOL = failed("unknown tool", "unknown_tool", "telepathy", { thought: 1 });

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
    ok("shell, exit 0", "Bash", { command: "echo fine" }),
    failed("shell, exit 3", "exit_code", "Bash", { command: FAILS }),
    failed("shell, silent exit 1", "exit_code", "Bash", { command: "false" }),
    failed("program not found", "not_found", "Bash", { command: MISSING_PROGRAM }),
    ok("grep without a match", "Bash", { command: "grep zebra /etc/hostname" }),
    failed("missing file", "not_found", "Read", { file_path: missing(folders) }),
    failed("edit of an unread file", "precondition", "Edit", {
      file_path: notes(folders),
      old_string: "third",
      new_string: "x",
    }),
    failed("unknown tool", "unknown_tool", "Telepathy", { thought: 1 }),
    failed("missing parameter", "invalid_arguments", "Read", { path: "x" }),
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
    ok("shell, exit 0", "exec_command", { cmd: "echo fine" }),
    failed("shell, exit 3", "exit_code", "exec_command", { cmd: FAILS }),
    failed("shell, silent exit 1", "exit_code", "exec_command", { cmd: "false" }),
    failed("program not found", "not_found", "exec_command", { cmd: MISSING_PROGRAM }),
    ok("grep without a match", "exec_command", { cmd: "grep zebra /etc/hostname" }),
    failed("missing file", "not_found", "view_image", { path: "/nowhere/missing.png" }),
    UNKNOWN_TOOL,
    failed("missing parameter", "invalid_arguments", "exec_command", { command: "x" }),
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
    failed("program not found", "not_found", "bash", { command: MISSING_PROGRAM, description: "d" }),
    failed("timeout", "timeout", "bash", { command: "sleep 30", description: "d", timeout: 1000 }),
    failed("missing file", "not_found", "read", { filePath: missing(folders) }),
    failed("edit without a match", "precondition", "edit", {
      filePath: notes(folders),
      oldString: "third",
      newString: "x",
    }),
    UNKNOWN_TOOL,
    failed("missing parameter", "invalid_arguments", "read", { path: "x" }),
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
    ok("shell, exit 0", "run_shell_command", { command: "echo fine", is_background: false }),
    failed("shell, exit 3", "exit_code", "run_shell_command", { command: FAILS, is_background: false }),
    failed("shell, silent exit 1", "exit_code", "run_shell_command", { command: "false", is_background: false }),
    failed("program not found", "not_found", "run_shell_command", { command: MISSING_PROGRAM, is_background: false }),
    failed("missing file", "not_found", "read_file", { file_path: missing(folders) }),
    failed("edit of an unread file", "precondition", "edit", {
      file_path: notes(folders),
      old_string: "third",
      new_string: "x",
    }),
    UNKNOWN_TOOL,
    failed("missing parameter", "invalid_arguments", "read_file", { limit: 3 }),
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
    ok("shell, exit 0", "bash", { command: "echo fine" }),
    failed("shell, exit 3", "exit_code", "bash", { command: FAILS }),
    failed("shell, silent exit 1", "exit_code", "bash", { command: "false" }),
    failed("program not found", "not_found", "bash", { command: MISSING_PROGRAM }),
    failed("timeout", "timeout", "bash", { command: "sleep 30", timeout: 1 }),
    failed("missing file", "not_found", "read", { path: missing(folders) }),
    failed("edit without a match", "precondition", "edit", {
      path: notes(folders),
      edits: [{ oldText: "third", newText: "x" }],
    }),
    UNKNOWN_TOOL,
    failed("missing parameter", "invalid_arguments", "read", { limit: 3 }),
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
    ok("shell, exit 0", "bash", { command: "echo fine", description: "d" }),
    failed("shell, exit 3", "exit_code", "bash", {
      command: FAILS.replace("exit", "(exit").concat(")"),
      description: "d",
    }),
    failed("shell, silent exit 1", "exit_code", "bash", { command: "false", description: "d" }),
    failed("program not found", "not_found", "bash", { command: MISSING_PROGRAM, description: "d" }),
    failed("missing file", "not_found", "view", { path: missing(folders) }),
    failed("edit without a match", "precondition", "edit", { path: notes(folders), old_str: "third", new_str: "x" }),
    UNKNOWN_TOOL,
    failed("missing parameter", "invalid_arguments", "view", { limit: 3 }),
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
    failed("shell, exit 3", "exit_code", "Bash", { command: FAILS }),
    { what: "shell, silent exit 1", tool: "Bash", arguments: { command: "false" }, status: "unknown" },
    failed("program not found", "not_found", "Bash", { command: MISSING_PROGRAM }),
    failed("missing file", "not_found", "Read", { filepath: missing(folders) }),
    failed("edit of an unread file", "precondition", "Edit", {
      file_path: notes(folders),
      old_string: "third",
      new_string: "x",
    }),
    UNKNOWN_TOOL,
    failed("missing parameter", "invalid_arguments", "Read", { limit: 3 }),
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
    ok("shell, exit 0", "run_commands", { commands: ["echo fine"] }),
    failed("shell, exit 3", "exit_code", "run_commands", { commands: [FAILS] }),
    failed("shell, silent exit 1", "exit_code", "run_commands", { commands: ["false"] }),
    failed("program not found", "not_found", "run_commands", { commands: [MISSING_PROGRAM] }),
    failed("second command fails", "exit_code", "run_commands", { commands: ["echo fine", "exit 4"] }),
    failed("missing file", "not_found", "read_files", { files: [{ path: missing(folders) }] }),
    failed("edit without a match", "precondition", "editor", {
      path: notes(folders),
      old_text: "third",
      new_text: "x",
    }),
    UNKNOWN_TOOL,
    failed("missing parameter", "invalid_arguments", "editor", { limit: 3 }),
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
    ok("shell, exit 0", "run_shell_command", { command: "echo fine" }),
    failed("shell, exit 3", "exit_code", "run_shell_command", { command: FAILS }),
    failed("shell, silent exit 1", "exit_code", "run_shell_command", { command: "false" }),
    failed("program not found", "not_found", "run_shell_command", { command: MISSING_PROGRAM }),
    failed("missing file", "not_found", "read_file", { file_path: missing(folders) }),
    failed("edit without a match", "precondition", "replace", {
      file_path: notes(folders),
      old_string: "third",
      new_string: "x",
      instruction: "x",
    }),
    UNKNOWN_TOOL,
    failed("missing parameter", "invalid_arguments", "read_file", { limit: 3 }),
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
