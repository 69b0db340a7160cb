// The load generator: keep-alive connections, bodies generated from a seed, every response hashed.
import { createHash, hash } from "node:crypto";
import http from "node:http";
import { serveRequests } from "../frame/child.ts";
import { createRandom, shuffled } from "../frame/random.ts";
import { type BenchRequest, createRequests } from "./requests.ts";
import type { Workload } from "./workload.ts";

/** With several targets, each request goes to any of them, or each session to one. */
interface Targets {
  readonly each: "request" | "session";
  readonly urls: readonly string[];
}

/** Some requests of a workload, several at a time. */
export interface Slice {
  readonly url: string | Targets;
  readonly workload: Workload;
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  readonly connections: number;
  /** Additional headers, for targets that require some. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SliceResult {
  readonly ms: number;
  /** Requests that did not end with status 200. */
  readonly failures: number;
  /** Hash over the hashes of all responses, in the order of the requests. */
  readonly digest: string;
  readonly bytes: number;
}

/** One request at a time to each target in turn, in a new order each round. */
export interface FirstByteRounds {
  readonly urls: readonly string[];
  readonly workload: Workload;
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  readonly pauseMs: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const agents = new Map<string, http.Agent>();
const families = new Map<string, (at: number) => BenchRequest>();

async function send({ url, workload, seed, from, to, connections, headers }: Slice): Promise<SliceResult> {
  const requests = family(workload, seed, headers);
  const digests = new Array<string>(to - from);
  let [next, failures, bytes] = [from, 0, 0];
  const began = performance.now();
  const worker = async (): Promise<void> => {
    while (next < to) {
      const at = next;
      next += 1;
      const reply = await exchange(targetOf(url, workload, at), requests(at), connections);
      if (reply.status !== 200) failures += 1;
      bytes += reply.body.length;
      digests[at - from] = hash("sha256", reply.body, "hex");
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const digest = createHash("sha256").update(digests.join()).digest("hex");
  return { ms: performance.now() - began, failures, digest, bytes };
}

function targetOf(url: string | Targets, { sessions }: Workload, at: number): string {
  if (typeof url === "string") return url;
  const { each, urls } = url;
  const n = each === "session" ? (at % sessions) % urls.length : Math.floor(createRandom(at)() * urls.length);
  return urls[n] as string;
}

/** Milliseconds to the first byte of the body, one list per target. */
async function firstBytes({ urls, workload, seed, from, to, pauseMs, headers }: FirstByteRounds): Promise<number[][]> {
  const requests = family(workload, seed, headers);
  const random = createRandom(seed);
  const times: number[][] = urls.map(() => []);
  for (let at = from; at < to; at += 1) {
    const request = requests(at);
    const paused = { ...request, headers: { ...request.headers, "x-bench-pause": String(pauseMs) } };
    for (const target of shuffled([...urls.keys()], random)) {
      const reply = await exchange(urls[target] as string, paused, 1);
      if (reply.status !== 200) throw new Error(`status ${reply.status} while timing the first byte`);
      times[target]?.push(reply.firstByteMs);
    }
  }
  return times;
}

function family(workload: Workload, seed: number, headers: Slice["headers"] = {}): (at: number) => BenchRequest {
  const key = `${workload.name} ${seed}`;
  const known = families.get(key) ?? createRequests(workload, seed);
  families.set(key, known);
  return (at) => {
    const request = known(at);
    return { ...request, headers: { ...request.headers, ...headers } };
  };
}

function agentFor(url: string, connections: number): http.Agent {
  const key = `${url} ${connections}`;
  const agent = agents.get(key) ?? new http.Agent({ keepAlive: true, maxSockets: connections });
  agents.set(key, agent);
  return agent;
}

interface Reply {
  readonly status: number;
  readonly body: Buffer;
  readonly firstByteMs: number;
}

function exchange(url: string, request: BenchRequest, connections: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let firstByteMs = Number.NaN;
    const began = performance.now();
    const sent = http.request(
      url + request.path,
      { method: "POST", headers: request.headers, agent: agentFor(url, connections) },
      (response) => {
        response.on("data", (chunk: Buffer) => {
          if (chunks.length === 0) firstByteMs = performance.now() - began;
          chunks.push(chunk);
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), firstByteMs }),
        );
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(request.body);
  });
}

serveRequests(
  {
    start: () => null,
    send,
    firstBytes,
    bodySizes: ({ workload, seed, at }: { workload: Workload; seed: number; at: readonly number[] }) =>
      at.map((one) => family(workload, seed)(one).body.length),
  },
  async () => {
    for (const agent of agents.values()) agent.destroy();
  },
);
