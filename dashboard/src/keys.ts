import { signal } from "@preact/signals";
import { MENU } from "./route.ts";
import { addressOf, place, show, visit } from "./state.ts";

/** Whether the keyboard help is open. */
export const helpOpen = signal(false);

/** Whether the command palette is open. */
export const paletteOpen = signal(false);

export const KEYS = [
  ["⌘K, Ctrl K", "go to a page, tool, model, error or session"],
  ["j / k", "next and previous row"],
  ["Enter", "open the row"],
  ["/", "focus the filter"],
  ["Esc", "close, or clear the filter"],
  ["1 … 8", "go to a page, in menu order"],
  ["?", "this list"],
] as const;

export function startKeys(): void {
  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "k" && !event.altKey && !event.shiftKey) {
      paletteOpen.value = !paletteOpen.peek();
      event.preventDefault();
      return;
    }
    if (paletteOpen.peek()) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const isTyping = isTextField(event.target);
    if (event.key === "Escape") close(isTyping ? (event.target as HTMLElement) : undefined);
    else if (!isTyping && press(event.key)) event.preventDefault();
  });
}

/** The element of a row that handles its own clicks. */
const OWN_CLICK = "a, button, input, select, label, summary";

/** A click anywhere in a row opens it, with the keys that open a new tab too. */
export function startRowClicks(): void {
  addEventListener("click", (event) => {
    const target = event.target as Element;
    if (event.defaultPrevented || target.closest(OWN_CLICK) !== null || getSelection()?.isCollapsed === false) return;
    const opener = target.closest("tbody tr, .tail-row")?.querySelector("[data-row]");
    const { ctrlKey, metaKey, shiftKey } = event;
    opener?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
  });
}

function press(key: string): boolean {
  const page = MENU[Number(key) - 1];
  if (page !== undefined) visit(addressOf(page));
  else if (key === "j") moveRow(1);
  else if (key === "k") moveRow(-1);
  else if (key === "?") helpOpen.value = !helpOpen.peek();
  else if (key === "/") document.querySelector<HTMLInputElement>("main input[type=search]")?.select();
  else return false;
  return true;
}

/** Closes the innermost first: the keyboard help, the side pane, then the filter text. */
function close(field: HTMLElement | undefined): void {
  const { filter = "", text = "", open = "" } = place.peek().query;
  if (helpOpen.peek()) helpOpen.value = false;
  else if (open !== "") show({ open: "" });
  else if (filter !== "") show({ filter: "" });
  else if (text !== "") show({ text: "" });
  else field?.blur();
}

/** Each row has one link or button that opens it; the focused one is the current row. */
function moveRow(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[at === -1 ? (by > 0 ? 0 : rows.length - 1) : at + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

function isTextField(target: EventTarget | null): boolean {
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && target.type !== "radio" && target.type !== "checkbox";
}
