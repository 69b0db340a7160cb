/** Streams of a command that reads texts: those of the process, or of a test. */
export interface TextIo {
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
}

interface TextSink {
  write(text: string): unknown;
  once?(event: "drain", listener: () => void): unknown;
}

/** Decodes chunks that may end inside a character. */
export async function* texts(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of input) yield typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

export async function* lines(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  let parts: string[] = [];
  for await (const chunk of texts(input)) {
    let from = 0;
    for (let at = chunk.indexOf("\n"); at !== -1; at = chunk.indexOf("\n", from)) {
      parts.push(chunk.slice(from, at));
      yield parts.join("");
      parts = [];
      from = at + 1;
    }
    parts.push(chunk.slice(from));
  }
  yield parts.join("");
}

/** Respects backpressure: waits for `drain` if the stream is full. */
export async function put(io: TextIo, text: string): Promise<void> {
  const { stdout } = io;
  if (stdout.write(text) !== false || stdout.once === undefined) return;
  await new Promise<void>((resolve) => {
    stdout.once?.("drain", resolve);
  });
}
