import { ByteMender, type StreamMender } from "../../core/mend/index.ts";

/**
 * A stream of events that passes through a mender. It reads only when it is read, and cancelling it cancels the stream behind it. `onEnd` is called
 * once, when no more leaks can come.
 */
export function mendedStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  mender: StreamMender,
  onEnd: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const bytes = new ByteMender(mender);
  let over = false;
  let failure: { readonly reason: unknown } | undefined;

  const end = (): readonly Uint8Array[] => {
    if (over) return [];
    over = true;
    const rest = bytes.end();
    onEnd();
    return rest;
  };
  const next = async (): Promise<readonly Uint8Array[]> => {
    try {
      const { done, value } = await reader.read();
      return done || over ? end() : bytes.push(value);
    } catch (reason) {
      // Told behind what is held: a stream that fails forgets what is still in it.
      failure = { reason };
      return end();
    }
  };

  return new ReadableStream(
    {
      async pull(controller) {
        let out: readonly Uint8Array[] = [];
        while (!over && out.length === 0) out = await next();
        for (const part of out) controller.enqueue(part as Uint8Array<ArrayBuffer>);
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
