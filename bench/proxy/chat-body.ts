import { filler } from "./filler.ts";
import { chatArguments, TOOL } from "./responses.ts";
import { callId, sessionName, type Workload } from "./workload.ts";

/** A small Chat Completions request: one tool, and of the history only the newest call with its result. */
export function chatBody(workload: Workload, session: number, pairs: number, seed: number): Buffer {
  const id = callId(workload, session, pairs - 1);
  const newest = [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name: TOOL, arguments: chatArguments(id) } }],
    },
    { role: "tool", tool_call_id: id, content: `${id} ${filler(workload.resultLength, seed + pairs * 31 + session)}` },
  ];
  return Buffer.from(
    JSON.stringify({
      model: "gpt-bench-1",
      messages: [
        { role: "system", content: filler(160, seed + 1) },
        { role: "user", content: `Session ${sessionName(workload, session)}` },
        ...(pairs > 0 ? newest : []),
      ],
      tools: [
        {
          type: "function",
          function: {
            name: TOOL,
            description: filler(120, seed + 2),
            parameters: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
          },
        },
      ],
    }),
  );
}
