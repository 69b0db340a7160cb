import type { ConfigInput } from "./config-schema.ts";
import type { Settings } from "./config-sources.ts";

type Repair = NonNullable<ConfigInput["repair"]>;
type Export = NonNullable<ConfigInput["export"]>;
/** The object, or only its mode. */
type OrMode<T> = T extends { mode?: infer Mode } ? T | Mode : T;

/** Settings with the shorthands of the configuration file. */
export type SettingsInput = Omit<ConfigInput, "repair" | "guard" | "secondChance" | "export"> & {
  repair?: OrMode<Omit<Repair, "calls"> & { calls?: OrMode<NonNullable<Repair["calls"]>> | undefined }> | undefined;
  guard?: OrMode<NonNullable<ConfigInput["guard"]>> | undefined;
  secondChance?: OrMode<NonNullable<ConfigInput["secondChance"]>> | undefined;
  export?: Export | NonNullable<Export["targets"]> | NonNullable<Export["targets"]>[number] | undefined;
};

/** Expands shorthands to objects: `"repair": "off"` to `{ "mode": "off" }`, `"export": "otlp"` to its targets. */
export function expandShorthands(settings: Settings): Settings {
  const { repair, guard, secondChance, export: exporting } = settings;
  return {
    ...settings,
    ...(repair !== undefined && { repair: repairObject(repair) }),
    ...(guard !== undefined && { guard: modeObject(guard) }),
    ...(secondChance !== undefined && { secondChance: modeObject(secondChance) }),
    ...(exporting !== undefined && { export: exportObject(exporting) }),
  };
}

/** The part of `repair` for native calls may be just the mode too. */
function repairObject(repair: unknown): object {
  const object: { readonly calls?: unknown } = modeObject(repair);
  return object.calls === undefined ? object : { ...object, calls: modeObject(object.calls) };
}

function modeObject(feature: unknown): object {
  return typeof feature === "object" && feature !== null ? feature : { mode: feature };
}

/** A value that is neither targets nor an object is reported as invalid targets. */
function exportObject(exporting: unknown): object {
  if (typeof exporting === "string") return { targets: exporting.split(",").map((name) => name.trim()) };
  return typeof exporting === "object" && exporting !== null && !Array.isArray(exporting)
    ? exporting
    : { targets: exporting };
}
