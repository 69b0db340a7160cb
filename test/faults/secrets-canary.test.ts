import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, it } from "vitest";
import { CAPTURES } from "../../src/ingest/observe/observe-call.ts";
import { send, until } from "../support/raw-http.ts";
import { getJson, startBoth, temporaryFolder } from "../support/running.ts";
import { call, respond, say } from "../support/upstream/turn.ts";

/** Secrets of every shape, each with a unique word that must not be found anywhere. */
const TEXTS: Readonly<Record<string, string>> = {
  env: "PATH=/usr/bin\nAWS_SECRET_ACCESS_KEY=canaryenv0wJalrXUtnFEMI\nDATABASE_PASSWORD=canaryenv1hunter2hunter2\nHOME=/root",
  json: '{"error":"denied","api_key":"canaryjson0k3yk3yk3y","nested":{"client_secret":"canaryjson1s3cr3t"}}',
  jwt: "Error: token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnlqd3QifQ.canaryjwtSflKxwRJSMeKKF2QT4fwpMe is expired",
  pem: "-----BEGIN RSA PRIVATE KEY-----\ncanarypemMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
  url: "fatal: could not read from https://deploy:canaryurlp4ss@git.example.com/repo.git",
  header: "curl: (22) sent Authorization: Bearer canaryhdr0abcdefghijkl and X-Api-Key: canaryhdr1abcdefghijkl",
  command:
    "+ sshpass -p canarycmd0hunter2 ssh root@db\n+ mysql -uroot -pcanarycmd1hunter2 shop\n+ curl -u ann:canarycmd2hunter2 https://x\nError: denied",
  piped:
    "+ echo canarypipe0hunter2 | docker login -u ann --password-stdin\n+ printf 'canarypipe1hunter2' | sudo -S id\n+ openssl rsa -passin pass:canarypipe2hunter2\nError: no",
  lines:
    "Error: in .pgpass:\ndb.internal:5432:shop:ann:canaryline0hunter2\nann:$apr1$canaryline1$abcdefghijklmnopqrstuv\nroot:$6$canaryline2$abcdefghijklmnopqrstuvwxyz0123456789:19000:0:99999:7:::",
  yaml: "Error: bad value\ndb:\n  password: |\n    canaryyaml0hunter2\nenv:\n  - name: DB_PASSWORD\n    value: canaryyaml1hunter2",
  pairs: JSON.stringify({
    error: "refused",
    env: JSON.stringify([{ name: "DB_PASSWORD", value: "canarypair0hunter2" }], null, 1),
    netrc: "machine x\n  login ann\n  password canarypair1hunter2",
  }),
  labels:
    "Error: refused\ncontraseña: canarylabel0hunter2\nmot de passe : canarylabel1hunter2\n密码：canarylabel2hunter2\nпароль: canarylabel3hunter2",
  prompts:
    "Error: no\nann@10.0.0.7's password: canaryprompt0hunter2\nThe password is canaryprompt1hunter2 now\nYour verification code is 493817",
  provider: "Error: key sk-ant-canaryprov0-AAAAAAAAAAAAAAAAAAAA or ghp_canaryprov1AAAAAAAAAAAAAAAAAAAAAAAA was refused",
};
const WORDS = [
  ...Object.values(TEXTS)
    .join("\n")
    .matchAll(/canary[a-z]+\d?/g),
]
  .map(([word]) => word)
  .concat("493817", "canaryname", "canaryid")
  .concat("canaryreq0", "canaryreq1", "canaryreq2", "canaryreq3", "canaryarg0", "canaryarg1");

it.each(CAPTURES)(
  "capture %s: no planted secret is in the data folder, the logs, the metrics, the API or the page",
  async (capture) => {
    const data = temporaryFolder();
    let log = "";
    const logger = pino(
      { level: "debug" },
      new Writable({
        write: (chunk, _encoding, done) => {
          log += String(chunk);
          done();
        },
      }),
    );
    const both = await startBoth(
      (request) =>
        request.nth === 0
          ? respond(...Object.keys(TEXTS).map((name) => call("Bash", { command: name }, `toolu_planted_${name}`)))
          : respond(say("ok")),
      { data, capture, logger },
    );
    const headers = {
      "content-type": "application/json",
      "x-api-key": "canaryreq0",
      authorization: "Bearer canaryreq1",
      cookie: "sid=canaryreq2",
      "anthropic-version": "2023-06-01",
      "x-toolmend-session": "ghp_canaryidAAAAAAAAAAAAAAAAAAAAAAAA",
      "x-toolmend-agent": "sk-ant-canaryid-1AAAAAAAAAAAAAAAA",
    };
    const sendMessages = (
      messages: readonly object[],
      tools = [{ name: "Bash", input_schema: { type: "object" } }],
    ): ReturnType<typeof send> =>
      send(
        `${both.url}/v1/messages?key=canaryreq3`,
        { headers },
        JSON.stringify({ model: "m", max_tokens: 9, tools, messages }),
      );
    const first = JSON.parse((await sendMessages([{ role: "user", content: "hi" }])).body.toString()) as {
      content: { id: string; input: object }[];
    };
    const results = first.content.map(({ id }) => ({
      type: "tool_result",
      tool_use_id: id,
      is_error: true,
      content: TEXTS[id.replace("toolu_planted_", "")],
    }));
    const called = first.content.map((block) => ({
      ...block,
      input: { command: "mysql -pcanaryarg0", password: "canaryarg1-secret" },
    }));
    // Models and clients may put arbitrary text into names and ids.
    const id = "sk-ant-canaryid-2AAAAAAAAAAAAAAAA";
    called.push({ ...called[0], id, name: "ghp_canarynameAAAAAAAAAAAAAAAAAAAAAA" } as never);
    results.push({ type: "tool_result", tool_use_id: id, is_error: true, content: "Error: no such tool" });
    const got = await sendMessages([
      { role: "user", content: "hi" },
      { role: "assistant", content: called },
      { role: "user", content: results },
    ]);
    expect(got.status).toBe(200);
    await until(
      "all are stored",
      async () =>
        (await getJson<{ failed: number }>(`${both.url}/api/summary`)).failed === Object.keys(TEXTS).length + 1,
    );
    await both.server.drain();

    const pages = await Promise.all(
      ["/metrics", "/api/summary", "/api/tools", "/api/sessions", "/api/openapi.json", "/"].map(async (path) =>
        (await fetch(both.url + path)).text(),
      ),
    );
    await both.close();
    const files = readdirSync(data, { recursive: true })
      .map((name) => join(data, String(name)))
      .filter((path) => statSync(path).isFile());
    const everything = [log, ...pages, ...files.map((path) => readFileSync(path, "latin1"))].join("\n");
    rmSync(data, { recursive: true, force: true });

    expect(files.some((path) => path.endsWith("toolmend.db"))).toBe(true);
    expect(everything).toContain("Bash");
    // Checks the search itself on text that exists.
    if (capture !== "none") expect(everything).toContain("was refused");
    const found = WORDS.filter((word) => everything.includes(word));
    expect(found).toEqual([]);
  },
);

it("files are readable by the owner only (L25)", async () => {
  const data = temporaryFolder();
  const both = await startBoth(() => respond(say("hi")), { data });
  await send(
    `${both.url}/v1/messages`,
    { headers: { "content-type": "application/json" } },
    '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}',
  );
  await until(
    "it is stored",
    async () => (await getJson<{ requests: number }>(`${both.url}/api/summary`)).requests === 1,
  );
  await both.server.drain();
  const modes = readdirSync(data, { recursive: true }).map((name) => {
    const { mode } = statSync(join(data, String(name)));
    return [String(name), (mode & 0o777).toString(8)];
  });
  await both.close();
  rmSync(data, { recursive: true, force: true });
  for (const [name, mode] of modes)
    expect([name, mode]).toEqual([name, /^(?:journal|events)$/.test(name as string) ? "700" : "600"]);
  expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(["toolmend.db", "journal", "events", "salt"]));
});
