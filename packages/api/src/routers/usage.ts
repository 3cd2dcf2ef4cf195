// What was used: one answer for the whole page, so that cards, charts and table show the same sums.

import { type ApiKeyId, formatUsd, type ProjectId } from "@turnpike/base";
import {
  boundRange,
  bucketSizeOf,
  hasRequests,
  readKeyNames,
  readLatencySeries,
  readPreviousRange,
  readReportBound,
  readUsageBreakdown,
  readUsageErrors,
  readUsageSeries,
  readUsageTotals,
  requestClasses,
  usageGroups,
} from "@turnpike/reports";
import { z } from "zod";
import { idInput, instantInput, line, timeZoneInput } from "../inputs.ts";
import { orNull, presentSums, presentTotals, sumNanos, toIso } from "../present.ts";
import { accountProcedure, router } from "../procedure.ts";

const rangeMaxMs = 400 * 86_400_000;

export const usageFields = z.strictObject({
  from: instantInput,
  to: instantInput,
  timeZone: timeZoneInput,
  keyIds: z.array(idInput<ApiKeyId>()).max(100).optional(),
  projectIds: z.array(idInput<ProjectId>()).max(200).optional(),
  models: z.array(line(128)).max(100).optional(),
  statuses: z.array(z.enum(requestClasses)).max(4).optional(),
  groupBy: z.enum(usageGroups),
  compare: z.boolean().optional(),
});

const usageInput = usageFields
  .refine(({ from, to }) => from < to, { path: ["to"], message: "Must be after `from`." })
  .refine(({ from, to }) => to.getTime() - from.getTime() <= rangeMaxMs, {
    path: ["from"],
    message: "A range has at most 400 days.",
  });

export const usageRouter = router({
  read: accountProcedure("usage.read")
    .input(usageInput)
    .query(async ({ ctx, input }) => {
      const { groupBy, compare, statuses, projectIds: inProjects, ...range } = input;
      const { account, report } = ctx;
      const wanted = { ...range, ...ctx.scope, inProjects, classes: statuses };
      const bound = await report((db) => readReportBound(db, wanted));
      const query = boundRange(wanted, bound);
      const past = compare
        ? { ...wanted, ...(await report((db) => readPreviousRange(db, wanted))) }
        : undefined;
      // Parts of periods are not compared.
      const comparable =
        past !== undefined &&
        bound === undefined &&
        (await report((db) => readReportBound(db, past))) === undefined;
      const before = comparable ? past : undefined;
      const [cards, previous, previousSeries, series, latency, errors, breakdown] =
        await Promise.all([
          report((db) => readUsageTotals(db, query)),
          before ? report((db) => readUsageTotals(db, before)) : null,
          before ? report((db) => readUsageSeries(db, before, groupBy)) : null,
          report((db) => readUsageSeries(db, query, groupBy)),
          report((db) => readLatencySeries(db, query)),
          report((db) => readUsageErrors(db, query)),
          report((db) => readUsageBreakdown(db, query, groupBy)),
        ]);
      const ids = breakdown.map((row) => row.id).filter(isKeyId);
      const names =
        groupBy === "key"
          ? await report((db) => readKeyNames(db, account.id, ids))
          : new Map<string, string>();
      return {
        bucket: bucketSizeOf(query.from, query.to),
        /** Null where the whole range is added up. */
        coveredFrom: orNull(bound?.coveredFrom ?? null, toIso),
        cards: presentTotals(cards),
        previous: orNull(previous, presentTotals),
        /** Bucket by bucket beside `series`. */
        previousSeries: orNull(previousSeries, (all) =>
          all.map(({ at, groups }) => ({
            at: at.toISOString(),
            costUsd: formatUsd(sumNanos(groups.map((group) => group.costNanos))),
          })),
        ),
        /** False if the account never made a request, in any range. */
        used: cards.requests > 0 || (await report((db) => hasRequests(db, ctx.scope))),
        series: series.map(({ at, groups }) => ({
          at: at.toISOString(),
          groups: groups.map((group) => ({ id: group.id, ...presentSums(group) })),
        })),
        latency: latency.map((bucket) => ({ ...bucket, at: bucket.at.toISOString() })),
        errors,
        breakdown: breakdown.map((row) => ({
          id: row.id,
          label: names.get(row.id) ?? labelOf(row.id),
          errorRate: row.errorRate,
          ...presentSums(row),
        })),
      };
    }),
});

function isKeyId(id: string): id is ApiKeyId {
  return id !== "playground";
}

function labelOf(id: string): string {
  if (id === "playground") return "Playground";
  return id === "" ? "(none)" : id;
}
