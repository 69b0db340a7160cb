import { hash } from "node:crypto";

/** The hash of all computed ids. */
export function hashText(text: string): string {
  return hash("sha256", text, "hex");
}
