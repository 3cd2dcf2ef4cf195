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
import { apiKeys, type Db, requests } from "@turnpike/db";
import { and, eq, gt, gte, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";

export const requestClasses = ["ok", "client_error", "server_error", "canceled"] as const;
export type RequestClass = (typeof requestClasses)[number];

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
  readonly origin?: "api" | "playground" | undefined;
  readonly classes?: readonly RequestClass[] | undefined;
  /** The bound of a report: only requests with a larger id. */
  readonly afterId?: GenerationId | undefined;
};

/** How a request ended, in the console's terms. */
export const requestClass = sql<RequestClass>`case
  when ${requests.outcome} = 'completed' then 'ok'
  when ${requests.outcome} = 'client_closed' then 'canceled'
  when ${requests.status} between 400 and 499 then 'client_error'
  else 'server_error' end`;

/** How far the clock that made an id may differ from the database's. */
const clockSlackMs = 3_600_000;

/** The smallest id made at `at`; for ranges only. */
export function idFloor(at: Date): SQL<GenerationId> {
  return sql`uuid7_floor(${at.toISOString()}::timestamptz)`;
}

/** The `where` of a report. */
export function matching(filter: RequestFilter): SQL | undefined {
  const { accountId, from, to, keyIds, models, providers, origin, classes, afterId } = filter;
  return and(
    eq(requests.accountId, accountId),
    inScope(filter),
    filter.inProjects === undefined || filter.inProjects.length === 0
      ? undefined
      : ofProjects(accountId, filter.inProjects),
    from === undefined
      ? undefined
      : gte(requests.id, idFloor(new Date(from.getTime() - clockSlackMs))),
    to === undefined ? undefined : lt(requests.id, idFloor(new Date(to.getTime() + clockSlackMs))),
    from === undefined ? undefined : gte(requests.placedAt, from),
    to === undefined ? undefined : lt(requests.placedAt, to),
    oneOf(requests.keyId, keyIds),
    oneOf(requests.model, models),
    oneOf(requests.provider, providers),
    origin === undefined ? undefined : eq(requests.origin, origin),
    oneOf(requestClass, classes),
    afterId === undefined ? undefined : gt(requests.id, afterId),
  );
}

/** The condition on a row of `requests` that it concerns a key of this scope. */
export function inScope({ accountId, ownerOfKeys, projectIds }: ReportScope): SQL | undefined {
  return and(
    ownerOfKeys === undefined
      ? undefined
      : sql`${requests.keyId} in (select ${apiKeys.id} from ${apiKeys}
          where ${apiKeys.accountId} = ${accountId} and ${apiKeys.createdBy} = ${ownerOfKeys})`,
    projectIds === undefined ? undefined : ofProjects(accountId, projectIds),
  );
}

function ofProjects(accountId: AccountId, projectIds: readonly ProjectId[]): SQL {
  if (projectIds.length === 0) return sql`false`;
  const ofKey = sql`${requests.keyId} in (select ${apiKeys.id} from ${apiKeys}
    where ${apiKeys.accountId} = ${accountId} and ${projectOfKey} in ${[...projectIds]})`;
  if (!projectIds.includes(defaultProjectOf(accountId))) return ofKey;
  return sql`(${requests.keyId} is null or ${ofKey})`;
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

/** Whether a request was ever made, successful or not. */
export async function hasRequests(db: Db, scope: ReportScope): Promise<boolean> {
  const found = await db.select({ id: requests.id }).from(requests).where(matching(scope)).limit(1);
  return found.length > 0;
}

/** No condition where nothing was chosen. */
function oneOf(column: SQLWrapper, chosen: readonly string[] | undefined): SQL | undefined {
  if (chosen === undefined || chosen.length === 0) return undefined;
  return sql`${column} in ${[...chosen]}`;
}
