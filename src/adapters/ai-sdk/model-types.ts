import type { LanguageModelMiddleware } from "ai";

// Derived from the middleware type, so that they match the installed version of the SDK.
type WrapGenerate = NonNullable<LanguageModelMiddleware["wrapGenerate"]>;
type WrapStream = NonNullable<LanguageModelMiddleware["wrapStream"]>;
type Streamed = Awaited<ReturnType<WrapStream>>;

export type CallOptions = Parameters<WrapGenerate>[0]["params"];
export type Model = Parameters<WrapGenerate>[0]["model"];
export type Generated = Awaited<ReturnType<WrapGenerate>>;
export type Content = Generated["content"][number];
export type FinishReason = Generated["finishReason"];
export type StreamPart = Streamed["stream"] extends ReadableStream<infer Part> ? Part : never;
