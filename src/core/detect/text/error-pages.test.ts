import { describe, expect, test } from "vitest";
import { answer, shell } from "../../../../test/support/classify.ts";
import { findErrorPage } from "./harness-sentences.ts";
import { textWindow } from "./text-window.ts";

describe("pages and answers instead of the requested content", () => {
  test("an error page below the heading of a client is a failure", () => {
    const page = "Contents of https://feeds.example/a:\n<html><head><title>502 Bad Gateway</title></head></html>";
    expect(answer("fetch", page, { url: "https://feeds.example/a" })).toMatchObject({
      status: "failed",
      category: "http_server_error",
    });
  });

  test("the page that asks whether a person is there is a failure, a text about it is none", () => {
    const challenge = "Title: Just a moment...\n\nshop.example\n\nVerifying you are human. Please wait.";
    expect(answer("read_url", challenge, { url: "https://shop.example" })).toMatchObject({
      status: "failed",
      category: "permission_denied",
    });
    const article = "Our help page says: Just a moment... is what visitors see while we load the map of the harbor.";
    expect(answer("read_url", article, { url: "https://harbor.example" }).status).toBe("ok");
  });

  test("the error of a file is found in any language, code that handles it is content", () => {
    const missing = "Verzeichnis konnte nicht gelesen werden: /srv/logz (ENOENT)\nGemeint: /srv/logs";
    expect(answer("list_dir", missing, { path: "/srv/logz" }).status).toBe("failed");
    const code = "if (error.code === 'ENOENT') {\n  return undefined;\n}";
    expect(answer("read_file", code, { path: "src/load.ts" }).status).toBe("ok");
  });

  test("what a server of kubectl or docker refuses is an error", () => {
    const forbidden =
      'Error from server (Forbidden): error when creating "job.yaml": jobs.batch is forbidden: User "ci" cannot create jobs';
    expect(shell("kubectl apply -f job.yaml", forbidden)).toMatchObject({
      status: "failed",
      category: "permission_denied",
    });
  });

  test("a page with an error behind the name of the site is a failure, whatever was searched", () => {
    const page = "<!DOCTYPE html>\n<html><head><title>shop.example | 522: Connection timed out</title></head></html>";
    expect(answer("search_products", page)).toMatchObject({ status: "failed", category: "http_server_error" });
  });

  test("the title is read from its start, and a status behind the name of the site", () => {
    const found = (title: string) => findErrorPage(textWindow(`<html><head><title>${title}</title></head></html>`));
    expect(found("404 Not Found | Shop")).toMatchObject({ words: "404 Not Found | Shop" });
    expect(found("Shop | 502: Bad gateway")).toMatchObject({ rule: "error-page" });
    expect(found("Films | Forbidden Planet")).toBeUndefined();
  });

  test("the page of a service that blocks a visitor is a failure, also as text", () => {
    const page =
      "# Sorry, you have been blocked\n\nYou are unable to access a.example\n\nThis website is using a security service to protect itself from online attacks.";
    expect(answer("scrape", page, { url: "https://a.example" })).toMatchObject({
      status: "failed",
      category: "permission_denied",
    });
  });
});
