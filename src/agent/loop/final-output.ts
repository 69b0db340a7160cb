import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "../model/model-function.ts";
import { resultText } from "../outcome/result-text.ts";
import { readText } from "../registry/arguments.ts";
import { describeSchema } from "../registry/define-tool.ts";

export type ReadOutput =
  | { readonly kind: "valid"; readonly value: unknown }
  | { readonly kind: "invalid"; readonly problems: string };

const MAX_PROBLEMS = 10;

/** Reads the final answer as a value of a schema. */
export class FinalOutput {
  readonly #schema: StandardSchemaV1;
  readonly #jsonSchema: JsonSchema;

  /** Throws if the schema has no JSON Schema to send to the model. */
  constructor(schema: StandardSchemaV1, jsonSchema?: JsonSchema) {
    this.#schema = schema;
    this.#jsonSchema = jsonSchema ?? describeSchema("output", schema, "outputSchema");
  }

  /** Tells the model what the answer must look like. */
  get instruction(): string {
    return `Your final answer must be JSON that matches this JSON Schema, without any other text: ${resultText(this.#jsonSchema)}`;
  }

  async read(answer: string): Promise<ReadOutput> {
    const read = await readText(withoutFence(answer.trim()));
    if (read.kind === "malformed") return { kind: "invalid", problems: `- it is not JSON: ${read.why}` };
    const result = await this.#schema["~standard"].validate(read.value);
    if (result.issues === undefined) return { kind: "valid", value: result.value };
    const problems = Array.from(result.issues)
      .slice(0, MAX_PROBLEMS)
      .map(({ path, message }) => `- ${pathOf(path)}: ${message.slice(0, 300)}`);
    return { kind: "invalid", problems: problems.join("\n") };
  }
}

/** Models often put JSON into a code block. */
function withoutFence(text: string): string {
  if (!text.startsWith("```") || !text.endsWith("```")) return text;
  const start = text.indexOf("\n");
  return start === -1 ? text : text.slice(start + 1, -3).trim();
}

function pathOf(path: StandardSchemaV1.Issue["path"]): string {
  const keys = Array.from(path ?? [], (part) => (typeof part === "object" && part !== null ? part.key : part));
  return keys.length === 0 ? "the answer" : keys.map(String).join(".");
}
