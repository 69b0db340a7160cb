import { afterEach, describe, expect, it } from "vitest";
import {
  type CapturedExchange,
  capturesExist,
  type LabeledResult,
  readCapture,
  readFrames,
  readLabels,
  whyNoCaptures,
} from "../support/captures.ts";
import { notRun } from "../support/not-run.ts";
import { send } from "../support/raw-http.ts";
import { eventsAfter, type RecordedEvent } from "../support/recorded-events.ts";
import { type Running, startBoth } from "../support/running.ts";
import type { Upstream } from "../support/upstream/start-upstream.ts";

let running: (Running & { readonly upstream: Upstream }) | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

/** Replays a client's requests in order through the real proxy, to an upstream that sends the captured responses. */
async function replay(exchanges: readonly CapturedExchange[]): Promise<readonly RecordedEvent[]> {
  const modelRequests = exchanges.filter(
    ({ response, url }) => response !== undefined && !url.includes("count_tokens"),
  );
  const respond = ({ nth }: { readonly nth: number }): NonNullable<CapturedExchange["response"]> =>
    modelRequests[nth]?.response as NonNullable<CapturedExchange["response"]>;
  // The captured sessions contain names in the wrong case, and what the clients answered to them.
  running = await startBoth(respond, { repair: { mode: "known", calls: { mode: "off" } } });
  const { server, upstream } = running;
  for (const { method, url, headers, body, response } of exchanges) {
    const got = await send(`${server.url}${url}`, { method, headers: { ...headers } }, body);
    if (response !== undefined && !url.includes("count_tokens")) {
      expect(got.status, got.body.toString()).toBe(200);
      expect(got.body.toString()).toBe(response.body);
    }
  }
  const posted = exchanges.filter(({ method }) => method === "POST");
  expect(upstream.requests.map(({ body }) => body.toString())).toEqual(posted.map(({ body }) => body));
  expect(upstream.rejections).toEqual([]);
  return eventsAfter(running, modelRequests.length, "tool_call_recorded");
}

/** Statuses allowed for a labeled result. */
function allowed({ client, name, truth, result }: LabeledResult): readonly string[] {
  // opencode sends no exit status: its shell output can prove a failure, never a success, and empty output proves
  // nothing.
  if (client.startsWith("opencode") && name.toLowerCase() === "bash") {
    if (truth === "failed") return result === "(no output)" ? ["unknown"] : ["failed"];
    return ["unknown", "ok"];
  }
  return truth === "ambiguous" ? ["unknown", "ok"] : [truth];
}

function expectLabels(recorded: readonly RecordedEvent[], client: string): void {
  const labels = readLabels().filter((label) => label.client === client);
  const statuses = new Map(recorded.map(({ tool_call_id, status }) => [tool_call_id, status]));
  for (const label of labels) expect(allowed(label), `${label.name} ${label.id}`).toContain(statuses.get(label.id));
  expect(statuses.size).toBe(labels.length);
}

function failed(recorded: readonly RecordedEvent[]): number {
  return recorded.filter(({ status }) => status === "failed").length;
}

/** Expects each call once, in one session. */
function expectOnce(recorded: readonly RecordedEvent[], results: number): void {
  const keys = recorded.map(({ agent_id, tool_call_id, occurrence }) => `${agent_id} ${tool_call_id} ${occurrence}`);
  expect(new Set(keys).size).toBe(results);
  expect(recorded).toHaveLength(results);
  expect(new Set(recorded.map(({ session_id }) => session_id)).size).toBe(1);
}

describe.skipIf(!capturesExist)(`captured clients${notRun(capturesExist ? undefined : whyNoCaptures)}`, () => {
  it.each([
    ["claude-code-2.1.197", 20, 13],
    ["codex-0.166-http", 20, 14],
    // One of its eleven failures has no output.
    ["opencode-1.18.33-chat", 17, 10],
  ])("%s: the labeled outcomes, each result once, even when everything is sent again", async (name, results, bad) => {
    const exchanges = readCapture(name);
    const recorded = await replay([...exchanges, ...exchanges]);
    expectOnce(recorded, results);
    expectLabels(recorded, name);
    expect(failed(recorded)).toBe(bad);
  });

  it("claude-agent: two ids in the root and in each of five subagents are twelve calls", async () => {
    const recorded = await replay(readCapture("claude-agent"));
    expectOnce(recorded, 12);
    expect(new Set(recorded.map(({ agent_id }) => agent_id)).size).toBe(6);
    expect(new Set(recorded.map(({ tool_call_id }) => tool_call_id)).size).toBe(2);
    expect(failed(recorded)).toBe(1);
  });

  it("claude-deny: a denied call has failed", async () => {
    const recorded = await replay(readCapture("claude-deny"));
    expectOnce(recorded, 3);
    expect(failed(recorded)).toBe(2);
  });

  it.each([
    ["Chat", "/v1/chat/completions", 4],
    ["Responses", "/v1/responses", 4],
    ["Messages", "/v1/messages", 3],
  ])("sdk on %s: a session is found without any id", async (_api, path, results) => {
    // The capture uses the same call ids in all three; they are separate calls, as in the original run.
    const recorded = await replay(readCapture("sdk").filter(({ url }) => url.startsWith(path)));
    expectOnce(recorded, results);
    expect(failed(recorded)).toBe(results);
  });

  it("codex-0.166-ws: its frames as requests, linked by previous_response_id alone", async () => {
    const frames = readFrames("codex-0.166-ws").map((frame) => ({
      ...frame,
      body: frame.body.replace(/"prompt_cache_key":"[^"]*",?/, ""),
    }));
    const recorded = await replay(frames);
    expectOnce(recorded, 20);
    expect(failed(recorded)).toBe(14);
    expect(recorded.every(({ tool_name }) => tool_name !== "unknown")).toBe(true);
    expectLabels(recorded, "codex-0.166-http");
  });
});
