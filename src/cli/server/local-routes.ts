import { join } from "node:path";
import { createDashboardFiles } from "../../api/dashboard-files.ts";
import type { ApiOptions } from "../../api/route.ts";
import type { Exporter } from "../../export/exporter.ts";
import { countSpool } from "../../hook/spool.ts";
import type { Hooks } from "../../hook/start-hooks.ts";
import type { SessionDeleter } from "../../ingest/deletion/session-deleter.ts";
import type { MachineImport } from "../../ingest/import/machine-import.ts";
import { type LocalRoutes, sendText } from "../../proxy/server.ts";
import { ownUpstreams } from "../../proxy/upstreams.ts";
import { commandLine, placeOptions } from "../command-line.ts";
import { packageRoot, version } from "../version.ts";
import type { RecordingPipeline } from "./recording-pipeline.ts";
import type { RepairServices } from "./repair-services.ts";
import type { ServerContext } from "./server-options.ts";

export interface ServerParts {
  readonly recording: RecordingPipeline;
  readonly repairing: RepairServices;
  readonly hooks: Hooks;
  readonly exporter: Exporter;
  readonly deleter: SessionDeleter;
  readonly machineImport: MachineImport | undefined;
}

/** Routes that the server handles itself: hooks, API, metrics, readiness and the dashboard. */
export function createLocalRoutes(context: ServerContext, parts: ServerParts): LocalRoutes {
  const { metrics, recorder } = parts.recording;
  return {
    hooks: parts.hooks.route,
    api: createLazyApi(apiOptions(context, parts)),
    async metrics(response) {
      const { contentType, text } = await metrics.render();
      response.writeHead(200, { "content-type": contentType });
      response.end(text);
    },
    ready(response) {
      // Without details: this route needs no token.
      if (recorder.storeProblem !== undefined || !context.isStoreOpen())
        sendText(response, 503, "the store is not available\n");
      else if (recorder.journalProblem !== undefined) sendText(response, 503, "the journal cannot be written\n");
      else sendText(response, 200, "ready\n");
    },
    dashboard: createDashboardFiles(join(packageRoot, "dist", "dashboard")),
  };
}

/** Loads the API with its schemas at its first request, because a server that only forwards never needs them. */
function createLazyApi(options: ApiOptions): LocalRoutes["api"] {
  let loading: Promise<LocalRoutes["api"]> | undefined;
  return async (request, response, url) => {
    loading ??= import("../../api/router.ts").then(({ createApi }) => createApi(options));
    // A later request tries again, for example when files can be opened again.
    const api = await loading.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    await api(request, response, url);
  };
}

function apiOptions({ options, folder, store, now, setAside }: ServerContext, parts: ServerParts): ApiOptions {
  const { observer, recorder, record, feed, slices, longReader } = parts.recording;
  const { deleter } = parts;
  const { control, guard, secondChance } = parts.repairing;
  const upstreams = [...options.upstreams.keys()];
  return {
    reader: store,
    setErrorState: (...args) => store.setErrorState(...args),
    repair: {
      status: () => control.status,
      upstreams,
      choose: (choice) => control.choose(choice),
    },
    guard: { status: () => guard.status, upstreams, choose: (choice) => guard.choose(choice) },
    secondChance: {
      status: () => secondChance.status,
      upstreams,
      choose: (choice) => secondChance.choose(choice),
    },
    ingest: {
      ...{ observer, record, slices },
      unappliedBytes: () => recorder.unappliedBytes,
      readLong: (line, arrival) => longReader.ingestLine(line, arrival),
    },
    exportControl: parts.exporter,
    ...(parts.machineImport !== undefined && { machineImport: parts.machineImport }),
    subscribe: (listener) => feed.subscribe(listener),
    deleter: {
      session: (project, id) => deleter.deleteSession(project, id),
      before: (at) => deleter.deleteOlder(at),
    },
    status: () => ({
      version,
      command: commandLine("").trim(),
      command_options: placeOptions({ data: folder.path }),
      upstreams: ownUpstreams(options.upstreams.values()).llm,
      ...recorder.totals,
      unapplied_bytes: recorder.unappliedBytes,
      store_problem: recorder.storeProblem ?? null,
      set_aside: setAside() ?? null,
      deleting: deleter.progress ?? null,
      journal_problem: recorder.journalProblem ?? null,
      import: parts.machineImport?.status ?? null,
    }),
    prices: options.prices,
    spool: () => countSpool(folder.spool),
    now,
  };
}
