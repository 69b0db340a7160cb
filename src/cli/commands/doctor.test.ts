import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VARIABLES } from "../config-sources.ts";
import { packageRoot } from "../version.ts";
import { doctorCommand } from "./doctor.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-doctor-"));
  writeFileSync(join(folder, "file"), "this is no folder\n");
  mkdirSync(join(folder, "broken"), { mode: 0o700 });
  writeFileSync(join(folder, "broken", "toolmend.db"), "this is no database ".repeat(500));
  mkdirSync(join(folder, "shut", "toolmend.db"), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "config.json"), "{}");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function listen(respond: (path: string) => string): Promise<http.Server> {
  const server = http.createServer((request, response) => response.end(respond(request.url ?? "")));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

it("doctor says that the server on the port belongs to another data folder", async () => {
  const server = await listen(() => "ready\n");
  const { port } = server.address() as AddressInfo;
  try {
    expect(await find("server", "empty", String(port))).toEqual({
      check: "server",
      status: "warning",
      detail: `none for ${join(folder, "empty")}; the one at port ${port} uses another data folder`,
      advice: "Give that folder with --data, or choose another port with --port.",
    });
  } finally {
    server.close();
  }
});

it("doctor lists upstreams that only the running server knows", async () => {
  const server = await listen((path) =>
    path === "/readyz" ? "ready\n" : path === "/api/status" ? JSON.stringify({ upstreams: ["vllm"] }) : "",
  );
  const { port } = server.address() as AddressInfo;
  mkdirSync(join(folder, "served"), { mode: 0o700 });
  const info = { pid: process.pid, url: `http://127.0.0.1:${port}` };
  writeFileSync(join(folder, "served", "server.json"), JSON.stringify(info));
  try {
    expect(await find("upstream vllm", "served", String(port))).toEqual({
      check: "upstream vllm",
      status: "ok",
      detail: "used by the running server; not checked",
      advice: expect.stringContaining("doctor --upstream vllm=URL"),
    });
  } finally {
    server.close();
  }
});

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly detail: string;
  readonly advice?: string;
}

async function find(
  check: string,
  data: string,
  port = "1",
  environment: NodeJS.ProcessEnv = {},
): Promise<Finding | undefined> {
  let out = "";
  // No program listens on this port, and doctor connects to no real upstream.
  const nowhere = { anthropic: "http://127.0.0.1:1", openai: "http://127.0.0.1:1", port };
  await doctorCommand(
    { ...nowhere, data: join(folder, data), config: join(folder, "config.json"), json: true },
    {
      out: (text) => {
        out += text;
      },
      err: () => undefined,
      environment: { HOME: folder, ...environment },
      isTerminal: false,
      width: 80,
      now: () => 0,
    },
  );
  return (JSON.parse(out) as { findings: readonly Finding[] }).findings.find((finding) => finding.check === check);
}

describe("doctor: the data folder", () => {
  it("passes if the folder can be created", async () => {
    expect(await find("data folder", "new")).toMatchObject({ status: "ok" });
  });

  it("fails if a file has its name, or the name of a parent folder", async () => {
    const expected = {
      status: "failed",
      detail: expect.stringContaining("is not writable"),
      advice: "Choose another folder with --data.",
    };
    expect(await find("data folder", "file")).toMatchObject(expected);
    expect(await find("data folder", "file/inside")).toMatchObject(expected);
  });
});

describe("doctor: the store", () => {
  it("says that a start sets aside a file that is not a database", async () => {
    expect(await find("store", "broken")).toMatchObject({
      status: "failed",
      advice:
        "The next `npm run -s toolmend -- start` sets the file aside and begins a new one; the journal and the event files are not affected.",
    });
  });

  it("does not suggest moving away a database that cannot be opened, because it may be intact", async () => {
    expect(await find("store", "shut")).toMatchObject({
      status: "failed",
      advice: "Check the permissions of the file and its folder, or choose another folder with --data.",
    });
  });
});

it("doctor explains the mode of repair", async () => {
  expect(await find("repair", "new")).toMatchObject({
    status: "ok",
    detail: "known: leaked calls become tool calls if the request declares the tool",
  });
});

describe("doctor: environment variables", () => {
  it("warns about unknown TOOLMEND_ variables, so that a typo does not go unnoticed", async () => {
    const set = {
      TOOLMEND_REPAIRS: "off",
      TOOLMEND_CAPTURE: "none",
      TOOLMEND_KEY_OPENAI: "sk-a",
      TOOLMEND_KEY_VLLM: "sk-b",
    };
    expect(await find("environment", "new", "1", set)).toEqual({
      check: "environment",
      status: "warning",
      detail: "TOOLMEND_REPAIRS, TOOLMEND_KEY_VLLM: unknown variables",
      advice: "docs/deploy.md lists the variables. TOOLMEND_KEY_NAME needs an upstream called NAME.",
    });
  });

  it("reports nothing if all variables are known", async () => {
    expect(await find("environment", "new", "1", { TOOLMEND_CAPTURE: "none" })).toBeUndefined();
  });

  it("knows exactly the variables listed in docs/deploy.md", () => {
    const page = readFileSync(join(packageRoot, "docs", "deploy.md"), "utf8");
    const shown = [...page.matchAll(/^\| (`TOOLMEND_.*?) \|/gm)].flatMap(([, cell = ""]) =>
      cell.match(/TOOLMEND_[A-Z_]+/g),
    );
    expect(shown.filter((name) => name !== "TOOLMEND_KEY_").toSorted()).toEqual([...VARIABLES].toSorted());
  });
});

describe("doctor: the port", () => {
  it("reports the port as taken when a non-HTTP program listens on it", async () => {
    const mute = createServer((socket) => socket.on("error", () => undefined).end("220 ready\r\n")).listen(
      0,
      "127.0.0.1",
    );
    await new Promise((resolve) => mute.once("listening", resolve));
    const { port } = mute.address() as AddressInfo;
    const found = await find("server", "new", String(port));
    mute.close();
    expect(found).toMatchObject({ status: "failed", detail: `port ${port} is used by another program` });
  });

  it("reports the port as free when no program listens on it", async () => {
    expect(await find("server", "new")).toMatchObject({ status: "ok", detail: "not running" });
  });
});
