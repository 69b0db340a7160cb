import * as conventions from "@opentelemetry/semantic-conventions/incubating";

interface Span {
  readonly name?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

const valuesOf = (prefix: string): ReadonlySet<string> =>
  new Set(
    Object.entries(conventions).flatMap(([name, value]) =>
      name.startsWith(prefix) && typeof value === "string" ? [value] : [],
    ),
  );
const ATTRIBUTES = valuesOf("ATTR_");
const OPERATIONS = valuesOf("GEN_AI_OPERATION_NAME_VALUE_");

/** Renamed or removed; the package still lists them. */
const OBSOLETE = new Set([
  ...["gen_ai.system", "gen_ai.prompt", "gen_ai.completion"],
  ...["gen_ai.usage.prompt_tokens", "gen_ai.usage.completion_tokens"],
]);

/** Attributes that each operation must have, from the model of the GenAI conventions. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  chat: ["gen_ai.provider.name"],
  invoke_agent: ["gen_ai.provider.name"],
  execute_tool: ["gen_ai.tool.name"],
};

/** Lists why spans do not follow the GenAI conventions; empty when they do. Attributes of other namespaces are free. */
export function conventionProblems(spans: readonly Span[]): readonly string[] {
  return spans.flatMap(({ name = "", attributes }) => {
    const values = new Map(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
    const operation = String(values.get("gen_ai.operation.name"));
    const keys = [...values.keys()].filter((key) => /^(?:gen_ai|error|session)\./.test(key));
    return [
      ...(OPERATIONS.has(operation) ? [] : [`the operation ${operation} does not exist`]),
      ...keys.filter((key) => !ATTRIBUTES.has(key)).map((key) => `${key} does not exist`),
      ...keys.filter((key) => OBSOLETE.has(key)).map((key) => `${key} is obsolete`),
      ...(REQUIRED[operation] ?? []).filter((key) => !values.has(key)).map((key) => `${key} is missing`),
      ...(name.startsWith(operation) ? [] : [`the name does not start with ${operation}`]),
    ].map((problem) => `${name}: ${problem}`);
  });
}
