/** The current turn of an agent. Clients write each content block as a separate line with the same message id. */
export interface Turn {
  readonly message: string;
  /** Id of its first call. */
  readonly first: string;
  readonly calls: number;
  /** Number of its calls without a result. */
  readonly waiting: number;
}

/** Current turns, oldest agent first. */
export type AgentTurns = { readonly [agent: string]: Turn };

const MAX_AGENTS = 256;

/** Adds a call to the turn of its message, or starts this turn with it. */
export function addToTurn(
  turns: AgentTurns,
  agent: string,
  message: string,
  call: string,
): { readonly turns: AgentTurns; readonly turn: Turn; readonly isNew: boolean } {
  const { [agent]: current, ...others } = turns;
  const isNew = current?.message !== message;
  const turn = isNew
    ? { message, first: call, calls: 1, waiting: 1 }
    : { ...current, calls: current.calls + 1, waiting: current.waiting + 1 };
  const entries = Object.entries(others);
  const retained = entries.length < MAX_AGENTS ? others : Object.fromEntries(entries.slice(1));
  return { turns: { ...retained, [agent]: turn }, turn, isNew };
}

/** Counts the result of a call of the turn that began with `first`. */
export function countResult(turns: AgentTurns, agent: string, first: string | undefined): AgentTurns {
  const turn = turns[agent];
  if (turn === undefined || first === undefined || turn.first !== first || turn.waiting === 0) return turns;
  return { ...turns, [agent]: { ...turn, waiting: turn.waiting - 1 } };
}

export function haveAllResults(turns: AgentTurns): boolean {
  return Object.values(turns).every(({ waiting }) => waiting === 0);
}
