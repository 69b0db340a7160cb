import { createRequire } from "node:module";

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly kind: string;
  readonly enum?: readonly string[];
}
interface Operation {
  readonly key: string;
  readonly deprecated?: boolean;
  readonly parameters: readonly { readonly location: string; readonly name: string }[];
  readonly requestBody?: { readonly contentType: string; readonly fields: readonly Field[] };
}

const require = createRequire(import.meta.url);
const { latest } = require("langfuse-cli/dist/contracts/catalog.json") as { latest: string };
const { operations } = require(`langfuse-cli/dist/contracts/${latest}.json`) as { operations: readonly Operation[] };

/** Lists why Langfuse's published API would reject a request; empty when it is valid. */
export function contractProblems(key: string, body: Readonly<Record<string, unknown>>): readonly string[] {
  const operation = operations.find((one) => one.key === key);
  if (operation?.requestBody === undefined) return [`there is no ${key}`];
  const { fields } = operation.requestBody;
  const known = new Set(fields.map(({ name }) => name));
  return [
    ...(operation.deprecated ? [`${key} is deprecated`] : []),
    ...Object.keys(body).flatMap((name) => (known.has(name) ? [] : [`${name} is not a field`])),
    ...fields.flatMap((field) => fieldProblems(field, body[field.name])),
    ...(key === "POST /api/public/scores" ? valueProblems(body) : []),
  ];
}

/** Lists why Langfuse's published API would reject a request without a body. */
export function queryProblems(method: string, path: string): readonly string[] {
  const parts = path.split("/");
  const fits = ({ key }: Operation): boolean => {
    const keyParts = key.split(" ");
    const names = keyParts[1]?.split("/") ?? [];
    return (
      keyParts[0] === method &&
      names.length === parts.length &&
      names.every((name, at) => name.startsWith("{") || name === parts[at])
    );
  };
  const operation = operations.find(fits);
  if (operation === undefined) return [`there is no ${method} ${path}`];
  return operation.deprecated ? [`${operation.key} is deprecated`] : [];
}

/** The query parameters that an endpoint accepts. */
export function queryParameters(key: string): ReadonlySet<string> {
  const parameters = operations.find((one) => one.key === key)?.parameters ?? [];
  return new Set(parameters.filter(({ location }) => location === "query").map(({ name }) => name));
}

function fieldProblems({ name, required, kind, enum: values }: Field, value: unknown): string[] {
  if (value === undefined) return required ? [`${name} is missing`] : [];
  if (kind === "string" && typeof value !== "string") return [`${name} is not a string`];
  if (kind === "array" && !Array.isArray(value)) return [`${name} is not a list`];
  if (values !== undefined && !values.includes(value as string)) return [`${name} is not one of ${values.join(", ")}`];
  return [];
}

/** Rules that the contract states only in prose. */
function valueProblems({
  dataType,
  value,
  traceId,
  sessionId,
  observationId,
  environment,
}: Record<string, unknown>): string[] {
  const problems: string[] = [];
  if (dataType === "BOOLEAN" && value !== 0 && value !== 1) problems.push("a boolean score is 0 or 1");
  if ((dataType === "NUMERIC" || dataType === undefined) && typeof value !== "number")
    problems.push("a numeric score is a number");
  if (dataType === "CATEGORICAL" && typeof value !== "string") problems.push("a categorical score is a string");
  if ((traceId === undefined) === (sessionId === undefined)) problems.push("a score is about a trace or a session");
  if (observationId !== undefined && traceId === undefined) problems.push("an observation has a trace");
  if (environment !== undefined && !/^(?!langfuse)[a-z0-9_-]+$/.test(String(environment)))
    problems.push("environment is not valid");
  return problems;
}
