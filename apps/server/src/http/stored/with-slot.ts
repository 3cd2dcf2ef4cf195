// The memory that a request about stored responses takes: counted for its account before anything is read, until the answer is made.
import type { BodySlot, Gateway, Principal } from "@turnpike/gateway";

/** Rejects with the Fault of an account that has no room, and as `make` does. */
export async function withSlot<Made>(
  { limiter }: Pick<Gateway, "limiter">,
  principal: Principal,
  bytes: number,
  make: (slot: BodySlot) => Promise<Made>,
): Promise<Made> {
  const slot = limiter.reserveSlot(principal, bytes);
  try {
    return await make(slot);
  } finally {
    slot.release();
  }
}
