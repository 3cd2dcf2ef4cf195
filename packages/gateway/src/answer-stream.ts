// A streamed completion: refused with its real HTTP status as long as nothing was sent, committed
// by the first event of the upstream or, if that is slow to come, by a comment.
import { Fault } from "@turnpike/base";
import type { StreamAnswer } from "@turnpike/providers";
import type { Exchange } from "./completion.ts";
import type { Gateway } from "./gateway.ts";
import { openRoute } from "./open-route.ts";
import { relayStream } from "./relay-stream.ts";
import { settleStopped } from "./settle-in-time.ts";

/** Resolves when the answer may begin; rejects with a Fault once the hold has ended. */
export async function answerStream(
  gateway: Gateway,
  exchange: Exchange,
): Promise<ReadableStream<Uint8Array>> {
  const answer = openStream(gateway, exchange);
  const { promise: slow, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, gateway.times.commitStreamMs);
  let begun: StreamAnswer | undefined;
  try {
    begun = (await Promise.race([answer, slow])) ?? undefined;
  } catch (thrown) {
    throw await settleStopped(gateway, exchange, thrown);
  } finally {
    clearTimeout(timer);
  }
  gateway.failpoint("first-byte");
  return relayStream(gateway, exchange, answer, { late: begun === undefined });
}

async function openStream(gateway: Gateway, exchange: Exchange): Promise<StreamAnswer> {
  const answer = await openRoute(gateway, exchange);
  if (answer.kind === "stream") return answer;
  throw new Fault("bad_gateway", "The upstream provider did not stream its answer.");
}
