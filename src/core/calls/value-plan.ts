import type { JsonType, SchemaNode } from "../schema/compile.ts";

/** How a value is handled while it arrives, decided by its first character. */
export type ValuePlan =
  /** A string that fits whatever it contains: sent as it arrives. */
  | { readonly kind: "text" }
  /** An object or a list: its parts are handled one by one. */
  | { readonly kind: "container"; readonly schema: SchemaNode }
  /** Held to its end: only the whole value shows whether it fits. */
  | { readonly kind: "hold" };

const HOLD: ValuePlan = { kind: "hold" };
const TEXT: ValuePlan = { kind: "text" };
const MAX_ALTERNATIVES = 32;

export function planFor(schema: SchemaNode, sign: string): ValuePlan {
  const type = TYPE_OF_SIGN[sign];
  // A number or a literal is a few characters long.
  if (type === undefined) return HOLD;
  const alternatives = alternativesOf(schema)?.filter((one) => mayBe(one, type));
  if (alternatives === undefined) return HOLD;
  if (type === "string") return alternatives.some((one) => one.members === undefined) ? TEXT : HOLD;
  const [only, other] = alternatives;
  if (only === undefined || other !== undefined || only.members !== undefined) return HOLD;
  return { kind: "container", schema: only };
}

const TYPE_OF_SIGN: Readonly<Record<string, JsonType>> = { '"': "string", "{": "object", "[": "array" };

function mayBe({ isOpaque, types }: SchemaNode, type: JsonType): boolean {
  return isOpaque || types === undefined || types.has(type);
}

/**
 * The alternatives of a schema, including nested ones. Returns undefined for a schema that combines alternatives with
 * other rules: only a whole value can be compared with it.
 */
function alternativesOf(schema: SchemaNode): readonly SchemaNode[] | undefined {
  const found: SchemaNode[] = [];
  const queue = [schema];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [union, second] = next.unions;
    if (union === undefined || next.isOpaque) found.push(next);
    else if (second !== undefined || hasOwnRules(next)) return undefined;
    else queue.push(...union.alternatives);
    if (found.length + queue.length > MAX_ALTERNATIVES) return undefined;
  }
  return found;
}

function hasOwnRules({ types, members, properties, required, additional }: SchemaNode): boolean {
  return (
    types !== undefined || members !== undefined || properties.size > 0 || required.size > 0 || additional === false
  );
}
