import type { ErrorResponse } from "../../../../src/api/errors.ts";
import type { ListedCall } from "../../../../src/store/port.ts";

/** An error as Markdown, for a bug report or for an agent. All texts of tools are in code blocks. */
export function errorMarkdown({ error, clients }: ErrorResponse, newest: ListedCall | undefined): string {
  const facts = [
    `- Occurrences: ${error.count}`,
    `- Category: ${error.category}`,
    `- First seen: ${error.first_at ?? "unknown"}`,
    `- Last seen: ${error.last_at ?? "unknown"}`,
    `- Tools: ${list(Object.entries(error.tools))}`,
    `- Models: ${list(Object.entries(error.models))}`,
    `- Clients: ${list(clients.map(({ client, client_version, count }) => [[client ?? "unknown", client_version ?? ""].join(" ").trim(), count]))}`,
    `- Fingerprint: ${error.fingerprint}`,
  ];
  const parts = [
    `# ${oneLine(error.title)}`,
    facts.join("\n"),
    ...block("Message", newest?.excerpt ?? error.sample),
    ...block("Arguments of the newest call", newest?.arguments_preview ?? ""),
    ...(error.advice === null || error.advice === undefined ? [] : [`## What may help\n\n${error.advice.text}`]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function list(counts: readonly (readonly [name: string, count: number])[]): string {
  return counts.map(([name, count]) => `${oneLine(name)} (${count})`).join(", ");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Fenced by more backticks than the text contains in a row. */
function block(title: string, text: string): readonly string[] {
  if (text === "") return [];
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return [`## ${title}\n\n${fence}\n${text}\n${fence}`];
}
