// Ends an exchange and waits for its settlement, but not for ever: with the database away the
// settlement stays queued, and the caller is told instead of being kept.
import { Fault, withDeadline } from "@turnpike/base";
import type { Ending } from "./bill-ending.ts";
import type { Exchange } from "./completion.ts";
import type { Gateway } from "./gateway.ts";

/** True when the settlement is durable; false when it is still queued after the bounded wait. */
export function settleInTime(
  gateway: Gateway,
  exchange: Exchange,
  ending: Ending,
): Promise<boolean> {
  const settled = exchange.end(ending).then(
    () => true,
    (error: unknown) => {
      gateway.log.error(
        { err: error, generationId: exchange.story.call.generationId },
        "hold not settled",
      );
      return false;
    },
  );
  // However often it is asked, the wait is one.
  const leftMs = Math.max(0, gateway.times.settleWaitMs - exchange.endedForMs);
  return withDeadline(settled, leftMs, () => false);
}

/** Settles a call that `thrown` stopped before its answer began; the Fault is what to answer. */
export async function settleStopped(
  gateway: Gateway,
  exchange: Exchange,
  thrown: unknown,
): Promise<Fault> {
  const ending = exchange.endingBy(thrown);
  await settleInTime(gateway, exchange, ending);
  if (ending.outcome === "client_closed") return clientClosed();
  return ending.fault;
}

/** What nobody reads; it ends the call in our own books and metrics. */
export function clientClosed(): Fault {
  return new Fault("client_closed_request", "The client closed the request.");
}
