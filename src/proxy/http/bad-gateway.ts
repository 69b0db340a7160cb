import type { IncomingMessage, ServerResponse } from "node:http";
import type { Target } from "../upstreams.ts";
import { errorBody, errorShape } from "./api-error.ts";

/** The code of an upstream that left HTTP. */
export const UPGRADED = "ERR_UPGRADED";

/** The upstream did answer, only nobody can read it: asked again, it would work twice. */
export function hasSpoken({ code = "" }: NodeJS.ErrnoException): boolean {
  return code === UPGRADED || code.startsWith("HPE_");
}

/** Tells the client why there is no answer, in the words of its API. */
export function refuseGateway(
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
  error: NodeJS.ErrnoException,
): void {
  const message = `Toolmend could not reach ${target.upstream.name} (${target.upstream.url.origin}): ${reasonOf(error)}`;
  const body = errorBody(errorShape(request.url ?? "/"), 502, message);
  response.writeHead(502, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
  request.resume();
}

const UNKNOWN_AUTHORITY =
  "nobody this machine trusts has signed its certificate. If your network has an authority of its own, start Toolmend with NODE_EXTRA_CA_CERTS set to that authority's file.";

/** The system's error code says what happened; the message may repeat more of the request than we want to show. */
function reasonOf(error: NodeJS.ErrnoException): string {
  const known: Record<string, string> = {
    ECONNREFUSED: "connection refused. Is it running?",
    ECONNRESET: "the connection was reset.",
    ENOTFOUND: "its name could not be resolved.",
    EAI_AGAIN: "its name could not be resolved.",
    ETIMEDOUT: "the connection timed out.",
    EPROTO: "no TLS connection came about. Should its URL begin with http:?",
    HPE_INVALID_CONSTANT: "its answer is no HTTP. Should its URL begin with https?",
    ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name.",
    HPE_HEADER_OVERFLOW: "the head of its answer is too long.",
    [UPGRADED]: "it changed the protocol, which nobody asked for.",
    CERT_HAS_EXPIRED: "its certificate has expired.",
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
    UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
    SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
    DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  };
  return known[error.code ?? ""] ?? error.code ?? "unknown error";
}
