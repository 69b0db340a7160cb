import type { ModelCall } from "../model/message.ts";
import type { ModelDelta } from "../model/model-function.ts";
import { fingerprint } from "../policy/repeats.ts";

interface Parts {
  id: string;
  name: string;
  readonly arguments: string[];
}

/** Assembles streamed calls. Uses a map, because an index can be any number. */
export class CallParts {
  readonly #parts = new Map<number, Parts>();
  readonly #calls: (() => ModelCall)[] = [];

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  add(call: ModelCall): void {
    this.#calls.push(() => call);
  }

  /** Adds a part; returns the call so far. */
  addPart(delta: ModelDelta & { readonly kind: "call-part" }): { readonly id: string; readonly name: string } {
    const parts = this.#parts.get(delta.index) ?? this.#started(delta.index);
    // Some servers repeat id and name in every part; the first one counts.
    if (parts.id === "" && delta.id !== undefined) parts.id = delta.id;
    if (parts.name === "" && delta.name !== undefined) parts.name = delta.name;
    if (delta.arguments !== undefined) parts.arguments.push(delta.arguments);
    return parts;
  }

  #started(index: number): Parts {
    const parts: Parts = { id: "", name: "", arguments: [] };
    this.#parts.set(index, parts);
    this.#calls.push(() => ({ id: parts.id, name: parts.name, arguments: parts.arguments.join("") }));
    return parts;
  }

  /** The calls in order of appearance, with unique ids. A call that was sent twice under its id counts once. */
  end(newId: () => string): ModelCall[] {
    const used = new Map<string, string>();
    return this.#calls.flatMap((read) => {
      const call = read();
      const identity = fingerprint(call.name, call.arguments);
      const hasId = typeof call.id === "string" && call.id !== "";
      if (hasId && used.get(call.id) === identity) return [];
      const id = hasId && !used.has(call.id) ? call.id : newId();
      used.set(id, identity);
      return id === call.id ? call : { ...call, id };
    });
  }
}
