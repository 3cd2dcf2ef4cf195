// Authenticates a call of `/v1` by the key in its headers, if the key may be used from the caller's
// address. A valid key is still served from an address that sends a flood of invalid ones.

import {
  type AddressRange,
  customerNetwork,
  Fault,
  isInRanges,
  parseAddressRange,
  toFault,
} from "@turnpike/base";
import type { Principal } from "@turnpike/gateway";
import { type AuthenticatedKey, readBearer } from "@turnpike/keys";
import { faultStatus } from "@turnpike/wire";
import type { Services } from "../services.ts";
import { openCallLimiter, scaleLimit, unknownKeyLimit } from "./limit-calls.ts";

export type ClientAddress = (request: Request) => string;
/** A key that is in memory is authenticated without waiting. */
export type Authenticate = (request: Request) => Principal | Promise<Principal>;

/** Throws or rejects with what the API-key cache refuses, `address_not_allowed`, or `throttled` instead of a 401. */
export function openAuthenticator(services: Services, addressOf: ClientAddress): Authenticate {
  const unknownCallers = openCallLimiter(
    scaleLimit(unknownKeyLimit, services.config.THROTTLE_SCALE),
    () => performance.now(),
    () => services.heartbeat.share().instances,
  );
  const refuse = (thrown: unknown, request: Request) => {
    if (faultStatus[toFault(thrown).code].status !== 401) return thrown;
    const waitMs = unknownCallers.take(customerNetwork(addressOf(request)), 1);
    return waitMs === 0 ? thrown : tooManyUnknown(waitMs);
  };
  const admit = (key: AuthenticatedKey, request: Request): Principal => {
    const { allowedAddresses } = key.limits;
    if (allowedAddresses !== undefined) refuseAddress(allowedAddresses, addressOf(request));
    return principalOf(key);
  };
  const authenticateLater = async (presented: string, request: Request): Promise<Principal> => {
    let key: AuthenticatedKey;
    try {
      key = await services.apiKeyCache.authenticate(presented);
    } catch (thrown) {
      throw refuse(thrown, request);
    }
    return admit(key, request);
  };
  return (request) => {
    let known: AuthenticatedKey | undefined;
    let presented: string;
    try {
      presented = readBearer(request.headers);
      known = services.apiKeyCache.recall(presented);
    } catch (thrown) {
      throw refuse(thrown, request);
    }
    return known === undefined ? authenticateLater(presented, request) : admit(known, request);
  };
}

/** A key that is remembered has one principal for all its calls. */
const principals = new WeakMap<AuthenticatedKey, Principal>();

function principalOf(key: AuthenticatedKey): Principal {
  let principal = principals.get(key);
  if (principal === undefined) {
    const { id: keyId, accountId, limits, shared, prompts } = key;
    principal = { accountId, keyId, limits, shared, origin: "api", prompts };
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

function refuseAddress(allowed: readonly string[], address: string): void {
  if (isInRanges(address, rangesOf(allowed))) return;
  throw new Fault("address_not_allowed", `This API key may not be used from ${address}.`);
}

/** A remembered key keeps its list, so each list is read once. */
const readLists = new WeakMap<readonly string[], readonly AddressRange[]>();

function rangesOf(texts: readonly string[]): readonly AddressRange[] {
  const known = readLists.get(texts);
  if (known !== undefined) return known;
  const ranges = texts.flatMap((text) => parseAddressRange(text) ?? []);
  readLists.set(texts, ranges);
  return ranges;
}
