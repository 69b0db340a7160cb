import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Memory of a process, in bytes. */
export interface Memory {
  /** After garbage collection. */
  readonly heap: number;
  readonly resident: number;
  /** Memory that V8 manages outside its heap. */
  readonly external: number;
}

/** Handler that measures the memory of this process. */
export function memoryHandlers(): { readonly memory: () => Memory } {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  return {
    memory() {
      // Twice: the second collection frees what the first one finalized.
      collect();
      collect();
      const { heapUsed, rss, external } = process.memoryUsage();
      return { heap: heapUsed, resident: rss, external };
    },
  };
}
