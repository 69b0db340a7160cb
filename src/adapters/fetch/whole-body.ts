/** What was read of a body, and what there is still to read. */
export interface WholeBody {
  readonly held: readonly Uint8Array<ArrayBuffer>[];
  /** All of it; undefined when it is too large, broke off, or is no text. */
  readonly text: string | undefined;
  /** Not read: the body is larger than may be held. */
  readonly rest?: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  /** How it broke off. */
  readonly failure?: { readonly reason: unknown };
}

/** Reads a body to its end, or until it is too large to be held. */
export async function readWhole(body: ReadableStream<Uint8Array<ArrayBuffer>>, limit: number): Promise<WholeBody> {
  const held: Uint8Array<ArrayBuffer>[] = [];
  const reader = body.getReader();
  // Bytes that are no text would not come out as they went in.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text: string | undefined = "";
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      held.push(value);
      size += value.length;
      if (size > limit) return { held, text: undefined, rest: reader };
      text = decoded(text, () => decoder.decode(value, { stream: true }));
    }
    return { held, text: decoded(text, () => decoder.decode()) };
  } catch (reason) {
    return { held, text: undefined, failure: { reason } };
  }
}

function decoded(before: string | undefined, next: () => string): string | undefined {
  try {
    return before === undefined ? undefined : before + next();
  } catch {
    return undefined;
  }
}

/** The body once more, as it came: what was held, then the rest, or the failure. */
export function followedBy({ held, rest, failure }: WholeBody): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        if (at < held.length) {
          controller.enqueue(held[at] as Uint8Array<ArrayBuffer>);
          at += 1;
          return;
        }
        if (failure !== undefined) throw failure.reason;
        const next = await rest?.read();
        if (next === undefined || next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: (reason) => rest?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
