import type { ParsedRequest } from "./parsed-request.ts";
import type { Turn } from "./turn.ts";

/** Says what the model answers. It is asked only about requests that keep the provider's rules. */
export type Script = (request: ParsedRequest) => Turn | Promise<Turn>;

/** One turn after the other. A request beyond the last gets 500, which says so. */
export function inOrder(...turns: readonly Turn[]): Script {
  return ({ nth }) => {
    const turn = turns[nth];
    if (turn === undefined) throw new Error(`there is no turn for request ${nth}; the script has ${turns.length}`);
    return turn;
  };
}
