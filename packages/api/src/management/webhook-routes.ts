// Webhook endpoints and their deliveries over the management API.
import { webhookEventTypes } from "@turnpike/db";
import { webhookMessageStates } from "@turnpike/terms";
import { webhookEndpointsMax } from "@turnpike/webhooks";
import { z } from "zod";
import {
  endpointIdInput,
  endpointInput,
  messageIdInput,
  messagesInput,
  rotateSecretInput,
  updateEndpointInput,
} from "../routers/webhooks.ts";
import { defineRoute, nothing, pageInput, pageOf, pageSchema } from "./define-route.ts";

const path = "/v1/management/webhooks";
const messagesPath = "/v1/management/webhook-messages";
const tag = "Webhooks";
const instant = z.iso.datetime();

const endpointSchema = z
  .object({
    id: z.uuid().describe("Id of the endpoint."),
    url: z.string().describe("Where messages are sent."),
    description: z.string().describe("What it is for."),
    eventTypes: z
      .array(z.string())
      .readonly()
      .nullable()
      .describe("The events it gets; null for every event."),
    createdAt: instant.describe("When it was added."),
    disabledAt: instant.nullable().describe("When it was disabled; null while it is not."),
    disabledBy: z
      .string()
      .nullable()
      .describe(
        "What disabled it: a `member`, its `failures`, or `gone` if it answered 410; null while it is not.",
      ),
    acceptedAt: instant.nullable().describe("When it last accepted a message; null if never."),
    failingSince: instant
      .nullable()
      .describe("Since when it has accepted none; null while it accepts them."),
    previousUntil: instant
      .nullable()
      .describe("Until then messages are signed with the secret before the last rotation too."),
  })
  .meta({ id: "WebhookEndpoint" });

const secretSchema = z.object({ secret: z.string().describe("Shown this once: `whsec_…`.") });

const message = {
  id: z.uuid().describe("Id of the message."),
  webhookId: z.string().describe("Id of the event, as in the header `webhook-id`."),
  type: z.string().describe("Kind of the event, e.g. `key.created`."),
  state: z
    .enum(webhookMessageStates)
    .describe(
      "`failed` when it is not tried again, `canceled` if the endpoint was disabled before.",
    ),
  createdAt: instant.describe("When it was queued."),
  attempts: z.int().describe("How often it was sent: at most ten times, a test once."),
  nextAttemptAt: instant.nullable().describe("When it is sent again; null if it is not."),
  status: z.int().nullable().describe("HTTP status of the last answer; null without one."),
  error: z.string().nullable().describe("Why the last attempt failed; null if it did not."),
};
const messageIdSchema = z.object({ id: message.id });
const messageSchema = z.object(message).meta({ id: "WebhookMessage" });
const messageDetailSchema = z
  .object({
    ...message,
    body: z.string().describe("The JSON as it is sent."),
    log: z
      .array(
        z.object({
          at: instant.describe("When it was sent."),
          status: z.int().nullable().describe("HTTP status of the answer; null without one."),
          error: z.string().nullable().describe("Why it failed; null if it did not."),
        }),
      )
      .describe("Every attempt, in order."),
  })
  .meta({ id: "WebhookMessageDetail" });

export const webhookRoutes = [
  defineRoute({
    method: "GET",
    path,
    tag,
    summary: "List webhook endpoints",
    procedure: "webhooks.list",
    status: 200,
    input: z.strictObject(pageInput),
    output: pageSchema(endpointSchema),
    run: async ({ caller }, page) =>
      pageOf((await caller.webhooks.list()).endpoints, page, {
        atOf: ({ createdAt }) => createdAt,
      }),
  }),
  defineRoute({
    method: "POST",
    path,
    tag,
    summary: "Add a webhook endpoint",
    description: `\`event_types\` is null for every event: ${webhookEventTypes.join(", ")}. An account has at most ${webhookEndpointsMax} endpoints; more are refused with 409.`,
    procedure: "webhooks.create",
    status: 201,
    input: endpointInput,
    output: secretSchema.extend({ id: z.uuid().describe("Id of the endpoint.") }),
    run: ({ caller }, fields) => caller.webhooks.create(fields),
  }),
  defineRoute({
    method: "PATCH",
    path: `${path}/{id}`,
    tag,
    summary: "Change a webhook endpoint",
    procedure: "webhooks.update",
    status: 200,
    input: updateEndpointInput,
    output: nothing,
    run: ({ caller }, fields) => caller.webhooks.update(fields),
  }),
  ...(["disable", "enable"] as const).map((verb) =>
    defineRoute({
      method: "POST",
      path: `${path}/{id}/${verb}`,
      tag,
      summary:
        verb === "disable" ? "Disable a webhook endpoint" : "Enable a webhook endpoint again",
      procedure: "webhooks.setDisabled",
      status: 200,
      input: endpointIdInput,
      output: nothing,
      run: ({ caller }, fields) =>
        caller.webhooks.setDisabled({ ...fields, disabled: verb === "disable" }),
    }),
  ),
  defineRoute({
    method: "POST",
    path: `${path}/{id}/rotate-secret`,
    tag,
    summary: "Give a webhook endpoint a new secret",
    description: "For `overlap_hours` messages are signed with the old secret too.",
    procedure: "webhooks.rotateSecret",
    status: 200,
    input: rotateSecretInput,
    output: secretSchema,
    run: ({ caller }, fields) => caller.webhooks.rotateSecret(fields),
  }),
  defineRoute({
    method: "POST",
    path: `${path}/{id}/test`,
    tag,
    summary: "Send a test message",
    procedure: "webhooks.sendTest",
    status: 200,
    input: endpointIdInput,
    output: messageIdSchema,
    run: ({ caller }, fields) => caller.webhooks.sendTest(fields),
  }),
  defineRoute({
    method: "DELETE",
    path: `${path}/{id}`,
    tag,
    summary: "Delete a webhook endpoint",
    procedure: "webhooks.delete",
    status: 200,
    input: endpointIdInput,
    output: nothing,
    run: ({ caller }, fields) => caller.webhooks.delete(fields),
  }),
  defineRoute({
    method: "GET",
    path: `${path}/{id}/messages`,
    tag,
    summary: "List what was sent to a webhook endpoint, newest first",
    procedure: "webhooks.messages",
    status: 200,
    input: messagesInput,
    output: pageSchema(messageSchema),
    async run({ caller }, fields) {
      const { rows, nextCursor } = await caller.webhooks.messages(fields);
      return { data: rows, nextCursor };
    },
  }),
  defineRoute({
    method: "GET",
    path: `${messagesPath}/{id}`,
    tag,
    summary: "Read a message with its attempts",
    procedure: "webhooks.message",
    status: 200,
    input: messageIdInput,
    output: messageDetailSchema,
    run: ({ caller }, fields) => caller.webhooks.message(fields),
  }),
  defineRoute({
    method: "POST",
    path: `${messagesPath}/{id}/send-again`,
    tag,
    summary: "Send a message again",
    procedure: "webhooks.sendAgain",
    status: 201,
    input: messageIdInput,
    output: messageIdSchema,
    run: ({ caller }, fields) => caller.webhooks.sendAgain(fields),
  }),
];
