// The database as this installation uses it: what a start checks, and besides that the rights of the server's role, the
// clock, the room for connections, and whether its write-ahead log is archived.
import { checkSchema, connectDatabase, type Sql } from "@turnpike/db";
import { clockSkewMaxMs } from "@turnpike/ledger";
import { findDatabaseMistakes } from "../check-database.ts";
import type { Config } from "../config.ts";
import { describeStartFailure } from "../describe-start-failure.ts";
import { countConnections } from "../open-pools.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

const clockWarnsMs = 500;
/** Two while a start checks and migrates, and what administrators need. */
const spareConnections = 5;
const archivedWithinMinutes = 60;

export async function checkInstalledDatabase(config: Config): Promise<readonly Finding[]> {
  const connection = connectDatabase({
    url: config.DATABASE_URL,
    max: 1,
    applicationName: "turnpike doctor",
  });
  try {
    const mistakes = await findDatabaseMistakes(config);
    const unfit = mistakes.map((mistake) => error("database", mistake));
    const checks = [checkVersion(config), checkClock(connection.sql), checkRights(connection.sql)];
    const others = [checkRoom(config, connection.sql), checkArchive(connection.sql)];
    return [...unfit, ...(await Promise.all([...checks, ...others]))];
  } catch (thrown) {
    return [error("database", describeStartFailure(thrown))];
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
                     and proname in ('acquire_leases', 'charge_requests', 'post_movement')) as acts
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

type Room = { most: number; used: number; instances: number };

/** Others share the cluster: what they use is not available to the servers. */
async function checkRoom(config: Config, sql: Sql): Promise<Finding> {
  const [found] = await sql<Room[]>`
    select current_setting('max_connections')::int
             - current_setting('superuser_reserved_connections')::int as most,
           (select count(*)::int from pg_stat_activity
             where backend_type = 'client backend' and application_name not like 'turnpike%') as used,
           (select count(*)::int from instances
             where ended_at is null and heartbeat_at > now() - interval '1 minute') as instances`;
  if (found === undefined) throw new Error("a select without a row");
  const processes = Math.max(found.instances, config.WORKERS);
  const needed = processes * countConnections(config);
  // A rolling upgrade runs one more.
  const withUpgrade = needed + countConnections(config) + spareConnections;
  const said = `${processes} processes use up to ${needed} connections, others ${found.used}, of ${found.most}`;
  if (needed + found.used > found.most) {
    return error("connections", `${said}; raise max_connections of PostgreSQL.`);
  }
  if (withUpgrade + found.used > found.most) {
    return warning("connections", `${said}: too few for a rolling upgrade; raise max_connections.`);
  }
  return ok("connections", `${said}.`);
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
