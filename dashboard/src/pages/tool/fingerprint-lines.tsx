import type { FingerprintRow } from "../../../../src/store/port.ts";
import { Category } from "../../components/category.tsx";
import { Link } from "../../components/link.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { count } from "../../format.ts";

export function FingerprintLines({ rows }: { readonly rows: readonly FingerprintRow[] }) {
  return (
    <ul class="lines">
      {rows.map((row) => (
        <li key={`${row.project} ${row.fingerprint}`}>
          <Link page="why" query={{ open: row.fingerprint }} class="line" row>
            <span class="line-count">{count(row.count)}×</span>
            <Category name={row.category} />
            <UntrustedText text={row.sample === "" ? "(the text is not kept)" : row.sample} />
            <span class="line-end faint">{row.last_at !== null && <TimeAgo at={Date.parse(row.last_at)} />}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
