// The balance and the ledger over the management API.
import { ledgerTypes } from "@turnpike/reports";
import { z } from "zod";
import { timeZoneInput } from "../inputs.ts";
import { ledgerInput } from "../routers/wallet.ts";
import { defineRoute, pageSchema } from "./define-route.ts";

const instant = z.iso.datetime();
const usd = z.string().describe("USD, as an exact decimal.");

const balanceSchema = z
  .object({
    balanceUsd: usd,
    heldUsd: usd.describe("Reserved for running requests; part of the balance."),
    frozen: z.boolean(),
    lowBalanceAlertUsd: usd.nullable(),
  })
  .meta({ id: "Balance" });

const entrySchema = z
  .object({
    id: z.string(),
    at: instant,
    type: z.enum(ledgerTypes),
    description: z.string(),
    amountUsd: usd.describe("Signed."),
    balanceAfterUsd: usd.nullable().describe("Null while it is pending."),
    pending: z.boolean(),
    topUpId: z.uuid().nullable(),
    usage: z
      .object({
        keyId: z.uuid().nullable(),
        keyName: z.string().nullable(),
        calls: z.int(),
        open: z.boolean().describe("The hour is not over: the line still grows."),
        from: instant,
        to: instant,
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
    input: ledgerInput.extend({ timeZone: timeZoneInput.optional() }),
    output: pageSchema(entrySchema),
    async run({ caller }, { timeZone = "UTC", ...fields }) {
      const { rows, nextCursor } = await caller.wallet.ledger({ ...fields, timeZone });
      return { data: rows, nextCursor };
    },
  }),
];
