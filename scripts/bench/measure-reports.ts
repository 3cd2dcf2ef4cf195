// How long the pages of an account with very many calls take: the console's procedures in this process, one read of the
// account at a time, as the server does. In a database of their own, whose calls are added up by the job first.
import { type ApiContext, createCaller } from "@turnpike/api";
import { type ManagementKeyId, newId } from "@turnpike/base";
import { type Connection, connectDatabase, type Db, migrate } from "@turnpike/db";
import { rollUpUsage } from "@turnpike/reports";
import { messageOf } from "./count-failures.ts";
import { openDeskPages, type Page } from "./desk-pages.ts";
import { fillAccounts, fillUsage, type LargeAccount } from "./fill-usage.ts";

export type PageFigures = { readonly page: string } & (
  | { readonly p50Ms: number; readonly p95Ms: number }
  | { readonly failed: string }
);

export type ReportFigures = {
  readonly calls: number;
  readonly pages: readonly PageFigures[];
  /** Of operators. */
  readonly desk: readonly PageFigures[];
  /** Of the job, for all calls. */
  /** On disk, of an account with its person, a key and a payment, and no calls. */
  readonly accountBytes: number;
  readonly rollUpSeconds: number;
  readonly rolledRows: number;
  readonly requestBytes: number;
  readonly rolledBytes: number;
};

const accounts = 100_000;
const reads = 20;
const warmUpReads = 3;
const longMs = 3_600_000;
const dayMs = 86_400_000;

export async function measureReports(ownerUrl: string, calls: number): Promise<ReportFigures> {
  return measurePages(await createDatabase(ownerUrl), calls);
}

/** In a migrated database that has no such account yet. */
export async function measurePages(url: string, calls: number): Promise<ReportFigures> {
  const owner = connectLong(url);
  try {
    const large = await fillUsage(owner, calls);
    const startedAtMs = performance.now();
    await rollUpUsage(owner.db, { budgetMs: longMs });
    const rollUpSeconds = (performance.now() - startedAtMs) / 1_000;
    await owner.sql`vacuum analyze`;
    const pages: PageFigures[] = [];
    for (const [page, read] of pagesOf(owner.db, large)) pages.push(await timePage(page, read));
    const before = await queryDatabaseBytes(owner);
    await fillAccounts(owner, accounts);
    const accountBytes = ((await queryDatabaseBytes(owner)) - before) / accounts;
    await owner.sql`vacuum analyze`;
    const desk: PageFigures[] = [];
    for (const [page, read] of await openDeskPages(owner, large)) {
      desk.push(await timePage(page, read));
    }
    return { calls, pages, desk, accountBytes, rollUpSeconds, ...(await querySizes(owner)) };
  } finally {
    await owner.close();
  }
}

async function queryDatabaseBytes({ sql }: Connection): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select pg_database_size(current_database())::float8 as bytes`;
  return row?.bytes ?? 0;
}

function connectLong(url: string): Connection {
  return connectDatabase({
    url,
    max: 1,
    applicationName: "turnpike bench",
    statementTimeoutMs: longMs,
  });
}

async function createDatabase(ownerUrl: string): Promise<string> {
  const owner = connectDatabase({ url: ownerUrl, max: 1, applicationName: "turnpike bench" });
  try {
    await owner.sql.unsafe("create database reports");
  } finally {
    await owner.close();
  }
  const url = new URL(ownerUrl);
  url.pathname = "/reports";
  await migrate({ url: url.href });
  return url.href;
}

function pagesOf(db: Db, large: LargeAccount): readonly Page[] {
  const api = createCaller(contextOf(db, large));
  const timeZone = "America/New_York";
  const time = (days: number) => ({
    from: new Date(Date.now() - days * dayMs).toISOString(),
    to: new Date().toISOString(),
  });
  const range = (days: number) => ({ ...time(days), timeZone });
  const usage = (days: number, groupBy: "model" | "key" | "member" | "project") => () =>
    api.usage.read({ ...range(days), groupBy, compare: true });
  const filters = { models: ["vendor/model-7"], errorCode: "bad_gateway", limit: 50 };
  return [
    ["Overview", () => api.overview.read({ timeZone })],
    ["Usage, 24 hours by model", usage(1, "model")],
    ["Usage, 7 days by model", usage(7, "model")],
    ["Usage, 30 days by model", usage(30, "model")],
    ["Usage, 30 days by member", usage(30, "member")],
    ["Usage, 90 days by key", usage(90, "key")],
    [
      "Usage in groups, 30 days",
      () => api.usage.groups({ ...range(30), groupBy: ["day", "model", "key"] }),
    ],
    [
      "Explore, 30 days by key and model",
      () => api.usage.explore({ ...range(30), measure: "spend", rows: "key", columns: "model" }),
    ],
    [
      "Explore, 30 days, p95 by key",
      () => api.usage.explore({ ...range(30), measure: "p95", rows: "key" }),
    ],
    ["a key", () => api.keys.detail({ id: large.keyId, timeZone })],
    ["Logs", () => api.logs.list({ limit: 50 })],
    ["Logs, 30 days with bars", () => api.logs.list({ ...time(30), limit: 50 })],
    ["Logs, filtered", () => api.logs.list(filters)],
    ["Logs, nothing found", () => api.logs.list({ ...filters, errorCode: "no_such_code" })],
    ["Wallet", () => api.wallet.summary()],
    ["Ledger", () => api.wallet.ledger({ timeZone })],
  ];
}

/** What these procedures read of a context: nothing else of it is used. */
function contextOf(db: Db, { accountId, personId }: LargeAccount): ApiContext {
  let last: Promise<unknown> = Promise.resolve();
  const permissions = ["usage.read", "keys.read", "logs.read", "money.read"];
  const account = {
    id: accountId,
    kind: "personal",
    slug: "",
    name: "",
    role: "owner",
    projectIds: null,
  };
  const person = { id: personId, email: "large@turnpike.local" };
  const managementKey = {
    id: newId<ManagementKeyId>(),
    name: "bench",
    permissions,
    account,
    person,
  };
  const report = <Result>(_: unknown, read: (db: Db) => Promise<Result>) => {
    const turn = last.then(() => read(db));
    last = turn.catch(() => undefined);
    return turn;
  };
  const context: unknown = { db, report, managementKey, address: "127.0.0.1" };
  return context as ApiContext;
}

/** A page that fails does not lose the others: filling the database took minutes. */
async function timePage(page: string, read: () => Promise<unknown>): Promise<PageFigures> {
  const times: number[] = [];
  for (let round = -warmUpReads; round < reads; round += 1) {
    const startedAtMs = performance.now();
    try {
      await read();
    } catch (error) {
      return { page, failed: messageOf(error) };
    }
    if (round >= 0) times.push(performance.now() - startedAtMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? Number.NaN;
  return { page, p50Ms: at(0.5), p95Ms: at(0.95) };
}

async function querySizes({ sql }: Connection) {
  const [sizes] = await sql<{ rows: number; rolled: number; requests: number }[]>`
    select (select count(*)::float8 from usage_quarter_hours) + (select count(*)::float8 from usage_blocks) as rows,
           (pg_total_relation_size('usage_quarter_hours') + pg_total_relation_size('usage_blocks'))::float8 as rolled,
           (select sum(pg_total_relation_size(inhrelid))::float8 from pg_inherits
             where inhparent = 'requests'::regclass) as requests`;
  return {
    rolledRows: sizes?.rows ?? 0,
    rolledBytes: sizes?.rolled ?? 0,
    requestBytes: sizes?.requests ?? 0,
  };
}
