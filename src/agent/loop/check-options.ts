import { readMessages } from "../history/read-messages.ts";
import type { Message } from "../model/message.ts";
import { checkedPolicy } from "../policy/check-policy.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import { FinalOutput } from "./final-output.ts";
import type { LoopOptions } from "./loop-options.ts";

/** Options whose values were checked. */
export interface CheckedOptions extends LoopOptions {
  readonly policy: FailurePolicy;
  readonly messages: readonly Message[];
  readonly finalOutput?: FinalOutput;
}

/** Throws for options that would otherwise fail, or have no effect, in the middle of a conversation. */
export function checkOptions(options: LoopOptions): CheckedOptions {
  const { registry, model, messages, policy, output, outputSchema } = options;
  if (typeof registry?.call !== "function" || typeof registry.definitions !== "function") {
    throw new TypeError("registry must be created by createToolRegistry().");
  }
  if (typeof model !== "function") throw new TypeError("model must be a function; see ModelFunction.");
  if (output !== undefined && !("~standard" in Object(output))) {
    throw new TypeError("output must be a Standard Schema, such as z.object({ … }).");
  }
  return {
    ...options,
    policy: checkedPolicy(policy),
    messages: readMessages(messages),
    ...(output !== undefined && { finalOutput: new FinalOutput(output, outputSchema) }),
  };
}
