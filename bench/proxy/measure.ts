import { type CpuTime, cpuSince, cpuTime } from "../frame/cpu.ts";
import type { Random } from "../frame/random.ts";
import { interleaved } from "../frame/rounds.ts";
import type { Slice, SliceResult } from "./load.ts";
import { type Stage, TARGETS, type Target } from "./stage.ts";
import { expectedCounts, type Workload } from "./workload.ts";

/** The cost of one slice for one target. */
export interface SliceCost extends CpuTime {
  readonly perSecond: number;
}

export interface LoadShape {
  readonly workload: Workload;
  readonly seed: number;
  readonly connections: number;
}

/** Sends slices of a workload to every target and checks the responses and the stored calls. */
export class LoadRun {
  readonly #stage: Stage;
  readonly #shape: LoadShape;
  /** By the first request of a slice: the hash of its responses, and the target that received them first. */
  readonly #digests = new Map<number, { readonly target: Target; readonly digest: string }>();
  #sent = 0;
  #problem: string | undefined;

  constructor(stage: Stage, shape: LoadShape) {
    this.#stage = stage;
    this.#shape = shape;
  }

  /**
   * Sends some turns to every target, in random order, round after round; the same requests to each. One map per round.
   */
  async rounds(rounds: number, turns: number, random: Random): Promise<readonly ReadonlyMap<Target, SliceCost>[]> {
    const first = this.#sent;
    const size = turns * this.#shape.workload.sessions;
    this.#sent += rounds * size;
    const costs = await interleaved(TARGETS, rounds, random, (target, round) =>
      this.#slice(target, first + round * size, first + (round + 1) * size),
    );
    return Array.from(
      { length: rounds },
      (_, round) => new Map(TARGETS.map((target) => [target, costs.get(target)?.[round] as SliceCost])),
    );
  }

  /**
   * Why the measurement is invalid; undefined when every response was right and the store contains exactly the calls
   * sent.
   */
  async problem(): Promise<string | undefined> {
    if (this.#problem !== undefined) return this.#problem;
    const { workload } = this.#shape;
    const [expected, stored] = [expectedCounts(workload, this.#sent), await this.#stage.counts(workload)];
    const wrong = (Object.keys(expected) as (keyof typeof expected)[]).filter((key) => expected[key] !== stored[key]);
    if (wrong.length === 0) return undefined;
    return `wrong counts in the store: ${wrong.map((key) => `${key} ${stored[key]} instead of ${expected[key]}`).join(", ")}`;
  }

  async #slice(target: Target, from: number, to: number): Promise<SliceCost> {
    const { workload, seed, connections } = this.#shape;
    const url = this.#stage.urls.get(target) as string;
    const child = this.#stage.proxies.get(target);
    const before = child && cpuTime(child.pid);
    const slice: Slice = { url, workload, seed, from, to, connections };
    const sent = await this.#stage.load.request<SliceResult>("send", slice);
    // Deferred recording is part of the cost.
    await child?.request("drain");
    const used = child && before ? cpuSince(before, cpuTime(child.pid)) : { process: 0, mainThread: 0 };
    this.#check(target, from, sent);
    const requests = to - from;
    return {
      process: used.process / requests,
      mainThread: used.mainThread / requests,
      perSecond: requests / (sent.ms / 1000),
    };
  }

  /** Compares every response byte for byte with those of the other targets, one of which is the upstream itself. */
  #check(target: Target, from: number, { failures, digest }: SliceResult): void {
    if (failures > 0) this.#problem ??= `${failures} requests to ${target} failed`;
    const other = this.#digests.get(from) ?? { target, digest };
    this.#digests.set(from, other);
    if (other.digest !== digest) this.#problem ??= `replies through ${target} and ${other.target} differ`;
  }
}
