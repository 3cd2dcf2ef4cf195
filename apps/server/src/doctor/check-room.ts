// Whether PostgreSQL, the server's role and its database allow as many connections as all processes open.
import type { Sql } from "@turnpike/db";
import type { Config } from "../config.ts";
import { countConnections } from "../open-pools.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

/** Two while a start checks and migrates, and what administrators need. */
const spareConnections = 5;

type Found = {
  most: number;
  used: number;
  role: string;
  roleMost: number;
  database: string;
  databaseMost: number;
  instances: number;
};

/** A limit of connections, what others use of it, and how to raise it. */
type Limit = {
  readonly most: number;
  readonly used: number;
  readonly of: string;
  readonly advice: string;
};

/** Of other roles no more than their presence is visible. */
export async function checkRoom(config: Config, sql: Sql): Promise<readonly Finding[]> {
  const [found] = await sql<Found[]>`
    select current_setting('max_connections')::int
             - current_setting('superuser_reserved_connections')::int as most,
           (select count(*)::int from pg_stat_activity
             where usesysid is not null
               and coalesce(application_name, '') not like 'turnpike%') as used,
           quote_ident(current_user) as role,
           (select rolconnlimit from pg_roles where rolname = current_user) as "roleMost",
           quote_ident(current_database()) as database,
           (select datconnlimit from pg_database
             where datname = current_database()) as "databaseMost",
           (select count(*)::int from instances
             where ended_at is null and heartbeat_at > now() - interval '1 minute') as instances`;
  if (found === undefined) throw new Error("a select without a row");
  const processes = Math.max(found.instances, config.WORKERS);
  const ofProcess = countConnections(config);
  const judged = limitsOf(found).map((limit) => judge(limit, processes, ofProcess));
  const wrong = judged.filter(({ level }) => level !== "ok");
  return wrong.length > 0 ? wrong : judged.slice(0, 1);
}

function limitsOf({ most, used, role, roleMost, database, databaseMost }: Found): readonly Limit[] {
  const cluster = { most, used, of: "", advice: "raise max_connections of PostgreSQL" };
  const ofRole = {
    most: roleMost,
    used: 0,
    of: ` that the role ${role} may open`,
    advice: `run ALTER ROLE ${role} CONNECTION LIMIT -1`,
  };
  const ofDatabase = {
    most: databaseMost,
    used: 0,
    of: ` that the database ${database} accepts`,
    advice: `run ALTER DATABASE ${database} CONNECTION LIMIT -1`,
  };
  // Negative: no limit.
  return [cluster, ...[ofRole, ofDatabase].filter((limit) => limit.most >= 0)];
}

function judge({ most, used, of, advice }: Limit, processes: number, ofProcess: number): Finding {
  const needed = processes * ofProcess;
  const others = used === 0 ? "" : `, others ${used},`;
  const said = `${processes} processes use up to ${needed} connections${others} of ${most}${of}`;
  if (needed + used > most) return error("connections", `${said}; ${advice}.`);
  // A rolling upgrade runs one more.
  if (needed + ofProcess + spareConnections + used > most) {
    return warning("connections", `${said}: too few for a rolling upgrade; ${advice}.`);
  }
  return ok("connections", `${said}.`);
}
