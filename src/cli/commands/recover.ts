import { hasFields, isArray, isOneOf } from "../../core/model/narrow.ts";
import { collect } from "../../core/recover/extract.ts";
import { createLeakScanner, extractToolCalls } from "../../core/recover/index.ts";
import type { ContextText, DeclaredTool, RecoverMode, RecoverOptions } from "../../core/recover/types.ts";
import { reasonText } from "../../core/repair/index.ts";
import { pluralize } from "../format.ts";
import { answerLines, put, type TextIo, terminalJson, texts } from "../json-lines.ts";
import { oneLineText } from "../table.ts";

export interface RecoverCommandOptions {
  /** One JSON object per line: `{id?, text, tools?, context?}`, the context as strings or `{role, text}`. */
  readonly jsonl?: boolean;
  /** Whether the result is written for people instead of programs. */
  readonly asText?: boolean;
  readonly mode?: RecoverMode;
  readonly tools?: readonly DeclaredTool[];
}

/**
 * `toolmend recover`: reads text and writes `{content, toolCalls, matches}`, or the same for people; with `jsonl`, one
 * output line per input line. Returns the exit code: 1 if a line could not be parsed.
 *
 * @example
 * process.exitCode = await recoverCommand({ jsonl: true }, process);
 */
export async function recoverCommand(options: RecoverCommandOptions, io: TextIo): Promise<number> {
  return options.jsonl === true ? recoverLines(options, io) : recoverText(options, io);
}

async function recoverText(options: RecoverCommandOptions, io: TextIo): Promise<number> {
  const scanner = createLeakScanner(recoverOptions(options));
  const events = [];
  for await (const chunk of texts(io.stdin)) events.push(...scanner.push(chunk));
  events.push(...scanner.end());
  const found = collect(events);
  await put(io, options.asText === true ? asText(found, options.tools !== undefined) : `${terminalJson(found)}\n`);
  return 0;
}

/** Rejected candidates follow the calls, with the reason for each. */
function asText({ content, toolCalls, matches }: ReturnType<typeof collect>, hasTools: boolean): string {
  const calls = toolCalls.map(({ name, arguments: args, format, repairs, known }) => {
    const repaired = repairs.length === 0 ? "" : `, repaired: ${repairs.join(", ")}`;
    const undeclared = hasTools && !known ? "    not a declared tool: the server repairs it only in mode any\n" : "";
    return `  ${oneLineText(`${name} ${JSON.stringify(args)}`)}\n    format ${format}${repaired}\n${undeclared}`;
  });
  const unchecked =
    !hasTools && calls.length > 0
      ? "  No tools are declared, so no name was checked; --tools NAMES declares them.\n"
      : "";
  const left = matches.flatMap((match) =>
    match.kind === "rejected" ? [`  left as text: ${reasonText(match.reason)} (${match.format})\n`] : [],
  );
  const head = calls.length === 0 ? "No calls found.\n" : `${pluralize(calls.length, "call")}:\n`;
  // Line breaks are kept; characters that a terminal interprets are escaped.
  const text = content.split("\n").map(oneLineText).join("\n").trim();
  return `${head}${calls.join("")}${unchecked}${left.join("")}${text === "" ? "" : `Text:\n  ${text.replaceAll("\n", "\n  ")}\n`}`;
}

function recoverLines(options: RecoverCommandOptions, io: TextIo): Promise<number> {
  return answerLines(io, "recover", ({ text, tools, context }) => {
    if (typeof text !== "string") return { kind: "problem", problem: "is not an object with a text" };
    const read = readContext(context);
    if (read.problem !== undefined) return { kind: "problem", problem: read.problem };
    const declared = isArray(tools) ? { tools: tools.flatMap(declaredTool) } : {};
    return { kind: "answer", fields: extractToolCalls(text, recoverOptions({ ...options, ...declared, ...read })) };
  });
}

interface ReadContext {
  readonly context?: readonly (string | ContextText)[];
  /** The problem of the line. */
  readonly problem?: string;
}

/** Texts the model was given: strings, which count as tool results, or texts with a role. */
function readContext(context: unknown): ReadContext {
  if (context === undefined || context === null) return {};
  if (!Array.isArray(context)) return { problem: "has a context that is not a list" };
  for (const [at, one] of context.entries()) {
    if (typeof one === "string") continue;
    const { role, text } = hasFields(one) ? one : {};
    if (typeof text !== "string")
      return { problem: `has a context whose item ${at} is neither a string nor an object with a text` };
    if (!isOneOf(ROLES, role))
      return {
        problem: `has a context whose item ${at} has the role ${JSON.stringify(role)}; use ${ROLES.join(", ")}`,
      };
  }
  return { context };
}

const ROLES: readonly ContextText["role"][] = ["user", "system", "assistant", "tool"];

function recoverOptions(options: RecoverCommandOptions & Pick<RecoverOptions, "context">): RecoverOptions {
  return {
    ...(options.mode === undefined ? {} : { mode: options.mode }),
    ...(options.tools === undefined ? {} : { tools: options.tools }),
    ...(options.context === undefined ? {} : { context: options.context }),
  };
}

/** Accepts a declaration or a tool name. */
function declaredTool(tool: unknown): readonly DeclaredTool[] {
  if (typeof tool === "string") return [{ name: tool }];
  // The scanner validates the declaration.
  return typeof tool === "object" && tool !== null ? [tool as DeclaredTool] : [];
}
