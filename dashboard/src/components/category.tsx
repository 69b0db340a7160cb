/** A kind of failure; the names are ours and need no guard. */
export function Category({ name }: { readonly name: string | null }) {
  return name === null || name === "" ? <span class="faint">–</span> : <code class="chip">{name}</code>;
}
