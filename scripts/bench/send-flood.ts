// The flood: calls that arrive at a fixed rate, regardless of the earlier ones. A call takes an
// idle connection or opens another one, as clients of a gateway do; none waits for an earlier
// answer.
import { type Answer, type Connection, connect } from "./connect-http.ts";
import { Failures } from "./count-failures.ts";

export type Flood = {
  port: number;
  requests: readonly Buffer[];
  /** Arrivals, evenly spaced. */
  callsPerSecond: number;
  seconds: number;
  /** A call that finds all of them busy is not sent, but counted. */
  connectionsMax: number;
};

export type FloodResult = {
  /** Calls that were due. */
  arrivals: number;
  withoutConnection: number;
  /** Calls that broke off or had an answer that a flood may not cause. */
  failures: Failures;
  /** Answers with 429 or 503 and a Retry-After: until their last byte. */
  refusedMs: readonly number[];
  /** Those sent after the first two seconds, when the flood is no longer a burst. */
  refusedLaterMs: readonly number[];
  /** Refusals that did not say when to retry. */
  unexplained: number;
  /** Answers with 200: until the first and the last byte of the body. */
  firstBytesMs: readonly number[];
  admittedMs: readonly number[];
  /** Those that ended within the flood. */
  endedInTime: number;
  /** How late calls were sent because this process was busy or had no processor. */
  latenessMs: readonly number[];
};

const tickMs = 1;
const firstMs = 2_000;
const isExpected = (status: number) => status === 200 || status === 429 || status === 503;

/** Resolves when every call that was sent has its answer. */
export async function sendFlood(flood: Flood): Promise<FloodResult> {
  const { callsPerSecond, seconds } = flood;
  const record = new FloodRecord(performance.now(), seconds);
  const pool = new ConnectionPool(flood.port, flood.connectionsMax);
  const arrivals = Math.floor(callsPerSecond * seconds);
  const startedAtMs = performance.now();
  const underWay: Promise<void>[] = [];
  for (let call = 0; call < arrivals; ) {
    const nowMs = performance.now();
    const due = Math.min(arrivals, Math.floor(((nowMs - startedAtMs) / 1_000) * callsPerSecond));
    for (; call < due; call += 1) {
      record.latenessMs.push(nowMs - startedAtMs - (call / callsPerSecond) * 1_000);
      const request = flood.requests[call % flood.requests.length] ?? Buffer.alloc(0);
      underWay.push(send(pool, request, record));
    }
    await Bun.sleep(tickMs);
  }
  await Promise.all(underWay);
  pool.close();
  return { arrivals, ...record };
}

async function send(pool: ConnectionPool, request: Buffer, record: FloodRecord): Promise<void> {
  const taken = pool.take();
  if (taken === undefined) {
    record.withoutConnection += 1;
    return;
  }
  const sentAtMs = performance.now();
  try {
    const connection = await taken;
    record.add(await connection.ask(request), sentAtMs);
    pool.giveBack(connection);
  } catch (error) {
    record.failures.add(error);
    pool.drop();
  }
}

class FloodRecord {
  withoutConnection = 0;
  readonly failures = new Failures();
  unexplained = 0;
  endedInTime = 0;
  readonly refusedMs: number[] = [];
  readonly refusedLaterMs: number[] = [];
  readonly firstBytesMs: number[] = [];
  readonly admittedMs: number[] = [];
  readonly latenessMs: number[] = [];
  readonly #startedAtMs: number;
  readonly #endsAtMs: number;

  constructor(startedAtMs: number, seconds: number) {
    this.#startedAtMs = startedAtMs;
    this.#endsAtMs = startedAtMs + seconds * 1_000;
  }

  add(answer: Answer, sentAtMs: number): void {
    const nowMs = performance.now();
    if (answer.status !== 200) {
      this.refusedMs.push(nowMs - sentAtMs);
      if (sentAtMs - this.#startedAtMs >= firstMs) this.refusedLaterMs.push(nowMs - sentAtMs);
      if (!answer.saysWhenToRetry) this.unexplained += 1;
      return;
    }
    this.firstBytesMs.push(answer.firstByteAt - sentAtMs);
    this.admittedMs.push(nowMs - sentAtMs);
    if (nowMs <= this.#endsAtMs) this.endedInTime += 1;
  }
}

class ConnectionPool {
  readonly #idle: Connection[] = [];
  readonly #port: number;
  readonly #max: number;
  #open = 0;

  constructor(port: number, max: number) {
    this.#port = port;
    this.#max = max;
  }

  /** Undefined if all are busy. */
  take(): Connection | Promise<Connection> | undefined {
    const idle = this.#idle.pop();
    if (idle !== undefined || this.#open >= this.#max) return idle;
    this.#open += 1;
    return connect(this.#port, isExpected);
  }

  giveBack(connection: Connection): void {
    this.#idle.push(connection);
  }

  /** A connection that broke. */
  drop(): void {
    this.#open -= 1;
  }

  close(): void {
    for (const connection of this.#idle) connection.close();
  }
}
