import type { WireApi } from "../turn.ts";
import { decodeRequest } from "./request.ts";
import { decodeResponse } from "./response.ts";
import { createStreamDecoder } from "./stream.ts";

/** The OpenAI Chat Completions API, as implemented by compatible servers. */
export const openaiChat: WireApi = { decodeRequest, decodeResponse, createStreamDecoder };
