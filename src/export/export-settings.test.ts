import { describe, expect, it } from "vitest";
import { langfuseSettings, otlpSettings, resourceAttributes } from "./export-settings.ts";

const KEYS = { LANGFUSE_PUBLIC_KEY: "pk-lf-1", LANGFUSE_SECRET_KEY: "sk-lf-2" };

describe("settings for Langfuse", () => {
  it("need both keys, and say which one is missing", () => {
    expect(() => langfuseSettings({ LANGFUSE_PUBLIC_KEY: "pk-lf-1" })).toThrow(
      "Export to Langfuse needs LANGFUSE_SECRET_KEY in the environment",
    );
  });
  it("go to the cloud unless a host is given, under either of its two names", () => {
    expect(langfuseSettings(KEYS).host).toBe("https://cloud.langfuse.com");
    expect(langfuseSettings({ ...KEYS, LANGFUSE_HOST: "http://a:3000" }).host).toBe("http://a:3000");
    expect(langfuseSettings({ ...KEYS, LANGFUSE_BASE_URL: "http://b" }).host).toBe("http://b");
  });
  it("refuse an address that holds a password, which no request could be made to, without repeating it", () => {
    const host = "https://user:hunter2@langfuse.example";
    expect(() => langfuseSettings({ ...KEYS, LANGFUSE_HOST: host })).toThrow(
      /^LANGFUSE_HOST must not hold a user name or a password: keys have variables of their own\.$/,
    );
    expect(() => otlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: host })).toThrow(/^OTEL_EXPORTER_OTLP_ENDPOINT must not/);
  });
  it("refuse a host that is no address and an environment that Langfuse would refuse, without repeating them", () => {
    expect(() => langfuseSettings({ ...KEYS, LANGFUSE_HOST: "sk-secret" })).toThrow(
      "LANGFUSE_HOST is not an http or https address.",
    );
    expect(() => langfuseSettings({ ...KEYS, LANGFUSE_TRACING_ENVIRONMENT: "langfuse-x" })).toThrow(
      "LANGFUSE_TRACING_ENVIRONMENT must be",
    );
  });
});

describe("settings for a collector", () => {
  it("add the signal's path to the shared endpoint and leave a signal's own as it is", () => {
    const { tracesUrl, logsUrl } = otlpSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318/",
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "http://logs/in",
    });
    expect([tracesUrl, logsUrl]).toEqual(["http://c:4318/v1/traces", "http://logs/in"]);
  });
  it("read headers as name=value pairs with percent-encoded values; a signal's own win", () => {
    const { tracesHeaders, logsHeaders } = otlpSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://c",
      OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%3Db, x=1",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x=2",
    });
    expect(tracesHeaders).toEqual({ "api-key": "a=b", x: "2" });
    expect(logsHeaders).toEqual({ "api-key": "a=b", x: "1" });
  });
  it("say what to set when nothing is set, and that gRPC is not spoken", () => {
    expect(() => otlpSettings({})).toThrow("needs OTEL_EXPORTER_OTLP_ENDPOINT");
    expect(() =>
      otlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }),
    ).toThrow("use http/json");
  });
  it("name the service as OpenTelemetry's variables say", () => {
    expect(
      resourceAttributes({ OTEL_RESOURCE_ATTRIBUTES: "team=x,service.name=y", OTEL_SERVICE_NAME: "z" }, "1"),
    ).toMatchObject({ "service.name": "z", team: "x" });
  });
});
