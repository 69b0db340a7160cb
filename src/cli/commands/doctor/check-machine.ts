import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataFolder } from "../../../ingest/data-folder.ts";
import type { Config } from "../../config.ts";
import { hasEmbeddedStore } from "../../embedded-store.ts";
import { packageRoot } from "../../version.ts";
import type { CheckResult } from "./check-result.ts";

export function checkNode(): CheckResult {
  const detail = `Node ${process.versions.node}`;
  if (hasEmbeddedStore()) return { check: "runtime", status: "ok", detail };
  return { check: "runtime", status: "failed", detail, advice: "The embedded store needs Node 24.15 or newer." };
}

export function checkDataFolder({ data }: Config): CheckResult {
  const { path } = dataFolder(data);
  try {
    const nearest = nearestExisting(path);
    accessSync(nearest, constants.W_OK);
    if (!statSync(nearest).isDirectory()) throw new Error("not a folder");
    if (nearest !== path) return { check: "data folder", status: "ok", detail: `${path} (created at the first start)` };
    const open = (statSync(path).mode & 0o077) !== 0;
    if (!open) return { check: "data folder", status: "ok", detail: path };
    return {
      check: "data folder",
      status: "warning",
      detail: `${path} is readable by other users`,
      advice: `chmod 700 ${path}`,
    };
  } catch {
    return {
      check: "data folder",
      status: "failed",
      detail: `${path} is not writable`,
      advice: "Choose another folder with --data.",
    };
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

export function checkDashboard(): CheckResult {
  const built = existsSync(join(packageRoot, "dist", "dashboard", "index.html"));
  if (built) return { check: "dashboard", status: "ok", detail: "built" };
  return {
    check: "dashboard",
    status: "warning",
    detail: "not built",
    advice: "Run `npm run build`; `npm start` builds it too.",
  };
}
