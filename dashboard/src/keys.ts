import { signal } from "@preact/signals";
import { MENU } from "./route.ts";
import { addressOf, place, show, visit } from "./state.ts";

/** Is the list of keys open? */
export const helpOpen = signal(false);

export const KEYS = [
  ["j / k", "next and previous row"],
  ["Enter", "open the row"],
  ["/", "go to the filter"],
  ["Esc", "close, or empty the filter"],
  ["1 … 7", "the pages in their order"],
  ["?", "this list"],
] as const;

export function startKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const isTyping = isTextField(event.target);
    if (event.key === "Escape") close(isTyping ? (event.target as HTMLElement) : undefined);
    else if (!isTyping && press(event.key)) event.preventDefault();
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

/** From the inside out: the list of keys, the pane beside the page, the text of a filter. */
function close(field: HTMLElement | undefined): void {
  const { filter = "", text = "", open = "" } = place.peek().query;
  if (helpOpen.peek()) helpOpen.value = false;
  else if (open !== "") show({ open: "" });
  else if (filter !== "") show({ filter: "" });
  else if (text !== "") show({ text: "" });
  else field?.blur();
}

/** Each row has one link or button that opens it; where the focus stands is the chosen row. */
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
