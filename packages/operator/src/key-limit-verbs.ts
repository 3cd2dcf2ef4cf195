// The limits of one key at the desk: read, and changed one by one over the same path as its owner's change.
import { type ApiKeyId, Fault } from "@turnpike/base";
import { apiKeys, type Db } from "@turnpike/db";
import { type KeyLimits, queryKeyLimits, updateApiKey } from "@turnpike/keys";
import { type BudgetPeriod, budgetPeriods, formatUsd, rateMax } from "@turnpike/terms";
import { eq } from "drizzle-orm";
import type { z } from "zod";
import {
  addressesInput,
  idInput,
  instantInput,
  limitInput,
  line,
  namesInput,
  orNone,
  usdInput,
} from "./inputs.ts";
import { actorOf, command, everyone, query, support } from "./verb.ts";

const id = idInput<ApiKeyId>();
const spendInput = (title: string) =>
  orNone(usdInput, 'Write an amount in USD like "10" or "2.50", or none.')
    .meta({ title, description: 'Such as "10" or "2.50", or none.' })
    .optional();
const rateInput = (most: number) =>
  limitInput
    .refine((limit) => limit === null || limit <= most, `Give at most ${most}, or none.`)
    .optional();

/** Separated by commas. */
const listInput = <Item extends z.ZodType<readonly string[], string[]>>(
  items: Item,
  what: string,
) => {
  const list = line(20_000)
    .transform((text) => text.split(",").flatMap((part) => part.trim() || []))
    .pipe(items);
  return orNone(list, `Separate up to ${what} with commas, or give none.`)
    .meta({ description: `Up to ${what}, separated by commas, or none.` })
    .optional();
};
const expiryInput = instantInput.refine((at) => at.getTime() > Date.now());

const limitsInput = {
  dayUsd: spendInput("Day limit in USD"),
  weekUsd: spendInput("Week limit in USD"),
  monthUsd: spendInput("Month limit in USD"),
  totalUsd: spendInput("Total limit in USD"),
  requestsPerMinute: rateInput(rateMax.perMinute),
  tokensPerMinute: rateInput(rateMax.perMinute),
  concurrency: rateInput(rateMax.concurrency),
  allowedModels: listInput(namesInput, "200 ids of models"),
  allowedAddresses: listInput(addressesInput, "100 addresses or CIDR ranges"),
  expiresAt: orNone(expiryInput, "Give a time in the future in ISO 8601, or none.")
    .meta({ description: "Such as 2027-01-31T00:00:00Z, or none." })
    .optional(),
};
type LimitChange = z.output<z.ZodObject<typeof limitsInput>>;

export const keyLimitVerbs = {
  limits: query({
    roles: everyone,
    summary: "what a key may spend, how fast, for which models, from where and until when",
    input: { id },
    run: ({ db }, _, { id: keyId }) => showLimits(db, keyId),
  }),
  setLimits: command({
    roles: support,
    label: "Limit API key",
    summary:
      "limits a key: spending, rates, models and addresses (lists with commas), expiry; none removes a limit",
    input: { id, ...limitsInput },
    async run({ db }, by, { id: keyId, reason, ...change }) {
      const owner = { id: keyId, accountId: await queryAccountOf(db, keyId) };
      await updateApiKey(
        db,
        { ...owner, actor: actorOf(by, reason) },
        { limits: (before) => changeLimits(before, change) },
      );
      return showLimits(db, keyId);
    },
  }),
};

const spendNames = {
  day: "dayUsd",
  week: "weekUsd",
  month: "monthUsd",
  total: "totalUsd",
} as const satisfies Record<BudgetPeriod, keyof LimitChange>;

/** What is absent stays; null removes. */
function changeLimits(before: KeyLimits, change: LimitChange): KeyLimits {
  const spend = budgetPeriods.flatMap((period) => {
    const given = change[spendNames[period]];
    const limit = given === undefined ? before.spendLimitNanos[period] : given;
    return limit === undefined || limit === null ? [] : [[period, limit] as const];
  });
  const { requestsPerMinute, tokensPerMinute, concurrency } = change;
  const { allowedModels, allowedAddresses, expiresAt } = change;
  const others = { requestsPerMinute, tokensPerMinute, concurrency };
  const after = { ...others, allowedModels, allowedAddresses, expiresAt };
  const given = Object.entries(after).filter(([, limit]) => limit !== undefined);
  const merged = Object.entries({ ...before, ...Object.fromEntries(given) });
  const kept = merged.filter(([, limit]) => limit !== null);
  return { ...Object.fromEntries(kept), spendLimitNanos: Object.fromEntries(spend) };
}

/** Throws `not_found`. */
async function queryAccountOf(db: Db, keyId: ApiKeyId) {
  const [key] = await db
    .select({ accountId: apiKeys.accountId })
    .from(apiKeys)
    .where(eq(apiKeys.id, keyId));
  if (key === undefined) throw new Fault("not_found", "There is no such API key.");
  return key.accountId;
}

async function showLimits(db: Db, keyId: ApiKeyId) {
  const accountId = await queryAccountOf(db, keyId);
  const limits = await queryKeyLimits(db, eq(apiKeys.id, keyId));
  const usdOf = (period: BudgetPeriod) => {
    const limitNanos = limits?.spendLimitNanos[period];
    return limitNanos === undefined ? null : formatUsd(limitNanos);
  };
  return {
    id: keyId,
    accountId,
    dayUsd: usdOf("day"),
    weekUsd: usdOf("week"),
    monthUsd: usdOf("month"),
    totalUsd: usdOf("total"),
    requestsPerMinute: limits?.requestsPerMinute ?? null,
    tokensPerMinute: limits?.tokensPerMinute ?? null,
    concurrency: limits?.concurrency ?? null,
    allowedModels: limits?.allowedModels ?? null,
    allowedAddresses: limits?.allowedAddresses ?? null,
    expiresAt: limits?.expiresAt?.toISOString() ?? null,
  };
}
