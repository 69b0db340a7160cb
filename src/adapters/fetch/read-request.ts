import { type Api, apiOfPath } from "../../core/wire/index.ts";
import { type Fields, isObject, parseJson, text } from "../../core/wire/json.ts";

type FetchInput = Parameters<typeof globalThis.fetch>[0];
type FetchInit = Parameters<typeof globalThis.fetch>[1];

/** A request to one of the APIs whose answers can be mended. */
export interface ApiRequest {
  readonly api: Api;
  readonly body: Fields;
  readonly model?: string;
}

/** What a request asks for; undefined for everything that is none of ours. Nothing of the request is used up by reading it. */
export async function readRequest(input: FetchInput, init: FetchInit): Promise<ApiRequest | undefined> {
  const request = typeof input === "object" && "url" in input ? input : undefined;
  const api = apiOfPath(pathOf(request?.url ?? String(input)));
  const method = init?.method ?? request?.method ?? "GET";
  if (api === undefined || method.toUpperCase() !== "POST") return undefined;
  const body = parseJson((await bodyOf(request, init)) ?? "");
  if (!isObject(body)) return undefined;
  const model = text(body.model);
  return { api, body, ...(model !== undefined && { model }) };
}

/** Relative addresses have a path too. */
function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0] as string;
}

/** The body as text where it can be read twice. A stream cannot: it is left to the one who sends it. */
async function bodyOf(request: Request | undefined, init: FetchInit): Promise<string | undefined> {
  const body = init?.body;
  if (body == null) return request?.body == null ? undefined : await request.clone().text();
  if (typeof body === "string") return body;
  if (body instanceof Blob) return await body.text();
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return new TextDecoder().decode(body);
  return undefined;
}
