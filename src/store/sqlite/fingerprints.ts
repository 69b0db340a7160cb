import { SAMPLE_CANDIDATES, sampleOfRecord } from "../fingerprint-sample.ts";
import type { Database } from "./database.ts";

/** Names an error. */
export interface FingerprintName {
  readonly project: string;
  readonly fingerprint: string;
}

const ITS_CALLS = "FROM calls WHERE project = ? AND fingerprint = ? AND error_count = 1";

/** Computes errors from the calls that are left; an error without calls goes. Its sample never comes from a call that is gone. */
export function refreshFingerprints(db: Database, names: readonly FingerprintName[]): void {
  for (const { project, fingerprint } of names) {
    const left = db.get(`SELECT min(settled_at) AS first, max(settled_at) AS last ${ITS_CALLS}`, project, fingerprint);
    if (left?.first === null || left === undefined) {
      db.run("DELETE FROM fingerprints WHERE project = ? AND fingerprint = ?", project, fingerprint);
      continue;
    }
    const oldest = db.all(
      `SELECT record ${ITS_CALLS} ORDER BY settled_at LIMIT ${SAMPLE_CANDIDATES}`,
      ...[project, fingerprint],
    );
    const samples = oldest.map(({ record }) => sampleOfRecord(String(record)));
    db.run(
      "UPDATE fingerprints SET first_at = ?, last_at = ?, sample = ? WHERE project = ? AND fingerprint = ?",
      ...[Number(left.first), Number(left.last), samples.find((sample) => sample !== "") ?? "", project, fingerprint],
    );
  }
}

/** For a database of before samples went with their calls. */
export function refreshAllFingerprints(db: Database): void {
  const rows = db.all("SELECT project, fingerprint FROM fingerprints");
  refreshFingerprints(
    db,
    rows.map((row) => ({ project: String(row.project), fingerprint: String(row.fingerprint) })),
  );
}
