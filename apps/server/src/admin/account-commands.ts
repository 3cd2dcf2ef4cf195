// Accounts as an operator handles them: create, credit, show, suspend, resume.

import { createAccount, type FoundAccount, findAccount } from "@turnpike/auth";
import { Fault, formatUsd, type Nanos, parseUsd, toNanos } from "@turnpike/base";
import { recordAudit } from "@turnpike/db";
import { resumeAccount, suspendAccount } from "@turnpike/keys";
import { postMovement } from "@turnpike/ledger";
import { type Command, defineCommand } from "./command.ts";
import { operatorHere } from "./operator-here.ts";

/** A typing mistake must not credit a million. */
const creditUsdMax = "100000";

export const accountCommands = {
  "account create": defineCommand({
    required: ["email"],
    optional: ["name"],
    summary: "a person without a password, and their account",
    async run({ db }, { email, name }) {
      const created = await createAccount(db(), {
        email,
        ...(name !== undefined && { name }),
        by: operatorHere(),
      });
      return {
        json: { ...created },
        text: [`Created account ${created.accountId}.`],
      };
    },
  }),
  "account credit": defineCommand({
    required: ["email", "usd", "reason"],
    optional: ["idempotency-key"],
    summary: "adds money; the same idempotency key adds it once per account",
    async run({ db, ownerDb }, { email, usd, reason, "idempotency-key": givenKey }) {
      const amountNanos = readAmount(usd);
      if (reason.trim() === "") {
        throw new Fault("invalid_value", "A reason is needed.", { param: "reason" });
      }
      const account = await findAccount(db(), email);
      const by = operatorHere();
      const posted = await ownerDb().transaction(async (tx) => {
        const movement = await postMovement(tx, {
          accountId: account.id,
          amountNanos,
          kind: "adjustment",
          book: "adjustments",
          idempotencyKey: `operator:${account.id}:${givenKey ?? crypto.randomUUID()}`,
          reason: reason.trim(),
          actor: `operator ${by.name}`,
        });
        if (movement.posted) {
          const changes = {
            usd: [null, formatUsd(amountNanos)],
            reason: [null, reason.trim()],
          } as const;
          await recordAudit(tx, { accountId: account.id, by, action: "account.credit", changes });
        }
        return movement;
      });
      const balance = formatUsd(posted.balanceNanos);
      const done = posted.posted
        ? `Credited $${formatUsd(amountNanos)}.`
        : "This idempotency key was used before; nothing was credited now.";
      return {
        json: {
          accountId: account.id,
          credited: posted.posted,
          transactionId: posted.transactionId,
          balanceUsd: balance,
        },
        text: [done, `Balance $${balance}.`],
      };
    },
  }),
  "account show": defineCommand({
    required: ["email"],
    optional: [],
    summary: "balance and state",
    async run({ db }, { email }) {
      return describeAccount(await findAccount(db(), email));
    },
  }),
  "account suspend": defineCommand({
    required: ["email"],
    optional: [],
    summary: "refuses all its keys; its money stays",
    async run({ db }, { email }) {
      await suspendAccount(db(), (await findAccount(db(), email)).id, operatorHere());
      return describeAccount(await findAccount(db(), email));
    },
  }),
  "account resume": defineCommand({
    required: ["email"],
    optional: [],
    summary: "accepts its keys again",
    async run({ db }, { email }) {
      await resumeAccount(db(), (await findAccount(db(), email)).id, operatorHere());
      return describeAccount(await findAccount(db(), email));
    },
  }),
} satisfies Record<string, Command>;

function readAmount(usd: string): Nanos {
  const amount = parseUsd(usd);
  const max = parseUsd(creditUsdMax);
  if (amount !== undefined && max !== undefined && amount > 0n && amount <= max) return amount;
  throw new Fault("invalid_value", `Give an amount above 0, at most ${creditUsdMax}, such as 10.`, {
    param: "usd",
  });
}

function describeAccount(account: FoundAccount) {
  const json = {
    id: account.id,
    email: account.email,
    name: account.name,
    balanceUsd: formatUsd(account.balanceNanos),
    heldUsd: formatUsd(account.heldNanos),
    availableUsd: formatUsd(toNanos(account.balanceNanos - account.heldNanos)),
    emailVerifiedAt: account.emailVerifiedAt,
    frozenAt: account.frozenAt,
    suspendedAt: account.suspendedAt,
    createdAt: account.createdAt,
  };
  return { json, text: Object.entries(json).map(describeFact) };
}

function describeFact([name, value]: readonly [string, string | Date | null]): string {
  return `${name.padEnd(16)} ${value instanceof Date ? value.toISOString() : (value ?? "-")}`;
}
