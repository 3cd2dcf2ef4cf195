// The command that compares credits with the payments Stripe knows.
import { findUnpaidCredits } from "@turnpike/billing";
import { type Command, defineCommand } from "./command.ts";
import { openOperatorBilling } from "./operator-services.ts";
import { readSince } from "./read-since.ts";

export const topUpCommands = {
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
