import { expect, it } from "vitest";
import { firstWords, folderName, searchWords, sessionName } from "./session-name.ts";

it("a folder is named by the last part of its path, on every system", () => {
  expect(folderName("/home/ann/work/shop/")).toBe("shop");
  expect(folderName("C:\\Users\\ann\\shop")).toBe("shop");
  expect(folderName("/")).toBeUndefined();
  expect(folderName("")).toBeUndefined();
});

it("the first words of a prompt are cut at a word, in one line", () => {
  expect(firstWords("  Fix\n\tthe login ")).toBe("Fix the login");
  expect(firstWords(`${"word ".repeat(30)}`)).toBe(`${"word ".repeat(16).trim()}…`);
  expect(firstWords("x".repeat(500))).toBe(`${"x".repeat(80)}…`);
});

it("names are split into the words that a search compares", () => {
  expect(searchWords("Shop-API feature/登录_page shop")).toEqual(["shop", "api", "feature", "登录", "page"]);
});

it("a session's name joins its known parts", () => {
  expect(sessionName({ folder: "shop", branch: null, client: "codex" })).toBe("shop · codex");
  expect(sessionName({ client: null })).toBeNull();
  expect(sessionName({ client: "plain" })).toBeNull();
});
