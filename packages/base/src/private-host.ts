// Whether a host is, by its literal address or its name, one that only machines of the same network reach.

import { BlockList, isIP } from "node:net";

const privateAddresses = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Azure's platform services, which its virtual machines can reach.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  privateAddresses.addSubnet(network, bits, "ipv4");
  // 6to4: the IPv4 address follows the first 16 bits.
  const [a = 0, b = 0, c = 0, d = 0] = network.split(".").map(Number);
  const [high, low] = [a * 256 + b, c * 256 + d].map((group) => group.toString(16));
  privateAddresses.addSubnet(`2002:${high}:${low}::`, 16 + bits, "ipv6");
}
for (const [network, bits] of [
  // Unspecified, loopback and IPv4-compatible addresses.
  ["::", 96],
  // What translators and tunnels forward to an IPv4 address.
  ["::ffff:0:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  privateAddresses.addSubnet(network, bits, "ipv6");
}

/** Names of clusters and company networks. None is delegated in the public name system. */
const privateNames =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|intra|lan|corp|home|home\.arpa|private|svc|pod|cluster|default|kube-system|consul|docker)$/;

/** `hostname` is that of a parsed URL. Names are not resolved. */
export function isPrivateHost(hostname: string): boolean {
  // `redis.` is the same name as `redis`.
  const host = hostname.replace(/^\[|[\].]$/g, "").toLowerCase();
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
