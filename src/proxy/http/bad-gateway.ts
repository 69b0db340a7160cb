import type { IncomingMessage, ServerResponse } from "node:http";
import { codeOf } from "../../core/model/errors.ts";
import type { Target } from "../upstreams.ts";
import { sendError } from "./api-error.ts";
import { RequestTimeoutError } from "./body-timeout.ts";
import { discardBody } from "./end-early.ts";

/** The upstream's response is not valid HTTP, or not one that can be forwarded. */
export class UpstreamProtocolError extends Error {
  readonly code: "ERR_UPGRADED" | "ERR_INVALID_STATUS";
  constructor(code: UpstreamProtocolError["code"], message: string) {
    super(message);
    this.name = "UpstreamProtocolError";
    this.code = code;
  }
}

/** Whether the upstream sent an invalid response. Such a request is not retried: the upstream already processed it. */
export function isProtocolError(error: unknown): boolean {
  return error instanceof UpstreamProtocolError || codeOf(error)?.startsWith("HPE_") === true;
}

/** Sends the client a 502, or a 408 if it stopped sending its body, in the format of its API. */
export function sendBadGateway(
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
  error: unknown,
): void {
  const isTimeout = error instanceof RequestTimeoutError;
  sendError(
    response,
    request.url ?? "/",
    isTimeout ? 408 : 502,
    isTimeout ? error.message : gatewayMessage(target, error),
  );
  discardBody(request);
}

/** Says why an upstream could not be used, without text of the error. */
export function gatewayMessage({ upstream: { name, url } }: Target, error: unknown): string {
  const what = isProtocolError(error) ? "use the response of" : "reach";
  return `Toolmend could not ${what} ${name} (${url.origin}): ${reasonOf(error)}`;
}

const UNKNOWN_AUTHORITY =
  "its certificate is signed by an unknown authority. For a private CA, set NODE_EXTRA_CA_CERTS to its certificate file and restart Toolmend.";

/**
 * Derives the reason from the error code. The error message is not used, because it may contain parts of the request.
 */
function reasonOf(error: unknown): string {
  if (error instanceof UpstreamProtocolError) return error.message;
  const known: Record<string, string> = {
    ECONNREFUSED: "connection refused. Is it running?",
    ECONNRESET: "the connection was reset.",
    ENOTFOUND: "its host name could not be resolved.",
    EAI_AGAIN: "its host name could not be resolved.",
    ETIMEDOUT: "the connection timed out.",
    EPROTO: "the TLS handshake failed. Should its URL begin with http:?",
    HPE_INVALID_CONSTANT: "its response is not HTTP. Should its URL begin with https:?",
    ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host name.",
    HPE_HEADER_OVERFLOW: "the headers of its response are too large.",
    CERT_HAS_EXPIRED: "its certificate has expired.",
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
    UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
    SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
    DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  };
  const code = codeOf(error);
  return known[code ?? ""] ?? code ?? "an internal error. See the log of Toolmend.";
}
