import type { ComponentChildren } from "preact";

interface ScrollableProps {
  readonly label: string;
  readonly class: string;
  readonly onScroll?: (top: number) => void;
  readonly children: ComponentChildren;
}

/** A scrollable area that is reachable by keyboard. */
export function Scrollable({ label, class: name, onScroll, children }: ScrollableProps) {
  return (
    <section
      class={name}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
      tabIndex={0}
      onScroll={(event) => onScroll?.(event.currentTarget.scrollTop)}
    >
      {children}
    </section>
  );
}
