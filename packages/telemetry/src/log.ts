// One JSON object per line on stdout. No credential reaches a line, however it was passed (field,
// message, child binding, error), and logging never blocks or fails a request: it drops.
import { hostname } from "node:os";
import { type DestinationStream, type Logger, pino } from "pino";
import { SonicBoom } from "sonic-boom";
import { capText, cleanFields, redactLine } from "./redact.ts";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";

/** What code outside this file can do with the log: `log.info({ fields }, "sentence")`. */
export type Log = Pick<
  Logger,
  "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "isLevelEnabled"
> & {
  child(bindings: Readonly<Record<string, unknown>>): Log;
};

export type LogOptions = {
  readonly level: LogLevel;
  /** The name of the process, e.g. `turnpike`. */
  readonly name: string;
  /** Added to every line if several processes write to one log. */
  readonly worker?: number | undefined;
  /** Values hidden wherever they appear, e.g. the provider keys of this deployment. */
  readonly secrets?: SecretList;
  /** Where lines go instead of stdout. */
  readonly destination?: DestinationStream;
};

const lineCharsMax = 16_384;
const bufferedBytesMax = 8 * 1024 * 1024;
/** Lines are written together, so that few are under way, and could be lost, when a process ends. */
const writtenBytes = 8_192;
const writtenAfterMs = 50;
const writeEndsMs = 20;
/** How long a process that ends, or logs a fatal line, waits for a reader that does not read. */
const flushMs = 2_000;
/** Shorter values would redact ordinary words. */
const secretCharsMin = 8;

/** Values that an open log hides, and that may grow while it is open. */
export class SecretList {
  readonly values: string[] = [];

  constructor(values: readonly string[] = []) {
    this.add(values);
  }

  /** Values that are replaced stay hidden: errors of calls that are under way may repeat them. */
  add(values: readonly string[]): void {
    for (const value of values) {
      if (value.length >= secretCharsMin && !this.values.includes(value)) this.values.push(value);
    }
  }
}

/** Opens the log of this process. */
export function createLog(options: LogOptions): Log {
  const secrets = options.secrets?.values ?? [];
  return pino(
    {
      name: options.name,
      level: options.level,
      ...(options.worker !== undefined && {
        base: { pid: process.pid, hostname: hostname(), worker: options.worker },
      }),
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: cleanFields,
      },
      hooks: {
        logMethod(parameters, method) {
          const [first, second] = parameters;
          if (typeof first === "string") parameters[0] = capText(first);
          if (typeof second === "string") parameters[1] = capText(second);
          method.apply(this, parameters);
        },
        streamWrite: (line) => boundLine(redactLine(line, secrets)),
      },
    },
    options.destination ?? openStdout(),
  );
}

/**
 * Not `pino.destination`: its sonic-boom 4 tries forever to write the last lines to a pipe without a
 * reader, so that a process whose parent was killed would never exit.
 */
function openStdout(): DestinationStream {
  let retryUntilMs = Number.POSITIVE_INFINITY;
  const stdout = new SonicBoom({
    fd: 1,
    sync: false,
    maxLength: bufferedBytesMax,
    minLength: writtenBytes,
    retryEAGAIN: () => performance.now() < retryUntilMs,
  });
  // A full disk or a closed pipe must not end the process: such lines are lost.
  stdout.on("error", () => undefined);
  const flushSync = stdout.flushSync.bind(stdout);
  const write = stdout.write.bind(stdout);
  let flushTimer: ReturnType<typeof setTimeout> | undefined;
  let waitingBytes = 0;
  // Not `periodicFlush`: it writes an empty string on every tick, which wakes an idle process 20 times
  // a second and two more threads with it.
  const flushSoon = () => {
    if (flushTimer !== undefined) return;
    flushTimer = setTimeout(() => {
      flushTimer = undefined;
      stdout.flush();
    }, writtenAfterMs);
    flushTimer.unref();
  };
  stdout.write = (line) => {
    waitingBytes += Buffer.byteLength(line);
    flushSoon();
    return write(line);
  };
  stdout.on("drop", (line: string) => {
    waitingBytes -= Buffer.byteLength(line);
  });
  // It ignores a flush during a write, after which lines would wait for the next one. Counted, because
  // a flush of nothing is a write as well, during which the flush of a new line would be ignored.
  stdout.on("write", (bytes: number) => {
    waitingBytes = Math.max(0, waitingBytes - bytes);
    if (waitingBytes > 0) flushSoon();
  });
  stdout.flushSync = () => {
    retryUntilMs = performance.now() + flushMs;
    try {
      flushSync();
    } catch {
      // The reader has closed the pipe or is not reading.
    } finally {
      retryUntilMs = Number.POSITIVE_INFINITY;
      waitingBytes = 0;
    }
  };
  process.on("exit", () => {
    // Lines of a write under way are lost unless its thread gets to them: `flushSync` writes only the others.
    Bun.sleepSync(writeEndsMs);
    stdout.flushSync();
  });
  return stdout;
}

function boundLine(line: string): string {
  if (line.length <= lineCharsMax) return line;
  const { level, time, worker, name, msg } = JSON.parse(line);
  return `${JSON.stringify({ level, time, worker, name, msg, droppedChars: line.length })}\n`;
}
