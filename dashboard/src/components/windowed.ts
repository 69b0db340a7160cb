import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

const ALL_UP_TO = 80;
const MARGIN = 15;
const GUESSED_HEIGHT = 28;

interface Windowed {
  readonly body: RefObject<HTMLTableSectionElement | null>;
  readonly from: number;
  readonly to: number;
  readonly above: number;
  readonly below: number;
}

/** Which rows of a long table are near the viewport. Only these are rendered, with empty space for the others. */
export function useWindowed(count: number): Windowed {
  const body = useRef<HTMLTableSectionElement>(null);
  const height = useRef(GUESSED_HEIGHT);
  const part = useSignal({ from: 0, to: ALL_UP_TO });
  useEffect(() => {
    if (count <= ALL_UP_TO) return;
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const table = body.current;
      if (table === null) return;
      const row = table.querySelector("tr:not(.space)");
      if (row !== null) height.current = row.getBoundingClientRect().height || GUESSED_HEIGHT;
      const { top } = table.getBoundingClientRect();
      const first = Math.floor(-top / height.current);
      const from = Math.max(0, first - MARGIN - (((first % 10) + 10) % 10));
      const to = from + Math.ceil(innerHeight / height.current) + 2 * MARGIN + 20;
      if (from !== part.peek().from || to !== part.peek().to) part.value = { from, to };
    };
    const soon = (): void => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon);
    soon();
    return () => {
      removeEventListener("scroll", soon);
      removeEventListener("resize", soon);
      cancelAnimationFrame(frame);
    };
  }, [count, part]);
  if (count <= ALL_UP_TO) return { body, from: 0, to: count, above: 0, below: 0 };
  const from = Math.min(part.value.from, Math.max(0, count - ALL_UP_TO));
  const to = Math.min(count, Math.max(part.value.to, from + 1));
  return { body, from, to, above: from * height.current, below: (count - to) * height.current };
}
