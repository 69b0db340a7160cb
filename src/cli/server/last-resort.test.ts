import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const MODULE = fileURLToPath(new URL("./listen.ts", import.meta.url));

it("keeps the process alive after an uncaught exception and an unhandled rejection, and reports both", () => {
  const script = `
    import { containUncaught } from ${JSON.stringify(MODULE)};
    containUncaught((kind, error) => {
      console.log(kind, error.message);
      throw new Error("the log is broken");
    });
    setTimeout(() => { throw new Error("in a timer"); }, 1);
    setTimeout(() => void Promise.reject(new Error("in a promise")), 20);
    setTimeout(() => console.log("alive"), 60);
  `;
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect([stdout, status]).toEqual(["uncaught in a timer\nuncaught in a promise\nalive\n", 0]);
});
