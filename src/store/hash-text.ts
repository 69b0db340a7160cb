import { hash } from "node:crypto";

/** The hash under every id we compute. */
export function hashText(text: string): string {
  return hash("sha256", text, "hex");
}
