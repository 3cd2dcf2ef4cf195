// By what a network address is counted: one IPv4 address, or the IPv6 network one customer has.

import { networkText } from "@turnpike/base";

export function addressBucket(address: string): string {
  return networkText(address, 32, 64);
}

/** The neighbourhood, for those who own more than one address. */
export function networkBucket(address: string): string {
  return networkText(address, 24, 48);
}
