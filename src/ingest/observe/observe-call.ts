import { hash as cryptoHash } from "node:crypto";
import type { ClientProfileName, DeclaredTool, DetectApi } from "../../core/detect/index.ts";
import { classifyToolResult, formatStatusMessage, resultText } from "../../core/detect/index.ts";
import type { Hasher } from "../../core/model/call-key.ts";
import type { ArgumentFacts, CallObservation, OutcomeFacts, ResultFacts } from "../../core/model/observation.ts";
import type { Outcome } from "../../core/model/outcome.ts";
import { fingerprintOf } from "../../core/score/fingerprint/fingerprint.ts";
import { argumentFacts, argumentText } from "./argument-facts.ts";
import { DEFAULT_DETECT_SETTINGS, type DetectSettings, readsTexts } from "./detect-settings.ts";
import { redact, redactedExcerpt } from "./redact.ts";
import { namedIn } from "./resources.ts";

/** How much text is kept; see docs/decisions/0004. */
export const CAPTURES = ["none", "errors", "full"] as const;
export type Capture = (typeof CAPTURES)[number];

/** A call as a source saw it, texts and all. Never leaves memory: {@link CallObserver} turns it into facts. */
export interface CallSighting extends Omit<CallObservation, "kind" | "arguments" | "result"> {
  readonly arguments?: unknown;
  readonly result?: { readonly content: unknown; readonly is_error?: boolean };
  readonly tools?: readonly DeclaredTool[];
}

export interface ObserverSettings {
  readonly capture: Capture;
  readonly salt: string;
  readonly detect?: DetectSettings;
}

/** How many characters are kept of a result and of arguments. `full` is for those who want to read the texts themselves. */
const KEPT = {
  none: { result: 0, arguments: 0 },
  errors: { result: 500, arguments: 200 },
  full: { result: 65_536, arguments: 16_384 },
} as const;
const MESSAGE = 300;

/** Turns sightings into observations. The only place that sees both the texts and what is kept of them. */
export class CallObserver {
  readonly #settings: ObserverSettings;
  readonly #detect: DetectSettings;
  readonly hash: Hasher;

  constructor(settings: ObserverSettings) {
    this.#settings = settings;
    this.#detect = settings.detect ?? DEFAULT_DETECT_SETTINGS;
    this.hash = (text) => cryptoHash("sha256", settings.salt + text, "hex");
  }

  observe(sighting: CallSighting): CallObservation {
    const { arguments: given, result, tools: _tools, ...rest } = sighting;
    const seen = result === undefined ? undefined : this.#result(sighting, result);
    const facts = given === undefined ? undefined : this.#arguments(given, seen?.outcome, sighting.name);
    return {
      ...rest,
      kind: "call",
      ...(facts && { arguments: facts }),
      ...(seen && { result: seen }),
    };
  }

  #arguments(given: unknown, outcome: OutcomeFacts | undefined, tool: string | undefined): ArgumentFacts {
    const facts = argumentFacts(given, this.hash, tool);
    if (!this.#keepsText(outcome)) return facts;
    return { ...facts, preview: redactedExcerpt(argumentText(given), KEPT[this.#settings.capture].arguments) };
  }

  #result(sighting: CallSighting, result: { readonly content: unknown; readonly is_error?: boolean }): ResultFacts {
    const text = resultText(result.content);
    const outcome = classifyToolResult(
      {
        callId: sighting.tool_call_id,
        content: text,
        ...(result.is_error !== undefined && { isError: result.is_error }),
      },
      { ...(sighting.name !== undefined && { name: sighting.name }), arguments: sighting.arguments },
      {
        ...(sighting.client !== undefined && { client: sighting.client as ClientProfileName }),
        ...(sighting.api !== undefined && { api: sighting.api as DetectApi }),
        ...(sighting.tools !== undefined && { tools: sighting.tools }),
        heuristics: readsTexts(this.#detect, sighting.provider, sighting.name),
        rules: this.#detect.rules,
        ...(sighting.execution_time_ms !== undefined && { durationMs: sighting.execution_time_ms }),
      },
    );
    const facts = outcomeFacts(outcome, sighting.name ?? "unknown", this.#settings.capture, this.hash);
    return {
      hash: this.hash(text).slice(0, 16),
      size_bytes: Buffer.byteLength(text),
      ...(outcome.status === "failed" && { resources: namedIn(text, this.hash) }),
      outcome: this.#keepsText(facts)
        ? { ...facts, excerpt: redactedExcerpt(text, KEPT[this.#settings.capture].result) }
        : facts,
    };
  }

  #keepsText(outcome: OutcomeFacts | undefined): boolean {
    const { capture } = this.#settings;
    return capture === "full" || (capture === "errors" && outcome?.status === "failed");
  }
}

function outcomeFacts(outcome: Outcome, tool: string, capture: Capture, hash: Hasher): OutcomeFacts {
  const { message: words, ...wordless } = outcome;
  const message = formatStatusMessage(capture === "none" ? wordless : outcome, tool);
  return {
    status: outcome.status,
    flag: outcome.flag,
    reported: outcome.reported,
    soft: outcome.soft,
    confidence: outcome.confidence,
    rule: outcome.evidence[0]?.rule ?? "none",
    ...(outcome.phase !== undefined && { phase: outcome.phase }),
    ...(outcome.category !== undefined && { category: outcome.category }),
    ...(outcome.severity !== undefined && { severity: outcome.severity }),
    ...(outcome.retryable !== undefined && { retryable: outcome.retryable }),
    ...(outcome.exitCode !== undefined && { exit_code: outcome.exitCode }),
    ...(message !== undefined && { status_message: redact(message).slice(0, MESSAGE) }),
    ...(outcome.status === "failed" && { fingerprint: fingerprintOf(outcome.category ?? "error", words ?? "", hash) }),
  };
}
