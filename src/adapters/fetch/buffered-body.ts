/** The part of a body that was read, and the reader for the remainder. */
export interface BufferedBody {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** The complete text; undefined if the body is too large, aborted, or not valid UTF-8. */
  readonly text: string | undefined;
  /** Reader for the remainder of a body over the limit. */
  readonly remainder?: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  /** The error with which the body was aborted. */
  readonly failure?: { readonly reason: unknown };
}

/** Reads a body to its end, or until it exceeds the limit. */
export async function bufferBody(body: ReadableStream<Uint8Array<ArrayBuffer>>, limit: number): Promise<BufferedBody> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = body.getReader();
  // Invalid UTF-8 would not survive decoding and encoding.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text: string | undefined = "";
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.length;
      if (size > limit) return { chunks, text: undefined, remainder: reader };
      text = decoded(text, () => decoder.decode(value, { stream: true }));
    }
    return { chunks, text: decoded(text, () => decoder.decode()) };
  } catch (reason) {
    return { chunks, text: undefined, failure: { reason } };
  }
}

function decoded(before: string | undefined, next: () => string): string | undefined {
  try {
    return before === undefined ? undefined : before + next();
  } catch {
    return undefined;
  }
}

/** Replays the body unchanged: the chunks read so far, then the remainder or the failure. */
export function replayBody({ chunks, remainder, failure }: BufferedBody): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        if (at < chunks.length) {
          controller.enqueue(chunks[at] as Uint8Array<ArrayBuffer>);
          at += 1;
          return;
        }
        if (failure !== undefined) throw failure.reason;
        const next = await remainder?.read();
        if (next === undefined || next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: (reason) => remainder?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
