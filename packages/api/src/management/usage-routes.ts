// Usage and requests over the management API.
import type { ProjectId } from "@turnpike/base";
import { requestOperations } from "@turnpike/db";
import { usageDimensions } from "@turnpike/reports";
import { z } from "zod";
import { idInput, line, timeZoneInput } from "../inputs.ts";
import { logIdInput, logsInput } from "../routers/logs.ts";
import { usageGroupsFields } from "../routers/usage-groups.ts";
import { defineRoute, pageSchema } from "./define-route.ts";

const instant = z.iso.datetime();
const usd = z.string().describe("USD, as an exact decimal.");
const milliseconds = z.number().nullable();

const sums = {
  costUsd: usd,
  requests: z.int(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  cachedTokens: z.int(),
};

const usageSchema = z
  .object({
    coveredFrom: instant
      .nullable()
      .describe("Where the sums begin, if there are too many requests to add all of them up."),
    total: z
      .object({
        ...sums,
        errorRate: z.number().nullable(),
        p50Ms: milliseconds,
        p95Ms: milliseconds,
        firstTokenP50Ms: milliseconds,
      })
      .describe("Of the whole range, on every page."),
    data: z
      .array(
        z.object({
          group: z
            .array(
              z.object({ dimension: z.enum(usageDimensions), id: z.string(), label: z.string() }),
            )
            .describe("In the order of `group_by`."),
          errorRate: z.number().nullable(),
          ...sums,
        }),
      )
      .describe("In the order of the ids."),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "Usage" });

const request = {
  id: z.string().describe("`gen-…`"),
  at: instant,
  status: z.int().nullable(),
  outcome: z.string(),
  errorCode: z.string().nullable(),
  model: z.string(),
  provider: z.string(),
  keyId: z.uuid().nullable().describe("Null for the playground."),
  keyName: z.string().nullable(),
  app: z.string().nullable().describe("How the calling application names itself."),
  user: z.string().nullable().describe("Whom it called for, as the request names them."),
  origin: z.string(),
  operation: z.enum(requestOperations),
  promptTokens: z.int(),
  completionTokens: z.int(),
  cached: z.boolean(),
  costUsd: usd,
  firstTokenMs: milliseconds,
  totalMs: milliseconds,
  streamed: z.boolean(),
  cachedFrom: z.string().nullable(),
};

const requestSchema = z.object(request).meta({ id: "Request" });

const attemptSchema = z.object({
  provider: z.string(),
  model: z.string(),
  status: z.int().describe("0 if there was no response."),
  error: z.string().nullable(),
  firstByteMs: milliseconds,
  startedMs: z.number().optional().describe("Since the request was received."),
  waitedMs: z.number().optional().describe("Until the first byte, or until it had failed."),
});

const requestDetailSchema = z
  .object({
    ...request,
    requestId: z.string().nullable(),
    usageSource: z.string(),
    cachedTokens: z.int(),
    cacheWriteTokens: z.int(),
    reasoningTokens: z.int(),
    serviceTier: z.string().nullable(),
    finishReason: z.string().nullable(),
    nativeFinishReason: z.string().nullable(),
    heldUsd: usd,
    chargedUsd: usd,
    priceVersion: z.string().nullable(),
    attempts: z.array(attemptSchema).readonly(),
    maxTokens: z.int().nullable(),
    overheadMs: milliseconds,
    userAgent: z.string().nullable(),
    endedAt: instant.nullable(),
  })
  .meta({ id: "RequestDetail" });

const storedPromptSchema = z
  .object({
    request: z.unknown().describe("As it was sent, without files."),
    answer: z.unknown().describe("A stream is joined to one answer. Null if there was none."),
    truncated: z.object({ request: z.boolean(), answer: z.boolean() }),
    redactions: z
      .record(z.string(), z.int())
      .nullable()
      .describe("How often something was replaced, by kind; null: nothing was looked for."),
    stored_at: instant,
    deleted_after: instant,
  })
  .meta({ id: "StoredPrompt" });

export const usageRoutes = [
  defineRoute({
    method: "GET",
    path: "/v1/management/usage",
    tag: "Usage",
    summary: "Read usage, grouped by any dimensions",
    description: `\`group_by\` is one or several of ${usageDimensions.join(", ")}, \`model\` by default; \`hour\` and \`day\` begin as in \`time_zone\`, UTC by default. A range has at most 400 days, with \`app\` or \`user\` 31.`,
    procedure: "usage.groups",
    status: 200,
    input: usageGroupsFields.extend({
      // With a cursor in its longest, more of either would not fit into an address.
      models: z.array(line(128)).max(60).optional(),
      projectIds: z.array(idInput<ProjectId>()).max(150).optional(),
      timeZone: timeZoneInput.optional(),
      groupBy: usageGroupsFields.shape.groupBy.optional(),
    }),
    output: usageSchema,
    run: ({ caller }, { timeZone = "UTC", groupBy = ["model" as const], ...fields }) =>
      caller.usage.groups({ ...fields, timeZone, groupBy }),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/management/requests",
    tag: "Requests",
    summary: "List requests, newest first",
    procedure: "logs.list",
    status: 200,
    input: logsInput.omit({ newerThan: true }),
    output: pageSchema(requestSchema),
    async run({ caller }, fields) {
      const { rows, nextCursor } = await caller.logs.list(fields);
      return { data: rows, nextCursor };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/management/requests/{id}",
    tag: "Requests",
    summary: "Read a request",
    procedure: "logs.detail",
    status: 200,
    input: logIdInput,
    output: requestDetailSchema,
    run: ({ caller }, fields) => caller.logs.detail(fields),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/management/requests/{id}/receipt",
    tag: "Requests",
    summary: "Read the signed receipt of a request",
    description: "A compact JWS, as `GET /v1/generation/{id}/receipt` returns it.",
    procedure: "logs.receipt",
    status: 200,
    input: logIdInput,
    output: z.object({ receipt: z.string() }),
    run: ({ caller }, fields) => caller.logs.receipt(fields),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/management/requests/{id}/prompt",
    tag: "Requests",
    summary: "Read the prompt and the answer of a request, if its project stores them",
    procedure: "logs.prompt",
    status: 200,
    // What was said is not spelled differently.
    isVerbatim: true,
    input: logIdInput,
    output: storedPromptSchema,
    async run({ caller }, fields) {
      const { storedAt, deletedAfter, ...stored } = await caller.logs.prompt(fields);
      return { ...stored, stored_at: storedAt, deleted_after: deletedAfter };
    },
  }),
];
