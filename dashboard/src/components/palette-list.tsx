import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { FingerprintRow, SessionRow } from "../../../src/store/port.ts";
import { ago, visible } from "../format.ts";
import { paletteOpen } from "../keys.ts";
import { type Place, placesFor } from "../palette-places.ts";
import { useQuery } from "../queries.ts";
import { addressOf, now, visit } from "../state.ts";
import { useNames } from "../use-names.ts";

const SEARCH_DELAY_MS = 150;

/** The list is not a datalist, which the types of the element would require. */
const COMBOBOX: object = { role: "combobox", "aria-expanded": "true" };

/** The content of the palette while it is open. */
export function PaletteList() {
  const field = useRef<HTMLInputElement>(null);
  // The dialog was opened before this component was loaded.
  useEffect(() => field.current?.focus(), []);
  const text = useSignal("");
  const chosen = useSignal(0);
  const places = usePlaces(text.value);
  const at = Math.min(chosen.value, Math.max(0, places.length - 1));
  const go = (place: Place | undefined): void => {
    if (place === undefined) return;
    paletteOpen.value = false;
    visit(addressOf(place.page, place.query));
  };
  const press = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) chosen.value = (at + step + places.length) % Math.max(1, places.length);
    else if (event.key === "Enter") go(places[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        ref={field}
        type="text"
        class="palette-input"
        {...COMBOBOX}
        aria-label="Go to a page, tool, model, error or session"
        aria-controls="palette-list"
        aria-activedescendant={places.length === 0 ? undefined : `palette-${at}`}
        placeholder="Go to a page, tool, model, error or session"
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={press}
      />
      <div id="palette-list" class="palette-list" role="listbox" aria-label="Places">
        {places.map((place, index) => (
          <Option key={place.id} place={place} id={`palette-${index}`} isChosen={index === at} go={go} />
        ))}
      </div>
      {places.length === 0 && <p class="nothing">Nothing found.</p>}
    </>
  );
}

interface OptionProps {
  readonly place: Place;
  readonly id: string;
  readonly isChosen: boolean;
  readonly go: (place: Place) => void;
}

function Option({ place, id, isChosen, go }: OptionProps) {
  const item = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the focus and handles keys
    <div
      ref={item}
      id={id}
      class="palette-option"
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      onClick={() => go(place)}
    >
      <span class="palette-kind">{place.kind}</span>
      <bdi class="clip">{visible(place.name)}</bdi>
      <span class="clip palette-hint">{visible(place.hint)}</span>
    </div>
  );
}

function usePlaces(text: string): readonly Place[] {
  const search = useSignal("");
  useEffect(() => {
    const timer = setTimeout(() => {
      search.value = text.trim();
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, search]);
  const query = new URLSearchParams({ limit: "8", ...(search.value !== "" && { text: search.value }) });
  const { value: sessions } = useQuery<{ readonly rows: readonly SessionRow[] }>(`/api/sessions?${query}`);
  const { value: errors } = useQuery<{ readonly rows: readonly (FingerprintRow & { readonly title: string })[] }>(
    "/api/fingerprints?limit=200&advice=false",
  );
  return placesFor(text, {
    tools: useNames("tool"),
    models: useNames("model"),
    errors: errors?.rows ?? [],
    sessions: sessions?.rows ?? [],
    ago: (at) => ago(Date.parse(at), now.value),
  });
}
