import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Config, type Flags, readConfig, thresholdsOf, upstreamsOf } from "./config.ts";
import { CliError } from "./errors.ts";

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-config-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(content: unknown): string {
  files += 1;
  const path = join(folder, `${files}.json`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
const none = (): string => file({});
const read = (flags: Flags = {}, environment: NodeJS.ProcessEnv = {}): Promise<Config> =>
  readConfig({ config: none(), ...flags }, environment);
const problem = async (flags: Flags = {}, environment: NodeJS.ProcessEnv = {}): Promise<string> => {
  try {
    await read(flags, environment);
  } catch (error) {
    expect(error).toBeInstanceOf(CliError);
    return (error as Error).message;
  }
  return "";
};

describe("readConfig", () => {
  it("returns the defaults without any settings", async () => {
    expect(await read()).toEqual({
      host: "127.0.0.1",
      port: 4100,
      keep: "forever",
      idleTimeout: "30m",
      callNameTtl: "1h",
      bodyMemory: 64,
      data: expect.stringMatching(/\.toolmend$/),
      upstreams: {},
      watch: [],
      capture: "errors",
      redact: "secrets",
      allowHosts: [],
      durable: false,
      export: { targets: [], content: false, giveUpAfter: "7d" },
      hooks: { transcripts: [] },
      health: { minCalls: 5, healthyBelow: 0.1, unhealthyFrom: 0.3, unhealthyUnrecovered: 3 },
      prices: {},
      websocket: "auto",
      logLevel: "warn",
      repair: {
        ...{ mode: "known", upstreams: {}, models: {}, allow: [], deny: [] },
        calls: { mode: "follow", upstreams: {}, models: {}, deny: [], faults: {} },
        ...{ maxCandidateChars: 1 << 20, suspendFor: "24h", cleanHistory: false, strictCommands: false },
      },
      guard: { mode: "observe", upstreams: {}, models: {}, ignore: [] },
      secondChance: {
        ...{ mode: "off", upstreams: {}, models: {}, timeoutSeconds: 60, maxPerSession: 5, maxInputTokens: 50_000 },
      },
      mcp: { repairCalls: "observe" },
      detect: { heuristics: true, flagOnly: { upstreams: [], tools: [] }, rules: [] },
    });
  });

  it("switches second chances on, from every source", async () => {
    expect((await read({ secondChance: true })).secondChance.mode).toBe("on");
    expect((await read({}, { TOOLMEND_SECOND_CHANCE: "on" })).secondChance.mode).toBe("on");
    expect((await read({ config: file({ secondChance: "on" }) })).secondChance.mode).toBe("on");
    expect(
      (await read({ config: file({ secondChance: { models: { "qwen3-*": "on" } } }) })).secondChance,
    ).toMatchObject({
      mode: "off",
      models: { "qwen3-*": "on" },
    });
    expect(await problem({ config: file({ secondChance: { upstreams: { vllm: "on" } } }) })).toContain(
      "secondChance.upstreams.vllm: unknown upstream",
    );
  });

  it("accepts a guard mode and a command to notify, from every source", async () => {
    expect((await read({ guard: "stop", notify: "notify-send loop" })).guard).toMatchObject({
      mode: "stop",
      notify: "notify-send loop",
    });
    expect((await read({}, { TOOLMEND_GUARD: "note", TOOLMEND_NOTIFY: "http://127.0.0.1:9/" })).guard).toMatchObject({
      mode: "note",
      notify: "http://127.0.0.1:9/",
    });
    expect(await problem({ config: file({ guard: { upstreams: { vllm: "stop" } } }) })).toContain(
      "guard.upstreams.vllm: unknown upstream",
    );
  });

  it("accepts repair modes for known upstreams and for models", async () => {
    const repair = { upstreams: { vllm: "any" }, models: { "qwen*": "off" } };
    expect(
      (await read({ config: file({ upstreams: { vllm: "http://127.0.0.1:8000" }, repair }) })).repair,
    ).toMatchObject({
      mode: "known",
      ...repair,
    });
    expect(await problem({ config: file({ repair }) })).toContain("repair.upstreams.vllm: unknown upstream");
    expect(await problem({ config: file({ repair: { suspendFor: "soon" } }) })).toContain(
      "repair.suspendFor: must be a duration",
    );
  });

  it.each([
    ["otlp", ["otlp"]],
    ["langfuse, otlp", ["langfuse", "otlp"]],
    [["otlp"], ["otlp"]],
    [{ targets: ["otlp"] }, ["otlp"]],
  ])("reads the export targets %j", async (written, targets) => {
    expect((await read({ config: file({ export: written }) })).export.targets).toEqual(targets);
  });

  it("rejects unknown upstreams in detect.flagOnly, and accepts providers of agents", async () => {
    const flagOnly = (...upstreams: string[]) => file({ detect: { flagOnly: { upstreams } } });
    expect(await problem({ config: flagOnly("nope") })).toContain("detect.flagOnly.upstreams.nope: unknown upstream");
    expect((await read({ config: flagOnly("anthropic", "google", "github") })).detect.flagOnly.upstreams.length).toBe(
      3,
    );
  });

  it("warns about a variable that is almost a setting", async () => {
    const warnings: string[] = [];
    const variables = {
      ...{ TOOLMEND_REPIAR: "off", TOOLMEND_DATA: folder, TOOLMEND_KEY_OPENIA: "k", TOOLMEND_QUIET_AFTER: "1h" },
      ...{ TOOLMEND_SERVICE_HOST: "10.0.0.1", TOOLMEND_PORT_4100_TCP: "tcp://10.0.0.1", TOOLMEND_GAURD: "" },
    };
    await readConfig({ config: none() }, variables, (text) => warnings.push(text));
    expect(warnings).toEqual([
      "TOOLMEND_QUIET_AFTER is now called TOOLMEND_IDLE_TIMEOUT. The old name will be removed.",
      "TOOLMEND_REPIAR is not a setting and is ignored. Did you mean TOOLMEND_REPAIR?",
    ]);
  });

  it.each([5, true, null, ["otpl"], "otpl", ""])("rejects the export targets %j by key", async (written) => {
    expect(await problem({ config: file({ export: written }) })).toContain("export.targets");
  });

  it("reads the repair of native calls as a mode or as an object, and a flag changes only the mode", async () => {
    const inFile = file({ repair: { calls: { mode: "off", faults: { values: false, "comma-list": true } } } });
    expect((await read({ config: file({ repair: { calls: "observe" } }) })).repair.calls.mode).toBe("observe");
    expect((await read({}, { TOOLMEND_REPAIR_CALLS: "off" })).repair).toMatchObject({
      mode: "known",
      calls: { mode: "off" },
    });
    expect((await read({ config: inFile, repairCalls: "on" })).repair.calls).toMatchObject({
      mode: "on",
      faults: { values: false, "comma-list": true },
    });
    expect(await problem({ config: file({ repair: { calls: { faults: { typos: false } } } }) })).toContain(
      "repair.calls.faults.typos: unknown class of faults",
    );
    expect(await problem({ config: file({ repair: { calls: { upstreams: { vllm: "on" } } } }) })).toContain(
      "repair.calls.upstreams.vllm: unknown upstream",
    );
  });

  it("enables cleaning of histories by flag, environment or file", async () => {
    const inFile = file({ repair: { cleanHistory: true } });
    expect((await read({ config: inFile })).repair.cleanHistory).toBe(true);
    expect((await read({ cleanHistory: true })).repair).toMatchObject({ mode: "known", cleanHistory: true });
    expect((await read({}, { TOOLMEND_CLEAN_HISTORY: "true" })).repair.cleanHistory).toBe(true);
    expect((await read({ config: inFile }, { TOOLMEND_CLEAN_HISTORY: "off" })).repair.cleanHistory).toBe(false);
    expect((await read({}, { TOOLMEND_CLEAN_HISTORY: "" })).repair.cleanHistory).toBe(false);
  });

  it.each([
    ["host", { host: "f" }, { TOOLMEND_HOST: "e" }, { host: "c" }, "f", "e", "c"],
    ["port", { port: "1" }, { TOOLMEND_PORT: "2" }, { port: 3 }, 1, 2, 3],
    ["data", { data: "f" }, { TOOLMEND_DATA: "e" }, { data: "c" }, "f", "e", "c"],
    ["capture", { capture: "full" }, { TOOLMEND_CAPTURE: "none" }, { capture: "errors" }, "full", "none", "errors"],
    [
      "redact",
      { redact: "personal" },
      { TOOLMEND_REDACT: "secrets" },
      { redact: "personal" },
      "personal",
      "secrets",
      "personal",
    ],
    [
      "logLevel",
      { logLevel: "debug" },
      { TOOLMEND_LOG_LEVEL: "info" },
      { logLevel: "error" },
      "debug",
      "info",
      "error",
    ],
    [
      "allowHosts",
      { allowHost: ["f"] },
      { TOOLMEND_ALLOW_HOSTS: "e, g" },
      { allowHosts: ["c"] },
      ["f"],
      ["e", "g"],
      ["c"],
    ],
    ["durable", { durable: true }, { TOOLMEND_DURABLE: "true" }, { durable: true }, true, true, true],
  ] as const)(
    "takes %s from flags, then the environment, then the file",
    async (name, flags, environment, content, ...expected) => {
      const config = file(content);
      expect((await readConfig({ config, ...flags }, environment))[name]).toEqual(expected[0]);
      expect((await readConfig({ config }, environment))[name]).toEqual(expected[1]);
      expect((await readConfig({ config }, {}))[name]).toEqual(expected[2]);
    },
  );

  it("merges upstreams by name, and always includes the default servers", async () => {
    const config = file({ upstreams: { vllm: "http://file:1/v1", other: "http://file:2" } });
    const settings = await readConfig(
      { config, upstream: ["vllm=http://flag:1/v1"], openai: "http://flag:3/v1" },
      { TOOLMEND_UPSTREAMS: "ollama=http://env:4, vllm=http://env:5", TOOLMEND_OPENAI: "http://env:6" },
    );
    const found = [...upstreamsOf(settings, {})].map(([name, { url }]) => [name, url.href]);
    expect(Object.fromEntries(found)).toEqual({
      anthropic: "https://api.anthropic.com/",
      openai: "http://flag:3/v1",
      vllm: "http://flag:1/v1",
      other: "http://file:2/",
      ollama: "http://env:4/",
      gemini: "https://generativelanguage.googleapis.com/",
    });
  });

  it("keeps the project of an upstream whose URL is overridden", async () => {
    const config = file({
      upstreams: { vllm: { url: "http://file:1/v1", project: "team-a" }, other: "http://file:2" },
    });
    const found = async (flags: Flags): Promise<unknown> =>
      [...upstreamsOf(await read({ config, ...flags }), {}).values()].map(({ name, url, project }) => [
        name,
        url.href,
        project,
      ]);
    expect(await found({})).toContainEqual(["vllm", "http://file:1/v1", "team-a"]);
    expect(await found({})).toContainEqual(["other", "http://file:2/", undefined]);
    expect(await found({ upstream: ["vllm=http://flag:1/v1"] })).toContainEqual(["vllm", "http://flag:1/v1", "team-a"]);
    const wrong = (vllm: unknown): Promise<string> => problem({ config: file({ upstreams: { vllm } }) });
    expect(await wrong({ url: "http://h", project: "team a" })).toContain(
      "upstreams.vllm.project: must be 1 to 255 letters",
    );
    expect(await wrong({ url: "ftp://h" })).toContain("upstreams.vllm.url: must be an http or https URL");
    expect(await wrong({ project: "a" })).toContain("upstreams.vllm.url: must be an http or https URL");
    expect(await wrong({ url: "http://h", projekt: "a" })).toContain("upstreams.vllm.projekt: unknown setting");
    expect(await wrong(7)).toContain("upstreams.vllm: must be an http or https URL, or { url, project }");
  });

  it("reads upstream keys only from the environment, and ignores empty ones", async () => {
    const settings = await read({ upstream: ["my-vllm=http://h:1/v1"] });
    const environment = { TOOLMEND_KEY_MY_VLLM: "k1", TOOLMEND_KEY_OPENAI: "", TOOLMEND_KEY_OTHER: "k2" };
    const found = [...upstreamsOf(settings, environment).values()].map((upstream) => [upstream.name, upstream.key]);
    expect(Object.fromEntries(found)).toEqual({ anthropic: undefined, openai: undefined, "my-vllm": "k1" });
  });

  it("reads the file named in the environment", async () => {
    expect((await readConfig({}, { TOOLMEND_CONFIG: file({ port: 7 }) })).port).toBe(7);
  });

  it("treats empty variables as not set", async () => {
    const empty = {
      TOOLMEND_PORT: "",
      TOOLMEND_HOST: "",
      TOOLMEND_TOKEN: "",
      TOOLMEND_ALLOW_HOSTS: "",
      TOOLMEND_UPSTREAMS: "",
      TOOLMEND_CONFIG: "",
    };
    expect((await readConfig({}, empty)).port).toBe(4100);
    expect(await readConfig({ config: file({ port: 7 }) }, empty)).toMatchObject({
      port: 7,
      host: "127.0.0.1",
      allowHosts: [],
    });
    expect(await readConfig({ config: none() }, empty)).not.toHaveProperty("token");
  });
});

it("the health thresholds are configurable, and are undefined if they equal the defaults", async () => {
  expect(thresholdsOf(await readConfig({ config: none() }, {}))).toBeUndefined();
  const set = await readConfig({ config: file({ health: { unhealthyFrom: 0.5 } }) }, {});
  expect(thresholdsOf(set)).toEqual({
    ...{ min_calls: 5, healthy_below: 0.1, unhealthy_from: 0.5, unhealthy_unrecovered: 3 },
  });
});

it("callNameTtl is a duration that is not 0", async () => {
  expect((await readConfig({ config: file({ callNameTtl: "15m" }) }, {})).callNameTtl).toBe("15m");
  expect(await problem({ config: file({ callNameTtl: "0m" }) })).toContain(
    "callNameTtl: use a duration such as 30m or 2h",
  );
});

describe("invalid settings are reported by key", () => {
  it.each<[string, Flags, NodeJS.ProcessEnv]>([
    ["port: must be a whole number", { port: "http" }, {}],
    ["port: must be a whole number", { port: "65536" }, {}],
    ["port: must be a whole number", { port: "-1" }, {}],
    ["port: must be a whole number", { port: "1.5" }, {}],
    ["port: must be a whole number", { port: "" }, {}],
    ["port: must be a whole number", { port: "1e3" }, {}],
    ["port: must be a whole number", {}, { TOOLMEND_PORT: "0x10" }],
    ["capture:", {}, { TOOLMEND_CAPTURE: "everything" }],
    ["redact:", {}, { TOOLMEND_REDACT: "nothing" }],
    ["redact:", { redact: "off" }, {}],
    ["logLevel:", { logLevel: "loud" }, {}],
    ["token: use 16 to 256 letters", {}, { TOOLMEND_TOKEN: "short" }],
    ["idleTimeout: use a duration such as 30m or 2h", { idleTimeout: "soon" }, {}],
    ["idleTimeout: use a duration such as 30m or 2h", {}, { TOOLMEND_IDLE_TIMEOUT: "0m" }],
    ["upstreams.openai: must be an http or https URL", { openai: "ftp://x" }, {}],
    ["upstreams.anthropic: must be an http or https URL", {}, { TOOLMEND_ANTHROPIC: "nowhere" }],
    ["upstreams.api: this name is reserved for a Toolmend path", { upstream: ["api=http://h"] }, {}],
    [
      "upstreams.UPPER: names may contain only lower-case letters, digits, - and _",
      { upstream: ["UPPER=http://h"] },
      {},
    ],
    ["--upstream must be NAME=URL", { upstream: ["http://h"] }, {}],
    ["--upstream must be NAME=URL", { upstream: ["=http://h"] }, {}],
    ["TOOLMEND_UPSTREAMS must be NAME=URL", {}, { TOOLMEND_UPSTREAMS: "vllm" }],
    ["repair.mode:", {}, { TOOLMEND_REPAIR: "perhaps" }],
    ["durable:", {}, { TOOLMEND_DURABLE: "perhaps" }],
  ])("reports %s (%j %j)", async (expected, flags, environment) => {
    expect(await problem(flags, environment)).toContain(expected);
  });

  it.each<[string, unknown]>([
    ["prot: unknown setting", { prot: 1 }],
    ["host: must not be empty", { host: "" }],
    ["repair.cleanHistory: must be true or false", { repair: { cleanHistory: 5 } }],
    ["repair.cleanHistory: must be one of true,", { repair: { cleanHistory: "perhaps" } }],
    ["bodyMemory: must be at most 4096", { bodyMemory: 5000 }],
    ["secondChance.timeoutSeconds: must be at least 1", { secondChance: { timeoutSeconds: 0 } }],
    ["bodyMemory: must be a whole number", { bodyMemory: 1.5 }],
    ["allowHosts.0: must be a host name without scheme and path", { allowHosts: ["http://a.b/"] }],
    ["repair.mod: unknown setting", { repair: { mod: "any" } }],
    ['repair.mode: must be one of off, observe, known, any (is "nown")', { repair: "nown" }],
    ["guard.mode: must be one of off, observe, note, stop (is number)", { guard: { mode: 1 } }],
    ["host: must be of type string (is array)", { host: [] }],
    ["prices.m.output: is missing", { prices: { m: { input: 1 } } }],
    ["port: must be a whole number", { port: null }],
    ["port: must be a whole number", { port: true }],
    ["host:", { host: 7 }],
    ["allowHosts", { allowHosts: "x" }],
    ["upstreams.vllm", { upstreams: { vllm: 7 } }],
    ["prices.m.input:", { prices: { m: { input: -1, output: 1 } } }],
    ["prices.m.output:", { prices: { m: { input: 1 } } }],
    ["health.minCalls:", { health: { minCalls: 0 } }],
    ["health.healthyBelow: must not be above unhealthyFrom", { health: { healthyBelow: 0.5, unhealthyFrom: 0.4 } }],
    ["must contain a JSON object", "[]"],
    ["is not valid JSON", "{"],
  ])("reports in a file: %s (%j)", async (expected, content) => {
    expect(await problem({ config: file(content) })).toContain(expected);
  });

  it("names the file only if nothing else sets the key", async () => {
    const path = file({ repair: "nown", upstreams: { vllm: "ftp://h" } });
    expect(await problem({ config: path })).toMatch(
      /^Invalid configuration in .*\.json\. upstreams\.vllm: .*; repair\.mode: /,
    );
    expect(await problem({ config: file({ keep: "90d" }) }, { TOOLMEND_KEEP: "soon" })).toMatch(
      /^Invalid configuration\. keep:/,
    );
    expect(await problem({ config: file({ repair: "known" }) }, { TOOLMEND_REPAIR_CALLS: "soon" })).toMatch(
      /^Invalid configuration\. repair\.calls\.mode: must be one of /,
    );
  });

  it("shows the type of a value that may be a secret, never the value", async () => {
    expect(await problem({ config: file({ token: ["hunter22hunter22"] }) })).not.toContain("hunter22");
    expect(await problem({ config: file({ store: { url: "hunter22" } }) })).not.toContain("hunter22");
  });

  it("keeps the error of the file system as the cause", async () => {
    await expect(read({ config: folder })).rejects.toThrow(
      expect.objectContaining({ exitCode: 1, cause: expect.objectContaining({ code: "EISDIR" }) }),
    );
  });

  it("reads a file with a byte order mark", async () => {
    expect((await read({ config: file('\uFEFF{"port": 7}') })).port).toBe(7);
  });

  it("accepts hosts with a port", async () => {
    const hosts = ["toolmend.internal", "10.0.0.1:4100", "[::1]:4100"];
    expect((await read({ config: file({ allowHosts: hosts }) })).allowHosts).toEqual(hosts);
  });

  it("reports an unreadable file differently from malformed JSON", async () => {
    expect(await problem({ config: folder })).toBe(
      `Cannot read ${folder}: EISDIR: illegal operation on a directory, read.`,
    );
  });

  it("reports a missing file", async () => {
    expect(await problem({ config: join(folder, "missing.json") })).toMatch(
      /^Configuration file not found: .*missing\.json/,
    );
  });
});

describe("the store setting", () => {
  it("accepts a PostgreSQL URL by flag or environment, and rejects other values without printing them", async () => {
    expect((await readConfig({}, {})).store).toBeUndefined();
    expect((await readConfig({}, { TOOLMEND_STORE: "postgres://u:hunter22@db/x" })).store).toBe(
      "postgres://u:hunter22@db/x",
    );
    expect((await readConfig({ store: "postgresql://db/y" }, { TOOLMEND_STORE: "postgres://db/x" })).store).toBe(
      "postgresql://db/y",
    );
    await expect(readConfig({ store: "mysql://u:hunter22@db/x" }, {})).rejects.toThrow(
      "Invalid configuration. store: must be postgres://user:password@host/database.",
    );
  });
});
