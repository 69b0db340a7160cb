import type { FormatRow } from "./row.ts";

/** JSON, markup and everything between: what a general call tag may hold. */
const ANY = ["json", "nested", "name-element", "named", "pythonic"] as const;

/** Every format that is recognised, strongest evidence first where two share an opener. */
export const FORMATS: readonly FormatRow[] = [
  // JSON in an envelope
  {
    format: "hermes-json",
    openers: ["<tool_call>", '<tool_call id="x">', "<tool_code>", "<tool_use>"],
    closers: ["</tool_call>", "</tool_code>", "</tool_use>"],
    payloads: ["json", "nested", "name-element", "pythonic", "braces"],
    strength: "strong",
  },
  { format: "glm-xml", openers: ["<tool_call>"], closers: ["</tool_call>"], payloads: ["named"], strength: "strong" },
  { format: "tools-tag", openers: ["<tools>"], closers: ["</tools>"], payloads: ["json", "nested"], strength: "strong" },
  { format: "hunyuan-tool_calls", openers: ["<tool_calls>"], closers: ["</tool_calls>"], payloads: ["json", "nested", "name-element", "pythonic"], strength: "strong" },
  { format: "function_call-tag", openers: ["<function_call>"], closers: ["</function_call>"], payloads: ANY, strength: "strong" },
  { format: "function-tag", openers: ["<function>"], closers: ["</function>"], payloads: ["json", "nested", "name-element"], strength: "strong" },
  { format: "longcat", openers: ["<longcat_tool_call>"], closers: ["</longcat_tool_call>"], payloads: ["json", "nested", "named"], strength: "strong", outer: true },
  { format: "deepseek-v3", openers: ["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"], closers: ["<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"], payloads: ["nested", "json", "headed"], strength: "strong" },
  {
    format: "kimi-k2",
    openers: ["<|tool_calls_section_begin|>", "<|tool_call_section_begin|>"],
    closers: ["<|tool_call_end|>", "<|tool_calls_section_end|>", "<|tool_call_section_end|>"],
    payloads: ["nested", "headed"],
    strength: "strong",
    outer: true,
  },
  { format: "mistral", openers: ["[TOOL_CALLS]"], closers: ["[/TOOL_CALLS]", "</s>"], payloads: ["json", "headed"], strength: "strong" },
  { format: "lm-studio", openers: ["[TOOL_REQUEST]"], closers: ["[END_TOOL_REQUEST]"], payloads: ["json"], strength: "strong" },
  { format: "llama-python-tag", openers: ["<|python_tag|>"], closers: ["<|eom_id|>", "<|eot_id|>"], payloads: ["json", "pythonic"], strength: "strong" },
  { format: "harmony", openers: ["<|channel|>", "<|start|>"], closers: ["<|call|>", "<|end|>", "<|eom|>", "<|eot|>"], payloads: ["recipient"], strength: "strong" },
  {
    format: "harmony",
    openers: ["assistantcommentary to=", "commentary to=functions.", "to=functions."],
    closers: ["<|call|>"],
    payloads: ["recipient"],
    strength: "named",
    bare: true,
  },
  { format: "cohere", openers: ["<|START_ACTION|>"], closers: ["<|END_ACTION|>", "<|END_OF_TURN_TOKEN|>"], payloads: ["json"], strength: "strong" },
  { format: "granite", openers: ["<|tool_call|>"], closers: ["<|end_of_text|>", "<|/tool_call|>"], payloads: ["json", "pythonic"], strength: "strong" },
  { format: "phi4", openers: ["functools"], closers: [], payloads: ["json"], strength: "strong" },
  { format: "internlm", openers: ["<|action_start|>", "<|plugin|>"], closers: ["<|action_end|>"], payloads: ["json", "nested"], strength: "strong" },
  { format: "apertus", openers: ["<|tools_prefix|>"], closers: ["<|tools_suffix|>"], payloads: ["keyed-json"], strength: "strong" },
  { format: "gigachat", openers: ["<|function_call|>", "<|role_sep|>"], closers: ["<|message_sep|>", "</s>"], payloads: ["json"], strength: "strong" },
  { format: "gigachat", openers: ["<|message_sep|>"], closers: ["<|message_sep|>", "</s>"], payloads: ["word-nested"], strength: "strong" },
  { format: "inkling", openers: ["<|content_invoke_tool_json|>"], closers: ["<|end_message|>"], payloads: ["json"], strength: "strong" },
  { format: "inkling", openers: ["<|message_model|>"], closers: ["<|end_message|>"], payloads: ["word-nested"], strength: "strong" },
  { format: "functionary", openers: [">>>"], closers: [], payloads: ["functionary"], strength: "named", anchor: "line" },
  { format: "qwen-agent", openers: ["✿FUNCTION✿:", "✿FUNCTION✿"], closers: ["✿RETURN✿"], payloads: ["react"], strength: "named" },
  {
    format: "solar",
    openers: ["<|tool_calls|>", "<|tool_call:begin|>"],
    closers: ["<|tool_call:end|>"],
    payloads: ["nested", "headed"],
    strength: "strong",
  },
  // Tags that say little: a declared name must say the rest.
  { format: "plain-tag", openers: ["<response>", "<json>", "<xml>", "<tool>", "<action>", "<call>"], closers: ["</response>", "</json>", "</xml>", "</tool>", "</action>", "</call>"], payloads: ["json"], strength: "named" },
  { format: "nemotron", openers: ["<TOOLCALL>"], closers: ["</TOOLCALL>"], payloads: ["json"], strength: "strong" },

  // Parameters as markup
  { format: "qwen3coder-xml", openers: ["<function=f>", "<call=f>", "<tool=f>", "<invoke=f>"], closers: ["</function>", "</call>", "</tool>", "</invoke>"], payloads: ["markup"], strength: "strong" },
  { format: "seed-oss", openers: ["<seed:tool_call>"], closers: ["</seed:tool_call>"], payloads: ["nested", "json"], strength: "strong", outer: true },
  { format: "function-name-attr", openers: ['<function name="f">', '<tool name="f">', '<tool_call name="f">', '<function_call name="f">'], closers: ["</function>", "</tool>"], payloads: ["markup"], strength: "strong" },
  { format: "anthropic-invoke", openers: ["<function_calls>", "<dots_function_call>"], closers: ["</function_calls>", "</dots_function_call>"], payloads: ["nested", "json"], strength: "strong" },
  { format: "anthropic-invoke", openers: ['<invoke name="f">', "<invoke>"], closers: ["</invoke>"], payloads: ["markup", "name-element"], strength: "strong", entities: true },
  { format: "minimax-m2", openers: ["<minimax:tool_call>"], closers: ["</minimax:tool_call>"], payloads: ["nested", "json"], strength: "strong", outer: true },
  { format: "minimax-m3", openers: ["]<]minimax[>[<tool_call>"], closers: ["]<]minimax[>[</tool_call>"], payloads: ["nested"], strength: "strong", outer: true },
  { format: "dsml", openers: ["<｜DSML｜tool_calls>", "<｜DSML｜function_calls>"], closers: ["</｜DSML｜tool_calls>", "</｜DSML｜function_calls>"], payloads: ["nested"], strength: "strong" },
  { format: "dsml", openers: ['<｜DSML｜invoke name="f">'], closers: ["</｜DSML｜invoke>"], payloads: ["markup"], strength: "strong" },
  { format: "kimi-k3", openers: ["<|open|>tools<|sep|>"], closers: ["<|close|>tools<|sep|>"], payloads: ["nested"], strength: "strong", outer: true },
  { format: "kimi-k3", openers: ['<|open|>call tool="f"<|sep|>'], closers: ["<|close|>call<|sep|>"], payloads: ["markup"], strength: "strong" },
  { format: "muse-glimmer", openers: ["<atem:function_calls>"], closers: ["</atem:function_calls>", "<|eom|>", "<|eot|>"], payloads: ["nested"], strength: "strong", outer: true },
  { format: "step3", openers: ['<steptml:invoke name="f">'], closers: ["</steptml:invoke>", "<｜tool_call_end｜>", "<｜tool_calls_end｜>"], payloads: ["markup"], strength: "strong", outer: true },

  // Code-like
  { format: "pythonic", openers: ["<|python_start|>"], closers: ["<|python_end|>"], payloads: ["pythonic", "json"], strength: "strong" },
  { format: "lfm2", openers: ["<|tool_call_start|>"], closers: ["<|tool_call_end|>"], payloads: ["pythonic", "json"], strength: "strong" },
  { format: "olmo3", openers: ["<function_calls>"], closers: ["</function_calls>"], payloads: ["pythonic"], strength: "strong" },
  { format: "tool_code", openers: ["```tool_code"], closers: ["```"], payloads: ["pythonic"], strength: "weak", anchor: "line", last: true },
  { format: "functiongemma", openers: ["<start_function_call>"], closers: ["<end_function_call>"], payloads: ["braces"], strength: "strong" },
  { format: "gemma4", openers: ["<|tool_call>"], closers: ["<tool_call|>"], payloads: ["braces", "json"], strength: "strong" },
  { format: "gemma4", openers: ["call:"], closers: ["<tool_call|>", "<end_function_call>"], payloads: ["braces"], strength: "named", anchor: "line", bare: true },

  // No envelope
  { format: "react", openers: ["Action:"], closers: [], payloads: ["react", "weak-json"], strength: "weak", anchor: "line" },
  {
    format: "fenced-json",
    openers: ["```json", "```tool_call", "```tool_calls", "```tool_use", "```tool", "```function_call", "```\n"],
    closers: ["```"],
    payloads: ["weak-json"],
    strength: "weak",
    anchor: "line",
    last: true,
  },
  { format: "pythonic", openers: ["["], closers: [], payloads: ["weak-pythonic"], strength: "weak", anchor: "line", bare: true },
  { format: "bare-json", openers: ["{", "["], closers: ["</tool_call>", "</s>"], payloads: ["weak-json"], strength: "weak", anchor: "line", bare: true },
];
