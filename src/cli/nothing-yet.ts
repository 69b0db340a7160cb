/** What a newcomer is told in the place of an empty table. */
export const NO_CALLS_MESSAGE =
  "No tool calls recorded yet. `toolmend env` shows how to point a client here; `toolmend demo` shows it with made-up data.\n";
