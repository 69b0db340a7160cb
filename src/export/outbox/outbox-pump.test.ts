import { describe, expect, it } from "vitest";
import type { ExportedCall, ExportedSession, ExportTarget } from "../export-target.ts";
import type { Posted } from "../post.ts";
import type { Outbox, OutboxItem, Sent } from "./outbox.ts";
import { OutboxPump } from "./outbox-pump.ts";

const call = (id: string, success = 1): ExportedCall => ({
  kind: "call",
  record_id: id,
  ...{ project: "default", session_id: "s", agent_id: "root", tool_call_id: id, tool_name: "Read" },
  ...{ started_at: 0, ended_at: 1, status: success === 1 ? "ok" : "failed", metadata: {} },
  scores: [{ id: `${id}-tool_success`, name: "tool_success", data_type: "BOOLEAN", value: success }],
});
const SESSION: ExportedSession = {
  ...{ kind: "session", started_at: 0, finished: false, metadata: {} },
  project: "default",
  session_id: "s",
  at: 5,
  scores: [{ id: "s-rate", name: "session_success_rate", data_type: "NUMERIC", value: 1 }],
};

/** An outbox in memory that behaves like those of the stores. */
class MemoryOutbox implements Outbox {
  readonly rows = new Map<string, OutboxItem & { sentVersion: number; queuedAt: number; leaseUntil: number }>();

  put(id: string, about: ExportedCall | ExportedSession, queuedAt = 0): void {
    const known = this.rows.get(id);
    this.rows.set(id, {
      ...{ id, about, queuedAt, leaseUntil: 0 },
      version: (known?.version ?? 0) + 1,
      sentVersion: known?.sentVersion ?? 0,
      span_digest: known?.span_digest ?? 0,
      sent_scores: known?.sent_scores ?? {},
    });
  }
  async claimDue(_target: string, now: number, leaseUntil: number, limit: number): Promise<readonly OutboxItem[]> {
    const due = [...this.rows.values()].filter((row) => row.version > row.sentVersion && row.leaseUntil <= now);
    for (const row of due.slice(0, limit)) row.leaseUntil = leaseUntil;
    return due.slice(0, limit).map((row) => ({ ...row }));
  }
  async markSent(_target: string, sent: readonly Sent[]): Promise<void> {
    for (const { id, version, span_digest, sent_scores } of sent) {
      const row = this.rows.get(id);
      if (row !== undefined) Object.assign(row, { sentVersion: version, span_digest, sent_scores, leaseUntil: 0 });
    }
  }
  async dropExpired(_target: string, queuedBefore: number): Promise<number> {
    const old = [...this.rows.values()].filter((row) => row.version > row.sentVersion && row.queuedAt < queuedBefore);
    for (const row of old) row.sentVersion = row.version;
    return old.length;
  }
}

function target(respond: (what: string) => Posted = () => ({ kind: "accepted" })): ExportTarget & { sent: string[] } {
  const sent: string[] = [];
  const post = (what: string): Posted => {
    const posted = respond(what);
    if (posted.kind === "accepted") sent.push(what);
    return posted;
  };
  return {
    ...{ name: "t", spanBatchSize: 4, scoreBatchSize: 1, sent },
    sendSpans: async (calls) =>
      post(`spans ${calls.map((one) => (one.kind === "call" ? one.record_id : one.kind)).join("+")}`),
    sendScores: async (scores) => post(scores.map(({ score }) => `${score.id}=${score.value}`).join("+")),
    withdrawScore: async (id) => post(`withdrawn ${id}`),
  };
}

describe("the span of a session", () => {
  it("the span of a session is sent once, when the session has ended, to a target that keeps the first version", async () => {
    const [outbox, to] = [new MemoryOutbox(), target()];
    const pump = new OutboxPump({ target: to, outbox, now: () => 0 });
    for (const finished of [false, true, true]) {
      outbox.put("s", { ...SESSION, finished });
      await pump.flush();
    }
    expect(to.sent).toEqual(["s-rate=1", "spans session"]);
  });

  it("the span of a session is sent with every change to a target that replaces spans", async () => {
    const [outbox, to] = [new MemoryOutbox(), { ...target(), replacesSpans: true }];
    const pump = new OutboxPump({ target: to, outbox, now: () => 0 });
    for (const finished of [false, true]) {
      outbox.put("s", { ...SESSION, finished });
      await pump.flush();
    }
    expect(to.sent).toEqual(["spans session", "s-rate=1", "spans session"]);
  });
});

describe("the span of a call", () => {
  const unknown: ExportedCall = { ...call("a"), status: "unknown", scores: [] };

  it("a span is sent again to a target that replaces spans whenever its content changes, also without a score before", async () => {
    const [outbox, to] = [new MemoryOutbox(), { ...target(), replacesSpans: true }];
    const pump = new OutboxPump({ target: to, outbox, now: () => 0 });
    for (const about of [unknown, unknown, call("a", 0), { ...call("a", 0), metadata: { recovered_by: "b" } }]) {
      outbox.put("a", about);
      await pump.flush();
    }
    expect(to.sent).toEqual(["spans a", "spans a", "a-tool_success=0", "spans a"]);
  });

  it("a span is sent once to a target that keeps the first version", async () => {
    const [outbox, to] = [new MemoryOutbox(), target()];
    const pump = new OutboxPump({ target: to, outbox, now: () => 0 });
    for (const about of [unknown, call("a", 0)]) {
      outbox.put("a", about);
      await pump.flush();
    }
    expect(to.sent).toEqual(["spans a", "a-tool_success=0"]);
  });
});

describe("the outbox pump", () => {
  it("sends a span once and each score once", async () => {
    const [outbox, to] = [new MemoryOutbox(), target()];
    outbox.put("a", call("a"));
    outbox.put("s", SESSION);
    const pump = new OutboxPump({ target: to, outbox, now: () => 0 });
    expect(await pump.flush()).toBe(3);
    expect(await pump.flush()).toBe(0);
    expect(to.sent).toEqual(["spans a", "a-tool_success=1", "s-rate=1"]);
  });

  it("sends only the changed score when a call is reclassified", async () => {
    const [outbox, to] = [new MemoryOutbox(), target()];
    outbox.put("a", call("a"));
    const pump = new OutboxPump({ target: to, outbox, now: () => 0 });
    await pump.flush();
    outbox.put("a", call("a", 0));
    await pump.flush();
    expect(to.sent).toEqual(["spans a", "a-tool_success=1", "a-tool_success=0"]);
  });

  it("sends a score again if only its text changed, to a target that shows one", async () => {
    const outbox = new MemoryOutbox();
    const to = {
      ...target(),
      textOfScores: (about: object) => JSON.stringify({ comment: Object(about).status_message }),
    };
    const pump = new OutboxPump({ target: to, outbox, now: () => 0 });
    outbox.put("a", { ...call("a"), status_message: "[TIMEOUT] late" });
    await pump.flush();
    outbox.put("a", { ...call("a"), status_message: "[TIMEOUT] late" });
    await pump.flush();
    outbox.put("a", { ...call("a"), status_message: "[NOT_FOUND] gone" });
    await pump.flush();
    expect(to.sent).toEqual(["spans a", "a-tool_success=1", "a-tool_success=1"]);
  });

  it("deletes an obsolete score once, and sends it again when it reappears", async () => {
    const [outbox, to] = [new MemoryOutbox(), target()];
    const failed: ExportedCall = {
      ...call("a", 0),
      scores: [
        ...call("a", 0).scores,
        { id: "a-failure_category", name: "failure_category", data_type: "CATEGORICAL", value: "timeout" },
      ],
    };
    const pump = new OutboxPump({ target: to, outbox, now: () => 0 });
    for (const about of [failed, call("a"), call("a"), failed]) {
      outbox.put("a", about);
      await pump.flush();
    }
    expect(to.sent).toEqual([
      ...["spans a", "a-tool_success=0", "a-failure_category=timeout"],
      ...["a-tool_success=1", "withdrawn a-failure_category"],
      ...["a-tool_success=0", "a-failure_category=timeout"],
    ]);
  });

  it("retries the deletion of a score while the target is unavailable", async () => {
    let time = 0;
    let down = true;
    const outbox = new MemoryOutbox();
    const to = target((what) =>
      down && what.startsWith("withdrawn") ? { kind: "later", reason: "HTTP 503" } : { kind: "accepted" },
    );
    const pump = new OutboxPump({ target: to, outbox, now: () => time });
    outbox.put("a", call("a"));
    await pump.flush();
    outbox.put("a", { ...call("a"), status: "unknown", scores: [] });
    await pump.flush();
    down = false;
    time = 10_000;
    await pump.flush();
    expect(to.sent).toEqual(["spans a", "a-tool_success=1", "withdrawn a-tool_success"]);
  });

  it("stops after the request in flight, and leaves the rest for the next start", async () => {
    const outbox = new MemoryOutbox();
    for (let at = 0; at < 50; at += 1) outbox.put(`c${at}`, call(`c${at}`));
    let closed: Promise<void> | undefined;
    const to = target((what) => {
      if (what === "c1-tool_success=1") closed = pump.close();
      return { kind: "accepted" };
    });
    const pump = new OutboxPump({ target: to, outbox, now: () => 0 });
    await pump.flush();
    await closed;
    expect(to.sent.filter((what) => !what.startsWith("spans"))).toEqual(["c0-tool_success=1", "c1-tool_success=1"]);
    await new OutboxPump({ target: to, outbox, now: () => 0 }).flush();
    expect(new Set(to.sent).size).toBe(to.sent.length);
    expect(to.sent.filter((what) => !what.startsWith("spans"))).toHaveLength(50);
  });

  it("loses nothing while the target is down, backs off, and resumes where it stopped", async () => {
    let time = 0;
    let down = true;
    const tries: number[] = [];
    const outbox = new MemoryOutbox();
    const to = target(() => {
      if (!down) return { kind: "accepted" };
      tries.push(time);
      return { kind: "later", reason: "ECONNREFUSED" };
    });
    outbox.put("a", call("a"));
    const problems: string[] = [];
    const pump = new OutboxPump({
      ...{ target: to, outbox, now: () => time, random: () => 1 },
      onProblem: (message) => problems.push(message),
    });
    for (; time <= 3_600_000; time += 1000) await pump.flush();
    expect(tries.slice(0, 5)).toEqual([0, 1000, 3000, 7000, 15_000]);
    expect(tries.length).toBeLessThan(25);
    expect(problems).toEqual(["Export to t failed: ECONNREFUSED. Items stay queued and are retried."]);
    down = false;
    time += 600_000;
    await pump.flush();
    expect(to.sent).toEqual(["spans a", "a-tool_success=1"]);
  });

  it("waits as long as the target asks for", async () => {
    let time = 0;
    let tries = 0;
    const outbox = new MemoryOutbox();
    outbox.put("a", call("a"));
    const to = target(() => {
      tries += 1;
      return { kind: "later", reason: "HTTP 429", afterMs: 60_000 };
    });
    const pump = new OutboxPump({ target: to, outbox, now: () => time });
    for (; time < 60_000; time += 1000) await pump.flush();
    expect(tries).toBe(1);
  });

  it("sends the same ids again after a crash between the response and the mark", async () => {
    const [outbox, to] = [new MemoryOutbox(), target()];
    outbox.put("a", call("a"));
    const mark = outbox.markSent.bind(outbox);
    outbox.markSent = async () => {
      throw new Error("killed");
    };
    await new OutboxPump({ target: to, outbox, now: () => 0 }).flush();
    outbox.markSent = mark;
    const afterLease = new OutboxPump({ target: to, outbox, now: () => 60_000 });
    await afterLease.flush();
    expect(await afterLease.flush()).toBe(0);
    expect(to.sent).toEqual(["spans a", "a-tool_success=1", "spans a", "a-tool_success=1"]);
  });

  it("marks what was sent before the target became unavailable", async () => {
    let time = 0;
    let scores = 0;
    const outbox = new MemoryOutbox();
    for (const id of ["a", "b", "c"]) outbox.put(id, call(id));
    const to = target((what) => {
      if (what.startsWith("spans")) return { kind: "accepted" };
      scores += 1;
      return scores === 2 ? { kind: "later", reason: "HTTP 503" } : { kind: "accepted" };
    });
    const pump = new OutboxPump({ target: to, outbox, now: () => time });
    await pump.flush();
    time = 10_000;
    await pump.flush();
    expect(to.sent).toEqual(["spans a+b+c", "a-tool_success=1", "b-tool_success=1", "c-tool_success=1"]);
  });

  it("isolates and reports the item that a target rejects, and sends the others", async () => {
    const outbox = new MemoryOutbox();
    for (const id of ["a", "b", "c", "d", "e"]) outbox.put(id, { ...call(id), scores: [] });
    const to = target((what) =>
      what.includes("c") ? { kind: "refused", reason: "HTTP 400", tooLarge: false } : { kind: "accepted" },
    );
    const problems: string[] = [];
    const counted: [string, number][] = [];
    const pump = new OutboxPump({
      ...{ target: to, outbox, now: () => 0, onProblem: (message) => problems.push(message) },
      onExported: (result, count) => counted.push([result, count]),
    });
    await pump.flush();
    expect(to.sent).toEqual(["spans a+b", "spans d", "spans e"]);
    expect(problems).toEqual(["t rejected c: HTTP 400"]);
    expect(counted).toEqual([
      ["sent", 4],
      ["given_up", 1],
    ]);
  });

  it("drops items at the configured age, with a message, and not earlier", async () => {
    let time = 1000;
    const outbox = new MemoryOutbox();
    outbox.put("old", call("old"), 0);
    outbox.put("new", call("new"), 900);
    const problems: string[] = [];
    const pump = new OutboxPump({
      ...{ target: target(() => ({ kind: "later", reason: "HTTP 500" })), outbox, now: () => time, random: () => 0 },
      ...{ giveUpAfterMs: 5000, onProblem: (message: string) => problems.push(message) },
    });
    await pump.flush();
    expect(problems).toHaveLength(1);
    time = 5_500;
    for (const row of outbox.rows.values()) row.leaseUntil = 0;
    await pump.flush();
    expect(problems.at(-1)).toBe(
      "t was unavailable for too long: dropped 1 calls and sessions from the queue. Run `toolmend export t --since …` to send them.",
    );
    expect([...outbox.rows.values()].map(({ id, version, sentVersion }) => [id, version > sentVersion])).toEqual([
      ["old", false],
      ["new", true],
    ]);
  });
});
