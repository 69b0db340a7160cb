import { BODY_DEPENDENT_HEADERS } from "../../core/wire/body-headers.ts";

/** A response with another body; headers that speak of its bytes go, unless these are the same. */
export function otherBody(
  response: Response,
  body: ConstructorParameters<typeof Response>[0],
  bytes: "same-bytes" | "other-bytes" = "other-bytes",
): Response {
  const headers = new Headers(response.headers);
  if (bytes === "other-bytes") for (const name of BODY_DEPENDENT_HEADERS) headers.delete(name);
  const { status, statusText } = response;
  return cameFrom(response, new Response(body, { status, statusText, headers }));
}

/** What a constructor cannot say. */
function cameFrom({ url, redirected, type }: Response, made: Response): Response {
  return Object.defineProperties(made, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
    clone: { value: () => cameFrom({ url, redirected, type } as Response, Response.prototype.clone.call(made)) },
  });
}
