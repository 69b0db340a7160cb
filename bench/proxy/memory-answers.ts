import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What a process holds, in bytes. */
export interface Memory {
  /** After everything that can go is gone. */
  readonly heap: number;
  readonly resident: number;
  /** Memory that V8 manages outside its heap. */
  readonly external: number;
}

/** The question how much memory this process holds. */
export function memoryAnswers(): { readonly memory: () => Memory } {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  return {
    memory() {
      // Twice: what the first round finalises, the second frees.
      collect();
      collect();
      const { heapUsed, rss, external } = process.memoryUsage();
      return { heap: heapUsed, resident: rss, external };
    },
  };
}
