import { expect, it } from "vitest";
import { createLogger } from "./logger.ts";

it("redacts secrets in messages, fields, lists and errors", () => {
  const lines: string[] = [];
  const logger = createLogger("debug", { write: (line) => void lines.push(line) });
  logger.warn("connect postgres://u:hunter22@db failed");
  logger.warn({ problem: "password=hunter22", tries: 3 }, "store");
  logger.warn({ deep: { list: ["mysql -phunter22"] } }, "x");
  logger.error({ err: new Error("token: hunter22hunter22") }, "boom");
  logger.error(new Error("Authorization: Bearer hunter22hunter22"));
  expect(lines).toHaveLength(5);
  expect(lines.join("")).not.toContain("hunter22");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 40, msg: "connect postgres://u:[secret]@db failed" });
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ problem: "password=[secret]", tries: 3, msg: "store" });
  expect(JSON.parse(lines[3] ?? "")).toMatchObject({ err: { type: "Error", message: "token: [secret]" } });
});
