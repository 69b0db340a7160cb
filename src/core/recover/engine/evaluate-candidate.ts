import { type Candidate, decide } from "../decision/decide.ts";
import { isAnnounced } from "../decision/mention.ts";
import { leadIn } from "../decision/sentence.ts";
import type { Before } from "../decision/surroundings.ts";
import type { Echoes } from "../echo/echoes.ts";
import type { FormatRow } from "../formats/row.ts";
import type { RawCall, Read } from "../payload/payload.ts";
import type { RejectReason } from "../types.ts";
import { type AcceptedCall, validateCalls } from "./gate.ts";
import type { Settings } from "./settings.ts";

/** A parsed candidate to be evaluated. */
export interface CandidateCall {
  readonly start: number;
  readonly end: number;
  readonly row: FormatRow;
  readonly read: Extract<Read, { kind: "done" }>;
  /** The reason its position would reject it, unless the call is the whole message. */
  readonly positionReason: RejectReason | undefined;
}

/** The result of an evaluation, with what the closing gates need at the end of the message. */
export type Evaluation =
  | { readonly kind: "calls"; readonly calls: readonly AcceptedCall[]; readonly candidate: Candidate | undefined }
  | {
      readonly kind: "rejected";
      readonly reason: RejectReason;
      readonly name: string;
      /** The candidate is a mention, so everything inside it is part of the mention. */
      readonly isMention: boolean;
    };

/** Evaluates a candidate by its content, the text before it, and the texts the model was given. */
export function evaluateCandidate(
  text: string,
  offer: CandidateCall,
  before: () => Before,
  settings: Settings,
  echoes: () => Echoes,
): Evaluation {
  const { start, end, row, read } = offer;
  const { tools, mode, ungated } = settings;
  const validation = validateCalls(read.calls, read.repairs, row, tools, ungated ? "eager" : mode);
  if (validation.kind === "rejected") return { ...validation, isMention: false };
  const { calls } = validation;
  if (ungated) return { kind: "calls", calls, candidate: undefined };
  const { name } = read.calls[0] as RawCall;
  const reject = (reason: RejectReason, isMention: boolean): Evaluation => ({
    kind: "rejected",
    reason,
    name,
    isMention,
  });
  if (row.strength === "weak" && row.last !== true && !endsLine(text, end)) return reject("not-anchored", false);
  const surroundings = before();
  const lead = leadIn(surroundings.text);
  const candidate: Candidate = {
    strength: row.strength,
    hasSpecialToken: SPECIAL_TOKEN.test(text.slice(start, start + 16)),
    calls,
    before: surroundings,
    lead,
    isAnnounced: isAnnounced(lead),
  };
  const reason = decide(candidate);
  if (reason !== undefined) return reject(reason, true);
  if (echoes().find(calls, text.slice(start, end)) !== undefined) return reject("echo", true);
  return { kind: "calls", calls, candidate };
}

/** Spellings that people do not type. */
const SPECIAL_TOKEN = /^(?:<[|｜]|\[TOOL_|\]<\]|<\/?\u2581|✿)/;

/** Whether the line ends here or another block begins. */
function endsLine(text: string, at: number): boolean {
  let i = at;
  while (text[i] === " " || text[i] === "\t" || text[i] === ";" || text[i] === "\r") i += 1;
  const c = text[i];
  return c === undefined || c === "\n" || c === "<" || c === "{" || c === "[";
}
