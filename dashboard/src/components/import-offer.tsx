import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FoundTranscriptsResponse, StatusResponse } from "../../../src/api/server-status.ts";
import { bytes, count } from "../format.ts";
import { getJson } from "../get-json.ts";
import { refresh, useQuery } from "../queries.ts";

const PROGRESS_MS = 500;

/** For an empty store: imports the transcripts of this machine's coding agents with one click. */
export function ImportOffer() {
  const { value: found } = useQuery<FoundTranscriptsResponse>("/api/import");
  const { value: status } = useQuery<StatusResponse>("/api/status");
  const problem = useSignal("");
  const last = status?.import ?? undefined;
  if (found === undefined || found.files === 0 || last?.state === "running") return null;
  const start = async (): Promise<void> => {
    try {
      await getJson("/api/import", { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
      problem.value = "";
    } catch (error) {
      problem.value = (error as Error).message;
    }
    await refresh();
  };
  const transcripts = found.files === 1 ? "1 transcript" : `${count(found.files)} transcripts`;
  return (
    <div class="import-offer">
      <p>
        Found {transcripts} of coding agents on this machine ({bytes(found.bytes)}).
      </p>
      <button type="button" class="wide" onClick={() => void start()}>
        Import {transcripts}
      </button>
      <output class="tone-bad">{problem.value || last?.problem}</output>
      {last?.state === "done" && <output>No tool calls found in these transcripts.</output>}
    </div>
  );
}

/** Shown on every page while an import runs and fills the page. */
export function ImportProgress({ status }: { readonly status: StatusResponse["import"] | undefined }) {
  const isRunning = status?.state === "running";
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => void refresh(), PROGRESS_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (status === null || status === undefined || !isRunning) return null;
  const { files, files_total, bytes: done, bytes_total, calls } = status;
  return (
    <div class="notice">
      <label class="import-progress">
        Importing transcripts
        <progress max={Math.max(1, bytes_total)} value={done} />
        <span class="faint">
          {count(files)} of {count(files_total)} files, {count(calls)} calls
        </span>
      </label>
    </div>
  );
}
