// A completion in one piece: the upstream's answer, its bill, and not a byte before the settlement
// is durable. It is made and billed also when its client has left.
import { Fault } from "@turnpike/base";
import { usageBody } from "@turnpike/wire";
import type { Exchange } from "./completion.ts";
import type { Gateway } from "./gateway.ts";
import { openRoute } from "./open-route.ts";
import { clientClosed, settleInTime, settleStopped } from "./settle-in-time.ts";

/** The JSON body. Rejects with a Fault once the hold has ended. */
export async function answerWhole(gateway: Gateway, exchange: Exchange): Promise<string> {
  const answer = await openRoute(gateway, exchange).catch(async (thrown: unknown) => {
    throw await settleStopped(gateway, exchange, thrown);
  });
  if (answer.kind === "stream") throw new Error("a whole answer was asked for and a stream came");
  exchange.received(answer);
  gateway.failpoint("first-byte");
  const ending = exchange.endingWhole();
  const durable = await settleInTime(gateway, exchange, ending);
  if (ending.outcome === "client_closed" || answer.kind === "unread") throw clientClosed();
  if (!durable) throw unbilled();
  const bill = exchange.bill;
  return JSON.stringify(
    bill === undefined
      ? answer.body
      : { ...answer.body, usage: usageBody(bill.usage, bill.costNanos) },
  );
}

/** The settlement stays queued, so a second try would be a second bill. */
function unbilled(): Fault {
  return new Fault(
    "overloaded",
    "This answer is complete, but could not be billed in time and is not handed out. It may still be charged, once: ask `/v1/generation` for the id in `x-generation-id` before you try again.",
    { shouldRetry: false },
  );
}
