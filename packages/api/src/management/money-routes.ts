// The balance and the ledger over the management API.
import { ledgerTypes } from "@turnpike/terms";
import { z } from "zod";
import { timeZoneDescription, timeZoneInput } from "../inputs.ts";
import { ledgerInput } from "../routers/wallet.ts";
import { defineRoute, pageSchema } from "./define-route.ts";

const instant = z.iso.datetime();
const usd = z.string();

const balanceSchema = z
  .object({
    balanceUsd: usd.describe("What the account has, in USD as an exact decimal."),
    heldUsd: usd.describe(
      "Reserved for running requests and for the next ones, in USD as an exact decimal; part of the balance.",
    ),
    frozen: z.boolean().describe("True while requests are refused because money was taken back."),
    lowBalanceAlertUsd: usd
      .nullable()
      .describe(
        "A mail and the event `balance.low` are sent when the balance with the credit limit, minus what is reserved, falls below this; null if never.",
      ),
  })
  .meta({ id: "Balance" });

const entrySchema = z
  .object({
    id: z.string().describe("Id of the line."),
    at: instant.describe(
      "When it was booked; for a line of usage the end of its hour, which may be in the future.",
    ),
    type: z.enum(ledgerTypes).describe("Kind of the movement."),
    description: z.string().describe("Why, for an adjustment; otherwise often empty."),
    amountUsd: usd.describe("In USD as an exact decimal; below zero it left the account."),
    balanceAfterUsd: usd
      .nullable()
      .describe("The balance after it, in USD as an exact decimal; null while it is pending."),
    pending: z.boolean().describe("True for a payment that is not confirmed yet."),
    topUpId: z.uuid().nullable().describe("Id of the payment, if it is one."),
    usage: z
      .object({
        keyId: z.uuid().nullable().describe("The API key; null for the playground."),
        keyName: z.string().nullable().describe("Its name."),
        calls: z.int().describe("How many requests it made."),
        open: z.boolean().describe("The hour is not over: the line still grows."),
        from: instant.describe("When the hour begins."),
        to: instant.describe("When the hour ends."),
      })
      .nullable()
      .describe("Of a line of usage: one key's calls of one hour."),
  })
  .meta({ id: "LedgerEntry" });

export const moneyRoutes = [
  defineRoute({
    method: "GET",
    path: "/v1/management/balance",
    tag: "Money",
    summary: "Read the balance",
    procedure: "wallet.summary",
    status: 200,
    input: z.strictObject({}),
    output: balanceSchema,
    run: ({ caller }) => caller.wallet.summary(),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/management/ledger",
    tag: "Money",
    summary: "List movements of money, newest first",
    procedure: "wallet.ledger",
    status: 200,
    input: ledgerInput.extend({
      timeZone: timeZoneInput.optional().describe(timeZoneDescription),
    }),
    output: pageSchema(entrySchema),
    async run({ caller }, { timeZone = "UTC", ...fields }) {
      const { rows, nextCursor } = await caller.wallet.ledger({ ...fields, timeZone });
      return { data: rows, nextCursor };
    },
  }),
];
