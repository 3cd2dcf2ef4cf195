// The address of the caller: that of the connection, or the one a trusted proxy reports. A header
// by itself never decides, since anyone can send one.
import { type AddressRange, isInRanges, normalizeAddress } from "@turnpike/base";

/**
 * Walks X-Forwarded-For from its end, the part our own proxies wrote, as long as the address that
 * added the entry is trusted. `peer` is the address of the connection; empty if it is unknown.
 */
export function parseClientAddress(
  peer: string,
  forwardedFor: string | null,
  trusted: readonly AddressRange[],
): string {
  let client = normalizePeer(peer);
  const hops = forwardedFor === null ? [] : forwardedFor.split(",");
  while (hops.length > 0 && isInRanges(client, trusted)) {
    const hop = normalizeAddress(withoutPort(hops.pop() ?? ""));
    // A trusted proxy that passes on an invalid entry is the last known address.
    if (hop === undefined) return client;
    client = hop;
  }
  return client;
}

/**
 * Canonical forms of peers seen so far: keep-alive connections and proxies repeat theirs with every
 * call.
 */
const knownPeers = new Map<string, string>();
const knownPeersMax = 10_000;

function normalizePeer(peer: string): string {
  const known = knownPeers.get(peer);
  if (known !== undefined) return known;
  const address = normalizeAddress(peer) ?? peer;
  if (knownPeers.size >= knownPeersMax) knownPeers.clear();
  knownPeers.set(peer, address);
  return address;
}

/** Some proxies write `203.0.113.7:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const text = hop.trim();
  return (
    /^\[([^\]]{1,64})\](?::\d{1,5})?$/.exec(text)?.[1] ??
    /^([\d.]{1,64}):\d{1,5}$/.exec(text)?.[1] ??
    text
  );
}
