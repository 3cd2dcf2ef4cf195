// Authenticates a call of the management API by the key in its headers, and limits how many calls a key may make.
// Every call asks the database: a revoked key is refused by its next call, on every instance. A key that is not known to
// have worked takes from the share of its network before that.
import {
  type AuthenticatedManagementKey,
  authenticateManagementKey,
  isManagementKeyText,
} from "@turnpike/accounts";
import { customerNetwork, Fault, parseBearer } from "@turnpike/base";
import { isApiKeyText } from "@turnpike/keys";
import type { Services } from "../../services.ts";
import type { ClientAddress } from "./authenticate-request.ts";
import { createKnownCallers } from "./known-callers.ts";
import { type CallLimit, createCallLimiter, scaleLimit, unknownKeyLimit } from "./limit-calls.ts";

/** Calls of one management key, on all instances together. */
export const managementLimit: CallLimit = { perSecond: 10, burst: 60 };

export type AuthenticateManagement = (request: Request) => Promise<AuthenticatedManagementKey>;

/** Rejects with what `authenticateManagementKey` throws, `rate_limit_exceeded`, or `throttled` instead of a 401. */
export function createManagementAuthenticator(
  services: Services,
  addressOf: ClientAddress,
): AuthenticateManagement {
  const { THROTTLE_SCALE } = services.config;
  const open = (limit: CallLimit) =>
    createCallLimiter(
      scaleLimit(limit, THROTTLE_SCALE),
      () => performance.now(),
      () => services.heartbeat.share().instances,
    );
  const unknownCallers = open(unknownKeyLimit);
  const calls = open(managementLimit);
  const known = createKnownCallers();
  const takeShare = (request: Request) => {
    const waitMs = unknownCallers.take(customerNetwork(addressOf(request)), 1);
    if (waitMs > 0) throw tooMany("Too many requests have no valid key.", waitMs);
  };
  const read = (request: Request): string => {
    try {
      const presented = parseBearer(request.headers);
      if (!isManagementKeyText(presented)) throw wrongKind(presented);
      return presented;
    } catch (thrown) {
      takeShare(request);
      throw thrown;
    }
  };
  const authenticate = async (request: Request): Promise<AuthenticatedManagementKey> => {
    const presented = read(request);
    const hash = Bun.SHA256.hash(presented, "hex");
    if (!known.has(hash)) takeShare(request);
    try {
      const key = await authenticateManagementKey(services.api.db, presented);
      known.note(hash, true);
      return key;
    } catch (thrown) {
      if (thrown instanceof Fault && isAboutKey(thrown)) known.note(hash, false);
      throw thrown;
    }
  };
  return async (request) => {
    const key = await authenticate(request);
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
