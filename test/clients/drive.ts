import type { ServerOptions } from "../../src/cli/server/server-options.ts";
import { type Running, startBoth } from "../support/running.ts";
import type { Script } from "../support/upstream/script.ts";
import type { ReceivedRequest } from "../support/upstream/start-upstream.ts";
import type { DrivenClient } from "./driven-client.ts";
import { installClient } from "./install-client.ts";
import { type ClientHome, type ClientRun, createHome, runClient } from "./run-client.ts";

/** A client with an empty home, the real server, and the scripted model behind it. */
export interface DrivenRun extends Running {
  readonly home: ClientHome;
  /** What reached the model. */
  readonly requests: readonly ReceivedRequest[];
  run(prompt?: string): Promise<ClientRun>;
  /** Goes on with the last session. */
  goOn(prompt: string): Promise<ClientRun>;
}

export const PROMPT = "Look around in this folder, please.";

export interface DriveOptions extends Partial<ServerOptions> {
  readonly moreArguments?: readonly string[];
}

export async function drive(
  client: DrivenClient,
  script: Script,
  { moreArguments = [], ...options }: DriveOptions = {},
  home: ClientHome = createHome(),
): Promise<DrivenRun> {
  const program = await installClient(client);
  const both = await startBoth(script, options, { flavor: "local" });
  client.configure?.(home, both.url);
  const started = { url: both.url, folders: home };
  const run = (args: readonly string[]): Promise<ClientRun> =>
    runClient(client, program, [...args, ...moreArguments], started);
  return {
    ...both,
    home,
    requests: both.upstream.requests,
    run: (prompt = PROMPT) => run(client.arguments(prompt)),
    goOn: (prompt) => run(client.continueArguments?.(prompt) ?? client.arguments(prompt)),
    async close() {
      await both.close();
      if (process.env.TOOLMEND_KEEP_HOMES === undefined) home.remove();
    },
  };
}
