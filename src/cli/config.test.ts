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
const read = (flags: Flags = {}, environment: NodeJS.ProcessEnv = {}): Config =>
  readConfig({ config: none(), ...flags }, environment);
const problem = (flags: Flags = {}, environment: NodeJS.ProcessEnv = {}): string => {
  try {
    read(flags, environment);
  } catch (error) {
    expect(error).toBeInstanceOf(CliError);
    return (error as Error).message;
  }
  return "";
};

describe("readConfig", () => {
  it("returns the defaults without any settings", () => {
    expect(read()).toEqual({
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

  it("switches second chances on, from every source", () => {
    expect(read({ secondChance: true }).secondChance.mode).toBe("on");
    expect(read({}, { TOOLMEND_SECOND_CHANCE: "on" }).secondChance.mode).toBe("on");
    expect(read({ config: file({ secondChance: "on" }) }).secondChance.mode).toBe("on");
    expect(read({ config: file({ secondChance: { models: { "qwen3-*": "on" } } }) }).secondChance).toMatchObject({
      mode: "off",
      models: { "qwen3-*": "on" },
    });
    expect(problem({ config: file({ secondChance: { upstreams: { vllm: "on" } } }) })).toContain(
      "secondChance.upstreams.vllm: unknown upstream",
    );
  });

  it("accepts a guard mode and a command to notify, from every source", () => {
    expect(read({ guard: "stop", notify: "notify-send loop" }).guard).toMatchObject({
      mode: "stop",
      notify: "notify-send loop",
    });
    expect(read({}, { TOOLMEND_GUARD: "note", TOOLMEND_NOTIFY: "http://127.0.0.1:9/" }).guard).toMatchObject({
      mode: "note",
      notify: "http://127.0.0.1:9/",
    });
    expect(problem({ config: file({ guard: { upstreams: { vllm: "stop" } } }) })).toContain(
      "guard.upstreams.vllm: unknown upstream",
    );
  });

  it("accepts repair modes for known upstreams and for models", () => {
    const repair = { upstreams: { vllm: "any" }, models: { "qwen*": "off" } };
    expect(read({ config: file({ upstreams: { vllm: "http://127.0.0.1:8000" }, repair }) }).repair).toMatchObject({
      mode: "known",
      ...repair,
    });
    expect(problem({ config: file({ repair }) })).toContain("repair.upstreams.vllm: unknown upstream");
    expect(problem({ config: file({ repair: { suspendFor: "soon" } }) })).toContain(
      "repair.suspendFor: must be a duration",
    );
  });

  it("reads the repair of native calls as a mode or as an object, and a flag changes only the mode", () => {
    const inFile = file({ repair: { calls: { mode: "off", faults: { values: false, "comma-list": true } } } });
    expect(read({ config: file({ repair: { calls: "observe" } }) }).repair.calls.mode).toBe("observe");
    expect(read({}, { TOOLMEND_REPAIR_CALLS: "off" }).repair).toMatchObject({ mode: "known", calls: { mode: "off" } });
    expect(read({ config: inFile, repairCalls: "on" }).repair.calls).toMatchObject({
      mode: "on",
      faults: { values: false, "comma-list": true },
    });
    expect(problem({ config: file({ repair: { calls: { faults: { typos: false } } } }) })).toContain(
      "repair.calls.faults.typos: unknown class of faults",
    );
    expect(problem({ config: file({ repair: { calls: { upstreams: { vllm: "on" } } } }) })).toContain(
      "repair.calls.upstreams.vllm: unknown upstream",
    );
  });

  it("enables cleaning of histories by flag, environment or file", () => {
    const inFile = file({ repair: { cleanHistory: true } });
    expect(read({ config: inFile }).repair.cleanHistory).toBe(true);
    expect(read({ cleanHistory: true }).repair).toMatchObject({ mode: "known", cleanHistory: true });
    expect(read({}, { TOOLMEND_CLEAN_HISTORY: "true" }).repair.cleanHistory).toBe(true);
    expect(read({ config: inFile }, { TOOLMEND_CLEAN_HISTORY: "off" }).repair.cleanHistory).toBe(false);
    expect(read({}, { TOOLMEND_CLEAN_HISTORY: "" }).repair.cleanHistory).toBe(false);
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
    (name, flags, environment, content, ...expected) => {
      const config = file(content);
      expect(readConfig({ config, ...flags }, environment)[name]).toEqual(expected[0]);
      expect(readConfig({ config }, environment)[name]).toEqual(expected[1]);
      expect(readConfig({ config }, {})[name]).toEqual(expected[2]);
    },
  );

  it("merges upstreams by name, and always includes the default servers", () => {
    const config = file({ upstreams: { vllm: "http://file:1/v1", other: "http://file:2" } });
    const settings = readConfig(
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

  it("keeps the project of an upstream whose URL is overridden", () => {
    const config = file({
      upstreams: { vllm: { url: "http://file:1/v1", project: "team-a" }, other: "http://file:2" },
    });
    const found = (flags: Flags): unknown =>
      [...upstreamsOf(read({ config, ...flags }), {}).values()].map(({ name, url, project }) => [
        name,
        url.href,
        project,
      ]);
    expect(found({})).toContainEqual(["vllm", "http://file:1/v1", "team-a"]);
    expect(found({})).toContainEqual(["other", "http://file:2/", undefined]);
    expect(found({ upstream: ["vllm=http://flag:1/v1"] })).toContainEqual(["vllm", "http://flag:1/v1", "team-a"]);
    const wrong = (vllm: unknown): string => problem({ config: file({ upstreams: { vllm } }) });
    expect(wrong({ url: "http://h", project: "team a" })).toContain("upstreams.vllm.project: must be 1 to 255 letters");
    expect(wrong({ url: "ftp://h" })).toContain("upstreams.vllm.url: must be an http or https URL");
    expect(wrong({ project: "a" })).toContain("upstreams.vllm.url: must be an http or https URL");
    expect(wrong({ url: "http://h", projekt: "a" })).toContain("upstreams.vllm.projekt: unknown setting");
    expect(wrong(7)).toContain("upstreams.vllm: must be an http or https URL, or { url, project }");
  });

  it("reads upstream keys only from the environment, and ignores empty ones", () => {
    const settings = read({ upstream: ["my-vllm=http://h:1/v1"] });
    const environment = { TOOLMEND_KEY_MY_VLLM: "k1", TOOLMEND_KEY_OPENAI: "", TOOLMEND_KEY_OTHER: "k2" };
    const found = [...upstreamsOf(settings, environment).values()].map((upstream) => [upstream.name, upstream.key]);
    expect(Object.fromEntries(found)).toEqual({ anthropic: undefined, openai: undefined, "my-vllm": "k1" });
  });

  it("reads the file named in the environment", () => {
    expect(readConfig({}, { TOOLMEND_CONFIG: file({ port: 7 }) }).port).toBe(7);
  });

  it("treats empty variables as not set", () => {
    const empty = {
      TOOLMEND_PORT: "",
      TOOLMEND_HOST: "",
      TOOLMEND_TOKEN: "",
      TOOLMEND_ALLOW_HOSTS: "",
      TOOLMEND_UPSTREAMS: "",
      TOOLMEND_CONFIG: "",
    };
    expect(readConfig({}, empty).port).toBe(4100);
    expect(readConfig({ config: file({ port: 7 }) }, empty)).toMatchObject({
      port: 7,
      host: "127.0.0.1",
      allowHosts: [],
    });
    expect(readConfig({ config: none() }, empty)).not.toHaveProperty("token");
  });
});

it("the health thresholds are configurable, and are undefined if they equal the defaults", () => {
  expect(thresholdsOf(readConfig({ config: none() }, {}))).toBeUndefined();
  const set = readConfig({ config: file({ health: { unhealthyFrom: 0.5 } }) }, {});
  expect(thresholdsOf(set)).toEqual({
    ...{ min_calls: 5, healthy_below: 0.1, unhealthy_from: 0.5, unhealthy_unrecovered: 3 },
  });
});

it("callNameTtl is a duration that is not 0", () => {
  expect(readConfig({ config: file({ callNameTtl: "15m" }) }, {}).callNameTtl).toBe("15m");
  expect(problem({ config: file({ callNameTtl: "0m" }) })).toContain("callNameTtl: use a duration such as 30m or 2h");
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
  ])("reports %s (%j %j)", (expected, flags, environment) => {
    expect(problem(flags, environment)).toContain(expected);
  });

  it.each<[string, unknown]>([
    ["prot: unknown setting", { prot: 1 }],
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
  ])("reports in a file: %s (%j)", (expected, content) => {
    expect(problem({ config: file(content) })).toContain(expected);
  });

  it("names the file only if nothing else sets the key", () => {
    const path = file({ repair: "nown", upstreams: { vllm: "ftp://h" } });
    expect(problem({ config: path })).toMatch(
      /^Invalid configuration in .*\.json\. upstreams\.vllm: .*; repair\.mode: /,
    );
    expect(problem({ config: file({ keep: "90d" }) }, { TOOLMEND_KEEP: "soon" })).toMatch(
      /^Invalid configuration\. keep:/,
    );
    expect(problem({ config: file({ repair: "known" }) }, { TOOLMEND_REPAIR_CALLS: "soon" })).toMatch(
      /^Invalid configuration\. repair\.calls\.mode: must be one of /,
    );
  });

  it("shows the type of a value that may be a secret, never the value", () => {
    expect(problem({ config: file({ token: ["hunter22hunter22"] }) })).not.toContain("hunter22");
    expect(problem({ config: file({ store: { url: "hunter22" } }) })).not.toContain("hunter22");
  });

  it("keeps the error of the file system as the cause", () => {
    expect(() => read({ config: folder })).toThrow(
      expect.objectContaining({ exitCode: 1, cause: expect.objectContaining({ code: "EISDIR" }) }),
    );
  });

  it("reports an unreadable file differently from malformed JSON", () => {
    expect(problem({ config: folder })).toBe(`Cannot read ${folder}: EISDIR: illegal operation on a directory, read.`);
  });

  it("reports a missing file", () => {
    expect(problem({ config: join(folder, "missing.json") })).toMatch(/^Configuration file not found: .*missing\.json/);
  });
});

describe("the store setting", () => {
  it("accepts a PostgreSQL URL by flag or environment, and rejects other values without printing them", () => {
    expect(readConfig({}, {}).store).toBeUndefined();
    expect(readConfig({}, { TOOLMEND_STORE: "postgres://u:hunter22@db/x" }).store).toBe("postgres://u:hunter22@db/x");
    expect(readConfig({ store: "postgresql://db/y" }, { TOOLMEND_STORE: "postgres://db/x" }).store).toBe(
      "postgresql://db/y",
    );
    expect(() => readConfig({ store: "mysql://u:hunter22@db/x" }, {})).toThrow(
      "Invalid configuration. store: must be postgres://user:password@host/database.",
    );
  });
});
