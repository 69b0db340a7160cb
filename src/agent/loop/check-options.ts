import {
  abortSignal,
  anything,
  type Checks,
  callback,
  checkOptions as checkNames,
  either,
  flag,
  functions,
  notNegative,
  object,
  recordOf,
  withMethods,
} from "../check-options.ts";
import { readMessages } from "../history/read-messages.ts";
import type { Message } from "../model/message.ts";
import { checkedPolicy } from "../policy/check-policy.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import { FinalOutput } from "./final-output.ts";
import type { LoopOptions, Prices } from "./loop-options.ts";

/** Options whose values were checked. */
export interface CheckedOptions extends LoopOptions {
  readonly policy: FailurePolicy;
  readonly messages: readonly Message[];
  readonly finalOutput?: FinalOutput;
}

const CHECKS: Checks<keyof LoopOptions> = {
  registry: withMethods("created by createToolRegistry()", "call", "definitions"),
  model: { ...callback, expected: "a function; see ModelFunction" },
  messages: anything,
  policy: anything,
  onMessage: callback,
  signal: abortSignal,
  context: anything,
  recover: either("true, false or an object", flag, object),
  secondChance: flag,
  ledger: withMethods("an object with get() and set()", "get", "set"),
  runId: { expected: "a text that is not empty", isValid: (value) => typeof value === "string" && value !== "" },
  fallbackModels: functions,
  prepareStep: callback,
  approvals: recordOf(
    "an object with true, false or { reason } for call ids",
    (value) => typeof value === "boolean" || typeof Object(value).reason === "string",
  ),
  output: {
    expected: "a Standard Schema, such as z.object({ … })",
    isValid: (value) => "~standard" in Object(value),
  },
  outputSchema: object,
  prices: object,
};
const PRICE_CHECKS: Checks<keyof Prices> = { input: notNegative, output: notNegative, cached: notNegative };

/** Throws for options that would otherwise fail, or have no effect, in the middle of a conversation. */
export function checkOptions(options: LoopOptions): CheckedOptions {
  const { messages, policy, output, outputSchema, prices } = options;
  checkNames("", options, CHECKS, "", ["registry", "model"]);
  if (prices !== undefined) checkNames("", prices, PRICE_CHECKS, "prices", ["input", "output"]);
  const checked = checkedPolicy(policy);
  if (checked.maxCost !== undefined && prices === undefined)
    throw new TypeError("policy.maxCost needs the option 'prices': without prices, no cost is known.");
  return {
    ...options,
    policy: checked,
    messages: readMessages(messages),
    ...(output !== undefined && { finalOutput: new FinalOutput(output, outputSchema) }),
  };
}
