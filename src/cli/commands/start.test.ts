import { describe, expect, it } from "vitest";
import type { MachineImportStatus } from "../../ingest/import/import-status.ts";
import type { KeyInput } from "../key-input.ts";
import { offerImport } from "./start.ts";

const DONE: MachineImportStatus = {
  ...{ state: "done", files: 2, files_total: 2, bytes: 6, bytes_total: 6, calls: 30, failed: 4, problem: null },
};

/** A server with transcripts on its machine, and what the offer printed. */
function setUp({ files = 2, calls = 0, status = DONE } = {}) {
  const printed: string[] = [];
  let imports = 0;
  const server = {
    url: "http://127.0.0.1:4100",
    store: { summary: async () => ({ calls, pending: 0 }) },
    machineImport: {
      find: async () => ({ files: Array.from({ length: files }, () => ({ size: 3 })), problems: [] }),
      async run() {
        imports += 1;
        return status;
      },
    },
  };
  const print = (text: string) => printed.push(text);
  const io = { out: print, err: print, environment: {}, isTerminal: true, width: 100, now: () => 0 };
  return { server: server as never, io, printed, imports: () => imports };
}

/** A terminal on which a test presses keys. */
function terminal() {
  let listener: ((keys: Buffer) => void) | undefined;
  const states: string[] = [];
  const keys: KeyInput = {
    setRawMode: (isRaw) => states.push(isRaw ? "raw" : "line by line"),
    on: (_event, given) => {
      listener = given;
    },
    off: () => {
      listener = undefined;
    },
    resume: () => undefined,
    pause: () => states.push("paused"),
  };
  return { keys, states, press: (text: string) => listener?.(Buffer.from(text)) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the offer to import transcripts at the start", () => {
  it("names the command for the same folder if input is not a terminal", async () => {
    const { server, io, printed } = setUp();
    expect(await offerImport(server, io, { data: "/tmp/my records" })).toBeUndefined();
    expect(printed).toEqual([
      "Found 2 transcripts of coding agents on this machine. Store them with: npm run -s toolmend -- import --data '/tmp/my records'\n",
    ]);
  });

  it.each([
    ["calls are stored already", { calls: 1 }],
    ["the machine has no transcripts", { files: 0 }],
  ])("the offer to import transcripts is not made if %s", async (_why, state) => {
    const { server, io, printed } = setUp(state);
    expect(await offerImport(server, { ...io, keys: terminal().keys })).toBeUndefined();
    expect(printed).toEqual([]);
  });

  it("imports when the user presses i, and gives the terminal back", async () => {
    const { server, io, printed, imports } = setUp();
    const { keys, states, press } = terminal();
    await offerImport(server, { ...io, keys }, {}, { isForeground: () => true });
    expect(printed).toEqual([
      "Found 2 transcripts of coding agents on this machine. Press i to import them, or run: npm run -s toolmend -- import\n",
    ]);
    press("x");
    expect([imports(), states]).toEqual([0, ["raw"]]);
    press("i");
    await settled();
    press("i");
    expect([imports(), states]).toEqual([1, ["raw", "line by line", "paused"]]);
    expect(printed.at(-1)).toBe("Imported 2 transcripts: 30 calls, 4 failed. See http://127.0.0.1:4100/\n");
  });

  it("reports why an import ended early", async () => {
    const { server, io, printed } = setUp({ status: { ...DONE, state: "failed", problem: "the disk is full" } });
    const { keys, press } = terminal();
    await offerImport(server, { ...io, keys }, {}, { isForeground: () => true });
    press("I");
    await settled();
    expect(printed.at(-1)).toBe(
      "Import interrupted: the disk is full. Run `npm run -s toolmend -- import` to resume.\n",
    );
  });

  it("passes Ctrl-C on as a signal after giving the terminal back", async () => {
    const { server, io } = setUp();
    const { keys, states, press } = terminal();
    const raise = (signal: NodeJS.Signals) => states.push(signal);
    await offerImport(server, { ...io, keys }, {}, { isForeground: () => true, raise });
    press("\u0003");
    expect(states).toEqual(["raw", "line by line", "paused", "SIGINT"]);
  });

  it("does not touch the terminal of a process in the background", async () => {
    const { server, io } = setUp();
    const { keys, states } = terminal();
    const stop = await offerImport(server, { ...io, keys }, {}, { isForeground: () => false });
    stop?.();
    expect(states).toEqual([]);
  });
});
