import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDashboardFiles } from "./dashboard-files.ts";

let root: string;
let server: http.Server;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "toolmend-dashboard-"));
  mkdirSync(join(root, "site", "assets"), { recursive: true });
  writeFileSync(join(root, "site", "index.html"), "<page>");
  writeFileSync(join(root, "site", "assets", "page-abc.js"), "code");
  writeFileSync(join(root, "secret.txt"), "secret");
  const files = createDashboardFiles(join(root, "site"));
  server = http.createServer((request, response) => {
    files(request, response, (request.url ?? "/").replace(/\?.*/, "")).catch(() => {
      response.writeHead(500).end("broken");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true, force: true });
});

/** Sends the path unchanged; fetch would normalize it. */
async function get(
  path: string,
  method = "GET",
): Promise<{ status: number | undefined; body: string; type: string | undefined }> {
  const { response, body } = await request(path, method);
  return { status: response.statusCode, body: String(body), type: response.headers["content-type"] };
}

async function request(
  path: string,
  method: string,
  headers: http.OutgoingHttpHeaders = {},
): Promise<{ response: http.IncomingMessage; body: Buffer }> {
  const { port } = server.address() as AddressInfo;
  const sent = http.request({ port, host: "127.0.0.1", path, method, headers, agent: false });
  sent.end();
  const [response] = (await once(sent, "response")) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { response, body: Buffer.concat(chunks) };
}

it.each([
  ["/", 200, "<page>"],
  ["/sessions", 200, "<page>"],
  ["/nope", 404, "<page>"],
  ["/assets/page-abc.js", 200, "code"],
  ["/assets/page%2Dabc.js", 200, "code"],
  ["/assets/missing.js", 404, "File not found"],
  ["/../secret.txt", 404, "<page>"],
  ["/%2e%2e/secret.txt", 404, "<page>"],
  ["/..%2fsecret.txt", 404, "<page>"],
  ["/assets/..%2f..%2fsecret.txt", 404, "<page>"],
  ["/a%00.js", 404, "File not found"],
  ["/%E0%A4", 404, "File not found"],
])("GET %s returns %i with %s", async (path, status, body) => {
  const response = await get(path);
  expect(response.status).toBe(status);
  expect(response.body).toContain(body);
  expect(response.body).not.toContain("secret");
});

it("POST returns 404, and HEAD returns the headers without a body", async () => {
  expect((await get("/", "POST")).status).toBe(404);
  expect(await get("/", "HEAD")).toMatchObject({ status: 200, body: "", type: "text/html; charset=utf-8" });
});

it.each([
  ["the old path of a page", "/why?tool=a%20b", "/errors?tool=a%20b"],
  ["a session in the path", "/session/abc-1?range=7d", "/session?range=7d&id=abc-1"],
  ["a session below the list", "/sessions/abc-1", "/session?id=abc-1"],
  ["a tool in the path", "/tool/mcp__a%2Fb", "/tool?name=mcp__a%2Fb"],
  ["a name that looks like another host", "/session//evil.example/x", "/session?id=%2Fevil.example%2Fx"],
])("%s redirects to the page and keeps the query", async (_what, path, location) => {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([308, location]);
});

it.each([
  ["gzip, deflate, br", "br", brotliDecompressSync],
  ["gzip", "gzip", gunzipSync],
  ["br;q=0, gzip", "gzip", gunzipSync],
])("a client that accepts %s gets %s, also after the file has changed", async (accepted, encoding, decompress) => {
  for (const text of ["body {}", "body { color: red }"]) {
    writeFileSync(join(root, "site", "assets", "style-abc.css"), text);
    const { response, body } = await request("/assets/style-abc.css", "GET", { "accept-encoding": accepted });
    expect(response.headers["content-encoding"]).toBe(encoding);
    expect(String(decompress(body))).toBe(text);
  }
});
