// What was used: one answer for the whole page, so that cards, charts and table show the same sums.

import { type ApiKeyId, formatUsd } from "@turnpike/base";
import {
  bucketSizeOf,
  hasRequests,
  readKeyNames,
  readLatencySeries,
  readPreviousRange,
  readUsageBreakdown,
  readUsageErrors,
  readUsageSeries,
  readUsageTotals,
  requestClasses,
  usageGroups,
} from "@turnpike/reports";
import { z } from "zod";
import { idInput, instantInput, line, timeZoneInput } from "../inputs.ts";
import { orNull, presentSums, presentTotals, sumNanos } from "../present.ts";
import { memberProcedure, router } from "../procedure.ts";

const rangeMaxMs = 400 * 86_400_000;

const usageInput = z
  .strictObject({
    from: instantInput,
    to: instantInput,
    timeZone: timeZoneInput,
    keyIds: z.array(idInput<ApiKeyId>()).max(100).optional(),
    models: z.array(line(128)).max(100).optional(),
    statuses: z.array(z.enum(requestClasses)).max(4).optional(),
    groupBy: z.enum(usageGroups),
    compare: z.boolean().optional(),
  })
  .refine(({ from, to }) => from < to, { path: ["to"], message: "Must be after `from`." })
  .refine(({ from, to }) => to.getTime() - from.getTime() <= rangeMaxMs, {
    path: ["from"],
    message: "A range has at most 400 days.",
  });

export const usageRouter = router({
  read: memberProcedure.input(usageInput).query(async ({ ctx, input }) => {
    const { groupBy, compare, statuses, ...range } = input;
    const query = { ...range, accountId: ctx.account.id, classes: statuses };
    const before = compare ? { ...query, ...(await readPreviousRange(ctx.db, query)) } : undefined;
    const [cards, previous, previousSeries, series, latency, errors, breakdown] = await Promise.all(
      [
        readUsageTotals(ctx.db, query),
        before ? readUsageTotals(ctx.db, before) : null,
        before ? readUsageSeries(ctx.db, before, groupBy) : null,
        readUsageSeries(ctx.db, query, groupBy),
        readLatencySeries(ctx.db, query),
        readUsageErrors(ctx.db, query),
        readUsageBreakdown(ctx.db, query, groupBy),
      ],
    );
    const names =
      groupBy === "key"
        ? await readKeyNames(ctx.db, ctx.account.id, breakdown.map((row) => row.id).filter(isKeyId))
        : new Map<string, string>();
    return {
      bucket: bucketSizeOf(query.from, query.to),
      cards: presentTotals(cards),
      previous: orNull(previous, presentTotals),
      /** Bucket by bucket beside `series`. */
      previousSeries: orNull(previousSeries, (all) =>
        all.map(({ at, groups }) => ({
          at: at.toISOString(),
          costUsd: formatUsd(sumNanos(groups.map((group) => group.costNanos))),
        })),
      ),
      /** False where the account never made a request, in no range. */
      used: cards.requests > 0 || (await hasRequests(ctx.db, ctx.account.id)),
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
