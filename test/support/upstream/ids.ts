import { createHash } from "node:crypto";

/** What an id is for; its prefix on the wire depends on it. */
type IdKind =
  | "toolu"
  | "call"
  | "mistral-call"
  | "msg"
  | "chatcmpl"
  | "resp"
  | "fc"
  | "ctc"
  | "rs"
  | "req"
  | "signature";

/** The next id of a kind. */
export type IdSource = (kind: IdKind) => string;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Ids in the providers' formats that are the same in every run with the same seed. */
export function createIds(seed = "upstream"): IdSource {
  const counts = new Map<IdKind, number>();
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const letters = lettersOf(`${seed}/${kind}/${count}`);
    switch (kind) {
      case "mistral-call":
        return letters.slice(0, 9);
      case "signature":
        return letters;
      case "toolu":
      case "req":
        return `${kind}_01${letters.slice(0, 22)}`;
      case "chatcmpl":
        return `chatcmpl-${letters.slice(0, 29)}`;
      default:
        return `${kind}_${letters.slice(0, 24)}`;
    }
  };
}

function lettersOf(text: string): string {
  return Array.from(createHash("sha256").update(text).digest(), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
