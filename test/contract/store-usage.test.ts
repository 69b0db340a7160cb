import { expect, it } from "vitest";
import type { UsageObservation } from "../../src/core/model/observation.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { callObservation, NOON, responseObservation, result } from "../support/observations.ts";

const CLAUDE = { client: "claude-code", provider: "anthropic", model: "opus", response_id: "msg_1" } as const;
const USAGE = { input_tokens: 800, output_tokens: 25, cached_tokens: 700, cache_write_tokens: 90 };
const COLUMNS = { ...USAGE, reasoning_tokens: null };
const NONE = {
  ...{ input_tokens: null, output_tokens: null, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null },
};

const fromTranscript = (fields: Partial<UsageObservation> = {}): UsageObservation => ({
  ...{ v: 1, kind: "usage", project: "default", session_id: "s1", agent_id: "root", source: "transcript" },
  ...{ occurred_at: NOON, seen_at: NOON, live: false, ...CLAUDE, usage: USAGE },
  ...fields,
});

/** Tokens of the session as its row has them. */
async function sessionTokens(id = "s1"): Promise<object | undefined> {
  const row = (await store.sessions({})).find(({ session_id }) => session_id === id);
  if (row === undefined) return undefined;
  const { input_tokens, output_tokens, cached_tokens, cache_write_tokens, reasoning_tokens } = row;
  return { input_tokens, output_tokens, cached_tokens, cache_write_tokens, reasoning_tokens };
}

describeEveryStore("tokens in a store", () => {
  it("tokens are reported by response, session, model, provider and day", async () => {
    await apply(
      responseObservation({ ...CLAUDE, usage: USAGE, turn: "toolu_a", request_id: "r1" }),
      responseObservation({
        ...{ request_id: "r2", provider: "openai", model: "gpt", occurred_at: NOON + 86_400_000 },
        usage: { input_tokens: 10, output_tokens: 5, reasoning_tokens: 4 },
      }),
    );
    expect(await sessionTokens()).toEqual({
      ...{ input_tokens: 810, output_tokens: 30, cached_tokens: 700, cache_write_tokens: 90, reasoning_tokens: 4 },
    });
    const gpt = { ...NONE, responses: 1, input_tokens: 10, output_tokens: 5, reasoning_tokens: 4 };
    const opus = { ...COLUMNS, responses: 1 };
    expect(await store.usage("model", {})).toEqual([
      { key: "gpt", ...gpt },
      { key: "opus", ...opus },
    ]);
    const s1 = { project: "default", session_id: "s1" };
    expect(await store.sessionUsage([{ ...s1, project: "other" }, s1])).toEqual([
      { ...s1, model: "gpt", ...NONE, input_tokens: 10, output_tokens: 5, reasoning_tokens: 4 },
      { ...s1, model: "opus", ...COLUMNS },
    ]);
    expect(await store.sessionUsage([])).toEqual([]);
    expect(await store.usage("provider", {})).toEqual([
      { key: "anthropic", ...opus },
      { key: "openai", ...gpt },
    ]);
    expect(await store.usage("day", {})).toEqual([
      { key: "2026-03-10", ...opus },
      { key: "2026-03-11", ...gpt },
    ]);
    expect(await store.usage("all", { until: NOON + 3_600_000 })).toEqual([{ key: "all", ...opus }]);
    expect(await store.usage("all", { model: "gpt" })).toEqual([{ key: "all", ...gpt }]);
    expect(await store.turns("default", "s1")).toMatchObject([
      { turn: "toolu_a", request_id: "r1", model_name: "opus", provider: "anthropic", agent_id: "root", ...COLUMNS },
      { turn: null, request_id: "r2", model_name: "gpt", at: "2026-03-11T12:00:00.000Z", output_tokens: 5 },
    ]);
    expect(await store.turns("default", "s1", { offset: 1, limit: 1 })).toMatchObject([{ request_id: "r2" }]);
  });

  it("tokens are unknown, not 0, where no response reported them", async () => {
    await apply(callObservation({ result: result("fine") }), responseObservation({ request_id: "r1" }));
    expect(await sessionTokens()).toEqual(NONE);
    expect(await store.usage("all", {})).toEqual([]);
    expect(await store.turns("default", "s1")).toEqual([]);
  });

  it("tokens count for the session also if the response made no call", async () => {
    await apply(responseObservation({ ...CLAUDE, usage: USAGE, tool_call_ids: [] }));
    expect(await sessionTokens()).toEqual(COLUMNS);
  });

  it("tokens are counted once when the same lines are applied again", async () => {
    const response = responseObservation({ ...CLAUDE, usage: USAGE });
    const first = await apply(response);
    const second = await apply(response);
    expect(first.tokens).toEqual([
      { model: "opus", kind: "input", tokens: 800 },
      { model: "opus", kind: "output", tokens: 25 },
      { model: "opus", kind: "cached", tokens: 700 },
      { model: "opus", kind: "cache_write", tokens: 90 },
    ]);
    expect(second.tokens).toEqual([]);
    expect(await sessionTokens()).toEqual(COLUMNS);
  });

  it("tokens are counted twice for two responses to the same request of a client that retries", async () => {
    const usage = { input_tokens: 10, output_tokens: 5 };
    // Some servers give several responses the same id.
    const id = { response_id: "chatcmpl-7", client: "plain" };
    await apply(
      responseObservation({ ...id, request_id: "r1", usage }),
      responseObservation({ ...id, request_id: "r2", usage }),
    );
    expect(await sessionTokens()).toEqual({ ...NONE, input_tokens: 20, output_tokens: 10 });
  });

  it.each([
    ["proxy first", false],
    ["transcript first", true],
  ])(
    "tokens are counted once if the proxy and a Claude Code transcript report a response, %s",
    async (_order, reversed) => {
      const response = responseObservation({ ...CLAUDE, usage: USAGE, request_id: "r1" });
      // The client writes one line per block, at first with the output so far.
      const transcript = [
        fromTranscript({ occurred_at: NOON - 5, usage: { ...USAGE, output_tokens: 1 } }),
        fromTranscript({ occurred_at: NOON - 4, turn: "toolu_a" }),
      ];
      const both = [response, ...transcript];
      for (const one of reversed ? both.reverse() : both) await apply(one);
      expect(await sessionTokens()).toEqual(COLUMNS);
      expect(await store.usage("model", {})).toEqual([{ key: "opus", responses: 1, ...COLUMNS }]);
      expect(await store.turns("default", "s1")).toMatchObject([
        { turn: "toolu_a", request_id: "r1", at: "2026-03-10T11:59:59.995Z", ...COLUMNS },
      ]);
    },
  );

  it("tokens are counted once if the proxy and a Codex rollout report a response", async () => {
    const usage = { input_tokens: 100, output_tokens: 40, cached_tokens: 64, reasoning_tokens: 30 };
    const codex = { client: "codex", provider: "openai", model: "gpt-5" };
    await apply(responseObservation({ ...codex, request_id: "r1", response_id: "resp_1", usage }));
    const { response_id: _none, ...line } = fromTranscript({ ...codex, usage });
    await apply(line, { ...line, usage: { ...usage, input_tokens: 150 } });
    expect(await sessionTokens()).toEqual({
      ...{ input_tokens: 250, output_tokens: 80, cached_tokens: 128, cache_write_tokens: null, reasoning_tokens: 60 },
    });
    expect(await store.usage("all", {})).toMatchObject([{ responses: 2, input_tokens: 250 }]);
  });

  it("tokens move to the model that the proxy reports", async () => {
    await apply(fromTranscript({ model: "alias" }));
    expect(await store.usage("model", {})).toMatchObject([{ key: "alias", responses: 1 }]);
    await apply(responseObservation({ ...CLAUDE, usage: USAGE }));
    expect(await store.usage("model", {})).toEqual([{ key: "opus", responses: 1, ...COLUMNS }]);
  });

  it("tokens are removed with their session, and subtracted from all sums", async () => {
    await apply(
      responseObservation({ ...CLAUDE, usage: USAGE }),
      responseObservation({ session_id: "s2", request_id: "r2", model: "gpt", usage: { input_tokens: 7 } }),
    );
    await store.deleteSession("default", "s1", NOON + 1);
    expect(await sessionTokens()).toBeUndefined();
    expect(await store.turns("default", "s1")).toEqual([]);
    expect(await store.usage("model", {})).toEqual([{ key: "gpt", responses: 1, ...NONE, input_tokens: 7 }]);
    expect(await store.usage("day", {})).toMatchObject([{ key: "2026-03-10", responses: 1, input_tokens: 7 }]);
  });

  it("tokens are removed by retention, which keeps the sums", async () => {
    await apply(responseObservation({ ...CLAUDE, usage: USAGE }));
    await store.deleteBefore(NOON + 1, 10, NOON + 2);
    expect(await store.turns("default", "s1")).toEqual([]);
    expect(await store.usage("all", {})).toEqual([{ key: "all", responses: 1, ...COLUMNS }]);
  });

  it("tokens are unknown where a source sends negative numbers or fractions", async () => {
    await apply(responseObservation({ usage: { input_tokens: -5, output_tokens: 2.5 } }));
    await apply(responseObservation({ request_id: "r2", usage: { input_tokens: -5, output_tokens: 3 } }));
    expect(await sessionTokens()).toEqual({ ...NONE, output_tokens: 3 });
  });

  it("tokens are rejected without an identity, by which they could be counted once", async () => {
    const { response_id: _none, ...line } = fromTranscript();
    const { rejected } = await apply(line);
    expect(rejected.map(({ reason }) => reason)).toEqual(["response_id is missing"]);
  });
});
