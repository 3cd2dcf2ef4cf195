// One completion of its own gateway, for tests of moments that no HTTP test can hit.
import {
  type AccountId,
  type GenerationId,
  newId,
  noFailpoint,
  type PriceId,
  toNanos,
} from "@turnpike/base";
import { noLimits } from "@turnpike/keys";
import { type Charge, type Charged, LeaseBook } from "@turnpike/ledger";
import { defaultQuirks, noCredential } from "@turnpike/providers";
import { openLog, openMetrics } from "@turnpike/telemetry";
import { type ChatRequest, chatProtocol, openaiErrors, parseChatRequest } from "@turnpike/wire";
import { BackgroundCalls } from "./background-calls.ts";
import { Completion, type CompletionStart } from "./completion.ts";
import { type Gateway, gatewayLimits, gatewayTimes } from "./gateway.ts";
import { RateLimiter } from "./limit-rates.ts";
import { RetryBudget } from "./retry-budget.ts";
import { RouteHealthBook } from "./route-health.ts";
import { LoadShedder } from "./shed-load.ts";

type Ledger = { readonly charge: (charge: Charge) => Promise<Charged> };

/** The test decides the ledger's answers. */
export function openCompletion({ charge }: Ledger) {
  const answers = new AbortController();
  const metrics = openMetrics();
  const gateway: Gateway = {
    catalog: { current: { version: "test", models: new Map() } },
    ledger: { charge, hold: () => Promise.reject(new Error("nothing is held here")) },
    refusals: { record: () => undefined },
    limiter: new RateLimiter(),
    routeHealth: new RouteHealthBook(),
    retryBudget: new RetryBudget(),
    load: new LoadShedder(),
    background: new BackgroundCalls(metrics),
    metrics,
    log: openLog({ level: "silent", name: "test" }),
    times: gatewayTimes,
    limits: gatewayLimits,
    allowPrivateUpstreams: true,
    failpoint: noFailpoint,
    endSignal: { current: answers.signal },
  };
  const completion = new Completion(gateway, startOf(gateway));
  return { gateway, completion, metrics, answers };
}

const rate = 1_000_000n;
const provider = {
  id: "test",
  kind: "openai-compatible",
  baseUrl: "http://127.0.0.1:1/v1",
  credential: noCredential,
  quirks: defaultQuirks,
  cancelledStream: "billed_as_written",
} as const;
const model = {
  operation: "chat",
  id: "test/model",
  name: "",
  description: "",
  created: new Date(0),
  contextTokens: 1_000,
  maxOutputTokens: 1_000,
  capabilities: [],
  reasoning: "visible",
  routes: [{ provider, upstreamModel: "model" }],
  tokenizer: "bytes",
  imageTokens: 1,
  templateTokens: 1,
  price: {
    id: newId<PriceId>(),
    since: new Date(0),
    inputNanosPerMillion: rate,
    cachedInputNanosPerMillion: rate,
    cacheWriteNanosPerMillion: rate,
    outputNanosPerMillion: rate,
  },
} as const;

export function startOf(gateway: Gateway): CompletionStart<ChatRequest> {
  const call = {
    generationId: newId<GenerationId>(),
    requestId: "req_test",
    userAgent: "",
    operation: "chat",
    errors: openaiErrors,
    headers: new Headers(),
    authMs: 0,
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
  const request = {
    id: call.generationId,
    accountId: principal.accountId,
    keyId: null,
    wantNanos: toNanos(50n),
    floorNanos: toNanos(50n),
    halve: false,
    exact: false,
    streamed: true,
    origin: "api",
    operation: "chat",
    requestId: call.requestId,
    userAgent: "",
  } as const;
  const lease = new LeaseBook().openRetired(request);
  const hold = { request, lease, grantedNanos: toNanos(50n), heldAtMs: performance.now() };
  const parsed = parseChatRequest(JSON.stringify({ model: model.id, messages, stream: true }));
  return {
    call: { ...call, principal },
    request: parsed,
    matched: { operation: "chat", model, request: parsed },
    route: model.routes[0],
    admission: gateway.limiter.admit(principal, 0),
    reservation: { hold, promptBound: () => 1, maxTokens: undefined, coveredTokens: 100 },
    holdMs: 0,
  };
}
