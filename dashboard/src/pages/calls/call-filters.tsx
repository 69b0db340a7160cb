import type { ErrorResponse } from "../../../../src/api/errors.ts";
import { CATEGORIES } from "../../../../src/core/model/outcome.ts";
import { Choice } from "../../components/choice.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { visible } from "../../format.ts";
import { useQuery } from "../../queries.ts";
import type { Query } from "../../route.ts";
import { place, show } from "../../state.ts";
import { useNames } from "../../use-names.ts";
import { errorPath } from "../errors/error-shares.tsx";

/** Filters with known values. */
const CHOSEN = ["status", "tool", "model", "category", "phase", "origin"] as const;
/** Filters that other pages set: shown while they are active. */
const GIVEN = {
  session: "Session",
  project: "Project",
  server: "MCP server",
  client: "Client",
  provider: "Provider",
  workflow: "Workflow",
  fingerprint: "Error",
  link: "Link",
  soft: "Soft failure",
  repaired: "Repaired",
  since: "From",
  until: "To",
} as const;
type GivenFilter = keyof typeof GIVEN;

export const NO_FILTERS: Query = Object.fromEntries(
  [...CHOSEN, ...Object.keys(GIVEN), "text", "cursor", "open"].map((name) => [name, ""]),
);

/** The parameters of the API that the URL contains. */
export function filtersOf(query: Query): Query {
  const names = [...CHOSEN, ...Object.keys(GIVEN)].filter((name) => (query[name] ?? "") !== "");
  return Object.fromEntries(names.map((name) => [name, query[name] as string]));
}

const STATUSES = [
  ["failed", "failed"],
  ["ok", "ok"],
  ["unknown", "unknown"],
  ["ok,failed", "known outcome"],
  ["pending", "pending"],
  ["discarded", "discarded"],
] as const;
const PHASES = [
  ["call", "call: invalid"],
  ["gate", "gate: refused"],
  ["run", "run: ran and failed"],
] as const;
const ORIGINS = ["native", ["recovered", "repaired from a leak"]] as const;
const SORTS = [
  ["oldest", "Oldest first"],
  ["slowest", "Slowest first"],
  ["severity", "Most severe first"],
] as const;

export function CallFilters() {
  return (
    <>
      <Choice label="Status" name="status" options={STATUSES} resets={RESETS} />
      <Choice label="Tool" name="tool" options={useNames("tool")} resets={RESETS} />
      <Choice label="Model" name="model" options={useNames("model")} resets={RESETS} />
      <Choice label="Category" name="category" options={CATEGORIES} resets={RESETS} />
      <Choice label="Phase" name="phase" options={PHASES} resets={RESETS} />
      <Choice label="Origin" name="origin" options={ORIGINS} resets={RESETS} />
      <Choice label="Order" name="sort" none="Newest first" options={SORTS} resets={RESETS} />
    </>
  );
}

/** Another filter starts from the first page. */
const RESETS: Query = { cursor: "", open: "" };

export function ActiveFilters() {
  const { query } = place.value;
  const names = (Object.keys(GIVEN) as GivenFilter[]).filter((name) => (query[name] ?? "") !== "");
  return (
    <>
      {names.map((name) => (
        <button type="button" key={name} class="chip chip-button" onClick={() => show({ [name]: "", ...RESETS })}>
          <span class="hidden">Remove the filter</span> {GIVEN[name]}:{" "}
          {name === "fingerprint" ? <ErrorTitle /> : <bdi>{valueText(name, query[name] as string)}</bdi>} ✕
        </button>
      ))}
    </>
  );
}

function ErrorTitle() {
  const { fingerprint = "", project = "default" } = place.value.query;
  const { value } = useQuery<ErrorResponse>(errorPath(fingerprint, project));
  return <UntrustedText text={fingerprint} shown={value?.error.title ?? fingerprint} />;
}

const time = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function valueText(name: GivenFilter, value: string): string {
  const at = name === "since" || name === "until" ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(at)) return time.format(at);
  return name === "link" ? value.replace("_", "-") : visible(value);
}
