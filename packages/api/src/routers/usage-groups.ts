// Usage by several dimensions at once, for programs: sums of the whole range, and pages of groups with names that
// people recognize.
import { type ApiKeyId, Fault } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { listProjects } from "@turnpike/keys";
import {
  areOfCalls,
  planUsageGroups,
  queryKeyNames,
  queryUsageGroups,
  queryUsageTotals,
  type ReportScope,
  type UsageDimension,
  type UsageGroupRow,
  usageDimensions,
} from "@turnpike/reports";
import { z } from "zod";
import {
  cursorDescription,
  line,
  pageLimitDescription,
  pageLimitInput,
  pageRowsDefault,
} from "../inputs.ts";
import { orNull, presentSums, presentTotals, toIso } from "../present.ts";
import { filterUsage, requireUsageRange, usageFilterFields } from "./usage-input.ts";

/** Of all dimensions at once, each in its longest. */
const cursorMaxChars = 6_000;
/** A month in which clocks are set back is an hour longer. */
const callRangeMaxMs = (31 * 24 + 1) * 3_600_000;

export const callRangeMessage = "A range grouped by app or user has at most 31 days.";

export const usageGroupsFields = usageFilterFields.extend({
  groupBy: z.array(z.enum(usageDimensions)).min(1).max(usageDimensions.length),
  cursor: line(cursorMaxChars).optional().describe(cursorDescription),
  limit: pageLimitInput.optional().describe(pageLimitDescription),
});

export const usageGroupsInput = requireUsageRange(usageGroupsFields)
  .refine(({ groupBy }) => new Set(groupBy).size === groupBy.length, {
    path: ["groupBy"],
    message: "Name each dimension once.",
  })
  .refine(({ groupBy, from, to }) => isReadable(groupBy, from, to), {
    path: ["from"],
    message: callRangeMessage,
  });

/** Whether a range is short enough to be grouped by these dimensions. */
export function isReadable(by: readonly UsageDimension[], from: Date, to: Date): boolean {
  return !areOfCalls(by) || to.getTime() - from.getTime() <= callRangeMaxMs;
}

/** How a caller reads reports: of what they may see, in turn. */
export type ReadScoped = {
  readonly scope: ReportScope;
  readonly report: <Result>(read: (db: Db) => Promise<Result>) => Promise<Result>;
};

export async function queryGroupedUsage(
  { scope, report }: ReadScoped,
  input: z.output<typeof usageGroupsInput>,
) {
  const { groupBy: by, cursor, limit = pageRowsDefault, timeZone } = input;
  const after = cursor === undefined ? undefined : parseCursor(cursor, by.length);
  const wanted = { ...filterUsage(input), ...scope };
  const query = await report((db) => planUsageGroups(db, wanted, by));
  const total = await report((db) => queryUsageTotals(db, query));
  const rows = await report((db) =>
    queryUsageGroups(db, { ...query, timeZone, by, limit, ...(after && { after }) }),
  );
  const page = rows.slice(0, limit);
  const labels = await queryLabels({ scope, report }, by, page);
  const last = page.at(-1);
  return {
    /** Null where the whole range is added up. */
    coveredFrom: orNull(query.plan.coveredFrom, toIso),
    total: presentTotals(total),
    data: page.map((row) => ({
      group: by.map((dimension, place) => {
        const id = row.values[place] ?? "";
        return { dimension, id, label: labels.get(id) ?? labelOf(id, dimension) };
      }),
      errorRate: row.errorRate,
      ...presentSums(row),
    })),
    nextCursor: rows.length > limit && last ? writeCursor(last.values) : null,
  };
}

/** By the id of a group; what has no name of its own is absent. */
export async function queryLabels(
  { scope, report }: ReadScoped,
  by: readonly UsageDimension[],
  rows: readonly Pick<UsageGroupRow, "values">[],
): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  const { accountId } = scope;
  const keyPlace = by.indexOf("key");
  if (keyPlace >= 0) {
    const ids = rows.map(({ values }) => values[keyPlace] ?? "").filter(isKeyId);
    const names = await report((db) => queryKeyNames(db, accountId, ids));
    for (const [id, name] of names) labels.set(id, name);
  }
  if (by.includes("project")) {
    for (const { id, name } of await report((db) => listProjects(db, accountId))) {
      labels.set(id, name);
    }
  }
  return labels;
}

function isKeyId(id: string): id is ApiKeyId {
  return id !== "playground";
}

/** Callers choose what apps and users are called. */
export function labelOf(id: string, dimension: UsageDimension): string {
  if (id === "playground" && !areOfCalls([dimension])) return "Playground";
  return id === "" ? "(none)" : id;
}

function writeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

function parseCursor(cursor: string, length: number): readonly string[] {
  const values = parseValues(Buffer.from(cursor, "base64url").toString());
  if (values?.length === length) return values;
  throw new Fault("invalid_value", "There is no such page. Begin without a cursor.", {
    param: "cursor",
  });
}

/** Callers name apps and users with any characters that PostgreSQL can store. */
const cursorValues = z.array(
  z
    .string()
    .max(500)
    .refine((text) => !text.includes("\0")),
);

function parseValues(text: string): readonly string[] | undefined {
  try {
    return cursorValues.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
