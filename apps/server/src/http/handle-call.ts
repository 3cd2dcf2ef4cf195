// From an HTTP request to the gateway: authenticate, read the body, pass it on. A refusal on the way is
// recorded like any other. It also decides who is responsible for a silent connection: until the answer
// exists it is us; afterwards a client that does not read it is cut off.
import {
  type Answer,
  type AuthenticatedCall,
  admitCall,
  type BodyPlace,
  type Call,
  complete,
  type Gateway,
  type IncomingCall,
  refuseCall,
} from "@turnpike/gateway";
import type { ParsedRequest, Protocol } from "@turnpike/wire";
import type { HttpListener } from "../listen.ts";
import type { Services } from "../services.ts";
import type { Authenticate } from "./authenticate-request.ts";
import { cacheHeader, completeCached } from "./complete-cached.ts";
import { completeOnce, idempotencyHeader } from "./complete-once.ts";
import { bodyMaxBytes, declaredBytes, readBody } from "./read-body.ts";
import { withItems } from "./stored-items.ts";

export type CallRoute<Parsed extends ParsedRequest> = {
  readonly protocol: Protocol<Parsed>;
  readonly call: IncomingCall;
  readonly authenticate: Authenticate;
};

/** Answers the call in `request`, or rejects with the Fault to answer it with. */
export async function handleCall<Parsed extends ParsedRequest>(
  services: Services,
  { server, idleSeconds, keepUntilSent }: HttpListener,
  request: Request,
  route: CallRoute<Parsed>,
): Promise<Answer> {
  const { call, place } = await receiveCall(services.gateway, request, route);
  let streamEnds: Promise<unknown> | undefined;
  // Bun currently does not time out a waiting POST, but may in the future (Bun PR 33612).
  server().timeout(request, 0);
  try {
    const answer = call.headers.has(idempotencyHeader)
      ? await completeOnce(
          services,
          call,
          (owned) => runCall(services, owned, place),
          () => place.endReading(),
        )
      : await runCall(services, call, place);
    if (answer.sent !== undefined) keepUntilSent(request, answer.sent);
    streamEnds = answer.ended;
    return answer;
  } finally {
    // A stream may continue after its client has disconnected.
    if (streamEnds === undefined) place.leave();
    else void streamEnds.then(() => place.leave());
    // After a refusal too: a connection left at 0 would be kept open forever.
    server().timeout(request, idleSeconds);
  }
}

/** A call whose body is read, and the place it was read in. */
type Received<Parsed extends ParsedRequest> = {
  readonly call: Call<Parsed>;
  readonly place: BodyPlace;
};

/** Admits the caller and reads the body. Rejects with a recorded refusal. */
async function receiveCall<Parsed extends ParsedRequest>(
  gateway: Gateway,
  request: Request,
  { protocol, call: incoming, authenticate }: CallRoute<Parsed>,
): Promise<Received<Parsed>> {
  let known: Pick<AuthenticatedCall, "principal" | "authMs"> | undefined;
  let place: BodyPlace | undefined;
  gateway.metrics.requestStarted();
  try {
    // First, so that a call that waits or is refused costs next to nothing.
    const wait = admitCall(gateway);
    let startedAtMs = incoming.receivedAtMs;
    if (wait !== undefined) {
      await wait;
      startedAtMs = performance.now();
    }
    const principal = await authenticate(request);
    known = { principal, authMs: performance.now() - startedAtMs };
    place = gateway.limiter.enter(principal, declaredBytes(request, bodyMaxBytes));
    const text = await readBody(request, bodyMaxBytes, { place });
    const { signal, headers } = request;
    return { call: { ...incoming, ...known, protocol, text, place, headers, signal }, place };
  } catch (thrown) {
    place?.leave();
    throw refuseCall(gateway, { ...incoming, ...known }, {}, thrown);
  }
}

/** Calls the gateway, or the response cache first if the caller wants that. */
function runCall<Parsed extends ParsedRequest>(
  services: Services,
  call: Call<Parsed>,
  place: BodyPlace,
): Promise<Answer> {
  const { items } = call.protocol;
  const ask = async () => {
    const asked = items === undefined ? call : await withItems(services, call, items, place);
    // Gives up the place for reading the body: in this same turn of the event loop the gateway takes the
    // call's own place among the running ones. The body stays in memory, so its bytes still count.
    place.endReading();
    return complete(services.gateway, asked);
  };
  return call.headers.has(cacheHeader) ? completeCached(services, call, ask) : ask();
}
