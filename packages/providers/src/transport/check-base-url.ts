// Whether the gateway may send requests, with a key in them, to an address. It checks what the operator
// wrote: scheme, credentials and literal host. Names are not resolved: base URLs come from the
// operator's catalogue and never from callers, and a check before `fetch` resolves them again proves
// little.

import { BlockList, isIP } from "node:net";

const privateAddresses = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  privateAddresses.addSubnet(network, bits, "ipv4");
}
for (const [network, bits] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  privateAddresses.addSubnet(network, bits, "ipv6");
}

const privateNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)\.?$/;

function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const family = isIP(host);
  if (family === 4) return privateAddresses.check(host, "ipv4");
  if (family === 6) {
    // An IPv4 address written as IPv6: URL spells it ::ffff:7f00:1.
    const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
    if (!mapped) return privateAddresses.check(host, "ipv6");
    const [high = 0, low = 0] = mapped.slice(1).map((part) => Number.parseInt(part, 16));
    const dotted = [high >> 8, high & 255, low >> 8, low & 255].join(".");
    return privateAddresses.check(dotted, "ipv4");
  }
  return privateNames.test(host) || !host.includes(".");
}

/** Why `baseUrl` is refused, as the end of a message; undefined if it is accepted. */
export function whyBaseUrlRefused(
  baseUrl: string,
  options: { readonly allowPrivate: boolean },
): string | undefined {
  const url = URL.parse(baseUrl);
  if (!url) return "is not a URL";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "is neither https nor http";
  if (url.username !== "" || url.password !== "") return "must not contain credentials";
  if (url.search !== "" || url.hash !== "") return "must not contain a query or a fragment";
  if (options.allowPrivate) return undefined;
  if (url.protocol === "http:") return "is plain http, which needs ALLOW_PRIVATE_UPSTREAMS=true";
  if (!isPrivateHost(url.hostname)) return undefined;
  return "is a private or loopback address, which needs ALLOW_PRIVATE_UPSTREAMS=true";
}
