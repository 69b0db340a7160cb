import { SAMPLE_CANDIDATES, sampleOfRecord } from "../fingerprint-sample.ts";
import type { Queries } from "./database.ts";
import { rowsOf, valuesOf } from "./tables.ts";

/** The key of an error. */
export interface FingerprintName {
  readonly project: string;
  readonly fingerprint: string;
}

const NAME = ["project", "fingerprint"] as const;
const ITS_CALLS = "FROM calls c WHERE c.project = k.project AND c.fingerprint = k.fingerprint AND c.error_count = 1";

/**
 * Recomputes errors from their remaining calls, and removes errors without calls, so that no sample comes from a
 * deleted call.
 */
export async function refreshFingerprints(db: Queries, names: readonly FingerprintName[]): Promise<void> {
  if (names.length === 0) return;
  const keys = valuesOf(
    NAME,
    names.map(({ project, fingerprint }) => ({ project, fingerprint })),
  );
  const errors = await db.all(
    `SELECT k.project, k.fingerprint, t.first, t.last FROM ${rowsOf("fingerprints", NAME)}
     CROSS JOIN LATERAL (SELECT min(c.settled_at) AS first, max(c.settled_at) AS last ${ITS_CALLS}) t`,
    ...keys,
  );
  const oldest = await db.all(
    `SELECT k.project, k.fingerprint, t.record FROM ${rowsOf("fingerprints", NAME)}
     CROSS JOIN LATERAL (SELECT c.record ${ITS_CALLS} ORDER BY c.settled_at LIMIT ${SAMPLE_CANDIDATES}) t`,
    ...keys,
  );
  const samples = new Map<string, string>();
  for (const row of oldest) {
    const text = `${row.project}\u0000${row.fingerprint}`;
    if ((samples.get(text) ?? "") === "") samples.set(text, sampleOfRecord(String(row.record)));
  }
  for (const { project, fingerprint, first, last } of errors) {
    const key = [String(project), String(fingerprint)];
    if (first === null) await db.all("DELETE FROM fingerprints WHERE project = ? AND fingerprint = ?", ...key);
    else
      await db.all(
        "UPDATE fingerprints SET first_at = ?, last_at = ?, sample = ? WHERE project = ? AND fingerprint = ?",
        ...[Number(first), Number(last), samples.get(key.join("\u0000")) ?? "", ...key],
      );
  }
}

const BATCH_SIZE = 200;

/** Upgrades a database whose samples may come from deleted calls. */
export async function refreshAllFingerprints(db: Queries): Promise<void> {
  const rows = await db.all("SELECT project, fingerprint FROM fingerprints");
  const names = rows.map((row) => ({ project: String(row.project), fingerprint: String(row.fingerprint) }));
  for (let at = 0; at < names.length; at += BATCH_SIZE) await refreshFingerprints(db, names.slice(at, at + BATCH_SIZE));
}
