import { afterAll, describe, expect, it } from "vitest";
import type { CallObservation, Observation, UsageObservation } from "../../src/core/model/observation.ts";
import { args, callObservation, FAILED, NOON, OK, responseObservation, result } from "../support/observations.ts";
import { permutations } from "../support/orders.ts";
import { applyOneByOne, recordLine } from "../support/record-lines.ts";
import { createTestStore } from "../support/test-store.ts";

const store = createTestStore();
afterAll(() => store.close());

interface Recorded {
  readonly records: readonly string[];
  /** Calls of the sessions, and calls in the live counters. */
  readonly calls: number;
  readonly counted: number;
  readonly sessions: readonly string[];
  readonly tokens: number;
}

async function recordedAfter(observations: readonly Observation[]): Promise<Recorded> {
  const { project, counted } = await applyOneByOne(store, observations);
  const records = store.records(project).map((record) => recordLine(record));
  const { calls } = await store.summary({ project });
  const listed = await store.sessions({ project });
  const [usage] = await store.usage("all", { project });
  return {
    ...{ records: records.sort(), calls, counted, tokens: usage?.input_tokens ?? 0 },
    sessions: listed.map(({ session_id }) => session_id).sort(),
  };
}

type Changes = Partial<CallObservation>;

const CLIENT = { client: "qwen-code", name: "run_shell_command" } as const;

/** A call in the derived session that the proxy records, at `at`. Its result is sent 100 ms later. */
function recorded(id: string, text: string, at: number, changes: Changes = {}): readonly CallObservation[] {
  const seen = { ...CLIENT, session_id: "derived", tool_call_id: id, arguments: args(text), ...changes };
  return [
    callObservation({
      ...{ ...seen, occurred_at: at },
      place: { kind: "response", conversation: "c1", n: 0, response_id: `m${at}` },
    }),
    callObservation({
      ...{ ...seen, occurred_at: at + 100, result: result(text, { ...OK, flag: "absent" }) },
      place: { kind: "history", conversation: "c1", n: 0 },
    }),
  ];
}

/** The same call in the client's transcript, which knows that it failed, and how long it took. */
function written(id: string, text: string, at: number, changes: Changes = {}): CallObservation {
  return callObservation({
    ...{ ...CLIENT, session_id: "own", tool_call_id: id, arguments: args(text), source: "transcript" },
    ...{ place: { kind: "exact", n: 0 }, occurred_at: at + 20, execution_time_ms: 40, result: result(text, FAILED) },
    ...changes,
  });
}

function tokens(turn: string, response: string, input: number): UsageObservation {
  return {
    ...{ v: 1, kind: "usage", project: "default", session_id: "own", agent_id: "root", source: "transcript" },
    ...{ occurred_at: NOON, seen_at: NOON, live: true, client: "qwen-code", response_id: response, turn },
    usage: { input_tokens: input },
  };
}

const ID = "call_7kPq2ZxW9mRt4VbN8sLc3HdY";
const OTHER = "call_1aBcD2eFgH3iJkL4mNoP5qRs";

const TABLE: readonly (readonly [
  name: string,
  observations: readonly Observation[],
  expected: Omit<Recorded, "calls" | "counted">,
])[] = [
  [
    "a call with a random id",
    [...recorded(ID, "x", NOON), written(ID, "x", NOON)],
    {
      ...{ sessions: ["derived"], tokens: 0 },
      records: [`derived root ${ID} 0 | run_shell_command | failed | 40 | proxy+transcript`],
    },
  ],
  [
    "a call with a random id, whose arguments the client changed, and its hook",
    [
      ...recorded(ID, "x", NOON),
      written(ID, "y", NOON + 3_600_000),
      written(ID, "x", NOON, { source: "hook", place: { kind: "newest" } }),
    ],
    {
      ...{ sessions: ["derived"], tokens: 0 },
      records: [`derived root ${ID} 0 | run_shell_command | failed | 40 | hook+proxy+transcript`],
    },
  ],
  [
    "a call and the tokens of its response and of the next one",
    [
      recorded(ID, "x", NOON)[0] as Observation,
      written(ID, "x", NOON),
      responseObservation({
        ...{ session_id: "derived", client: "qwen-code", turn: ID, usage: { input_tokens: 500 }, request_id: "r1" },
      }),
      tokens(ID, "u1", 501),
      tokens(ID, "u2", 600),
    ],
    {
      ...{ sessions: ["derived"], tokens: 500 },
      records: [`derived root ${ID} 0 | run_shell_command | failed | 40 | proxy+transcript`],
    },
  ],
  [
    "calls that the proxy did not see, beside one that it saw",
    [...recorded(ID, "x", NOON), written(ID, "x", NOON), written(OTHER, "x", NOON), tokens(OTHER, "u1", 600)],
    {
      ...{ sessions: ["derived", "own"], tokens: 600 },
      records: [
        `derived root ${ID} 0 | run_shell_command | failed | 40 | proxy+transcript`,
        `own root ${OTHER} 0 | run_shell_command | failed | 40 | transcript`,
      ],
    },
  ],
  [
    "an id that a server may give again, with the same arguments and result",
    [...recorded("call_0", "x", NOON), written("call_0", "x", NOON)],
    {
      ...{ sessions: ["derived"], tokens: 0 },
      records: ["derived root call_0 0 | run_shell_command | failed | 40 | proxy+transcript"],
    },
  ],
  [
    "an id that a server gives again, with other arguments or another result",
    [
      ...recorded("call_0", "x", NOON),
      written("call_0", "y", NOON, { session_id: "a" }),
      written("call_0", "x", NOON, { session_id: "b", result: result("z", FAILED) }),
    ],
    {
      ...{ sessions: ["a", "b", "derived"], tokens: 0 },
      records: [
        ...["a", "b"].map((one) => `${one} root call_0 0 | run_shell_command | failed | 40 | transcript`),
        "derived root call_0 0 | run_shell_command | ok | - | proxy",
      ],
    },
  ],
  [
    "an id that a server gives again, at another time or to a client that sends its session id",
    [
      ...recorded("call_0", "x", NOON),
      written("call_0", "x", NOON + 3_600_000, { session_id: "a" }),
      written("call_0", "x", NOON, { session_id: "b", client: "claude-code" }),
    ],
    {
      ...{ sessions: ["a", "b", "derived"], tokens: 0 },
      records: [
        ...["a", "b"].map((one) => `${one} root call_0 0 | run_shell_command | failed | 40 | transcript`),
        "derived root call_0 0 | run_shell_command | ok | - | proxy",
      ],
    },
  ],
  [
    "a short id with the same arguments at the same time",
    [...recorded("call_k3x9ab2c", "x", NOON), written("call_k3x9ab2c", "x", NOON)],
    {
      ...{ sessions: ["derived"], tokens: 0 },
      records: ["derived root call_k3x9ab2c 0 | run_shell_command | failed | 40 | proxy+transcript"],
    },
  ],
];

describe("calls that the proxy and a transcript of a client without session ids saw, in all orders", () => {
  it.each(TABLE)("%s: one record, counted once", { timeout: 60_000 }, async (_name, observations, expected) => {
    const calls = expected.records.length;
    for (const order of permutations(observations)) {
      expect(await recordedAfter(order)).toEqual({ ...expected, calls, counted: calls });
    }
    // A file that is read again changes nothing.
    const again = [...observations, ...observations];
    expect(await recordedAfter(again)).toEqual({ ...expected, calls, counted: calls });
  });

  it("a call that could be two of the proxy's is left alone", async () => {
    const { records } = await recordedAfter([
      ...recorded("call_0", "x", NOON),
      ...recorded("call_0", "x", NOON, { session_id: "second" }),
      written("call_0", "x", NOON),
    ]);
    expect(records.map((one) => one.split(" | ").at(-1))).toEqual(["proxy", "transcript", "proxy"]);
  });

  it("a name with a number is not taken for a random id", async () => {
    const { calls } = await recordedAfter([
      ...recorded("call_readfilefromdisk1", "x", NOON),
      written("call_readfilefromdisk1", "y", NOON),
    ]);
    expect(calls).toBe(2);
  });

  it("the calls of two transcripts are never joined with one of the proxy's if their ids may repeat", async () => {
    const { calls } = await recordedAfter([
      ...recorded("call_0", "x", NOON),
      written("call_0", "x", NOON),
      written("call_0", "x", NOON, { session_id: "second" }),
    ]);
    expect(calls).toBe(2);
  });
});
