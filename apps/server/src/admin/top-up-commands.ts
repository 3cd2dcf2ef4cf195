// Operator commands for top-ups: query Stripe again, and credit payments that now agree.

import { findAccount } from "@turnpike/auth";
import { Fault, formatUsd, parseId, type TopUpId } from "@turnpike/base";
import {
  findUnpaidCredits,
  type RecheckedTopUp,
  recheckTopUp,
  recheckTopUps,
} from "@turnpike/billing";
import { type Command, defineCommand } from "./command.ts";
import { openOperatorBilling } from "./desk-services.ts";
import { operatorHere } from "./operator-here.ts";
import { readSince } from "./read-since.ts";

export const topUpCommands = {
  "top-up recheck": defineCommand({
    required: [],
    optional: ["id", "email"],
    summary:
      "queries Stripe about one top-up, or the latest of an account; credits payments that agree",
    async run(context, { id, email }) {
      const { db } = context;
      if ((id === undefined) === (email === undefined)) {
        throw new Fault("invalid_value", "Give either --id or --email.", { param: "id" });
      }
      const billing = openOperatorBilling(context);
      const by = operatorHere();
      const topUps =
        email === undefined
          ? [await recheckTopUp(db(), billing, readTopUpId(id ?? ""), by)]
          : await recheckTopUps(db(), billing, (await findAccount(db(), email)).id, by);
      const rows = topUps.map(describeTopUp);
      const text = rows.map((row) =>
        [row.id, row.state, `$${row.amountUsd}, credited $${row.creditedUsd}`, row.disagrees ?? ""]
          .join("  ")
          .trimEnd(),
      );
      return { json: { topUps: rows }, text: rows.length === 0 ? ["No top-ups."] : text };
    },
  }),
  "top-up audit": defineCommand({
    required: [],
    optional: ["days"],
    summary:
      "credited top-ups of the last 30 days or DAYS without a payment at Stripe; exit code 1 if any",
    async run(context, { days }) {
      const { db } = context;
      const billing = openOperatorBilling(context);
      const unpaid = await findUnpaidCredits(db(), billing, readSince(days));
      const isWrong = unpaid.length > 0;
      return {
        json: { right: !isWrong, unpaid },
        text: isWrong ? unpaid : ["Stripe knows the payment of every credit."],
        isWrong,
      };
    },
  }),
} satisfies Record<string, Command>;

function readTopUpId(text: string): TopUpId {
  const id = parseId<TopUpId>(text);
  if (id !== undefined) return id;
  throw new Fault("invalid_value", "This is not the id of a top-up.", { param: "id" });
}

function describeTopUp(topUp: RecheckedTopUp) {
  return {
    id: topUp.id,
    state: topUp.disagrees === null ? topUp.state : "set aside",
    amountUsd: formatUsd(topUp.amountNanos),
    creditedUsd: formatUsd(topUp.creditedNanos),
    reversedUsd: formatUsd(topUp.reversedNanos),
    disagrees: topUp.disagrees,
    createdAt: topUp.createdAt,
  };
}
