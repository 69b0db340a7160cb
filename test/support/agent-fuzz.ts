import { z } from "zod";
import {
  type Clock,
  createSanitizer,
  createToolRegistry,
  createToolView,
  defineTool,
  type FailurePolicy,
  type LoopEvent,
  type Message,
  type ModelDelta,
  type ModelFunction,
  type ModelRequest,
  policies,
  repairHistory,
  runToolLoop,
  type Sanitizer,
  type Tool,
  ToolError,
  type ToolRegistry,
  toSSE,
  UnknownToolError,
} from "../../src/agent/index.ts";
import { refusals } from "./agent-wire.ts";
import { AROUND, makeSecrets } from "./secrets.ts";

type Random = () => number;
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const chance = (random: Random, share: number): boolean => random() < share;
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A defect planted to check that the invariants detect it. */
export interface Defect {
  readonly registry?: (registry: ToolRegistry) => ToolRegistry;
  readonly sanitizer?: Sanitizer;
  readonly policy?: Partial<FailurePolicy>;
  readonly request?: (request: ModelRequest) => ModelRequest;
  readonly events?: (events: AsyncIterable<LoopEvent>) => AsyncIterable<LoopEvent>;
}

export interface FuzzedRun {
  readonly rounds: number;
  readonly problems: readonly string[];
  /** Everything that a model or a user could read. */
  readonly visible: string;
}

/** A virtual clock: a sleep ends after other pending work has run, without real waiting. */
function virtualClock(random: Random): Clock {
  let now = 0;
  return {
    now: () => now,
    random,
    async sleep(ms, signal) {
      for (let turn = 0; turn < 12 && signal?.aborted !== true; turn += 1) await tick();
      now += ms;
    },
  };
}

/** Runs a model that does everything models do, and worse. */
export async function fuzzRun(random: Random, defect: Defect = {}, planted = makeSecrets(random)): Promise<FuzzedRun> {
  const own = `own-${Math.floor(random() * 1e9).toString(36)}-secret`;
  const secret = (): string => (chance(random, 0.2) ? `it was ${own}` : pick(random, AROUND)(pick(random, planted)));
  const load = { running: 0, peak: 0 };
  const preset = pick(random, [policies.balanced, policies.balanced, policies.voyage, policies.strict]);
  const policy: FailurePolicy = {
    ...preset,
    ...(chance(random, 0.3) && {
      maxRounds: 1 + Math.floor(random() * 4),
      maxModelCalls: 2 + Math.floor(random() * 8),
    }),
    ...(chance(random, 0.2) && { maxCallsPerRound: 2, concurrency: 1 + Math.floor(random() * 3) }),
    ...(chance(random, 0.2) && { onLimit: pick(random, ["stop", "final-answer"] as const) }),
    ...(chance(random, 0.05) && { deadlineMs: 5000 }),
  };
  const clock = virtualClock(random);
  const sanitizer = defect.sanitizer ?? createSanitizer({ secrets: [own] });
  const base = createToolRegistry(fuzzTools(random, secret, load), {
    log: false,
    clock,
    sanitizer,
    timeoutMs: 50,
    aliases: { alias: "good" },
  });
  const registry = defect.registry?.(base) ?? base;
  const requests: ModelRequest[] = [];
  const model = fuzzModel(random, secret, requests, defect.request ?? ((request) => request));
  const stop = new AbortController();
  const run = runToolLoop({
    registry,
    model,
    messages: fuzzHistory(random),
    policy: { ...policy, ...defect.policy },
    signal: stop.signal,
  });
  const events: LoopEvent[] = [];
  const problems: string[] = [];
  const abortAt = chance(random, 0.1) ? Math.floor(random() * 30) : Number.POSITIVE_INFINITY;
  const leaveAt = chance(random, 0.05) ? Math.floor(random() * 30) : Number.POSITIVE_INFINITY;
  try {
    for await (const event of defect.events?.(run) ?? run) {
      events.push(event);
      if (events.length > abortAt) stop.abort();
      if (events.length > leaveAt) break;
    }
  } catch (error) {
    if (!(error instanceof UnknownToolError && policy.onUnknown === "throw")) problems.push(`throws: ${String(error)}`);
  }
  const isWhole = events.at(-1)?.kind === "done";
  const isCutShort = events.length > leaveAt || policy.onUnknown === "throw";
  if (!isWhole && !isCutShort && problems.length === 0) problems.push("ends without done");
  problems.push(...checkCaps(events, requests, policy, load.peak), ...checkResults(requests, events, isWhole));
  if (isWhole && policy.keepDropped) problems.push(...checkView(events));
  const sse = await Promise.all(
    (chance(random, 0.2) ? (["toolmend", "ai-sdk-ui"] as const) : []).map((format) =>
      new Response(toSSE(replayed(events), { format })).text(),
    ),
  );
  const visible = JSON.stringify([requests.map(({ messages, tools }) => [messages, tools]), events, ...sse]);
  for (const one of [...planted, own]) if (leaks(visible, one)) problems.push(`leaks: ${one.slice(0, 12)}…`);
  return { rounds: requests.length, problems, visible };
}

async function* replayed(events: readonly LoopEvent[]): AsyncGenerator<LoopEvent> {
  yield* events;
}

/** The whole secret, or the password in it. */
function leaks(visible: string, secret: string): boolean {
  const core = /:\/\/[^:]+:([^@]+)@/.exec(secret)?.[1] ?? secret;
  const escaped = JSON.stringify(core).slice(1, -1);
  // In the stream it is JSON inside JSON.
  return visible.includes(escaped) || visible.includes(JSON.stringify(escaped).slice(1, -1));
}

function checkCaps(
  events: readonly LoopEvent[],
  requests: readonly ModelRequest[],
  policy: FailurePolicy,
  maxRounds: number,
): string[] {
  const problems: string[] = [];
  if (requests.length > policy.maxModelCalls) problems.push(`caps: ${requests.length} questions to the model`);
  const good = new Set(events.flatMap((event) => (event.kind === "tool_result" ? [event.round] : [])));
  if (good.size > policy.maxRounds) problems.push(`caps: ${good.size} rounds with a success`);
  let inRow = 0;
  const rounds = events.flatMap((event) => (event.kind === "tool_calls" ? [event.round] : []));
  for (const round of rounds) {
    inRow = good.has(round) ? 0 : inRow + 1;
    if (inRow > policy.maxFailedRounds) problems.push(`caps: ${inRow} failed rounds in a row`);
  }
  if (maxRounds > policy.concurrency) problems.push(`caps: ${maxRounds} calls at once`);
  return problems;
}

function checkResults(requests: readonly ModelRequest[], events: readonly LoopEvent[], isWhole: boolean): string[] {
  const problems: string[] = [];
  for (const { messages } of requests) {
    const refusal = refusals(messages)[0];
    if (refusal !== undefined) problems.push(`unanswered: ${refusal.api} ${refusal.problem.message}`);
  }
  const begun = events.flatMap((event) =>
    event.kind === "tool_calls" ? event.calls.map(({ id }) => `${event.turn}/${id}`) : [],
  );
  const ended = events.flatMap((event) =>
    event.kind === "tool_result" || event.kind === "tool_failed" ? [`${event.turn}/${event.callId}`] : [],
  );
  if (new Set(begun).size !== begun.length) problems.push("unanswered: two calls with one id");
  if (new Set(ended).size !== ended.length) problems.push("unanswered: a call ended twice");
  if (isWhole && begun.toSorted().join() !== ended.toSorted().join())
    problems.push("unanswered: a call without an end");
  const stored = events.flatMap((event) => (event.kind === "message" ? [event.message] : []));
  if (isWhole) {
    // A stored history needs no repair, except for ids that the model reused and unknown tool names.
    const odd = repairHistory(stored).changes.filter(
      ({ kind }) => !["renamed-call", "renamed-tool", "dropped-message", "filled-result"].includes(kind),
    );
    if (odd.length > 0) problems.push(`unanswered: stored ${odd[0]?.kind}`);
  }
  return problems;
}

/** A page must show the same live and after a reload. */
function checkView(events: readonly LoopEvent[]): string[] {
  const live = createToolView();
  for (const event of events) live.apply(event);
  const reloaded = createToolView();
  reloaded.load(events.flatMap((event) => (event.kind === "message" ? [event.message] : [])));
  const [a, b] = [JSON.stringify(live.list()), JSON.stringify(reloaded.list())];
  return a === b ? [] : [`view: live ${a.slice(0, 300)} reloaded ${b.slice(0, 300)}`];
}

function fuzzTools(random: Random, secret: () => string, load: { running: number; peak: number }): Tool[] {
  const any = z.looseObject({});
  const watched = (tool: Tool): Tool => ({
    ...tool,
    async run(input, context) {
      load.running += 1;
      load.peak = Math.max(load.peak, load.running);
      try {
        return await tool.run(input, context);
      } finally {
        load.running -= 1;
      }
    },
  });
  const boom = (error: () => unknown) => (): never => {
    throw error();
  };
  const circle: { self?: unknown } = {};
  circle.self = circle;
  return (
    [
      defineTool({ name: "good", input: any, run: (input) => ({ got: input, at: Math.floor(random() * 3) }) }),
      defineTool({ name: "slow", input: any, run: () => tick().then(() => "slow") }),
      defineTool({ name: "alone", input: any, run: () => tick().then(() => "alone"), sequential: true }),
      defineTool({
        name: "typed",
        input: z.object({ city: z.string(), days: z.number() }),
        run: ({ city }) => city.length,
      }),
      defineTool({
        name: "schema",
        input: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
        run: ({ q }) => q,
      }),
      defineTool({ name: "throws", input: any, run: boom(() => new Error(secret())) }),
      defineTool({ name: "throws_text", input: any, run: boom(secret) }),
      defineTool({
        name: "tool_error",
        input: any,
        run: boom(() => new ToolError(secret(), { retryable: chance(random, 0.7), userMessage: secret() })),
      }),
      defineTool({
        name: "returns_error",
        input: any,
        run: () => ({ error: secret(), retryable: chance(random, 0.8) }),
      }),
      defineTool({
        name: "needs",
        input: any,
        run: () => ({ error: "location is required" }),
        question: () => `Where? ${secret()}`,
      }),
      defineTool({
        name: "rejects_late",
        input: any,
        run: () => new Promise((_, reject) => setImmediate(() => reject(new Error(secret())))),
      }),
      defineTool({
        name: "odd",
        input: any,
        run: () => pick<unknown>(random, [10n, circle, () => 1, undefined, Symbol("s"), new Map()]),
      }),
      defineTool({ name: "huge", input: any, run: () => "é".repeat(1000), maxResultBytes: 100 }),
      defineTool({
        name: "retried",
        input: any,
        run: boom(() => new Error(secret())),
        idempotent: true,
        retry: { retries: 2 },
      }),
      defineTool({
        name: "helped",
        input: z.object({ place: z.string() }),
        run: ({ place }) => place,
        fallback: () => (chance(random, 0.5) ? [{ place: "Paris" }] : []),
      }),
      defineTool({
        name: "bad_check",
        input: { "~standard": { version: 1, vendor: "x", validate: boom(() => new Error(secret())) } },
        jsonSchema: {},
        run: () => 1,
      }),
    ]
      .map((tool) => watched(tool as Tool))
      // It never ends, so it does not count as running: the loop has continued without it.
      .concat(defineTool({ name: "hangs", input: any, run: () => new Promise(() => undefined), timeoutMs: 20 }) as Tool)
  );
}

const NAMES =
  "good good good slow alone typed schema throws throws_text tool_error returns_error needs rejects_late odd huge retried helped bad_check hangs alias nope constructor __proto__ goood web<|x|>".split(
    " ",
  );
const ARGUMENTS: readonly unknown[] = [
  {},
  {},
  { n: 1 },
  { n: 2 },
  "{}",
  '{"n": 3}',
  "",
  "{",
  '{"city": "Par',
  "{city: 'Paris', days: 2}",
  '"text"',
  "[1]",
  null,
  5,
  { city: "Rome", days: 1 },
  { q: "x" },
  { place: "Rom" },
];
const LEAKS = [
  (name: string) => `<tool_call>{"name": "${name}", "arguments": {"n": 1}}</tool_call>`,
  (name: string) =>
    `Sure. <tools>[{"name": "${name}", "arguments": {}}, {"name": "good", "arguments": {"n": 4}}]</tools> There.`,
  (name: string) => `<tool_call>{"name": "${name}", "argu`,
  (name: string) => `<tool_call>{"name": "${name}", "arguments": {"a"::1}}</tool_call>`,
  (name: string) => `<function=${name}><parameter=n>1</parameter></function>`,
  (name: string) => `I would use <tool_call> for ${name}.`,
];

function fuzzModel(
  random: Random,
  secret: () => string,
  requests: ModelRequest[],
  change: (request: ModelRequest) => ModelRequest,
): ModelFunction {
  return async function* (request) {
    requests.push(change(request));
    if (chance(random, 0.02)) throw Object.assign(new Error(secret()), { status: pick(random, [400, 401, 429, 500]) });
    if (chance(random, 0.01))
      await new Promise((resolve) => request.signal.addEventListener("abort", resolve, { once: true }));
    yield* fuzzText(random);
    yield* fuzzCalls(random);
    if (chance(random, 0.01)) throw new Error(secret());
    if (chance(random, 0.02)) return;
    if (chance(random, 0.02)) yield { kind: "finish", reason: "error", error: new Error(secret()) };
    const reason = pick(random, ["stop", "tool-calls", "stop", "tool-calls", "stop", "length", "refusal"] as const);
    const provider = chance(random, 0.2)
      ? { sealed: true, blocks: [{ data: { type: "thinking", thinking: "…", signature: "s" } }] }
      : undefined;
    yield { kind: "finish", reason: chance(random, 0.8) ? "stop" : reason, provider };
  };
}

function* fuzzText(random: Random): Generator<ModelDelta> {
  if (chance(random, 0.5)) return;
  const text = chance(random, 0.5)
    ? pick(random, LEAKS)(pick(random, NAMES))
    : pick(random, ["Hello.", "", " ", "Let me think."]);
  for (let at = 0; at < text.length; at += 11) yield { kind: "text", text: text.slice(at, at + 11) };
}

function* fuzzCalls(random: Random): Generator<ModelDelta> {
  if (chance(random, 0.25)) return;
  const many = chance(random, 0.05) ? 12 : 1 + Math.floor(random() * 3);
  for (let n = 0; n < many; n += 1) {
    const id = pick(random, ["call_0", "call_0", "call_1", `c${Math.floor(random() * 1e6)}`, ""]);
    const name = pick(random, NAMES);
    const args = pick(random, ARGUMENTS);
    if (typeof args === "string" && chance(random, 0.5)) {
      const index = Math.floor(random() * 1e6);
      yield { kind: "call-part", index, id, name };
      yield { kind: "call-part", index, arguments: args };
    } else yield { kind: "call", call: { id, name, arguments: args } };
  }
}

/** The incoming history may be broken too. */
function fuzzHistory(random: Random): Message[] {
  const begin: Message = { role: "user", content: "Begin." };
  if (chance(random, 0.7)) return [begin];
  const calls = [{ id: "call_0", name: "good", arguments: {} }];
  const broken: readonly Message[] = [
    { role: "assistant", content: "", toolCalls: calls },
    { role: "tool", toolCallId: "call_0", content: "x" },
    { role: "tool", toolCallId: "ghost", content: "x" },
    { role: "assistant", content: "" },
  ];
  return [begin, ...Array.from({ length: 4 }, () => pick(random, broken)), { role: "user", content: "Go on." }];
}
