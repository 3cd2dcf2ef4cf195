// Authenticates a call of the management API by the key in its headers, and limits how many calls a key may make.
// Every call asks the database: a revoked key is refused by its next call, on every instance.
import {
  type AuthenticatedManagementKey,
  authenticateManagementKey,
  isManagementKeyText,
} from "@turnpike/auth";
import { customerNetwork, Fault, readBearer } from "@turnpike/base";
import { isApiKeyText } from "@turnpike/keys";
import type { Services } from "../services.ts";
import type { ClientAddress } from "./authenticate-request.ts";
import { type CallLimit, openCallLimiter, scaleLimit, unknownKeyLimit } from "./limit-calls.ts";

/** Calls of one management key, on all instances together. */
export const managementLimit: CallLimit = { perSecond: 10, burst: 60 };

export type AuthenticateManagement = (request: Request) => Promise<AuthenticatedManagementKey>;

/** Rejects with what `authenticateManagementKey` throws, `rate_limit_exceeded`, or `throttled` instead of a 401. */
export function openManagementAuthenticator(
  services: Services,
  addressOf: ClientAddress,
): AuthenticateManagement {
  const { THROTTLE_SCALE } = services.config;
  const open = (limit: CallLimit) =>
    openCallLimiter(
      scaleLimit(limit, THROTTLE_SCALE),
      () => performance.now(),
      () => services.heartbeat.share().instances,
    );
  const unknownCallers = open(unknownKeyLimit);
  const calls = open(managementLimit);
  const refuse = (thrown: unknown, request: Request) => {
    if (!(thrown instanceof Fault) || !isAboutKey(thrown)) return thrown;
    const waitMs = unknownCallers.take(customerNetwork(addressOf(request)), 1);
    return waitMs === 0 ? thrown : tooMany("Too many requests have no valid key.", waitMs);
  };
  return async (request) => {
    let key: AuthenticatedManagementKey;
    try {
      const presented = readBearer(request.headers);
      if (!isManagementKeyText(presented)) throw wrongKind(presented);
      key = await authenticateManagementKey(services.api.db, presented);
    } catch (thrown) {
      throw refuse(thrown, request);
    }
    const waitMs = calls.take(key.id, 1);
    if (waitMs > 0) throw tooMany("This management key makes too many requests.", waitMs);
    return key;
  };
}

function isAboutKey({ code }: Fault): boolean {
  return code === "invalid_api_key" || code === "missing_api_key" || code === "key_expired";
}

function wrongKind(presented: string): Fault {
  const hint = isApiKeyText(presented)
    ? "This is an API key, which calls models. "
    : "Incorrect management key provided. ";
  return new Fault(
    "invalid_api_key",
    `${hint}A management key begins with sk-tpm- and is created in the console, under Settings.`,
  );
}

function tooMany(message: string, retryAfterMs: number): Fault {
  return new Fault("rate_limit_exceeded", message, {
    retryAfterMs,
    metadata: { limit_source: "management_key" },
  });
}
