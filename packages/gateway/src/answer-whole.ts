// An answer in one piece: the upstream's body, its bill, and not a byte before the charge is durable.
// It is completed and billed also when its client has left.
import { Fault } from "@turnpike/base";
import type { UpstreamAnswer } from "@turnpike/providers";
import type { ParsedRequest } from "@turnpike/wire";
import { type Completion, clientClosed } from "./completion.ts";
import type { Gateway } from "./gateway.ts";

/** The body. Rejects with the Fault to answer with. */
export async function answerWhole<Request extends ParsedRequest>(
  gateway: Gateway,
  completion: Completion<Request>,
  answer: UpstreamAnswer,
): Promise<string> {
  if (answer.kind === "stream") throw new Error("a stream answered a request for a whole answer");
  completion.received(answer);
  gateway.failpoint("first-byte");
  const ending = completion.endingWhole();
  const isDurable = await completion.settle(ending);
  if (ending.outcome === "client_closed" || answer.kind === "unread") throw clientClosed();
  if (!isDurable) throw unbilled();
  const { call, stamp, bill, request } = completion;
  return call.protocol.writeWhole(answer.content, stamp, bill, request);
}

/** The charge stays queued, so a second try would be a second bill. */
function unbilled(): Fault {
  return new Fault(
    "overloaded",
    "This answer is complete, but could not be billed in time and is not handed out. It may still be charged, once: ask `/v1/generation` for the id in `x-generation-id` before you try again.",
    { shouldRetry: false, isChargePending: true },
  );
}
