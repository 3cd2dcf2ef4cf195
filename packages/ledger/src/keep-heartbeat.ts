// Tells the other processes that this one is alive, and tells this one when it can no longer be
// sure of that: from then on its holds may be reaped by others, so it must not admit any more.
import { type InstanceId, newId } from "@turnpike/base";
import type { Sql } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import { openBoundedConnection } from "./bounded-connection.ts";

export type Heartbeat = {
  readonly instanceId: InstanceId;
  /** False once the last successful beat is older than `lapseMs`. */
  readonly alive: () => boolean;
  /** Marks the instance as ended, where it can, so that what it left open is reaped at once. */
  readonly stop: () => Promise<void>;
};

export type HeartbeatOptions = {
  readonly url: string;
  readonly everyMs: number;
  readonly lapseMs: number;
  /** Called once per lapse: running streams must be ended. */
  readonly onLapse: () => void;
  readonly log: Log;
};

/** A beat that hangs is given up after this long, connection and all. */
const beatDeadlineMs = 2_000;

/** Inserts the instance's row before it resolves. */
export async function keepHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const instanceId = newId<InstanceId>();
  const connection = openBoundedConnection({
    url: options.url,
    max: 1,
    deadlineMs: beatDeadlineMs,
    applicationName: "turnpike heartbeat",
  });
  await connection.run((sql) => sql`insert into instances (id) values (${instanceId})`);
  let beatAt = performance.now();
  let lapsed = false;
  let beating = false;
  const beat = async () => {
    if (performance.now() - beatAt > options.lapseMs && !lapsed) {
      lapsed = true;
      options.log.error("heartbeat lapsed: admitting nothing until the database answers");
      options.onLapse();
    }
    if (beating) return;
    beating = true;
    const startedAt = performance.now();
    try {
      // A row purged while we were away comes back; one marked as ended stays so.
      await connection.run(
        (sql) => sql`insert into instances (id) values (${instanceId})
                     on conflict (id) do update set heartbeat_at = now()`,
      );
      beatAt = startedAt;
      lapsed = false;
    } catch (error) {
      options.log.warn({ err: error }, "heartbeat failed");
    } finally {
      beating = false;
    }
  };
  const timer = setInterval(() => void beat(), options.everyMs);
  return {
    instanceId,
    alive: () => performance.now() - beatAt <= options.lapseMs,
    async stop() {
      clearInterval(timer);
      try {
        await connection.run(
          (sql) => sql`update instances set ended_at = now() where id = ${instanceId}`,
        );
      } catch (error) {
        options.log.warn(
          { err: error },
          "end not told: what is still held is reaped after silence",
        );
      } finally {
        await connection.close();
      }
    },
  };
}

/** Forgets processes that ended or fell silent a day ago; their holds are long reaped. */
export async function purgeInstances(sql: Sql): Promise<void> {
  await sql`delete from instances i where heartbeat_at < now() - interval '1 day'
              and not exists (select 1 from requests r where r.instance_id = i.id and r.state = 'open')`;
}
