// The route Stripe sends its events to: the raw body as received, one signature, one row, one answer.
// 200 means that the event is durable; after anything else Stripe sends it again.

import { customerNetwork, Fault } from "@turnpike/base";
import { receiveEvent } from "@turnpike/billing";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { answerFault, newCallIds } from "../answers/answer-fault.ts";
import type { ClientAddress } from "../callers/authenticate-request.ts";
import { createCallLimiter, scaleLimit, unknownKeyLimit } from "../callers/limit-calls.ts";
import { declaredBytes, readBytes } from "../requests/read-body.ts";
import { createEventBodies } from "./limit-event-bodies.ts";

const bodyMaxBytes = 1024 * 1024;
/** Stripe sends an event at once; a slow body must not occupy memory for long. */
const bodyWaitMs = 10_000;

export function registerStripeWebhook(
  app: Pick<Elysia, "post">,
  services: Services,
  addressOf: ClientAddress,
): void {
  const { billing, billingDatabase, log } = services;
  const takeRoom = createEventBodies();
  /** Anyone may send what is refused: a line of the log for each would fill it. */
  const logged = createCallLimiter(scaleLimit(unknownKeyLimit, services.config.THROTTLE_SCALE));
  const readEvent = async (request: Request) => {
    const bytes = declaredBytes(request, bodyMaxBytes) || bodyMaxBytes;
    const freeRoom = takeRoom(customerNetwork(addressOf(request)), bytes);
    try {
      return await readBytes(request, bodyMaxBytes, bodyWaitMs);
    } finally {
      freeRoom();
    }
  };
  app.post(
    "/stripe/webhook",
    async ({ request }: { request: Request }) => {
      try {
        const body = await readEvent(request);
        const signature = request.headers.get("stripe-signature") ?? "";
        await receiveEvent(billingDatabase.db, billing, body, signature);
        return Response.json({ received: true });
      } catch (thrown) {
        if (thrown instanceof Fault) {
          if (logged.take(customerNetwork(addressOf(request)), 1) === 0) {
            log.info(
              { reason: thrown.message },
              "an event that claims to be from Stripe was refused",
            );
          }
          return answerFault(services, newCallIds(), thrown);
        }
        log.error(
          { err: thrown },
          "an event of Stripe could not be stored; Stripe will send it again",
        );
        return new Response(null, { status: 500 });
      }
    },
    { parse: "none" },
  );
}
