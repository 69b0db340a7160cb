import type { CallObservation, OutcomeFacts } from "../../src/core/model/observation.ts";
import { callObservation, FAILED, NOON, OK, result } from "./observations.ts";

const about = (...resources: string[]): Pick<CallObservation, "arguments"> => ({
  arguments: { fingerprint: resources.join(), keys: {}, resources, size_bytes: 1 },
});

const failed = (category: OutcomeFacts["category"], severity: number, status_message: string): OutcomeFacts => ({
  ...FAILED,
  ...(category !== undefined && { category }),
  severity,
  status_message,
});

/** One root failure, three follow-ons, two retries of which the second works: one recovery. */
export function troubledSession(fields: Partial<CallObservation> = {}): readonly CallObservation[] {
  let n = 0;
  const call = (name: string, outcome: OutcomeFacts, rest: Partial<CallObservation> = {}): CallObservation => {
    const id = `toolu_${String.fromCharCode(97 + n)}aaaaaaaaaaa`;
    n += 1;
    return callObservation({
      session_id: "troubled",
      tool_call_id: id,
      name,
      occurred_at: NOON + n * 1000,
      seen_at: NOON + n * 1000,
      turn: id,
      turn_index: 0,
      order: n,
      model: "m1",
      provider: "anthropic",
      client: "claude-code",
      prompt: "0-abc",
      workflow: "bug_fix",
      result: result(id, outcome),
      ...rest,
      ...fields,
    });
  };
  const build = about("makes:out", "target:out");
  const missing = failed("not_found", 0.4, "[NOT_FOUND] Read - File does not exist.");
  const broke = failed("exit_code", 0.8, "[EXIT_CODE] Bash exit=2 - make: no rule for out");
  return [
    call("Read", OK, about("path:Makefile")),
    call("Bash", broke, build),
    call("Read", missing, about("path:out/x", "under:out")),
    call("Edit", { ...missing, status_message: "[NOT_FOUND] Edit - no such file" }, about("path:out/x", "under:out")),
    call("Glob", { ...missing, status_message: "[NOT_FOUND] Glob - no such folder" }, about("path:out")),
    call("Bash", broke, build),
    call("Bash", OK, build),
  ];
}
