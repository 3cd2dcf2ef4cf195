// From an HTTP request to the gateway: authenticate, read the body, hand over. A refusal on the way is
// recorded like any other. It also decides which silence is whose: while the answer is being made it is
// ours; once it is there, a client that does not read it is cut off.
import {
  type Answer,
  type AuthenticatedCall,
  admitCall,
  complete,
  type Gateway,
  type IncomingCall,
  type Principal,
  refuseCall,
} from "@turnpike/gateway";
import type { ParsedRequest, Protocol } from "@turnpike/wire";
import type { Listener } from "../listen.ts";
import type { Services } from "../services.ts";
import type { Authenticate } from "./authenticate-request.ts";
import { cacheHeader, completeCached } from "./complete-cached.ts";
import { completeOnce, idempotencyHeader } from "./complete-once.ts";
import { readBody } from "./read-body.ts";

const bodyMaxBytes = 20 * 1024 * 1024;

export type CallRoute<Parsed extends ParsedRequest> = {
  readonly protocol: Protocol<Parsed>;
  readonly call: IncomingCall;
  readonly authenticate: Authenticate;
};

/** Answers the call in `request`, or rejects with the Fault to answer it with. */
export async function completeCall<Parsed extends ParsedRequest>(
  services: Services,
  { server, idleSeconds, keepUntilSent }: Listener,
  request: Request,
  { protocol, call, authenticate }: CallRoute<Parsed>,
): Promise<Answer> {
  const { gateway } = services;
  try {
    const { principal, authMs } = await authenticateCaller(gateway, call, authenticate, request);
    const text = await readText(gateway, call, { principal, authMs }, request);
    // Bun spares a waiting POST as it is, which it may not always (Bun PR 33612).
    server().timeout(request, 0);
    const { signal, headers } = request;
    const known: AuthenticatedCall = { ...call, principal, authMs };
    const sent = { call: known, protocol, text, headers, signal };
    const run = (clientSignal: AbortSignal) => {
      const ask = () =>
        complete(gateway, { ...known, protocol, text, headers, signal: clientSignal });
      return headers.has(cacheHeader) ? completeCached(services, sent, ask) : ask();
    };
    const answer = headers.has(idempotencyHeader)
      ? await completeOnce(services, sent, run)
      : await run(signal);
    if (answer.sent !== undefined) keepUntilSent(request, answer.sent);
    return answer;
  } finally {
    // After a refusal too: a connection left at 0 would be kept for ever.
    server().timeout(request, idleSeconds);
  }
}

async function authenticateCaller(
  gateway: Gateway,
  call: IncomingCall,
  authenticate: Authenticate,
  request: Request,
): Promise<{ principal: Principal; authMs: number }> {
  gateway.metrics.requestStarted();
  try {
    // First, so that a call that waits or is refused costs next to nothing.
    const wait = admitCall(gateway);
    let startedAtMs = call.receivedAtMs;
    if (wait !== undefined) {
      await wait;
      startedAtMs = performance.now();
    }
    const principal = await authenticate(request);
    return { principal, authMs: performance.now() - startedAtMs };
  } catch (thrown) {
    throw refuseCall(gateway, call, {}, thrown);
  }
}

async function readText(
  gateway: Gateway,
  call: IncomingCall,
  caller: { readonly principal: Principal; readonly authMs: number },
  request: Request,
): Promise<string> {
  try {
    return await readBody(request, bodyMaxBytes);
  } catch (thrown) {
    throw refuseCall(gateway, { ...call, ...caller }, {}, thrown);
  }
}
