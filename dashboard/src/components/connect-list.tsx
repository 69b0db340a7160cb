import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { connectLines, oneLine } from "../../../src/api/connect-lines.ts";
import type { StatusResponse } from "../../../src/api/server-status.ts";
import { commandOf, type WriteCommand } from "../command.ts";
import { useQuery } from "../queries.ts";

const WITHOUT_PROXY = [
  ["Claude Code (hooks)", "hook install claude-code"],
  ["Codex (hooks)", "hook install codex"],
  ["opencode (plugin)", "hook install opencode"],
  ["Gemini CLI (hooks)", "hook install gemini"],
  ["Qwen Code (hooks)", "hook install qwen"],
  ["Copilot CLI (hooks)", "hook install copilot"],
  ["Cline CLI (hooks)", "hook install cline"],
  ["Past transcripts", "import"],
] as const;

/**
 * Writes commands as they are run where the server is installed; with their plain name until the server has responded.
 */
export function useCommand(): WriteCommand {
  const { value: status } = useQuery<StatusResponse>("/api/status");
  return (...given) => commandOf(status ?? { command: "toolmend", command_options: "" }, ...given);
}

/** How to start Toolmend for a model server of the user, shown until one is configured. */
const OWN_SERVER = ["Your own model server", "start --upstream vllm=http://127.0.0.1:8000/v1"] as const;

/** The command for each way to connect a client. */
export function ConnectList() {
  const command = useCommand();
  const { value: status } = useQuery<StatusResponse>("/api/status");
  const upstreams = status?.upstreams ?? [];
  const throughProxy = connectLines(location.origin, upstreams)
    .filter(({ setup }) => setup === undefined)
    // The settings of some clients are long, and are merged with the user's own.
    .map(
      (line) =>
        [
          line.title,
          line.isCommon || line.command === undefined ? oneLine(line) : command("run", `-- ${line.command}`),
        ] as const,
    );
  const others = upstreams.length === 0 ? [OWN_SERVER, ...WITHOUT_PROXY] : WITHOUT_PROXY;
  const withoutProxy = others.map(([title, args]) => [title, command(args)] as const);
  return <CopyLines lines={[...throughProxy, ...withoutProxy]} />;
}

/** Titles with lines to copy. */
export function CopyLines({ lines }: { readonly lines: readonly (readonly [title: string, line: string])[] }) {
  return (
    <ul class="connect">
      {lines.map(([title, line]) => (
        <li key={title}>
          <h3>{title}</h3>
          <CopyLine client={title} line={line} />
        </li>
      ))}
    </ul>
  );
}

const FEEDBACK_MS = 2000;

export function CopyLine({ client, line }: { readonly client: string; readonly line: string }) {
  const code = useRef<HTMLElement>(null);
  const feedback = useSignal("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(line);
      feedback.value = "Copied";
    } catch {
      // Outside localhost, a page served over http has no clipboard access: select the text instead.
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      feedback.value = "Selected, press Ctrl+C";
    }
    setTimeout(() => {
      feedback.value = "";
    }, FEEDBACK_MS);
  };
  return (
    <div class="copy-line">
      <code ref={code}>{line}</code>
      <button type="button" aria-label={`Copy the line for ${client}`} onClick={() => void copy()}>
        {feedback.value === "" ? "Copy" : feedback.value}
      </button>
      <output class="hidden">{feedback.value}</output>
    </div>
  );
}
