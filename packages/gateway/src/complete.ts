// The story of a paid completion: who asks, what for, whether the money is there, the upstream's
// answer, and the bill. Nothing is called before its money is held, and no answer is complete
// before it is settled.
import { type Fault, toFault } from "@turnpike/base";
import { findModel, refuseOverlongPrompt, refusePriceChanging } from "@turnpike/catalog";
import { answerForFault, type ChatRequest, parseChatRequest } from "@turnpike/wire";
import { answerStream } from "./answer-stream.ts";
import { answerWhole } from "./answer-whole.ts";
import { Exchange } from "./completion.ts";
import type { ChatAnswer, ChatCall, Gateway, Spender } from "./gateway.ts";
import type { Admission } from "./limit-rates.ts";
import { refuseByKey } from "./refuse-by-key.ts";
import { refuseImages } from "./refuse-images.ts";
import { reserveMoney } from "./reserve-money.ts";
import { completionTiming, refusalTiming } from "./server-timing.ts";
import { clientClosed, settleInTime } from "./settle-in-time.ts";
import { takeOnCall } from "./shed-load.ts";

/** English prose, roughly. */
const bytesPerToken = 4;

/** Answers one call, or rejects with the Fault to answer it with. */
export async function completeChat(gateway: Gateway, call: ChatCall): Promise<ChatAnswer> {
  gateway.metrics.requestStarted();
  let spender: Spender | undefined;
  let chat: ChatRequest | undefined;
  let admission: Admission | undefined;
  let exchange: Exchange | undefined;
  let authMs: number | undefined;
  try {
    // First, so that a refusal costs next to nothing.
    takeOnCall(gateway);
    spender = await call.identify();
    authMs = performance.now() - call.receivedAtMs;

    chat = parseChatRequest(await call.readBody());
    const model = findModel(gateway.catalog(), chat.model);
    refuseByKey(spender, model);
    refusePriceChanging(model, chat);
    refuseImages(model, chat);
    // Before the first thing that takes time in proportion to the prompt.
    admission = admit(gateway, spender, chat);
    await refuseOverlongPrompt(model, chat);

    const holdStartedAtMs = performance.now();
    const reservation = await reserveMoney(gateway, call, spender, model, chat);
    const holdMs = performance.now() - holdStartedAtMs;
    gateway.metrics.holdPlaced(reservation.hold.grantedNanos);
    exchange = new Exchange(gateway, { call, spender, model, chat, admission, reservation });
    if (call.signal.aborted) throw clientClosed();

    const body = chat.stream
      ? await answerStream(gateway, exchange)
      : await answerWhole(gateway, exchange);
    const [upstreamMs, elapsedMs] = [exchange.upstreamMs(), exchange.elapsedMs()];
    const timing = completionTiming({ authMs, holdMs, upstreamMs, elapsedMs });
    const headers = describeAnswer(chat, reservation.maxTokens, timing);
    return { body, headers: { ...headers, ...admission.headers } };
  } catch (thrown) {
    const fault = toFault(thrown);
    if (exchange !== undefined) await settleInTime(gateway, exchange, exchange.endingBy(fault));
    else {
      admission?.end(0);
      recordRefusal(gateway, call, spender, chat, fault);
    }
    const elapsedMs = performance.now() - call.receivedAtMs;
    const timing = { "server-timing": refusalTiming(elapsedMs, authMs) };
    throw fault.withHeaders({ ...timing, ...admission?.headers });
  }
}

/** What a request takes of its key's rates: a rough count now, put right when it ends. */
function admit(gateway: Gateway, spender: Spender, chat: ChatRequest): Admission {
  const promptTokens = Math.ceil(chat.textBytes / bytesPerToken);
  return gateway.limiter.admit(spender, promptTokens + (chat.maxTokens ?? 0));
}

function describeAnswer(chat: ChatRequest, maxTokens: number | undefined, timing: string) {
  return {
    "server-timing": timing,
    ...(maxTokens !== undefined && { "x-turnpike-max-tokens": String(maxTokens) }),
    ...(chat.stream
      ? {
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-cache, no-transform",
          "x-accel-buffering": "no",
        }
      : { "content-type": "application/json" }),
  };
}

/** Counted, and where its owner is known, shown to him in the logs without money. */
function recordRefusal(
  gateway: Gateway,
  call: ChatCall,
  spender: Spender | undefined,
  chat: ChatRequest | undefined,
  fault: Fault,
): void {
  const { status } = answerForFault(fault);
  gateway.metrics.requestEnded({ model: chat?.model, status, outcome: fault.code });
  if (spender === undefined) return;
  gateway.refusals.record({
    id: call.generationId,
    accountId: spender.accountId,
    keyId: spender.keyId,
    origin: spender.origin,
    requestId: call.requestId,
    userAgent: call.userAgent,
    model: chat?.model ?? "",
    streamed: chat?.stream ?? false,
    status,
    errorCode: fault.code,
    totalMs: performance.now() - call.receivedAtMs,
  });
}
