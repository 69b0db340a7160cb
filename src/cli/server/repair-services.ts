import { messageOf } from "../../core/model/errors.ts";
import { GuardControl } from "../../proxy/guard/guard-control.ts";
import { CallVault } from "../../proxy/repair/call-vault.ts";
import { PendingRepairedCalls } from "../../proxy/repair/pending-repaired-calls.ts";
import { RepairControl } from "../../proxy/repair/repair-control.ts";
import { RepairWatch } from "../../proxy/repair/repair-watch.ts";
import { SecondChanceControl } from "../../proxy/second-chance/second-chance-control.ts";
import { readRuntimeSettings, saveRuntimeSettings } from "../runtime-settings.ts";
import { ServerSync } from "../server-sync.ts";
import type { RecordingPipeline } from "./recording-pipeline.ts";
import type { ServerContext } from "./server-options.ts";
import { readOrCreateStateKey } from "./state-key.ts";

/** Which calls to repair, whether upstreams accept them, and how servers of one store share overrides. */
export interface RepairServices {
  readonly control: RepairControl;
  readonly guard: GuardControl;
  readonly secondChance: SecondChanceControl;
  readonly watch: RepairWatch;
  readonly serverState: PendingRepairedCalls;
  /** Undefined without a shared store. */
  readonly others: ServerSync | undefined;
  /** Loads suspensions and pending repaired calls of earlier runs and of other servers of the store. */
  load(): Promise<void>;
  loadSuspensions(): Promise<void>;
}

/** Servers that share a store must have the same key, so there it comes only from the environment. */
function createVault({ options, folder, store }: ServerContext): CallVault | undefined {
  const key = options.stateKey ?? (store.shared === undefined ? readOrCreateStateKey(folder.stateKey) : undefined);
  return key === undefined ? undefined : new CallVault(store, key);
}

export function createRepairServices(
  context: ServerContext,
  { observer, record, stored, feed }: RecordingPipeline,
): RepairServices {
  const { options, folder, store, now } = context;
  const { logger } = options;
  const saved = readRuntimeSettings(folder);
  const control = new RepairControl({
    config: options.repair ?? { mode: "known" },
    overrides: saved.repair,
    now,
    save(repair) {
      saveRuntimeSettings(folder, { repair });
      others?.publish("repair", repair);
    },
  });
  const guard = new GuardControl({
    config: options.guard ?? { mode: "observe" },
    overrides: saved.guard,
    now,
    save(overrides) {
      saveRuntimeSettings(folder, { guard: overrides });
      others?.publish("guard", overrides);
    },
  });
  const secondChance = new SecondChanceControl({
    config: options.secondChance ?? { mode: "off" },
    overrides: saved.secondChance,
    now,
    save(overrides) {
      saveRuntimeSettings(folder, { secondChance: overrides });
      others?.publish("secondChance", overrides);
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
        "the upstream rejected a repaired call, so repair is suspended for this session and model",
      ),
    onProblem: (problem) =>
      logger.warn({ problem }, "a request that the upstream rejected could not be searched for repaired calls"),
  });
  const serverState = new PendingRepairedCalls({
    now,
    shared: store.shared === undefined ? undefined : { reader: store, waitUntilStored: stored },
    vault: createVault(context),
    onProblem: (error) =>
      logger.warn({ problem: messageOf(error) }, "the arguments of a repaired call could not be stored or deleted"),
  });

  const loadSuspensions = (): Promise<void> =>
    watch
      .load()
      .catch((error: unknown) =>
        logger.warn({ problem: messageOf(error) }, "the models for which repair is suspended could not be read"),
      );
  const others =
    store.shared === undefined
      ? undefined
      : new ServerSync({
          shared: store.shared,
          onChange: () => void feed.drain(),
          onPoll: () => void loadSuspensions(),
          now,
          onOverrides: {
            repair: ({ repair }) => control.adopt(repair),
            guard: ({ guard: overrides }) => guard.adopt(overrides),
            secondChance: ({ secondChance: overrides }) => secondChance.adopt(overrides),
          },
          onProblem: (problem) => logger.warn({ problem }, "settings of other servers on this store could not be read"),
        });
  return {
    ...{ control, guard, secondChance, watch, serverState, others, loadSuspensions },
    async load() {
      await loadSuspensions();
      await serverState
        .load(store)
        .catch((error: unknown) =>
          logger.warn({ problem: messageOf(error) }, "repaired calls that wait for a result could not be read"),
        );
    },
  };
}
