import type { ComponentChildren } from "preact";
import { Glyph } from "../../components/glyph.tsx";
import { TextBlock } from "../../components/text-block.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";

export interface RepairExampleProps {
  readonly isRepaired: boolean;
  /** Why it was not repaired. */
  readonly reason: string;
  readonly at: string;
  readonly before: string | null;
  readonly after: { readonly title: string; readonly text: string } | undefined;
  /** The name of the item in the list. */
  readonly children: ComponentChildren;
}

/** A list item with the text of a model, and the repaired call. */
export function RepairExample({ isRepaired, reason, at, before, after, children }: RepairExampleProps) {
  return (
    <li class="example">
      <p class="example-head">
        <Glyph tone={isRepaired ? "ok" : "warn"} label={isRepaired ? "repaired" : "not repaired"} /> {children}{" "}
        {!isRepaired && <span class="faint">not repaired: {reason} ·</span>}{" "}
        <span class="faint">
          <TimeAgo at={Date.parse(at)} />
        </span>
      </p>
      <div class="before-after">
        {before === null ? (
          <p class="faint">The model's text is not stored.</p>
        ) : (
          <TextBlock title="Model output" text={before} />
        )}
        {after !== undefined && <TextBlock {...after} />}
      </div>
    </li>
  );
}
