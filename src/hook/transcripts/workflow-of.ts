import { classifyWorkflow } from "../../core/score/workflow/classify-workflow.ts";

/** What kind of work a message of the user asks for. The words themselves are not kept. */
export function workflowOf(prompt: string): string {
  return classifyWorkflow(prompt).workflow;
}
