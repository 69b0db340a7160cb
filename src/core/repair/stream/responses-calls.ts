import { callItem } from "../json/responses-json.ts";
import type { MendedCall } from "../types.ts";

/** The events of one call, as the API sends them; numbers are given when they leave. */
export function callEvents(
  call: MendedCall,
  itemId: string,
  outputIndex: number,
): readonly Readonly<Record<string, unknown>>[] {
  const place = { output_index: outputIndex };
  const [type, field] =
    call.custom === true
      ? ["response.custom_tool_call_input", "input"]
      : ["response.function_call_arguments", "arguments"];
  return [
    { type: "response.output_item.added", ...place, item: JSON.parse(callItem(call, itemId, "added")) },
    { type: `${type}.delta`, item_id: itemId, ...place, delta: call.arguments },
    { type: `${type}.done`, item_id: itemId, ...place, name: call.name, [field]: call.arguments },
    { type: "response.output_item.done", ...place, item: JSON.parse(callItem(call, itemId)) },
  ];
}
