/** One call of `read` with `{"path": "a.txt"}`, as models of several families leak it. */
export const LEAKS = {
  hermes: '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>',
  qwen: "<tool_call>\n<function=read>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>",
  mistral: '[TOOL_CALLS][{"name": "read", "arguments": {"path": "a.txt"}}]',
  kimi: '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path": "a.txt"}<|tool_call_end|><|tool_calls_section_end|>',
  invoke:
    '<function_calls>\n<invoke name="read">\n<parameter name="path">a.txt</parameter>\n</invoke>\n</function_calls>',
} as const;
