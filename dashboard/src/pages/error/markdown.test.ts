import { expect, it } from "vitest";
import type { ErrorResponse } from "../../../../src/api/errors.ts";
import type { ListedCall } from "../../../../src/store/port.ts";
import { errorMarkdown } from "./markdown.ts";

const detail: ErrorResponse = {
  error: {
    ...{ project: "default", fingerprint: "f1", category: "exit_code", count: 3, title: "make: no\nrule" },
    ...{ first_at: "2026-03-10T12:00:00.000Z", last_at: "2026-03-11T12:00:00.000Z", sample: "Exit code 2" },
    ...{ tools: { Bash: 3 }, models: { m1: 2, unknown: 1 }, state: "open", state_at: null, advice: null },
  },
  days: [],
  effect: null,
  clients: [{ client: "codex", client_version: "1.0", count: 3 }],
};

it("contains the facts, and texts in fences that they cannot close", () => {
  const newest = { excerpt: "```\nno rule\n```", arguments_preview: "make out" } as ListedCall;
  expect(errorMarkdown(detail, newest)).toBe(`# make: no rule

- Occurrences: 3
- Category: exit_code
- First seen: 2026-03-10T12:00:00.000Z
- Last seen: 2026-03-11T12:00:00.000Z
- Tools: Bash (3)
- Models: m1 (2), unknown (1)
- Clients: codex 1.0 (3)
- Fingerprint: f1

## Message

\`\`\`\`
\`\`\`
no rule
\`\`\`
\`\`\`\`

## Arguments of the newest call

\`\`\`
make out
\`\`\`
`);
});

it("uses the sample without a stored call", () => {
  expect(errorMarkdown(detail, undefined)).toContain("## Message\n\n```\nExit code 2\n```\n");
});
