import type { TitledError } from "../../../src/api/error-title.ts";
import { ofError } from "../pages/errors/error-shares.tsx";
import { Link } from "./link.tsx";
import { UntrustedText } from "./untrusted-text.tsx";

/** Advice that may prevent an error, with a link to it. */
export function AdviceLine({ error }: { readonly error: TitledError | null | undefined }) {
  const text = error?.advice?.text;
  if (!error || text === undefined) return null;
  return (
    <p class="advice">
      <strong>What may help</strong>{" "}
      <Link page="error" query={ofError(error)}>
        <UntrustedText text={error.title} />
      </Link>{" "}
      {text}
    </p>
  );
}
