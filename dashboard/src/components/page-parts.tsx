import type { ComponentChildren } from "preact";

/** Title and filters of a page. */
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

/** Shown until the first response arrives. Fades in late, so that a fast response does not flicker. */
export function Waiting() {
  return (
    <div class="waiting" role="status">
      Loading…
    </div>
  );
}
