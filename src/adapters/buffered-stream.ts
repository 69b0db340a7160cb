/** Buffers input for as long as necessary. */
export interface StreamBuffer<In, Out> {
  push(chunk: In): readonly Out[];
  /** Called once, when the stream ends, fails or is canceled. Returns everything still buffered. */
  end(): readonly Out[];
}

/** Passes a stream through a buffer. Reads from the source only on demand; canceling it cancels the source. */
export function bufferedStream<In, Out>(
  source: ReadableStream<In>,
  buffer: StreamBuffer<In, Out>,
): ReadableStream<Out> {
  const reader = source.getReader();
  let ended = false;
  let failure: { readonly reason: unknown } | undefined;

  const end = (): readonly Out[] => {
    if (ended) return [];
    ended = true;
    return buffer.end();
  };
  const next = async (): Promise<readonly Out[]> => {
    try {
      const { done, value } = await reader.read();
      return done || ended ? end() : buffer.push(value);
    } catch (reason) {
      // Thrown after the buffered output is read: a stream that errors discards what is still queued in it.
      failure = { reason };
      return end();
    }
  };

  return new ReadableStream(
    {
      async pull(controller) {
        let out: readonly Out[] = [];
        while (!ended && out.length === 0) out = await next();
        for (const part of out) controller.enqueue(part);
        if (out.length > 0) return;
        if (failure !== undefined) throw failure.reason;
        controller.close();
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
