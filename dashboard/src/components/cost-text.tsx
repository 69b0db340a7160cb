import type { Cost } from "../../../src/api/prices.ts";
import { amount } from "../format.ts";

/** An amount, `>` if some tokens have no price. */
export function CostText({ cost }: { readonly cost: Cost | null | undefined }) {
  if (cost === null || cost === undefined) return <span class="faint">–</span>;
  return (
    <span title={cost.is_partial ? "Without the tokens of models that have no price" : "By the configured prices"}>
      {cost.is_partial && ">"}
      {amount(cost.amount)}
    </span>
  );
}
