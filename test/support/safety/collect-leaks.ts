import { extract } from "./extract.ts";
import { FIXTURE_CALLS, TOOLS } from "./fixture-calls.ts";
import { LEAK_FORMATS } from "./leak-formats.ts";
import type { Call, Leak, Tool } from "./safety-case.ts";
import { sameCalls } from "./same-calls.ts";

/** A row of a case file, in the input format of `toolmend recover --jsonl`, with the expected calls. */
export interface CaseRow {
  readonly id: string;
  readonly format?: string;
  readonly text: string;
  readonly tools?: readonly Tool[];
  readonly expected_calls?: readonly Call[];
}

export interface CollectedLeaks {
  readonly leaks: readonly Leak[];
  /** Number of candidates. A text that is not extracted as a whole message cannot fail a check, and is left out. */
  readonly tried: number;
  readonly missed: readonly string[];
}

export function collectFixtureLeaks(): CollectedLeaks {
  return collect(
    LEAK_FORMATS.flatMap((format) =>
      FIXTURE_CALLS.map((fixture) => ({
        id: `${format.id}/${fixture.id}`,
        format: format.id,
        text: format.render([fixture]),
        calls: [{ name: fixture.name, arguments: fixture.arguments }],
        tools: TOOLS,
        fenced: format.fenced ?? false,
        hasThoughts: false,
        fixture,
      })),
    ),
  );
}

/** Rows whose text is more than the call are left out: a frame around prose is ambiguous. */
export function collectRowLeaks(rows: readonly CaseRow[]): CollectedLeaks {
  return collect(
    rows
      .filter((row) => (row.expected_calls ?? []).length > 0)
      .map((row) => ({
        id: row.id,
        format: row.format ?? "unknown",
        text: row.text,
        calls: row.expected_calls ?? [],
        tools: row.tools ?? [],
        fenced: row.text.trimStart().startsWith("```") || row.text.trimStart().startsWith("~~~"),
        hasThoughts: /think|analysis|reason/i.test(row.text),
      })),
  );
}

function collect(candidates: readonly Leak[]): CollectedLeaks {
  const missed: string[] = [];
  const leaks = candidates.filter((leak) => {
    const { calls, content } = extract(leak.text, leak.tools, []);
    const whole = sameCalls(calls, leak.calls) && (content ?? "").trim() === "";
    if (!whole) missed.push(leak.id);
    return whole;
  });
  return { leaks, tried: candidates.length, missed };
}
