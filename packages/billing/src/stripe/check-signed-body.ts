// What is checked of a signed event besides its signature: that its bytes are exactly the text that was signed, and that
// it is not from the future.

import { Fault } from "@turnpike/base";

export const clockToleranceSeconds = 300;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Text that encodes to exactly the same bytes: given bytes, the SDK would drop a byte order mark first and
 * verify what was not sent.
 */
export function decodeExactly(body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch (cause) {
    throw eventFault("This is not an event.", cause);
  }
}

/** The SDK refuses old timestamps, but not future ones. */
export function assertNotFuture(signature: string): void {
  const signedAt = Number([...signature.matchAll(/(?:^|,)t=(\d+)/g)].at(-1)?.[1]);
  if (signedAt <= Math.floor(Date.now() / 1_000) + clockToleranceSeconds) return;
  throw eventFault("The signature of this event is not valid.");
}

export function eventFault(message: string, cause?: unknown): Fault {
  return new Fault("malformed_request", message, { cause });
}
