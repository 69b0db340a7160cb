import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DCLinter } from "dclint";
import { validate as dockerfileProblems, ValidationSeverity } from "dockerfile-utils";
import { StatefulSet } from "kubernetes-models/apps/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { Service } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const manifests = parseAllDocuments(readFileSync("deploy/kubernetes/toolmend.yaml", "utf8")).map(
  (document) => document.toJS() as { kind: string; spec: Record<string, never> },
);
const KINDS = { Service, StatefulSet, PodDisruptionBudget } as const;

interface Finding {
  readonly messages: readonly { readonly type: string; readonly message: string }[];
}
function composeErrors(file: string): readonly string[] {
  const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] });
  const findings = linter.lintFiles([file], false) as readonly Finding[];
  return findings.flatMap(({ messages }) =>
    messages.filter(({ type }) => type === "error").map(({ message }) => message),
  );
}

describe("deployment files", () => {
  it("the Dockerfile passes dockerfile-utils, runs as an unprivileged user and has a health check", () => {
    const text = readFileSync("deploy/Dockerfile", "utf8");
    const problems = dockerfileProblems(text, { deprecatedMaintainer: ValidationSeverity.ERROR });
    expect(problems.map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
    expect(text).toMatch(/^USER node$/m);
    expect(text).toMatch(/^HEALTHCHECK /m);
  });

  it("the compose file matches dclint's schema, with two replicas, a database and Prometheus", () => {
    expect(composeErrors("deploy/docker-compose.yml")).toEqual([]);
    const { services } = parse(readFileSync("deploy/docker-compose.yml", "utf8"), { merge: true }) as {
      services: Record<string, { environment?: Record<string, string> }>;
    };
    expect(Object.keys(services).sort()).toEqual(["postgres", "prometheus", "toolmend-a", "toolmend-b"]);
    expect(services["toolmend-b"]?.environment?.TOOLMEND_STORE).toMatch(/^postgres:\/\//);
  });

  it("the validators reject invalid files", () => {
    const folder = mkdtempSync(join(tmpdir(), "toolmend-compose-"));
    const file = join(folder, "docker-compose.yml");
    writeFileSync(file, "services:\n  a:\n    image: x\n    ports: yes\n");
    expect(composeErrors(file)).not.toEqual([]);
    rmSync(folder, { recursive: true });
    expect(dockerfileProblems("FROM node\nEXPOSE abc\n")).not.toEqual([]);
  });

  it("the Kubernetes manifest matches the models of kubernetes-models", () => {
    expect(manifests.map(({ kind }) => kind)).toEqual(["Service", "Service", "StatefulSet", "PodDisruptionBudget"]);
    for (const manifest of manifests) new KINDS[manifest.kind as keyof typeof KINDS](manifest as never).validate();
    expect(() => new StatefulSet({ spec: { replicas: "two" } } as never).validate()).toThrow();
  });

  it("the Kubernetes pods are scraped with the token of the same secret, and the manifest claims no scraping without it", () => {
    const [secret, ...others] =
      readFileSync("deploy/kubernetes/toolmend.yaml", "utf8").match(/secretKeyRef: .*token/g) ?? [];
    expect([secret, others]).toEqual(["secretKeyRef: { name: toolmend, key: token", []]);
    const { kind, spec } = parse(readFileSync("deploy/kubernetes/servicemonitor.yaml", "utf8")) as {
      kind: string;
      spec: {
        selector: { matchLabels: Record<string, string> };
        endpoints: { port: string; authorization: unknown }[];
      };
    };
    expect(kind).toBe("ServiceMonitor");
    expect(spec.endpoints).toMatchObject([
      { port: "http", path: "/metrics", authorization: { credentials: { name: "toolmend", key: "token" } } },
    ]);
    const services = manifests.filter((manifest) => manifest.kind === "Service") as unknown as {
      metadata: { name: string; labels: Record<string, string> };
    }[];
    const selected = services.filter(({ metadata: { labels } }) =>
      Object.entries(spec.selector.matchLabels).every(([name, value]) => labels[name] === value),
    );
    expect(selected.map(({ metadata }) => metadata.name)).toEqual(["toolmend-pods"]);
    expect(JSON.stringify(manifests)).not.toContain("prometheus.io/scrape");
  });

  it("the Kubernetes manifest is the same in every namespace", () => {
    const text = readFileSync("deploy/kubernetes/toolmend.yaml", "utf8");
    expect(text).not.toMatch(/default\.svc|namespace: \S/);
    expect(text).toContain("toolmend.$(NAMESPACE).svc.cluster.local");
  });

  const missing = spawnSync("systemd-analyze", ["--version"]).status !== 0;
  it.skipIf(missing)(
    `systemd accepts the unit file${missing ? " (not run: systemd-analyze is not installed)" : ""}`,
    () => {
      const folder = mkdtempSync(join(tmpdir(), "toolmend-unit-"));
      const unit = join(folder, "toolmend.service");
      writeFileSync(unit, readFileSync("deploy/systemd/toolmend.service", "utf8"));
      const { stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], { encoding: "utf8" });
      rmSync(folder, { recursive: true });
      expect(stderr.split("\n").filter((line) => line.includes("toolmend.service"))).toEqual([]);
    },
  );
});
