import type { ComponentChildren } from "preact";

interface ScrollableProps {
  readonly label: string;
  readonly class: string;
  readonly onScroll?: (top: number) => void;
  readonly children: ComponentChildren;
}

/** What scrolls by itself must be reachable by keyboard. */
export function Scrollable({ label, class: name, onScroll, children }: ScrollableProps) {
  return (
    <section
      class={name}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      onScroll={(event) => onScroll?.(event.currentTarget.scrollTop)}
    >
      {children}
    </section>
  );
}
