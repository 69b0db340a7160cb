import type { ParsedRequest } from "./parsed-request.ts";
import type { Turn } from "./turn.ts";

/** Chooses the model's turn. Called only for requests that pass the provider's rules. */
export type Script = (request: ParsedRequest) => Turn | Promise<Turn>;

/** One turn after the other. A request beyond the last gets a 500 with an explanation. */
export function inOrder(...turns: readonly Turn[]): Script {
  return ({ nth }) => {
    const turn = turns[nth];
    if (turn === undefined) throw new Error(`no turn for request ${nth}; the script has ${turns.length} turns`);
    return turn;
  };
}
