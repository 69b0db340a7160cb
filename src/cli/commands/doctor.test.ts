import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  // Nobody listens there, and nobody is asked whether they do.
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

describe("the data folder", () => {
  it("is fine when it can be made", async () => {
    expect(await find("data folder", "new")).toMatchObject({ status: "ok" });
  });

  it("is not fine when a file has its name, or the name of a folder above it", async () => {
    const expected = {
      status: "failed",
      detail: expect.stringContaining("cannot be written"),
      advice: "Choose another with --data.",
    };
    expect(await find("data folder", "file")).toMatchObject(expected);
    expect(await find("data folder", "file/inside")).toMatchObject(expected);
  });
});

describe("the store", () => {
  it("that is no database may be moved away", async () => {
    expect(await find("store", "broken")).toMatchObject({
      status: "failed",
      advice: "Move the file away to start afresh; the journal and the events beside it stay.",
    });
  });

  it("that cannot be opened is not to be moved away: it may be whole", async () => {
    expect(await find("store", "shut")).toMatchObject({
      status: "failed",
      advice: "Check the rights of the file and its folder, or choose another with --data.",
    });
  });
});

describe("variables", () => {
  it("that are no settings are told: a slip of the pen would otherwise go unnoticed", async () => {
    const set = {
      TOOLMEND_REPAIRS: "off",
      TOOLMEND_CAPTURE: "none",
      TOOLMEND_KEY_OPENAI: "sk-a",
      TOOLMEND_KEY_VLLM: "sk-b",
    };
    expect(await find("environment", "new", "1", set)).toEqual({
      check: "environment",
      status: "warning",
      detail: "TOOLMEND_REPAIRS, TOOLMEND_KEY_VLLM: nobody reads them",
      advice: "docs/deploy.md lists the variables; a key belongs to an upstream of that name.",
    });
  });

  it("that are all known need no word", async () => {
    expect(await find("environment", "new", "1", { TOOLMEND_CAPTURE: "none" })).toBeUndefined();
  });

  it("are those of docs/deploy.md", () => {
    const page = readFileSync(join(packageRoot, "docs", "deploy.md"), "utf8");
    const shown = [...page.matchAll(/^\| (`TOOLMEND_.*?) \|/gm)].flatMap(([, cell = ""]) =>
      cell.match(/TOOLMEND_[A-Z_]+/g),
    );
    expect(shown.filter((name) => name !== "TOOLMEND_KEY_").toSorted()).toEqual([...VARIABLES].toSorted());
  });
});

describe("the port", () => {
  it("is told to be taken also when whoever has it does not speak HTTP", async () => {
    const mute = createServer((socket) => socket.on("error", () => undefined).end("220 ready\r\n")).listen(
      0,
      "127.0.0.1",
    );
    await new Promise((resolve) => mute.once("listening", resolve));
    const { port } = mute.address() as AddressInfo;
    const found = await find("server", "new", String(port));
    mute.close();
    expect(found).toMatchObject({ status: "failed", detail: `port ${port} belongs to another program` });
  });

  it("is free when nobody listens", async () => {
    expect(await find("server", "new")).toMatchObject({ status: "ok", detail: "not running" });
  });
});
