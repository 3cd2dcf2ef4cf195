// OpenRouter's `/keys`, so that programs written for its provisioning keys work here. A key has one limit there:
// `limit` and `limit_reset` are those of the limit with least left; the hash is the id of the key.
import { Fault } from "@turnpike/base";
import { z } from "zod";
import { instantInput, line } from "../inputs.ts";
import { type Caller, defineRoute } from "./define-route.ts";

const path = "/v1/keys";
const tag = "OpenRouter's key API";
const pageSize = 100;

const resets = { daily: "day", weekly: "week", monthly: "month" } as const;
type Reset = keyof typeof resets;
const resetNames = ["daily", "weekly", "monthly"] as const satisfies readonly Reset[];
const reset = z.enum(resetNames).nullable();

const usd = z.number();

const keySchema = z
  .object({
    hash: z.uuid(),
    name: z.string(),
    label: z.string(),
    disabled: z.boolean(),
    limit: usd.nullable(),
    limit_reset: reset,
    limit_remaining: usd.nullable(),
    include_byok_in_limit: z.literal(false),
    usage: usd,
    usage_daily: usd,
    usage_weekly: usd,
    usage_monthly: usd,
    byok_usage: z.literal(0),
    byok_usage_daily: z.literal(0),
    byok_usage_weekly: z.literal(0),
    byok_usage_monthly: z.literal(0),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable(),
    creator_user_id: z.string().nullable(),
    external_user: z.null(),
    workspace_id: z.literal("default"),
  })
  .meta({ id: "OpenRouterKey" });

type Key = Awaited<ReturnType<Caller["keys"]["read"]>>;

const limitFields = {
  limit: z.number().min(0).max(9_000_000_000).nullable().optional(),
  limit_reset: reset.optional(),
  /** There are no keys of the caller's own at providers, so it changes nothing. */
  include_byok_in_limit: z.boolean().optional(),
};

const createFields = z.strictObject({
  name: line(200),
  expires_at: instantInput.nullable().optional(),
  ...limitFields,
});

const hash = z.uuid();
const changeFields = z.strictObject({
  hash,
  name: line(200).optional(),
  disabled: z.boolean().optional(),
  ...limitFields,
});

export const openRouterKeyRoutes = [
  defineRoute({
    method: "GET",
    path,
    tag,
    isVerbatim: true,
    summary: "List API keys as OpenRouter does",
    procedure: "keys.list",
    status: 200,
    input: z.strictObject({
      offset: z.int().min(0).max(1_000_000).optional(),
      include_disabled: z.boolean().optional(),
    }),
    output: z.object({ data: z.array(keySchema) }),
    async run({ caller }, { offset = 0, include_disabled: withDisabled = false }) {
      const keys = await caller.keys.list({});
      const shown = keys.filter(({ status }) => withDisabled || status !== "disabled");
      return { data: shown.slice(offset, offset + pageSize).map(presentForOpenRouter) };
    },
  }),
  defineRoute({
    method: "POST",
    path,
    tag,
    isVerbatim: true,
    summary: "Create an API key as OpenRouter does",
    procedure: "keys.create",
    status: 201,
    input: createFields,
    output: z.object({ data: keySchema, key: z.string().describe("Shown this once.") }),
    async run({ caller, madeId: attemptId }, { name, limit, limit_reset, expires_at }) {
      const { key } = await caller.keys.create({
        name,
        attemptId,
        limits: {
          spendLimitsUsd: limit == null ? {} : { [periodOf(limit_reset)]: amountOf(limit) },
          ...(typeof expires_at === "string" && { expiresAt: expires_at }),
        },
      });
      return { data: presentForOpenRouter(await caller.keys.read({ id: attemptId })), key };
    },
  }),
  defineRoute({
    method: "GET",
    path: `${path}/{hash}`,
    tag,
    isVerbatim: true,
    summary: "Read an API key as OpenRouter does",
    procedure: "keys.read",
    status: 200,
    input: z.strictObject({ hash }),
    output: z.object({ data: keySchema }),
    run: async ({ caller }, fields) => ({
      data: presentForOpenRouter(await caller.keys.read({ id: fields.hash })),
    }),
  }),
  defineRoute({
    method: "PATCH",
    path: `${path}/{hash}`,
    tag,
    isVerbatim: true,
    summary: "Change an API key as OpenRouter does",
    procedure: "keys.update",
    status: 200,
    input: changeFields,
    output: z.object({ data: keySchema }),
    async run({ caller }, { hash: id, name, disabled, limit, limit_reset }) {
      const limits =
        limit === undefined && limit_reset === undefined
          ? undefined
          : changedLimits(await caller.keys.read({ id }), limit, limit_reset);
      if (name !== undefined || limits !== undefined) {
        await caller.keys.update({ id, name, limits });
      }
      if (disabled !== undefined) await caller.keys.setDisabled({ id, disabled });
      return { data: presentForOpenRouter(await caller.keys.read({ id })) };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: `${path}/{hash}`,
    tag,
    isVerbatim: true,
    summary: "Revoke an API key as OpenRouter does",
    procedure: "keys.revoke",
    status: 200,
    input: z.strictObject({ hash }),
    output: z.object({ deleted: z.literal(true) }),
    async run({ caller }, fields) {
      await caller.keys.revoke({ id: fields.hash });
      return { deleted: true as const };
    },
  }),
];

function presentForOpenRouter(key: Key): z.input<typeof keySchema> {
  const { spend } = key;
  const shown = shownLimit(key);
  return {
    hash: key.id,
    name: key.name,
    label: key.masked,
    disabled: key.status === "disabled",
    limit: shown?.limit ?? null,
    limit_reset: shown?.reset ?? null,
    limit_remaining: shown?.remaining ?? null,
    include_byok_in_limit: false,
    usage: Number(spend.total.spentUsd),
    usage_daily: Number(spend.day.spentUsd),
    usage_weekly: Number(spend.week.spentUsd),
    usage_monthly: Number(spend.month.spentUsd),
    byok_usage: 0,
    byok_usage_daily: 0,
    byok_usage_weekly: 0,
    byok_usage_monthly: 0,
    created_at: key.createdAt,
    updated_at: key.changedAt,
    expires_at: key.expiresAt,
    creator_user_id: key.createdBy,
    external_user: null,
    workspace_id: "default",
  };
}

type ShownLimit = {
  readonly reset: Reset | null;
  readonly limit: number;
  readonly remaining: number;
};

/** The one with least left. */
function shownLimit({ spend }: Key): ShownLimit | undefined {
  const limits = [...resetNames, null].flatMap((name): ShownLimit[] => {
    const { limitUsd, spentUsd } = spend[periodOf(name)];
    if (limitUsd === null) return [];
    const limit = Number(limitUsd);
    return [{ reset: name, limit, remaining: Math.max(limit - Number(spentUsd), 0) }];
  });
  return limits.toSorted((a, b) => a.remaining - b.remaining)[0];
}

function periodOf(name: Reset | null | undefined): "day" | "week" | "month" | "total" {
  return name == null ? "total" : resets[name];
}

/** The limits of the key with the shown one replaced; all others stay. */
function changedLimits(
  key: Key,
  limit: number | null | undefined,
  limitReset: Reset | null | undefined,
) {
  const { spendLimitsUsd, ...others } = key.limits;
  const shown = shownLimit(key);
  const kept = Object.entries(spendLimitsUsd).filter(
    ([period, amount]) => amount !== null && period !== shownPeriod(shown),
  );
  const wanted = limit === undefined ? shown?.limit : limit;
  const period = periodOf(limitReset === undefined ? shown?.reset : limitReset);
  const spend = {
    ...Object.fromEntries(kept),
    ...(wanted != null && { [period]: amountOf(wanted) }),
  };
  const set = Object.entries(others).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(set), spendLimitsUsd: spend };
}

function shownPeriod(shown: ShownLimit | undefined): string | undefined {
  return shown && periodOf(shown.reset);
}

/** In cents, as limits are kept. Throws `invalid_value`. */
function amountOf(limit: number): string {
  const text = limit.toFixed(2);
  if (Number(text) === limit) return text;
  throw new Fault("invalid_value", "A limit has at most two decimals.", { param: "limit" });
}
