// How harnesses present the output of a command together with its exit status, and the names of their shell tools.
import { createPicker } from "./words.ts";

interface Style {
  readonly name: string;
  readonly wrap: (text: string, exitCode: number, seed: number) => string;
}

const seconds = (seed: number) => ((seed % 90) / 10 + 0.1).toFixed(1);

const STYLES: readonly Style[] = [
  { name: "first-line", wrap: (text, code) => (code === 0 ? text : `Exit code ${code}\n${text}`) },
  { name: "exit-tag", wrap: (text, code) => `<stdout>\n${text}\n</stdout>\n<exit_code>${code}</exit_code>` },
  { name: "json", wrap: (text, code) => JSON.stringify({ output: text, exit_code: code }) },
  {
    name: "json-metadata",
    wrap: (text, code, seed) =>
      JSON.stringify({ output: text, metadata: { exit_code: code, duration_seconds: Number(seconds(seed)) } }),
  },
  { name: "bracket-last", wrap: (text, code) => `${text}\n[exit status: ${code}]` },
  {
    name: "process-exited",
    wrap: (text, code, seed) =>
      `Chunk ID: ${(seed * 7919).toString(16).slice(0, 6)}\nWall time: ${seconds(seed)} seconds\n` +
      `Process exited with code ${code}\nOriginal token count: ${Math.ceil(text.length / 4)}\nOutput:\n${text}`,
  },
  { name: "command-exited", wrap: (text, code) => `${text}\n\nCommand exited with code ${code}` },
  {
    name: "returncode-xml",
    wrap: (text, code) => `<returncode>${code}</returncode>\n<output>\n${text}\n</output>`,
  },
  {
    name: "labels",
    wrap: (text, code) => `Output:\n${text || "(empty)"}\n\nExit Code: ${code}\nSignal: (none)`,
  },
  {
    name: "json-streams",
    wrap: (text, code) =>
      JSON.stringify(
        code === 0 ? { stdout: text, stderr: "", returncode: 0 } : { stdout: "", stderr: text, returncode: code },
        null,
        2,
      ),
  },
  {
    name: "finished-sentence",
    wrap: (text, code) =>
      code === 0
        ? `The command completed successfully (exit code 0).\n${text}`
        : `The command finished with exit code ${code}.\n${text}`,
  },
  { name: "prompt", wrap: (text, code) => `${text}\n[Command finished with exit code ${code}]` },
];

interface ShellTool {
  readonly name: string;
  readonly args: (command: string, cwd: string) => Record<string, unknown>;
}

const SHELL_TOOLS: readonly ShellTool[] = [
  { name: "Bash", args: (command) => ({ command, description: "Run a command in the project" }) },
  { name: "bash", args: (command) => ({ command }) },
  { name: "shell", args: (command, cwd) => ({ command: ["bash", "-lc", command], workdir: cwd }) },
  { name: "run_shell_command", args: (command) => ({ command }) },
  { name: "execute_command", args: (command, cwd) => ({ command, cwd }) },
  { name: "run_terminal_cmd", args: (command) => ({ command, is_background: false }) },
  { name: "exec_command", args: (command, cwd) => ({ cmd: command, workdir: cwd, yield_time_ms: 10000 }) },
  { name: "terminal", args: (command) => ({ command, timeout: 120 }) },
  { name: "execute_bash", args: (command) => ({ command }) },
];

/** The first style shows nothing for status 0, so it is not used there. */
export function pickStyle(seed: number, exitCode: number): Style {
  return createPicker(seed)(exitCode === 0 ? STYLES.slice(1) : STYLES);
}

export function shellCall(
  command: string,
  cwd: string,
  seed: number,
): { readonly tool_name: string; readonly arguments: Record<string, unknown> } {
  const tool = createPicker(seed ^ 0x5bd1e995)(SHELL_TOOLS);
  return { tool_name: tool.name, arguments: tool.args(command, cwd) };
}

interface Mask {
  readonly name: string;
  readonly apply: (command: string) => string;
}

const group = (command: string) => (/[;|&\n]/.test(command) ? `(${command})` : command);

export const MASKS: readonly Mask[] = [
  { name: "or-true", apply: (command) => `${group(command)} || true` },
  { name: "tail", apply: (command) => `${group(command)} 2>&1 | tail -5` },
  { name: "echo-done", apply: (command) => `${group(command)}; echo done` },
  { name: "tail-20", apply: (command) => `${group(command)} 2>&1 | tail -n 20` },
  { name: "head", apply: (command) => `${group(command)} 2>&1 | head -n 15` },
  { name: "discard", apply: (command) => `${group(command)} >/dev/null 2>&1 || true` },
  { name: "next-step", apply: (command) => `${group(command)}; echo '---'; ls` },
  { name: "status-text", apply: (command) => `${group(command)}; echo "status: $?"` },
];
