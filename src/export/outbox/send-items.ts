import { scoreId } from "../../core/score/scores.ts";
import type { ExportTarget, ScoreOf } from "../export-target.ts";
import type { ExportedCall } from "../exported-call.ts";
import type { Posted } from "../post.ts";
import type { OutboxItem, Sent } from "./outbox.ts";

/** How a round went. What was sent is marked even when the target fell silent half-way. */
export interface Round {
  readonly sent: readonly Sent[];
  readonly events: number;
  /** Content that the target will never take, and why. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
  readonly notes: readonly string[];
  /** The target could not be reached, or asked to wait: the rest was not tried. */
  readonly stopped?: Extract<Posted, { kind: "later" }>;
}

/**
 * Sends items to one target: a span once, each score whenever its value is not the one the target has, and takes back what no longer holds. Stops
 * between two requests when `signal` says so.
 */
export async function sendItems(
  target: ExportTarget,
  items: readonly OutboxItem[],
  signal?: AbortSignal,
): Promise<Round> {
  const round = new SendProgress(items, signal);
  const spans = items.flatMap((item) => (isCall(item.about) && !item.span_sent ? [item.about] : []));
  await round.send(spans, target.spansAtOnce, (batch) => target.sendSpans(batch), {
    id: (call) => call.record_id,
    done: (call) => round.spanSent(call.record_id),
  });
  const scores = items.flatMap((item) =>
    item.about.scores
      .filter(({ name, value }) => item.sent_scores[name] !== value)
      .map((score) => ({ item: item.id, about: item.about, score })),
  );
  await round.send(scores, target.scoresAtOnce, (batch: readonly ScoreOf[]) => target.sendScores(batch), {
    id: ({ item }) => item,
    done: ({ item, score }) => round.scoreSent(item, score.name, score.value),
  });
  const stale = items.flatMap((item) => retractedScores(item).map((name) => ({ item: item.id, name })));
  await round.send(stale, 1, ([one]) => withdraw(target, one), {
    id: ({ item }) => item,
    done: ({ item, name }) => round.scoreWithdrawn(item, name),
  });
  return round.result();
}

/** Scores that the target was told of and that there are no more. */
function retractedScores({ about, sent_scores }: OutboxItem): readonly string[] {
  return Object.keys(sent_scores).filter((name) => !about.scores.some((score) => score.name === name));
}

async function withdraw(
  target: ExportTarget,
  stale: { readonly item: string; readonly name: string } | undefined,
): Promise<Posted> {
  if (stale === undefined || target.withdrawScore === undefined) return { kind: "accepted" };
  return await target.withdrawScore(scoreId(stale.item, stale.name));
}

function isCall(about: OutboxItem["about"]): about is ExportedCall {
  return "record_id" in about;
}

class SendProgress {
  readonly #progress: Map<string, { item: OutboxItem; span: boolean; scores: Record<string, number | string> }>;
  readonly #refused: { id: string; reason: string }[] = [];
  readonly #notes: string[] = [];
  #events = 0;
  #stopped: Round["stopped"];

  readonly #signal: AbortSignal | undefined;

  constructor(items: readonly OutboxItem[], signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.#progress = new Map(
      items.map((item) => [item.id, { item, span: item.span_sent, scores: { ...item.sent_scores } }]),
    );
  }

  spanSent(id: string): void {
    const progress = this.#progress.get(id);
    if (progress !== undefined) progress.span = true;
  }

  scoreSent(id: string, name: string, value: number | string): void {
    const progress = this.#progress.get(id);
    if (progress !== undefined) progress.scores[name] = value;
  }

  scoreWithdrawn(id: string, name: string): void {
    delete this.#progress.get(id)?.scores[name];
  }

  /** Sends in batches. A batch that is refused is halved until the one that the target does not want is alone. */
  async send<T>(
    all: readonly T[],
    atOnce: number,
    post: (batch: readonly T[]) => Promise<Posted>,
    { id, done }: { readonly id: (one: T) => string; readonly done: (one: T) => void },
  ): Promise<void> {
    const waiting: (readonly T[])[] = [];
    for (let at = 0; at < all.length; at += atOnce) waiting.unshift(all.slice(at, at + atOnce));
    while (this.#stopped === undefined && this.#signal?.aborted !== true) {
      const batch = waiting.pop();
      if (batch === undefined) return;
      const posted = await post(batch);
      if (posted.kind === "later") this.#stopped = posted;
      else if (posted.kind === "refused" && batch.length > 1) {
        const half = Math.ceil(batch.length / 2);
        waiting.push(batch.slice(half), batch.slice(0, half));
      } else {
        if (posted.kind === "refused") this.#refused.push({ id: id(batch[0] as T), reason: posted.reason });
        else {
          this.#events += batch.length;
          if (posted.note !== undefined) this.#notes.push(posted.note);
        }
        // What is refused counts as told: asking again would not change the answer.
        batch.forEach(done);
      }
    }
  }

  result(): Round {
    return {
      sent: [...this.#progress.values()].map(({ item, span, scores }) => ({
        id: item.id,
        // Half told: the same version stays due.
        version: this.#isWhole(item, span, scores) ? item.version : item.version - 1,
        span_sent: span,
        sent_scores: scores,
      })),
      events: this.#events,
      refused: this.#refused,
      notes: this.#notes,
      ...(this.#stopped && { stopped: this.#stopped }),
    };
  }

  #isWhole({ about }: OutboxItem, span: boolean, scores: Readonly<Record<string, number | string>>): boolean {
    const told = about.scores.every(({ name, value }) => scores[name] === value);
    return (span || !isCall(about)) && told && Object.keys(scores).length === about.scores.length;
  }
}
