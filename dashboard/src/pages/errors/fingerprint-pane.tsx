import type { ErrorResponse } from "../../../../src/api/errors.ts";
import type { FingerprintRow } from "../../../../src/store/port.ts";
import { CallsLink } from "../../components/calls-link.tsx";
import { Category } from "../../components/category.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Link } from "../../components/link.tsx";
import { Facts, Pane } from "../../components/pane.tsx";
import { TextBlock } from "../../components/text-block.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { count } from "../../format.ts";
import { useQuery } from "../../queries.ts";
import { StateBadge, StateButtons } from "../error/error-state.tsx";
import { ErrorShares, errorPath, ofError } from "./error-shares.tsx";

function Fingerprint({ text }: { readonly text: string }) {
  return (
    <span>
      <code>{text}</code> <CopyButton small label="Copy fingerprint" text={() => text} />
    </span>
  );
}

/** Where one error occurs, with one raw sample. */
export function FingerprintPane({ row }: { readonly row: FingerprintRow }) {
  return (
    <Pane title="Error">
      <p class="pane-status">
        <CallsLink calls={row.count} query={ofError(row)}>{`${count(row.count)}×`}</CallsLink> in this range{" "}
        <Category name={row.category} /> <StateBadge state={row.state} />
      </p>
      <p class="pane-links">
        <Link page="error" query={ofError(row)}>
          Open the error page
        </Link>
        <StateButtons error={row} />
      </p>
      {row.sample === "" ? (
        <p class="faint">Its text is not stored (--capture none).</p>
      ) : (
        <TextBlock title="Sample, redacted" text={row.sample} />
      )}
      <Help row={row} />
      <Facts
        facts={[
          ["First seen", row.first_at === null ? null : <TimeAgo key="first" at={Date.parse(row.first_at)} />],
          ["Last seen", row.last_at === null ? null : <TimeAgo key="last" at={Date.parse(row.last_at)} />],
          ["Fingerprint", <Fingerprint key="print" text={row.fingerprint} />],
        ]}
      />
      <h3>Tools, all time</h3>
      <ErrorShares row={row} by="tool" />
      <h3>Models, all time</h3>
      <ErrorShares row={row} by="model" />
      <p class="pane-links">
        <Link page="calls" query={ofError(row)}>
          Its calls, each with its session
        </Link>
      </p>
    </Pane>
  );
}

function Help({ row: { project, fingerprint } }: { readonly row: FingerprintRow }) {
  const { value } = useQuery<ErrorResponse>(errorPath(fingerprint, project));
  const advice = value?.error.advice;
  if (advice === null || advice === undefined) return null;
  return (
    <>
      <h3>What may help</h3>
      <p>{advice.text}</p>
    </>
  );
}
