import { describe, expect, it } from "vitest";
import * as agent from "../../src/agent/index.ts";
import * as testing from "../../src/agent/testing/index.ts";
import * as view from "../../src/agent/view/index.ts";

// The public names of the package. Adding one is safe; removing or renaming one breaks users.
describe("public names of the agent entry points", () => {
  it("toolmend/agent exports these names and types", () => {
    expect(Object.keys(agent).toSorted()).toEqual(
      [
        "FAILURE_KINDS",
        "PROVIDER_CATEGORIES",
        "SSE_HEADERS",
        "STOP_REASONS",
        "ToolError",
        "UnknownToolError",
        "appendToolResult",
        "causeOf",
        "createConversationView",
        "createRunLog",
        "createSanitizer",
        "createToolRegistry",
        "createToolView",
        "defineTool",
        "fromSSE",
        "memoryLedger",
        "policies",
        "providerError",
        "readMessages",
        "readReturnedError",
        "rebuildConversation",
        "repairHistory",
        "runToolLoop",
        "suggestNames",
        "systemClock",
        "toSSE",
        "uniqueToolResultsByCallId",
      ].toSorted(),
    );
  });

  it("toolmend/view and toolmend/agent/testing export these names", () => {
    expect(Object.keys(view).toSorted()).toEqual([
      "appendToolResult",
      "createConversationView",
      "createToolView",
      "fromSSE",
      "rebuildConversation",
      "uniqueToolResultsByCallId",
    ]);
    expect(Object.keys(testing).toSorted()).toEqual(["collectRun", "createTestClock", "scriptedModel"]);
  });

  it("failure kinds, stop reasons and policies have these values", () => {
    expect(agent.FAILURE_KINDS).toEqual([
      "unknown_tool",
      "malformed_arguments",
      "missing_parameter",
      "invalid_arguments",
      "execution",
      "timeout",
      "aborted",
      "circuit_open",
      "repeated",
      "limit",
      "denied",
    ]);
    expect(agent.STOP_REASONS).toEqual([
      "answer",
      "clarify",
      "missing-parameter",
      "permanent-failure",
      "failed-rounds",
      "repeated-call",
      "round-limit",
      "model-call-limit",
      "token-limit",
      "cost-limit",
      "approval",
      "deadline",
      "aborted",
      "model-error",
      "refusal",
      "truncated",
      "internal-error",
    ]);
    expect(Object.keys(agent.policies)).toEqual(["balanced", "voyage", "strict"]);
    const { maxRounds, maxFailedRounds, maxModelCalls } = agent.policies.balanced;
    expect([maxRounds, maxFailedRounds, maxModelCalls]).toEqual([10, 3, 20]);
  });
});
