/** Holds back what it is given for as long as it must. */
export interface StreamBuffer<In, Out> {
  push(chunk: In): readonly Out[];
  /** Called once, when the stream is over, broke off or was cancelled: everything that is still held. */
  end(): readonly Out[];
}

/** A stream that passes through a holder. It reads only when it is read, and cancelling it cancels the stream behind it. */
export function bufferedStream<In, Out>(
  source: ReadableStream<In>,
  holder: StreamBuffer<In, Out>,
): ReadableStream<Out> {
  const reader = source.getReader();
  let over = false;
  let failure: { readonly reason: unknown } | undefined;

  const end = (): readonly Out[] => {
    if (over) return [];
    over = true;
    return holder.end();
  };
  const next = async (): Promise<readonly Out[]> => {
    try {
      const { done, value } = await reader.read();
      return done || over ? end() : holder.push(value);
    } catch (reason) {
      // Told behind what is held: a stream that fails forgets what is still in it.
      failure = { reason };
      return end();
    }
  };

  return new ReadableStream(
    {
      async pull(controller) {
        let out: readonly Out[] = [];
        while (!over && out.length === 0) out = await next();
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
