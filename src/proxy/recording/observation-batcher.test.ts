import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Observation } from "../../core/model/observation.ts";
import { ObservationBatcher } from "./observation-batcher.ts";

const observation = (request_id: string): Observation => ({ kind: "request", request_id }) as Observation;

function createBatcher(acknowledge: (size: number) => Promise<number> = async (size) => size, waitMs = 1) {
  const batches: (readonly (string | undefined)[])[] = [];
  const problems: string[] = [];
  const batcher = new ObservationBatcher({
    record(observations) {
      batches.push(observations.map(({ request_id }) => request_id));
      return acknowledge(observations.length);
    },
    onProblem: (reason) => problems.push(reason),
    waitMs,
  });
  return { batcher, batches, problems };
}

it("ObservationBatcher records several exchanges in one batch and keeps their order", async () => {
  const { batcher, batches } = createBatcher();
  batcher.add(() => [observation("a"), observation("b")]);
  batcher.add(() => [observation("c")]);
  expect(batches).toEqual([]);
  await wait(20);
  expect(batches).toEqual([["a", "b", "c"]]);
  batcher.add(() => [observation("d")]);
  await wait(20);
  expect(batches).toEqual([["a", "b", "c"], ["d"]]);
});

it("flush records everything queued, and nothing if the queue is empty", () => {
  const { batcher, batches } = createBatcher();
  batcher.add(() => [observation("a")]);
  batcher.flush();
  batcher.flush();
  expect(batches).toEqual([["a"]]);
});

it("ObservationBatcher does not wait longer once it has enough to do", async () => {
  const { batcher, batches } = createBatcher(undefined, 60_000);
  for (let n = 0; n < 159; n += 1) batcher.add(() => [observation(String(n))]);
  await wait(5);
  expect(batches).toEqual([]);
  batcher.add(() => [observation("159")]);
  await expect.poll(() => batches.flat().length).toBe(160);
});

it("ObservationBatcher observes nothing in the task that adds thousands of entries", async () => {
  const { batcher, batches } = createBatcher();
  let observed = 0;
  for (let n = 0; n < 3000; n += 1)
    batcher.add(() => {
      observed += 1;
      return [observation(String(n))];
    });
  expect(observed).toBe(0);
  await expect.poll(() => batches.flat().length).toBe(3000);
});

it("ObservationBatcher records the rest of the batch when one exchange cannot be observed", () => {
  const { batcher, batches, problems } = createBatcher();
  batcher.add(() => [observation("a")]);
  batcher.add(() => {
    throw new Error("a bug");
  });
  batcher.add(() => [observation("b")]);
  batcher.flush();
  expect(batches).toEqual([["a", "b"]]);
  expect(problems).toEqual(["recording: a bug"]);
});

it("onAcknowledged is not called for an exchange that cannot be observed", async () => {
  const acknowledged: string[] = [];
  const { batcher } = createBatcher();
  batcher.add(
    () => [observation("a")],
    () => acknowledged.push("a"),
  );
  batcher.add(
    () => {
      throw new Error("a bug");
    },
    () => acknowledged.push("b"),
  );
  batcher.flush();
  await wait(1);
  expect(acknowledged).toEqual(["a"]);
});

it("onAcknowledged is called only after the journal acknowledges", async () => {
  const acknowledged: string[] = [];
  const failing = createBatcher();
  failing.batcher.add(
    () => {
      throw new Error("a bug");
    },
    () => acknowledged.push("nothing"),
  );
  failing.batcher.add(() => [observation("z")]);
  failing.batcher.flush();
  const full = createBatcher(async () => 0);
  full.batcher.add(
    () => [observation("a")],
    () => acknowledged.push("a"),
  );
  full.batcher.flush();
  const broken = createBatcher(() => Promise.reject(new Error("disk")));
  broken.batcher.add(
    () => [observation("b")],
    () => acknowledged.push("b"),
  );
  broken.batcher.flush();
  const good = createBatcher();
  good.batcher.add(
    () => [observation("c")],
    () => acknowledged.push("c"),
  );
  good.batcher.flush();
  await wait(1);
  expect(acknowledged).toEqual(["c"]);
  expect(broken.problems).toEqual(["recording: disk"]);
});

it("ObservationBatcher lets other work go on while a long queue is observed, and keeps its order", async () => {
  const { batcher, batches } = createBatcher();
  const slow = (id: string) => (): Observation[] => {
    const until = performance.now() + 4;
    while (performance.now() < until);
    return [observation(id)];
  };
  for (const id of ["a", "b", "c", "d", "e", "f"]) batcher.add(slow(id));
  await expect.poll(() => batches.flat()).toEqual(["a", "b", "c", "d", "e", "f"]);
  expect(batches.length).toBeGreaterThan(1);
});
