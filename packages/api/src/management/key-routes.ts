// API keys over the management API.
import { liveKeysMax } from "@turnpike/keys";
import { z } from "zod";
import {
  createKeyInput,
  keyIdInput,
  moveKeyInput,
  rotateKeyInput,
  spendLimitEffect,
  updateKeyInput,
} from "../routers/keys.ts";
import { defineRoute, nothing, pageInput, pageOf, pageSchema } from "./define-route.ts";
import { rateLimitFields } from "./limit-routes.ts";

const path = "/v1/management/keys";
const tag = "API keys";

const instant = z.iso.datetime();
const limitUsd = z.string().nullable();
const periods = {
  day: "The day, from midnight in the account's time zone.",
  week: "The week, from Monday.",
  month: "The calendar month.",
  total: "Since the key was created.",
} as const;
const period = z.object({
  spentUsd: z.string().describe("Spent, in USD as an exact decimal."),
  heldUsd: z
    .string()
    .describe("Reserved for running requests and for the next ones, in USD as an exact decimal."),
  limitUsd: limitUsd.describe("The limit, in USD as an exact decimal; null without one."),
  resetsAt: instant.nullable().describe("When the period ends; null for `total`."),
});

const keySchema = z
  .object({
    id: z.uuid().describe("Id of the key."),
    name: z.string().describe("Name of the key."),
    projectId: z
      .uuid()
      .describe("The project it is in. The default project has the id of the account."),
    masked: z.string().describe("`sk-tp-9f2a…c41d`: to recognize the key by."),
    status: z
      .enum(["active", "disabled", "expired", "limit_reached", "revoked"])
      .describe("Only an `active` key may make requests."),
    createdAt: instant.describe("When it was created."),
    changedAt: instant
      .nullable()
      .describe("When its name, limits, secret or state last changed; null if never."),
    createdBy: z.string().nullable().describe("The email address of the member whose key it is."),
    lastUsedAt: instant.nullable().describe("When it last made a request; null if never."),
    expiresAt: instant.nullable().describe("When it stops working; null if never."),
    previousUntil: instant
      .nullable()
      .describe("Until then the secret from before the last rotation works too."),
    limits: z
      .object({
        spendLimitsUsd: z
          .object({
            day: limitUsd.describe(periods.day),
            week: limitUsd.describe(periods.week),
            month: limitUsd.describe(periods.month),
            total: limitUsd.describe(periods.total),
          })
          .describe(`Most that it may spend, in USD. ${spendLimitEffect}`),
        ...rateLimitFields,
        allowedModels: z
          .array(z.string())
          .readonly()
          .nullable()
          .describe("The models it may call; others are refused with 403."),
        allowedAddresses: z
          .array(z.string())
          .readonly()
          .nullable()
          .describe("Where it may be used from; elsewhere it is refused with 403."),
        expiresAt: instant.nullable().describe("When it stops working."),
      })
      .describe("What it may do. A limit that is null is not set."),
    spend: z
      .object({
        day: period.describe(periods.day),
        week: period.describe(periods.week),
        month: period.describe(periods.month),
        total: period.describe(periods.total),
      })
      .describe("What it has spent, by period."),
  })
  .meta({ id: "ApiKey" });

const secretSchema = z
  .object({
    id: z.uuid().describe("Id of the key."),
    key: z.string().describe("The key itself, `sk-tp-…`. Shown this once."),
  })
  .meta({ id: "NewApiKey" });

export const keyRoutes = [
  defineRoute({
    method: "GET",
    path,
    tag,
    summary: "List API keys",
    procedure: "keys.list",
    status: 200,
    input: z.strictObject({
      ...pageInput,
      includeRevoked: z.boolean().optional().describe("Lists revoked keys too. Default: false."),
    }),
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
    description: `\`member_id\` is the member whose key it is, by default the creator of the management key: it counts in their budget, and their removal decides about it. An organization has at most ${liveKeysMax.organization} keys that are not revoked, a personal account ${liveKeysMax.personal}; more are refused with 409.`,
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
