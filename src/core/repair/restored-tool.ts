import type { ClientTool } from "./types.ts";

type Restore = <T>(value: T) => T;

/**
 * A declared tool whose strings are true. Nearly all of a tool list is schemas: none is restored before somebody asks for it. A class,
 * because an object that is written down with a getter gets a shape of its own, which holds on to all that the getter names until the next full
 * collection.
 */
export class RestoredTool implements ClientTool {
  readonly name: string;
  readonly wireName: string | undefined;
  readonly namespace: string | undefined;
  readonly custom: true | undefined;
  readonly #description: string | undefined;
  readonly #raw: unknown;
  readonly #restore: Restore;
  #schema: unknown;

  constructor({ name, description, wireName, namespace, custom, parameters }: ClientTool, restore: Restore) {
    this.name = restore(name);
    this.wireName = restore(wireName);
    this.namespace = restore(namespace);
    this.custom = custom;
    this.#description = description;
    this.#raw = parameters;
    this.#restore = restore;
  }

  get description(): string | undefined {
    return this.#restore(this.#description);
  }

  get parameters(): unknown {
    this.#schema ??= this.#restore(this.#raw);
    return this.#schema;
  }
}
