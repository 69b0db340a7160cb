import type { CallLinks } from "./call-links.ts";
import { type CallRecord, isCounted, settledAt, toolName, workflowOf } from "./call-record.ts";
import { type Folded, type Loaded, sessionKeyText } from "./fold.ts";
import {
  type DurationKey,
  durationKeyOf,
  type FingerprintKey,
  failureOf,
  fingerprintKeyOf,
  type RollupDelta,
  rollupOf,
  tallyOf,
  type WorkflowKey,
  workflowKeyOf,
} from "./rollup.ts";
import { addCount, addTally, NO_CALLS, type SessionRecord, type Tally } from "./session-record.ts";

/** A call as it counts in figures, added or taken away. */
export interface Move {
  readonly record: CallRecord;
  readonly links: CallLinks | undefined;
  readonly times: 1 | -1;
}

export interface Count<K> {
  readonly key: K;
  readonly count: number;
}

/** In how many calls of a session something occurs: what the list of sessions is filtered by. */
export interface FacetKey {
  readonly project: string;
  readonly session_id: string;
  readonly kind: "tool" | "model" | "workflow" | "category" | "severity";
  readonly value: string;
}

/** When a failure was first and last seen, and how it read. Only ever widened: taking a verdict back does not unsee it. */
export interface FingerprintSeen {
  readonly project: string;
  readonly fingerprint: string;
  readonly category: string;
  readonly first_at: number;
  readonly last_at: number;
  readonly sample: string;
}

/** Everything that is summed up over calls, as differences. */
export interface Figures {
  readonly rollups: readonly RollupDelta[];
  readonly workflows: readonly (Count<WorkflowKey> & { readonly tally: Tally })[];
  readonly durations: readonly Count<DurationKey>[];
  readonly fingerprints: readonly Count<FingerprintKey>[];
  readonly seen: readonly FingerprintSeen[];
  readonly facets: readonly Count<FacetKey>[];
}

/** What a batch does to all figures. */
export function figuresOf(moves: readonly Move[]): Figures {
  const rollups = new Map<string, RollupDelta>();
  const workflows = new Map<string, { key: WorkflowKey; count: number; tally: Tally }>();
  const [durations, fingerprints, facets] = [new Sums<DurationKey>(), new Sums<FingerprintKey>(), new Sums<FacetKey>()];
  const seen = new Map<string, FingerprintSeen>();
  for (const { record, links, times } of moves) {
    const delta = rollupOf(record, links);
    if (delta === undefined) continue;
    const text = textOf(delta.key);
    rollups.set(text, { key: delta.key, tally: addTally(rollups.get(text)?.tally ?? NO_CALLS, delta.tally, times) });
    const workflow = workflowKeyOf(record);
    const known = workflows.get(textOf(workflow));
    workflows.set(textOf(workflow), {
      key: workflow,
      count: (known?.count ?? 0) + times,
      tally: addTally(known?.tally ?? NO_CALLS, delta.tally, times),
    });
    durations.add(durationKeyOf(record), times);
    const fingerprint = fingerprintKeyOf(record);
    fingerprints.add(fingerprint, times);
    if (fingerprint !== undefined && times === 1) see(seen, record, fingerprint);
    for (const facet of facetsOf(record)) facets.add(facet, times);
  }
  return {
    rollups: [...rollups.values()].filter(({ tally }) => isChange(tally)),
    workflows: [...workflows.values()].filter(({ tally }) => isChange(tally)),
    durations: durations.changes(),
    fingerprints: fingerprints.changes(),
    seen: [...seen.values()],
    facets: facets.changes(),
  };
}

/** The sessions that a batch speaks of, with their calls and requests counted. */
export function countSessions(loaded: Loaded, folded: Folded, moves: readonly Move[]): readonly SessionRecord[] {
  const sessions = new Map(folded.sessions);
  for (const { record, links, times } of moves) {
    const key = sessionKeyText(record.key);
    const session = sessions.get(key) ?? loaded.sessions.get(key);
    if (session !== undefined && isCounted(record)) sessions.set(key, moved(session, record, links, times));
  }
  for (const [key, request] of folded.requests) {
    const session = sessions.get(sessionKeyText(request));
    if (session === undefined || loaded.requests.has(key)) continue;
    sessions.set(sessionKeyText(request), { ...session, requests: session.requests + 1 });
  }
  return [...sessions.values()];
}

function moved(session: SessionRecord, record: CallRecord, links: CallLinks | undefined, times: 1 | -1): SessionRecord {
  const tally = addTally(session.tally, tallyOf(record, links), times);
  const outcome = record.facts.result?.value.outcome;
  if (outcome?.status !== "failed") return { ...session, tally };
  return {
    ...session,
    tally,
    categories: addCount(session.categories, outcome.category ?? "failed", times),
    severities: addCount(session.severities, severityOf(record) ?? "0.5", times),
  };
}

function facetsOf(record: CallRecord): readonly FacetKey[] {
  const { project, session_id } = record.key;
  const facet = (kind: FacetKey["kind"], value: string | undefined): readonly FacetKey[] =>
    value === undefined || value === "" ? [] : [{ project, session_id, kind, value }];
  return [
    ...facet("tool", toolName(record)),
    ...facet("model", record.facts.model?.value),
    ...facet("workflow", workflowOf(record)),
    ...facet("category", failureOf(record).category),
    ...facet("severity", severityOf(record)),
  ];
}

function severityOf(record: CallRecord): string | undefined {
  const outcome = record.facts.result?.value.outcome;
  return outcome?.status === "failed" ? String(outcome.severity ?? 0.5) : undefined;
}

const SAMPLE = 300;

function see(seen: Map<string, FingerprintSeen>, record: CallRecord, key: FingerprintKey): void {
  const { project, fingerprint, category } = key;
  const at = settledAt(record) ?? record.first_at;
  const text = `${project}\u0000${fingerprint}`;
  const known = seen.get(text);
  const outcome = record.facts.result?.value.outcome;
  const sample = (outcome?.excerpt ?? outcome?.status_message ?? "").slice(0, SAMPLE);
  const earlier = known === undefined || at < known.first_at || known.sample === "";
  seen.set(text, {
    project,
    fingerprint,
    category,
    first_at: Math.min(at, known?.first_at ?? at),
    last_at: Math.max(at, known?.last_at ?? at),
    sample: earlier && sample !== "" ? sample : (known?.sample ?? ""),
  });
}

/** Counts by key; what comes to nothing is no change. */
class Sums<K extends object> {
  readonly #sums = new Map<string, Count<K>>();

  add(key: K | undefined, times: number): void {
    if (key === undefined) return;
    const text = textOf(key);
    this.#sums.set(text, { key, count: (this.#sums.get(text)?.count ?? 0) + times });
  }

  changes(): readonly Count<K>[] {
    return [...this.#sums.values()].filter(({ count }) => count !== 0);
  }
}

/** The text of a flat key. */
export function textOf(key: object): string {
  return Object.values(key).join("\u0000");
}

function isChange(tally: Tally): boolean {
  return Object.values(tally).some((count) => count !== 0);
}
