import { connectLines, oneLine } from "../../../src/api/connect-lines.ts";
import { CopyLine } from "./copy-line.tsx";

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
