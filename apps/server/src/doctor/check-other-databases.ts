// The other ways to the database: notifications, which must bypass any transaction pooler, and the replica that the console
// reads.
import { randomUUID } from "node:crypto";
import { withDeadline } from "@turnpike/base";
import { type Connection, openListener, type Sql } from "@turnpike/db";
import type { Config } from "../config.ts";
import { lagMaxMs, queryPosition } from "../open-replica.ts";
import { error, type Finding, ok, warning } from "./finding.ts";
import { describeFailure, openForDoctor } from "./open-for-doctor.ts";

const heardWithinMs = 5_000;

/** `sql` sends, as the servers do. */
export async function checkNotifications(config: Config, sql: Sql): Promise<readonly Finding[]> {
  const { DATABASE_DIRECT_URL: directUrl, DATABASE_URL } = config;
  const setting = directUrl === undefined ? "DATABASE_URL" : "DATABASE_DIRECT_URL";
  const url = directUrl ?? DATABASE_URL;
  const direct = openForDoctor(url);
  try {
    await direct.sql`select 1`;
  } catch (thrown) {
    return [describeFailure("notifications", setting, thrown)];
  } finally {
    await direct.close();
  }
  if (await isHeard(url, sql)) return [ok("notifications", `They arrive at ${setting}.`)];
  const advice =
    "name PostgreSQL itself in DATABASE_DIRECT_URL, the same database and no transaction pooler";
  return [error("notifications", `${setting}: notifications do not arrive there; ${advice}.`)];
}

async function isHeard(url: string, sql: Sql): Promise<boolean> {
  const channel = `turnpike_doctor_${randomUUID().replaceAll("-", "")}`;
  const listener = openListener({ url });
  const heard = Promise.withResolvers<boolean>();
  try {
    await listener.subscribe(channel, {
      onMessage: () => heard.resolve(true),
      onReconnect: () => undefined,
    });
    await sql`select pg_notify(${channel}, '')`;
    return await withDeadline(heard.promise, heardWithinMs, () => false);
  } finally {
    await listener.close();
  }
}

export async function checkReplica(
  { DATABASE_REPLICA_URL: url }: Config,
  primary: Connection,
): Promise<readonly Finding[]> {
  if (url === undefined) return [];
  const replica = openForDoctor(url);
  try {
    const [found] = await replica.sql<{ standby: boolean }[]>`
      select pg_is_in_recovery() as standby`;
    if (found?.standby !== true || (await isOther(primary.sql, replica.sql))) {
      const advice = "name a hot standby of that database, or unset it";
      return [
        error("replica", `DATABASE_REPLICA_URL: is no standby of DATABASE_URL's; ${advice}.`),
      ];
    }
    return [await checkLag(primary, replica)];
  } catch (thrown) {
    return [describeFailure("replica", "DATABASE_REPLICA_URL", thrown)];
  } finally {
    await replica.close();
  }
}

/** A standby has the identity of its primary. */
async function isOther(primary: Sql, replica: Sql): Promise<boolean> {
  const read = async (sql: Sql) => {
    const [row] = await sql<{ id: string }[]>`
      select system_identifier::text || current_database() as id from pg_control_system()`;
    return row?.id;
  };
  return (await read(primary)) !== (await read(replica));
}

async function checkLag(primary: Connection, replica: Connection): Promise<Finding> {
  const written = await queryPosition(primary, "pg_current_wal_lsn()");
  const untilMs = performance.now() + lagMaxMs;
  while ((await queryPosition(replica, "pg_last_wal_replay_lsn()")) < written) {
    if (performance.now() > untilMs) {
      return warning(
        "replica",
        `DATABASE_REPLICA_URL: is more than ${lagMaxMs / 1_000} s behind, so pages are read from the primary; see its log and its replication.`,
      );
    }
    await Bun.sleep(100);
  }
  return ok("replica", "It has what the primary had written.");
}
