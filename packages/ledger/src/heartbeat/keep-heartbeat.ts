// Tells the other processes that this one is alive, and tells this one whether it may admit calls: not when
// its heartbeat lapsed, because others may then close its leases, and not while its clock is wrong.
import { type InstanceId, newId } from "@turnpike/base";
import { type Sql, schemaVersion } from "@turnpike/db";
import { type Log, type Metrics, startInterval } from "@turnpike/telemetry";
import { type BoundedConnection, openBoundedConnection } from "../batches/bounded-connection.ts";
import type { WriteFailure } from "../batches/classify-write-failure.ts";
import { FailedBeats } from "./failed-beats.ts";
import {
  type ClockOffset,
  createHeartbeatState,
  type HeartbeatState,
  type MeasuredBeat,
} from "./heartbeat-state.ts";
import { type Beat, sendBeat } from "./send-beat.ts";

export type HeartbeatStatus = {
  /** False once the last successful beat is older than `lapseMs`. */
  readonly alive: boolean;
  readonly clock: ClockOffset;
  /** Why the last beat failed; undefined when it succeeded. */
  readonly failure: WriteFailure | undefined;
  /** Whether it is certain by now that no write is accepted: one failure may be brief. */
  readonly isAway: boolean;
  readonly instances: number;
  /** Whether the database was migrated beyond what this version can serve; then it stays so. */
  readonly outdated: boolean;
};

/** What keeps this process from charging anything. */
export type HeartbeatObstacle = "database" | "clock";

export type Heartbeat = Pick<HeartbeatState, "mayAdmit" | "share" | "databaseNowMs"> & {
  readonly instanceId: InstanceId;
  /** Resolves once this version cannot serve the schema any more. */
  readonly outdated: Promise<void>;
  readonly clockIsWrong: () => boolean;
  /** Why nothing can be charged, as far as is known without asking; undefined if nothing is known. */
  readonly obstacle: () => HeartbeatObstacle | undefined;
  /** A statement failed elsewhere: beats soon, so that a database that is away is known to be. */
  readonly suspect: () => void;
  readonly status: () => HeartbeatStatus;
  /** Writes now unless a beat succeeded or failed within the last second; at most `withinMs`. */
  readonly prove: (withinMs: number) => Promise<HeartbeatStatus>;
  /** Marks the instance as ended, if it can, so that what it left open is closed immediately. */
  readonly stop: () => Promise<void>;
};

export type HeartbeatOptions = {
  readonly url: string;
  readonly everyMs: number;
  readonly lapseMs: number;
  /** Called once per lapse: running streams must be ended. */
  readonly onLapse: () => void;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "setInstances" | "setClockOffset">;
  /** Default `Date.now`. */
  readonly wallClockMs?: () => number;
};

/** A beat that hangs is abandoned after this long, together with its connection. */
const beatDeadlineMs = 2_000;
/** A beat as recent as this is sufficient. */
const proofAgeMs = 1_000;

/** Inserts the instance's row before it resolves. */
export async function keepHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { log, lapseMs } = options;
  const instanceId = newId<InstanceId>();
  const connection = connect(options.url);
  const measure = () => measureBeat(connection.run, instanceId, lapseMs);
  const first = await measure();
  const state = createHeartbeatState(first, lapseMs, options.wallClockMs);
  let triedAtMs = first.answeredAtMs;
  const failed = new FailedBeats(options.everyMs, () => void beatOnce());
  let lapsed = false;
  const schema = watchSchema(log);
  schema.note(first);
  let running: Promise<void> | undefined;

  const reportClock = clockReporter(options);
  reportClock(state.clock());

  /** Before the beat that would revive it: what it had reserved may belong to others by now. */
  function noteLapse(): void {
    if (state.isAlive() || lapsed) return;
    lapsed = true;
    log.error("heartbeat lapsed: admitting nothing until the database answers");
    options.onLapse();
  }

  async function beat(): Promise<void> {
    try {
      const measured = await measure();
      noteLapse();
      state.update(measured);
      failed.clear();
      lapsed = false;
      schema.note(measured);
      options.metrics.setInstances(measured.instances);
    } catch (error) {
      const { reason } = failed.add(error);
      log.warn({ err: error, failures: failed.count }, `heartbeat failed: ${reason}`);
    } finally {
      triedAtMs = performance.now();
      reportClock(state.clock());
    }
  }

  function beatOnce(): Promise<void> {
    running ??= beat().finally(() => {
      running = undefined;
    });
    return running;
  }

  function readStatus(): HeartbeatStatus {
    const seen = { alive: state.isAlive(), clock: state.clock(), outdated: schema.isOutdated() };
    const { last: failure, isAway } = failed;
    return { ...seen, failure, isAway, instances: state.share().instances };
  }

  options.metrics.setInstances(first.instances);
  const beatAgain = () => {
    noteLapse();
    // It reports its own failure, and one that hangs must not delay noticing the lapse.
    void beatOnce();
  };
  const { mayAdmit, share, databaseNowMs } = state;
  const loop = startInterval(options.everyMs, beatAgain, { job: "heartbeat", log });
  return {
    instanceId,
    mayAdmit,
    share,
    databaseNowMs,
    outdated: schema.outdated,
    clockIsWrong: () => state.clock().wrong,
    obstacle() {
      if (state.clock().wrong) return "clock";
      return state.isAlive() && !failed.isAway ? undefined : "database";
    },
    suspect() {
      if (failed.count > 0 || performance.now() - triedAtMs <= proofAgeMs) return;
      failed.suspect();
      void beatOnce();
    },
    status: readStatus,
    async prove(withinMs) {
      if (performance.now() - triedAtMs > proofAgeMs) await within(withinMs, beatOnce());
      return readStatus();
    },
    async stop() {
      failed.stop();
      await loop.stop();
      await running;
      await markEnded(connection.run, instanceId, log);
      await connection.close();
    },
  };
}

function connect(url: string): BoundedConnection {
  return openBoundedConnection({
    url,
    max: 1,
    deadlineMs: beatDeadlineMs,
    applicationName: "turnpike heartbeat",
  });
}

type Run = <Result>(query: (sql: Sql) => Promise<Result>) => Promise<Result>;

async function measureBeat(
  run: Run,
  instanceId: InstanceId,
  lapseMs: number,
): Promise<MeasuredBeat> {
  const askedAtMs = performance.now();
  const beat = await run((sql) => sendBeat(sql, instanceId, lapseMs));
  return { ...beat, askedAtMs, answeredAtMs: performance.now() };
}

async function markEnded(run: Run, instanceId: InstanceId, log: Log): Promise<void> {
  try {
    await run((sql) => sql`update instances set ended_at = now() where id = ${instanceId}`);
  } catch (error) {
    log.warn({ err: error }, "end not recorded: open leases are closed after silence");
  }
}

/** Logs when the clock becomes wrong and when it is right again, once each. */
function clockReporter({ log, metrics }: HeartbeatOptions): (clock: ClockOffset) => void {
  let wrong = false;
  return (clock) => {
    const offsetMs = Math.round(clock.offsetMs);
    metrics.setClockOffset(offsetMs);
    if (clock.wrong === wrong) return;
    wrong = clock.wrong;
    if (wrong) log.error({ offsetMs }, "clock differs from the database's: admitting nothing");
    else log.info({ offsetMs }, "clock agrees with the database's again: admitting");
  };
}

async function within(limitMs: number, task: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  await Promise.race([task, late]);
  clearTimeout(timer);
}

type SchemaWatch = {
  readonly note: (beat: Beat) => void;
  readonly isOutdated: () => boolean;
  readonly outdated: Promise<void>;
};

/** Notices that a later version migrated the database beyond what this one can serve: logged once, never taken back. */
function watchSchema(log: Log): SchemaWatch {
  const { promise, resolve } = Promise.withResolvers<void>();
  let outdated = false;
  return {
    outdated: promise,
    isOutdated: () => outdated,
    note(beat) {
      if (!beat.outdated || outdated) return;
      outdated = true;
      log.error({ schemaVersion }, "a later version migrated the database: this one must end");
      resolve();
    },
  };
}
