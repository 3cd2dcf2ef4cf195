// The management API: every route of the table in `api`, with a management key. A POST with an `Idempotency-Key`
// runs once, by the same means as a call of a model.

import type { AuthenticatedManagementKey } from "@turnpike/accounts";
import {
  createCaller,
  type ManagementRoute,
  managementRoutes,
  type RouteMethod,
} from "@turnpike/api";
import { Fault, parseBearer } from "@turnpike/base";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { answerHeaders, type CallIds } from "../answers/answer-fault.ts";
import type { AuthenticateManagement } from "../callers/authenticate-management.ts";
import type { ClientAddress } from "../callers/authenticate-request.ts";
import { idempotencyHeader, parseIdempotencyKey } from "../calls/complete-once.ts";
import { readPlainJson } from "../requests/read-body.ts";
import { type Handle, registerRoute } from "../routes/route.ts";
import { parseFields } from "./parse-fields.ts";

const bodyMaxBytes = 64 * 1024;

type Entrance = {
  readonly services: Services;
  readonly addressOf: ClientAddress;
  readonly authenticate: AuthenticateManagement;
};

export function registerManagement(
  app: Pick<Elysia, "all">,
  services: Services,
  addressOf: ClientAddress,
  authenticate: AuthenticateManagement,
): void {
  const entrance = { services, addressOf, authenticate };
  const methods = new Map<string, Partial<Record<RouteMethod, Handle>>>();
  for (const route of managementRoutes) {
    const ofPath = methods.get(route.path) ?? {};
    ofPath[route.method] = (request, ids) => answerRoute(entrance, route, request, ids);
    methods.set(route.path, ofPath);
  }
  for (const [path, ofPath] of methods) {
    registerRoute(app, services, path.replaceAll(/\{(\w+)\}/g, ":$1"), ofPath);
  }
}

async function answerRoute(
  entrance: Entrance,
  route: ManagementRoute,
  request: Request,
  ids: CallIds,
): Promise<Response> {
  const key = await entrance.authenticate(request);
  const hasBody = route.method === "POST" || route.method === "PATCH";
  const text = hasBody ? await readPlainJson(request, bodyMaxBytes) : "";
  const run = async (madeId: string) =>
    JSON.stringify(
      await route.answer(
        { caller: callerOf(entrance, key, request, ids), madeId },
        parseFields(route, request.url, text),
      ),
    );
  const isOnce = route.method === "POST" && request.headers.has(idempotencyHeader);
  const { headers, body } = isOnce
    ? await runOnce(entrance.services, { key, text, request, ids }, run)
    : { headers: {}, body: await run(Bun.randomUUIDv7()) };
  return new Response(body, {
    status: route.status,
    headers: { ...answerHeaders(ids), ...headers, "content-type": "application/json" },
  });
}

function callerOf(
  { services, addressOf }: Entrance,
  managementKey: AuthenticatedManagementKey,
  request: Request,
  { requestId }: CallIds,
) {
  return createCaller({
    ...services.api,
    requestId,
    address: addressOf(request),
    userAgent: request.headers.get("user-agent") ?? "",
    cookies: null,
    authenticated: undefined,
    managementKey,
    account: managementKey.account,
    setCookies: () => undefined,
  });
}

type OnceCall = {
  readonly key: AuthenticatedManagementKey;
  readonly text: string;
  readonly request: Request;
  readonly ids: CallIds;
};

/**
 * What the call creates gets its id from the key of the call: if the process dies after it was created and before the
 * answer was stored, the repetition is refused as a conflict instead of creating a second one.
 */
async function runOnce(
  { idempotentCalls }: Services,
  { key, text, request, ids }: OnceCall,
  run: (madeId: string) => Promise<string>,
): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: string }> {
  const apiKey = parseBearer(request.headers);
  const idempotencyKey = parseIdempotencyKey(request.headers);
  const { pathname, search } = new URL(request.url);
  const entry = await idempotentCalls.enter({
    call: {
      ...ids,
      operation: "management",
      principal: { accountId: key.account.id, keyId: null },
    },
    apiKey,
    idempotencyKey,
    language: pathname + search,
    text,
    signal: request.signal,
    onWait: () => undefined,
  });
  const { headers, body } =
    entry.kind === "repeat"
      ? entry.answer
      : await entry.complete(async () => ({
          headers: {},
          body: await run(madeIdOf(apiKey, idempotencyKey, pathname)),
          sent: undefined,
        }));
  if (typeof body !== "string") throw new Fault("internal_error", "The stored answer is a stream.");
  return { headers, body };
}

/** A UUID of version 8 (RFC 9562): the same for the same texts. */
function madeIdOf(...texts: readonly string[]): string {
  const hash = new Bun.CryptoHasher("sha256").update(texts.join("\0")).digest("hex");
  const [a, b, c, d, e] = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return [a, b, c, d, e].join("-");
}
