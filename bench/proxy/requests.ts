import { chatBody } from "./chat-body.ts";
import { createMessagesBodies } from "./messages-body.ts";
import { callId, pairsAt, sessionName, type Workload } from "./workload.ts";

/** One request, ready to be sent. */
export interface BenchRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The requests of a workload by index: turn by turn, all sessions in each. Same seed, same bytes. */
export function createRequests(workload: Workload, seed: number): (at: number) => BenchRequest {
  const bodies = workload.api === "anthropic" ? createMessagesBodies(workload, seed) : undefined;
  return (at) => {
    const session = at % workload.sessions;
    const turn = workload.replay === true ? 0 : Math.floor(at / workload.sessions);
    const pairs = pairsAt(workload, turn);
    const body = bodies?.(session, pairs) ?? chatBody(workload, session, pairs, seed);
    return {
      path: workload.api === "anthropic" ? "/v1/messages" : "/v1/chat/completions",
      body,
      headers: {
        "content-type": "application/json",
        "content-length": String(body.length),
        "user-agent": workload.api === "anthropic" ? "claude-cli/2.1.197 (external, cli)" : "bench/1.0",
        authorization: "Bearer sk-bench-0000000000000000",
        ...(workload.api === "anthropic" && { "anthropic-version": "2023-06-01" }),
        "x-toolmend-project": workload.name,
        "x-toolmend-session": sessionName(workload, session),
        "x-bench-call": callId(workload, session, pairs),
      },
    };
  };
}
