// The requests of the account: pages for the list and the live tail, one whole for its sheet.

import {
  type ApiKeyId,
  chatIdOf,
  Fault,
  formatGenerationId,
  type ProjectId,
  parseGenerationId,
} from "@turnpike/base";
import { queryPrompt } from "@turnpike/prompts";
import {
  countNewerLogs,
  hasRequests,
  queryGeneration,
  queryLogDetail,
  queryLogHistogram,
  queryLogs,
} from "@turnpike/reports";
import {
  callerCharsMax,
  callerNames,
  filteredKeysMax,
  formatFemtos,
  formatUsd,
  operations,
  origins,
  statusClasses,
  toNanos,
} from "@turnpike/terms";
import { z } from "zod";
import {
  costInput,
  cursorDescription,
  idInput,
  instantInput,
  line,
  pageLimitDescription,
  pageRowsDefault,
  parsedInput,
} from "../inputs.ts";
import { orNull, presentLogRow, toIso } from "../present.ts";
import { accountProcedure, router } from "../procedure.ts";

/** `gen-…` as the console shows it, or any other spelling of the same id. */
const generationInput = parsedInput(parseGenerationId, "Not a request id.");

/** Exactly as callers write it, line breaks included; PostgreSQL stores everything but NUL. */
const callerNameInput = (maxChars: number) =>
  z
    .string()
    .min(1)
    .max(maxChars)
    .refine((text) => text.isWellFormed() && !text.includes("\0"), "Use storable characters only.");

/** More are not counted exactly. */
const newerMax = 500;

export const logsInput = z.strictObject({
  from: instantInput.optional().describe("Only at or after this time."),
  to: instantInput.optional().describe("Only before this time."),
  keyIds: z
    .array(idInput<ApiKeyId>())
    .max(filteredKeysMax)
    .optional()
    .describe(`Only of these API keys, at most ${filteredKeysMax}.`),
  projectIds: z
    .array(idInput<ProjectId>())
    .max(200)
    .optional()
    .describe("Only of keys in these projects, at most 200."),
  models: z.array(line(128)).max(100).optional().describe("Only of these models, at most 100."),
  providers: z.array(line(64)).max(20).optional().describe("Only by these providers, at most 20."),
  origin: z
    .enum(origins)
    .optional()
    .describe("Only from the API, or only from the playground of the console."),
  operation: z.enum(operations).optional().describe("Only of this operation."),
  statusClass: z
    .enum(statusClasses)
    .optional()
    .describe("Only with a status like this; `canceled` if the client disconnected."),
  errorCode: line(64).optional().describe("Only with this error code."),
  app: callerNameInput(callerCharsMax.app).optional().describe("Only of this application."),
  user: callerNameInput(callerCharsMax.user).optional().describe("Only of this end user."),
  without: z
    .array(z.enum(callerNames))
    .max(callerNames.length)
    .optional()
    .describe("Only requests that named none of these."),
  minCostUsd: costInput.optional().describe("Only those that cost at least this, in USD."),
  minLatencyMs: z
    .number()
    .int()
    .nonnegative()
    .max(1e9)
    .optional()
    .describe("Only those that took at least this many milliseconds."),
  requestId: line(128)
    .optional()
    .describe("Only the one with this id: `gen-…`, `req_…` or that of its answer."),
  newerThan: generationInput.optional(),
  cursor: generationInput.optional().describe(cursorDescription),
  limit: z.number().int().min(1).max(100).optional().describe(pageLimitDescription),
});

export const logIdInput = z.strictObject({
  id: generationInput.describe("Id of the request, `gen-…`, or of its answer."),
});

export const logsRouter = router({
  list: accountProcedure("logs.read")
    .input(logsInput)
    .query(async ({ ctx, input }) => {
      const {
        minCostUsd,
        limit = pageRowsDefault,
        projectIds: inProjects,
        user: endUser,
        ...rest
      } = input;
      const { newerThan, ...filter } = rest;
      const { report, scope } = ctx;
      const query = { ...filter, ...scope, inProjects, endUser, minCostNanos: minCostUsd, limit };
      const { from, to, cursor } = query;
      const wantsBars = from !== undefined && to !== undefined && !newerThan && !cursor;
      const newest = newerThan && { than: newerThan, most: newerMax + 1 };
      const [page, bars, newer] = await Promise.all([
        report((db) => queryLogs(db, query)),
        wantsBars ? report((db) => queryLogHistogram(db, { ...query, from, to })) : null,
        newest ? report((db) => countNewerLogs(db, query, newest)) : null,
      ]);
      return {
        rows: page.rows.map(presentLogRow),
        nextCursor: orNull(page.nextCursor, formatGenerationId),
        /** How many are newer than `newerThan`, whatever the limit; 501 is more than 500. */
        newer,
        /** False if the account never made a request, whatever the filter. */
        used: page.rows.length > 0 || (await report((db) => hasRequests(db, ctx.scope))),
        histogram: orNull(bars, (all) => all.map((bar) => ({ ...bar, at: toIso(bar.at) }))),
      };
    }),
  detail: accountProcedure("logs.read")
    .input(logIdInput)
    .query(async ({ ctx, input }) => {
      const detail = await ctx.report((db) => queryLogDetail(db, ctx.scope, input.id));
      if (detail === undefined) throw new Fault("not_found", "There is no such request.");
      const { request } = detail;
      return {
        ...presentLogRow(detail.row),
        requestId: request.requestId,
        chatId: chatIdOf(request.id),
        usageSource: request.usageSource,
        cachedTokens: request.cachedTokens,
        cacheWriteTokens: request.cacheWriteTokens,
        reasoningTokens: request.reasoningTokens,
        /** What is billed by other units. */
        units: request.usageDetails?.units ?? [],
        serviceTier: request.usageDetails?.serviceTier ?? null,
        /** The fields of the request that the provider was asked without. */
        ignored: request.usageDetails?.ignored ?? [],
        /** What the API answered to a refused call; null in rows of earlier versions. */
        refusal: orNull(request.usageDetails?.refusal ?? null, ({ message, param }) => ({
          message,
          param,
        })),
        /** The budget that refused it, as things are now: its key may have another project since. */
        budget: detail.budget,
        /** The rule that does not allow it, likewise. */
        guardrail: detail.guardrail,
        finishReason: request.finishReason,
        nativeFinishReason: request.nativeFinishReason,
        costLines: detail.costLines.map((line) => ({
          label: line.label,
          tokens: line.tokens,
          usdPerMillion: orNull(line.nanosPerMillion, (rate) => formatUsd(toNanos(rate))),
          costUsd: formatFemtos(line.costFemtos),
        })),
        heldUsd: formatUsd(request.heldNanos),
        chargedUsd: formatUsd(request.chargedNanos),
        shortfallUsd: formatUsd(request.shortfallNanos),
        priceVersion: request.priceId,
        attempts: request.attempts ?? [],
        maxTokens: request.maxTokens,
        overheadMs: request.overheadMs,
        userAgent: request.userAgent,
        endedAt: orNull(request.endedAt, toIso),
      };
    }),
  /** What was asked and answered, if the project of the call stores that. */
  prompt: accountProcedure("prompts.read")
    .input(logIdInput)
    .query(async ({ ctx, input }) => {
      const { id } = input;
      const { sealer, scope } = ctx;
      const isShown = (await ctx.report((db) => queryLogDetail(db, scope, id))) !== undefined;
      if (!isShown) throw new Fault("not_found", "There is no such request.");
      const stored =
        sealer && (await ctx.report((db) => queryPrompt(db, sealer, scope.accountId, id)));
      if (stored === undefined) {
        throw new Fault("not_found", "The prompt and answer of this request are not stored.");
      }
      return {
        ...stored,
        storedAt: toIso(stored.storedAt),
        deletedAfter: toIso(stored.deletedAfter),
      };
    }),
  /** A compact JWS, see `docs/receipts.md`. */
  receipt: accountProcedure("logs.read")
    .input(logIdInput)
    .query(async ({ ctx, input }) => {
      const { id } = input;
      const call = await ctx.report(async (db) => {
        const isShown = (await queryLogDetail(db, ctx.scope, id)) !== undefined;
        return isShown ? queryGeneration(db, ctx.scope.accountId, id) : undefined;
      });
      if (call === undefined) throw new Fault("not_found", "There is no such request.");
      return { receipt: await ctx.receipts.sign(call) };
    }),
});
