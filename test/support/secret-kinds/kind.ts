import type { Maker } from "./maker.ts";

/** A generated secret: its text, and the parts that must not survive redaction. */
export interface GeneratedSecret {
  readonly text: string;
  readonly secrets: readonly string[];
}

/**
 * - `token`: recognizable by its own shape; placed where nothing around it indicates a secret.
 * - `named`: recognizable only by the name it is given; each placement writes name and value in its own syntax.
 * - `line`: a command or a line with a secret at a known position.
 * - `block`: several lines, usually the content of a file.
 */
export type SecretKind =
  | { readonly kind: "token"; readonly title: string; readonly make: (maker: Maker) => GeneratedSecret }
  | { readonly kind: "named"; readonly title: string; readonly name: string; readonly make: (maker: Maker) => string }
  | { readonly kind: "line"; readonly title: string; readonly make: (maker: Maker) => GeneratedSecret }
  | { readonly kind: "block"; readonly title: string; readonly make: (maker: Maker) => GeneratedSecret };

/** A token written as a public prefix and random parts: `token("x", (m) => ["ghp_", m.word(36)])`; even places are public. */
export function token(title: string, parts: (maker: Maker) => readonly string[]): SecretKind {
  return { kind: "token", title, make: (maker) => toSecret(parts(maker)) };
}

export function named(name: string, make: (maker: Maker) => string, title = name): SecretKind {
  return { kind: "named", title, name, make };
}

/** Like `token`: the texts at even places are public, those at odd places are secret. */
export function line(title: string, parts: (maker: Maker) => readonly string[]): SecretKind {
  return { kind: "line", title, make: (maker) => toSecret(parts(maker)) };
}

export function block(title: string, parts: (maker: Maker) => readonly string[]): SecretKind {
  return { kind: "block", title, make: (maker) => toSecret(parts(maker)) };
}

function toSecret(parts: readonly string[]): GeneratedSecret {
  return { text: parts.join(""), secrets: parts.filter((part, index) => index % 2 === 1 && part !== "") };
}
