import type { ModelCall } from "../model/message.ts";
import type { ModelDelta } from "../model/model-function.ts";

interface Parts {
  id: string;
  name: string;
  readonly arguments: string[];
}

/** Puts streamed calls together. By a map: an index is only a name, and may be any number. */
export class CallParts {
  readonly #parts = new Map<number, Parts>();
  readonly #calls: (() => ModelCall)[] = [];

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  whole(call: ModelCall): void {
    this.#calls.push(() => call);
  }

  part(delta: ModelDelta & { readonly kind: "call-part" }): void {
    const parts = this.#parts.get(delta.index) ?? this.#started(delta.index);
    // Some servers repeat id and name in every piece: the first counts.
    if (parts.id === "" && delta.id !== undefined) parts.id = delta.id;
    if (parts.name === "" && delta.name !== undefined) parts.name = delta.name;
    if (delta.arguments !== undefined) parts.arguments.push(delta.arguments);
  }

  #started(index: number): Parts {
    const parts: Parts = { id: "", name: "", arguments: [] };
    this.#parts.set(index, parts);
    this.#calls.push(() => ({ id: parts.id, name: parts.name, arguments: parts.arguments.join("") }));
    return parts;
  }

  /** The calls in order of appearance; each with an id that no other of them has. */
  end(newId: () => string): ModelCall[] {
    const given = new Set<string>();
    return this.#calls.map((read) => {
      const call = read();
      const id = typeof call.id === "string" && call.id !== "" && !given.has(call.id) ? call.id : newId();
      given.add(id);
      return id === call.id ? call : { ...call, id };
    });
  }
}
