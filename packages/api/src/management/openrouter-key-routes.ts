// OpenRouter's `/keys`, so that programs written for its provisioning keys work here. A key has one limit there:
// `limit` and `limit_reset` are those of the limit with least left; the hash is the id of the key.
import { normalizeEmail } from "@turnpike/accounts";
import { Fault, type PersonId } from "@turnpike/base";
import { z } from "zod";
import { instantInput, line } from "../inputs.ts";
import { keyNameInput, spendLimitEffect } from "../routers/keys.ts";
import { type Caller, defineRoute } from "./define-route.ts";

const path = "/v1/keys";
const tag = "OpenRouter's key API";
const pageSize = 100;

const resets = { daily: "day", weekly: "week", monthly: "month" } as const;
type Reset = keyof typeof resets;
const resetNames = ["daily", "weekly", "monthly"] as const satisfies readonly Reset[];
const reset = z.enum(resetNames).nullable();

const usd = z.number();
const hash = z.uuid().describe("Id of the key.");
const noByok = "Keys of your own at providers are not supported.";

const keySchema = z
  .object({
    hash,
    name: z.string().describe("Name of the key."),
    label: z.string().describe("The key as lists show it, such as `sk-tp-9f2a…c41d`."),
    disabled: z.boolean().describe("Whether it is disabled: its requests are refused."),
    limit: usd.nullable().describe("The spend limit with least left, in USD; null without one."),
    limit_reset: reset.describe("When that limit begins again; null for a limit in total."),
    limit_remaining: usd.nullable().describe("What is left of it, in USD, never below 0."),
    include_byok_in_limit: z.literal(false).describe(noByok),
    usage: usd.describe("What it has spent in all, in USD."),
    usage_daily: usd.describe("What it has spent today, in USD."),
    usage_weekly: usd.describe("What it has spent this week, from Monday, in USD."),
    usage_monthly: usd.describe("What it has spent this month, in USD."),
    byok_usage: z.literal(0).describe(noByok),
    byok_usage_daily: z.literal(0).describe(noByok),
    byok_usage_weekly: z.literal(0).describe(noByok),
    byok_usage_monthly: z.literal(0).describe(noByok),
    created_at: z.iso.datetime().describe("When it was created."),
    updated_at: z.iso.datetime().nullable().describe("When it last changed; null if never."),
    expires_at: z.iso.datetime().nullable().describe("When it stops working; null if never."),
    creator_user_id: z
      .string()
      .nullable()
      .describe("Email address of the member who owns the key."),
    external_user: z.null().describe("Always null."),
    workspace_id: z.literal("default").describe("Always `default`."),
  })
  .meta({ id: "OpenRouterKey" });

const oneKey = z.object({ data: keySchema.describe("The key, without its secret.") });

type Key = Awaited<ReturnType<Caller["keys"]["read"]>>;

const limitInput = z.number().min(0).max(9_000_000_000).nullable().optional();
const resetInput = reset.optional();
const byokInput = z.boolean().optional().describe(`Changes nothing. ${noByok}`);

const createFields = z.strictObject({
  name: keyNameInput,
  expires_at: instantInput
    .nullable()
    .optional()
    .describe("When it stops working. Default: null, which is never."),
  limit: limitInput.describe(
    `Most that it may spend, in USD with at most two decimals. Default: null, which is no limit. ${spendLimitEffect}`,
  ),
  limit_reset: resetInput.describe(
    "When the limit begins again. Default: null, which is never: it is a limit in total.",
  ),
  include_byok_in_limit: byokInput,
  creator_user_id: line(320)
    .nullable()
    .optional()
    .describe(
      "Id or email address of the member who will own the key; finding one takes the permission `members.read`. Default: the member for whom the calling key acts.",
    ),
  workspace_id: z
    .literal("default", { error: 'There are no workspaces here. Omit it, or send "default".' })
    .nullable()
    .optional()
    .describe("Only `default`, which is the default: there are no workspaces here."),
});

const changeFields = z.strictObject({
  hash,
  name: keyNameInput.optional(),
  disabled: z.boolean().optional().describe("True disables the key, false enables it again."),
  limit: limitInput.describe(
    `Replaces the spend limit with least left, in USD with at most two decimals; null removes it. Default: stays as it is. ${spendLimitEffect}`,
  ),
  limit_reset: resetInput.describe(
    "When that limit begins again; null makes it a limit in total. Default: stays as it is.",
  ),
  include_byok_in_limit: byokInput,
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
      offset: z
        .int()
        .min(0)
        .max(1_000_000)
        .optional()
        .describe("How many keys to skip; at most 100 are listed. Default: 0."),
      include_disabled: z.boolean().optional().describe("Lists disabled keys too. Default: false."),
    }),
    output: z.object({ data: z.array(keySchema).describe("The keys, newest first.") }),
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
    output: z.object({
      data: keySchema.describe("The key, without its secret."),
      key: z.string().describe("The key itself, `sk-tp-…`. Shown this once."),
    }),
    async run({ caller, madeId: attemptId }, fields) {
      const { name, limit, limit_reset, expires_at, creator_user_id: creator } = fields;
      const memberId = creator == null ? undefined : await findMember(caller, creator);
      const { key } = await caller.keys.create({
        name,
        attemptId,
        ...(memberId !== undefined && { memberId }),
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
    output: oneKey,
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
    output: oneKey,
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
    output: z.object({ deleted: z.literal(true).describe("Always true.") }),
    async run({ caller }, fields) {
      await caller.keys.revoke({ id: fields.hash });
      return { deleted: true as const };
    },
  }),
];

/** Keys show the address of their member, so both it and the id name one. */
async function findMember(caller: Caller, creator: string): Promise<PersonId> {
  const members = await caller.members.list();
  const wanted = creator.trim();
  const address = normalizeEmail(wanted);
  const found = members.find(({ id, email }) => id === wanted.toLowerCase() || email === address);
  if (found !== undefined) return found.id;
  throw new Fault(
    "invalid_value",
    "Invalid 'creator_user_id': no member of this account has this id or email address. `GET /v1/management/members` lists them.",
    { param: "creator_user_id" },
  );
}

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
