// The first page after signing in, in one answer.

import { scopeOf } from "@turnpike/accounts";
import type { ApiKeyId } from "@turnpike/base";
import {
  hasCreditSince,
  planUsage,
  queryKeyNames,
  queryLogs,
  querySpend,
  queryStartOfDay,
  querySteps,
  queryUsage,
  queryUsageBreakdown,
} from "@turnpike/reports";
import { formatUsd } from "@turnpike/terms";
import { z } from "zod";
import { shownTimeZoneInput } from "../inputs.ts";
import { orNull, presentLogRow, presentSums, toIso } from "../present.ts";
import { accountProcedure, router } from "../procedure.ts";

/** Whole days in the reader's time zone, including today. */
const seriesDays = 30;

export const overviewRouter = router({
  read: accountProcedure("usage.read")
    .input(z.strictObject({ timeZone: shownTimeZoneInput }))
    .query(async ({ ctx, input }) => {
      const accountId = ctx.account.id;
      const { report, scope } = ctx;
      const mayReadLogs = scopeOf(ctx.account.role, "logs.read") !== undefined;
      const to = new Date();
      const from = await report((db) => queryStartOfDay(db, input.timeZone, seriesDays - 1));
      const wanted = { ...scope, from, to, timeZone: input.timeZone };
      const range = await report((db) => planUsage(db, wanted));
      const [steps, spend, { totals, series }, keys, last] = await Promise.all([
        report((db) => querySteps(db, scope)),
        report((db) => querySpend(db, scope, input.timeZone)),
        report((db) => queryUsage(db, range, "model")),
        report((db) => queryUsageBreakdown(db, range, "key")),
        mayReadLogs
          ? report((db) => queryLogs(db, { ...scope, limit: 5 }))
          : { rows: [], nextCursor: null },
      ]);
      const top = keys.slice(0, 5);
      const ids = top.map((row) => row.id).filter((id): id is ApiKeyId => id !== "playground");
      const names = await report((db) => queryKeyNames(db, accountId, ids));
      const [newest] = last.rows;
      const lacked = newest?.errorCode === "insufficient_quota" ? newest.at : undefined;
      return {
        steps,
        /** The newest request was refused for want of money that has come in since. */
        isCured:
          lacked !== undefined && (await report((db) => hasCreditSince(db, accountId, lacked))),
        /** Null where everything is added up. */
        coveredFrom: orNull(spend.coveredFrom, toIso),
        todayUsd: formatUsd(spend.todayNanos),
        monthUsd: formatUsd(spend.monthNanos),
        lastMonthUsd: formatUsd(spend.lastMonthNanos),
        requestsToday: spend.requestsToday,
        requests: totals.requests,
        errorRate: totals.errorRate,
        medianLatencyMs: totals.p50Ms,
        series: series.map(({ at, groups }) => ({
          day: at.toISOString(),
          models: groups.map((group) => ({ model: group.id, ...presentSums(group) })),
        })),
        topKeys: top.map((row) => ({
          id: row.id,
          name: names.get(row.id) ?? "Playground",
          ...presentSums(row),
        })),
        lastRequests: last.rows.map(presentLogRow),
        hasOlderRequests: last.nextCursor !== null,
      };
    }),
});
