import type { FingerprintRow } from "../../../../src/store/port.ts";
import { Link } from "../../components/link.tsx";
import { ShareList } from "../../components/share-list.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import type { Query } from "../../route.ts";

const MAX_SHARES = 20;

/** Filters of the list of calls with an error. */
export function ofError({ project, fingerprint }: Pick<FingerprintRow, "project" | "fingerprint">): Query {
  return { fingerprint, ...(project !== "default" && { project }) };
}

/** Address of the details of an error. */
export function errorPath(fingerprint: string, project: string): string {
  return `/api/fingerprints/${encodeURIComponent(fingerprint)}?${new URLSearchParams({ project })}`;
}

/** Occurrences of an error by tool or model, over all time. */
export function ErrorShares({ row, by }: { readonly row: FingerprintRow; readonly by: "tool" | "model" }) {
  const shares = Object.entries(by === "tool" ? row.tools : row.models)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_SHARES)
    .map(([name, value]) => ({
      ...{ key: name, value, calls: value, query: { ...ofError(row), [by]: name, range: "all" } },
      label: (
        <Link
          page={by === "tool" ? "tool" : "sessions"}
          query={by === "tool" ? { name } : { model: name, category: row.category }}
        >
          <UntrustedText text={name} />
        </Link>
      ),
    }));
  return <ShareList label={`Failures by ${by}`} shares={shares} />;
}
