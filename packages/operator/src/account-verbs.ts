// What an operator asks about one account, and does to it.
import { createAccount } from "@turnpike/accounts";
import type { AccountId } from "@turnpike/base";
import { accountNotes, type Db, leases } from "@turnpike/db";
import {
  queryAccountRates,
  resumeAccount,
  revokeKeysOfAccount,
  setAccountRates,
  suspendAccount,
} from "@turnpike/keys";
import { formatUsd, nameCharsMax, toNanos } from "@turnpike/terms";
import { and, desc, eq, isNull } from "drizzle-orm";
import { z } from "zod";
import { adjust } from "./account/adjust.ts";
import { listNotes } from "./account/list-notes.ts";
import { queryAccount } from "./account/query-account.ts";
import { queryTimeline, timelineKinds } from "./account/query-timeline.ts";
import { setCreditLimit } from "./account/set-credit-limit.ts";
import { setPrices } from "./account/set-prices.ts";
import { showAccount } from "./account/show-account.ts";
import {
  accountInput,
  creditInput,
  emailInput,
  limitInput,
  line,
  positiveUsdInput,
  priceTermsInput,
  signedUsdInput,
} from "./inputs.ts";
import { recordAction } from "./record-action.ts";
import { actorOf, command, everyone, finance, query, support } from "./verb.ts";

const account = accountInput;
const idempotencyKey = line(100).optional();

export const accountVerbs = {
  create: command({
    roles: support,
    label: "Create account",
    summary: "a person without a password, and their account",
    input: { email: emailInput, name: line(nameCharsMax.person).optional() },
    reasonIsOptional: true,
    run: ({ db }, by, { email, name, reason }) =>
      createAccount(db, { email, ...(name !== undefined && { name }), by: actorOf(by, reason) }),
  }),
  show: query({
    roles: everyone,
    summary: "balance, state, limits and members",
    input: { account },
    async run({ db }, _, { account: named }) {
      const { id } = await queryAccount(db, named);
      return { ...(await showAccount(db, id)), limits: await queryAccountRates(db, id) };
    },
  }),
  timeline: query({
    roles: everyone,
    summary: "calls, money, sign-ins, mails and the audit log, newest first",
    input: {
      account,
      kinds: z.array(z.enum(timelineKinds)).min(1).optional(),
      cursor: line(1_000).optional(),
    },
    async run({ db }, _, { account: named, ...asked }) {
      return queryTimeline(db, (await queryAccount(db, named)).id, asked);
    },
  }),
  leases: query({
    roles: everyone,
    summary: "what its running calls and instances have reserved of its money",
    input: { account },
    run: async ({ db }, _, { account: named }) => ({
      leases: await listLeases(db, (await queryAccount(db, named)).id),
    }),
  }),
  notes: query({
    roles: everyone,
    summary: "what operators noted about it; the account does not see it",
    input: { account },
    run: async ({ db }, _, { account: named }) => ({
      notes: await listNotes(db, (await queryAccount(db, named)).id),
    }),
  }),
  note: command({
    roles: everyone,
    label: "Add a note",
    summary: "notes the reason for colleagues; the account does not see it",
    input: { account },
    async run({ db }, by, { account: named, reason }) {
      const { id } = await queryAccount(db, named);
      await db.transaction(async (tx) => {
        const text = reason.trim();
        await tx.insert(accountNotes).values({ accountId: id, author: by.name, text });
        await recordAction(tx, by, { action: "account.note", object: id, reason });
      });
      return { accountId: id };
    },
  }),
  suspend: command({
    roles: support,
    label: "Suspend account",
    summary: "refuses all its keys; its money stays",
    input: { account },
    reasonIsOptional: true,
    async run({ db }, by, { account: named, reason }) {
      const { id } = await queryAccount(db, named);
      await suspendAccount(db, id, actorOf(by, reason));
      return showAccount(db, id);
    },
  }),
  resume: command({
    roles: support,
    label: "Resume account",
    summary: "accepts its keys again",
    input: { account },
    reasonIsOptional: true,
    async run({ db }, by, { account: named, reason }) {
      const { id } = await queryAccount(db, named);
      await resumeAccount(db, id, actorOf(by, reason));
      return showAccount(db, id);
    },
  }),
  revokeKeys: command({
    roles: support,
    label: "Revoke all API keys",
    summary: "revokes all its live keys on every instance within a second",
    input: { account },
    async run({ db }, by, { account: named, reason }) {
      const { id } = await queryAccount(db, named);
      return { accountId: id, revoked: await revokeKeysOfAccount(db, id, actorOf(by, reason)) };
    },
  }),
  setLimits: command({
    roles: support,
    summary: "its requests and tokens a minute and concurrent calls; none removes a limit",
    input: {
      account,
      requestsPerMinute: limitInput.optional(),
      tokensPerMinute: limitInput.optional(),
      concurrency: limitInput.optional(),
    },
    async run({ db }, by, { account: named, reason, ...change }) {
      const { id } = await queryAccount(db, named);
      await setAccountRates(db, { accountId: id, by: actorOf(by, reason) }, change);
      return { accountId: id, limits: await queryAccountRates(db, id) };
    },
  }),
  setCreditLimit: command({
    roles: finance,
    label: "Set credit limit",
    summary:
      "how far its balance may go below zero; 0 ends it, and what it owes is never outside it",
    input: { account, usd: creditInput },
    async run(services, by, { account: named, usd: limitNanos, reason }) {
      const { id } = await queryAccount(services.db, named);
      await setCreditLimit(services, by, { accountId: id, limitNanos, reason });
      return showAccount(services.db, id);
    },
  }),
  setPrices: command({
    roles: finance,
    summary:
      "what it pays beside list prices, by model or pattern (anthropic/*=-10%); replaces all, none ends them",
    input: { account, prices: priceTermsInput, allowsBelowCost: z.boolean().optional() },
    async run(services, by, { account: named, prices: terms, allowsBelowCost = false, reason }) {
      const { id } = await queryAccount(services.db, named);
      return setPrices(services, by, { accountId: id, terms, allowsBelowCost, reason });
    },
  }),
  adjust: command({
    roles: finance,
    label: "Adjust balance",
    summary: "adds money, or takes it with a minus sign; the same idempotency key does it once",
    input: { account, usd: signedUsdInput, idempotencyKey },
    run: adjust,
  }),
  credit: command({
    roles: finance,
    label: "Add credit",
    summary: "the same as adjust, for amounts above 0 only",
    input: { account, usd: positiveUsdInput, idempotencyKey },
    async run(services, by, input) {
      const adjusted = await adjust(services, by, input);
      return { ...adjusted, credited: adjusted.posted };
    },
  }),
};

const leasesMax = 200;

/** What is reserved of its money: its open leases, by instance and hour. */
async function listLeases(db: Db, accountId: AccountId) {
  const rows = await db
    .select({
      id: leases.id,
      keyId: leases.keyId,
      instanceId: leases.instanceId,
      hour: leases.hour,
      grantedNanos: leases.grantedNanos,
      spentNanos: leases.spentNanos,
      calls: leases.calls,
      openedAt: leases.openedAt,
    })
    .from(leases)
    .where(and(eq(leases.accountId, accountId), isNull(leases.closedAt)))
    .orderBy(desc(leases.openedAt))
    .limit(leasesMax);
  return rows.map(({ hour, openedAt, grantedNanos, spentNanos, ...lease }) => ({
    ...lease,
    grantedUsd: formatUsd(grantedNanos),
    spentUsd: formatUsd(spentNanos),
    heldUsd: formatUsd(toNanos(grantedNanos - spentNanos)),
    hour: hour.toISOString(),
    openedAt: openedAt.toISOString(),
  }));
}
