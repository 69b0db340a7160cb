/** What most calls of a session worked on, as a column; of equals the first by name. What is no kind of its own comes last. */
export const WORKFLOW_OF_SESSION = `(SELECT f.value FROM session_facets f
  WHERE f.project = s.project AND f.session_id = s.session_id AND f.kind = 'workflow' AND f.calls > 0
  ORDER BY f.value = 'other', f.calls DESC, f.value LIMIT 1) AS workflow`;

/** The same from counts. */
export function workflowOfSession(counts: readonly (readonly [workflow: string, calls: number])[]): string | null {
  const [first] = counts.toSorted(
    ([a, calls], [b, others]) =>
      Number(a === "other") - Number(b === "other") || others - calls || (a < b ? -1 : a > b ? 1 : 0),
  );
  return first?.[0] ?? null;
}

export function workflowOfRow({ workflow }: Readonly<Record<string, unknown>>): string | null {
  return typeof workflow === "string" ? workflow : null;
}
