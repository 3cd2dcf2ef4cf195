// Accounts that an operator makes and credits.

import { createAccount, findAccount } from "@turnpike/auth";
import { Fault } from "@turnpike/base";
import { recordAudit } from "@turnpike/db";
import { formatAmount, formatBalance } from "@turnpike/format";
import { postMovement } from "@turnpike/ledger";
import { formatUsd, type Nanos, parseUsd } from "@turnpike/terms";
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
        ? `Credited ${formatAmount(formatUsd(amountNanos))}.`
        : "This idempotency key was used before; nothing was credited now.";
      return {
        json: {
          accountId: account.id,
          credited: posted.posted,
          transactionId: posted.transactionId,
          balanceUsd: balance,
        },
        text: [done, `Balance ${formatBalance(balance)}.`],
      };
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
