import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CountedLoop } from "../../store/port.ts";
import { LoopNotifier } from "./loop-notifier.ts";

const LOOP: CountedLoop = {
  ...{ project: "default", session_id: "s1", agent_id: "root", provider: "openai", model: "m", tool_name: "Bash" },
  loop: { of: "r1", run: 6, waits: 0, kind: "repeat", period: 1, tools: ["Bash"], level: 6 },
};
const ALARM = {
  ...{ type: "loop_detected", project: "default", session_id: "s1", agent_id: "root", provider: "openai", model: "m" },
  ...{ tool_name: "Bash", tools: ["Bash"], kind: "repeat", period: 1, run: 6, level: 6 },
};

let folder: string;
let problems: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-notify-"));
  problems = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function notifier(target: string, timeoutMs?: number): LoopNotifier {
  const onProblem = (message: string): unknown => problems.push(message);
  return new LoopNotifier({ target, onProblem, ...(timeoutMs !== undefined && { timeoutMs }) });
}

describe("a command that receives loops", () => {
  it("the notified command gets one line of JSON for each loop, one after the other", async () => {
    const file = join(folder, "lines");
    const one = notifier(`cat >> ${file}`);
    one.notify(LOOP);
    one.notify({ ...LOOP, session_id: "s2" });
    await one.settled();
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([ALARM, { ...ALARM, session_id: "s2" }]);
    expect(problems).toEqual([]);
  });

  it("the notified command is not run for calls between two levels", async () => {
    const one = notifier(`touch ${join(folder, "called")}`);
    one.notify({ ...LOOP, loop: { ...LOOP.loop, run: 7, level: null } });
    await one.settled();
    expect(() => readFileSync(join(folder, "called"))).toThrow("ENOENT");
  });

  it("the notified command is ended after its time, and a failure is reported", async () => {
    const slow = notifier("sleep 60", 50);
    slow.notify(LOOP);
    const failing = notifier("exit 3");
    failing.notify(LOOP);
    await Promise.all([slow.settled(), failing.settled()]);
    expect(problems.toSorted()).toEqual(["The command ended with SIGKILL.", "The command ended with status 3."]);
  });

  it("the notified command is not started again while an earlier one is running", async () => {
    const file = join(folder, "lines");
    const one = notifier(`cat >> ${file}`);
    for (let n = 0; n < 100; n += 1) one.notify(LOOP);
    await one.settled();
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(20);
  });
});

it("posts to a URL, and reports an error status", async () => {
  const bodies: string[] = [];
  const server = http.createServer((request, response) => {
    request.setEncoding("utf8");
    let body = "";
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      bodies.push(body);
      response.writeHead(bodies.length === 1 ? 204 : 500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const one = notifier(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  one.notify(LOOP);
  one.notify(LOOP);
  await one.settled();
  server.close();
  expect(bodies.map((body) => JSON.parse(body) as object)).toEqual([ALARM, ALARM]);
  expect(problems).toEqual(["The webhook returned HTTP 500."]);
});
