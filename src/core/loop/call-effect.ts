import { commandOf, programsOf, showsStoredText } from "../detect/call/shell-command.ts";
import { actionOf } from "../detect/call/tool-action.ts";
import { toolKind } from "../detect/call/tool-kind.ts";
import { hasFields } from "../model/narrow.ts";
import type { CallEffect } from "./loop-signal.ts";

/** Words in names of tools that wait for something or check whether it is done. */
const WAITS = /(?:^|[^a-z])(?:wait|sleep|poll|status|progress|stdin|bashoutput|output)(?:$|[^a-z])/;
const WAITING_PROGRAMS = new Set(
  "sleep wait tail watch timeout squeue sacct qstat bjobs ps pgrep jobs top uptime nvidia-smi".split(" "),
);
/** Commands that check the progress of a job, a deployment or a service. */
const WAITING_COMMAND =
  /(?:^|[;&|]\s{0,8})(?:sudo )?(?:kubectl|oc|docker|podman|gh|glab|systemctl|service|aws|gcloud|az|helm|heroku|fly|vercel)\s[^;&|\n]{0,80}?\b(?:status|ps|get|view|list|describe|watch|logs?|inspect)\b/;
/** First words of tools that only read. A name without one of these may change something. */
const LOOKS =
  /^(?:get|list|search|find|check|show|read|view|fetch|query|lookup|look|describe|display|is|has|can|count|info|inspect|calculate|compute|estimate|compare|retrieve|verify|validate|grep|glob|ls|cat|think|open|browse|scroll|snapshot|screenshot)(?:$|[^a-z])/;

/**
 * The effect of a call. An unknown tool counts as changing something, so that repeats of other calls do not count as a
 * loop.
 */
export function effectOf(name: string, args: unknown): CallEffect {
  const value = typeof args === "string" ? parsed(args) : args;
  const words = lastWords(name);
  if (isWait(words, value)) return "waits";
  switch (toolKind(name, value)) {
    case "shell":
      return shellEffect(value);
    case "read":
    case "search":
      return "reads";
    default:
      return LOOKS.test(words) && actionOf(name) === undefined ? "reads" : "changes";
  }
}

function shellEffect(args: unknown): CallEffect {
  const command = commandOf(args);
  if (command === undefined) return "changes";
  if (command.trim() === "" || WAITING_COMMAND.test(command.slice(0, 600))) return "waits";
  if (programsOf(command).some((program) => WAITING_PROGRAMS.has(program))) return "waits";
  return showsStoredText(command) && !WRITES.test(command) ? "reads" : "changes";
}

/** Programs that display text can change files too: `sed -i`, `cat > file`, `tee`. */
const WRITES = />|\bsed\b[^|;&]{0,200}\s-[a-z]{0,8}i|\btee\b|-delete\b|-exec\b/;

function isWait(words: string, args: unknown): boolean {
  if (!WAITS.test(words)) return false;
  // Text sent to a process is work; an empty text only reads its output.
  if (!words.includes("stdin") || !hasFields(args)) return true;
  const { chars, input, text } = args;
  return (chars ?? input ?? text ?? "") === "";
}

/** The words of a name's last segment, in lower case: `mcp__shop__getOrder` is `get order`. */
function lastWords(name: string): string {
  const last =
    name
      .slice(0, 200)
      .split(/__|[./:]/)
      .findLast((part) => part !== "") ?? name;
  return last.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
