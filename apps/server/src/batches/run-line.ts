// Runs one line of a batch as an ordinary call of the key that made the batch: its guardrails, limits and budgets as they are now. Its
// money is held when it starts, and it is charged once under its id.
import { type GenerationId, requestIdOf } from "@turnpike/base";
import type { LineEnding } from "@turnpike/batches";
import {
  admitCall,
  type BodySlot,
  type Call,
  CallRecord,
  complete,
  type Gateway,
  type IncomingCall,
  refuseCall,
} from "@turnpike/gateway";
import type { CallFacts } from "@turnpike/ledger";
import {
  type BatchEndpoint,
  chatProtocol,
  completionsProtocol,
  embeddingsProtocol,
  keepingNothing,
  messagesProtocol,
  moderationProtocol,
  type ParsedRequest,
  type Protocol,
  responsesProtocol,
} from "@turnpike/wire";
import { recordPrompt } from "../answers/record-prompt.ts";
import { principalOf } from "../http/callers/authenticate-request.ts";
import { createFacts } from "../http/calls/handle-call.ts";
import type { Services } from "../services.ts";
import { endingOfFault, pausingCodes } from "./ending-of-fault.ts";

type LineServices = Pick<Services, "gateway" | "apiKeyCache" | "promptLog">;

export type LineCall = {
  readonly generationId: GenerationId;
  /** SHA-256, in hexadecimal. */
  readonly keyHash: string;
  /** The body of the call. */
  readonly text: string;
  /** How often it failed before and now. */
  readonly failures: number;
  /** Its batch is paused, and it is tried to find out whether it may go on. */
  readonly isProbe: boolean;
};

type Run = (services: LineServices, line: LineCall) => Promise<LineEnding>;

const by =
  <Parsed extends ParsedRequest>(protocol: Protocol<Parsed>): Run =>
  (services, line) =>
    runBy(services, protocol, line);

const endpoints: Readonly<Record<BatchEndpoint, Run>> = {
  "/v1/chat/completions": by(chatProtocol),
  // Items of other answers are sealed with a key that is not known here.
  "/v1/responses": by(keepingNothing(responsesProtocol)),
  "/v1/messages": by(messagesProtocol),
  "/v1/completions": by(completionsProtocol),
  "/v1/embeddings": by(embeddingsProtocol),
  "/v1/moderations": by(moderationProtocol),
};

/** Never rejects: what is thrown is how the line ends. */
export function runLine(
  services: LineServices,
  endpoint: string,
  line: LineCall,
): Promise<LineEnding> {
  return endpoints[endpointOf(endpoint)](services, line);
}

/** Guarantee: batches are created for these only. */
function endpointOf(endpoint: string): BatchEndpoint {
  return endpoint as BatchEndpoint;
}

async function runBy<Parsed extends ParsedRequest>(
  services: LineServices,
  protocol: Protocol<Parsed>,
  line: LineCall,
): Promise<LineEnding> {
  const { gateway } = services;
  const { operation, errors } = protocol;
  const { generationId } = line;
  const requestId = requestIdOf(generationId);
  const incoming: IncomingCall = {
    generationId,
    requestId,
    receivedAtMs: performance.now(),
    head: { userAgent: "batch" },
    record: new CallRecord(),
    operation,
    errors,
  };
  let slot: BodySlot | undefined;
  let call: Call<Parsed> | undefined;
  gateway.metrics.requestStarted();
  try {
    await admitCall(gateway);
    const principal = principalOf(await services.apiKeyCache.authenticateHash(line.keyHash));
    const facts = createFacts(incoming, principal);
    incoming.record.facts = facts;
    slot = gateway.limiter.reserveSlot(principal, Buffer.byteLength(line.text));
    const headers = new Headers();
    const { signal } = new AbortController();
    call = { ...incoming, principal, facts, protocol, text: line.text, slot, headers, signal };
    slot.endReading();
    const { body } = await recordPrompt(services.promptLog, call, complete(gateway, call));
    if (typeof body !== "string") throw new Error("a line of a batch was answered by a stream");
    return { kind: "answered", isGood: true, result: { status: 200, requestId, body } };
  } catch (thrown) {
    const recording = line.isProbe ? withoutPauses(gateway) : gateway;
    const fault = refuseCall(recording, call ?? incoming, thrown);
    const { status, body } = errors.answer(fault, requestId);
    const result = { status, requestId, body: JSON.stringify(body) };
    return endingOfFault(fault, line.failures) ?? { kind: "answered", isGood: false, result };
  } finally {
    slot?.release();
  }
}

/** A batch that is paused is tried every minute, perhaps for a day: Logs show why it was paused, once. */
function withoutPauses({
  metrics,
  freeCalls,
}: Pick<Gateway, "metrics" | "freeCalls">): Pick<Gateway, "metrics" | "freeCalls"> {
  const isPause = ({ errorCode }: CallFacts) => errorCode !== null && pausingCodes.has(errorCode);
  return {
    metrics,
    freeCalls: {
      record(facts) {
        if (!isPause(facts)) freeCalls.record(facts);
      },
    },
  };
}
