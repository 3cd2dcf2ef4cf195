// The endpoints of an account: added, changed, enabled, disabled and deleted by members who may; each change is in
// the audit log. A secret is shown when it is made, and again only to who asks for it and proves themselves.

import { auditActorOf, type Member } from "@turnpike/accounts";
import { type AccountId, Fault, newId, parseName, type WebhookEndpointId } from "@turnpike/base";
import {
  type AuditEntry,
  accounts,
  type Db,
  isWebhookEventType,
  recordAudit,
  type WebhookEventType,
  webhookEndpoints,
} from "@turnpike/db";
import { webhookDescriptionCharsMax } from "@turnpike/terms";
import { and, count, eq, sql } from "drizzle-orm";
import { cancelWaiting } from "./disable-failing.ts";
import { checkWebhookUrl } from "./find-target.ts";
import { makeSecret, openSecret, sealSecret } from "./webhook-secret.ts";
import { requireSealer, type Webhooks } from "./webhooks.ts";

export const webhookEndpointsMax = 10;

export type EndpointInput = {
  readonly url: string;
  readonly description: string;
  /** Null: every event. */
  readonly eventTypes: readonly WebhookEventType[] | null;
};

/** Throws `invalid_value` (URL, description, types) and `conflict` (ten already). */
export async function createEndpoint(
  db: Db,
  webhooks: Webhooks,
  by: Member,
  input: EndpointInput,
): Promise<{ readonly id: WebhookEndpointId; readonly secret: string }> {
  const sealer = requireSealer(webhooks);
  const values = await readInput(webhooks, input);
  const id = newId<WebhookEndpointId>();
  const accountId = by.account.id;
  const secret = makeSecret();
  await db.transaction(async (tx) => {
    await assertRoom(tx, accountId);
    const sealed = sealSecret(sealer, id, secret);
    const urlSetBy = by.person.id;
    await tx
      .insert(webhookEndpoints)
      .values({ accountId, id, ...values, urlSetBy, secret: sealed });
    await record(tx, by, { id, url: values.url }, "webhook.create", changesOf(undefined, values));
  });
  return { id, secret };
}

/** Throws `invalid_value` and `not_found`. What waits for the endpoint goes to the new URL. */
export async function updateEndpoint(
  db: Db,
  webhooks: Webhooks,
  by: Member,
  id: WebhookEndpointId,
  input: EndpointInput,
): Promise<void> {
  const values = await readInput(webhooks, input);
  await db.transaction(async (tx) => {
    const before = await lockEndpoint(tx, by.account.id, id);
    const changed = values.url === before.url ? values : { ...values, urlSetBy: by.person.id };
    await tx.update(webhookEndpoints).set(changed).where(endpointOf(by.account.id, id));
    await record(tx, by, { id, url: values.url }, "webhook.change", changesOf(before, values));
  });
}

/** Disabling cancels what waits; events of the time without it are not sent later. Throws `not_found`. */
export async function setEndpointDisabled(
  db: Db,
  by: Member,
  id: WebhookEndpointId,
  disabled: boolean,
): Promise<void> {
  const accountId = by.account.id;
  await db.transaction(async (tx) => {
    const { url } = await lockEndpoint(tx, accountId, id);
    await tx
      .update(webhookEndpoints)
      .set(
        disabled
          ? { disabledAt: sql`clock_timestamp()`, disabledBy: "member" }
          : { disabledAt: null, disabledBy: null, failingSince: null },
      )
      .where(endpointOf(accountId, id));
    // Also when it is enabled: a message may have been queued while it was being disabled.
    await cancelWaiting(tx, accountId, id);
    await record(tx, by, { id, url }, disabled ? "webhook.disable" : "webhook.enable");
  });
}

/** With its log. Throws `not_found`. */
export async function deleteEndpoint(db: Db, by: Member, id: WebhookEndpointId): Promise<void> {
  await db.transaction(async (tx) => {
    const [deleted] = await tx
      .delete(webhookEndpoints)
      .where(endpointOf(by.account.id, id))
      .returning({ url: webhookEndpoints.url });
    if (deleted === undefined) throw noSuchEndpoint();
    await record(tx, by, { id, url: deleted.url }, "webhook.delete");
  });
}

/**
 * A new secret; messages are signed with the old one too for `overlapHours` more, none if 0. An even older one
 * stops counting. Throws `not_found`.
 */
export async function rotateSecret(
  db: Db,
  webhooks: Webhooks,
  by: Member,
  input: { readonly id: WebhookEndpointId; readonly overlapHours: number },
): Promise<{ readonly secret: string }> {
  const { id, overlapHours } = input;
  const sealer = requireSealer(webhooks);
  const secret = makeSecret();
  await db.transaction(async (tx) => {
    const { url } = await lockEndpoint(tx, by.account.id, id);
    const keeps = overlapHours > 0;
    await tx
      .update(webhookEndpoints)
      .set({
        secret: sealSecret(sealer, id, secret),
        previousSecret: keeps ? sql`${webhookEndpoints.secret}` : null,
        previousUntil: keeps ? sql`now() + make_interval(hours => ${overlapHours}::int)` : null,
      })
      .where(endpointOf(by.account.id, id));
    await record(tx, by, { id, url }, "webhook.rotate_secret");
  });
  return { secret };
}

/** Shows the secret again. Throws `not_found`. */
export async function revealSecret(
  db: Db,
  webhooks: Webhooks,
  by: Member,
  id: WebhookEndpointId,
): Promise<{ readonly secret: string }> {
  const sealer = requireSealer(webhooks);
  return db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, by.account.id, id);
    await record(tx, by, { id, url: endpoint.url }, "webhook.reveal_secret");
    return { secret: openSecret(sealer, id, endpoint.secret) };
  });
}

type Values = { url: string; description: string; eventTypes: string[] | null };

async function readInput(webhooks: Webhooks, input: EndpointInput): Promise<Values> {
  const description = parseName(input.description, {
    charsMax: webhookDescriptionCharsMax,
    mayBeEmpty: true,
    message: `A description has at most ${webhookDescriptionCharsMax} characters.`,
    param: "description",
  });
  const wanted = input.eventTypes;
  if (wanted !== null && (wanted.length === 0 || !wanted.every(isWebhookEventType))) {
    throw new Fault("invalid_value", "Choose at least one kind of event.", {
      param: "eventTypes",
    });
  }
  const url = await checkWebhookUrl(input.url, webhooks);
  return { url, description, eventTypes: wanted === null ? null : [...new Set(wanted)].sort() };
}

/** Under the account's lock: concurrent creations are counted too. */
async function assertRoom(tx: Db, accountId: AccountId): Promise<void> {
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("no key update");
  const [found] = await tx
    .select({ number: count(webhookEndpoints.id) })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.accountId, accountId));
  if ((found?.number ?? 0) < webhookEndpointsMax) return;
  throw new Fault(
    "conflict",
    `An account has at most ${webhookEndpointsMax} endpoints; delete one first.`,
  );
}

async function lockEndpoint(tx: Db, accountId: AccountId, id: WebhookEndpointId) {
  const [endpoint] = await tx
    .select({
      url: webhookEndpoints.url,
      description: webhookEndpoints.description,
      eventTypes: webhookEndpoints.eventTypes,
      secret: webhookEndpoints.secret,
    })
    .from(webhookEndpoints)
    .where(endpointOf(accountId, id))
    .for("no key update");
  if (endpoint === undefined) throw noSuchEndpoint();
  return endpoint;
}

function changesOf(before: Values | undefined, after: Values): NonNullable<AuditEntry["changes"]> {
  const textOf = ({ eventTypes }: Values) => eventTypes?.join(", ") ?? "every event";
  const changes = {
    url: [before?.url ?? null, after.url],
    description: [before?.description ?? null, after.description],
    events: [before === undefined ? null : textOf(before), textOf(after)],
  } as const;
  return Object.fromEntries(Object.entries(changes).filter(([, [was, is]]) => was !== is));
}

async function record(
  tx: Db,
  by: Member,
  { id, url }: { readonly id: WebhookEndpointId; readonly url: string },
  action: string,
  changes?: AuditEntry["changes"],
): Promise<void> {
  await recordAudit(tx, {
    accountId: by.account.id,
    by: auditActorOf(by),
    action,
    object: { id, name: url },
    ...(changes !== undefined && { changes }),
  });
}

function endpointOf(accountId: AccountId, id: WebhookEndpointId) {
  return and(eq(webhookEndpoints.accountId, accountId), eq(webhookEndpoints.id, id));
}

export function noSuchEndpoint(): Fault {
  return new Fault("not_found", "There is no such webhook endpoint.");
}
