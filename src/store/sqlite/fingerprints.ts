import { SAMPLE_CANDIDATES, sampleOfRecord } from "../fingerprint-sample.ts";
import type { Database } from "./database.ts";

/** The key of an error. */
export interface FingerprintName {
  readonly project: string;
  readonly fingerprint: string;
}

const FROM_ITS_CALLS = "FROM calls WHERE project = ? AND fingerprint = ? AND error_count = 1";

/**
 * Recomputes errors from their remaining calls, and removes errors without calls, so that no sample comes from a
 * deleted call.
 */
export function refreshFingerprints(db: Database, names: readonly FingerprintName[]): void {
  for (const { project, fingerprint } of names) {
    const remaining = db.get(
      `SELECT min(settled_at) AS first, max(settled_at) AS last ${FROM_ITS_CALLS}`,
      project,
      fingerprint,
    );
    if (remaining?.first === null || remaining === undefined) {
      db.run("DELETE FROM fingerprints WHERE project = ? AND fingerprint = ?", project, fingerprint);
      continue;
    }
    const oldest = db.all(
      `SELECT record ${FROM_ITS_CALLS} ORDER BY settled_at LIMIT ${SAMPLE_CANDIDATES}`,
      ...[project, fingerprint],
    );
    const samples = oldest.map(({ record }) => sampleOfRecord(String(record)));
    db.run(
      "UPDATE fingerprints SET first_at = ?, last_at = ?, sample = ? WHERE project = ? AND fingerprint = ?",
      ...[
        Number(remaining.first),
        Number(remaining.last),
        samples.find((sample) => sample !== "") ?? "",
        project,
        fingerprint,
      ],
    );
  }
}

/** Upgrades a database whose samples may come from deleted calls. */
export function refreshAllFingerprints(db: Database): void {
  const rows = db.all("SELECT project, fingerprint FROM fingerprints");
  refreshFingerprints(
    db,
    rows.map((row) => ({ project: String(row.project), fingerprint: String(row.fingerprint) })),
  );
}
