/** Descriptions of faults, by class, for people. */
const FAULT_TEXT: Readonly<Record<string, string>> = {
  "json-as-text": "sends lists or objects as text",
  "number-as-text": "sends numbers as text",
  "boolean-as-text": "sends booleans as text",
  "text-as-number": "sends numbers where text is declared",
  "null-for-optional": "sends null for optional parameters",
  "single-item": "sends single values where lists are declared",
  "comma-list": "sends lists as text with commas",
  "enum-spelling": "spells enum members differently",
  "typed-value": "wraps values in their types",
  "key-spelling": "spells parameters differently",
  wrapper: "wraps the arguments in another object",
  empty: "sends no arguments",
  "double-encoded": "encodes the arguments twice",
  "empty-object-first": "sends an empty object before the arguments",
  repeated: "sends the arguments twice",
  "trailing-text": "sends text after the arguments",
  fence: "puts the arguments into a code fence",
  syntax: "sends arguments that are not JSON",
  name: "spells tool names differently",
  index: "sends wrong call indexes",
  id: "sends no id, or one id twice",
  type: "leaves out the type of calls",
  "repeated-header": "repeats name or id in every event",
  "split-name": "sends tool names in parts",
  "arguments-as-object": "sends arguments as an object instead of text",
  cumulative: "repeats earlier arguments in every event",
  "missing-event": "leaves out events",
  "input-place": "sends arguments at the start of the block",
  "stop-reason": "reports a wrong stop reason with calls",
};

/** Faults of the server's tool parser: the model's text was correct, or could have been parsed correctly. */
const PARSER_FAULTS: ReadonlySet<string> = new Set([
  ...["json-as-text", "number-as-text", "boolean-as-text", "double-encoded", "trailing-text", "syntax", "repeated"],
  ...["empty-object-first", "cumulative", "index", "id", "type", "repeated-header", "split-name", "missing-event"],
  ...["arguments-as-object", "input-place", "stop-reason"],
]);

/** The text for a class of faults. Classes of newer versions are returned as they are. */
export function faultText(fault: string): string {
  return Object.hasOwn(FAULT_TEXT, fault) ? (FAULT_TEXT[fault] ?? fault) : `has faults of class ${fault}`;
}

/** Advice for fixing a fault at its source. */
export function faultAdvice(fault: string): string {
  return PARSER_FAULTS.has(fault)
    ? "Its tool parser is the likely cause. Try the parser of this model (vLLM: --tool-call-parser, llama.cpp: --jinja) or a newer version of the server; see docs/native-calls.md."
    : "The model does this. A clearer schema or description of the parameter may help; see docs/native-calls.md.";
}
