import { type RateSample, rateDifference } from "../../src/core/score/rate-difference.ts";
import { count, percent, points } from "./format.ts";

interface Compared extends RateSample {
  readonly name: string;
}

/** Compares two failure rates in words: the difference, and how certain it is. */
export function compareWords(a: Compared, b: Compared): string {
  const found = rateDifference(a, b);
  if (found === null) {
    const without = [a, b].filter(({ ok, failed }) => ok + failed === 0).map(({ name }) => name);
    return `No comparison: ${without.join(" and ")} ${without.length > 1 ? "have" : "has"} no call with a known outcome.`;
  }
  const [more, less] = found.difference >= 0 ? [a, b] : [b, a];
  const both = [a, b].map((one) => `${one.name} fails ${rateText(one)}`).join(", ");
  const [low, high] = found.difference >= 0 ? found.interval : [-found.interval[1], -found.interval[0]];
  const interval = `95% interval: ${points(low)} to ${points(high)} points`;
  if (!found.isCertain) return `${both}. The difference may be chance (${interval}).`;
  return `${both}. ${more.name} fails ${timesText(more, less)} ${less.name}; chance alone rarely explains this (${interval}).`;
}

function rateText({ ok, failed }: RateSample): string {
  return `${percent(failed / (ok + failed))} of ${count(ok + failed)} calls`;
}

function timesText(more: RateSample, less: RateSample): string {
  const [high, low] = [more, less].map(({ ok, failed }) => failed / (ok + failed)) as [number, number];
  if (low === 0 || high / low < 1.15) return `${points(high - low).replace("+", "")} points more often than`;
  return `${(high / low).toFixed(1)} times as often as`;
}
