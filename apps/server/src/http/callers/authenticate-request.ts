// Authenticates a call of `/v1` by the key in its headers, if guardrails allow the caller's address. A valid key is
// still served from an address that sends a flood of invalid ones. What is nearly always known at once is no promise:
// an async function takes six heap cells (decision 16).

import { customerNetwork, Fault, parseBearer, toFault } from "@turnpike/base";
import type { Principal } from "@turnpike/gateway";
import { type AuthenticatedKey, type Guardrails, requireAllowedAddress } from "@turnpike/keys";
import { faultStatus } from "@turnpike/wire";
import type { Services } from "../../services.ts";
import { createCallLimiter, scaleLimit, unknownKeyLimit } from "./limit-calls.ts";

export type ClientAddress = (request: Request) => string;
/** A key that is in memory is authenticated without waiting. */
export type Authenticate = (request: Request) => Principal | Promise<Principal>;

export type Authenticator = {
  /** Throws or rejects with what the API-key cache refuses, or `throttled` instead of a 401. */
  readonly identify: Authenticate;
  /** Throws `address_not_allowed`. */
  readonly requireAddress: (guardrails: Guardrails, request: Request) => void;
  /** Both at once, for what is not recorded when it is refused. */
  readonly authenticate: Authenticate;
};

export function createAuthenticator(services: Services, addressOf: ClientAddress): Authenticator {
  const unknownCallers = createCallLimiter(
    scaleLimit(unknownKeyLimit, services.config.THROTTLE_SCALE),
    () => performance.now(),
    () => services.heartbeat.share().instances,
  );
  const refuse = (thrown: unknown, request: Request) => {
    if (faultStatus[toFault(thrown).code].status !== 401) return thrown;
    const waitMs = unknownCallers.take(customerNetwork(addressOf(request)), 1);
    return waitMs === 0 ? thrown : tooManyUnknown(waitMs);
  };
  const identifyLater = async (presented: string, request: Request): Promise<Principal> => {
    try {
      return principalOf(await services.apiKeyCache.authenticate(presented));
    } catch (thrown) {
      throw refuse(thrown, request);
    }
  };
  const identify: Authenticate = (request) => {
    let known: AuthenticatedKey | undefined;
    let presented: string;
    try {
      presented = parseBearer(request.headers);
      known = services.apiKeyCache.recall(presented);
    } catch (thrown) {
      throw refuse(thrown, request);
    }
    return known === undefined ? identifyLater(presented, request) : principalOf(known);
  };
  const requireAddress: Authenticator["requireAddress"] = (guardrails, request) =>
    requireAllowedAddress(guardrails, addressOf(request));
  return {
    identify,
    requireAddress,
    async authenticate(request) {
      const principal = await identify(request);
      if (principal.guardrails !== undefined) requireAddress(principal.guardrails, request);
      return principal;
    },
  };
}

/** A key that is remembered has one principal for all its calls. */
const principals = new WeakMap<AuthenticatedKey, Principal>();

export function principalOf(key: AuthenticatedKey): Principal {
  let principal = principals.get(key);
  if (principal === undefined) {
    const { id: keyId, ...facts } = key;
    principal = { ...facts, keyId, origin: "api" };
    principals.set(key, principal);
  }
  return principal;
}

function tooManyUnknown(retryAfterMs: number): Fault {
  return new Fault("throttled", "Too many requests from your address have no valid API key.", {
    retryAfterMs,
    metadata: { limit_source: "address" },
  });
}
