// Who pays for a call of `/v1`: the key in its headers, if it may be used from where the call comes.
import { type KeyLimits, readBearer } from "@turnpike/auth";
import { type AddressRange, Fault, isInRanges, parseAddressRange } from "@turnpike/base";
import type { Spender } from "@turnpike/gateway";
import type { Services } from "../services.ts";

export type ClientAddress = (request: Request) => string;
export type IdentifySpender = (request: Request) => Promise<Spender>;

/** Rejects with what the keyring refuses, or `address_not_allowed`. */
export function spendersOf(services: Services, addressOf: ClientAddress): IdentifySpender {
  return async (request) => {
    const key = await services.keyring.identify(readBearer(request.headers));
    refuseAddress(key.limits, addressOf(request));
    return { accountId: key.accountId, keyId: key.id, limits: key.limits, origin: "api" };
  };
}

function refuseAddress(limits: KeyLimits, address: string): void {
  if (limits.allowedAddresses === undefined) return;
  if (isInRanges(address, rangesOf(limits.allowedAddresses))) return;
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
