import { hash as cryptoHash } from "node:crypto";
import type { ClientProfileName, DeclaredTool, DetectApi } from "../../core/detect/index.ts";
import {
  classifyToolResult,
  formatStatusMessage,
  getErrorSeverity,
  RETRY_ADVICE,
  resultText,
} from "../../core/detect/index.ts";
import type { Hasher } from "../../core/model/call-key.ts";
import type {
  ArgumentFacts,
  CallObservation,
  Observation,
  OutcomeFacts,
  ResultFacts,
} from "../../core/model/observation.ts";
import { CATEGORIES, type Outcome, type Phase } from "../../core/model/outcome.ts";
import { type RedactLevel, redact } from "../../core/redact/redact.ts";
import { fingerprintOf } from "../../core/score/fingerprint/fingerprint.ts";
import { ArgumentMemory, argumentFacts, argumentText } from "./argument-facts.ts";
import { DEFAULT_DETECT_SETTINGS, type DetectSettings, readsTexts } from "./detect-settings.ts";
import {
  applyExplicitFailure,
  type ExplicitFailure,
  NO_REASON,
  outcomeForStage,
  outcomeIfRefused,
  type Stage,
} from "./hook-stage-outcome.ts";
import { knownFields } from "./known-fields.ts";
import { redactedExcerpt } from "./redact.ts";
import { createIdRedactor } from "./redact-ids.ts";
import { namedIn } from "./resources.ts";
import { safeName } from "./safe-name.ts";

/** How much text is kept; see docs/decisions/0004. */
export const CAPTURES = ["none", "errors", "full"] as const;
export type Capture = (typeof CAPTURES)[number];

/** A call as a source saw it, texts and all. Never leaves memory: {@link CallObserver} turns it into facts. */
export interface RawCallObservation extends Omit<CallObservation, "kind" | "arguments" | "result"> {
  readonly arguments?: unknown;
  readonly result?: RawResult;
  readonly tools?: readonly DeclaredTool[];
}

/** A result as a source saw it. */
export interface RawResult {
  readonly content: unknown;
  readonly is_error?: boolean;
  /** Where it failed, when the source knows without reading the text: by its events, or by a decision it wrote down. */
  readonly phase?: Phase;
  /** What the event that brought it says of the whole, beside its text. */
  readonly stage?: Stage;
  /** The kind of its failure, when the source knows: it ran the tool itself, or refused to. */
  readonly stated?: ExplicitFailure;
}

export interface ObserverSettings {
  readonly capture: Capture;
  /** What is removed from all that is kept; absent: secrets. */
  readonly redact?: RedactLevel;
  readonly salt: string;
  readonly detect?: DetectSettings;
}

/** How many characters are kept of a result and of arguments. `full` is for those who want to read the texts themselves. */
const CAPTURED_CHARS = {
  none: { result: 0, arguments: 0, message: 0 },
  errors: { result: 500, arguments: 200, message: 500 },
  full: { result: 65_536, arguments: 16_384, message: 500 },
} as const;
const MESSAGE = 300;
/** Of the words of a failure: a little more than its message shows. */
const MAX_MESSAGE_CHARS = 120;

/** Turns sightings into observations. The only place that sees both the texts and what is kept of them. */
export class CallObserver {
  readonly #settings: ObserverSettings;
  readonly #detect: DetectSettings;
  readonly #hashed = new ArgumentMemory();
  readonly #level: RedactLevel;
  readonly hash: Hasher;
  /** For {@link RecorderOptions.redactIds}. */
  readonly redactIds: (observation: Observation) => Observation;

  constructor(settings: ObserverSettings) {
    this.#settings = settings;
    this.#detect = settings.detect ?? DEFAULT_DETECT_SETTINGS;
    this.#level = settings.redact ?? "secrets";
    this.hash = (text) => cryptoHash("sha256", settings.salt + text, "hex");
    this.redactIds = createIdRedactor(this.hash, this.#level);
  }

  observe(sighting: RawCallObservation): CallObservation {
    const { arguments: given, result, tools: _tools, ...rest } = sighting;
    const seen = result === undefined ? undefined : this.#result(sighting, result);
    const facts = given === undefined ? undefined : this.#arguments(given, seen?.outcome, sighting);
    const { name, model } = rest;
    return {
      ...rest,
      kind: "call",
      ...(name !== undefined && { name: this.safeName(name) }),
      ...(model !== undefined && { model: this.safeName(model) }),
      ...(facts && { arguments: facts }),
      ...(seen && { result: seen }),
    };
  }

  /** A name as it is kept, at every capture level: of a tool, of a model, of an argument. */
  safeName(name: string, longest?: number): string {
    return safeName(name, longest, this.#level);
  }

  /** What may be kept of a text that tells of something gone wrong, or mended. */
  captureText(text: string, kind: keyof typeof CAPTURED_CHARS.errors): string | undefined {
    const { capture } = this.#settings;
    return capture === "none" ? undefined : this.#excerpt(text, CAPTURED_CHARS[capture][kind]);
  }

  /** Are arguments of this text kept whole in the record of a mended call? */
  keepsWhole(text: string): boolean {
    return this.captureText(text, "arguments") === text;
  }

  /** Lets in what another process observed: its texts are held to what is kept here, whatever was kept there. */
  admit(given: Observation): Observation {
    const observation = knownFields(given, (name, longest) => this.safeName(name, longest));
    if (observation.kind !== "call") return observation;
    const { arguments: args, result, ...rest } = observation;
    return {
      ...rest,
      ...(args && { arguments: this.#admitArguments(args, result?.outcome) }),
      ...(result && { result: { ...result, outcome: this.#admitOutcome(observation, result.outcome) } }),
    };
  }

  #admitArguments({ preview, ...facts }: ArgumentFacts, outcome: OutcomeFacts | undefined): ArgumentFacts {
    if (typeof preview !== "string" || !this.#keepsText(outcome)) return facts;
    return { ...facts, preview: this.#excerpt(preview, CAPTURED_CHARS[this.#settings.capture].arguments) };
  }

  #admitOutcome(call: CallObservation, { excerpt, status_message, category, ...told }: OutcomeFacts): OutcomeFacts {
    // Categories are few, and counted by name: one that nobody knows is none.
    const facts = category !== undefined && CATEGORIES.includes(category) ? { ...told, category } : told;
    const message = this.#settings.capture === "none" ? wordlessMessage(call, facts) : status_message;
    return {
      ...facts,
      ...(message !== undefined && { status_message: redact(message, this.#level).slice(0, MESSAGE) }),
      ...(typeof excerpt === "string" &&
        this.#keepsText(facts) && { excerpt: this.#excerpt(excerpt, CAPTURED_CHARS[this.#settings.capture].result) }),
    };
  }

  #arguments(given: unknown, outcome: OutcomeFacts | undefined, { name, origin }: RawCallObservation): ArgumentFacts {
    const facts = argumentFacts(given, this.hash, name, this.#hashed, this.#level);
    const mended = origin === "recovered" && this.#settings.capture === "errors";
    if (!mended && !this.#keepsText(outcome)) return facts;
    return { ...facts, preview: this.#excerpt(argumentText(given), CAPTURED_CHARS[this.#settings.capture].arguments) };
  }

  #result(sighting: RawCallObservation, result: RawResult): ResultFacts {
    const text = resultText(result.content);
    const read = classifyToolResult(
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
    const placed = result.phase === undefined ? read : inPhase(read, result.phase);
    const outcome = applyExplicitFailure(outcomeForStage(placed, result.stage), result.stated);
    const gated = result.stage === "unrun" ? outcomeIfRefused(outcome) : undefined;
    const facts = (verdict: Outcome): OutcomeFacts => this.#facts(verdict, sighting.name ?? "unknown", text);
    return {
      hash: this.hash(text).slice(0, 16),
      size_bytes: Buffer.byteLength(text),
      ...(outcome.status === "failed" && { resources: namedIn(text, this.hash) }),
      outcome: facts(outcome),
      ...(result.stage === "unrun" && { unrun: true }),
      ...(gated !== undefined && { if_asked: facts(gated) }),
    };
  }

  #facts(outcome: Outcome, tool: string, text: string): OutcomeFacts {
    const { capture } = this.#settings;
    const facts = this.#outcome(outcome, tool);
    return this.#keepsText(facts) ? { ...facts, excerpt: this.#excerpt(text, CAPTURED_CHARS[capture].result) } : facts;
  }

  #excerpt(text: string, limit: number): string {
    return redactedExcerpt(text, limit, this.#level);
  }

  #outcome(outcome: Outcome, tool: string): OutcomeFacts {
    const { message: words, ...wordless } = outcome;
    // Redacted before it is cut: half a secret is one that nothing recognises.
    const told =
      this.#settings.capture === "none" || words === undefined
        ? {}
        : { message: this.#excerpt(words, MAX_MESSAGE_CHARS) };
    const message = formatStatusMessage({ ...wordless, ...told }, this.safeName(tool));
    return {
      ...outcomeFacts(outcome),
      ...(message !== undefined && { status_message: redact(message, this.#level).slice(0, MESSAGE) }),
      ...(outcome.status === "failed" && {
        fingerprint: fingerprintOf(outcome.category ?? "error", words ?? "", this.hash),
      }),
    };
  }

  #keepsText(outcome: OutcomeFacts | undefined): boolean {
    const { capture } = this.#settings;
    return capture === "full" || (capture === "errors" && outcome?.status === "failed" && outcome.rule !== NO_REASON);
  }
}

/** The source's word on where a call failed. What was refused, and not by its user, was denied: whatever words the refusal chose. */
function inPhase(outcome: Outcome, phase: Phase): Outcome {
  if (outcome.status !== "failed" || outcome.phase === phase) return outcome;
  if (phase !== "gate") return { ...outcome, phase };
  const category = outcome.category === "cancelled" ? "cancelled" : "permission_denied";
  return { ...outcome, phase, category, severity: getErrorSeverity(category), retryable: RETRY_ADVICE[category] };
}

/** The status message as it is where no text is kept. */
function wordlessMessage({ name, execution_time_ms }: CallObservation, facts: OutcomeFacts): string | undefined {
  const { exit_code, rule, ...verdict } = facts;
  const outcome: Outcome = {
    ...verdict,
    evidence: [{ rule }],
    ...(exit_code !== undefined && { exitCode: exit_code }),
    ...(execution_time_ms !== undefined && { durationMs: execution_time_ms }),
  };
  return formatStatusMessage(outcome, name ?? "unknown");
}

function outcomeFacts(outcome: Outcome): OutcomeFacts {
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
  };
}
