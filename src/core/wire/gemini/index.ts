import type { WireApi } from "../turn.ts";
import { decodeRequest } from "./request.ts";
import { createStreamDecoder, decodeResponse } from "./response.ts";

/** Google's Gemini API, on its own host and on Vertex. */
export const gemini: WireApi = { decodeRequest, decodeResponse, createStreamDecoder };
