import { searchWords } from "../../core/model/session-name.ts";
import { MAX_FOUND_SESSIONS, MAX_SEARCHED_FAILURES, NEWEST_FOR_TEXT } from "../limits.ts";
import type { Dialect } from "./dialect.ts";
import type { QueryRow, QueryValue, SqlDriver } from "./driver.ts";
import { padToPowerOfTwo } from "./pad.ts";

type Part = readonly [sql: string, ...values: QueryValue[]];

/** Values of calls by which a text finds all sessions. */
const PREFIX_FACETS = ["tool", "model", "category", "workflow"] as const;
const MAX_ERRORS = 16;
const MAX_CALLS_PER_ERROR = 100;

/**
 * The sessions that a text finds, as a FROM item without alias. Every part has an index or a bound, so that the cost
 * does not depend on the number of sessions.
 */
export async function sessionsWithText(
  db: SqlDriver,
  dialect: Dialect,
  text: string,
): Promise<readonly [table: string, values: readonly QueryValue[]]> {
  const like = `%${text.replace(/[\\%_]/g, (found) => `\\${found}`)}%`;
  const parts = [
    idPart(text),
    ...namePart(text),
    ...PREFIX_FACETS.map((kind) => facetPart(kind, text)),
    newestPart(dialect, like),
    failurePart(dialect, like),
    ...(await errorParts(db, dialect, like)),
  ];
  const keys = parts.map(([sql], at) => `SELECT * FROM (${sql}) AS part${at}`).join(" UNION ");
  return [
    `(SELECT s.* FROM (${keys}) AS k ${dialect.joinFromLeft} sessions s ON s.project = k.project AND s.session_id = k.session_id)`,
    parts.flatMap(([, ...values]) => values),
  ];
}

function idPart(text: string): Part {
  return [
    `SELECT project, session_id FROM sessions WHERE session_id >= ? AND session_id < ?
     ORDER BY session_id LIMIT ${MAX_FOUND_SESSIONS}`,
    ...prefixRange(text),
  ];
}

/** Sessions whose name (folder, branch, client, task) has words that start with all words of the text. */
function namePart(text: string): readonly Part[] {
  const [first, ...others] = [...searchWords(text)].sort((a, b) => b.length - a.length);
  if (first === undefined) return [];
  const has = `EXISTS (SELECT 1 FROM session_facets o WHERE o.project = w.project AND o.session_id = w.session_id
    AND o.kind = 'word' AND o.value >= ? AND o.value < ?)`;
  return [
    [
      `SELECT w.project, w.session_id FROM session_facets w WHERE w.kind = 'word' AND w.value >= ? AND w.value < ?
       ${others.map(() => `AND ${has}`).join(" ")} LIMIT ${MAX_FOUND_SESSIONS}`,
      ...[first, ...others].flatMap(prefixRange),
    ],
  ];
}

function facetPart(kind: (typeof PREFIX_FACETS)[number], text: string): Part {
  return [
    `SELECT project, session_id FROM session_facets WHERE kind = '${kind}' AND value >= ? AND value < ?
     LIMIT ${MAX_FOUND_SESSIONS}`,
    ...prefixRange(text),
  ];
}

function prefixRange(text: string): readonly [from: string, until: string] {
  return [text, `${text}\u{10ffff}`];
}

/** In the newest sessions, the text is found anywhere in a name, not only at its beginning. */
function newestPart(dialect: Dialect, like: string): Part {
  const matches = `${dialect.like} ? ESCAPE '\\'`;
  return [
    `SELECT s.project, s.session_id FROM (SELECT * FROM sessions ORDER BY last_at DESC LIMIT ${NEWEST_FOR_TEXT}) AS s
     WHERE s.session_id ${matches} OR s.client ${matches} OR s.provider ${matches} OR EXISTS (
       SELECT 1 FROM session_facets f WHERE f.project = s.project AND f.session_id = s.session_id AND f.calls > 0
       AND f.kind <> 'severity' AND f.value ${matches})`,
    ...[like, like, like, like],
  ];
}

/** Sessions of the newest failures whose message contains the text. */
function failurePart(dialect: Dialect, like: string): Part {
  return [
    `SELECT project, session_id FROM (
       SELECT project, session_id, status_message FROM calls WHERE error_count = 1 AND settled_at > 0
       ORDER BY settled_at DESC LIMIT ${MAX_SEARCHED_FAILURES}) AS newest
     WHERE newest.status_message ${dialect.like} ? ESCAPE '\\'`,
    like,
  ];
}

/** Sessions with an error whose sample contains the text, however old. */
async function errorParts(db: SqlDriver, dialect: Dialect, like: string): Promise<readonly Part[]> {
  const errors = await db.all(
    `SELECT project, fingerprint FROM fingerprints WHERE sample ${dialect.like} ? ESCAPE '\\'
     ORDER BY last_at DESC LIMIT ${MAX_ERRORS}`,
    like,
  );
  if (errors.length === 0) return [];
  return padToPowerOfTwo<QueryRow>(errors).map(
    ({ project, fingerprint }): Part => [
      `SELECT project, session_id FROM calls WHERE project = ? AND fingerprint = ? AND error_count = 1
       ORDER BY settled_at DESC LIMIT ${MAX_CALLS_PER_ERROR}`,
      ...[String(project), String(fingerprint)],
    ],
  );
}
