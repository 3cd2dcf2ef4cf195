// API keys of the account: created, shown once, limited, paused, rotated and revoked.

import { findKeyHolder, limitKeyCreation } from "@turnpike/accounts";
import { type ApiKeyId, Fault, type PersonId, type ProjectId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import {
  endPreviousSecret,
  type KeyEditor,
  type KeyLimits,
  mintApiKey,
  moveApiKey,
  revokeApiKey,
  rotateApiKey,
  setApiKeyDisabled,
  updateApiKey,
} from "@turnpike/keys";
import {
  queryKey,
  queryKeyChanges,
  queryKeyErrors,
  queryKeys,
  queryStartOfDay,
  queryUsage,
  sumUsage,
} from "@turnpike/reports";
import { graceSeconds, nameCharsMax } from "@turnpike/terms";
import { z } from "zod";
import {
  addressesInput,
  amountInput,
  concurrencyInput,
  idInput,
  instantInput,
  nameInput,
  namesInput,
  rateDescriptions,
  rateInput,
  shownTimeZoneInput,
} from "../inputs.ts";
import { presentKey, presentSums } from "../present.ts";
import { presentKeyChange } from "../present-key-change.ts";
import { accountProcedure, router, sometimesProvenAccountProcedure } from "../procedure.ts";

export const keyIdInput = z.strictObject({
  id: idInput<ApiKeyId>().describe("Id of the API key."),
});

/** What a spend limit does to requests. */
export const spendLimitEffect =
  "Answers are cut to what is left; a request whose shortest answer may cost more is refused with 402.";

const limitsInput = z
  .strictObject({
    spendLimitsUsd: z
      .strictObject({
        day: amountInput.optional().describe("Per day, from midnight."),
        week: amountInput.optional().describe("Per week, from Monday."),
        month: amountInput.optional().describe("Per calendar month."),
        total: amountInput.optional().describe("In total, never reset."),
      })
      .optional()
      .describe(
        `Most that the key may spend, in USD with at most two decimals, like "10.50", by the account's time zone. ${spendLimitEffect}`,
      ),
    requestsPerMinute: rateInput.optional().describe(rateDescriptions.requests),
    tokensPerMinute: rateInput.optional().describe(rateDescriptions.tokens),
    concurrency: concurrencyInput.optional().describe(rateDescriptions.concurrency),
    allowedModels: namesInput
      .optional()
      .describe("Ids of up to 200 models that it may call; others are refused with 403."),
    allowedAddresses: addressesInput
      .optional()
      .describe(
        "Up to 100 addresses or CIDR ranges that it may be used from; others are refused with 403.",
      ),
    expiresAt: instantInput
      .optional()
      .describe("When it stops working: requests are refused with 401 from then on."),
  })
  .transform((given): KeyLimits => {
    const { spendLimitsUsd, ...rest } = given;
    const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    const spend = Object.entries(spendLimitsUsd ?? {}).filter(([, value]) => value !== undefined);
    return { ...set, spendLimitNanos: Object.fromEntries(spend) };
  });

export const keyNameInput = nameInput(nameCharsMax.apiKey).describe(
  `Name of the key, at most ${nameCharsMax.apiKey} characters.`,
);

export const createKeyInput = z.strictObject({
  name: keyNameInput,
  limits: limitsInput
    .optional()
    .describe("What the key may do. A limit that is absent is not set."),
  projectId: idInput<ProjectId>()
    .optional()
    .describe("The project it is in. Default: the default project."),
  memberId: idInput<PersonId>()
    .optional()
    .describe(
      "The member whose key it is. Default: the caller. Only for those who may change all keys.",
    ),
  attemptId: idInput<ApiKeyId>(),
});

export const updateKeyInput = keyIdInput.extend({
  name: nameInput(nameCharsMax.apiKey)
    .optional()
    .describe(
      `Name of the key, at most ${nameCharsMax.apiKey} characters. Default: stays as it is.`,
    ),
  limits: limitsInput
    .optional()
    .describe("Replaces all limits of the key. Default: they stay as they are."),
});

export const moveKeyInput = keyIdInput.extend({
  projectId: idInput<ProjectId>().describe("The project it moves to."),
});

export const rotateKeyInput = keyIdInput.extend({
  graceSeconds: z
    .literal(graceSeconds)
    .describe("How many seconds the old secret still works: none, an hour, a day or a week."),
});

/** Whole days of the reader, including today. */
const seriesDays = 30;
const changesShown = 50;

export const keysRouter = router({
  list: accountProcedure("keys.read")
    .input(z.strictObject({ includeRevoked: z.boolean().optional() }))
    .query(async ({ ctx, input }) => {
      const includeRevoked = input.includeRevoked ?? false;
      const query = { ...ctx.scope, includeRevoked };
      const keys = await ctx.report((db) => queryKeys(db, query));
      return keys.map(presentKey);
    }),
  /** The key itself, without its usage. */
  read: accountProcedure("keys.read")
    .input(keyIdInput)
    .query(async ({ ctx, input }) => {
      const key = await ctx.report((db) => queryKey(db, ctx.scope, input.id));
      if (key === undefined) throw noSuchKey();
      return presentKey(key);
    }),
  create: accountProcedure("keys.change")
    .input(createKeyInput)
    .mutation(async ({ ctx, input }) => {
      assertFuture(input.limits);
      const { id, key } = await limitKeyCreation(ctx.db, ctx.auth, ctx.account, () =>
        ctx.db.transaction(async (tx) => {
          const holder = await holderOf(tx, ctx, input.memberId);
          return mintApiKey(tx, {
            accountId: ctx.account.id,
            createdBy: holder.personId,
            shownTo: ctx.person.id,
            actor: ctx.actor,
            name: input.name,
            projectId: input.projectId,
            projectIds: holder.projectIds,
            id: input.attemptId,
            ...(input.limits !== undefined && { limits: input.limits }),
          });
        }),
      );
      return { id, key };
    }),
  update: sometimesProvenAccountProcedure("keys.change")
    .input(updateKeyInput)
    .mutation(async ({ ctx, input }) => {
      assertFuture(input.limits);
      const { id, ...change } = input;
      const owner = { ...ctx.scope, id, by: editorOf(ctx), actor: ctx.actor };
      await updateApiKey(ctx.db, owner, change);
      return {};
    }),
  move: accountProcedure("keys.change")
    .input(moveKeyInput)
    .mutation(async ({ ctx, input }) => {
      const owner = { ...ctx.scope, id: input.id, actor: ctx.actor };
      await moveApiKey(ctx.db, owner, input.projectId);
      return {};
    }),
  setDisabled: accountProcedure("keys.change")
    .input(keyIdInput.extend({ disabled: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      const owner = { ...ctx.scope, id: input.id, actor: ctx.actor };
      await setApiKeyDisabled(ctx.db, owner, input.disabled);
      return {};
    }),
  rotate: sometimesProvenAccountProcedure("keys.change")
    .input(rotateKeyInput)
    .mutation(async ({ ctx, input }) => {
      const owner = { ...ctx.scope, id: input.id, by: editorOf(ctx), actor: ctx.actor };
      // A rotation makes a secret and sends a message, as a new key does.
      const { id, key } = await limitKeyCreation(ctx.db, ctx.auth, ctx.account, () =>
        rotateApiKey(ctx.db, owner, input.graceSeconds),
      );
      return { id, key };
    }),
  endPrevious: accountProcedure("keys.change")
    .input(keyIdInput)
    .mutation(async ({ ctx, input }) => {
      await endPreviousSecret(ctx.db, { ...ctx.scope, id: input.id, actor: ctx.actor });
      return {};
    }),
  revoke: accountProcedure("keys.change")
    .input(keyIdInput)
    .mutation(async ({ ctx, input }) => {
      await revokeApiKey(ctx.db, input.id, { ...ctx.scope, actor: ctx.actor });
      return {};
    }),
  detail: accountProcedure("keys.read")
    .input(keyIdInput.extend({ timeZone: shownTimeZoneInput }))
    .query(async ({ ctx, input }) => {
      const accountId = ctx.account.id;
      const { report } = ctx;
      const key = await report((db) => queryKey(db, ctx.scope, input.id));
      if (key === undefined) throw noSuchKey();
      const to = new Date();
      const from = await report((db) => queryStartOfDay(db, input.timeZone, seriesDays - 1));
      const range = { accountId, from, to, keyIds: [input.id], timeZone: input.timeZone };
      const [{ series, breakdown: models }, errors, changes] = await Promise.all([
        report((db) => queryUsage(db, range, "model")),
        report((db) => queryKeyErrors(db, accountId, input.id, 10)),
        report((db) => queryKeyChanges(db, accountId, input.id, changesShown)),
      ]);
      return {
        key: presentKey(key),
        series: series.map(({ at, groups }) => ({
          day: at.toISOString(),
          ...presentSums(sumUsage(groups)),
        })),
        topModels: models.slice(0, 5).map((row) => ({ model: row.id, ...presentSums(row) })),
        recentErrors: errors.map((error) => ({ ...error, at: error.at.toISOString() })),
        /** Newest first, without the creation of the key. */
        changes: changes.map(presentKeyChange),
      };
    }),
});

function noSuchKey(): Fault {
  return new Fault("not_found", "There is no such API key.");
}

/** Whose key it becomes. What the caller cannot see of others, they cannot make for them either. */
async function holderOf(
  tx: Db,
  { account, person, scope }: Acting,
  memberId: PersonId | undefined,
): Promise<{ personId: PersonId; projectIds: readonly ProjectId[] | undefined }> {
  if (memberId === undefined || memberId === person.id) {
    return { personId: person.id, projectIds: scope.projectIds };
  }
  if (scope.ownerOfKeys === undefined && scope.projectIds === undefined) {
    return findKeyHolder(tx, account, memberId);
  }
  throw new Fault("permission_denied", "You can create keys for yourself only.", {
    param: "memberId",
    metadata: { permission: "keys.change", role: account.role },
  });
}

type Acting = Parameters<Parameters<ReturnType<typeof accountProcedure>["query"]>[0]>[0]["ctx"];

function editorOf(ctx: {
  readonly person: { readonly id: PersonId };
  readonly requireProof: () => void;
}): KeyEditor {
  return { personId: ctx.person.id, requireRecentProof: ctx.requireProof };
}

function assertFuture(limits: KeyLimits | undefined): void {
  if (limits?.expiresAt === undefined || limits.expiresAt.getTime() > Date.now()) return;
  throw new Fault("invalid_value", "The expiry must be in the future.", {
    param: "limits.expiresAt",
  });
}
