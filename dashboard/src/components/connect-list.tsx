import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { connectLines, oneLine } from "../../../src/api/connect-lines.ts";

const WITHOUT_PROXY = [
  ["Claude Code, by hooks", "toolmend hook install claude-code"],
  ["Codex, by hooks", "toolmend hook install codex"],
  ["opencode, by plugin", "toolmend hook install opencode"],
  ["Gemini CLI, by hooks", "toolmend hook install gemini"],
  ["Past transcripts", "toolmend import ~/.claude/projects"],
] as const;

/** The exact line for each way in. */
export function ConnectList() {
  const throughProxy = connectLines(location.origin).map((line) => [line.title, oneLine(line)] as const);
  return <CopyLines lines={[...throughProxy, ...WITHOUT_PROXY]} />;
}

/** What each is for, and the line to copy. */
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

const THANKS_MS = 2000;

export function CopyLine({ client, line }: { readonly client: string; readonly line: string }) {
  const code = useRef<HTMLElement>(null);
  const said = useSignal("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(line);
      said.value = "Copied";
    } catch {
      // Beyond localhost a plain http page has no clipboard: leave the last step to the user.
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      said.value = "Selected, press Ctrl+C";
    }
    setTimeout(() => {
      said.value = "";
    }, THANKS_MS);
  };
  return (
    <div class="copy-line">
      <code ref={code}>{line}</code>
      <button type="button" aria-label={`Copy the line for ${client}`} onClick={() => void copy()}>
        {said.value === "" ? "Copy" : said.value}
      </button>
      <output class="hidden">{said.value}</output>
    </div>
  );
}
