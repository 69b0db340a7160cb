import { type ContentPart, partsText } from "../model/content-part.ts";
import { type LimitedText, limitText, resultText } from "../outcome/result-text.ts";
import type { Tool } from "./define-tool.ts";

/** A result as the model receives it. */
export interface ModelResult {
  readonly modelText: string;
  readonly modelParts?: readonly ContentPart[];
}

/** Formats a tool's value for the model, and limits its text. Images and files are kept. */
export function modelResult(
  tool: Pick<Tool, "toModel">,
  value: unknown,
  maxBytes: number,
): ModelResult & Pick<LimitedText, "cut"> {
  const formatted = tool.toModel?.(value) ?? resultText(value);
  if (typeof formatted === "string") {
    const { text, cut } = limitText(formatted, maxBytes);
    return { modelText: text, ...(cut !== undefined && { cut }) };
  }
  const { text, cut } = limitText(partsText(formatted), maxBytes);
  const others = formatted.filter(({ kind }) => kind === "image" || kind === "file");
  const modelParts = cut === undefined ? formatted : [{ kind: "text", text } as const, ...others];
  return {
    modelText: text,
    ...(others.length > 0 && { modelParts }),
    ...(cut !== undefined && { cut }),
  };
}
