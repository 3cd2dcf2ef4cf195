// Webhooks out: the endpoints of the account, their secrets, and the log of what was delivered to them.

import { Fault, type WebhookEndpointId, type WebhookMessageId } from "@turnpike/base";
import { webhookEventTypes } from "@turnpike/db";
import { overlapHours, webhookDescriptionCharsMax, webhookMessageStates } from "@turnpike/terms";
import {
  createEndpoint,
  deleteEndpoint,
  formatEventId,
  type ListedEndpoint,
  type ListedMessage,
  listEndpoints,
  listMessages,
  queryMessage,
  revealSecret,
  rotateSecret,
  sendAgain,
  sendTest,
  setEndpointDisabled,
  updateEndpoint,
} from "@turnpike/webhooks";
import { z } from "zod";
import { cursorDescription, idInput, line, nameInput, pageLimitInput } from "../inputs.ts";
import { orNull, toIso } from "../present.ts";
import { accountProcedure, noInput, provenAccountProcedure, router } from "../procedure.ts";

const pageSize = 25;

export const endpointIdInput = z.strictObject({
  id: idInput<WebhookEndpointId>().describe("Id of the endpoint."),
});
export const messageIdInput = z.strictObject({
  id: idInput<WebhookMessageId>().describe("Id of the message."),
});

export const endpointInput = z.strictObject({
  url: line(1_000).describe("A public `https` address, at most 1,000 characters."),
  description: nameInput(webhookDescriptionCharsMax, 0).describe(
    `What it is for, at most ${webhookDescriptionCharsMax} characters; may be empty.`,
  ),
  eventTypes: z
    .array(z.enum(webhookEventTypes))
    .max(100)
    .meta({ minItems: 1 })
    .nullable()
    .describe("The events it gets; null for every event."),
});

export const updateEndpointInput = endpointIdInput.extend(endpointInput.shape);

export const rotateSecretInput = endpointIdInput.extend({
  overlapHours: z
    .literal(overlapHours)
    .describe("How many hours messages are signed with the old secret too."),
});

export const messagesInput = endpointIdInput.extend({
  state: z.enum(webhookMessageStates).optional().describe("Only messages in this state."),
  cursor: line(64).pipe(idInput<WebhookMessageId>()).optional().describe(cursorDescription),
  limit: pageLimitInput
    .optional()
    .describe(`How many rows a page has: 1 to 100. Default: ${pageSize}.`),
});

export const webhooksRouter = router({
  list: accountProcedure("webhooks.read")
    .input(noInput)
    .query(async ({ ctx }) => {
      const endpoints = await listEndpoints(ctx.db, ctx.account.id);
      return {
        /** False: the operator has not set SEALING_KEY. */
        available: ctx.webhooks.sealer !== undefined,
        eventTypes: webhookEventTypes,
        endpoints: endpoints.map(presentEndpoint),
      };
    }),
  create: accountProcedure("webhooks.change")
    .input(endpointInput)
    .mutation(({ ctx, input }) => createEndpoint(ctx.db, ctx.webhooks, ctx.member, input)),
  update: accountProcedure("webhooks.change")
    .input(updateEndpointInput)
    .mutation(async ({ ctx, input: { id, ...change } }) => {
      await updateEndpoint(ctx.db, ctx.webhooks, ctx.member, id, change);
      return {};
    }),
  setDisabled: accountProcedure("webhooks.change")
    .input(endpointIdInput.extend({ disabled: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      await setEndpointDisabled(ctx.db, ctx.member, input.id, input.disabled);
      return {};
    }),
  delete: accountProcedure("webhooks.change")
    .input(endpointIdInput)
    .mutation(async ({ ctx, input }) => {
      await deleteEndpoint(ctx.db, ctx.member, input.id);
      return {};
    }),
  rotateSecret: provenAccountProcedure("webhooks.change")
    .input(rotateSecretInput)
    .mutation(({ ctx, input }) => rotateSecret(ctx.db, ctx.webhooks, ctx.member, input)),
  /** A mutation, because it is in the audit log. */
  revealSecret: provenAccountProcedure("webhooks.change")
    .input(endpointIdInput)
    .mutation(({ ctx, input }) => revealSecret(ctx.db, ctx.webhooks, ctx.member, input.id)),
  messages: accountProcedure("webhooks.read")
    .input(messagesInput)
    .query(async ({ ctx, input: { id: endpointId, limit = pageSize, ...filter } }) => {
      const query = { endpointId, ...filter, limit };
      const page = await listMessages(ctx.db, ctx.account.id, query);
      return { rows: page.rows.map(presentMessage), nextCursor: page.nextCursor };
    }),
  message: accountProcedure("webhooks.read")
    .input(messageIdInput)
    .query(async ({ ctx, input }) => {
      const message = await queryMessage(ctx.db, ctx.account.id, input.id);
      if (message === undefined) throw new Fault("not_found", "There is no such message.");
      return {
        ...presentMessage(message),
        body: message.body,
        log: message.log.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
      };
    }),
  sendAgain: accountProcedure("webhooks.change")
    .input(messageIdInput)
    .mutation(({ ctx, input }) => sendAgain(ctx.db, ctx.auth, ctx.member, input.id)),
  sendTest: accountProcedure("webhooks.change")
    .input(endpointIdInput)
    .mutation(({ ctx, input }) => sendTest(ctx.db, ctx.auth, ctx.member, input.id)),
});

function presentEndpoint(endpoint: ListedEndpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    eventTypes: endpoint.eventTypes,
    createdAt: endpoint.createdAt.toISOString(),
    disabledAt: orNull(endpoint.disabledAt, toIso),
    disabledBy: endpoint.disabledBy,
    acceptedAt: orNull(endpoint.acceptedAt, toIso),
    failingSince: orNull(endpoint.failingSince, toIso),
    previousUntil: orNull(endpoint.previousUntil, toIso),
  };
}

function presentMessage(message: ListedMessage) {
  return {
    id: message.id,
    /** As in the header `webhook-id`. */
    webhookId: formatEventId(message.eventId),
    type: message.type,
    state: message.state,
    createdAt: message.createdAt.toISOString(),
    attempts: message.attempts,
    nextAttemptAt: orNull(message.nextAttemptAt, toIso),
    status: message.status,
    error: message.error,
  };
}
