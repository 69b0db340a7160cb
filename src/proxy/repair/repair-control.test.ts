import { expect, it } from "vitest";
import { RepairControl } from "./repair-control.ts";

const SUSPENSION = { project: "default", session_id: "s", provider: "vllm", model: "qwen", at: 1000 };

it('RepairControl forgets the override after "config"', () => {
  const control = new RepairControl({ config: { mode: "known" }, now: () => 2000 });
  control.choose({ mode: "off" });
  control.choose({ mode: "config" });
  expect(control.status.overrides).toEqual([]);
});

it('RepairControl keeps "config" while it ends a suspension', () => {
  const control = new RepairControl({ config: { mode: "known" }, now: () => 2000 });
  control.suspend([SUSPENSION]);
  expect(control.status.suspended).toEqual([SUSPENSION]);
  control.choose({ mode: "known" });
  control.suspend([SUSPENSION]);
  control.choose({ mode: "config" });
  control.suspend([SUSPENSION]);
  expect(control.status.overrides).toEqual([{ mode: "config", at: 2000 }]);
  expect(control.status.suspended).toEqual([]);
});
