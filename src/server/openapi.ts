import { z } from "zod/v4";
import type { Endpoint } from "./endpoint.js";

const ERROR = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["name", "message"],
      properties: { name: { type: "string" }, message: { type: "string" } },
    },
  },
} as const;

function answersOf({ events, lines }: Endpoint): Record<string, unknown> {
  if (lines !== undefined) return { "application/x-ndjson": { schema: { type: "string" } } };
  return {
    "application/json": { schema: { type: "object" } },
    ...(events === undefined ? {} : { "text/event-stream": { schema: { type: "string" } } }),
  };
}

function operationOf(endpoint: Endpoint): Record<string, unknown> {
  const schema = z.toJSONSchema(endpoint.body, { io: "input", unrepresentable: "any" });
  return {
    summary: endpoint.summary,
    operationId: endpoint.path.replace("/v1/", "").replaceAll("/", "_"),
    requestBody: { content: { "application/json": { schema } } },
    responses: {
      200: { description: "What the call of this name gives.", content: answersOf(endpoint) },
      default: { description: "What was wrong.", content: { "application/json": { schema: ERROR } } },
    },
  };
}

/** The endpoints as an OpenAPI document, made of the schemas that check their bodies. */
export function openApiOf(endpoints: readonly Endpoint[]): Record<string, unknown> {
  return {
    openapi: "3.1.0",
    info: { title: "simplemem-langchain", version: "1" },
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    security: [{ token: [] }],
    paths: Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, { post: operationOf(endpoint) }])),
  };
}
