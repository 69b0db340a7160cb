import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeRoutes } from "./openapi.ts";
import { jsonBody, type Route, route } from "./route.ts";
import { ROUTES } from "./routes.ts";

interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Readonly<Record<string, unknown>> } };
}
const describeAll = async (routes: readonly Route[]): Promise<Document> => (await describeRoutes(routes)) as Document;

describe("/api/openapi.json", () => {
  it("describes the operations that clients rely on", async () => {
    const { paths } = await describeAll(ROUTES);
    expect(Object.entries(paths).map(([path, methods]) => `${path} ${Object.keys(methods)}`)).toEqual([
      "/api/summary get",
      "/api/status get",
      "/api/tools get",
      "/api/breakdown get",
      "/api/trends get",
      "/api/regressions get",
      "/api/worse get",
      "/api/series get",
      "/api/tool-model get",
      "/api/fingerprints get",
      "/api/fingerprints/{id} get,post",
      "/api/coverage get",
      "/api/calls get",
      "/api/recent get",
      "/api/sessions get,delete",
      "/api/sessions/{id} get,delete",
      "/api/usage get",
      "/api/turns/{id} get",
      "/api/origins get",
      "/api/leaks get",
      "/api/call-repairs get",
      "/api/call-faults get",
      "/api/repair get",
      "/api/settings/repair post",
      "/api/loops get",
      "/api/guard get",
      "/api/settings/guard post",
      "/api/second-chances get",
      "/api/second-chance get",
      "/api/settings/second-chance post",
      "/api/live get",
      "/api/ingest post",
      "/api/import get,post",
      "/api/export get,post",
      "/api/openapi.json get",
    ]);
    expect(paths["/api/worse"]?.get?.deprecated).toBe(true);
  });

  it("describes the parameters that a route accepts, without those that it rejects", async () => {
    const { paths } = await describeAll(ROUTES);
    const parameters = paths["/api/fingerprints"]?.get?.parameters as readonly { readonly name: string }[];
    expect(parameters.map(({ name }) => name)).toEqual([
      ...["project", "since", "until", "tool", "model", "category", "limit", "advice"],
    ]);
    expect(parameters.at(-2)).toEqual({
      ...{ name: "limit", in: "query", required: false },
      schema: { type: "integer", minimum: 1, maximum: 1000, default: 100 },
    });
  });

  it("derives parameters, body and errors from the schemas of a route", async () => {
    const made = route({
      ...{ method: "POST", path: "/api/things/{id}", summary: "Change a thing.", returns: "The thing." },
      query: z.object({ color: z.enum(["red", "blue"]).describe("Its new color.") }),
      body: jsonBody(z.object({ size: z.int().min(0) })),
      response: z.object({ size: z.int() }),
      errors: { 404: "Thing not found." },
      handler: async ({ body: { size } }) => ({ size }),
    });
    const error = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
    const object = (size: object): object => ({ type: "object", properties: { size }, required: ["size"] });
    expect((await describeAll([made])).paths).toEqual({
      "/api/things/{id}": {
        post: {
          summary: "Change a thing.",
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string" } },
            {
              ...{ name: "color", in: "query", required: true, description: "Its new color." },
              schema: { type: "string", enum: ["red", "blue"] },
            },
          ],
          requestBody: {
            required: true,
            content: { "application/json": { schema: object({ type: "integer", minimum: 0 }) } },
          },
          responses: {
            200: {
              description: "The thing.",
              content: { "application/json": { schema: object({ type: "integer" }) } },
            },
            400: { description: "The input is invalid. The message names the field.", content: error },
            404: { description: "Thing not found.", content: error },
            413: { description: "The body is larger than 65536 bytes.", content: error },
            503: { description: "The store query failed.", content: error },
          },
        },
      },
    });
  });
});
