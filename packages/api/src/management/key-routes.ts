// API keys over the management API.
import { z } from "zod";
import {
  createKeyInput,
  keyIdInput,
  moveKeyInput,
  rotateKeyInput,
  updateKeyInput,
} from "../routers/keys.ts";
import { defineRoute, nothing, pageInput, pageOf, pageSchema } from "./define-route.ts";

const path = "/v1/management/keys";
const tag = "API keys";

const usd = z.string().describe("USD, as an exact decimal.");
const instant = z.iso.datetime();
const limitUsd = usd.nullable().describe("USD; null without a limit.");
const period = z.object({
  spentUsd: usd,
  heldUsd: usd.describe("Reserved for running requests."),
  limitUsd,
  resetsAt: instant.nullable(),
});

const keySchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    projectId: z.uuid().describe("The default project has the id of the account."),
    masked: z.string().describe("`sk-tp-9f2a…c41d`: to recognise the key by."),
    status: z.enum(["active", "disabled", "expired", "limit_reached", "revoked"]),
    createdAt: instant,
    changedAt: instant.nullable(),
    createdBy: z.string().nullable().describe("The email address of a member."),
    lastUsedAt: instant.nullable(),
    expiresAt: instant.nullable(),
    previousUntil: instant
      .nullable()
      .describe("Until then the secret from before the last rotation works too."),
    limits: z.object({
      spendLimitsUsd: z.object({
        day: limitUsd,
        week: limitUsd,
        month: limitUsd,
        total: limitUsd,
      }),
      requestsPerMinute: z.int().nullable(),
      tokensPerMinute: z.int().nullable(),
      concurrency: z.int().nullable(),
      allowedModels: z.array(z.string()).readonly().nullable(),
      allowedAddresses: z.array(z.string()).readonly().nullable(),
      expiresAt: instant.nullable(),
    }),
    spend: z.object({ day: period, week: period, month: period, total: period }),
  })
  .meta({ id: "ApiKey" });

const secretSchema = z
  .object({ id: z.uuid(), key: z.string().describe("Shown this once.") })
  .meta({ id: "NewApiKey" });

export const keyRoutes = [
  defineRoute({
    method: "GET",
    path,
    tag,
    summary: "List API keys",
    procedure: "keys.list",
    status: 200,
    input: z.strictObject({ ...pageInput, includeRevoked: z.boolean().optional() }),
    output: pageSchema(keySchema),
    run: async ({ caller }, { includeRevoked, ...page }) =>
      pageOf(await caller.keys.list({ includeRevoked }), page, {
        atOf: ({ createdAt }) => createdAt,
        newestFirst: true,
      }),
  }),
  defineRoute({
    method: "POST",
    path,
    tag,
    summary: "Create an API key",
    description:
      "`member_id` is the member whose key it is, by default the creator of the management key: it counts in their budget, and their removal decides about it.",
    procedure: "keys.create",
    status: 201,
    input: createKeyInput.omit({ attemptId: true }),
    output: secretSchema,
    run: ({ caller, madeId }, fields) => caller.keys.create({ ...fields, attemptId: madeId }),
  }),
  defineRoute({
    method: "GET",
    path: `${path}/{id}`,
    tag,
    summary: "Read an API key",
    procedure: "keys.read",
    status: 200,
    input: keyIdInput,
    output: keySchema,
    run: ({ caller }, fields) => caller.keys.read(fields),
  }),
  defineRoute({
    method: "PATCH",
    path: `${path}/{id}`,
    tag,
    summary: "Change the name or the limits of an API key",
    description: "`limits` replaces all limits of the key.",
    procedure: "keys.update",
    status: 200,
    input: updateKeyInput,
    output: keySchema,
    async run({ caller }, fields) {
      await caller.keys.update(fields);
      return caller.keys.read({ id: fields.id });
    },
  }),
  defineRoute({
    method: "POST",
    path: `${path}/{id}/move`,
    tag,
    summary: "Move an API key to another project",
    procedure: "keys.move",
    status: 200,
    input: moveKeyInput,
    output: keySchema,
    async run({ caller }, fields) {
      await caller.keys.move(fields);
      return caller.keys.read({ id: fields.id });
    },
  }),
  ...(["disable", "enable"] as const).map((verb) =>
    defineRoute({
      method: "POST",
      path: `${path}/{id}/${verb}`,
      tag,
      summary: verb === "disable" ? "Disable an API key" : "Enable an API key again",
      procedure: "keys.setDisabled",
      status: 200,
      input: keyIdInput,
      output: keySchema,
      async run({ caller }, fields) {
        await caller.keys.setDisabled({ ...fields, disabled: verb === "disable" });
        return caller.keys.read(fields);
      },
    }),
  ),
  defineRoute({
    method: "POST",
    path: `${path}/{id}/rotate`,
    tag,
    summary: "Give an API key a new secret",
    description: "The old secret works for `grace_seconds` more.",
    procedure: "keys.rotate",
    status: 200,
    input: rotateKeyInput,
    output: secretSchema,
    run: ({ caller }, fields) => caller.keys.rotate(fields),
  }),
  defineRoute({
    method: "POST",
    path: `${path}/{id}/end-previous`,
    tag,
    summary: "End the secret from before the last rotation now",
    procedure: "keys.endPrevious",
    status: 200,
    input: keyIdInput,
    output: keySchema,
    async run({ caller }, fields) {
      await caller.keys.endPrevious(fields);
      return caller.keys.read(fields);
    },
  }),
  defineRoute({
    method: "DELETE",
    path: `${path}/{id}`,
    tag,
    summary: "Revoke an API key",
    description: "Every instance refuses it within a second.",
    procedure: "keys.revoke",
    status: 200,
    input: keyIdInput,
    output: nothing,
    run: ({ caller }, fields) => caller.keys.revoke(fields),
  }),
];
