// The database as this installation uses it: what a start checks, and besides that the rights of the server's role, the
// clock, whether its write-ahead log is archived, and what else is reached by the way of the database.
import { checkSchema, type Sql } from "@turnpike/db";
import { clockSkewMaxMs } from "@turnpike/ledger";
import type { Config } from "../config.ts";
import { describeStartFailure } from "../describe-start-failure.ts";
import { checkKeys } from "./check-keys.ts";
import { checkNotifications, checkReplica } from "./check-other-databases.ts";
import { checkRoom } from "./check-room.ts";
import { checkWorkers } from "./check-workers.ts";
import { type Check, error, type Finding, ok, warning } from "./finding.ts";
import { describeFailure, openForDoctor } from "./open-for-doctor.ts";
import { repeatStartCheck, runCheck } from "./run-check.ts";

const clockWarnsMs = 500;
const archivedWithinMinutes = 60;

type State = { standby: boolean; empty: boolean };

/** What the other checks would fail with as well is left out. */
export async function checkInstalledDatabase(config: Config): Promise<readonly Finding[]> {
  const unfit = await repeatStartCheck("database", config);
  const connection = openForDoctor(config.DATABASE_URL);
  const { sql } = connection;
  let state: State | undefined;
  try {
    [state] = await sql<State[]>`
      select pg_is_in_recovery() as standby, to_regclass('instances') is null as empty`;
  } catch (thrown) {
    await connection.close();
    return unfit.length > 0 ? unfit : [describeFailure("database", "DATABASE_URL", thrown)];
  }
  if (state?.standby === true || state?.empty === true) {
    await connection.close();
    return state.standby ? unfit : [...unfit, await checkVersion(config)];
  }
  const checks: Readonly<Record<string, Check>> = {
    schema: async () => [await checkVersion(config)],
    clock: async () => [await checkClock(sql)],
    rights: async () => [await checkRights(sql)],
    connections: () => checkRoom(config, sql),
    backups: async () => [await checkArchive(sql)],
    keys: () => checkKeys(config, connection.db),
    notifications: () => checkNotifications(config, sql),
    replica: () => checkReplica(config, connection),
    workers: () => checkWorkers(sql),
  };
  try {
    const found = Object.entries(checks).map(([name, check]) => runCheck(name, check));
    return [...unfit, ...(await Promise.all(found)).flat()];
  } finally {
    await connection.close();
  }
}

async function checkVersion({ DATABASE_URL }: Config): Promise<Finding> {
  try {
    await checkSchema(DATABASE_URL);
    return ok("schema", "The schema fits this version.");
  } catch (thrown) {
    return error("schema", describeStartFailure(thrown));
  }
}

async function checkClock(sql: Sql): Promise<Finding> {
  const askedAtMs = Date.now();
  const [row] = await sql<{ now: string }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`;
  const skewMs = Math.round(Number(row?.now) - (askedAtMs + Date.now()) / 2);
  const said = `This machine's clock and the database's differ by ${Math.abs(skewMs)} ms`;
  if (Math.abs(skewMs) > clockSkewMaxMs) {
    return error("clock", `${said}: no call is admitted; synchronize both.`);
  }
  if (Math.abs(skewMs) > clockWarnsMs) return warning("clock", `${said}; synchronize both.`);
  return ok("clock", `${said}.`);
}

type Rights = { role: string; superuser: boolean; owner: boolean; edits: boolean; acts: boolean };

async function checkRights(sql: Sql): Promise<Finding> {
  const [found] = await sql<Rights[]>`
    select current_user as role,
           (select rolsuper from pg_roles where rolname = current_user) as superuser,
           pg_has_role(relowner, 'USAGE') as owner,
           has_table_privilege('entries', 'UPDATE') or has_table_privilege('entries', 'DELETE')
             or has_column_privilege('accounts', 'balance_nanos', 'UPDATE') as edits,
           has_table_privilege('sessions', 'INSERT')
             and (select bool_and(has_function_privilege(oid, 'EXECUTE')) from pg_proc
                   where pronamespace = 'public'::regnamespace
                     and proname in ('acquire_leases', 'charge_calls', 'post_movement')) as acts
      from pg_class where oid = to_regclass('accounts')`;
  if (found === undefined) {
    return error("rights", "There are no tables; run `bun run admin migrate`.");
  }
  const advice = "let the server run as turnpike_app (see Roles in docs/operations.md)";
  if (found.superuser || found.owner) {
    const what = found.superuser ? "is a superuser" : "owns the tables";
    return warning("rights", `${found.role} ${what} and could rewrite the books; ${advice}.`);
  }
  if (found.edits) {
    return error(
      "rights",
      `${found.role} may change balances or entries; revoke that, and ${advice}.`,
    );
  }
  if (!found.acts) {
    return error(
      "rights",
      `${found.role} lacks rights; start a server, or run \`bun run admin migrate\`, as the owner of the tables.`,
    );
  }
  return ok("rights", `${found.role} may do what the server does, and cannot rewrite the books.`);
}

type Archive = { mode: string; failing: boolean; minutes: number | null };

async function checkArchive(sql: Sql): Promise<Finding> {
  const [found] = await sql<Archive[]>`
    select current_setting('archive_mode') as mode,
           coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing,
           (extract(epoch from now() - last_archived_time) / 60)::int as minutes
      from pg_stat_archiver`;
  if (found === undefined) throw new Error("a select without a row");
  const { mode, failing, minutes } = found;
  if (mode === "off") {
    const advice = "archive it, or make sure that your provider has point-in-time recovery";
    return warning("backups", `The write-ahead log is not archived; ${advice}.`);
  }
  if (failing) {
    return error(
      "backups",
      "The last segment could not be archived; see archive_command and the log of PostgreSQL.",
    );
  }
  if (minutes === null || minutes > archivedWithinMinutes) {
    const since =
      minutes === null
        ? "No segment was archived yet"
        : `Nothing was archived for ${minutes} minutes`;
    return warning("backups", `${since}; set archive_timeout = 60.`);
  }
  return ok("backups", `The write-ahead log was archived ${minutes} minutes ago.`);
}
