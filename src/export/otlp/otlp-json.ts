/** The subset of opentelemetry-proto's JSON mapping that Toolmend writes. */
export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } };

export interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

export type AttributeValue = string | number | boolean | readonly string[];

/** Omits undefined values. 64-bit integers are strings in OTLP JSON. */
export function attributes(values: Readonly<Record<string, AttributeValue | undefined>>): readonly OtlpAttribute[] {
  const found: OtlpAttribute[] = [];
  for (const [key, value] of Object.entries(values))
    if (value !== undefined) found.push({ key, value: encoded(value) });
  return found;
}

function encoded(value: AttributeValue): OtlpValue {
  switch (typeof value) {
    case "string":
      return { stringValue: value };
    case "boolean":
      return { boolValue: value };
    case "number":
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    default:
      return { arrayValue: { values: value.map((item) => ({ stringValue: item })) } };
  }
}

/** Converts milliseconds to the nanosecond strings of OTLP. */
export function nanos(ms: number): string {
  return `${Math.max(0, Math.round(ms))}000000`;
}

export interface OtlpScope {
  readonly name: string;
  readonly version: string;
}

/** The resource and scope version of every batch. */
export interface OtlpSender {
  readonly resource: Readonly<Record<string, AttributeValue>>;
  readonly version: string;
}

export function traceRequest(sender: OtlpSender, spans: readonly unknown[]): object {
  const scope: OtlpScope = { name: "toolmend", version: sender.version };
  return { resourceSpans: [{ resource: resourceOf(sender), scopeSpans: [{ scope, spans }] }] };
}

export function logsRequest(sender: OtlpSender, logRecords: readonly unknown[]): object {
  const scope: OtlpScope = { name: "toolmend", version: sender.version };
  return { resourceLogs: [{ resource: resourceOf(sender), scopeLogs: [{ scope, logRecords }] }] };
}

function resourceOf({ resource }: OtlpSender): { readonly attributes: readonly OtlpAttribute[] } {
  return { attributes: attributes(resource) };
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1: internal, 3: client. */
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly status: { readonly code: 0 | 1 | 2; readonly message?: string };
}
