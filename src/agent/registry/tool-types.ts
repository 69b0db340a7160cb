import type { Tool } from "./define-tool.ts";

/** The names of tools; `string` if they are not known to the compiler. */
export type ToolName<T extends Tool> = T["name"];

/** The value that the tool with this name returns; `unknown` if the compiler does not know the name. */
export type ToolOutput<T extends Tool, Name extends string = ToolName<T>> = string extends Name
  ? unknown
  : Name extends ToolName<T>
    ? NonNullable<Extract<T, { readonly name: Name }>["~types"]>["output"]
    : unknown;

/** The context that all these tools need. */
export type ToolContextOf<T extends Tool> = (
  T extends Tool
    ? (context: NonNullable<T["~types"]>["context"]) => void
    : never
) extends (context: infer Context) => void
  ? Context
  : never;

/** A value after it was converted to JSON, as events contain it. */
export type Serialized<Value> = unknown extends Value
  ? unknown
  : Value extends string | number | boolean | null
    ? Value
    : Value extends undefined
      ? null
      : Value extends { toJSON(): infer Json }
        ? Json
        : Value extends readonly (infer Element)[]
          ? readonly Serialized<Element>[]
          : Value extends object
            ? { readonly [Key in keyof Value]: Serialized<Value[Key]> }
            : unknown;
