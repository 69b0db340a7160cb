import { type CpuTime, cpuSince, cpuTime } from "../frame/cpu.ts";
import { type Random, shuffled } from "../frame/random.ts";
import type { Slice, SliceResult } from "./load.ts";
import { type Stage, TARGETS, type Target } from "./stage.ts";
import { expectedCounts, type Workload } from "./workload.ts";

/** What one slice cost one target. */
export interface SliceCost extends CpuTime {
  readonly perSecond: number;
}

export interface LoadShape {
  readonly workload: Workload;
  readonly seed: number;
  readonly connections: number;
}

/** Sends slices of a workload to every target and keeps an eye on what came back and what was stored. */
export class LoadRun {
  readonly #stage: Stage;
  readonly #shape: LoadShape;
  #sent = 0;
  #problem: string | undefined;

  constructor(stage: Stage, shape: LoadShape) {
    this.#stage = stage;
    this.#shape = shape;
  }

  /** The next requests, to every target in random order; the same ones to each. */
  async slice(turns: number, random: Random): Promise<ReadonlyMap<Target, SliceCost>> {
    const { workload, seed, connections } = this.#shape;
    const [from, to] = [this.#sent, this.#sent + turns * workload.sessions];
    this.#sent = to;
    const costs = new Map<Target, SliceCost>();
    const digests = new Map<Target, string>();
    for (const target of shuffled(TARGETS, random)) {
      const url = this.#stage.urls.get(target) as string;
      const child = this.#stage.proxies.get(target);
      const before = child && cpuTime(child.pid);
      const sent = await this.#stage.load.ask<SliceResult>("send", {
        ...{ url, workload, seed, from, to, connections },
      } satisfies Slice);
      // What is recorded later is part of the price.
      await child?.ask("drain");
      const used = child && before ? cpuSince(before, cpuTime(child.pid)) : { process: 0, mainThread: 0 };
      if (sent.failures > 0) this.#problem ??= `${sent.failures} requests to ${target} failed`;
      digests.set(target, sent.digest);
      const requests = to - from;
      costs.set(target, {
        process: used.process / requests,
        mainThread: used.mainThread / requests,
        perSecond: requests / (sent.ms / 1000),
      });
    }
    for (const [target, digest] of digests)
      if (digest !== digests.get("direct")) this.#problem ??= `${target} changed the bytes of a reply`;
    return costs;
  }

  /** Why the figures mean nothing; undefined when every reply was right and the store holds exactly the calls sent. */
  async problem(): Promise<string | undefined> {
    if (this.#problem !== undefined) return this.#problem;
    const { workload } = this.#shape;
    const [expected, stored] = [expectedCounts(workload, this.#sent), await this.#stage.counts(workload)];
    const wrong = (Object.keys(expected) as (keyof typeof expected)[]).filter((key) => expected[key] !== stored[key]);
    if (wrong.length === 0) return undefined;
    return `the store is wrong: ${wrong.map((key) => `${key} ${stored[key]} instead of ${expected[key]}`).join(", ")}`;
  }
}
