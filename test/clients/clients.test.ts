import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { present } from "../../src/core/model/narrow.ts";
import { APIS } from "../../src/core/wire/turn.ts";
import { until } from "../support/raw-http.ts";
import { runCommand } from "../support/run-command.ts";
import { readStoredCalls, type StoredCall, storedCalls } from "../support/stored-calls.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import type { ParsedRequest } from "../support/upstream/parsed-request.ts";
import { respond } from "../support/upstream/turn.ts";
import { CLIENTS } from "./clients.ts";
import { type DrivenRun, drive } from "./drive.ts";
import type { DrivenClient, ExpectedCall } from "./driven-client.ts";
import { LEAK_FORMATS, leakedTurn } from "./leak-formats.ts";
import { historyOf } from "./request-history.ts";
import { createHome } from "./run-client.ts";
import { LAST_WORDS, modelOf } from "./scripted-model.ts";

const resources = closeAfterEach();

/** A cell of the table that the run prints. */
function tell({ task }: TestContext, client: DrivenClient, column: string, value: string): void {
  task.meta.cell = { client: client.title, version: client.version, column, value };
}

interface SessionList {
  readonly rows: readonly { readonly folder: string | null }[];
}

const GO_ON = "Please go on with something else.";

/** Compares what was recorded with what was scripted, in the order of the calls. */
function expectOutcomes(
  stored: readonly StoredCall[],
  calls: readonly ExpectedCall[],
  onMatching: (count: number) => void,
): void {
  const inOrder = stored.toSorted((a, b) => a.position - b.position);
  const right = calls.map(({ what, tool, status, category = null }) => ({ what, tool, status, category }));
  const found = inOrder.map(({ tool_name, status, category }, at) => ({
    ...{ what: calls[at]?.what, tool: tool_name, status, category },
  }));
  onMatching(found.filter((row, at) => JSON.stringify(row) === JSON.stringify(right[at])).length);
  expect(found).toEqual(right);
}

/** Whether hooks have reported, as far as the server has stored it. */
async function hasHookEvents({ url }: DrivenRun): Promise<boolean> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return /^toolmend_hook_events_total\{[^}]*result="read"[^}]*\} [1-9]/m.test(text);
}

/** Files in a home that mention Toolmend's hooks, or are named after it. */
function leftBehind(home: string): readonly string[] {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        /toolmend/.test(basename(path)) ||
        (/settings\.json$|hooks\.json$/.test(path) && readFileSync(path, "utf8").includes("toolmend")),
    );
}

/** Clients whose API the proxy reads. */
const READ: readonly DrivenClient[] = CLIENTS.filter(
  ({ api }) => api === undefined || (APIS as readonly string[]).includes(api),
);

describe.each(READ.map((client) => ({ client, title: `${client.title} ${client.version}` })))(
  "$title",
  ({ client }) => {
    it("makes every scripted call, and each is recorded once, in one session, with its outcome", async (context) => {
      const home = createHome();
      const calls = client.calls(home);
      const driven = await resources.open(drive(client, modelOf(calls), {}, home));
      const { code, output } = await driven.run();
      expect([code, output]).toEqual([0, expect.stringContaining(LAST_WORDS)]);
      const stored = await storedCalls(driven);
      expectOutcomes(stored, calls, (matching) =>
        tell(context, client, "outcomes from requests", `${matching} of ${calls.length}`),
      );
      expect(new Set(stored.map(({ session_id }) => session_id)).size).toBe(1);
      expect(new Set(stored.map((row) => row.client))).toEqual(new Set([client.profile]));
      const { rows } = (await (await fetch(`${driven.url}/api/sessions`)).json()) as SessionList;
      const folder = rows[0]?.folder;
      tell(context, client, "folder from requests", folder ?? "–");
      expect(folder).toBe(basename(home.work));
    });

    it("leaves a transcript that contains the same calls", async (context) => {
      const home = createHome();
      const calls = client.calls(home).map(({ inTranscript, ...call }) => ({ ...call, ...inTranscript }));
      const driven = await resources.open(drive(client, modelOf(calls), {}, home));
      await driven.run();
      const data = join(driven.home.home, "toolmend-data");
      const imported = await runCommand(["import", driven.home.home, "--data", data, "--json"], { now: Date.now });
      expect(JSON.parse(imported.out)).toMatchObject({ calls: calls.length, prompts: 1, broken_lines: 0 });
      const stored = readStoredCalls(data);
      expectOutcomes(stored, calls, (matching) =>
        tell(context, client, "outcomes from transcripts", `${matching} of ${calls.length}`),
      );
      expect(new Set(stored.map(({ session_id }) => session_id)).size).toBe(1);
    });

    it("a session is recorded once if its transcript is imported beside the proxy", async (context) => {
      const home = createHome();
      const calls = client.calls(home).map(({ inTranscript, ...call }) => ({ ...call, ...inTranscript }));
      const driven = await resources.open(drive(client, modelOf(calls), {}, home));
      await driven.run();
      await driven.server.drain();
      const tokens = await driven.server.store.usage("all", {});
      const imported = await runCommand(["import", home.home, "--data", driven.data, "--json"], { now: Date.now });
      expect(JSON.parse(imported.out)).toMatchObject({ calls: calls.length });
      const stored = await storedCalls(driven);
      expectOutcomes(stored, calls, (matching) =>
        tell(context, client, "outcomes from both", `${matching} of ${calls.length}`),
      );
      expect(new Set(stored.map(({ session_id }) => session_id)).size).toBe(1);
      expect(await driven.server.store.usage("all", {})).toEqual(tokens);
    });

    it.skipIf(client.hooks === undefined)("reports to hooks and proxy, and each call counts once", async (context) => {
      const { agent, moreArguments = [] } = present(client.hooks);
      const home = createHome();
      const calls = client.calls(home).map(({ inTranscript, ...call }) => ({ ...call, ...inTranscript }));
      const options = { moreArguments, transcripts: [home.home] };
      const driven = await resources.open(drive(client, modelOf(calls), options, home));
      const io = { environment: { HOME: home.home }, now: Date.now };
      const flags = ["--data", driven.data, "--url", driven.url];
      expect((await runCommand(["hook", "install", agent, ...flags], io)).code).toBe(0);
      expect((await driven.run()).code).toBe(0);
      await until("hooks have reported", () => hasHookEvents(driven), 20_000);
      const stored = await storedCalls(driven);
      expectOutcomes(stored, calls, (matching) =>
        tell(context, client, "outcomes with hooks", `${matching} of ${calls.length}`),
      );
      expect(new Set(stored.map(({ session_id }) => session_id)).size).toBe(1);
      expect((await runCommand(["hook", "uninstall", agent, ...flags], io)).code).toBe(0);
      expect(leftBehind(home.home)).toEqual([]);
    });

    it("runs the calls that its model leaks in eight formats, and finishes", async (context) => {
      const marker = (format: string): string => `leaked-${format}.txt`;
      const turns = LEAK_FORMATS.map((format) => leakedTurn(format, client.shell(`echo ran > ${marker(format)}`)));
      const driven = await resources.open(drive(client, modelOf(turns)));
      const { code, output } = await driven.run();
      const ran = LEAK_FORMATS.filter((format) => existsSync(join(driven.home.work, marker(format))));
      tell(context, client, "leaks run", `${ran.length} of ${LEAK_FORMATS.length}`);
      expect(ran).toEqual(LEAK_FORMATS);
      expect([code, output]).toEqual([0, expect.stringContaining(LAST_WORDS)]);
      expect((await storedCalls(driven)).map(({ status }) => status === "failed")).toEqual(
        LEAK_FORMATS.map(() => false),
      );
    });

    it("ends when the guard stops a loop, shows why, and goes on after a message", async (context) => {
      // Two calls in turn: some clients end a run of equal calls themselves.
      const cycle = [client.shell("echo the same again"), client.shell("echo and again")];
      const script = (request: ParsedRequest) =>
        JSON.stringify(request.messages.at(-1)).includes(GO_ON)
          ? respond(LAST_WORDS)
          : modelOf(Array.from({ length: 20 }, () => cycle).flat())(request);
      const driven = await resources.open(drive(client, script, { guard: { mode: "stop" } }));
      const stopped = await driven.run();
      expect(stopped.output).toMatch(/Toolmend stopped this agent: the last \d+ calls brought nothing new/);
      const results = Math.max(...driven.requests.map(({ body }) => historyOf(body).results));
      // 12, or more if the client now and then loses the output of a command, which is something new.
      expect(results).toBeGreaterThanOrEqual(11);
      tell(context, client, "ends on stop", `exit ${stopped.code} after ${results + 1} results`);
      if (client.continueArguments === undefined) return;
      const { code, output } = await driven.goOn(GO_ON);
      expect([code, output]).toEqual([0, expect.stringContaining(LAST_WORDS)]);
    });

    it("sends the same bytes of a note in 50 further requests", async (context) => {
      const again = client.shell("echo the same again");
      const further = Array.from({ length: 50 }, (_, at) => client.shell(`echo step ${at}`));
      const turns = [...Array.from({ length: 4 }, () => again), ...further];
      const driven = await resources.open(drive(client, modelOf(turns), { guard: { mode: "note" } }));
      const { code } = await driven.run();
      expect(code).toBe(0);
      const all = driven.requests.map(({ body }) => historyOf(body));
      // Some clients also ask about parts of the conversation; those requests begin with another message.
      const start = all.find(({ results }) => results === 4)?.text.slice(0, 100) ?? "none";
      const histories = all.filter(({ results, text }) => results >= 4 && text.startsWith(start));
      expect(histories.length).toBeGreaterThanOrEqual(51);
      expect(new Set(histories.map(({ notes }) => notes))).toEqual(new Set([1]));
      const broken = histories.filter(({ text }, at) => !(histories[at + 1]?.text ?? text).startsWith(text));
      tell(context, client, "note stable", `${histories.length - broken.length} of ${histories.length} requests`);
      expect(broken).toEqual([]);
    });
  },
);
