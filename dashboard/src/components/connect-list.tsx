import { connectLines, oneLine } from "../../../src/api/connect-lines.ts";
import { CopyLine } from "./copy-line.tsx";

const HOOKS = [
  { title: "Claude Code, by hooks", line: "toolmend hook install claude-code" },
  { title: "What was recorded before", line: "toolmend import ~/.claude/projects" },
] as const;

/** The exact line for each way in. */
export function ConnectList() {
  return (
    <ul class="connect">
      {connectLines(location.origin).map((line) => (
        <li key={line.client}>
          <h3>{line.title}</h3>
          <CopyLine client={line.title} line={oneLine(line)} />
        </li>
      ))}
      {HOOKS.map(({ title, line }) => (
        <li key={title}>
          <h3>{title}</h3>
          <CopyLine client={title} line={line} />
        </li>
      ))}
    </ul>
  );
}
