import type { WireApi } from "../turn.ts";
import { decodeRequest } from "./request.ts";
import { decodeResponse } from "./response.ts";
import { createStreamDecoder } from "./stream.ts";

/** The Anthropic Messages API. */
export const anthropicMessages: WireApi = { decodeRequest, decodeResponse, createStreamDecoder };
