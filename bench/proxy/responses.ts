import { filler } from "./filler.ts";

/** Responses of the scripted upstream: always one call, with the id that the request specifies. */
export const TOOL = "Edit";

const FIXED_ARGUMENTS = {
  old_string: filler(180, 11).replace(/[^ -~]/g, " "),
  new_string: filler(220, 12).replace(/[^ -~]/g, " "),
  replace_all: false,
};

/** The arguments of a call: they appear in the response that makes it and in every later history. */
export function argumentsOf(callId: string): Readonly<Record<string, unknown>> {
  return { file_path: `/home/dev/project/src/${callId}.ts`, ...FIXED_ARGUMENTS };
}

const DELTAS = 45;

/** The 50 events of a streamed Messages response. Everything that does not depend on the call is built once. */
export function createEventWriter(): (callId: string, requestBytes: number) => readonly Buffer[] {
  const rest = JSON.stringify(FIXED_ARGUMENTS).slice(1);
  const size = Math.ceil(rest.length / (DELTAS - 1));
  const deltas = Array.from({ length: DELTAS - 1 }, (_, at) => delta(rest.slice(at * size, (at + 1) * size)));
  const end = [
    event("content_block_stop", { index: 0 }),
    event("message_delta", { delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 164 } }),
    event("message_stop", {}),
  ];
  return (callId, requestBytes) => [
    event("message_start", {
      message: {
        id: `msg_${callId}`,
        type: "message",
        role: "assistant",
        model: "claude-bench-1",
        content: [],
        stop_reason: null,
        // The response contains the request's size, so a correct response also proves a request of the right length.
        usage: { input_tokens: requestBytes, output_tokens: 1 },
      },
    }),
    event("content_block_start", { index: 0, content_block: { type: "tool_use", id: callId, name: TOOL, input: {} } }),
    delta(`{"file_path":${JSON.stringify(argumentsOf(callId).file_path)},`),
    ...deltas,
    ...end,
  ];
}

/** A Chat Completions response as a JSON body. */
export function chatResponse(callId: string, requestBytes: number): Buffer {
  const call = { id: callId, type: "function", function: { name: TOOL, arguments: chatArguments(callId) } };
  return Buffer.from(
    JSON.stringify({
      id: `chatcmpl-${callId}`,
      object: "chat.completion",
      created: 1_750_000_000,
      model: "gpt-bench-1",
      choices: [
        { index: 0, message: { role: "assistant", content: null, tool_calls: [call] }, finish_reason: "tool_calls" },
      ],
      usage: { prompt_tokens: requestBytes, completion_tokens: 20, total_tokens: requestBytes + 20 },
    }),
  );
}

export function chatArguments(callId: string): string {
  return JSON.stringify({ file_path: argumentsOf(callId).file_path });
}

function delta(text: string): Buffer {
  return event("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: text } });
}

function event(type: string, fields: object): Buffer {
  return Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
}
