import { type Fields, isObject, omitUndefined, parseJson, text } from "../../core/wire/json.ts";
import type { RawResult } from "../../ingest/observe/observe-call.ts";
import type { TimedEvent } from "./transcript-event.ts";

/** The client's own tables. Read in the order in which they were written, so that prompts precede their calls. */
const parts = (where: string): string =>
  `SELECT p.session_id AS session, p.message_id AS message, p.time_created AS at, p.data AS part, m.data AS info
  FROM part p JOIN message m ON m.id = p.message_id ${where}
  ORDER BY p.session_id, p.time_created, p.id`;

/** Sessions are read whole: a call belongs to the prompt before it. */
const CHANGED = "WHERE p.session_id IN (SELECT session_id FROM part WHERE time_updated >= ?)";

export interface DatabaseOptions {
  /** Reads only sessions that changed since this time, in ms. */
  readonly since?: number | undefined;
  /** Called with the time of the last change that is read. Not called for tables without such times. */
  readonly onChangedAt?: ((time: number) => void) | undefined;
}

/**
 * Reads opencode's database, the only place with the exit codes of its commands. The client keeps using it: it is
 * opened read-only, and read in one transaction.
 */
export async function* readOpencodeDatabase(
  path: string,
  { since, onChangedAt }: DatabaseOptions = {},
): AsyncGenerator<TimedEvent> {
  // Imported here, because Node prints a warning for the module in some versions.
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    let session: unknown;
    const hasTimes = database.prepare("SELECT 1 FROM pragma_table_info('part') WHERE name = 'time_updated'").get();
    // Read before the parts: changes made meanwhile are read next time.
    const last = hasTimes && database.prepare("SELECT max(time_updated) AS at FROM part").get()?.at;
    if (typeof last === "number") onChangedAt?.(last);
    const rows =
      hasTimes === undefined || since === undefined
        ? database.prepare(parts("")).iterate()
        : database.prepare(parts(CHANGED)).iterate(since);
    for (const row of rows) {
      if (row.session !== session) {
        session = row.session;
        yield { kind: "session", session: String(session) };
      }
      yield* partEvents(row);
    }
  } finally {
    database.close();
  }
}

function* partEvents(row: Fields): Generator<TimedEvent> {
  const [part, info] = [parsed(row.part), parsed(row.info)];
  const at = typeof row.at === "number" ? row.at : undefined;
  const message = text(row.message) ?? "";
  if (part.type === "text" && info.role === "user" && part.synthetic !== true)
    yield { kind: "prompt", text: text(part.text) ?? "", id: message, at };
  if (part.type !== "tool") return;
  const state = isObject(part.state) ? part.state : {};
  const id = text(part.callID) ?? "";
  yield { kind: "model", model: text(info.modelID), provider: text(info.providerID), at };
  yield { ...calledAs(part, state), kind: "call", id, message, at };
  const result = opencodeResult(state);
  if (result === undefined) return;
  const { start, end } = isObject(state.time) ? state.time : {};
  const measured = typeof start === "number" && typeof end === "number" && end >= start;
  yield { kind: "result", id, result, at: measured ? end : at, executionMs: measured ? end - start : undefined };
}

/** A call that does not fit is renamed; the arguments contain its real name. */
function calledAs(
  { tool }: Fields,
  { input }: Fields,
): { readonly name: string | undefined; readonly arguments: unknown } {
  const real = tool === "invalid" && isObject(input) ? text(input.tool) : undefined;
  return real === undefined ? { name: text(tool), arguments: input } : { name: real, arguments: undefined };
}

/** The result in a state of a tool part, as in events of the plugin; undefined while the tool runs. */
export function opencodeResult(state: Fields): RawResult | undefined {
  if (state.status === "error") return { content: state.error, is_error: true };
  if (state.status !== "completed") return undefined;
  const exit = isObject(state.metadata) ? state.metadata.exit : undefined;
  return { content: state.output, ...omitUndefined({ exitCode: typeof exit === "number" ? exit : undefined }) };
}

function parsed(value: unknown): Fields {
  const fields = parseJson(text(value) ?? "");
  return isObject(fields) ? fields : {};
}
