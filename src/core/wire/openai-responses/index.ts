import type { WireApi } from "../turn.ts";
import { decodeRequest } from "./request.ts";
import { decodeResponse } from "./response.ts";
import { createStreamDecoder } from "./stream.ts";

/** The OpenAI Responses API. */
export const openaiResponses: WireApi = { decodeRequest, decodeResponse, createStreamDecoder };
