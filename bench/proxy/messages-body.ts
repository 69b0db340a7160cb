import { filler } from "./filler.ts";
import { argumentsOf, TOOL } from "./responses.ts";
import { callId, sessionName, type Workload } from "./workload.ts";

/** Lengths of the descriptions of 26 tools, as a coding agent declares them late in a session. */
const TOOL_LENGTHS = [
  106, 150, 180, 210, 240, 280, 320, 360, 400, 440, 480, 520, 560, 620, 680, 740, 820, 900, 1000, 1150, 1300, 1500,
  1900, 2600, 5200, 18_780,
];

/** Bodies in the shape of a late turn of a coding agent: messages, system blocks, 26 tools, `stream` last. */
export function createMessagesBodies(workload: Workload, seed: number): (session: number, pairs: number) => Buffer {
  const shared = Buffer.from(`],"system":${JSON.stringify(systemBlocks(seed))},"tools":${JSON.stringify(tools(seed))}`);
  const sessions = new Map<number, SessionParts>();
  return (session, pairs) => {
    let parts = sessions.get(session);
    if (parts === undefined) {
      parts = { head: head(workload, session, seed), pairs: [], tail: tail(workload, session) };
      sessions.set(session, parts);
    }
    for (let at = parts.pairs.length; at < pairs; at += 1) parts.pairs.push(pair(workload, session, at, seed));
    return Buffer.concat([parts.head, ...parts.pairs.slice(0, pairs), shared, parts.tail]);
  };
}

interface SessionParts {
  readonly head: Buffer;
  readonly pairs: Buffer[];
  readonly tail: Buffer;
}

function head(workload: Workload, session: number, seed: number): Buffer {
  const prompt = `Session ${sessionName(workload, session)}: ${filler(200, seed + session)}`;
  const messages = [
    {
      role: "user",
      content: [
        { type: "text", text: filler(306, seed + 1) },
        { type: "text", text: prompt },
      ],
    },
    { role: "system", content: filler(6062, seed + 2) },
  ];
  return Buffer.from(`{"model":"claude-bench-1","messages":${JSON.stringify(messages).slice(0, -1)}`);
}

function pair(workload: Workload, session: number, at: number, seed: number): Buffer {
  const id = callId(workload, session, at);
  const mix = seed + session * 7919 + at * 104_729;
  const failed = at % 8 === 3;
  const length = Math.round(workload.resultLength * (0.5 + (mix % 101) / 100));
  const text = `${failed ? "Exit code 1\n" : ""}${id} ${filler(length, mix)}`;
  const messages = [
    {
      role: "assistant",
      content: [
        { type: "text", text: `step ${at}` },
        { type: "tool_use", id, name: TOOL, input: argumentsOf(id) },
      ],
    },
    { role: "user", content: [{ tool_use_id: id, type: "tool_result", content: text, is_error: failed }] },
  ];
  return Buffer.from(`,${JSON.stringify(messages).slice(1, -1)}`);
}

function tail(workload: Workload, session: number): Buffer {
  const metadata = { user_id: JSON.stringify({ session_id: sessionName(workload, session) }) };
  return Buffer.from(`,"metadata":${JSON.stringify(metadata)},"max_tokens":32000,"stream":true}`);
}

function systemBlocks(seed: number): readonly object[] {
  return [75, 62, 6023].map((length, at) => ({ type: "text", text: filler(length, seed + 10 + at) }));
}

function tools(seed: number): readonly object[] {
  return TOOL_LENGTHS.map((length, at) => ({
    name: at === 0 ? TOOL : `Tool${at}`,
    description: filler(length, seed + 100 + at),
    input_schema: at === 0 ? CALLED_SCHEMA : otherSchema(at, seed),
  }));
}

/** The calls of the load fit it, as nearly all calls do. */
const CALLED_SCHEMA = {
  type: "object",
  properties: {
    file_path: { type: "string", description: "The absolute path of the file" },
    old_string: { type: "string" },
    new_string: { type: "string" },
    replace_all: { type: "boolean", default: false },
  },
  required: ["file_path", "old_string", "new_string"],
  additionalProperties: false,
};

function otherSchema(at: number, seed: number): object {
  return {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 1 + (at % 6) }, (_, parameter) => [
        `parameter_${parameter}`,
        { type: "string", description: filler(60, seed + 200 + at * 10 + parameter) },
      ]),
    ),
    required: ["parameter_0"],
  };
}
