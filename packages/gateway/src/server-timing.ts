// The `Server-Timing` header: how long each part of a call took, in milliseconds, so that a caller sees
// what is the gateway's time and what is the provider's. `gateway` is all but the wait for the provider; it
// begins when the head of the request was read, so a body that arrives slowly is part of it.

export type CompletionTimes = {
  readonly authMs: number;
  readonly holdMs: number;
  readonly upstreamMs: number;
  readonly elapsedMs: number;
};

/** For an answer, as far as it is known when the answer begins. */
export function completionTiming(times: CompletionTimes): string {
  const { authMs, holdMs, upstreamMs, elapsedMs } = times;
  let end = write(0, "auth", authMs);
  end = write(end, "hold", holdMs);
  end = write(end, "upstream", upstreamMs);
  end = write(end, "gateway", elapsedMs - upstreamMs);
  return buffer.toString("latin1", 0, end);
}

/** For a refusal, all of which is our own time. */
export function refusalTiming(elapsedMs: number, authMs: number | undefined): string {
  const start = authMs === undefined ? 0 : write(0, "auth", authMs);
  return buffer.toString("latin1", 0, write(start, "gateway", elapsedMs));
}

/** Written in bytes: formatting and joining each part as a text would create a dozen texts per call. */
const buffer = Buffer.alloc(256);

/** Writes one part at `at`, behind those before it; returns where it ends. */
function write(at: number, name: string, ms: number): number {
  let end = at;
  if (end > 0) end += buffer.write(", ", end, "latin1");
  end += buffer.write(name, end, "latin1");
  end += buffer.write(";dur=", end, "latin1");
  // Times of a monotonic clock; a part of one may be rounded to just below 0.
  const hundredths = Math.max(0, Math.round(ms * 100));
  end = writeDigits(end, Math.floor(hundredths / 100));
  buffer[end] = point;
  buffer[end + 1] = zero + (Math.floor(hundredths / 10) % 10);
  buffer[end + 2] = zero + (hundredths % 10);
  return end + 3;
}

const point = 0x2e;
const zero = 0x30;

function writeDigits(at: number, whole: number): number {
  const end = whole < 10 ? at : writeDigits(at, Math.floor(whole / 10));
  buffer[end] = zero + (whole % 10);
  return end + 1;
}
