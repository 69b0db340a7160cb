import type { FingerprintRow } from "../../../../src/store/port.ts";
import { CallsLink } from "../../components/calls-link.tsx";
import { Category } from "../../components/category.tsx";
import { Link } from "../../components/link.tsx";
import { Facts, Pane } from "../../components/pane.tsx";
import { type Share, ShareList } from "../../components/share-list.tsx";
import { TextBlock } from "../../components/text-block.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { count } from "../../format.ts";
import { ofError } from "./fingerprint-table.tsx";

/** Where one error occurs, with one raw sample. */
export function FingerprintPane({ row }: { readonly row: FingerprintRow }) {
  return (
    <Pane title="Error">
      <p class="pane-status">
        <CallsLink calls={row.count} query={ofError(row)}>{`${count(row.count)}×`}</CallsLink>{" "}
        <Category name={row.category} />
      </p>
      {row.sample === "" ? (
        <p class="faint">Its text is not stored (--capture none).</p>
      ) : (
        <TextBlock title="Sample, redacted" text={row.sample} />
      )}
      <Facts
        facts={[
          ["First seen", row.first_at === null ? null : <TimeAgo key="first" at={Date.parse(row.first_at)} />],
          ["Last seen", row.last_at === null ? null : <TimeAgo key="last" at={Date.parse(row.last_at)} />],
          ["Fingerprint", <code key="print">{row.fingerprint}</code>],
        ]}
      />
      <h3>Tools</h3>
      <ShareList
        label="Failures by tool"
        shares={shares(row, "tool", (name) => (
          <Link page="tool" query={{ name }}>
            <UntrustedText text={name} />
          </Link>
        ))}
      />
      <h3>Models</h3>
      <ShareList
        label="Failures by model"
        shares={shares(row, "model", (name) =>
          name === "" ? (
            "unknown model"
          ) : (
            <Link page="sessions" query={{ model: name, category: row.category }}>
              <UntrustedText text={name} />
            </Link>
          ),
        )}
      />
      <p class="pane-links">
        <Link page="sessions" query={{ category: row.category, tool: Object.keys(row.tools)[0] ?? "" }}>
          Sessions with this failure
        </Link>
      </p>
    </Pane>
  );
}

/** Occurrences over all time. */
function shares(row: FingerprintRow, by: "tool" | "model", label: (name: string) => Share["label"]): readonly Share[] {
  return Object.entries(by === "tool" ? row.tools : row.models)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 20)
    .map(([name, value]) => {
      const query = { ...ofError(row), [by]: name, range: "all" };
      return { key: name, value, calls: value, query, label: label(name) };
    });
}
