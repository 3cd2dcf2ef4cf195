// How much of the process's memory the bodies of webhooks may take up while they arrive. Until its signature is
// checked an event may come from anyone, and anyone may send it slowly. What is refused is sent again by Stripe.
import { Fault } from "@turnpike/base";

export type EventBodyBounds = {
  readonly processBytes: number;
  /** Of one network, so that it leaves room for the others. */
  readonly networkBytes: number;
};

const mebibyte = 1024 * 1024;
const defaultBounds: EventBodyBounds = { processBytes: 64 * mebibyte, networkBytes: 8 * mebibyte };

/** Takes room for a body of at most `bytes` and returns a function that frees it. Throws `overloaded`. */
export type TakeRoom = (network: string, bytes: number) => () => void;

export function createEventBodies({
  processBytes,
  networkBytes,
}: EventBodyBounds = defaultBounds): TakeRoom {
  let taken = 0;
  const takenBy = new Map<string, number>();
  return (network, bytes) => {
    const before = takenBy.get(network) ?? 0;
    if (taken + bytes > processBytes || before + bytes > networkBytes) throw tooMany();
    taken += bytes;
    takenBy.set(network, before + bytes);
    return () => {
      taken -= bytes;
      const left = (takenBy.get(network) ?? 0) - bytes;
      if (left > 0) takenBy.set(network, left);
      else takenBy.delete(network);
    };
  };
}

function tooMany(): Fault {
  return new Fault("overloaded", "Too many events are arriving at once. Send this one again.", {
    retryAfterMs: 2_000,
    headers: { connection: "close" },
  });
}
