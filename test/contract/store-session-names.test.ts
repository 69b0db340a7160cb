import { expect, it } from "vitest";
import type { CallObservation, Observation, SessionObservation } from "../../src/core/model/observation.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { callObservation, FAILED, NOON, OK, requestObservation, result } from "../support/observations.ts";

function base(session_id: string, minute: number) {
  const { v, project, agent_id, source, live } = requestObservation();
  const at = NOON + minute * 60_000;
  return { v, project, agent_id, source, live, session_id, occurred_at: at, seen_at: at } as const;
}

function started(session_id: string, minute: number, names: Partial<SessionObservation>): SessionObservation {
  return { ...base(session_id, minute), kind: "session", event: "started", ...names };
}

const prompt = (session_id: string, minute: number, text: string): Observation => ({
  ...base(session_id, minute),
  kind: "prompt",
  prompt: `p${minute}`,
  text,
});

const call = (session_id: string, fields: Partial<CallObservation> = {}): CallObservation =>
  callObservation({ session_id, tool_call_id: `toolu_${session_id}`, result: result("r", OK), ...fields });

const found = async (text: string): Promise<readonly string[]> =>
  (await store.sessions({ text })).map(({ session_id }) => session_id).sort();

describeEveryStore("names of sessions", () => {
  it("a session keeps the first folder, the last branch and the first words of the first prompt, in any order", async () => {
    await apply(
      started("s1", 2, { folder: "other", branch: "fix-login" }),
      prompt("s1", 3, "And now the tests"),
      prompt("s1", 1, "Fix the login\n  page"),
      started("s1", 1, { folder: "shop", branch: "main", client: "claude-code" }),
    );
    const [session] = await store.sessions({});
    expect(session).toMatchObject({ folder: "shop", branch: "fix-login", task: "Fix the login page" });
  });

  it("a listed call has the name of its session", async () => {
    await apply(started("s1", -1, { folder: "shop", branch: "main" }), call("s1", { client: "codex" }), call("s2"));
    const { calls } = await store.calls({});
    expect(calls.map(({ session_id, session_name }) => [session_id, session_name]).sort()).toEqual([
      ["s1", "shop · main · codex"],
      ["s2", null],
    ]);
    expect(calls.find(({ session_id }) => session_id === "s1")?.session_started_at).toBe("2026-03-10T11:59:00.000Z");
  });

  it("sessions are found by words of the name, however old", async () => {
    await apply(started("old", 0, { folder: "Shop-API", branch: "feature/Checkout" }), call("old"));
    await apply(
      ...Array.from({ length: 310 }, (_, n) => started(`new-${n}`, n + 1, { folder: "blog", branch: "main" })),
    );
    expect(await found("checkout")).toEqual(["old"]);
    expect(await found("api SHOP")).toEqual(["old"]);
    expect(await found("shop blog")).toEqual([]);
    await apply(started("old", 400, { branch: "release" }));
    expect(await found("checkout")).toEqual([]);
    expect(await found("rel")).toEqual(["old"]);
  });

  it("sessions are found by the text of a failure, however old", async () => {
    const failure = { ...FAILED, status_message: "[HTTP] Fetch - 503 from the payment service", fingerprint: "f1" };
    await apply(call("old", { result: result("x", failure) }), call("fine"));
    await apply(...Array.from({ length: 310 }, (_, n) => started(`new-${n}`, n + 1, {})));
    expect(await found("503 from the payment")).toEqual(["old"]);
    expect(await found("no such text")).toEqual([]);
  });

  it("the name of a deleted session is forgotten", async () => {
    await apply(started("s1", 0, { folder: "shop" }), call("s1"));
    await store.deleteSession("default", "s1", NOON + 1);
    expect(await found("shop")).toEqual([]);
  });
});
