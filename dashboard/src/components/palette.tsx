import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { paletteOpen } from "../keys.ts";

/** Goes anywhere by name: pages, tools, models, errors, sessions. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = paletteOpen.value;
  // Loaded when it is first opened, because most visits do not need it.
  const list = useSignal<{ readonly Body?: ComponentType }>({});
  useEffect(() => {
    if (open) void import("./palette-list.tsx").then(({ PaletteList }) => (list.value = { Body: PaletteList }));
  }, [open, list]);
  const { Body } = list.value;
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to"
      onClose={() => {
        paletteOpen.value = false;
      }}
      // A click on the backdrop has the dialog itself as its target.
      onClick={(event) => {
        if (event.target === dialog.current) paletteOpen.value = false;
      }}
      onKeyDown={() => undefined}
    >
      {open && Body !== undefined && <Body />}
    </dialog>
  );
}
