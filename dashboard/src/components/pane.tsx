import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { show } from "../state.ts";

interface PaneProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Side pane with the details of the row selected in the URL. */
export function Pane({ title, children }: PaneProps) {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    pane.current?.scrollTo(0, 0);
  }, [title]);
  return (
    <aside class="pane" ref={pane} aria-label={title}>
      <header class="pane-head">
        <h2>
          <bdi>{title}</bdi>
        </h2>
        <button type="button" class="quiet" aria-label="Close (Esc)" onClick={() => show({ open: "" })}>
          ✕
        </button>
      </header>
      {children}
    </aside>
  );
}

/** Names and values; unknown values are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren | null])[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
