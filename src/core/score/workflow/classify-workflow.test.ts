import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type LabelledPrompt, WORKFLOW_PROMPTS } from "../../../../test/fixtures/workflow-prompts.ts";
import { THIRD_WORKFLOW_PROMPTS } from "../../../../test/fixtures/workflow-prompts-third.ts";
import { UNSEEN_WORKFLOW_PROMPTS } from "../../../../test/fixtures/workflow-prompts-unseen.ts";
import { classifyWorkflow } from "./classify-workflow.ts";
import { WORKFLOWS } from "./workflow.ts";

const isRight = ({ workflow, prompt }: LabelledPrompt): boolean => classifyWorkflow(prompt).workflow === workflow;
const share = (prompts: readonly LabelledPrompt[]): number => prompts.filter(isRight).length / prompts.length;

describe("the accuracy of the workflow", () => {
  it("reaches 80 % on the prompts that were labelled before the rules were written, and learned from since", () => {
    expect(WORKFLOW_PROMPTS.length).toBeGreaterThanOrEqual(150);
    expect(share(WORKFLOW_PROMPTS)).toBeGreaterThanOrEqual(0.8);
  });

  it.each(WORKFLOWS)("reaches 80 % on prompts labelled %s", (workflow) => {
    expect(share(WORKFLOW_PROMPTS.filter((one) => one.workflow === workflow))).toBeGreaterThanOrEqual(0.8);
  });

  it("reaches 80 % on the prompts added later, which it has learned from too", () => {
    expect(share([...UNSEEN_WORKFLOW_PROMPTS, ...THIRD_WORKFLOW_PROMPTS])).toBeGreaterThanOrEqual(0.8);
  });

  it("equals the numbers in docs/workflow.md", () => {
    const page = readFileSync(new URL("../../../../docs/workflow.md", import.meta.url), "utf8");
    for (const workflow of WORKFLOWS) {
      const labelled = WORKFLOW_PROMPTS.filter((one) => one.workflow === workflow);
      const given = WORKFLOW_PROMPTS.filter(({ prompt }) => classifyWorkflow(prompt).workflow === workflow).length;
      const right = labelled.filter(isRight).length;
      expect(page).toContain(`| \`${workflow}\` | ${labelled.length} | ${right} | ${given} |`);
    }
  });
});

describe("a workflow match", () => {
  it("contains the rule with the highest weight", () => {
    expect(classifyWorkflow("Fix the crash when the cart is empty")).toEqual({
      workflow: "bug_fix",
      rule: "lead:fix",
      confidence: 0.99,
    });
    expect(classifyWorkflow("please write unit tests for it").rule).toBe("mention:unit tests");
    expect(classifyWorkflow("修复登录页面").rule).toBe("part:修复");
  });

  it.each(["", "   \n", "yes", "ok, go on", "2", "👍"])("reports other for %j, which contains no request", (prompt) => {
    expect(classifyWorkflow(prompt).workflow).toBe("other");
  });

  it("reports words if no rule contains them but their learned weights decide", () => {
    expect(classifyWorkflow("renew the certificates")).toMatchObject({ workflow: "ops", rule: "words" });
  });

  it("reports other if neither a rule nor a learned word matches", () => {
    expect(classifyWorkflow("lorem ipsum dolor sit amet")).toEqual({
      workflow: "other",
      rule: "none",
      confidence: 0.3,
    });
  });

  it("reports a higher confidence for explicit words than for a hint", () => {
    const [plain, hint] = ["refactor the parser", "the list and the map"].map(
      (one) => classifyWorkflow(one).confidence,
    );
    expect(plain).toBeGreaterThan(0.8);
    expect(hint).toBeLessThan(0.5);
  });
});

describe("the request of a prompt", () => {
  it.each([
    ["what happens, without a verb that orders anything", "upload bar just sits at 99 percent", "bug_fix"],
    ["a contraction without its apostrophe", "export dialog doesnt open on linux", "bug_fix"],
    ["an order after a question", "why is the badge green? please correct it", "bug_fix"],
    ["what is made, not what it is for", "write a changelog entry for the deadlock in the crash handler", "docs"],
    ["a thing that is named after work", "give the bug tracker page a search field", "feature"],
    ["a request that ends with thanks", "add a column for the invoice number. thank you", "feature"],
    ["Russian", "исправь ошибку при входе", "bug_fix"],
    ["Japanese", "ログイン画面にボタンを追加してください", "feature"],
  ])("the request of a prompt is found in %s", (_, prompt, workflow) => {
    expect(classifyWorkflow(prompt).workflow).toBe(workflow);
  });
});

describe("text that does not count", () => {
  it("includes the segments of a path", () => {
    expect(classifyWorkflow("add a button to src/fix/bug/crash/error.tsx").workflow).toBe("feature");
  });

  it("includes pasted code", () => {
    const code = "```\n// fix the bug, fix the crash, broken error\n```";
    expect(classifyWorkflow(`Explain this\n\n${code}`).workflow).toBe("exploration");
  });

  it("includes negated words", () => {
    expect(classifyWorkflow("write a test for it, don't fix it yet").workflow).toBe("test");
  });

  it("includes the middle of a long paste", () => {
    const long = (size: number): string => `Review this:\n\n${"fix the bug\n".repeat(size)}${"\n".repeat(600)}`;
    expect(classifyWorkflow(long(10_000))).toEqual(classifyWorkflow(long(100_000)));
  });
});
