/** What kind of work a message of the user asks for. */
export function workflowOf(_prompt: string): string | undefined {
  return undefined;
}
