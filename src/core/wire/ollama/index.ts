import type { WireApi } from "../turn.ts";
import { decodeRequest } from "./request.ts";
import { createStreamDecoder, decodeResponse } from "./response.ts";

/** Ollama's own chat API. Its OpenAI and Anthropic compatible paths belong to those APIs. */
export const ollama: WireApi = { decodeRequest, decodeResponse, createStreamDecoder };
