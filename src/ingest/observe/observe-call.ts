import { hash as cryptoHash } from "node:crypto";
import type { ClientProfileName, DeclaredTool, DetectApi } from "../../core/detect/index.ts";
import {
  classifyToolResult,
  formatStatusMessage,
  getErrorSeverity,
  RETRY_ADVICE,
  resultText,
} from "../../core/detect/index.ts";
import { contentDigest } from "../../core/loop/index.ts";
import type { Hasher } from "../../core/model/call-key.ts";
import type {
  ArgumentFacts,
  CallObservation,
  CallRepairFacts,
  McpFacts,
  Observation,
  OutcomeFacts,
  ResultFacts,
} from "../../core/model/observation.ts";
import { CATEGORIES, type Outcome, type Phase } from "../../core/model/outcome.ts";
import { type RedactLevel, redact, redactPart } from "../../core/redact/redact.ts";
import { fingerprintOf } from "../../core/score/fingerprint/error-template.ts";
import { ArgumentCache, argumentFacts, argumentText } from "./argument-facts.ts";
import type { Capture } from "./capture.ts";
import { DEFAULT_DETECT_SETTINGS, type DetectSettings, usesHeuristics } from "./detect-settings.ts";
import {
  applyExplicitFailure,
  type ExplicitFailure,
  outcomeForStage,
  outcomeIfRefused,
  type Stage,
  UNEXPLAINED_REFUSAL,
} from "./hook-stage-outcome.ts";
import { knownFields } from "./known-fields.ts";
import { createIdRedactor, redactedExcerpt, safeName } from "./redact.ts";
import { namedPaths } from "./resources.ts";

export { CAPTURES, type Capture } from "./capture.ts";

/** A call as a source saw it, with its text. Never leaves memory: {@link CallObserver} reduces it to facts. */
export interface RawCallObservation extends Omit<CallObservation, "kind" | "arguments" | "result"> {
  readonly arguments?: unknown;
  readonly result?: RawResult;
  readonly tools?: readonly DeclaredTool[];
}

/** A result as a source saw it. */
export interface RawResult {
  readonly content: unknown;
  readonly is_error?: boolean;
  /** The exit code of a command, from a source that has it as a number beside the text. */
  readonly exitCode?: number;
  /** Size of the whole text, if `content` is truncated. */
  readonly sizeBytes?: number;
  /** Phase of the failure, if the source knows it without the text: from its events or a permission decision. */
  readonly phase?: Phase;
  /** What the event itself implies about the call, apart from the text. */
  readonly stage?: Stage;
  /** The failure as given by a source that ran or refused the tool itself. */
  readonly explicitFailure?: ExplicitFailure;
}

export interface ObserverSettings {
  readonly capture: Capture;
  /** What is redacted from all stored text; secrets if absent. */
  readonly redact?: RedactLevel;
  readonly salt: string;
  readonly detect?: DetectSettings;
}

/** Maximum of stored characters per kind of text. `full` is for users who want to read the text itself. */
const CAPTURED_CHARS = {
  none: { result: 0, arguments: 0, message: 0 },
  errors: { result: 500, arguments: 200, message: 500 },
  full: { result: 65_536, arguments: 16_384, message: 500 },
} as const;
const MAX_PROMPT_CHARS = 16_384;
const MAX_STATUS_MESSAGE_CHARS = 300;
/** Limit for a failure's text in the status message; slightly more than the message shows. */
const MAX_MESSAGE_CHARS = 120;

/** Converts raw observations to observations. The only place that handles both the text and its stored form. */
export class CallObserver {
  readonly #settings: ObserverSettings;
  readonly #detect: DetectSettings;
  readonly #argumentCache = new ArgumentCache();
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

  observe(raw: RawCallObservation): CallObservation {
    const { arguments: given, result, tools: _tools, ...rest } = raw;
    const resultFacts = result === undefined ? undefined : this.#result(raw, result);
    const facts = given === undefined ? undefined : this.#arguments(given, resultFacts?.outcome, raw);
    const { name, model, mcp, call_repair } = rest;
    // `rest` is a copy; a second one of its many fields would cost as much as the first.
    const observation: { -readonly [K in keyof CallObservation]: CallObservation[K] } = Object.assign(rest, {
      kind: "call" as const,
    });
    if (name !== undefined) observation.name = this.safeName(name);
    if (model !== undefined) observation.model = this.safeName(model);
    if (mcp !== undefined) observation.mcp = this.#mcp(mcp);
    if (call_repair !== undefined) observation.call_repair = this.#callRepair(call_repair);
    if (facts !== undefined) observation.arguments = facts;
    if (resultFacts !== undefined) observation.result = resultFacts;
    return observation;
  }

  #mcp(facts: McpFacts): McpFacts {
    const { server, tool, output } = facts;
    return {
      ...facts,
      server: this.safeName(server),
      tool: this.safeName(tool),
      ...(output !== undefined && { output: this.safeName(output) }),
    };
  }

  /** Paths and problems contain keys, which a model chooses freely. */
  #callRepair({ paths, problem, before, after, ...facts }: CallRepairFacts): CallRepairFacts {
    const [captured, capturedAfter] = [before, after].map((text) =>
      text === undefined ? undefined : this.captureText(text, "arguments"),
    );
    return {
      ...facts,
      paths: paths.map((path) => this.safeName(path, 128)),
      ...(problem !== undefined && { problem: this.safeName(problem, 200) }),
      ...(captured !== undefined && { before: captured }),
      ...(capturedAfter !== undefined && { after: capturedAfter }),
    };
  }

  /** Bounds and redacts the name of a tool, model or argument, in every capture mode. */
  safeName(name: string, maxChars?: number): string {
    return safeName(name, maxChars, this.#level);
  }

  /** Returns what may be stored of a text about a failure or a repair. */
  captureText(text: string, kind: keyof typeof CAPTURED_CHARS.errors): string | undefined {
    const { capture } = this.#settings;
    return capture === "none" ? undefined : this.#excerpt(text, CAPTURED_CHARS[capture][kind]);
  }

  /** Returns what may be stored of a user's prompt: its redacted words, but only if all texts are captured. */
  capturePrompt(text: string): { readonly text?: string } {
    const captures = this.#settings.capture === "full" && text !== "";
    return captures ? { text: this.#excerpt(text, MAX_PROMPT_CHARS) } : {};
  }

  /** Whether {@link capturePrompt} returns anything. */
  get capturesPrompts(): boolean {
    return this.#settings.capture === "full";
  }

  /** Whether the record of a repaired call stores arguments with this text completely. */
  capturesWhole(text: string): boolean {
    return this.captureText(text, "arguments") === text;
  }

  /** Whether a text must not reach a disk, even encrypted: it contains a secret, or nothing is captured. */
  isMemoryOnly(text: string): boolean {
    return this.#settings.capture === "none" || redact(text, this.#level) !== text;
  }

  /** Accepts an observation of another process. This process's capture mode applies to its text. */
  admit(given: Observation): Observation {
    const observation = knownFields(given, (name, maxChars) => this.safeName(name, maxChars));
    if (observation.kind === "session" && this.#settings.capture === "none") {
      const { folder: _folder, branch: _branch, ...unnamed } = observation;
      return unnamed;
    }
    if (observation.kind === "prompt") {
      const { text = "", ...prompt } = observation;
      return { ...prompt, ...this.capturePrompt(text) };
    }
    if (observation.kind !== "call") return observation;
    const { arguments: args, result, ...rest } = observation;
    return {
      ...rest,
      ...(args && { arguments: this.#admitArguments(args, result?.outcome) }),
      ...(result && { result: { ...result, outcome: this.#admitOutcome(observation, result.outcome) } }),
    };
  }

  #admitArguments({ preview, ...facts }: ArgumentFacts, outcome: OutcomeFacts | undefined): ArgumentFacts {
    if (typeof preview !== "string" || !this.#capturesText(outcome)) return facts;
    return { ...facts, preview: this.#excerpt(preview, CAPTURED_CHARS[this.#settings.capture].arguments) };
  }

  #admitOutcome(call: CallObservation, { excerpt, status_message, category, ...rest }: OutcomeFacts): OutcomeFacts {
    // Categories are metric labels, so unknown ones are dropped.
    const facts = category !== undefined && CATEGORIES.includes(category) ? { ...rest, category } : rest;
    const message = this.#settings.capture === "none" ? messageWithoutText(call, facts) : status_message;
    return {
      ...facts,
      ...(message !== undefined && { status_message: redact(message, this.#level).slice(0, MAX_STATUS_MESSAGE_CHARS) }),
      ...(typeof excerpt === "string" &&
        this.#capturesText(facts) && {
          excerpt: this.#excerpt(excerpt, CAPTURED_CHARS[this.#settings.capture].result),
        }),
    };
  }

  #arguments(given: unknown, outcome: OutcomeFacts | undefined, { name, origin }: RawCallObservation): ArgumentFacts {
    const facts = argumentFacts(given, this.hash, name, this.#argumentCache, this.#level);
    const capturesRepair = origin === "recovered" && this.#settings.capture === "errors";
    if (!capturesRepair && !this.#capturesText(outcome)) return facts;
    return { ...facts, preview: this.#excerpt(argumentText(given), CAPTURED_CHARS[this.#settings.capture].arguments) };
  }

  #result(raw: RawCallObservation, result: RawResult): ResultFacts {
    const text = resultText(result.content);
    const classified = classifyToolResult(
      {
        callId: raw.tool_call_id,
        content: text,
        ...(result.exitCode !== undefined && { exitCode: result.exitCode }),
        ...(result.is_error !== undefined && { isError: result.is_error }),
      },
      { ...(raw.name !== undefined && { name: raw.name }), arguments: raw.arguments },
      {
        // Other processes may send names that are not known here; detection treats those as absent.
        ...(raw.client !== undefined && { client: raw.client as ClientProfileName }),
        ...(raw.api !== undefined && { api: raw.api as DetectApi }),
        ...(raw.tools !== undefined && { tools: raw.tools }),
        heuristics: usesHeuristics(this.#detect, raw.provider, raw.name),
        rules: this.#detect.rules,
        ...(raw.execution_time_ms !== undefined && { durationMs: raw.execution_time_ms }),
      },
    );
    const inPhase = result.phase === undefined ? classified : withPhase(classified, result.phase);
    const outcome = applyExplicitFailure(outcomeForStage(inPhase, result.stage), result.explicitFailure);
    const ifRefused = result.stage === "unrun" ? outcomeIfRefused(outcome) : undefined;
    const facts = (one: Outcome): OutcomeFacts => this.#facts(one, raw.name ?? "unknown", text);
    return {
      hash: this.hash(text).slice(0, 16),
      normalized_hash: this.hash(contentDigest(result.content, text)).slice(0, 16),
      size_bytes: result.sizeBytes ?? Buffer.byteLength(text),
      ...(outcome.status === "failed" && { resources: namedPaths(text, this.hash) }),
      outcome: facts(outcome),
      ...(result.stage === "unrun" && { not_executed: true }),
      ...(ifRefused !== undefined && { if_permission_requested: facts(ifRefused) }),
    };
  }

  #facts(outcome: Outcome, tool: string, text: string): OutcomeFacts {
    const { capture } = this.#settings;
    const facts = this.#outcome(outcome, tool, text);
    return this.#capturesText(facts)
      ? { ...facts, excerpt: this.#excerpt(text, CAPTURED_CHARS[capture].result) }
      : facts;
  }

  #excerpt(text: string, limit: number): string {
    return redactedExcerpt(text, limit, this.#level);
  }

  #outcome(outcome: Outcome, tool: string, result: string): OutcomeFacts {
    const { message: text, ...withoutMessage } = outcome;
    const captured =
      this.#settings.capture === "none" || text === undefined ? {} : { message: this.#message(text, result) };
    const message = formatStatusMessage({ ...withoutMessage, ...captured }, this.safeName(tool));
    return {
      ...outcomeFacts(outcome),
      ...(message !== undefined && { status_message: redact(message, this.#level).slice(0, MAX_STATUS_MESSAGE_CHARS) }),
      ...(outcome.status === "failed" && {
        fingerprint: fingerprintOf(outcome.category ?? "error", text ?? "", this.hash),
      }),
    };
  }

  /** The message of a failure is one line: whether it is a secret may depend on the lines around it. */
  #message(text: string, result: string): string {
    const at = result.indexOf(text);
    const redacted = at === -1 ? text : redactPart(result, at, at + text.length, this.#level);
    // Redact before truncating: half a secret would not be recognized.
    return this.#excerpt(redacted, MAX_MESSAGE_CHARS);
  }

  #capturesText(outcome: OutcomeFacts | undefined): boolean {
    const { capture } = this.#settings;
    return (
      capture === "full" ||
      (capture === "errors" && outcome?.status === "failed" && outcome.rule !== UNEXPLAINED_REFUSAL)
    );
  }
}

/**
 * Sets the phase given by the source. In phase gate, every failure not cancelled by the user is a denied permission.
 */
function withPhase(outcome: Outcome, phase: Phase): Outcome {
  if (outcome.status !== "failed" || outcome.phase === phase) return outcome;
  if (phase !== "gate") return { ...outcome, phase };
  const category = outcome.category === "cancelled" ? "cancelled" : "permission_denied";
  return { ...outcome, phase, category, severity: getErrorSeverity(category), retryable: RETRY_ADVICE[category] };
}

/** Formats the status message for capture mode `none`. */
function messageWithoutText({ name, execution_time_ms }: CallObservation, facts: OutcomeFacts): string | undefined {
  const { exit_code, rule, ...rest } = facts;
  const outcome: Outcome = {
    ...rest,
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
