import type { ClientProfile } from "./client-profile.ts";
import type { ClientText } from "./client-text.ts";

const FAILED = "Error executing tool ";
const EXITED = "Error (exit code ";

/** Continue reports the exit code of a command only if it wrote to stderr, and no flag at all. */
export const continueCli: ClientProfile = {
  kind: "client-profile",
  name: "continue",
  userAgents: ["continue/", "continuedev/"],
  headers: [],
  systemTexts: ["You are an agent in the Continue CLI"],
  texts: [],
  absentFlag: "absent",
  okFlag: "ok",
  hidesExitStatus: ["shell"],
  unwrap,
  phrases: [
    {
      id: "unread",
      at: "start",
      text: "You must use the Read tool to read ",
      says: "failure",
      category: "precondition",
      phase: "call",
    },
    {
      id: "edit-text",
      at: "start",
      text: "Edit at index ",
      says: "failure",
      category: "precondition",
      phase: "call",
    },
    {
      id: "parameter",
      at: "start",
      text: "Required parameter ",
      says: "failure",
      category: "invalid_arguments",
      phase: "call",
    },
    {
      id: "permission",
      at: "start",
      text: "Permission denied by user",
      says: "failure",
      category: "cancelled",
      phase: "gate",
    },
    {
      id: "policy",
      at: "start",
      text: "Command blocked by security policy",
      says: "failure",
      category: "permission_denied",
      phase: "gate",
    },
    {
      id: "timeout",
      at: "last-lines",
      text: "[Command timed out after ",
      says: "failure",
      category: "timeout",
      phase: "run",
    },
  ],
};

/** `Error executing tool Bash: Error (exit code 3): text`: the exit code becomes a header line, as of other clients. */
function unwrap(text: string): ClientText | undefined {
  if (!text.startsWith(FAILED)) return undefined;
  const name = text.indexOf(": ", FAILED.length);
  const line = text.indexOf("\n");
  if (name === -1 || (line !== -1 && line < name)) return undefined;
  const message = text.slice(name + 2);
  const exit = message.startsWith(EXITED) ? /^\d{1,10}(?=\): ?)/.exec(message.slice(EXITED.length, 40)) : null;
  if (exit === null) return { text: message, isError: true };
  const output = message.slice(EXITED.length + exit[0].length + 2).trimStart();
  return { text: `Exit code ${exit[0]}\n${output}`, isError: true };
}
