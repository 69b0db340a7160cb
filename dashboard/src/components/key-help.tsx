import { useEffect, useRef } from "preact/hooks";
import { helpOpen, KEYS } from "../keys.ts";

export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = helpOpen.value;
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  const close = (): void => {
    helpOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="help" aria-label="Keys" onClose={close}>
      <h2>Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
