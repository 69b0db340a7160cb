import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Observation } from "../../core/model/observation.ts";
import { ObservationBatcher } from "./observation-batcher.ts";

const observation = (request_id: string): Observation => ({ kind: "request", request_id }) as Observation;

function together(acknowledges: (size: number) => Promise<number> = async (size) => size) {
  const batches: (readonly (string | undefined)[])[] = [];
  const problems: string[] = [];
  const told = new ObservationBatcher({
    record(observations) {
      batches.push(observations.map(({ request_id }) => request_id));
      return acknowledges(observations.length);
    },
    onProblem: (reason) => problems.push(reason),
    waitMs: 1,
  });
  return { told, batches, problems };
}

it("what several exchanges tell is recorded in one go, in the order it was told", async () => {
  const { told, batches } = together();
  told.add(() => [observation("a"), observation("b")]);
  told.add(() => [observation("c")]);
  expect(batches).toEqual([]);
  await wait(20);
  expect(batches).toEqual([["a", "b", "c"]]);
  told.add(() => [observation("d")]);
  await wait(20);
  expect(batches).toEqual([["a", "b", "c"], ["d"]]);
});

it("nothing waits after a flush, and an empty one records nothing", () => {
  const { told, batches } = together();
  told.add(() => [observation("a")]);
  told.flush();
  told.flush();
  expect(batches).toEqual([["a"]]);
});

it("many are not waited for", () => {
  const { told, batches } = together();
  for (let n = 0; n < 130; n += 1) told.add(() => [observation(String(n))]);
  expect(batches.map((batch) => batch.length)).toEqual([64, 64]);
});

it("one that cannot be observed costs nobody else a thing", () => {
  const { told, batches, problems } = together();
  told.add(() => [observation("a")]);
  told.add(() => {
    throw new Error("a bug");
  });
  told.add(() => [observation("b")]);
  told.flush();
  expect(batches).toEqual([["a", "b"]]);
  expect(problems).toEqual(["recording: a bug"]);
});

it("what could not be observed is not acknowledged with the rest", async () => {
  const heard: string[] = [];
  const { told } = together();
  told.add(
    () => [observation("a")],
    () => heard.push("a"),
  );
  told.add(
    () => {
      throw new Error("a bug");
    },
    () => heard.push("b"),
  );
  told.flush();
  await wait(1);
  expect(heard).toEqual(["a"]);
});

it("whoever told is told when it is acknowledged, and only then", async () => {
  const heard: string[] = [];
  const failing = together();
  failing.told.add(
    () => {
      throw new Error("a bug");
    },
    () => heard.push("nothing"),
  );
  failing.told.add(() => [observation("z")]);
  failing.told.flush();
  const full = together(async () => 0);
  full.told.add(
    () => [observation("a")],
    () => heard.push("a"),
  );
  full.told.flush();
  const broken = together(() => Promise.reject(new Error("disk")));
  broken.told.add(
    () => [observation("b")],
    () => heard.push("b"),
  );
  broken.told.flush();
  const good = together();
  good.told.add(
    () => [observation("c")],
    () => heard.push("c"),
  );
  good.told.flush();
  await wait(1);
  expect(heard).toEqual(["c"]);
  expect(broken.problems).toEqual(["recording: disk"]);
});
