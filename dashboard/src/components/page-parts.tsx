import type { ComponentChildren } from "preact";

/** The head of a page: what it is about, and what narrows it. */
export function PageHead({
  title,
  children,
}: {
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="page-head">
      <h2 class="page-title">{title}</h2>
      {children}
    </div>
  );
}

/** Until the first answer is there. Fades in late, so that a quick answer does not flicker. */
export function Waiting() {
  return (
    <div class="waiting" role="status">
      Loading…
    </div>
  );
}
