import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Observation } from "../core/model/observation.ts";
import { CallObserver } from "../ingest/observe/observe-call.ts";
import { TimeSlices } from "../ingest/time-slices.ts";
import { type Ingest, ingestLines } from "./ingest-lines.ts";

const NOW = 1_770_000_000_000;

function ingestTo(journal: Observation[], more: Partial<Ingest> = {}): Ingest {
  return {
    observer: new CallObserver({ capture: "errors", salt: "s" }),
    async record(observations) {
      journal.push(...observations);
      return observations.length;
    },
    ...more,
  };
}

const line = (n: number): string =>
  `${JSON.stringify({ session_id: "s1", tool_call_id: `t${n}`, tool_name: "bash", content: "ok" })}\n`;

describe("ingestLines with lines that are not JSON", () => {
  it("returns the first 100 problems and their total", async () => {
    const response = await ingestLines("x\n".repeat(50_000), ingestTo([]), NOW);
    expect(response).toMatchObject({ accepted: 0, dropped: 0, rejected_total: 50_000 });
    expect(response.rejected).toHaveLength(100);
    expect(response.rejected.at(-1)).toEqual({ line: 100, reason: "not a JSON object" });
  });

  it("stops parsing after 1000 malformed objects and keeps the valid lines before them", async () => {
    const journal: Observation[] = [];
    const response = await ingestLines(line(1) + "{x}\n".repeat(1500) + line(2), ingestTo(journal), NOW);
    expect(response).toMatchObject({ accepted: 1, dropped: 0, rejected_total: 1501 });
    expect(journal).toHaveLength(1);
    expect(response.rejected[0]).toEqual({ line: 2, reason: "not JSON" });
  });
});

describe("ingestLines with a long body", () => {
  it("yields to the event loop between slices", async () => {
    // The clock advances with every reading, so a slice is four lines.
    let time = 0;
    const clock = (): number => {
      time += 1;
      return time;
    };
    const journal: Observation[] = [];
    const slices = new TimeSlices(4, clock);
    let turns = 0;
    let reading = true;
    const traffic = (async () => {
      for (; reading; turns += 1) await turn();
    })();
    const response = await ingestLines(
      Array.from({ length: 300 }, (_, n) => line(n)).join(""),
      ingestTo(journal, { slices }),
      NOW,
    );
    reading = false;
    await traffic;
    expect([response.accepted, journal.length]).toEqual([300, 300]);
    expect(turns).toBeGreaterThanOrEqual(70);
  });

  it("counts dropped observations per batch", async () => {
    let batches = 0;
    const record = async (observations: readonly Observation[]): Promise<number> => {
      batches += 1;
      return batches === 1 ? observations.length : 0;
    };
    const slices = new TimeSlices(1, () => 0);
    const body = Array.from({ length: 500 }, (_, n) => line(n)).join("");
    const response = await ingestLines(body, ingestTo([], { record, slices }), NOW);
    expect([response.accepted, response.dropped]).toEqual([200, 300]);
  });

  it("passes a line that is too long for a slice to readLong", async () => {
    const long: number[] = [];
    const readLong = async (text: string) => {
      long.push(text.length);
      return { kind: "rejected", reason: "read elsewhere" } as const;
    };
    const body = `${line(1)}{"session_id":"s1","tool_call_id":"t2","content":"${"x".repeat(70_000)}"}\n`;
    const response = await ingestLines(body, ingestTo([], { readLong }), NOW);
    expect(response).toMatchObject({ accepted: 1, rejected: [{ line: 2, reason: "read elsewhere" }] });
    expect(long).toHaveLength(1);
  });
});

it("takes the exit code of a command from its own field", async () => {
  const journal: Observation[] = [];
  const call = { session_id: "s1", tool_name: "bash", content: "3 files differ" };
  const lines = [
    { ...call, tool_call_id: "t1", exit_code: 3 },
    { ...call, tool_call_id: "t2", exit_code: "3" },
  ];
  await ingestLines(lines.map((one) => JSON.stringify(one)).join("\n"), ingestTo(journal), NOW);
  expect(journal.map((one) => (one.kind === "call" ? one.result?.outcome : undefined))).toMatchObject([
    { status: "failed", exit_code: 3 },
    { status: "ok" },
  ]);
});
