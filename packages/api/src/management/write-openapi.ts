// `/openapi.json`: the management API from its table of routes, and the endpoints that call models from the schemas of
// the wire package. Nothing is described here that is not checked by these schemas.
import { requestBounds } from "@turnpike/wire";
import { appRouter } from "../app-router.ts";
import type { ProcedureMeta } from "../procedure.ts";
import { describeRoute, type Schema, type Schemas } from "./describe-route.ts";
import { describeLeakReport, leakReportPath } from "./leak-report.ts";
import { managementRoutes } from "./management-routes.ts";
import { namesReferredTo, stateBounds } from "./state-bounds.ts";
import { addWireSchemas } from "./wire-components.ts";
import { describeWireOperations } from "./wire-operations.ts";

const version = "1.0.0";

/** `publicUrl` has no `/v1`: the paths have it. */
export function writeOpenApi({
  productName,
  publicUrl,
}: {
  readonly productName: string;
  readonly publicUrl: string;
}): Schema {
  const schemas: Schemas = {};
  addWireSchemas(schemas);
  const paths: Record<string, Schema> = describeWireOperations();
  const answers = Object.values(paths).map((methods) => responsesOf(methods));
  const answered = namesReferredTo(answers, schemas);
  stateBounds(schemas, { requests: requestBounds, answered });
  for (const route of managementRoutes) {
    const operation = describeRoute(route, metaOfProcedure, schemas);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  paths[leakReportPath] = describeLeakReport();
  return {
    openapi: "3.1.0",
    info: {
      title: `${productName} API`,
      version,
      description: "Models, and the management of an account. Errors have one shape.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl }],
    security: [{ managementKey: [] }],
    tags: tagsOf(),
    paths,
    components: { schemas: { ...schemas, Fault: faultSchema }, ...shared },
  };
}

function responsesOf(methods: Schema): readonly unknown[] {
  return Object.values(methods).map((operation) => Object(operation).responses);
}

function tagsOf(): readonly Schema[] {
  const names = new Set([
    "Models",
    "Files",
    "Batches",
    "Stored responses",
    "Stored interactions",
    "Conversations",
    "Leaked keys",
    ...managementRoutes.map(({ tag }) => tag),
  ]);
  return [...names].map((name) => ({ name }));
}

const faultSchema = {
  type: "object",
  properties: {
    error: {
      type: "object",
      description: "What went wrong.",
      properties: {
        message: { type: "string", description: "Human-readable text of what went wrong." },
        type: {
          type: "string",
          description: "Kind of the error, such as `invalid_request_error`.",
        },
        param: {
          type: ["string", "null"],
          description: "Path of the field that is wrong, if one is.",
        },
        code: {
          type: ["string", "null"],
          description: "Machine-readable code of what went wrong.",
        },
        metadata: {
          type: "object",
          additionalProperties: true,
          description: "Facts such as the limit that was reached.",
        },
      },
      required: ["message", "type", "param", "code"],
    },
  },
  required: ["error"],
} as const;

const shared = {
  responses: {
    Error: {
      description: "Refused; `error` says why.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Fault" } } },
    },
    AnthropicError: {
      description: "Refused, in the shape of Anthropic's API.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/MessagesError" } } },
    },
    GoogleError: {
      description: "Refused, in the format of Google's APIs.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/GeminiError" } } },
    },
  },
  parameters: {
    IdempotencyKey: {
      name: "Idempotency-Key",
      in: "header",
      description: "The call is done once within 24 hours, however often it is sent.",
      schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]+$" },
    },
  },
  securitySchemes: {
    apiKey: { type: "http", scheme: "bearer", description: "`sk-tp-…`: calls models." },
    managementKey: {
      type: "http",
      scheme: "bearer",
      description: "`sk-tpm-…`: manages the account, with the permissions it was given.",
    },
  },
} as const;

/** tRPC keeps what a procedure demands in `_def`. Throws for a name that is no procedure. */
export function metaOfProcedure(name: string): ProcedureMeta {
  const procedures: Readonly<Record<string, unknown>> = appRouter._def.procedures;
  const procedure = procedures[name];
  if (typeof procedure !== "function" || !("_def" in procedure)) {
    throw new Error(`there is no procedure ${name}`);
  }
  const { meta }: { meta?: ProcedureMeta } = Object(procedure._def);
  return meta ?? {};
}
