import { PendingRepairedCalls } from "../../proxy/repair/pending-repaired-calls.ts";
import { RepairControl } from "../../proxy/repair/repair-control.ts";
import { RepairWatch } from "../../proxy/repair/repair-watch.ts";
import { readRepairChoices, saveRepairChoices } from "../runtime-settings.ts";
import { ServerSync } from "../server-sync.ts";
import type { RecordingPipeline } from "./recording-pipeline.ts";
import type { ServerContext } from "./server-context.ts";

/** What may be mended, whether upstreams take it back, and how servers of one store agree about it. */
export interface RepairServices {
  readonly control: RepairControl;
  readonly watch: RepairWatch;
  readonly serverState: PendingRepairedCalls;
  /** Absent where no other server can be. */
  readonly others: ServerSync | undefined;
  /** What earlier runs, and others at the same store, have learned. */
  load(): Promise<void>;
  lookForSuspensions(): Promise<void>;
}

export function createRepairServices(
  ground: ServerContext,
  { observer, record, stored, feed }: RecordingPipeline,
): RepairServices {
  const { options, folder, store, now } = ground;
  const { logger } = options;
  const control = new RepairControl({
    config: options.repair ?? { mode: "known" },
    overrides: readRepairChoices(folder),
    now,
    save(choices) {
      saveRepairChoices(folder, choices);
      others?.tellChoices(choices);
    },
  });
  const watch = new RepairWatch({
    reader: store,
    control,
    waitUntilStored: stored,
    record,
    redactText: (text) => observer.captureText(text, "message"),
    onSuspended: ({ provider, model, http_status, message, request_id }) =>
      logger.warn(
        { name: "agent:sanitizer", provider, model, http_status, problem: message, request_id },
        "the upstream did not take back a mended call: repair is suspended",
      ),
    onProblem: (problem) => logger.warn({ problem }, "a refused request could not be looked into"),
  });
  const serverState = new PendingRepairedCalls(
    now,
    store.shared === undefined ? undefined : { reader: store, waitUntilStored: stored },
  );

  const lookForSuspensions = (): Promise<void> =>
    watch.load().catch((error: Error) => logger.warn({ problem: error.message }, "suspensions could not be read"));
  const others =
    store.shared === undefined
      ? undefined
      : new ServerSync({
          shared: store.shared,
          onNews: () => void feed.drain(),
          onLook: () => void lookForSuspensions(),
          now,
          onChoices: (choices) => control.adopt(choices),
          onProblem: (problem) => logger.warn({ problem }, "other servers could not be asked"),
        });
  return {
    ...{ control, watch, serverState, others, lookForSuspensions },
    async load() {
      await lookForSuspensions();
      await serverState
        .load(store)
        .catch((error: Error) => logger.warn({ problem: error.message }, "open mended calls could not be read"));
    },
  };
}
