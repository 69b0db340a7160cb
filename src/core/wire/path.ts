import type { Api } from "./turn.ts";

/** The facts that a request's path contains. */
export interface PathFacts {
  readonly api: Api;
  /** The model, if the API names it in the path instead of the body. */
  readonly model?: string;
  /** Whether the response is a stream, if the path decides that. */
  readonly stream?: boolean;
  /** The stream is binary and can only be read. */
  readonly isBinary?: true;
}

const GEMINI = /\/(?:models|tunedModels)\/([^/:]{1,200}):(generateContent|streamGenerateContent)$/;

const VERTEX = /\/publishers\/anthropic\/models\/([^/:]{1,200}):(rawPredict|streamRawPredict)$/;

/** The id of a Claude model contains its maker, also after a region prefix. */
const BEDROCK = /\/model\/([^/]{0,150}anthropic\.[^/]{1,150})\/(invoke|invoke-with-response-stream)$/;

/** Reads a path without its query. Returns undefined if the body is passed through unparsed. */
export function readPath(path: string): PathFacts | undefined {
  // OpenAI's threads API has a `/messages` path, too.
  if (path.endsWith("/messages") && !path.includes("/threads/")) return { api: "anthropic" };
  if (path.endsWith("/chat/completions")) return { api: "chat", ...deploymentOf(path) };
  if (path.endsWith("/responses")) return { api: "responses" };
  if (path.endsWith("/api/chat")) return { api: "ollama" };
  if (path.endsWith("Content")) return readGeminiPath(path);
  if (path.includes("/invoke")) return readBedrockPath(path);
  if (path.endsWith("RawPredict") || path.endsWith(":rawPredict")) return readVertexPath(path);
  return undefined;
}

/** Azure names a deployment in the path; its name is used as the model. */
function deploymentOf(path: string): { readonly model?: string } {
  const name = /\/openai\/deployments\/([^/]{1,200})\/chat\/completions$/.exec(path)?.[1];
  return name === undefined ? {} : { model: decoded(name) };
}

/** Claude on Vertex: bodies and streams have Anthropic's format. */
function readVertexPath(path: string): PathFacts | undefined {
  const [, model, method] = VERTEX.exec(path) ?? [];
  return model === undefined
    ? undefined
    : { api: "anthropic", model: decoded(model), stream: method === "streamRawPredict" };
}

/** Claude on Amazon Bedrock: bodies have Anthropic's format; streams wrap its events. */
function readBedrockPath(path: string): PathFacts | undefined {
  const [, model, method] = BEDROCK.exec(path) ?? [];
  if (model === undefined) return undefined;
  const stream = method === "invoke-with-response-stream";
  return { api: "anthropic", model: decoded(model), stream, ...(stream && { isBinary: true }) };
}

function readGeminiPath(path: string): PathFacts | undefined {
  const [, model, method] = GEMINI.exec(path) ?? [];
  return model === undefined
    ? undefined
    : { api: "gemini", model: decoded(model), stream: method === "streamGenerateContent" };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The API a path belongs to, or undefined if the body is passed through unparsed. Expects a path without a query. */
export function apiOfPath(path: string): Api | undefined {
  return readPath(path)?.api;
}

/** Adds the facts of the path to a parsed body, so that one decoder reads both. The body takes precedence. */
export function withPathFacts(body: unknown, { model, stream }: Omit<PathFacts, "api">): unknown {
  if (model === undefined && stream === undefined) return body;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  return { ...(model !== undefined && { model }), ...(stream !== undefined && { stream }), ...body };
}
