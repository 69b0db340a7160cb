import type { TitledError } from "../../../src/api/errors.ts";
import { ofError } from "../pages/errors/error-shares.tsx";
import { Link } from "./link.tsx";
import { UntrustedText } from "./untrusted-text.tsx";

/** What may make the first of these errors rarer, with a link to it. */
export function AdviceLine({ rows }: { readonly rows: readonly TitledError[] | undefined }) {
  const error = rows?.find(({ advice }) => advice !== null && advice !== undefined);
  if (error === undefined) return null;
  return (
    <p class="advice">
      <strong>What may help</strong>{" "}
      <Link page="error" query={ofError(error)}>
        <UntrustedText text={error.title} />
      </Link>{" "}
      {error.advice?.text}
    </p>
  );
}
