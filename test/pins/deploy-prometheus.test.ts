import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { createMetrics } from "../../src/export/prometheus.ts";
import { notRun } from "../support/not-run.ts";
import { promtool, promtoolProblem } from "../support/promtool.ts";

const rules = readFileSync("deploy/prometheus/toolmend.rules.yml", "utf8");
const grafana = JSON.parse(readFileSync("deploy/grafana/toolmend.json", "utf8")) as {
  uid: string;
  panels: { id: number; title: string; datasource: { uid: string }; targets: { expr: string }[] }[];
};

async function metricNames(): Promise<Set<string>> {
  const { text } = await createMetrics(() => ({
    ...{ acknowledged: 0, applied: 0, dropped: 0, rejected: 0, unapplied_bytes: 0 },
  })).render();
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string));
}
const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\btoolmend_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ""))),
];

describe.skipIf(promtoolProblem !== undefined)(`Prometheus rules${notRun(promtoolProblem)}`, () => {
  it("the rules pass promtool's check", () => {
    expect(promtool(["check", "rules", "deploy/prometheus/toolmend.rules.yml"])).toBe("");
  });
  it("the rules belong to a configuration that promtool accepts", () => {
    expect(promtool(["check", "config", "--syntax-only", "deploy/prometheus/prometheus.yml"])).toBe("");
  });
  it("the rules work in a Kubernetes configuration that promtool accepts, without pod discovery, which not every promtool supports", () => {
    const { scrape_configs } = parse(readFileSync("deploy/prometheus/kubernetes.yml", "utf8")) as {
      scrape_configs: { kubernetes_sd_configs?: unknown; authorization?: unknown }[];
    };
    const [job] = scrape_configs;
    const { kubernetes_sd_configs: found, ...rest } = job ?? {};
    expect(found).toEqual([{ role: "pod", selectors: [{ role: "pod", label: "app=toolmend" }] }]);
    const folder = mkdtempSync(join(tmpdir(), "toolmend-prometheus-"));
    const file = join(folder, "prometheus.yml");
    writeFileSync(file, stringify({ scrape_configs: [{ ...rest, static_configs: [{ targets: ["pod:4100"] }] }] }));
    expect(promtool(["check", "config", "--syntax-only", file])).toBe("");
    rmSync(folder, { recursive: true });
    expect(rest.authorization).toEqual({ credentials_file: "/etc/prometheus/toolmend/token" });
  });
  it("the rules fire or stay inactive as their own tests expect", () => {
    expect(promtool(["test", "rules", "deploy/prometheus/toolmend.test.yml"])).toBe("");
  });
});

describe("queries of the Prometheus rules and the Grafana dashboard", () => {
  it("the queries use only metrics that /metrics has", async () => {
    const known = await metricNames();
    const used = namesIn(rules + grafana.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join("\n"));
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });
  it("the queries compare the failure rate and the calls of providers", () => {
    const byProvider = grafana.panels.filter(({ targets }) =>
      targets.some(({ expr }) => expr.includes("sum by (provider)")),
    );
    expect(byProvider.map(({ title }) => title)).toEqual(["Failure ratio by provider", "Calls by provider"]);
  });
  it("the queries belong to a dashboard with a stable uid, distinct panels and no fixed data source", () => {
    expect(grafana.uid).toBe("toolmend");
    expect(new Set(grafana.panels.map(({ id }) => id)).size).toBe(grafana.panels.length);
    expect(new Set(grafana.panels.map(({ datasource }) => datasource.uid))).toEqual(
      new Set(["$".concat("{datasource}")]),
    );
  });
});
