import { createRequire } from "node:module";

/** The message types of opentelemetry-proto, as compiled in the official package. */
interface MessageType {
  verify(message: object): string | null;
  fromObject(value: object): object;
  toObject(message: object, options: object): unknown;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
}
const require = createRequire(import.meta.url);
const { opentelemetry } = require("otlp-protobuf/build/src/generated/root.js") as {
  opentelemetry: {
    proto: {
      collector: {
        trace: { v1: { ExportTraceServiceRequest: MessageType } };
        logs: { v1: { ExportLogsServiceRequest: MessageType } };
      };
    };
  };
};
const TYPES = {
  traces: opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest,
  logs: opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest,
};

/** Ids are hex in OTLP's JSON, although protobuf's JSON would use base64. */
const HEX_IDS: Readonly<Record<string, number>> = { traceId: 32, spanId: 16, parentSpanId: 16 };

/**
 * Lists why a body is not a valid OTLP request; empty when it is. Encodes it to protobuf and back: a field that the
 * schema does not know is missing afterwards.
 */
export function otlpProblems(signal: keyof typeof TYPES, body: unknown): readonly string[] {
  const problems: string[] = [];
  const converted = withBytes(body, problems) as object;
  const type = TYPES[signal];
  const message = type.fromObject(converted);
  const wrong = type.verify(message);
  if (wrong !== null) problems.push(wrong);
  const back = type.toObject(type.decode(type.encode(message).finish()), {
    longs: String,
    enums: Number,
    bytes: String,
  });
  problems.push(...missing(converted, back, ""));
  return problems;
}

function withBytes(value: unknown, problems: string[], name = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => withBytes(item, problems));
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withBytes(inner, problems, key)]));
  const digits = HEX_IDS[name];
  if (digits === undefined) return value;
  if (typeof value !== "string" || !new RegExp(`^[0-9a-f]{${digits}}$`).test(value) || /^0+$/.test(value))
    problems.push(`${name} is not ${digits} hex digits`);
  return Buffer.from(String(value), "hex").toString("base64");
}

/** Fields that are missing after a round trip. Protobuf omits zeros and empty strings, which do not count. */
function missing(sent: unknown, back: unknown, path: string): string[] {
  if (sent === 0 || sent === "" || sent === false) return [];
  if (Array.isArray(sent))
    return sent.flatMap((item, at) => missing(item, (back as unknown[] | undefined)?.[at], `${path}[${at}]`));
  if (sent !== null && typeof sent === "object") {
    if (Object.keys(sent).length === 0) return [];
    if (back === undefined) return Object.values(sent).every((inner) => inner === 0) ? [] : [`${path} is lost`];
    return Object.entries(sent).flatMap(([name, inner]) =>
      missing(inner, (back as Record<string, unknown>)[name], `${path}.${name}`),
    );
  }
  return String(sent) === String(back) ? [] : [`${path}: ${String(sent)} came back as ${String(back)}`];
}
