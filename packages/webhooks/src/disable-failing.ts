// Disables an endpoint that accepted nothing for three days, or that says it is gone, and mails those who may enable
// it again. What still waits for it is canceled, and stays in the log to be sent again.

import { accountPath, rolesWith } from "@turnpike/accounts";
import type { AccountId, WebhookEndpointId } from "@turnpike/base";
import {
  accounts,
  type Db,
  memberships,
  persons,
  recordAudit,
  webhookEndpoints,
  webhookMessages,
} from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { and, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Webhooks } from "./webhooks.ts";

const reasons = {
  failures: "it accepted no message for three days.",
  gone: "it answered 410 Gone.",
} as const;

export type Failing = {
  readonly accountId: AccountId;
  readonly endpointId: WebhookEndpointId;
  readonly reason: keyof typeof reasons;
  /** When the message was queued that was given up. */
  readonly since: Date;
};

/** Does nothing if it accepted a message since, or is disabled already. The caller holds the endpoint's lock. */
export async function disableFailing(
  tx: Db,
  { publicUrl, log }: Webhooks,
  { accountId, endpointId, reason, since }: Failing,
): Promise<void> {
  const [disabled] = await tx
    .update(webhookEndpoints)
    .set({ disabledAt: sql`clock_timestamp()`, disabledBy: reason })
    .where(
      and(
        eq(webhookEndpoints.accountId, accountId),
        eq(webhookEndpoints.id, endpointId),
        isNull(webhookEndpoints.disabledAt),
        reason === "gone"
          ? undefined
          : or(isNull(webhookEndpoints.acceptedAt), lt(webhookEndpoints.acceptedAt, since)),
      ),
    )
    .returning({ url: webhookEndpoints.url });
  if (disabled === undefined) return;
  log.warn({ accountId, endpointId, reason }, "a webhook endpoint was disabled");
  await cancelWaiting(tx, accountId, endpointId);
  const { url } = disabled;
  await recordAudit(tx, {
    accountId,
    by: { kind: "system", name: "webhooks", address: "" },
    action: "webhook.disable",
    object: { id: endpointId, name: url },
    changes: { reason: [null, reason] },
  });
  await mailDisabled(tx, publicUrl, { accountId, url, reason });
}

/** Messages to an endpoint that is disabled or was. */
export async function cancelWaiting(
  tx: Db,
  accountId: AccountId,
  endpointId: WebhookEndpointId,
): Promise<void> {
  await tx
    .update(webhookMessages)
    .set({ state: "canceled", claimedUntil: null, endedAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(webhookMessages.accountId, accountId),
        eq(webhookMessages.endpointId, endpointId),
        eq(webhookMessages.state, "waiting"),
      ),
    );
}

async function mailDisabled(
  tx: Db,
  publicUrl: string,
  endpoint: {
    readonly accountId: AccountId;
    readonly url: string;
    readonly reason: keyof typeof reasons;
  },
): Promise<void> {
  const recipients = await tx
    .select({
      email: persons.email,
      accountName: accounts.name,
      kind: accounts.kind,
      slug: accounts.slug,
    })
    .from(memberships)
    .innerJoin(persons, eq(persons.id, memberships.personId))
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(
      and(
        eq(memberships.accountId, endpoint.accountId),
        inArray(memberships.role, [...rolesWith("webhooks.change")]),
      ),
    );
  for (const { email, accountName, kind, slug } of recipients) {
    await queueMail(tx, email, {
      kind: "webhook_disabled",
      accountName: kind === "organization" ? accountName : "",
      url: endpoint.url,
      reason: reasons[endpoint.reason],
      link: `${publicUrl}${accountPath({ slug })}/settings/webhooks`,
    });
  }
}
