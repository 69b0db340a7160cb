import type { AgentPlan, Step } from "./plan.ts";
import { startUpstream, type Upstream } from "./upstream/start-upstream.ts";
import { answer, call, say } from "./upstream/turn.ts";

/** Which plan a request belongs to; the header travels through the proxy like any other. */
export const PLAN_HEADER = "x-demo-plan";
/** Which turn of it; counted by the agent, because histories may be rewritten. */
export const TURN_HEADER = "x-demo-turn";

/** A provider that answers every agent with the next turn of its plan. */
export async function startDemoUpstream(plans: () => readonly AgentPlan[]): Promise<Upstream> {
  return await startUpstream({
    flavour: "local",
    keepRequests: 0,
    script: ({ headers }) => {
      const plan = plans().find(({ name }) => name === headers[PLAN_HEADER]);
      const turn = plan?.turns[Number(headers[TURN_HEADER])];
      if (plan === undefined || turn === undefined) return answer(say("All done."));
      const words = ["Let me see.", ...turn.filter(({ leaked }) => leaked === true).map(asText)].join("\n");
      const calls = turn.filter(({ leaked }) => leaked !== true).map(toCall);
      return { ...answer(say(words), ...calls), model: plan.model, chunking: { characters: 12 } };
    },
  });
}

/** As models of the Hermes family write a call that they should have made. */
function asText({ tool, arguments: args }: Step): string {
  return `<tool_call>\n${JSON.stringify({ name: tool, arguments: args })}\n</tool_call>`;
}

function toCall(step: Step): ReturnType<typeof call> {
  return call(step.tool, step.arguments, step.callId);
}
