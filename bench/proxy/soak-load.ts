// Load generator of the soak: sessions with their turns, and faulty exchanges between them.
import http from "node:http";
import net from "node:net";
import { serveRequests } from "../frame/child.ts";
import { createRandom, type Random } from "../frame/random.ts";
import { type BenchRequest, createRequests } from "./requests.ts";
import { CLIENT_FAULTS, FAULTS, type Fault } from "./soak-faults.ts";
import type { Workload } from "./workload.ts";

/** One workload: all turns of all its sessions. */
export interface Family {
  readonly url: string;
  readonly workload: Workload;
  readonly seed: number;
  readonly turns: number;
  readonly connections: number;
  /** Share of the turns that are preceded by a fault. */
  readonly faultShare: number;
}

export interface FamilyResult {
  readonly requests: number;
  readonly faults: Readonly<Record<string, number>>;
  /** Valid requests that did not get a complete 200 response. */
  readonly failures: readonly string[];
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

async function play({ url, workload, seed, turns, connections, faultShare }: Family): Promise<FamilyResult> {
  const requests = createRequests(workload, seed);
  const random = createRandom(seed);
  const faults: Record<string, number> = {};
  const failures: string[] = [];
  let [next, sent] = [0, 0];
  const worker = async (): Promise<void> => {
    while (next < workload.sessions) {
      const session = next;
      next += 1;
      for (let turn = 0; turn < turns; turn += 1) {
        const request = requests(turn * workload.sessions + session);
        if (random() < faultShare) {
          const fault = FAULTS[Math.floor(random() * FAULTS.length)] as Fault;
          faults[fault] = (faults[fault] ?? 0) + 1;
          await goWrong(fault, url, request, random);
        }
        const problem = await sendRequest(url, request);
        sent += 1;
        if (problem !== undefined) failures.push(problem);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return { requests: sent, faults, failures: failures.slice(0, 10) };
}

/** Sends a valid request. Returns the problem, or undefined if the response is complete. */
function sendRequest(url: string, { path, headers, body }: BenchRequest): Promise<string | undefined> {
  return new Promise((resolve) => {
    const sent = http.request(url + path, { method: "POST", headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", (error) => resolve(`broke off: ${error.message}`));
      response.on("end", () => {
        const whole = Buffer.concat(chunks).includes("message_stop");
        resolve(response.statusCode === 200 && whole ? undefined : `status ${response.statusCode}, whole: ${whole}`);
      });
    });
    sent.on("error", (error) => resolve(`no answer: ${error.message}`));
    sent.end(body);
  });
}

function goWrong(fault: Fault, url: string, request: BenchRequest, random: Random): Promise<void> {
  const { path, headers, body } = request;
  if (!CLIENT_FAULTS.some((known) => known === fault))
    return listen(
      http.request(url + path, { method: "POST", agent, headers: { ...headers, "x-bench-fault": fault } }),
      body,
    );
  if (fault === "too-large")
    return listen(
      http.request(`${url}/api/settings/repair`, { method: "POST", agent, headers: JSON_TYPE }),
      Buffer.alloc(1 << 20, "x"),
    );
  if (fault === "not-json")
    return listen(
      http.request(`${url}/api/ingest`, { method: "POST", agent, headers: JSON_TYPE }),
      Buffer.from("{x}\n".repeat(5000)),
    );
  if (fault === "abort") {
    const sent = http.request(url + path, { method: "POST", headers });
    sent.on("response", (response) => response.once("data", () => sent.destroy()));
    return listen(sent, body);
  }
  const { port, hostname } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const whole = Buffer.concat([
    Buffer.from([`POST ${path} HTTP/1.1`, `Host: ${new URL(url).host}`, ...head, "", ""].join("\r\n")),
    body,
  ]);
  const bytes =
    fault === "half"
      ? whole.subarray(0, Math.floor(random() * whole.length))
      : Buffer.from("\u0000\u0001 noise\r\n\r\n");
  socket.write(bytes, () => socket.destroySoon());
  return new Promise((resolve) => socket.on("close", () => resolve()));
}

const JSON_TYPE = { "content-type": "application/json" };

/** Sends the request and discards the response. */
function listen(sent: http.ClientRequest, body: Buffer): Promise<void> {
  return new Promise((resolve) => {
    sent.on("response", (response) => {
      response.on("error", () => undefined);
      response.on("close", () => resolve());
      response.resume();
    });
    sent.on("error", () => resolve());
    sent.on("close", () => resolve());
    sent.end(body);
  });
}

serveRequests({ start: () => null, play }, async () => agent.destroy());
