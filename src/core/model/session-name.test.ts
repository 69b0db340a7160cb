import { expect, it } from "vitest";
import { firstWords, folderName, searchWords, sessionName } from "./session-name.ts";

it("names a folder by the last part of its path, on every system", () => {
  expect(folderName("/home/ann/work/shop/")).toBe("shop");
  expect(folderName("C:\\Users\\ann\\shop")).toBe("shop");
  expect(folderName("/")).toBeUndefined();
  expect(folderName("")).toBeUndefined();
});

it("cuts the first words of a prompt at a word, in one line", () => {
  expect(firstWords("  Fix\n\tthe login ")).toBe("Fix the login");
  expect(firstWords(`${"word ".repeat(30)}`)).toBe(`${"word ".repeat(16).trim()}…`);
  expect(firstWords("x".repeat(500))).toBe(`${"x".repeat(80)}…`);
});

it("splits names into the words that a search compares", () => {
  expect(searchWords("Shop-API feature/登录_page shop")).toEqual(["shop", "api", "feature", "登录", "page"]);
});

it("joins the known parts of a name", () => {
  expect(sessionName({ folder: "shop", branch: null, client: "codex" })).toBe("shop · codex");
  expect(sessionName({ client: null })).toBeNull();
  expect(sessionName({ client: "plain" })).toBeNull();
});
