import type { ComponentChildren } from "preact";

/** Names over their values, in a row. */
export function AggregateDeltas({ figures }: { readonly figures: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
