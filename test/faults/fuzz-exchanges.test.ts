import { once } from "node:events";
import net from "node:net";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/demo/seeded-random.ts";
import { type Dice, diceOf, fuzzedRequest, fuzzedResponse, type Script } from "../support/fuzz-http.ts";
import { send, startRawServer, until } from "../support/raw-http.ts";
import { patient } from "../support/slowness.ts";
import { closeAfterEach } from "../support/test-resources.ts";

const resources = closeAfterEach();
/** A few seconds by default; `TOOLMEND_FUZZ_RUNS=20000` for an overnight run. */
const RUNS = Number(process.env.TOOLMEND_FUZZ_RUNS ?? 150);
const SEED = Number(process.env.TOOLMEND_FUZZ_SEED ?? 19);
/** Idle time after which the fuzzing client disconnects. */
const CLIENT_IDLE_TIMEOUT_MS = 150;

const JSON_TYPE = { "content-type": "application/json" };
const TOOLS = [{ type: "function", function: { name: "Bash", parameters: { type: "object" } } }];
const REQUEST_BODY = JSON.stringify({ model: "m", tools: TOOLS, messages: [{ role: "user", content: "hello" }] });
const HEALTHY = JSON.stringify({
  id: "c",
  choices: [{ index: 0, message: { content: "healthy" }, finish_reason: "stop" }],
});

async function play(socket: net.Socket, { pieces, end }: Script): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (end === "end") socket.end();
  else if (end === "reset") socket.resetAndDestroy();
}

/** Sends valid responses, or a fuzzed one if the request names a seed. `/v1/live` gets a stream that lasts until `endStream`. */
async function startUpstream(): Promise<{ url: string; tick(n: number): void; endStream(): void }> {
  const streams = new Set<net.Socket>();
  const server = await resources.open(
    startRawServer((socket) => {
      let received = "";
      socket.on("data", (chunk: Buffer) => {
        received += chunk.toString("latin1");
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
        const head = received.indexOf("\r\n\r\n");
        if (head === -1 || received.length < head + 4 + length) return;
        const seed = /x-fuzz: (\d+)/i.exec(received)?.[1];
        const live = received.includes(" /v1/live ");
        received = "";
        if (live) {
          socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n");
          streams.add(socket);
        } else if (seed === undefined)
          socket.write(
            `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${HEALTHY.length}\r\n\r\n${HEALTHY}`,
          );
        else void play(socket, fuzzedResponse(diceOf(createRandom(Number(seed)))));
      });
    }),
  );
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
  return {
    url: server.url,
    tick(n) {
      for (const socket of streams) socket.write(chunk(`data: ${n}\n\n`));
    },
    endStream() {
      for (const socket of streams) socket.write("0\r\n\r\n");
    },
  };
}

/** Sends bytes and discards the response, until the connection closes or is idle. */
async function exchange(url: string, script: Script): Promise<void> {
  const { port, hostname } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.setTimeout(CLIENT_IDLE_TIMEOUT_MS, () => socket.destroy());
  socket.resume();
  const closed = new Promise((resolve) => socket.on("close", resolve));
  await once(socket, "connect");
  await play(socket, script);
  await closed;
}

async function healthy(url: string): Promise<readonly [number, string]> {
  const { status, body } = await send(`${url}/v1/chat/completions`, { headers: JSON_TYPE }, REQUEST_BODY);
  return [status, body.toString()];
}

/** Runs fuzzed exchanges next to healthy ones and one long stream, and checks every byte of the healthy ones. Returns the metrics. */
async function survive(seed: number, fuzz: (url: string, dice: Dice, run: number) => Promise<void>): Promise<string> {
  const upstream = await startUpstream();
  const { url, exited } = await resources.spawn(upstream.url);
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  const stream = send(`${url}/v1/live`, { method: "GET" });
  const dice = diceOf(createRandom(seed));
  const expected: string[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const beside = healthy(url);
    await fuzz(url, dice, run);
    expect([run, ...(await beside)]).toEqual([run, 200, HEALTHY]);
    if (ended) throw new Error(`the server ended in run ${run} of seed ${seed}`);
    upstream.tick(run);
    expected.push(`data: ${run}\n\n`);
  }
  upstream.endStream();
  const { status, body, aborted } = await stream;
  expect([status, aborted]).toEqual([200, false]);
  expect(body.toString().slice(-1000)).toBe(expected.join("").slice(-1000));
  let metrics = "";
  await until("nothing is in flight", async () => {
    metrics = await (await fetch(`${url}/metrics`)).text();
    return metrics.includes("toolmend_proxy_in_flight 0\n");
  });
  return metrics;
}

// Only a hang takes so long, even on a machine that is busy with other things.
const TIMEOUT_MS = patient(300_000 + RUNS * 400);

describe("healthy exchanges and the process", () => {
  it(
    "healthy exchanges survive upstreams that send fuzzed heads, framing and bodies",
    async () => {
      const metrics = await survive(SEED, async (url, dice) => {
        const seed = dice.below(1 << 30);
        const path = dice.pick(["/v1/chat/completions", "/v1/messages", "/v1/responses", "/v1/embeddings"]);
        const head = [`POST ${path} HTTP/1.1`, `Host: ${new URL(url).host}`, `X-Fuzz: ${seed}`, "Connection: close"];
        const request = `${[...head, "Content-Type: application/json", `Content-Length: ${REQUEST_BODY.length}`].join("\r\n")}\r\n\r\n${REQUEST_BODY}`;
        await exchange(url, { pieces: [Buffer.from(request)], end: "keep" });
      });
      // No exception at all is expected, not even a contained one.
      for (const kind of ["forward", "repair", "rewrite", "recording", "local", "uncaught"])
        expect(metrics).toContain(`toolmend_proxy_failures_total{kind="${kind}"} 0\n`);
    },
    TIMEOUT_MS,
  );

  it(
    "healthy exchanges survive clients that send fuzzed heads, framing and bodies",
    async () => {
      const metrics = await survive(SEED + 1, async (url, dice) => {
        await exchange(url, fuzzedRequest(dice, new URL(url).host));
      });
      for (const kind of ["forward", "repair", "rewrite", "recording", "local", "uncaught"])
        expect(metrics).toContain(`toolmend_proxy_failures_total{kind="${kind}"} 0\n`);
    },
    TIMEOUT_MS,
  );
});
