import { describe, expect, it } from "vitest";
import { langfuseSettings, otlpSettings, resourceAttributes } from "./export-settings.ts";

const KEYS = { LANGFUSE_PUBLIC_KEY: "pk-lf-1", LANGFUSE_SECRET_KEY: "sk-lf-2" };

describe("settings for Langfuse", () => {
  it("settings for Langfuse require both keys, and report the missing one", () => {
    expect(() => langfuseSettings({ LANGFUSE_PUBLIC_KEY: "pk-lf-1" })).toThrow(
      "Export to Langfuse needs LANGFUSE_SECRET_KEY in the environment",
    );
  });
  it("settings for Langfuse default to the cloud, and accept a host in either of two variables", () => {
    expect(langfuseSettings(KEYS).host).toBe("https://cloud.langfuse.com");
    expect(langfuseSettings({ ...KEYS, LANGFUSE_HOST: "http://a:3000" }).host).toBe("http://a:3000");
    expect(langfuseSettings({ ...KEYS, LANGFUSE_BASE_URL: "http://b" }).host).toBe("http://b");
  });
  it("settings for Langfuse reject a URL with a password, without repeating it", () => {
    const host = "https://user:hunter2@langfuse.example";
    expect(() => langfuseSettings({ ...KEYS, LANGFUSE_HOST: host })).toThrow(
      /^LANGFUSE_HOST must not contain a user name or a password\. Set keys in their own variables\.$/,
    );
    expect(() => otlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: host })).toThrow(/^OTEL_EXPORTER_OTLP_ENDPOINT must not/);
  });
  it("settings for Langfuse reject an invalid host and an environment that Langfuse would reject, without repeating them", () => {
    expect(() => langfuseSettings({ ...KEYS, LANGFUSE_HOST: "sk-secret" })).toThrow(
      "LANGFUSE_HOST is not an http or https URL.",
    );
    expect(() => langfuseSettings({ ...KEYS, LANGFUSE_TRACING_ENVIRONMENT: "langfuse-x" })).toThrow(
      "LANGFUSE_TRACING_ENVIRONMENT must contain",
    );
  });
});

describe("settings for OTLP", () => {
  it("settings for OTLP append the path of the signal to the shared endpoint only", () => {
    const { tracesUrl, logsUrl } = otlpSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318/",
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "http://logs/in",
    });
    expect([tracesUrl, logsUrl]).toEqual(["http://c:4318/v1/traces", "http://logs/in"]);
  });
  it("settings for OTLP parse headers with percent-encoded values, and prefer those of the signal", () => {
    const { tracesHeaders, logsHeaders } = otlpSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://c",
      OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%3Db, x=1",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x=2",
    });
    expect(tracesHeaders).toEqual({ "api-key": "a=b", x: "2" });
    expect(logsHeaders).toEqual({ "api-key": "a=b", x: "1" });
  });
  it("settings for OTLP report a missing endpoint, and that gRPC is not supported", () => {
    expect(() => otlpSettings({})).toThrow("needs OTEL_EXPORTER_OTLP_ENDPOINT");
    expect(() =>
      otlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }),
    ).toThrow("Use http/json");
  });
  it.each(["abc", "0", "-1"])("settings for OTLP reject the timeout %s", (timeout) => {
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_EXPORTER_OTLP_TIMEOUT: timeout };
    expect(() => otlpSettings(variables)).toThrow(
      "OTEL_EXPORTER_OTLP_TIMEOUT must be a number of milliseconds above 0.",
    );
    expect(otlpSettings({ ...variables, OTEL_EXPORTER_OTLP_TIMEOUT: "" }).timeoutMs).toBe(10_000);
  });
  it("settings for OTLP use the service name of the OpenTelemetry variables", () => {
    expect(
      resourceAttributes({ OTEL_RESOURCE_ATTRIBUTES: "team=x,service.name=y", OTEL_SERVICE_NAME: "z" }, "1"),
    ).toMatchObject({ "service.name": "z", team: "x" });
  });
});
