// From an HTTP request to the gateway: authenticate, read the body, pass it on. What is thrown on the way refuses the call and
// is recorded here alone, unless how the call ended already is. It also decides who is responsible for a silent
// connection: until the answer exists it is us; afterwards a client that does not read it is cut off.
import { parseBearer } from "@turnpike/base";
import {
  type Answer,
  admitCall,
  type BodySlot,
  type Call,
  complete,
  type IncomingCall,
  type Principal,
  refuseCall,
} from "@turnpike/gateway";
import { type CallFacts, createCallFacts } from "@turnpike/ledger";
import type { ParsedRequest, Protocol } from "@turnpike/wire";
import { recordPrompt } from "../../answers/record-prompt.ts";
import type { HttpListener } from "../../listen.ts";
import { keepsAnswer, type RememberedCall, rememberCall } from "../../memory/remember-call.ts";
import { runFormOf } from "../../runs/start-run.ts";
import type { Services } from "../../services.ts";
import type { Authenticator } from "../callers/authenticate-request.ts";
import { fillFiles } from "../files/fill-files.ts";
import { bodyMaxBytes, declaredBytes, decodeBody, receiveBody } from "../requests/read-body.ts";
import { formProtocolOf, type ReceivedForm, readForm } from "../requests/read-form.ts";
import { answerRun } from "./answer-run.ts";
import { cacheHeader, completeCached } from "./complete-cached.ts";
import { completeOnce, mayBeRepeated } from "./complete-once.ts";
import { withItems } from "./stored-items.ts";

/** A paid endpoint. */
export type CallRoute<Parsed extends ParsedRequest> = {
  readonly protocol: Protocol<Parsed>;
  readonly identify: Authenticator["identify"];
  readonly requireAddress: Authenticator["requireAddress"];
  readonly respond: (call: IncomingCall, answer: Answer) => Response;
};

/** Answers the call in `request`, or rejects with the Fault to answer it with; either way it is recorded, once. */
export async function handleCall<Parsed extends ParsedRequest>(
  services: Services,
  { server, idleSeconds, keepUntilSent }: HttpListener,
  route: CallRoute<Parsed>,
  request: Request,
  incoming: IncomingCall,
): Promise<Response> {
  const { gateway } = services;
  const { record } = incoming;
  const { headers, signal } = request;
  let slot: BodySlot | undefined;
  let call: Call<Parsed> | undefined;
  let received: ReceivedForm | undefined;
  let keysInPrompt: ReadonlySet<string> | undefined;
  let streamEnds: Promise<unknown> | undefined;
  gateway.metrics.requestStarted();
  try {
    // First, so that a call that waits or is refused costs next to nothing.
    const wait = admitCall(gateway);
    if (wait !== undefined) await wait;
    const startedAtMs = wait === undefined ? incoming.receivedAtMs : performance.now();
    const authenticating = route.identify(request);
    const principal = authenticating instanceof Promise ? await authenticating : authenticating;
    record.authMs = performance.now() - startedAtMs;
    incoming.trace?.part("authenticate", startedAtMs);
    const facts = createFacts(incoming, principal);
    record.facts = facts;
    const { guardrails } = principal;
    if (guardrails !== undefined) route.requireAddress(guardrails, request);
    slot = gateway.limiter.reserveSlot(principal, declaredBytes(request, bodyMaxBytes));
    const { protocol } = route;
    const takesForm = formProtocolOf(request, protocol);
    if (takesForm !== undefined) received = await readForm(services, request, slot, takesForm);
    const text = received?.text ?? decodeBody(await receiveBody(request, bodyMaxBytes, slot), slot);
    const form = received?.form;
    call = { ...incoming, principal, facts, protocol, text, form, slot, headers, signal };
    // Bun currently does not time out a waiting POST, but may in the future (Bun PR 33612).
    server().timeout(request, 0);
    const filled = form === undefined ? fillFiles(services, principal, text, slot) : text;
    if (filled instanceof Promise) call = { ...call, text: await filled };
    keysInPrompt = services.promptKeys.find(call.text);
    const answer = await (mayBeRepeated(request, protocol)
      ? answerOnce(services, call, slot)
      : answerCall(services, call, slot));
    if (answer.sent !== undefined) keepUntilSent(request, answer.sent);
    streamEnds = answer.ended;
    return route.respond(call, answer);
  } catch (thrown) {
    throw refuseCall(gateway, call ?? incoming, thrown);
  } finally {
    // A stream may continue after its client has disconnected.
    if (slot !== undefined) releaseAfter(slot, streamEnds);
    if (received !== undefined) void (streamEnds ?? Promise.resolve()).then(received.close);
    if (call !== undefined) {
      if (keysInPrompt !== undefined) warnAfter(services, call, keysInPrompt, streamEnds);
      // After a refusal too: a connection left at 0 would be kept open forever.
      server().timeout(request, idleSeconds);
    }
  }
}

export function createFacts(
  { generationId, requestId, operation, head }: IncomingCall,
  { accountId, keyId, personId, origin }: Principal,
): CallFacts {
  // One by one: the runtime copies one record onto another slowly.
  const facts = createCallFacts({ id: generationId, accountId, keyId });
  facts.personId = personId;
  facts.requestId = requestId;
  facts.operation = operation;
  facts.origin = origin;
  return Object.assign(facts, head);
}

function releaseAfter(slot: BodySlot, streamEnds: Promise<unknown> | undefined): void {
  if (streamEnds === undefined) slot.release();
  else void streamEnds.then(() => slot.release());
}

function warnAfter(
  { promptKeys }: Pick<Services, "promptKeys">,
  { principal, headers }: Pick<Call<ParsedRequest>, "principal" | "headers">,
  found: ReadonlySet<string>,
  answered: Promise<unknown> | undefined,
): void {
  const own = principal.keyId === null ? undefined : parseBearer(headers);
  promptKeys.warnAfter(answered, found, own);
}

function answerOnce<Parsed extends ParsedRequest>(
  services: Services,
  call: Call<Parsed>,
  slot: BodySlot,
): Promise<Answer> {
  const answer = (owned: Call<Parsed>) => answerCall(services, owned, slot);
  return completeOnce(services, call, answer, () => slot.endReading());
}

/** What it answers is stored with its prompt if the project wants that. */
async function answerCall<Parsed extends ParsedRequest>(
  services: Services,
  call: Call<Parsed>,
  slot: BodySlot,
): Promise<Answer> {
  const { items } = call.protocol;
  const asked = items === undefined ? { call } : await rememberCall(services, call, items, slot);
  const form = runFormOf(asked);
  if (form !== undefined) return answerRun(services, asked, form, slot);
  const answering = findAnswer(services, asked, slot);
  return recordPrompt(services.promptLog, asked.call, answering);
}

/** Calls the gateway, or the response cache first if the caller wants that. */
function findAnswer<Parsed extends ParsedRequest>(
  services: Services,
  asked: RememberedCall<Parsed>,
  slot: BodySlot,
): Promise<Answer> {
  const { call } = asked;
  const run = () => callGateway(services, asked, slot);
  if (!call.headers.has(cacheHeader) || keepsAnswer(asked)) return run();
  return completeCached(services, call, run);
}

async function callGateway<Parsed extends ParsedRequest>(
  services: Services,
  asked: RememberedCall<Parsed>,
  slot: BodySlot,
): Promise<Answer> {
  const { items } = asked.call.protocol;
  const call = items === undefined ? asked.call : await withItems(services, asked, items, slot);
  // Gives up the slot for reading the body: in this same turn of the event loop the gateway takes the
  // call's own slot among the running ones. The body stays in memory, so its bytes still count.
  slot.endReading();
  return complete(services.gateway, call);
}
