import { gzipSync } from "node:zlib";

/** Seeded random choices. */
export interface Dice {
  /** 0 to n - 1. */
  below(n: number): number;
  pick<T>(from: readonly T[]): T;
  chance(share: number): boolean;
}

export function diceOf(random: () => number): Dice {
  const below = (n: number): number => Math.floor(random() * n);
  return { below, pick: (from) => from[below(from.length)] as never, chance: (share) => random() < share };
}

/** The chunks of bytes to send, and what happens to the connection afterwards. */
export interface Script {
  readonly pieces: readonly Buffer[];
  readonly end: "keep" | "end" | "reset";
}

const WORDS = ["OK", "", "O\u0001K", "Not Found", "x".repeat(5000), "\u00e9\u00ff", "\t", "200 200"];
const STATUSES = [
  ...["200", "200", "200", "200", "201", "204", "206", "301", "304", "400", "401", "413", "429", "500", "503", "529"],
  ...["000", "007", "099", "100", "101", "102", "103", "199", "299", "599", "600", "777", "999", "1000", "99", "2oo"],
  ...["-1", "", "200.5", "\u0660\u0661"],
];
const VERSIONS = [
  "HTTP/1.1",
  "HTTP/1.1",
  "HTTP/1.1",
  "HTTP/1.1",
  "HTTP/1.0",
  "HTTP/2",
  "HTTP/9.9",
  "http/1.1",
  "ICY",
  "",
];
const TYPES = [
  ...[
    "application/json",
    "text/event-stream",
    "text/event-stream; charset=utf-8",
    "text/html",
    "application/octet-stream",
  ],
  ...[
    "",
    "application/json; charset=utf-16",
    "APPLICATION/JSON",
    "text/event-stream, application/json",
    "\u00ff/\u00ff",
  ],
];
const ENCODINGS = ["gzip", "br", "zstd", "deflate", "identity", "gzip, gzip", "unknown", "\u00e9"];
const HEADERS = [
  "X-A: 1",
  "X-Latin: Andr\u00e9 \u00ff",
  "X-Empty:",
  ": no name",
  "no colon",
  " folded: yes",
  "X-Long: a".padEnd(9000, "a"),
  "X-Tab:\tb\t",
  "X-Null: a\u0000b",
  "Connection: close",
  "Connection: keep-alive, X-A",
  "Connection: upgrade",
  "Upgrade: h2c",
  "Upgrade: websocket",
  "Trailer: X-T",
  "Set-Cookie: a=1",
  "Set-Cookie: b=2",
  "Keep-Alive: timeout=0",
  "Content-Length: 5",
  "Content-Length: -1",
  "Content-Length: 99999999999999999999",
  "Content-Length: 5, 5",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: identity",
  "Transfer-Encoding: chunked, chunked",
  "Transfer-Encoding: x",
];

const LEAK = '<tool_call>{"name": "Bash", "arguments": {"command": "ls"}}</tool_call>';
const chatBody = (content: unknown): string =>
  JSON.stringify({
    id: "c",
    object: "chat.completion",
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  });
const chatEvent = (content: unknown): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta: { content } }] })}\n\n`;
const DONE = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const BODIES: readonly (string | Buffer)[] = [
  "",
  "{}",
  "[]",
  "null",
  "hello",
  "<html></html>",
  '{"choices":',
  chatBody("hi"),
  chatBody(LEAK),
  chatBody([{ type: "text", text: LEAK }]),
  chatBody("```\n".repeat(20_000)),
  chatBody({ deep: 1 }),
  `{"choices":${"[".repeat(50_000)}`,
  `{"choices":${"[".repeat(9000)}${"]".repeat(9000)}}`,
  chatEvent("hi") + DONE,
  chatEvent(LEAK) + DONE,
  [...LEAK].map(chatEvent).join("") + DONE,
  chatEvent(LEAK.slice(0, 30)),
  chatEvent("```\n".repeat(20_000)) + DONE,
  "data: {}\n\n".repeat(5000),
  "data: [DONE]\n\n",
  "event: \nid: \nretry: x\n:\n\n\r\r\n\n",
  `data: ${"x".repeat(100_000)}`,
  'event: message_start\ndata: {"type":"message_start","message":null}\n\n',
  'data: {"choices":[{"index":-1,"delta":{"tool_calls":[{"index":1e9,"function":{"name":7}}]}}]}\n\n',
  Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28]),
  Buffer.alloc(70_000, 0),
  gzipSync(chatBody(LEAK)),
  gzipSync(chatEvent(LEAK) + DONE),
  gzipSync(chatBody(LEAK)).subarray(0, 40),
  gzipSync("x".repeat(1 << 20)),
];

function framed(dice: Dice, body: Buffer): { readonly header: string; readonly bytes: Buffer } {
  const chunked = (size: string, end: string): Buffer =>
    Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from(`\r\n${end}`)]);
  const hex = body.length.toString(16);
  switch (dice.below(12)) {
    case 0:
      return { header: "", bytes: body };
    case 1:
      return { header: `Content-Length: ${body.length + dice.below(100)}`, bytes: body };
    case 2:
      return { header: `Content-Length: ${Math.max(0, body.length - dice.below(100))}`, bytes: body };
    case 3:
      return { header: "Transfer-Encoding: chunked", bytes: chunked(hex, "0\r\n\r\n") };
    case 4:
      return { header: "Transfer-Encoding: chunked", bytes: chunked(hex, "") };
    case 5:
      return {
        header: "Transfer-Encoding: chunked",
        bytes: chunked(dice.pick(["zz", "-1", "ffffffffffffffffff", "", "5;a=b"]), "0\r\n\r\n"),
      };
    case 6:
      return { header: "Transfer-Encoding: chunked", bytes: chunked(hex, "0\r\nX-T: 1\r\nbad trailer\r\n\r\n") };
    case 7:
      return {
        header: `Transfer-Encoding: chunked\r\nContent-Length: ${body.length}`,
        bytes: chunked(hex, "0\r\n\r\n"),
      };
    default:
      return { header: `Content-Length: ${body.length}`, bytes: body };
  }
}

function mutated(dice: Dice, bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  const copy = Buffer.from(bytes);
  for (let n = dice.below(4); n > 0; n -= 1) copy[dice.below(copy.length)] = dice.below(256);
  return dice.chance(0.2) ? copy.subarray(0, dice.below(copy.length)) : copy;
}

function cut(dice: Dice, bytes: Buffer): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let n = dice.below(4); n > 0; n -= 1) {
    const to = from + dice.below(bytes.length - from + 1);
    pieces.push(bytes.subarray(from, to));
    from = to;
  }
  return [...pieces, bytes.subarray(from)];
}

function scriptOf(dice: Dice, first: string, body: Buffer): Script {
  const { header, bytes } = framed(dice, body);
  const headers = [
    ...(dice.chance(0.9) ? [`Content-Type: ${dice.pick(TYPES)}`] : []),
    ...(dice.chance(0.2) ? [`Content-Encoding: ${dice.pick(ENCODINGS)}`] : []),
    ...(dice.chance(0.3) ? Array.from({ length: dice.below(3) + 1 }, () => dice.pick(HEADERS)) : []),
    ...(header === "" ? [] : [header]),
  ];
  const line = dice.chance(0.05) ? "\n" : "\r\n";
  const head = Buffer.from([first, ...headers, "", ""].join(line), "latin1");
  const whole = Buffer.concat([head, bytes]);
  return {
    pieces: cut(dice, dice.chance(0.15) ? mutated(dice, whole) : whole),
    end: dice.pick(["keep", "end", "end", "reset"]),
  };
}

/** Mostly valid: a head that is invalid everywhere always fails in the same place. */
function usually<T>(dice: Dice, right: T, wrong: readonly T[], share = 0.9): T {
  return dice.chance(share) ? right : dice.pick(wrong);
}

/** A response that is invalid or unusual in some places. */
export function fuzzedResponse(dice: Dice): Script {
  const status = usually(dice, "200", STATUSES, 0.6);
  const first = `${usually(dice, "HTTP/1.1", VERSIONS, 0.97)} ${status} ${usually(dice, "OK", WORDS)}`;
  return scriptOf(dice, first, Buffer.from(dice.pick(BODIES)));
}

const PATHS = [
  ...["/v1/chat/completions", "/v1/chat/completions", "/v1/messages", "/v1/responses", "/v1/models", "/openai/v1/x"],
  ...[
    "/api/ingest",
    "/api/settings/repair",
    "/api/summary",
    "/hooks/claude-code",
    "/hooks/nobody",
    "/metrics",
    "/readyz",
  ],
  ...[
    "/",
    "//",
    "/%",
    "/../..",
    "*",
    "http://example.com/v1/models",
    "/v1/\u00e9",
    `/${"a".repeat(9000)}`,
    "/~x/v1/models",
  ],
];
const METHODS = [
  "POST",
  "POST",
  "POST",
  "GET",
  "HEAD",
  "PUT",
  "DELETE",
  "OPTIONS",
  "CONNECT",
  "TRACE",
  "PRI",
  "post",
  "",
];

/** A request that is invalid or unusual in some places. */
export function fuzzedRequest(dice: Dice, host: string): Script {
  const path = usually(dice, "/v1/chat/completions", PATHS, 0.4);
  const first = `${usually(dice, "POST", METHODS)} ${path} ${usually(dice, "HTTP/1.1", VERSIONS, 0.97)}`;
  const named = `${first}\r\nHost: ${usually(dice, host, ["evil.example", "", "a b", "\u00e9"], 0.95)}`;
  return scriptOf(dice, named, Buffer.from(dice.pick([...BODIES, ...REQUEST_BODIES])));
}

const TOOLS = [{ type: "function", function: { name: "Bash", parameters: { anyOf: [{ $ref: "#" }] } } }];
const REQUEST_BODIES: readonly string[] = [
  JSON.stringify({ model: "m", tools: TOOLS, messages: [{ role: "user", content: "hi" }] }),
  JSON.stringify({
    model: "m",
    tools: TOOLS,
    stream: true,
    messages: [{ role: "tool", tool_call_id: "x", content: LEAK }],
  }),
  JSON.stringify({ model: 7, tools: "no", messages: [null, 1, [], { role: [] }], input: {} }),
  `{"model":"m","tools":[],"messages":${"[".repeat(9000)}${"]".repeat(9000)}}`,
  '{"session_id":"s","tool_call_id":"t","content":"x"}\n{x}\n\n[]\n',
];
