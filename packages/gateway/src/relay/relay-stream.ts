// A streamed answer: refused with its real HTTP status as long as nothing was sent, committed by the
// first event of the upstream or, if that is slow to come, by a comment.
import { type Failpoint, withDeadline } from "@turnpike/base";
import { countPromptSample, guessPromptTokens } from "@turnpike/catalog";
import { isRelayed, type UpstreamAnswer, unstreamed } from "@turnpike/providers";
import type { ParsedRequest, PromptSize, StreamProtocol } from "@turnpike/wire";
import type { Completion } from "../completion.ts";
import type { Answer, Gateway } from "../gateway.ts";
import { Relay } from "./relay.ts";

/** Resolves when the answer may begin; rejects with what the upstream refused before that. */
export async function relayStream<Request extends ParsedRequest>(
  gateway: Gateway,
  completion: Completion<Request>,
  protocol: StreamProtocol<Request>,
  opening: Promise<UpstreamAnswer>,
): Promise<Omit<Answer, "headers">> {
  const answer = requireStream(opening, gateway.failpoint);
  const prompt = sizePrompt(completion, protocol);
  const { commitStreamMs } = gateway.times;
  // Without a comment to keep its client waiting, nothing can be sent before it is known how the answer begins.
  const begun =
    protocol.keepAlive === ""
      ? await answer
      : await withDeadline<unknown>(answer, commitStreamMs, () => undefined);
  const relay = new Relay(gateway, completion, protocol, answer, prompt);
  const { sent, ended } = relay;
  return { body: openBody(relay, begun === undefined), sent, ended };
}

async function requireStream(opening: Promise<UpstreamAnswer>, failpoint: Failpoint) {
  const answer = await opening;
  if (answer.kind !== "stream") throw unstreamed();
  failpoint("first-byte");
  return answer;
}

/** Relays an answer; while a late one has not begun, comments keep the client waiting. */
export function openBody(
  relay: Pick<Relay, "start" | "sendKeepAlive" | "run" | "leave">,
  late: boolean,
): ReadableStream<Uint8Array> {
  relay.start();
  // The status line is sent with the first byte of the body.
  if (late) relay.sendKeepAlive();
  // Bun's own kind of source: what is written goes to the socket, without a queue and a reader between.
  return new ReadableStream<Uint8Array>({
    type: "direct",
    pull: (sink) => relay.run(sink),
    cancel: () => relay.leave(),
  });
}

/**
 * How many tokens a prompt has, for a stream that says so in its first event. It is counted while the upstream works, in
 * a thread of its own, so that no first byte waits for it; until the count is there, and for what is not counted, it is
 * sized by its bytes. Undefined if the stream does not say it, or says what its upstream reports.
 */
function sizePrompt<Request extends ParsedRequest>(
  { modelRequest, request, route, call }: Completion<Request>,
  { beginsWithPrompt }: StreamProtocol<Request>,
): PromptSize | undefined {
  if (beginsWithPrompt !== true) return undefined;
  const size = { tokens: guessPromptTokens(modelRequest) };
  // Another route may still translate what the first would have relayed.
  if (isRelayed(route.provider, request)) return size;
  const caller = { accountId: call.principal.accountId, signal: call.signal };
  countPromptSample(modelRequest, caller).then(
    (tokens) => {
      size.tokens = tokens;
    },
    // The client has left, or the thread has died: nobody is told less than before.
    () => undefined,
  );
  return size;
}
