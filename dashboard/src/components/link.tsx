import type { ComponentChildren } from "preact";
import type { PageName, Query } from "../route.ts";
import { addressOf, visit } from "../state.ts";

interface LinkProps {
  readonly page: PageName;
  readonly query?: Query;
  /** Marks the link that opens a row: j and k move between these. */
  readonly row?: boolean;
  readonly class?: string;
  readonly label?: string;
  readonly current?: boolean;
  /** Number of calls that the linked list contains, for links to the list of calls. */
  readonly calls?: number;
  readonly children: ComponentChildren;
}

/** A real link, so that it can be opened in a new tab; a plain click navigates within the page. */
export function Link({ page, query = {}, row = false, class: name, label, current, calls, children }: LinkProps) {
  const href = addressOf(page, query);
  return (
    <a
      href={href}
      class={name}
      aria-label={label}
      aria-current={current === true ? "page" : undefined}
      data-row={row ? "" : undefined}
      data-calls={calls}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        visit(href);
      }}
    >
      {children}
    </a>
  );
}
