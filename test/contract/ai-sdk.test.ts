import { afterEach, describe, expect, it } from "vitest";
import { mendFetch } from "../../src/adapters/fetch/index.ts";
import { AI_SDK_PROVIDERS, type AiSdkRun, aiSdkModel, runAiSdk } from "../support/ai-sdk-clients.ts";
import { LEAKS } from "../support/leaks.ts";
import { type Running, startInFrontOf } from "../support/running.ts";
import { inOrder } from "../support/upstream/script.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";
import { call, type ModelTurn, respond, think } from "../support/upstream/turn.ts";

// The Vercel AI SDK runs its own loop: it must execute a repaired call, and the upstream must accept the next request.

const DONE = respond("The file says hello.");
const turn = (text: string, characters = 5): ModelTurn => ({ ...respond(text), chunking: { characters } });

let upstream: Upstream;
let proxy: Running | undefined;
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  await upstream.close();
});

const VARIANTS = AI_SDK_PROVIDERS.flatMap((provider) =>
  (["proxy", "mendFetch"] as const).flatMap((through) =>
    [false, true].map((stream) => [provider, through, stream] as const),
  ),
);

describe.each(VARIANTS)("%s through %s, stream %s", (provider, through, stream) => {
  async function run(turns: readonly ModelTurn[], page?: string): Promise<AiSdkRun> {
    upstream = await startUpstream({ script: inOrder(...turns) });
    if (through === "proxy") proxy = await startInFrontOf(upstream.url);
    const model = aiSdkModel(provider, proxy?.url ?? upstream.url, through === "proxy" ? undefined : mendFetch());
    return runAiSdk({ model, stream, ...(page !== undefined && { page }) });
  }

  it.each(Object.entries(LEAKS))("executes a call leaked as %s and continues", async (_, leak) => {
    const ran = await run([turn(`Let me look. ${leak}`), turn(leak), DONE]);
    expect(ran.executed).toEqual([{ path: "a.txt" }, { path: "a.txt" }]);
    expect(ran.steps).toEqual([
      { text: "Let me look.", finishReason: "tool-calls", calls: ["read"] },
      { text: "", finishReason: "tool-calls", calls: ["read"] },
      { text: "The file says hello.", finishReason: "stop", calls: [] },
    ]);
    if (stream) expect(ran.streamed).toBe("Let me look.The file says hello.");
    expect([upstream.requests.length, upstream.rejections]).toEqual([3, []]);
  });

  it("executes several leaked calls of a turn that starts with reasoning", async () => {
    const ran = await run([respond(think("Hm."), `${LEAKS.hermes}\n${LEAKS.hermes.replace("a.txt", "b.txt")}`), DONE]);
    expect(ran.executed).toEqual([{ path: "a.txt" }, { path: "b.txt" }]);
    expect(upstream.rejections).toEqual([]);
  });

  it("does not execute echoed calls or leaks beside a native call", async () => {
    const quoted = await run([turn(`It says: ${LEAKS.hermes}`)], `A page:\n> ${LEAKS.hermes.replaceAll("\n", "\n> ")}`);
    expect(quoted.executed).toEqual([]);
    expect(quoted.text).toBe(`It says: ${LEAKS.hermes}`);
    await upstream.close();
    await proxy?.close();
    const beside = await run([respond(LEAKS.hermes, call("read", { path: "b.txt" })), DONE]);
    expect(beside.executed).toEqual([{ path: "b.txt" }]);
    expect(upstream.rejections).toEqual([]);
  });
});
