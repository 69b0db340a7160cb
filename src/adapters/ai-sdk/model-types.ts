import type { LanguageModelMiddleware } from "ai";

// Named by way of the middleware, so that they are those of the version that is installed.
type WrapGenerate = NonNullable<LanguageModelMiddleware["wrapGenerate"]>;
type WrapStream = NonNullable<LanguageModelMiddleware["wrapStream"]>;
type Streamed = Awaited<ReturnType<WrapStream>>;

export type CallOptions = Parameters<WrapGenerate>[0]["params"];
export type Model = Parameters<WrapGenerate>[0]["model"];
export type Generated = Awaited<ReturnType<WrapGenerate>>;
export type Content = Generated["content"][number];
export type FinishReason = Generated["finishReason"];
export type StreamPart = Streamed["stream"] extends ReadableStream<infer Part> ? Part : never;
