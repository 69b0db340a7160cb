import { describe, expect, it } from "vitest";
import { checkNode } from "./check-machine.ts";

describe("the check of the runtime", () => {
  it("warns if the variables of a proxy have no effect on this version of Node", () => {
    const environment = { HTTPS_PROXY: "http://127.0.0.1:3128" };
    expect(checkNode(environment, "22.13.0")).toEqual({
      check: "runtime",
      status: "warning",
      detail: "Node 22.13.0 ignores HTTPS_PROXY",
      advice: "Use Node 24.5 or newer to reach upstreams through a proxy.",
    });
    expect(checkNode(environment, "24.5.0")).toMatchObject({ status: "ok" });
    expect(checkNode({}, "22.13.0")).toMatchObject({ status: "ok" });
  });
});
