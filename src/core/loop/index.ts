export { effectOf } from "./call-effect.ts";
export { digest } from "./digest.ts";
export { contentDigest, findLoops } from "./find-loops.ts";
export { GUARD_MODES, type GuardMode } from "./guard-modes.ts";
export {
  type GuardDecision,
  type GuardNote,
  guardRequest,
  messageList,
  type OpenLoop,
  stopText,
} from "./guard-request.ts";
export { type IsIgnored, ignoredBy } from "./ignored-calls.ts";
export {
  type CallEffect,
  type FinishedCall,
  hasNoResult,
  LOOP_KINDS,
  LOOP_LEVELS,
  type Loop,
  type LoopKind,
  LoopSignal,
  MAX_IGNORED_RUN,
} from "./loop-signal.ts";
export { resultDigest } from "./result-digest.ts";
export { writeNotes } from "./write-notes.ts";
