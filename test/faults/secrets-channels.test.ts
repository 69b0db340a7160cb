import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, it } from "vitest";
import { createReporter } from "../../src/adapters/reporter/index.ts";
import { main } from "../../src/cli/main.ts";
import { createTarget } from "../../src/export/export-settings.ts";
import { CAPTURES, CallObserver } from "../../src/ingest/observe/observe-call.ts";
import { BREAKDOWNS } from "../../src/store/port.ts";
import { ClaudeTranscript } from "../support/claude-transcript.ts";
import { basePayload } from "../support/hook-session.ts";
import { callObservation } from "../support/observations.ts";
import { send, until } from "../support/raw-http.ts";
import { sendPrompt } from "../support/repair-clients.ts";
import { getJson, startBoth, temporaryFolder } from "../support/running.ts";
import { patient } from "../support/slowness.ts";
import { refuse, respond, say } from "../support/upstream/turn.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** A failure text with a secret of every shape; each ends in a word that names the channel it was planted in. */
function planted(channel: string): string {
  const word = (shape: string): string => `canary${shape}${channel}0`;
  return [
    `Error: the request was refused (max_tokens: 4096)`,
    `> Authorization: Token ${word("hdr")}1234567890`,
    `> Cookie: sid=${word("ck")}1234; theme=dark`,
    `GET https://api.example.com/v1?key=${word("query")}&x=1`,
    `postgres://admin:${word("url")}@db.example.com/x`,
    `token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${word("jwt")}SflKxwRJSMeKKF is expired`,
    `-----BEGIN RSA PRIVATE KEY-----\n${word("pem")}MIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----`,
    `AWS_SECRET_ACCESS_KEY=${word("env")};x`,
    `{"api_keys":["${word("list")}"],"password":"${word("json")}"}`,
    `sk-ant-${word("key")}-AAAAAAAAAAAA`,
    `+ mysql -uroot -p${word("cmd")} shop; sshpass -p ${word("ssh")} ssh db`,
    `+ echo ${word("pipe")} | docker login -u ann --password-stdin`,
    `db.internal:5432:shop:ann:${word("pgpass")}`,
    `db:\n  password: |\n    ${word("yaml")}\n  port: 1`,
    `{\n  "name": "DB_PASSWORD",\n  "value": "${word("pair")}"\n}`,
    `contraseña: ${word("label")}\n密码：${word("cjk")}`,
    `ann@db's password: ${word("prompt")}`,
  ].join("\n");
}
const SHAPES = [
  ...["hdr", "ck", "query", "url", "jwt", "pem", "env", "list", "json", "key", "arg", "name"],
  ...["cmd", "ssh", "pipe", "pgpass", "yaml", "pair", "label", "cjk", "prompt", "short", "tool", "id"],
];
const argumentsOf = (channel: string): Record<string, unknown> => ({
  command: `curl -H "X-Api-Key: canaryarg${channel}0" -u ann:canaryshort${channel}0`,
  [`sk-live-canaryname${channel}0`]: 1,
});

async function startReceiver(): Promise<{ url: string; bodies: string[]; close(): void }> {
  const bodies: string[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      bodies.push(body);
      requests += 1;
      // The first response repeats the credentials it received.
      if (requests <= 2)
        response.writeHead(500).end(`who is ${request.headers.authorization} ${request.headers["x-team"]}?`);
      else response.writeHead(200, JSON_TYPE).end("{}");
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    close: () => void server.close(),
  };
}

function allFiles(folder: string): string {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

// Each waits ten seconds until its calls are due for export, so they run concurrently.
it.concurrent.each(CAPTURES)(
  "capture %s: no channel leaks a secret into anything that is stored, shown or sent",
  async (capture) => {
    const [data, home] = [temporaryFolder(), temporaryFolder()];
    let log = "";
    const sink = new Writable({
      write: (chunk, _encoding, done) => {
        log += String(chunk);
        done();
      },
    });
    const receiver = await startReceiver();
    const environment = {
      ...{
        LANGFUSE_HOST: receiver.url,
        LANGFUSE_PUBLIC_KEY: "pk-lf-canaryexport0",
        LANGFUSE_SECRET_KEY: "canaryexport1",
      },
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_HEADERS: "x-team=canaryexport2" },
    };
    const targets = (["langfuse", "otlp"] as const).map((name) => createTarget(name, environment, "0"));
    const leak = `<tool_call>\n{"name": "read", "arguments": {"path": "a", "password": "canaryjsonleak0"}}\n</tool_call>`;
    const turns = [respond(leak), refuse(400, { message: `unexpected id: ${planted("upstream").slice(0, 300)}` })];
    const both = await startBoth(({ nth }) => turns[nth] ?? respond(say("ok")), {
      ...{ data, capture, transcripts: [home], logger: pino({ level: "debug" }, sink) },
      exporting: { targets, content: true, giveUpAfterMs: 60_000, everyMs: 50 },
    });
    const post = (
      path: string,
      body: string,
      headers: Record<string, string> = JSON_TYPE,
    ): Promise<{ status: number }> => send(both.url + path, { headers }, body);
    let printed = "";
    const run = async (...args: readonly string[]): Promise<void> => {
      const write = (text: string): void => {
        printed += text;
      };
      await main([...args, "--data", data, "--capture", capture], {
        ...{ out: write, err: write, environment: {}, isTerminal: false, width: 300, now: Date.now },
      }).catch((error: Error) => write(error.message));
    };
    try {
      // The proxy: a leak, an upstream that rejects it, and a history with results.
      const turn = await sendPrompt("chat", both.url, { stream: true });
      expect(turn.calls).toHaveLength(1);
      await expect(turn.sendResults()).rejects.toThrow("400");
      const history = [
        { role: "user", content: planted("prompt") },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "toolu_proxy", name: "Bash", input: argumentsOf("proxy") }],
        },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "toolu_proxy", is_error: true, content: planted("proxy") }],
        },
      ];
      const tools = [{ name: "Bash", input_schema: { type: "object" } }];
      const secrets = {
        ...JSON_TYPE,
        "x-api-key": "canaryhead0",
        authorization: "Bearer canaryhead1",
        cookie: "a=canaryhead2",
      };
      for (const stream of [false, true])
        await post(
          "/v1/messages?key=canaryhead3",
          JSON.stringify({ model: "m", max_tokens: 9, stream, tools, messages: history }),
          secrets,
        );

      // Hooks, over HTTP and spooled; one of them malformed.
      const failure = (channel: string): string =>
        JSON.stringify({
          ...basePayload("PostToolUseFailure", {
            session: channel,
            transcript: `/tmp/${planted("path").slice(0, 200)}`,
          }),
          ...{
            tool_use_id: `toolu_${channel}`,
            tool_name: "Bash",
            tool_input: argumentsOf(channel),
            error: planted(channel),
          },
        });
      await post("/hooks/claude-code", failure("hook"));
      await post(
        "/hooks/claude-code",
        JSON.stringify({ ...basePayload("UserPromptSubmit"), prompt: planted("hookprompt") }),
      );
      mkdirSync(join(data, "spool", "claude-code"), { recursive: true });
      writeFileSync(join(data, "spool", "claude-code", "a.json"), failure("spool"));
      writeFileSync(join(data, "spool", "claude-code", "b.json"), `${failure("broken")} and no JSON`);

      // Transcripts, events of another store, and malformed lines.
      const transcript = new ClaudeTranscript()
        .prompt(planted("transcriptprompt"))
        .calls([{ id: "toolu_import", name: "Bash", input: argumentsOf("import") }])
        .failed("toolu_import", planted("import"))
        .raw(`{"broken": ${JSON.stringify(planted("importline"))}`);
      writeFileSync(join(home, "a.jsonl"), transcript.text());
      const event = {
        type: "tool_call_recorded",
        v: 1,
        event_id: "e",
        project: "default",
        session_id: "events",
        tool_call_id: "t",
      };
      const recorded = { timestamp: "2026-03-10T12:00:00Z", status: "failed", category: "error", tool_name: "Bash" };
      writeFileSync(
        join(home, "b.jsonl"),
        `${JSON.stringify({ ...event, ...recorded, status_message: planted("events") })}\n`,
      );
      await run("import", home);

      // The ingest API: raw calls, ready-made observations with secrets, and the library's reporter.
      const rawCall = { session_id: "ingest", tool_call_id: "t", tool_name: "Bash", arguments: argumentsOf("ingest") };
      await post("/api/ingest", JSON.stringify({ ...rawCall, content: planted("ingest"), is_error: true }));
      // Secrets in names and ids.
      const named = {
        session_id: "ghp_canaryidingest0AAAAAAAAAAAAAAAA",
        tool_call_id: "sk-ant-canaryidcall0AAAAAAAAAAAA",
      };
      const wrong = { ...rawCall, ...named, tool_name: "mysql -pcanarytoolingest0" };
      await post("/api/ingest", JSON.stringify({ ...wrong, content: "Error: no such tool", is_error: true }));
      await post(
        "/hooks/claude-code",
        JSON.stringify({
          ...basePayload("PostToolUseFailure", { session: "ghp_canaryidhook0AAAAAAAAAAAAAAAAAA" }),
          ...{ tool_use_id: "sk-ant-canaryidhook0AAAAAAAAAAAA", tool_name: "xoxb-canarytoolhook0AAAAAAAA" },
          ...{ tool_input: {}, error: "Error: no such tool" },
        }),
      );
      const careless = new CallObserver({ capture: "full", salt: "s" }).observe({
        ...callObservation({ session_id: "handed", tool_call_id: "t" }),
        ...{ arguments: argumentsOf("handed"), result: { content: "Error: x", is_error: true } },
      });
      const outcome = {
        ...careless.result?.outcome,
        excerpt: planted("handed"),
        status_message: planted("handed"),
        rule: "r",
      };
      const args = { ...careless.arguments, preview: planted("handed"), keys: { "sk-live-canarynamehanded0": "1" } };
      await post(
        "/api/ingest",
        JSON.stringify({ ...careless, arguments: args, result: { ...careless.result, outcome } }),
      );
      const reporter = createReporter({ url: both.url, session: "library" });
      reporter.onOutcome?.({
        ...{
          call: { id: "toolu_lib", name: "Bash" },
          ok: false,
          attempts: 1,
          durationMs: 1,
          input: argumentsOf("library"),
          replayed: false,
        },
        failure: { kind: "threw", modelMessage: planted("library") },
      } as never);
      await reporter.flush();

      await both.server.drain();
      await until(
        "all channels are stored",
        async () => (await getJson<{ failed: number }>(`${both.url}/api/summary`)).failed >= 7,
        patient(15_000),
      );
      await until("calls were exported", () => receiver.bodies.length > 6, 15_000);

      const paths = [
        ...[
          "/metrics",
          "/api/summary",
          "/api/tools",
          "/api/sessions",
          "/api/origins",
          "/api/leaks",
          "/api/repair",
          "/api/export",
        ],
        ...["/api/openapi.json", ...BREAKDOWNS.map((by) => `/api/breakdown?by=${by}`)],
      ];
      for (const path of paths) printed += await (await fetch(both.url + path)).text();
      const { rows } = await getJson<{ rows: { session_id: string }[] }>(`${both.url}/api/sessions`);
      for (const { session_id } of rows) await run("show", session_id, "--json");
      for (const command of [
        ["report", "--json"],
        ["report", "--by", "fingerprint"],
        ["sessions", "--json"],
        ["doctor", "--json"],
      ])
        await run(...command);
    } finally {
      await both.close();
      receiver.close();
    }
    const everything = [log, printed, ...receiver.bodies, allFiles(data)].join("\n");
    rmSync(data, { recursive: true, force: true });
    rmSync(home, { recursive: true, force: true });

    // Checks the search itself on text that exists.
    expect(everything).toContain("toolu_import");
    if (capture !== "none") expect(everything).toContain("the request was refused (max_tokens: 4096)");
    expect([
      ...new Set(everything.match(new RegExp(`canary(?:${SHAPES.join("|")}|head|export)[a-z]*\\d`, "g"))),
    ]).toEqual([]);
  },
  patient(60_000),
);
