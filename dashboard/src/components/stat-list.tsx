import type { ComponentChildren } from "preact";

/** A row of labeled values. */
export function StatList({ figures: stats }: { readonly figures: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="figures">
      {stats.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
