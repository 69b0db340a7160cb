// Sends hook events over keep-alive connections, one at a time on each, as agents do.
import http from "node:http";
import { serveRequests } from "../frame/child.ts";
import { createEvents } from "./events.ts";

export interface EventSlice {
  readonly url: string;
  readonly turns: number;
  readonly seed: number;
  readonly name: string;
  readonly connections: number;
}

const agents = new Map<string, http.Agent>();

/** Responses other than `{}`. */
async function send({ url, turns, seed, name, connections }: EventSlice): Promise<number> {
  const events = createEvents(turns, seed, name);
  let [next, wrong] = [0, 0];
  const worker = async (): Promise<void> => {
    while (next < events.count) {
      const at = next;
      next += 1;
      if ((await post(url, events.body(at), connections)) !== "200 {}") wrong += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return wrong;
}

function post(url: string, body: string, connections: number): Promise<string> {
  const agent = agents.get(url) ?? new http.Agent({ keepAlive: true, maxSockets: connections });
  agents.set(url, agent);
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = http.request(`${url}/hooks/claude-code`, { method: "POST", headers, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve(`${response.statusCode} ${text}`));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

serveRequests({ start: () => null, send }, async () => {
  for (const agent of agents.values()) agent.destroy();
});
