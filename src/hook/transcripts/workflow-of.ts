import { classifyWorkflow } from "../../core/score/workflow/classify-workflow.ts";

/** Classifies the workflow of a user message. The text itself is not stored. */
export function workflowOf(prompt: string): string {
  return classifyWorkflow(prompt).workflow;
}
