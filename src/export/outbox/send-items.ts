import { present } from "../../core/model/narrow.ts";
import { scoreId } from "../../core/score/scores.ts";
import type { ExportedScore, ExportTarget, ScoreOf } from "../export-target.ts";
import type { Posted } from "../post.ts";
import type { OutboxItem, Sent } from "./outbox.ts";

/** The result of sending some items. Items sent before a failure are marked as sent. */
export interface Round {
  readonly sent: readonly Sent[];
  readonly events: number;
  /** Items that the target rejected for good, and why. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
  readonly notes: readonly string[];
  /** Set if the target was unavailable or asked to wait; the remaining items were not sent. */
  readonly stopped?: Extract<Posted, { kind: "later" }>;
}

/**
 * Sends items to one target: each span once, and again if it changed and the target replaces spans; each score when its
 * value or its text changed; deletes obsolete scores. Stops between two requests when `signal` is aborted.
 */
export async function sendItems(
  target: ExportTarget,
  items: readonly OutboxItem[],
  signal?: AbortSignal,
): Promise<Round> {
  const spans = items.filter((item) => needsSpan(item, target));
  const round = new SendProgress(target, items, spans, signal);
  const sendSpans = (batch: readonly OutboxItem[]): Promise<Posted> =>
    target.sendSpans(batch.map(({ about }) => about));
  await round.send(spans, target.spanBatchSize, sendSpans, {
    id: ({ id }) => id,
    done: ({ id }) => round.spanSent(id),
  });
  const scores = items.flatMap(({ id, about, sent_scores }) =>
    about.kind === "response"
      ? []
      : about.scores
          .filter((score) => sent_scores[score.name] !== sentAs(target, about, score))
          .map((score) => ({ item: id, about, score })),
  );
  await round.send(scores, target.scoreBatchSize, (batch: readonly ScoreOf[]) => target.sendScores(batch), {
    id: ({ item }) => item,
    done: ({ item, about, score }) => round.scoreSent(item, score.name, sentAs(target, about, score)),
  });
  const retracted = items.flatMap((item) => retractedScores(item).map((name) => ({ item: item.id, name })));
  await round.send(retracted, 1, ([one]) => withdraw(target, one), {
    id: ({ item }) => item,
    done: ({ item, name }) => round.scoreWithdrawn(item, name),
  });
  return round.result();
}

/**
 * Whether the span of an item must be sent. A call can be classified again, and the root of a session grows until it
 * ends: a target that replaces spans gets every version, others get a call once, and a root at the end.
 */
function needsSpan(item: OutboxItem, target: ExportTarget): boolean {
  const { about, span_digest } = item;
  if (span_digest === digestOf(item, target)) return false;
  return target.replacesSpans === true || about.kind !== "session" || about.finished;
}

/** Identifies where a span was sent, and its content without scores if it can be replaced. */
function digestOf({ about }: OutboxItem, { destination = "", replacesSpans }: ExportTarget): number {
  const { scores: _scores, ...span } = about;
  return digestOfText(destination + (replacesSpans === true ? JSON.stringify(span) : ""));
}

/** 32 bits, never 0. */
function digestOfText(text: string): number {
  let digest = 0x811c9dc5;
  for (const letter of text) digest = Math.imul(digest ^ letter.charCodeAt(0), 0x01000193);
  return digest === 0 ? 1 : digest;
}

const NO_TEXT = "{}";

/** What is remembered of a sent score: its value, with a digest of its text and destination if it has one. */
function sentAs(target: ExportTarget, about: OutboxItem["about"], { value }: ExportedScore): number | string {
  const text = about.kind === "response" ? undefined : target.textOfScores?.(about);
  const { destination = "" } = target;
  const more = destination + (text === NO_TEXT ? "" : (text ?? ""));
  return more === "" ? value : `${value} ${digestOfText(more)}`;
}

/** Scores that were sent and no longer exist. */
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

class SendProgress {
  readonly #progress: Map<string, { item: OutboxItem; span: number; scores: Record<string, number | string> }>;
  readonly #refused: { id: string; reason: string }[] = [];
  readonly #notes: string[] = [];
  #events = 0;
  #stopped: Round["stopped"];

  readonly #target: ExportTarget;
  readonly #signal: AbortSignal | undefined;
  /** Ids of items whose span must still be sent. */
  readonly #unsent: Set<string>;

  constructor(
    target: ExportTarget,
    items: readonly OutboxItem[],
    spans: readonly OutboxItem[],
    signal: AbortSignal | undefined,
  ) {
    this.#target = target;
    this.#signal = signal;
    this.#unsent = new Set(spans.map(({ id }) => id));
    this.#progress = new Map(
      items.map((item) => [item.id, { item, span: item.span_digest, scores: { ...item.sent_scores } }]),
    );
  }

  spanSent(id: string): void {
    const progress = this.#progress.get(id);
    if (progress !== undefined) progress.span = digestOf(progress.item, this.#target);
    this.#unsent.delete(id);
  }

  scoreSent(id: string, name: string, value: number | string): void {
    const progress = this.#progress.get(id);
    if (progress !== undefined) progress.scores[name] = value;
  }

  scoreWithdrawn(id: string, name: string): void {
    delete this.#progress.get(id)?.scores[name];
  }

  /** Sends in batches. Splits a rejected batch in halves to isolate the rejected item. */
  async send<T>(
    all: readonly T[],
    batchSize: number,
    post: (batch: readonly T[]) => Promise<Posted>,
    { id, done }: { readonly id: (one: T) => string; readonly done: (one: T) => void },
  ): Promise<void> {
    const queue: (readonly T[])[] = [];
    for (let at = 0; at < all.length; at += batchSize) queue.unshift(all.slice(at, at + batchSize));
    while (this.#stopped === undefined && this.#signal?.aborted !== true) {
      const batch = queue.pop();
      if (batch === undefined) return;
      const posted = await post(batch);
      if (posted.kind === "later") this.#stopped = posted;
      else if (posted.kind === "refused" && batch.length > 1) {
        const half = Math.ceil(batch.length / 2);
        queue.push(batch.slice(half), batch.slice(0, half));
      } else {
        if (posted.kind === "refused") this.#refused.push({ id: id(present(batch[0])), reason: posted.reason });
        else {
          this.#events += batch.length;
          if (posted.note !== undefined) this.#notes.push(posted.note);
        }
        // A rejected item counts as sent: the target would reject it again.
        batch.forEach(done);
      }
    }
  }

  result(): Round {
    return {
      sent: [...this.#progress.values()].map(({ item, span, scores }) => ({
        id: item.id,
        // Sent in part: the version stays due.
        version: this.#isComplete(item, scores) ? item.version : item.version - 1,
        span_digest: span,
        sent_scores: scores,
      })),
      events: this.#events,
      refused: this.#refused,
      notes: this.#notes,
      ...(this.#stopped && { stopped: this.#stopped }),
    };
  }

  #isComplete({ id, about }: OutboxItem, scores: Readonly<Record<string, number | string>>): boolean {
    const isUpToDate = about.scores.every((score) => scores[score.name] === sentAs(this.#target, about, score));
    return !this.#unsent.has(id) && isUpToDate && Object.keys(scores).length === about.scores.length;
  }
}
