// Observes values that would block the event loop: `JSON.parse` cannot be sliced.
import { parentPort, workerData } from "node:worker_threads";
import { readIngestLine } from "../../api/ingest-lines.ts";
import { readEvent } from "../../hook/agents.ts";
import { toObservations } from "../../hook/hook-event.ts";
import { CallObserver, type ObserverSettings } from "../../ingest/observe/observe-call.ts";
import type { ObserveResult, ObserveTask } from "./observe-thread.ts";

const port = parentPort;
if (port === null) throw new Error("observe-worker.ts runs only as a worker thread");

const observer = new CallObserver(workerData as ObserverSettings);

port.on("message", ({ id, task }: { readonly id: number; readonly task: ObserveTask }) => {
  port.postMessage({ id, result: observe(task) });
});

function observe(task: ObserveTask): ObserveResult {
  try {
    if (task.kind === "ingest-line") return { kind: "line", read: readIngestLine(task.line, observer, task.arrival) };
    const event = readEvent(task.agent, task.body, { ...task.moment, hash: observer.hash });
    if (event.kind === "unreadable") return event;
    const { rawObservations, transcripts = [] } = event;
    return { kind: "event", observations: toObservations(rawObservations, observer), transcripts };
  } catch {
    return { kind: "unreadable", reason: "it cannot be read" };
  }
}
