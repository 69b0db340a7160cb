import type { Json } from "../../src/core/model/tool-call.ts";
import type { DeclaredTool } from "../../src/core/recover/index.ts";

/** A text in one format and the calls it must give. Written for this repository, after the formats' grammars. */
export interface Fixture {
  readonly format: string;
  readonly text: string;
  readonly calls: readonly (readonly [name: string, args: { readonly [key: string]: Json }])[];
  /** The remaining text; empty by default. */
  readonly content?: string;
}

/** The tools that every fixture is extracted with. */
export const TOOLS: readonly DeclaredTool[] = [
  {
    name: "open_door",
    parameters: {
      type: "object",
      properties: {
        room: { type: "string" },
        times: { type: "integer" },
        quiet: { type: "boolean" },
        keys: { type: "array", items: { type: "string" } },
        plan: { type: "object" },
      },
      required: ["room"],
    },
  },
  {
    name: "count_sheep",
    parameters: { type: "object", properties: { field: { type: "string" }, note: { type: "string" } } },
  },
  { name: "wait" },
  { name: "farm.feed", parameters: { type: "object", properties: { animal: { type: "string" } } } },
];

const HALL = ["open_door", { room: "hall" }] as const;
const TWICE = ["open_door", { room: "hall", times: 2 }] as const;
const SHEEP = ["count_sheep", { field: "north" }] as const;
const M3 = "]<]minimax[>[";

export const FIXTURES: readonly Fixture[] = [
  // JSON in an envelope
  {
    format: "hermes-json",
    text: 'On my way.\n\n<tool_call>\n{"name": "open_door", "arguments": {"room": "hall"}}\n</tool_call>',
    calls: [HALL],
    content: "On my way.",
  },
  {
    format: "hermes-json",
    text: '<tool_call>{"arguments": {"room": "hall", "times": 2}, "name": "open_door"}</tool_call>\n<tool_call>{"name": "wait"}</tool_call>',
    calls: [TWICE, ["wait", {}]],
  },
  {
    format: "hermes-json",
    text: '<tool_call>\n```json\n{"name": "open_door", "parameters": {"room": "hall"}}\n```\n</tool_call>',
    calls: [HALL],
  },
  {
    format: "hermes-json",
    text: '<tool_call id="7">[{"name": "open_door", "arguments": {"room": "hall"}}, {"name": "wait", "arguments": {}}]</tool_calls>',
    calls: [HALL, ["wait", {}]],
  },
  {
    format: "hermes-json",
    text: '<tool_call>{"name": "open_door", "arguments": {"room": "hall"}}<tool_call>',
    calls: [HALL],
  },
  {
    format: "hermes-json",
    text: '<tool_call>{"name": "count_sheep", "arguments": {"note": "ends with </tool_call> here"}}</tool_call>',
    calls: [["count_sheep", { note: "ends with </tool_call> here" }]],
  },
  {
    format: "hermes-json",
    text: "<tool_call>{'name': 'open_door', 'arguments': {'room': 'hall', 'quiet': True}}</tool_call>",
    calls: [["open_door", { room: "hall", quiet: true }]],
  },
  {
    format: "hermes-json",
    text: '<tool_call>{"name": "open_door", "arguments": "{\\"room\\": \\"hall\\"}"}</tool_call>',
    calls: [HALL],
  },
  { format: "tools-tag", text: '<tools>{"name": "open_door", "arguments": {"room": "hall"}}</tools>', calls: [HALL] },
  {
    format: "hunyuan-tool_calls",
    text: '<tool_calls>[{"name": "open_door", "arguments": {"room": "hall"}}, {"name": "wait", "arguments": null}]</tool_calls>',
    calls: [HALL, ["wait", {}]],
  },
  {
    format: "function_call-tag",
    text: '<function_call> {"function": "open_door", "parameters": {"room": "hall"}} <function_call> {"name": "wait"}',
    calls: [HALL, ["wait", {}]],
  },
  {
    format: "function-tag",
    text: '<function>{"tool": "open_door", "arguments": {"room": "hall"}}</function>',
    calls: [HALL],
  },
  { format: "qwen3coder-xml", text: '<function=open_door>{"room": "hall"}</function>', calls: [HALL] },
  {
    format: "solar",
    text: '<|tool_calls|><|tool_call:begin|>c1<|tool_call:name|>open_door<|tool_call:args|>{"room": "hall"}<|tool_call:end|>',
    calls: [HALL],
  },
  {
    format: "plain-tag",
    text: '<response>\n{"name": "open_door", "arguments": {"room": "hall"}}\n</response>',
    calls: [HALL],
  },
  {
    format: "nemotron",
    text: '<TOOLCALL>[{"name": "open_door", "arguments": {"room": "hall"}}]</TOOLCALL>',
    calls: [HALL],
  },
  {
    format: "longcat",
    text: '<longcat_tool_call>{"name": "open_door", "arguments": {"room": "hall"}}</longcat_tool_call>',
    calls: [HALL],
  },
  {
    format: "longcat",
    text: "<longcat_tool_call>open_door<longcat_arg_key>room</longcat_arg_key><longcat_arg_value>hall</longcat_arg_value></longcat_tool_call>",
    calls: [HALL],
  },
  {
    format: "deepseek-v3",
    text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>open_door\n```json\n{"room": "hall"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>wait\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    calls: [HALL, ["wait", {}]],
  },
  {
    format: "deepseek-v3",
    text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>open_door<｜tool▁sep｜>{"room": "hall"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    calls: [HALL],
  },
  {
    format: "kimi-k2",
    text: '<|tool_calls_section_begin|><|tool_call_begin|>functions.open_door:0<|tool_call_argument_begin|>{"room": "hall"}<|tool_call_end|><|tool_calls_section_end|>',
    calls: [HALL],
  },
  {
    format: "kimi-k2",
    text: '<|tool_call_begin|>functions.open_door:0<|tool_call_argument_begin|>{"room": "hall"}<|tool_call_end|>',
    calls: [HALL],
  },
  {
    format: "kimi-k2",
    text: 'On my way. functions.open_door:0{"room": "hall"}functions.wait:1{}',
    calls: [HALL, ["wait", {}]],
    content: "On my way.",
  },
  {
    format: "functioncall",
    text: `<functioncall> {"name": "open_door", "arguments": '{"room": "hall"}'} <|endoftext|>`,
    calls: [HALL],
  },
  {
    format: "doubao",
    text: '<|FunctionCallBegin|>[{"name": "open_door", "parameters": {"room": "hall"}}]<|FunctionCallEnd|>',
    calls: [HALL],
  },
  {
    format: "functionary-v2",
    text: '<|from|>assistant\n<|recipient|>open_door\n<|content|>{"room": "hall"}<|stop|>',
    calls: [HALL],
  },
  {
    format: "mcp-tag",
    text: '<use_mcp_tool>\n<server_name>home</server_name>\n<tool_name>open_door</tool_name>\n<arguments>{"room": "hall"}</arguments>\n</use_mcp_tool>',
    calls: [HALL],
  },
  {
    format: "tool-call-mark",
    text: '[TOOL_CALL]\n{tool => "open_door", args => {\n  --room "hall"\n  --times 2\n}}\n[/TOOL_CALL]',
    calls: [TWICE],
  },
  { format: "gorilla", text: "<<function>>open_door(room='hall', times=2)", calls: [TWICE] },
  { format: "raven", text: "Call: open_door(room='hall', times=2)<bot_end>", calls: [TWICE] },
  { format: "mistral", text: '[TOOL_CALLS] [{"name": "open_door", "arguments": {"room": "hall"}}]', calls: [HALL] },
  {
    format: "mistral",
    text: '[TOOL_CALLS]open_door[CALL_ID]k3x9[ARGS]{"room": "hall"}[TOOL_CALLS]wait[ARGS]{}',
    calls: [HALL, ["wait", {}]],
  },
  {
    format: "lm-studio",
    text: '[TOOL_REQUEST]{"name": "open_door", "arguments": {"room": "hall"}}[END_TOOL_REQUEST]',
    calls: [HALL],
  },
  {
    format: "llama-python-tag",
    text: '<|python_tag|>{"name": "open_door", "parameters": {"room": "hall"}}; {"name": "wait", "parameters": {}}<|eom_id|>',
    calls: [HALL, ["wait", {}]],
  },
  { format: "llama-python-tag", text: '<|python_tag|>open_door.call(room="hall", times=2)', calls: [TWICE] },
  {
    format: "harmony",
    text: '<|channel|>analysis<|message|>The hall it is.<|end|><|start|>assistant<|channel|>commentary to=functions.open_door <|constrain|>json<|message|>{"room": "hall"}<|call|>',
    calls: [HALL],
    content: "<|channel|>analysis<|message|>The hall it is.<|end|>",
  },
  {
    format: "harmony",
    text: '<|start|>assistant to=functions.open_door<|channel|>commentary json<|message|>{"room": "hall"}<|call|>',
    calls: [HALL],
  },
  { format: "harmony", text: 'to=open_door {"room":"hall"}', calls: [HALL] },
  {
    format: "harmony",
    text: 'to=multi_tool_use.parallel json{"tool_uses": [{"recipient_name": "functions.open_door", "parameters": {"room": "hall"}}, {"recipient_name": "functions.wait", "parameters": {}}]}',
    calls: [HALL, ["wait", {}]],
  },
  { format: "harmony", text: 'assistantcommentary to=functions.open_door json{"room": "hall"}', calls: [HALL] },
  {
    format: "cohere",
    text: '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "open_door", "parameters": {"room": "hall"}}]<|END_ACTION|>',
    calls: [HALL],
  },
  { format: "granite", text: '<|tool_call|> [{"name": "open_door", "arguments": {"room": "hall"}}]', calls: [HALL] },
  { format: "phi4", text: 'functools[{"name": "open_door", "arguments": {"room": "hall"}}]', calls: [HALL] },
  {
    format: "internlm",
    text: '<|action_start|><|plugin|>\n{"name": "open_door", "parameters": {"room": "hall"}}<|action_end|>',
    calls: [HALL],
  },
  {
    format: "apertus",
    text: '<|tools_prefix|>[{"open_door": {"room": "hall"}}, {"wait": {}}]<|tools_suffix|>',
    calls: [HALL, ["wait", {}]],
  },
  {
    format: "gigachat",
    text: '<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "open_door", "arguments": {"room": "hall"}}</s>',
    calls: [HALL],
  },
  { format: "gigachat", text: '<|function_call|>{"name": "open_door", "arguments": {"room": "hall"}}', calls: [HALL] },
  {
    format: "inkling",
    text: '<|message_model|>open_door<|content_invoke_tool_json|>{"name": "open_door", "args": {"room": "hall"}}<|end_message|>',
    calls: [HALL],
  },
  { format: "functionary", text: 'open_door\n{"room": "hall"}', calls: [HALL] },
  { format: "functionary", text: '>>>open_door\n{"room": "hall"}', calls: [HALL] },
  { format: "qwen-agent", text: '✿FUNCTION✿: open_door\n✿ARGS✿: {"room": "hall"}', calls: [HALL] },

  // Parameters as markup
  {
    format: "qwen3coder-xml",
    text: "Opening.\n<tool_call>\n<function=open_door>\n<parameter=room>\nhall\n</parameter>\n<parameter=times>\n2\n</parameter>\n</function>\n</tool_call>",
    calls: [TWICE],
    content: "Opening.",
  },
  {
    format: "qwen3coder-xml",
    text: "<function=open_door>\n<parameter=room>hall\n<parameter=times>2</parameter>\n</function>",
    calls: [TWICE],
  },
  {
    format: "qwen3coder-xml",
    text: "<function=count_sheep><parameter=note>\nwrite </parameter> after each value\n</parameter></function>",
    calls: [["count_sheep", { note: "write </parameter> after each value" }]],
  },
  {
    format: "seed-oss",
    text: "<seed:tool_call>\n<function=open_door>\n<parameter=room>hall</parameter>\n</function>\n</seed:tool_call>",
    calls: [HALL],
  },
  {
    format: "glm-xml",
    text: "<tool_call>open_door\n<arg_key>room</arg_key>\n<arg_value>hall</arg_value>\n<arg_key>times</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
    calls: [TWICE],
  },
  { format: "glm-xml", text: "<tool_call>wait</tool_call>", calls: [["wait", {}]] },
  {
    format: "hy-v3",
    text: "<tool_calls>\n<tool_call>open_door<tool_sep>\n<arg_key>room</arg_key>\n<arg_value>hall</arg_value>\n</tool_call>\n</tool_calls>",
    calls: [HALL],
  },
  {
    format: "function-name-attr",
    text: '<function name="open_door"><param name="room"><![CDATA[hall]]></param></function>',
    calls: [HALL],
  },
  {
    format: "function-name-attr",
    text: '<functionname="open_door"><paramname="room">hall</param></function>',
    calls: [HALL],
  },
  {
    format: "anthropic-invoke",
    text: 'Let me look.\n\n<function_calls>\n<invoke name="open_door">\n<parameter name="room">hall</parameter>\n</invoke>\n<invoke name="wait">\n</invoke>\n</function_calls>',
    calls: [HALL, ["wait", {}]],
    content: "Let me look.",
  },
  {
    format: "anthropic-invoke",
    text: prefixed('<IN:invoke name="open_door"><IN:parameter name="room">hall</IN:parameter></IN:invoke>'),
    calls: [HALL],
  },
  {
    format: "anthropic-invoke",
    text: 'Let me run it.\n\ncourt\n<invoke name="open_door">\n<parameter name="room">hall</parameter>\n</invoke>',
    calls: [HALL],
    content: "Let me run it.",
  },
  {
    format: "anthropic-invoke",
    text: '<invoke name="count_sheep"><parameter name="note">black &amp; white &lt;3</parameter></invoke>',
    calls: [["count_sheep", { note: "black & white <3" }]],
  },
  {
    format: "minimax-m2",
    text: '<minimax:tool_call>\n<invoke name="open_door">\n<parameter name="room">hall</parameter>\n</invoke>\n</minimax:tool_call>',
    calls: [HALL],
  },
  {
    format: "minimax-m3",
    text: `${M3}<tool_call>${M3}<invoke name="open_door">${M3}<room>hall${M3}</room>${M3}<keys>${M3}<item>a${M3}</item>${M3}<item>b${M3}</item>${M3}</keys>${M3}</invoke>${M3}</tool_call>`,
    calls: [["open_door", { room: "hall", keys: ["a", "b"] }]],
  },
  {
    format: "dsml",
    text: '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="open_door">\n<｜DSML｜parameter name="room" string="true">hall</｜DSML｜parameter>\n<｜DSML｜parameter name="times" string="false">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    calls: [TWICE],
  },
  {
    format: "dsml",
    text: '< | DSML | function_calls>\n< | DSML | invoke name="open_door">\n< | DSML | parameter name="room" string="true">hall</ | DSML | parameter>\n</ | DSML | invoke>\n</ | DSML | function_calls>',
    calls: [HALL],
  },
  {
    format: "kimi-k3",
    text: '<|open|>tools<|sep|><|open|>call tool="open_door" index="1"<|sep|><|open|>argument key="room" type="string"<|sep|>hall<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    calls: [HALL],
  },
  {
    format: "muse-glimmer",
    text: '<|start|>assistant to=open_door<|message|><atem:function_calls>\n<atem:invoke name="open_door">\n<atem:parameter name="room">hall</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|>',
    calls: [HALL],
  },
  {
    format: "step3",
    text: '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="open_door"><steptml:parameter name="room">hall</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    calls: [HALL],
  },
  { format: "tag-per-tool", text: "<open_door><room>hall</room><times>2</times></open_door>", calls: [TWICE] },
  {
    format: "tag-per-tool",
    text: "<open_door>\nroom: hall\nkeys:\n  - a\n  - b\n</open_door>",
    calls: [["open_door", { room: "hall", keys: ["a", "b"] }]],
  },
  { format: "tag-per-tool", text: "First this.\n<wait/>", calls: [["wait", {}]], content: "First this." },
  { format: "tag-per-tool", text: "open_door\n<room>hall</room>\n<times>2</times>", calls: [TWICE] },

  // Code-like
  { format: "pythonic", text: "[open_door(room='hall', times=2), wait()]", calls: [TWICE, ["wait", {}]] },
  {
    format: "pythonic",
    text: "<|python_start|>[open_door(room='hall', keys=['a', \"b\"])]<|python_end|>",
    calls: [["open_door", { room: "hall", keys: ["a", "b"] }]],
  },
  {
    format: "lfm2",
    text: "<|tool_call_start|>[farm.feed(animal='pig'), count_sheep(note='it\\'s late')]<|tool_call_end|>",
    calls: [
      ["farm.feed", { animal: "pig" }],
      ["count_sheep", { note: "it's late" }],
    ],
  },
  {
    format: "olmo3",
    text: "<function_calls>open_door(room='hall')\nwait()</function_calls>",
    calls: [HALL, ["wait", {}]],
  },
  { format: "tool_code", text: '```tool_code\nopen_door(room="hall", times=2)\n```', calls: [TWICE] },
  { format: "tool_code", text: '```tool_code\ndoor = open_door(room="hall")\nprint(door)\n```', calls: [HALL] },
  {
    format: "gemma4",
    text: "call:default_api:open_door{room:<ctrl46>hall<ctrl46>}<ctrl42>",
    calls: [HALL],
  },
  { format: "gemma4", text: "<ctrl46>call:default_api:open_door{room:<ctrl46>hall<ctrl46>}<ctrl46>", calls: [HALL] },
  { format: "qwen3coder-xml", text: '<function(open_door){"room": "hall"}</function>', calls: [HALL] },
  { format: "qwen3coder-xml", text: '<function=open_door={"room": "hall"}</function>', calls: [HALL] },
  { format: "fenced-call", text: '```tool_call\npython(default_api.open_door(room="hall"))\n```', calls: [HALL] },
  { format: "call-line", text: 'Tool Name: open_door\nTool Input: {"room": "hall"}', calls: [HALL] },
  { format: "react", text: 'Action 1: open_door\nAction Input 1: {"room": "hall"}', calls: [HALL] },
  { format: "bare-json", text: '{"command": "open_door", "arguments": {"room": "hall"}}', calls: [HALL] },
  {
    format: "functiongemma",
    text: "<start_function_call>call:open_door{room:<escape>hall<escape>,times:2}<end_function_call>",
    calls: [TWICE],
  },
  {
    format: "gemma4",
    text: '<|tool_call>call:open_door{room:<|"|>hall<|"|>,plan:{steps:[1,2]}}<tool_call|>',
    calls: [["open_door", { room: "hall", plan: { steps: [1, 2] } }]],
  },
  { format: "gemma4", text: 'call:open_door{room:<|"|>hall<|"|>}', calls: [HALL] },
  { format: "gemma4", text: '<|tool_call>call:open_door(room: "hall", times: 2)<tool_call|>', calls: [TWICE] },

  // No envelope
  {
    format: "react",
    text: 'Thought: open it.\nAction: open_door\nAction Input: {"room": "hall"}\nObservation: it is open.',
    calls: [HALL],
    content: "Thought: open it.\nObservation: it is open.",
  },
  {
    format: "fenced-json",
    text: 'Right away.\n\n```json\n{"name": "open_door", "arguments": {"room": "hall"}}\n```',
    calls: [HALL],
    content: "Right away.",
  },
  {
    format: "bare-json",
    text: '{"name": "open_door", "arguments": {"room": "hall"}}\n{"name": "wait"}',
    calls: [HALL, ["wait", {}]],
  },
  { format: "bare-json", text: '[{"name": "open_door", "arguments": {"room": "hall"}}]', calls: [HALL] },
  {
    format: "bare-json",
    text: 'I will.\n{"content": null, "tool_calls": [{"id": "call_9", "type": "function", "function": {"name": "open_door", "arguments": "{\\"room\\": \\"hall\\"}"}}]}',
    calls: [HALL],
    content: "I will.",
  },

  // Several formats in one message keep their order.
  {
    format: "hermes-json",
    text: '<tool_call>{"name": "wait"}</tool_call>\nAnd then this.\n<function=count_sheep><parameter=field>north</parameter></function>\nSo it is.',
    calls: [["wait", {}], SHEEP],
    content: "And then this.\nSo it is.",
  },

  // A name and its arguments, without an envelope
  { format: "call-line", text: 'open_door[ARGS]{"room": "hall"}', calls: [HALL] },
  {
    format: "call-line",
    text: 'I will open it now.\nopen_door{"room": "hall"}',
    calls: [HALL],
    content: "I will open it now.",
  },
  { format: "call-line", text: 'open_door({"room": "hall", "times": 2})', calls: [TWICE] },
  { format: "call-line", text: 'open_door(room="hall", times=2)', calls: [TWICE] },
  { format: "call-line", text: '[Tool Use: open_door({"room": "hall"})]', calls: [HALL] },
  { format: "call-line", text: '[Called open_door with args: {"room": "hall"}]', calls: [HALL] },
  { format: "call-line", text: '[tool: open_door] {"room": "hall"}', calls: [HALL] },
  { format: "call-line", text: '[Tool Call: open_door]\nArguments: {"room": "hall"}', calls: [HALL] },
  { format: "call-line", text: '[open_door]\n{"room": "hall"}\n[/open_door]', calls: [HALL] },
  { format: "call-line", text: "open_door\n```python\ntool_call(room='hall')\n```", calls: [HALL] },
  { format: "call-line", text: 'Tool call: {"name": "open_door", "arguments": {"room": "hall"}}', calls: [HALL] },
  { format: "call-line", text: '[Tool Call: open_door]\n{"room": "hall"}\n[/Tool Call]', calls: [HALL] },
  { format: "call-line", text: '[tool_call: open_door room="hall" times=2]', calls: [TWICE] },
  { format: "call-line", text: '[function_call] open_door {"room": "hall"} [/function_call]', calls: [HALL] },
  { format: "call-line", text: '[Tool: open_door, Args: {"room": "hall"}]', calls: [HALL] },
  {
    format: "call-line",
    text: '[tool_call]\n{"name": "open_door", "arguments": {"room": "hall"}}\n[/tool_call]',
    calls: [HALL],
  },
  {
    format: "call-line",
    text: 'Calling `open_door` with these arguments:\n\n```json\n{"room": "hall"}\n```',
    calls: [HALL],
  },
  { format: "call-line", text: 'TOOL: open_door\nPARAMS: {"room": "hall"}', calls: [HALL] },
  { format: "react", text: "Action: open_door[hall]", calls: [HALL] },
  {
    format: "react",
    text: '思考：门关着。\nAction: open_door\nAction Input: {"room": "hall"}',
    calls: [HALL],
    content: "思考：门关着。",
  },
  { format: "react", text: '行动: open_door\n行动输入: {"room": "hall"}', calls: [HALL] },
  { format: "yaml", text: "name: open_door\narguments:\n  room: hall\n  times: 2\n", calls: [TWICE] },
  { format: "call-line", text: 'tool: open_door\narguments:\n  room: "hall"\n', calls: [HALL] },
  { format: "fenced-call", text: "```yaml\ntool: open_door\narguments:\n  room: hall\n```", calls: [HALL] },
  { format: "fenced-call", text: "```tool\nopen_door\nroom: hall\n```", calls: [HALL] },
  {
    format: "fenced-call",
    text: "```tool\nTOOL_NAME: open_door\nBEGIN_ARG: room\nhall\nEND_ARG\nBEGIN_ARG: times\n2\nEND_ARG\n```",
    calls: [TWICE],
  },
  {
    format: "hermes-json",
    text: '<tool_call>\n{{"name": "open_door", "arguments": {{"room": "hall", "times": 2}}}}\n</tool_call>',
    calls: [TWICE],
  },
  {
    format: "functioncall",
    text: '<functioncall {"name": "open_door", "arguments": {"room": "hall"}}>',
    calls: [HALL],
  },
  { format: "glm-xml", text: "<tool_call>open_door\nroom: hall\n</tool_call>", calls: [HALL] },
  { format: "glm-xml", text: '<tool_call>open_door room="hall" times=2</tool_call>', calls: [TWICE] },
  { format: "glm-xml", text: '<tool_call>open_door\n```json\n{"room": "hall"}\n```\n</tool_call>', calls: [HALL] },
  {
    format: "glm-xml",
    text: "open_door\n<arg_key>room</arg_key>\n<arg_value>hall</arg_value>\n</tool_call>",
    calls: [HALL],
  },
  {
    format: "deepseek-v3",
    text: 'open_door<｜tool▁sep｜>{"room": "hall"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    calls: [HALL],
  },
  { format: "hy-v3", text: 'open_door<tool_sep>{"room": "hall"}</tool_call>', calls: [HALL] },
  {
    format: "kimi-k2",
    text: 'functions.open_door:0<|tool_call_argument_begin|>{"room": "hall"}<|tool_call_end|>',
    calls: [HALL],
  },
  { format: "mistral", text: 'open_door[CALL_ID]abc123def[ARGS]{"room": "hall"}', calls: [HALL] },
  {
    format: "qwen3coder-xml",
    text: "function=open_door>\n<parameter=room>\nhall\n</parameter>\n</function>\n</tool_call>",
    calls: [HALL],
  },
  {
    format: "kimi-k3",
    text: '<|open|>toolscall tool="open_door" index="1"<|sep|><|open|>argument key="room" type="string"<|sep|>hall<|close|>argument<|sep|><|close|>call<|sep|><|close|>toolsmessage<|sep|>',
    calls: [HALL],
  },
  {
    format: "kimi-k3",
    text: '<|open|>message role="assistant"<|sep|><|open|>tools<|sep|><|open|>call tool="open_door" index="1"<|sep|><|open|>argument key="room" type="string"<|sep|>hall<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>',
    calls: [HALL],
  },
  {
    format: "inkling",
    text: 'I open it.<|end_message|><|message_model|>open_door<|content_invoke_tool_json|>{"name": "open_door", "args": {"room": "hall"}}<|end_message|>',
    calls: [HALL],
    content: "I open it.",
  },
  {
    format: "hermes-json",
    text: '<|im_start|>assistant\n<tool_call>\n{"name": "open_door", "arguments": {"room": "hall"}}\n</tool_call><|im_end|>',
    calls: [HALL],
  },
  { format: "bare-json", text: '{"action": {"name": "open_door", "parameters": {"room": "hall"}}}', calls: [HALL] },
  { format: "bare-json", text: '{"tool": "open_door", "inputs": {"room": "hall"}}', calls: [HALL] },
  { format: "bare-json", text: '{"parameters": {"room": "hall"}, "name": "open_door"}', calls: [HALL] },
  {
    format: "bare-json",
    text: '{"recipient_name": "multi_tool_use.parallel", "parameters": {"tool_uses": [{"recipient_name": "functions.open_door", "parameters": {"room": "hall"}}]}}',
    calls: [HALL],
  },
  {
    format: "mcp-tag",
    text: '<use_tool>\n<tool_name>open_door</tool_name>\n<arguments>{"room": "hall"}</arguments>\n</use_tool>',
    calls: [HALL],
  },
  {
    format: "hermes-json",
    text: '<tool_call>{"name": "open_door", "arguments": {"room": "hall"}}</tool_call>[|endofturn|]',
    calls: [HALL],
  },
  { format: "nemotron", text: '<TOOLCALL>[open_door(room="hall")]</TOOLCALL>', calls: [HALL] },
  {
    format: "minimax-m2",
    text: '<minimax:tool_call>\n<invoke name="open_door">\n<parameter name="room">hall</parameter>\n</invoke>\n</minimax:tool_call>[e~[',
    calls: [HALL],
  },
  { format: "plain-tag", text: '<action name="open_door"><room>hall</room></action>', calls: [HALL] },
  { format: "function-name-attr", text: '<tool_call function="open_door">{"room": "hall"}</tool_call>', calls: [HALL] },
  { format: "tag-per-tool", text: "<open-door>\n<room>hall</room>\n</open-door>", calls: [HALL] },
  {
    format: "bare-json",
    text: '[{"type": "tool_use", "id": "toolu_1", "name": "open_door", "input": {"room": "hall"}}]',
    calls: [HALL],
  },
  {
    format: "escaped",
    text: "&lt;tool_call&gt;\n{&quot;name&quot;: &quot;open_door&quot;, &quot;arguments&quot;: {&quot;room&quot;: &quot;hall&quot;}}\n&lt;/tool_call&gt;",
    calls: [HALL],
  },
  {
    format: "fenced-json",
    text: '```tool_request\n{"name": "open_door", "arguments": {"room": "hall"}}\n```',
    calls: [HALL],
  },
  { format: "tool_code", text: "tool_code\nprint(default_api.open_door(room='hall'))", calls: [HALL] },
  { format: "name-tag", text: '<tool>open_door</tool><tool_input>{"room": "hall"}</tool_input>', calls: [HALL] },
  { format: "name-tag", text: "<tool>open_door</tool>\n<params>\n<room>hall</room>\n</params>", calls: [HALL] },
  { format: "name-tag", text: "<tool>open_door</tool><tool_input>hall</tool_input>", calls: [HALL] },
  {
    format: "fenced-call",
    text: '```xml\n<tool_call>{"name": "open_door", "arguments": {"room": "hall"}}</tool_call>\n```',
    calls: [HALL],
  },
  { format: "fenced-call", text: "```tool_call\nopen_door(room='hall')\n```", calls: [HALL] },
  { format: "fenced-call", text: '```open_door\n{"room": "hall"}\n```', calls: [HALL] },
  {
    format: "escaped",
    text: '{\\"name\\": \\"open_door\\", \\"arguments\\": {\\"room\\": \\"hall\\"}}',
    calls: [HALL],
  },
  {
    format: "escaped",
    text: '\\u003ctool_call\\u003e\\n{\\"name\\": \\"open_door\\", \\"arguments\\": {\\"room\\": \\"hall\\"}}\\n\\u003c/tool_call\\u003e',
    calls: [HALL],
  },
  {
    format: "hermes-json",
    text: '<tool_call>\\n{"name": "open_door", "arguments": {"room": "hall"}}\\n</tool_call>',
    calls: [HALL],
  },
  {
    format: "hermes-json",
    text: '<tool-call>{"name": "open_door", "arguments": {"room": "hall"}}</tool-call>',
    calls: [HALL],
  },
  {
    format: "hermes-json",
    text: "<tool_call>\nname: open_door\narguments:\n  room: hall\n</tool_call>",
    calls: [HALL],
  },
  { format: "glm-xml", text: '<tool_call>open_door room=hall times="2"</tool_call>', calls: [TWICE] },
  {
    format: "lfm2",
    text: "<|tool_call_start|>\n```python\nopen_door(room='hall')\n```\n<|tool_call_end|>",
    calls: [HALL],
  },
  {
    format: "gemma4",
    text: "call:default_api:open_door{room: the hall (left, 2nd), times : 2}",
    calls: [["open_door", { room: "the hall (left, 2nd)", times: 2 }]],
  },
  { format: "bare-json", text: '{"tool_call": "open_door", "parameters": {"room": "hall"}}', calls: [HALL] },
  {
    format: "bare-json",
    text: '{"content": "{\\"name\\": \\"open_door\\", \\"arguments\\": {\\"room\\": \\"hall\\"}}"}',
    calls: [HALL],
  },
  {
    format: "bare-json",
    text: '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "open_door", "arguments": {"room": "hall"}}}',
    calls: [HALL],
  },
  { format: "bare-json", text: '{"jsonrpc": "2.0", "method": "open_door", "params": {"room": "hall"}}', calls: [HALL] },
  {
    format: "bare-json",
    text: '<|im_end|>{"name": "open_door", "arguments": {"room": "hall"}}',
    calls: [HALL],
  },
  {
    format: "hy-v3",
    text: '<tool_calls><tool_call>function<tool_sep>open_door\n```json\n{"room": "hall"}\n```</tool_call></tool_calls>',
    calls: [HALL],
  },
];

/** The namespace is concatenated here, so that tools that interpret such tags can read this file. */
function prefixed(text: string): string {
  return text.replaceAll("IN:", ["ant", "ml:"].join(""));
}
