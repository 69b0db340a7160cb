import type { Query } from "../route.ts";
import { Link } from "./link.tsx";

/** A failure category. Category names are fixed, so they need no escaping of control characters. */
export function Category({ name }: { readonly name: string | null }) {
  return name === null || name === "" ? (
    <span class="faint">–</span>
  ) : (
    <code class="chip">
      <span class={`swatch of-${name}`} aria-hidden="true" />
      {name}
    </code>
  );
}

/** A category that links to its errors. */
export function CategoryLink({ name, of = {} }: { readonly name: string | null; readonly of?: Query }) {
  if (name === null || name === "") return <Category name={name} />;
  return (
    <Link page="errors" query={{ category: name, ...of }} class="plain">
      <Category name={name} />
    </Link>
  );
}
