// What was used: one answer for the whole page, so that cards, charts and table show the same sums.

import type { Db } from "@turnpike/db";
import {
  bucketSizeOf,
  hasRequests,
  planUsage,
  queryPreviousRange,
  queryUsage,
  sumUsage,
  usageGroups,
  type ZonedUsageQuery,
} from "@turnpike/reports";
import { formatUsd } from "@turnpike/terms";
import { z } from "zod";
import { orNull, presentSums, presentTotals, toIso } from "../present.ts";
import { accountProcedure, router } from "../procedure.ts";
import { exploreInput, exploreUsage, forecastInput, forecastUsage } from "./explore.ts";
import { labelOf, queryGroupedUsage, queryLabels, usageGroupsInput } from "./usage-groups.ts";
import { filterUsage, requireUsageRange, usageFilterFields } from "./usage-input.ts";

const usageInput = requireUsageRange(
  usageFilterFields.extend({ groupBy: z.enum(usageGroups), compare: z.boolean().optional() }),
);

export const usageRouter = router({
  read: accountProcedure("usage.read")
    .input(usageInput)
    .query(async ({ ctx, input }) => {
      const { groupBy, compare } = input;
      const { report } = ctx;
      const wanted = { ...filterUsage(input), ...ctx.scope };
      const query = await report((db) => planUsage(db, wanted));
      // Parts of periods are not compared.
      const before = compare ? await report((db) => planPrevious(db, wanted)) : undefined;
      const isComparable =
        before !== undefined && query.plan.coveredFrom === null && before.plan.coveredFrom === null;
      const { totals, series, latency, breakdown, errors } = await report((db) =>
        queryUsage(db, query, groupBy),
      );
      const previous = isComparable ? await report((db) => queryUsage(db, before, groupBy)) : null;
      const named = breakdown.map(({ id }) => ({ values: [id] }));
      const labels = await queryLabels(ctx, [groupBy], named);
      return {
        bucket: bucketSizeOf(query.from, query.to),
        /** Null where the whole range is added up. */
        coveredFrom: orNull(query.plan.coveredFrom, toIso),
        cards: presentTotals(totals),
        previous: previous && presentTotals(previous.totals),
        /** Bucket by bucket beside `series`. */
        previousSeries:
          previous?.series.map(({ at, groups }) => ({
            at: at.toISOString(),
            costUsd: formatUsd(sumUsage(groups).costNanos),
          })) ?? null,
        /** False if the account never made a request, in any range. */
        used: totals.requests > 0 || (await report((db) => hasRequests(db, ctx.scope))),
        series: series.map(({ at, groups }) => ({
          at: at.toISOString(),
          groups: groups.map((group) => ({ id: group.id, ...presentSums(group) })),
        })),
        latency: latency.map((bucket) => ({ ...bucket, at: bucket.at.toISOString() })),
        errors,
        breakdown: breakdown.map((row) => ({
          id: row.id,
          label: labels.get(row.id) ?? labelOf(row.id, groupBy),
          ...presentTotals(row),
        })),
      };
    }),
  /** For programs: by any dimensions, in pages. */
  groups: accountProcedure("usage.read")
    .input(usageGroupsInput)
    .query(({ ctx, input }) => queryGroupedUsage(ctx, input)),
  explore: accountProcedure("usage.read")
    .input(exploreInput)
    .query(({ ctx, input }) => exploreUsage(ctx, input)),
  /** What this month will have cost. */
  forecast: accountProcedure("usage.read")
    .input(forecastInput)
    .query(({ ctx, input }) => forecastUsage(ctx, input)),
});

async function planPrevious(db: Db, wanted: ZonedUsageQuery) {
  return planUsage(db, { ...wanted, ...(await queryPreviousRange(db, wanted)) });
}
