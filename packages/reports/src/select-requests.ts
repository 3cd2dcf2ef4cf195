// Which requests a report is about: one account's, in a range of time, narrowed by filters. The id
// is a UUIDv7, so a range of time is also a range of the primary key and of partitions.
import {
  type AccountId,
  type ApiKeyId,
  defaultProjectOf,
  type GenerationId,
  type PersonId,
  type ProjectId,
} from "@turnpike/base";
import { apiKeys, requests } from "@turnpike/db";
import type { Origin, RequestClass } from "@turnpike/terms";
import { and, eq, getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** What a member of an account may see of it. */
export type ReportScope = {
  readonly accountId: AccountId;
  /** Only what concerns the keys this person made. */
  readonly ownerOfKeys?: PersonId | undefined;
  /** Only what concerns keys of these projects. A call without a key belongs to the default project. */
  readonly projectIds?: readonly ProjectId[] | undefined;
};

export type RequestFilter = ReportScope & {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly keyIds?: readonly ApiKeyId[] | undefined;
  /** Of the projects in scope, only these. */
  readonly inProjects?: readonly ProjectId[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly providers?: readonly string[] | undefined;
  readonly origin?: Origin | undefined;
  readonly classes?: readonly RequestClass[] | undefined;
};

export type UsageQuery = RequestFilter & { readonly from: Date; readonly to: Date };
/** With the IANA name of the zone whose hours and days are shown. */
export type ZonedUsageQuery = UsageQuery & { readonly timeZone: string };

/** How a request ended, in the console's terms. */
export const requestClass = sql<RequestClass>`case
  when ${requests.outcome} = 'completed' then 'ok'
  when ${requests.outcome} = 'client_closed' then 'canceled'
  when ${requests.status} between 400 and 499 then 'client_error'
  else 'server_error' end`;

/** The smallest id made at `at`; for ranges only. */
export function idFloor(at: Date): SQL<GenerationId> {
  return sql`uuid7_floor(${at.toISOString()}::timestamptz)`;
}

/** How far the clock that made an id may differ from the database's. */
const clockSlackMs = 3_600_000;

export type Interval = { readonly from: Date; readonly to: Date };
type PlacedColumns = { readonly id: SQLWrapper; readonly placedAt: SQLWrapper };

/** By the id too: a range of time is a range of the primary key and of partitions. */
export function within(
  { from, to }: Pick<RequestFilter, "from" | "to">,
  { id, placedAt }: PlacedColumns,
): SQL | undefined {
  const shifted = (at: Date, ms: number) => idFloor(new Date(Math.max(at.getTime() + ms, 0)));
  return and(
    from && sql`${id} >= ${shifted(from, -clockSlackMs)}`,
    to && sql`${id} < ${shifted(to, clockSlackMs)}`,
    from && sql`${placedAt} >= ${from.toISOString()}::timestamptz`,
    to && sql`${placedAt} < ${to.toISOString()}::timestamptz`,
  );
}

/** The columns that a report narrows by. */
export type Dimensions = {
  readonly keyId: SQLWrapper;
  readonly model: SQLWrapper;
  readonly provider: SQLWrapper;
  readonly origin: SQLWrapper;
  readonly class: SQLWrapper;
};

/** The `where` of a list of requests. */
export function matching(filter: RequestFilter): SQL | undefined {
  return and(
    eq(requests.accountId, filter.accountId),
    within(filter, requests),
    matchingDimensions(filter, { ...getTableColumns(requests), class: requestClass }),
  );
}

/** Everything that a filter says, except the account and the time. */
export function matchingDimensions(filter: RequestFilter, columns: Dimensions): SQL | undefined {
  const { accountId, ownerOfKeys, projectIds, inProjects, origin } = filter;
  return and(
    ownerOfKeys === undefined
      ? undefined
      : sql`${columns.keyId} in (select ${apiKeys.id} from ${apiKeys}
          where ${apiKeys.accountId} = ${accountId} and ${apiKeys.createdBy} = ${ownerOfKeys})`,
    projectIds === undefined ? undefined : ofProjects(accountId, projectIds, columns.keyId),
    inProjects === undefined || inProjects.length === 0
      ? undefined
      : ofProjects(accountId, inProjects, columns.keyId),
    oneOf(columns.keyId, filter.keyIds),
    oneOf(columns.model, filter.models),
    oneOf(columns.provider, filter.providers),
    origin === undefined ? undefined : sql`${columns.origin} = ${origin}`,
    oneOf(columns.class, filter.classes),
  );
}

function ofProjects(
  accountId: AccountId,
  projectIds: readonly ProjectId[],
  keyId: SQLWrapper,
): SQL {
  if (projectIds.length === 0) return sql`false`;
  const ofKey = sql`${keyId} in (select ${apiKeys.id} from ${apiKeys}
    where ${apiKeys.accountId} = ${accountId} and ${projectOfKey} in ${[...projectIds]})`;
  if (!projectIds.includes(defaultProjectOf(accountId))) return ofKey;
  return sql`(${keyId} is null or ${ofKey})`;
}

/** The project a row of `api_keys` belongs to. */
export const projectOfKey = sql<ProjectId>`coalesce(${apiKeys.projectId}, ${apiKeys.accountId})`;

/** The condition on a row of `api_keys`. */
export function keysIn({ accountId, ownerOfKeys, projectIds }: ReportScope): SQL | undefined {
  return and(
    eq(apiKeys.accountId, accountId),
    ownerOfKeys === undefined ? undefined : eq(apiKeys.createdBy, ownerOfKeys),
    projectIds === undefined
      ? undefined
      : projectIds.length === 0
        ? sql`false`
        : sql`${projectOfKey} in ${[...projectIds]}`,
  );
}

/** No condition where nothing was chosen. */
function oneOf(column: SQLWrapper, chosen: readonly string[] | undefined): SQL | undefined {
  if (chosen === undefined || chosen.length === 0) return undefined;
  return sql`${column} in ${[...chosen]}`;
}
