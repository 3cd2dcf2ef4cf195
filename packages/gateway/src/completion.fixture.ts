// One completion of its own gateway, for tests of moments that no HTTP test can hit.
import { type AccountId, type GenerationId, newId, noFailpoint } from "@turnpike/base";
import type { ChatModel } from "@turnpike/catalog";
import { noLimits } from "@turnpike/keys";
import { type Charge, type Charged, createCallFacts, LeaseBook } from "@turnpike/ledger";
import { createLog, createMetrics } from "@turnpike/telemetry";
import { toNanos } from "@turnpike/terms";
import { type ChatRequest, chatProtocol, openaiErrors, parseChatRequest } from "@turnpike/wire";
import { LoadShedder } from "./admission/shed-load.ts";
import { admitNow } from "./admit-now.fixture.ts";
import { chatModel } from "./chat-model.fixture.ts";
import { Completion, type CompletionStart } from "./completion.ts";
import { BackgroundCalls } from "./ending/background-calls.ts";
import { CountBudget } from "./estimate/count-budget.ts";
import { CallRecord, type Gateway, gatewayLimits, gatewayTimes } from "./gateway.ts";
import { RateLimiter } from "./rates/limit-rates.ts";
import { RetryBudget } from "./routing/retry-budget.ts";
import { RouteHealthBook } from "./routing/route-health.ts";
import { StatusTally } from "./routing/status-tally.ts";

/** With the parts that a test has of its own. */
export function createGateway(own: Pick<Gateway, "ledger"> & Partial<Gateway>): Gateway {
  const metrics = createMetrics();
  return {
    catalog: { current: { version: "test", models: new Map() } },
    freeCalls: { record: () => undefined },
    limiter: new RateLimiter(),
    countBudget: new CountBudget(),
    routeHealth: new RouteHealthBook(),
    status: new StatusTally(),
    retryBudget: new RetryBudget(),
    load: new LoadShedder(),
    background: new BackgroundCalls(metrics),
    metrics,
    log: createLog({ level: "silent", name: "test" }),
    // No comment comes between events, however busy the machine is.
    times: { ...gatewayTimes, keepAliveMs: 600_000 },
    limits: gatewayLimits,
    allowPrivateUpstreams: true,
    failpoint: noFailpoint,
    endSignal: { current: new AbortController().signal },
    ...own,
  };
}

type Ledger = { readonly charge: (charge: Charge) => Promise<Charged> };

/** The test decides the ledger's answers. */
export function createCompletion({ charge }: Ledger) {
  const answers = new AbortController();
  const gateway = createGateway({
    ledger: { charge, hold: () => Promise.reject(new Error("nothing is held here")) },
    endSignal: { current: answers.signal },
  });
  const completion = new Completion(gateway, startOf(gateway));
  return { gateway, completion, metrics: gateway.metrics, answers };
}

const model: ChatModel = { ...chatModel, contextTokens: 1_000, capabilities: [] };

export function startOf(gateway: Gateway, stream = true): CompletionStart<ChatRequest> {
  const call = {
    generationId: newId<GenerationId>(),
    requestId: "req_test",
    head: {},
    record: new CallRecord(),
    operation: "chat",
    errors: openaiErrors,
    headers: new Headers(),
    protocol: chatProtocol,
    text: "",
    signal: new AbortController().signal,
    receivedAtMs: performance.now(),
  } as const;
  const principal = {
    accountId: newId<AccountId>(),
    keyId: null,
    limits: noLimits,
    origin: "api",
  } as const;
  const messages = [{ role: "user", content: "hello" }];
  const { accountId, keyId } = principal;
  const facts = createCallFacts({ id: call.generationId, accountId, keyId });
  call.record.facts = facts;
  const request = {
    facts,
    wantNanos: toNanos(50n),
    floorNanos: toNanos(50n),
    atMostHalf: false,
    allOrNothing: false,
  } as const;
  const lease = new LeaseBook().openRetired(facts);
  const hold = { request, lease, grantedNanos: toNanos(50n), heldAtMs: performance.now() };
  const parsed = parseChatRequest(JSON.stringify({ model: model.id, messages, stream }));
  return {
    call: { ...call, principal, facts },
    request: parsed,
    modelRequest: { operation: "chat", model, request: parsed },
    route: model.routes[0],
    admission: admitNow(gateway.limiter, principal, 0),
    reservation: { hold, promptBound: () => 1, maxTokens: undefined, coveredTokens: 100 },
    holdMs: 0,
  };
}
