import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { Route } from "./route.ts";

type Schema = z.core.JSONSchema.BaseSchema;

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

/** Describes the routes as an OpenAPI 3.1 document, with the schemas that validate their input. */
export async function describeRoutes(routes: readonly Route[]): Promise<object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    // All routes together take 24 to 81 ms on a cold start, which would delay proxied traffic.
    await setImmediate();
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Toolmend", version: "1", description: "Which tools fail, why, in which sessions and models." },
    paths,
    components: { schemas: { Error: jsonSchema(errorSchema) } },
  };
}

function operation({ summary, isDeprecated, path, query, body, returns, response, errors }: Route): object {
  const parameters = [...(path.endsWith("/{id}") ? [ID_IN_PATH] : []), ...queryParameters(query)];
  return {
    summary,
    ...(isDeprecated === true && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: content(body.types, body.schema) } }),
    responses: {
      "200": {
        description: returns,
        content: response === undefined ? { "text/event-stream": {} } : content(["application/json"], response),
      },
      ...errorResponses({
        ...((parameters.length > 0 || body !== undefined) && {
          400: "The input is invalid. The message names the field.",
        }),
        ...errors,
        ...(body !== undefined && { 413: `The body is larger than ${body.maxBytes} bytes.` }),
        ...(response !== undefined && { 503: "The store query failed." }),
      }),
    },
  };
}

const ID_IN_PATH = { name: "id", in: "path", required: true, schema: { type: "string" } };

function queryParameters(query: z.ZodObject): readonly object[] {
  const { properties = {}, required = [] } = jsonSchema(query);
  return (
    Object.entries(properties as Record<string, Schema>)
      // Accepts no value: it exists only to reject the parameter.
      .filter(([, schema]) => schema.not === undefined)
      .map(([name, { description, ...schema }]) => ({
        ...{ name, in: "query", required: required.includes(name) },
        ...(description !== undefined && { description }),
        schema,
      }))
  );
}

function errorResponses(errors: { readonly [status: number]: string }): object {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  return Object.fromEntries(Object.entries(errors).map(([status, description]) => [status, { description, content }]));
}

function content(types: readonly string[], schema: z.ZodType): object {
  return Object.fromEntries(types.map((type) => [type, { schema: jsonSchema(schema) }]));
}

/** Describes input, so that new fields in responses stay compatible. */
function jsonSchema(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
    io: "input",
    override({ jsonSchema: one }) {
      // Every integer is a safe one.
      if (one.maximum === Number.MAX_SAFE_INTEGER) delete one.maximum;
      if (one.minimum === Number.MIN_SAFE_INTEGER) delete one.minimum;
    },
  });
  return described;
}
