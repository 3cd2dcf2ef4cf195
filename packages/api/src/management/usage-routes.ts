// Usage and requests over the management API.
import type { ProjectId } from "@turnpike/base";
import { usageDimensions } from "@turnpike/reports";
import { operations, unitNames } from "@turnpike/terms";
import { z } from "zod";
import { idInput, line, timeZoneDescription, timeZoneInput } from "../inputs.ts";
import { logIdInput, logsInput } from "../routers/logs.ts";
import { usageGroupsFields } from "../routers/usage-groups.ts";
import { defineRoute, nextCursorSchema, pageSchema } from "./define-route.ts";

const instant = z.iso.datetime();
const usd = z.string();
const milliseconds = z.number().nullable();

const tokens = {
  promptTokens: z.int().describe("Tokens of prompts, cached ones included."),
  completionTokens: z.int().describe("Tokens of answers, reasoning included."),
};
const cachedTokens = z
  .int()
  .describe("Tokens read from prompt caches of providers, within the prompts.");
const errorRate = z
  .number()
  .nullable()
  .describe("Share of requests that failed, 0 to 1; null if there were no requests.");

const sums = {
  costUsd: usd.describe("What was charged, in USD as an exact decimal."),
  requests: z.int().describe("How many requests."),
  ...tokens,
  cachedTokens,
  units: z
    .partialRecord(z.enum(unitNames), z.int())
    .describe("What was billed besides tokens, by unit; without those that nothing was billed by."),
};

const usageSchema = z
  .object({
    coveredFrom: instant
      .nullable()
      .describe("Where the sums begin, if there are too many requests to add all of them up."),
    total: z
      .object({
        ...sums,
        errorRate,
        p50Ms: milliseconds.describe(
          "Half of the completed requests took at most this many milliseconds; null without any. Estimated for many requests.",
        ),
        p95Ms: milliseconds.describe("95% of them took at most this many milliseconds."),
        firstTokenP50Ms: milliseconds.describe(
          "Half of them had their first byte within this many milliseconds.",
        ),
      })
      .describe("Of the whole range, on every page."),
    data: z
      .array(
        z.object({
          group: z
            .array(
              z.object({
                dimension: z.enum(usageDimensions).describe("What it is grouped by."),
                id: z
                  .string()
                  .describe("The value: an id, a name, or when the hour or day begins."),
                label: z.string().describe("Human-readable value, such as the name of a key."),
              }),
            )
            .describe("In the order of `group_by`."),
          errorRate,
          ...sums,
        }),
      )
      .describe("In the order of the ids."),
    nextCursor: nextCursorSchema,
  })
  .meta({ id: "Usage" });

const request = {
  id: z.string().describe("Id of the request, `gen-…`."),
  at: instant.describe("When it was received."),
  status: z
    .int()
    .describe(
      "HTTP status of the answer: 499 if the client disconnected, 200 for a stream that failed later.",
    ),
  outcome: z
    .string()
    .describe(
      "How it ended: `completed`, `client_closed`, `upstream_failed`, `ended_by_gateway`, or the code of its refusal.",
    ),
  errorCode: z.string().nullable().describe("Code of the error, if it failed."),
  model: z.string().describe("The model that answered."),
  provider: z.string().describe("The provider that answered; empty if none was called."),
  keyId: z.uuid().nullable().describe("Id of the API key; null for the playground."),
  keyName: z.string().nullable().describe("Its name."),
  app: z.string().nullable().describe("How the calling application names itself."),
  user: z.string().nullable().describe("Whom it called for, as the request names them."),
  origin: z.string().describe("`api`, or `playground` of the console."),
  operation: z.enum(operations).describe("What was asked of the model."),
  ...tokens,
  cached: z.boolean().describe("Whether a part of the prompt was read from a provider's cache."),
  costUsd: usd.describe("What was charged, in USD as an exact decimal."),
  firstTokenMs: milliseconds.describe("Milliseconds to the first byte of the answer."),
  totalMs: milliseconds.describe("Milliseconds to the end of the answer."),
  streamed: z.boolean().describe("Whether the answer was a stream."),
  cachedFrom: z
    .string()
    .nullable()
    .describe("For an answer from the response cache: the request that was charged for it."),
};

const requestSchema = z.object(request).meta({ id: "Request" });

const attemptSchema = z.object({
  provider: z.string().describe("The provider."),
  model: z.string().describe("The provider's name of the model."),
  status: z.int().describe("HTTP status it answered with; 0 if it did not answer."),
  error: z.string().nullable().describe("Code of its failure; null if it succeeded."),
  firstByteMs: milliseconds.describe("Milliseconds to its first byte; null if none came."),
  startedMs: z
    .number()
    .optional()
    .describe("Milliseconds from receiving the request to the start of the attempt."),
  waitedMs: z
    .number()
    .optional()
    .describe("Milliseconds to its first byte, or until it had failed."),
});

const requestDetailSchema = z
  .object({
    ...request,
    requestId: z.string().nullable().describe("The response header `x-request-id`, `req_…`."),
    usageSource: z
      .string()
      .describe(
        "Who counted the tokens: the provider (`upstream`), we (`counted`), an upper estimate (`estimated`), or `none`.",
      ),
    cachedTokens,
    cacheWriteTokens: z.int().describe("Tokens written to the provider's prompt cache."),
    reasoningTokens: z.int().describe("Tokens of reasoning, within the answer."),
    units: z
      .array(
        z.object({
          unit: z.enum(unitNames).describe("What is counted."),
          variant: z
            .string()
            .optional()
            .describe("Which price applies, such as that of a size; absent if there is only one."),
          count: z.int().describe("How many."),
        }),
      )
      .readonly()
      .describe("What is billed besides tokens; empty if nothing is."),
    serviceTier: z.string().nullable().describe("The tier it was billed at, if it asked for one."),
    finishReason: z
      .string()
      .nullable()
      .describe(
        "Why the answer ended: `stop`, `length`, `tool_calls`, `function_call` or `content_filter`; null if it did not finish.",
      ),
    nativeFinishReason: z.string().nullable().describe("The same in the provider's own words."),
    heldUsd: usd.describe("What was reserved while it ran, in USD as an exact decimal."),
    chargedUsd: usd.describe("The same as `cost_usd`."),
    priceVersion: z.string().nullable().describe("Id of the price it was billed at."),
    attempts: z
      .array(attemptSchema)
      .readonly()
      .describe("Every attempt at a provider, in order. Only the one that answered is charged."),
    maxTokens: z
      .int()
      .nullable()
      .describe(
        "The output limit that the balance, a spend limit, a budget, `max_cost` or a guardrail set; null if none did.",
      ),
    overheadMs: milliseconds.describe("Milliseconds spent here rather than at the provider."),
    userAgent: z.string().nullable().describe("The `user-agent` of the client."),
    endedAt: instant.nullable().describe("When it ended."),
  })
  .meta({ id: "RequestDetail" });

const storedPromptSchema = z
  .object({
    request: z.unknown().describe("As it was sent, without files."),
    answer: z.unknown().describe("A stream is joined to one answer. Null if there was none."),
    truncated: z
      .object({
        request: z.boolean().describe("Whether the prompt was cut."),
        answer: z.boolean().describe("Whether the answer was cut."),
      })
      .describe("What was cut because it was too long to be stored."),
    redactions: z
      .record(z.string(), z.int())
      .nullable()
      .describe("How often something was replaced, by kind; null: nothing was looked for."),
    media: z
      .array(
        z.object({
          type: z.string().describe("Media type, told by its content."),
          base64: z.string().describe("What it contains."),
        }),
      )
      .optional()
      .describe("Images that were drawn and speech; only where nothing is replaced."),
    stored_at: instant.describe("When it was stored."),
    deleted_after: instant.describe("When it is deleted."),
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
      models: z.array(line(128)).max(60).optional().describe("Only of these models, at most 60."),
      projectIds: z
        .array(idInput<ProjectId>())
        .max(150)
        .optional()
        .describe("Only of keys in these projects, at most 150."),
      timeZone: timeZoneInput.optional().describe(timeZoneDescription),
      groupBy: usageGroupsFields.shape.groupBy
        .optional()
        .describe("What to group by, each once. Default: `model`."),
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
    output: z.object({ receipt: z.string().describe("The receipt, a compact JWS.") }),
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
      const { storedAt, deletedAfter, media, ...stored } = await caller.logs.prompt(fields);
      const made = media === undefined ? {} : { media: [...media] };
      return { ...stored, ...made, stored_at: storedAt, deleted_after: deletedAfter };
    },
  }),
];
