// What one page may add up: the newest requests of its range, up to a number that a few queries can read
// within their time limit. Every part of a page uses the same bound, so that its sums agree.
import type { GenerationId } from "@turnpike/base";
import { type Db, requests } from "@turnpike/db";
import { desc } from "drizzle-orm";
import { matching, type ReportScope, type RequestFilter } from "./select-requests.ts";

const reportRowsMax = 100_000;

type Range = ReportScope & { readonly from: Date; readonly to: Date };

export type ReportBound = {
  /** Only requests with a larger id are added up. */
  readonly afterId: GenerationId;
  readonly coveredFrom: Date;
};

/** Undefined where the whole range is added up. Filters do not change the bound. */
export async function readReportBound(
  db: Db,
  { accountId, ownerOfKeys, projectIds, from, to }: Range,
  rowsMax = reportRowsMax,
): Promise<ReportBound | undefined> {
  const [beyond] = await db
    .select({ afterId: requests.id, coveredFrom: requests.placedAt })
    .from(requests)
    .where(matching({ accountId, ownerOfKeys, projectIds, from, to }))
    .orderBy(desc(requests.id))
    .offset(rowsMax)
    .limit(1);
  return beyond;
}

/** The part of a range that is added up. */
export function boundRange<Query extends Range>(
  query: Query,
  bound: ReportBound | undefined,
): Query & Pick<RequestFilter, "afterId"> {
  if (bound === undefined) return query;
  const { afterId, coveredFrom } = bound;
  return { ...query, afterId, from: new Date(Math.max(+coveredFrom, +query.from)) };
}
