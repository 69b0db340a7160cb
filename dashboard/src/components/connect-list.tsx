import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { connectLines, oneLine } from "../../../src/api/connect-lines.ts";

const WITHOUT_PROXY = [
  ["Claude Code (hooks)", "toolmend hook install claude-code"],
  ["Codex (hooks)", "toolmend hook install codex"],
  ["opencode (plugin)", "toolmend hook install opencode"],
  ["Gemini CLI (hooks)", "toolmend hook install gemini"],
  ["Past transcripts", "toolmend import ~/.claude/projects"],
] as const;

/** The command for each way to connect a client. */
export function ConnectList() {
  const throughProxy = connectLines(location.origin)
    .filter(({ setup }) => setup === undefined)
    .map((line) => [line.title, oneLine(line)] as const);
  return <CopyLines lines={[...throughProxy, ...WITHOUT_PROXY]} />;
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
