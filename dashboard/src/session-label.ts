import { sessionName } from "../../src/core/model/session-name.ts";
import { shortId } from "./format.ts";

interface NamedSession {
  readonly session_id: string;
  readonly client: string | null;
  readonly model_used: string | null;
  readonly folder: string | null;
  readonly branch: string | null;
}

/** Folder, branch and client; without a folder the client or model, and a short id. */
export function labelOf({ session_id, client, model_used, folder, branch }: NamedSession): string {
  if (folder !== null) return sessionName({ folder, branch, client }) ?? folder;
  const id = shortId(session_id.replace(/^derived-/, ""));
  return sessionName({ folder: sessionName({ client }) ?? model_used, branch: id }) ?? session_id;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const DAY_MS = 86_400_000;

/** The time of a start: `14:05` for the last hours, `Mar 10, 14:05` for earlier ones. */
export function startText(at: number, now: number): string {
  return now - at < DAY_MS / 2 ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`;
}

/** How long a session lasted: `40 s`, `12 min`, `3 h 5 min`. */
export function spanText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.round(ms / 1000)} s`;
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
